//! What a tip is brought to.

use godot::classes::Engine;
use godot::prelude::*;
use tendon_solver::{Direction, Point};

use crate::engine::link::Link;
use crate::plan::bones::Bones;
use crate::plan::locate::{Gather, Input, Stale};
use crate::plan::mention::Mention;
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

/// A target of the plan.
pub struct Target {
    pub(crate) input: Input,
    stand_in: Option<StandIn>,
}

/// What the skeleton stands in for, where no node is the target.
#[derive(Clone, Copy, PartialEq)]
enum StandIn {
    /// The place that [`Gather`] has.
    Place,
    /// What another modifier is going to have it reach for.
    Goal,
    /// Nothing: what was the target is let go of.
    Nothing,
}

impl Target {
    /// The target that a property is set to, if it is somewhere that the bones below `root` can reach
    /// for.
    pub(crate) fn find(
        bones: &mut Bones,
        link: &Link<Node2D>,
        root: Option<usize>,
    ) -> Result<Self, Problem> {
        let node = bones.linked(link).ok_or_else(|| match link.departed() {
            Some(target) => Problem::TargetOutside { target },
            None => Problem::NoTarget,
        })?;
        let target = node.get_name().to_string();
        if !node.is_inside_tree() {
            return Err(Problem::TargetOutside { target });
        }
        match bones.input(node, root) {
            (_, true) => Err(Problem::TargetOnChain { target }),
            (input, false) => Ok(Self {
                input,
                stand_in: None,
            }),
        }
    }

    /// The same for the modifier's own target, in place of which it may have a place, or what another
    /// modifier says.
    pub(crate) fn find_own(
        search: &mut Search<'_>,
        link: &Link<Node2D>,
        root: Option<usize>,
    ) -> Result<Self, Problem> {
        let stand_in = match search.bones.linked(link) {
            None if search.has_place => StandIn::Place,
            None if search.is_placed => StandIn::Goal,
            _ => return Self::find(search.bones, link, root),
        };
        Ok(stand_in.target(search.bones, root))
    }

    /// The same for a modifier that may have to let go of a target. In a game, it works without one.
    pub(crate) fn find_or_let_go(
        search: &mut Search<'_>,
        link: &Link<Node2D>,
        root: Option<usize>,
    ) -> Result<Self, Problem> {
        match Self::find_own(search, link, root) {
            Err(problem) if search.lingers && !Engine::singleton().is_editor_hint() => {
                search.flaws.push(problem);
                Ok(StandIn::Nothing.target(search.bones, root))
            }
            found => found,
        }
    }

    /// Whether there is nothing to reach for but what another modifier says.
    pub(super) fn awaits_goal(&self) -> bool {
        self.stand_in == Some(StandIn::Goal)
    }

    /// Whether there is nothing to reach for, and the last target is let go of.
    pub(super) fn is_let_go(&self) -> bool {
        self.stand_in == Some(StandIn::Nothing)
    }

    pub(crate) fn mention(&self) -> Mention<'_> {
        Mention::Target(&self.input)
    }

    /// The origin and the X axis of the target.
    pub(crate) fn locate(&self, from: &Gather<'_>) -> Result<(Point, Direction), Stale> {
        // One that has left the tree since the plan was made is let go of, and so not found.
        let mut place = from.locate(&self.input)?;
        if self.stand_in == Some(StandIn::Place) {
            place.frame.translation = from.place.ok_or(Stale)?;
        }
        Ok((place.point(), place.direction()))
    }
}

impl StandIn {
    fn target(self, bones: &mut Bones, root: Option<usize>) -> Target {
        let skeleton = bones.skeleton().upcast();
        Target {
            input: bones.input(skeleton, root).0,
            stand_in: Some(self),
        }
    }
}

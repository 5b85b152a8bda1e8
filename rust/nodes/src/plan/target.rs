//! What a tip is brought to.

use godot::classes::Engine;
use godot::prelude::*;
use tendon_solver::{Direction, Point};

use crate::engine::link::Link;
use crate::plan::bones::Bones;
use crate::plan::class::Mention;
use crate::plan::locate::{Gather, Input, Stale};
use crate::warnings::problem::Problem;

/// A target of the plan.
pub(crate) struct Target {
    pub(crate) input: Input,
    /// Whether it is the place that [`Gather`] has: the skeleton stands in for a node.
    is_place: bool,
}

impl Target {
    /// The target that a property is set to, or the skeleton for a modifier that gets its target from
    /// another one, if it is somewhere that the bones below `root` can reach
    /// for.
    pub(crate) fn find(
        bones: &mut Bones,
        link: &Link<Node2D>,
        root: Option<usize>,
    ) -> Result<Self, Problem> {
        let own = bones.linked(link);
        bones.awaits_goal = own.is_none() && bones.is_placed;
        let any = bones.awaits_goal.then(|| bones.skeleton().upcast());
        let node = own.or(any).ok_or_else(|| match link.departed() {
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
                is_place: false,
            }),
        }
    }

    /// The same for the modifier's own target, in place of which it may have a place.
    pub(crate) fn find_own(
        bones: &mut Bones,
        link: &Link<Node2D>,
        root: Option<usize>,
    ) -> Result<Self, Problem> {
        if bones.has_place && bones.linked(link).is_none() {
            return Ok(Self {
                is_place: true,
                ..Self::stand_in(bones, root)
            });
        }
        Self::find(bones, link, root)
    }

    /// The skeleton, in place of a target.
    fn stand_in(bones: &mut Bones, root: Option<usize>) -> Self {
        let skeleton = bones.skeleton.clone().upcast();
        Self {
            input: bones.input(skeleton, root).0,
            is_place: false,
        }
    }

    /// The same for a modifier that may have to let go of a target. In a game, it works without one: the
    /// skeleton stands in for it.
    pub(crate) fn find_or_let_go(
        bones: &mut Bones,
        link: &Link<Node2D>,
        root: Option<usize>,
    ) -> Result<Self, Problem> {
        match Self::find_own(bones, link, root) {
            Err(problem) if bones.lingers && !Engine::singleton().is_editor_hint() => {
                bones.flaws.push(problem);
                bones.lacks_target = true;
                Ok(Self::stand_in(bones, root))
            }
            found => found,
        }
    }

    pub(crate) fn mention(&self) -> Mention<'_> {
        Mention::Target(&self.input)
    }

    /// The origin and the X axis of the target.
    pub(crate) fn locate(&self, from: &Gather<'_>) -> Result<(Point, Direction), Stale> {
        // One that has left the tree since the plan was made is let go of, and so not found.
        let mut place = from.locate(&self.input)?;
        if self.is_place {
            place.frame.translation = from.place.ok_or(Stale)?;
        }
        Ok((place.point(), place.direction()))
    }
}

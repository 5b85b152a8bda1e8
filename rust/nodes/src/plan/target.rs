//! What a tip is brought to.

use godot::classes::Engine;
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{Modifier, Status};

use crate::engine::link::Link;
use crate::engine::space::to_solver;
use crate::plan::bones::Bones;
use crate::plan::locate::{Gather, Input, Place, Stale};
use crate::plan::node_reference::NodeReference;
use crate::plan::result::PassResult;
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

/// A place that a modifier was told to reach for.
#[derive(Clone, Copy, Debug)]
pub struct PlaceToReach {
    /// In how many seconds; `None`: as its properties say.
    pub(crate) seconds: Option<f32>,
    /// The place that it reached for before, in global coordinates.
    pub(crate) from: Option<Vector2>,
}

impl PlaceToReach {
    /// The place that a modifier with this `result` has reached for in the last pass, in global coordinates: its
    /// `target`, else its `place`, else its tip if both were taken from it since then. `None` if it was idle.
    pub(crate) fn place_before(
        result: PassResult,
        target: &Link<Node2D>,
        place: Vector2,
    ) -> Option<Vector2> {
        let has_worked = matches!(result.status, Status::Reached | Status::OutOfReach);
        let target = target.get().filter(|target| target.is_inside_tree());
        let target = target.map(|target| target.get_global_position());
        let known = [target, Some(place), Some(result.tip)];
        let mut known = known.into_iter().flatten();
        known.find(|place| has_worked && place.is_finite())
    }

    /// Tells `modifier` that it reaches for another place. `from_global` is into skeleton space.
    pub(super) fn tell(self, modifier: &mut Modifier, from_global: Affine2) {
        let place = |from| from_global.transform_point2(to_solver(from));
        match self.seconds {
            Some(seconds) => modifier.hand_over(self.from.map(place), seconds),
            None => modifier.note_exchange(),
        }
    }
}

/// A target of the plan.
pub enum Target {
    /// A node.
    Node(Input),
    /// The place that [`Gather`] has.
    Place,
    /// The place that another modifier is going to have it reach for.
    Goal,
    /// Nothing: what was the target is let go of.
    Nothing,
}

impl Target {
    /// The node that `property` is set to, if it is somewhere that the bones below `root` can reach for.
    pub(crate) fn find(
        bones: &mut Bones,
        property: (&'static str, &Link<Node2D>),
        root: Option<usize>,
    ) -> Result<Self, Problem> {
        let (_, input) = bones.find_input(property, root)?;
        Ok(Self::Node(input))
    }

    /// The same for the modifier's own target, in place of which it may have a place, or what another
    /// modifier says.
    pub(crate) fn find_own(
        search: &mut Search<'_>,
        link: &Link<Node2D>,
        root: Option<usize>,
    ) -> Result<Self, Problem> {
        match search.bones.linked(link) {
            None if search.has_place => Ok(Self::Place),
            None if search.is_placed => Ok(Self::Goal),
            _ => Self::find(search.bones, ("target", link), root),
        }
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
                Ok(Self::Nothing)
            }
            found => found,
        }
    }

    /// Returns `true` if there is nothing to reach for but what another modifier says.
    pub(super) fn awaits_goal(&self) -> bool {
        matches!(self, Self::Goal)
    }

    /// Returns `true` if there is nothing to reach for, and the last target is let go of.
    pub(super) fn is_let_go(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    /// The node, if it is one.
    pub(crate) fn node_reference(&self) -> Option<NodeReference<'_>> {
        match self {
            Self::Node(input) => Some(NodeReference::Target(input)),
            Self::Place | Self::Goal | Self::Nothing => None,
        }
    }

    /// Its place. Without a node: that of [`Gather`], or the skeleton's origin, where nobody reaches for it.
    pub(crate) fn locate(&self, from: &Gather<'_>) -> Result<Place, Stale> {
        match self {
            // One that has left the tree since the plan was made is let go of, and so not found.
            Self::Node(input) => from.locate(input),
            Self::Place => Ok(Place::at(from.place.ok_or(Stale)?)),
            Self::Goal | Self::Nothing => Ok(Place::at(Vec2::ZERO)),
        }
    }
}

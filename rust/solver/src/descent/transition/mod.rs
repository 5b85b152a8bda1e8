//! *Transition*: the way from the pose that is shown to a pose on another branch.
//!
//! What is shown has bounded speed and acceleration: it goes after the destination ([`pursuit`]).
//!
//! Limits bound each joint by itself, so the joints may turn in any order on the way. The point of
//! the limb that has the longest way decides how long that takes: its speed is bounded, and a limb
//! that turns over while it is stretched out takes longest. So when a transition begins, several
//! routes are tried out: all joints together, one after another from the tip or from the root, and
//! by way of a curled pose. A limb that is curled up turns over on a short way. So either the
//! joints near the root turn before the limb uncurls, or the limb curls up before they turn. The
//! quickest route is taken. If there are obstacles, it is the quickest of those that bring no bone
//! into them, if that arrives soon. A *leader* goes such a route at full speed, and what is shown
//! goes after the leader, unless there is no time for that: then the leader is shown.
//!
//! | file | what is in it |
//! |---|---|
//! | [`route`] | trying routes out |
//! | [`step`] | one step of a leader, as far as the speed allows |
//! | [`pursuit`] | the law by which the pose that is shown goes after the leader, or after the exact pose |
//! | [`measure`] | the angles by which joints have to turn, and the distances that points have moved |
//!
//! A joint turns by the shorter way around, unless it keeps to an arc of directions. That is fixed
//! in chain space, so the joint turns by as much as its direction moves within the arc, and back by
//! as much as those above it turn. By the shorter way it could run against an end of its arc for
//! good.
//!
//! Cost: O(joints) for each pass of a transition, and some hundred times that where one begins that
//! is not brief.

mod measure;
pub(super) mod pursuit;
mod route;
mod step;

pub(crate) use crate::descent::transition::measure::take_pose;
pub(super) use crate::descent::transition::measure::{farthest_from, remember_points};
pub(super) use crate::descent::transition::measure::{
    measure_turns, remember_places_in_arcs, turn_between,
};
pub(crate) use crate::descent::transition::pursuit::RAMP;
pub(super) use crate::descent::transition::route::choose_route;
pub(crate) use crate::descent::transition::step::advance;

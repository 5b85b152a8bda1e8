//! Headings: which way a bone at the end of a chain points.
//!
//! In a chain of several joints, and in a tree, the heading is a bound of the last joint, whose
//! direction is then fixed; the joints before it are solved for the place where its bone must
//! begin ([`crate::kinematics::tree`]). After two bones, a bone that hangs on the second is turned
//! when these are solved.

use glam::{Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::joint::Joint;
use crate::kinematics::limit_enforcement::DirectionArc;
use crate::math::rotation::Rotation;
use crate::skeleton::aimed::Aimed;
use crate::skeleton::bone::Direction;
use crate::skeleton::limit::Limit;

/// The direction in which the bone at the end of two bones points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heading {
    /// Index of the bone whose X axis, before its own scale, is turned. It hangs on the second bone.
    pub bone: usize,
    /// The direction in which it points.
    pub direction: Aimed<Direction>,
}

/// The joint of a bone that hangs in the frame `basis` of chain space, turned from its rotation
/// `base` to point along `heading`, or as nearly as its limit allows, and whether that keeps it from there. `None` where it
/// cannot.
///
/// The end of the limit that is nearer may be the other one from one pass to the next. So a bone that is `held` turns from
/// the first of these angles by the second at most.
pub(crate) fn rotation_towards(
    heading: Vec2,
    basis: Mat2,
    base: Rotation,
    limit: Option<(&Limit, Mat2)>,
    held: Option<(f32, f32)>,
) -> Option<(Joint, bool)> {
    let mut joint = Joint::new(base, Vec2::X, Mat2::IDENTITY);
    joint.basis = basis;
    joint.head_along(Rotation::towards(heading)?);
    let free = joint.rotation;
    if let Some(bound) = limit.and_then(|(limit, mount)| DirectionArc::new(limit, base, mount)) {
        bound.enforce(&mut joint);
        if let Some((before, most)) = held {
            bound.hold_back(&mut joint, before, most);
        }
    }
    let is_kept = joint.rotation != free;
    joint.turned().is_finite().then_some((joint, is_kept))
}

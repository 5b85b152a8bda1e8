//! Spline IK: a chain laid along a path, as a snake or a rope lies.
//!
//! The path begins for the chain at the place that [`SplineSettings::progress`] gives. Bone by bone, from
//! the root on:
//!
//! - If that place is farther from a joint than its bone is long, the bone points straight at it:
//!   the **lead-in**.
//! - Otherwise the bone ends where the path leaves the circle of the bone's length around the joint
//!   for the first time, searched from the last such place on.
//! - Past the end of an open path, bones go straight on along its tangent.
//! - A closed path goes on where it began. If all of it is within the circle, bones go straight on
//!   along its tangent, too.
//!
//! The crossing is that of the cubic itself ([`crate::math::cubic`]), not of a polyline. It is
//! found in the frame that the joint turns in, into which the path is mapped: there the end of the
//! bone moves on a circle, whatever the bones above are scaled and skewed by.
//!
//! The pose is a function of the path, the progress and the base pose. It moves smoothly with the
//! progress, except where the geometry itself leaves no other way: a bone that is longer than a
//! bend is wide flips over to the other side of it. [`crate::solvers::flip`] shows a transition
//! there instead.
//!
//! A limit stops a joint short of its place; the bones below start from where it is. A stiff joint
//! turns by `1 − stiffness` of the angle.
//!
//! **Stretch** lengthens the bones, all by one factor, so that the chain reaches to the end of the
//! path: the least factor that does, up to a cap. On a closed path the end is once round.
//!
//! Source: the law of lead-in, crossing and end is that of Godot's `SplineIK3D`, which applies it
//! to the baked polyline.

use glam::{DAffine2, DVec2};

use crate::kinematics::tree::{Tree, Unsolvable};
use crate::math::angle::wrapped;
use crate::math::settings::settings;
use crate::math::trigonometry::angle_between;
use crate::skeleton::path::Curve;
use crate::skeleton::path::place::CurvePlace;

/// Estimates of the factor by which a chain is lengthened, at most.
const MOST_ESTIMATES: u32 = 48;

/// The greatest factor by which a chain is lengthened, whatever the cap.
const LARGEST_FACTOR: f64 = 1e6;

/// Two factors that differ by less than this count as the same.
const SAME_FACTOR: f64 = 1e-9;

settings! {
    /// Settings of spline IK.
    SplineSettings {
        /// The place at which the chain begins on the path: a baked length from its beginning on, in its own units.
        progress: f32 = 0.0;
        /// `true` if the root is moved to that place.
        move_root: bool = false;
    }
}

/// A path that a chain is laid along.
pub(crate) struct Course<'a> {
    pub(crate) curve: &'a Curve,
    /// From the curve's own space to chain space.
    pub(crate) into_chain: DAffine2,
    /// The place on the curve at which the chain begins.
    pub(crate) start: CurvePlace,
}

/// The result of laying a chain along a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laid {
    /// The place at which the last bone ends, or should: on the curve, and in the curve's own space.
    end: CurvePlace,
    point: DVec2,
    /// `true` if any bone ends on the path, in contrast to the lead-in.
    pub(crate) has_entered: bool,
    /// The largest distance of an end of a bone from its place, in chain units: limits and stiffness keep it away.
    pub(crate) off: f64,
    /// The point at which the path ends for the tip, or begins for a chain that does not come as far, in chain space.
    pub(crate) goal: DVec2,
    /// From there to the tip.
    pub(crate) miss: DVec2,
    /// The distance that the chain goes along the path, in the units of [`Curve::steps_to_end`]; negative: the rest of
    /// the lead-in.
    travel: f64,
}

impl Course<'_> {
    /// Turns the joints of a prepared `tree`, a chain, root first.
    ///
    /// Fills `places` with where each bone should end.
    fn lay(&self, tree: &mut Tree, places: &mut Vec<CurvePlace>) -> Laid {
        places.clear();
        let mut laid = Laid {
            end: self.start,
            point: self.curve.point(self.start),
            has_entered: false,
            off: 0.0,
            miss: DVec2::ZERO,
            goal: DVec2::ZERO,
            travel: 0.0,
        };
        for index in 0..tree.nodes.len() {
            tree.mount_joint(index);
            let offset = tree.links[index].offset;
            if offset != DVec2::ZERO {
                self.lay_bone(tree, index, offset, &mut laid);
            }
            tree.turn_joint(index);
            places.push(laid.end);
            if laid.has_entered {
                let node = &tree.nodes[index];
                let end = node.point + node.frame * offset;
                let wanted = self.into_chain.transform_point2(laid.point);
                laid.off = laid.off.max(end.distance(wanted));
            }
        }
        tree.place_tips();
        laid.goal = self.point(laid.end.on_curve());
        laid.miss = tree
            .tips
            .first()
            .map_or(DVec2::ZERO, |tip| tip.point - laid.goal);
        if !laid.has_entered {
            laid.travel = -laid.miss.length() / tree.span.max(f64::MIN_POSITIVE);
        }
        laid
    }

    /// Turns one joint, which is in its place, towards where its bone must end.
    fn lay_bone(&self, tree: &mut Tree, index: usize, offset: DVec2, laid: &mut Laid) {
        let node = &tree.nodes[index];
        let into_joint = node.basis.inverse();
        let seen = DAffine2::from_mat2_translation(
            into_joint * self.into_chain.matrix2,
            into_joint * (self.into_chain.translation - node.point),
        );
        let begin = seen.transform_point2(laid.point);
        let radius = offset.length();
        let mut wanted = begin;
        if begin.length() <= radius {
            let exit = self.curve.first_exit(laid.end, seen, radius);
            laid.travel += self.curve.steps_between(laid.end, exit);
            (laid.end, laid.point) = (exit, self.curve.point(exit));
            laid.has_entered = true;
            wanted = seen.transform_point2(laid.point);
        }
        let fit = DVec2::new(offset.dot(wanted), offset.perp_dot(wanted));
        let step = angle_between(node.direction, fit);
        // The turn that is nearest to what the joint may do.
        let middle = node
            .interval()
            .map_or(0.0, |[lower, upper]| 0.5 * (lower + upper));
        let swing = middle + wrapped(node.swing + step - middle);
        let swing = node.mobility * swing;
        tree.nodes[index].swing_to(swing);
    }

    pub(super) fn point(&self, place: CurvePlace) -> DVec2 {
        self.into_chain.transform_point2(self.curve.point(place))
    }

    /// Lays the chain along the path, and lengthens it by the least factor up to `most` that brings
    /// its tip to the path's end. Returns that factor, too.
    ///
    /// # Errors
    /// [`Unsolvable`] when the lengthened tree is.
    pub(crate) fn lay_stretched(
        &self,
        tree: &mut Tree,
        places: &mut Vec<CurvePlace>,
        most: f64,
    ) -> Result<(Laid, f64), Unsolvable> {
        let goal = self.curve.steps_to_end(self.start);
        let laid = self.lay(tree, places);
        if most.is_nan() || most <= 1.0 || laid.travel >= goal {
            return Ok((laid, 1.0));
        }
        let most = most.min(LARGEST_FACTOR);
        let mut present = 1.0;
        let mut missing = |tree: &mut Tree, factor: f64| {
            tree.lengthen(factor / present);
            present = factor;
            tree.prepare()?;
            let laid = self.lay(tree, places);
            Ok((laid, goal - laid.travel))
        };
        let (laid_at_most, left_at_most) = missing(tree, most)?;
        if left_at_most >= 0.0 {
            return Ok((laid_at_most, most));
        }
        let left = [goal - laid.travel, left_at_most];
        let short = least_factor(most, left, |factor| Ok(missing(tree, factor)?.1))?;
        // Where the chain jumps past the end, it stays short of it.
        let (laid, _) = missing(tree, short)?;
        Ok((laid, short))
    }
}

/// The least factor, from 1 to `most`, at which nothing is `missing`, or one that is a little less.
/// `left` is what is missing at 1 and at `most`: there, something is left over.
///
/// The Illinois method: regula falsi that halves the weight of an end that stays.
fn least_factor(
    most: f64,
    [left, left_at_most]: [f64; 2],
    mut missing: impl FnMut(f64) -> Result<f64, Unsolvable>,
) -> Result<f64, Unsolvable> {
    let (mut short, mut too_short) = (1.0, left);
    let (mut long, mut too_long) = (most, -left_at_most);
    let mut last_was_short = None;
    for _ in 0..MOST_ESTIMATES {
        let part = too_short / (too_short + too_long);
        let factor = short + (part * (long - short));
        if long - short <= SAME_FACTOR || factor <= short || factor >= long {
            break;
        }
        let left = missing(factor)?;
        let is_short = left > 0.0;
        let stays = last_was_short == Some(is_short);
        if is_short {
            (short, too_short) = (factor, left);
            too_long *= if stays { 0.5 } else { 1.0 };
        } else {
            (long, too_long) = (factor, -left);
            too_short *= if stays { 0.5 } else { 1.0 };
        }
        last_was_short = Some(is_short);
        if left.abs() <= SAME_FACTOR {
            return Ok(factor);
        }
    }
    Ok(short)
}

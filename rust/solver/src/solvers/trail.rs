//! Trails: a chain that follows its head, as that of a snake, a lizard or a centipede.
//!
//! Each joint is drawn behind the one before it, at the length of the bone between them, and a bend is
//! clamped. The law is one of **distance**, not of time: the chain is drawn on by steps of a fixed
//! length along the way that the head has taken, and what is left of the way is shown, but not kept.
//! So the shape depends on that way alone, not on frames, and not on how fast the head went.
//!
//! What is kept are the directions of the bones in global space, so that the chain stays where it is
//! while the nodes above the skeleton move with the head. A head that is put elsewhere, or a character
//! that is turned round, begins again with the pose as it is.
//!
//! With stiffness the bends return to those of the pose while the chain moves on: over the length of a
//! bone, `1 − stiffness` of the difference is left.
//!
//! Source: the pulled chain as of argonautcode's *animal-proc-anim*; the steps by distance are
//! Tendon's.

use glam::{DVec2, Mat2, Vec2};
use serde::{Deserialize, Serialize};

use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Unsolvable;
use crate::math::angle::wrapped;
use crate::math::clone_in_place::clone_in_place;
use crate::math::interval::clamp01;
use crate::math::settings::settings;
use crate::math::trigonometry::{angle_of, angle_of_f32, unit_vector};

/// A head that is put elsewhere goes farther than so many lengths of the chain, ...
const TELEPORT: f64 = 1.0;

/// ... at more than so many in a second.
const TELEPORT_SPEED: f64 = 45.0;

/// Steps to the average length of a bone.
const STEPS_TO_A_BONE: f64 = 4.0;

settings! {
    /// Settings of a trail.
    TrailSettings {
        /// The largest angle between two bones, in radians, beside that of the pose.
        max_bend: f32 = std::f32::consts::FRAC_PI_4;
        /// The part of a bend that returns to that of the pose over the length of a bone, 0 to 1.
        stiffness: f32 = 0.0;
        /// The number of times that the trail was reset. It begins with the pose as it is each time.
        resets: u32 = 0;
    }
}

/// The state that a trail keeps of the way of its head. All of it is in global space.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// The directions of the bones after the last whole step, in radians.
    #[serde(with = "crate::math::number")]
    headings: Vec<f32>,
    /// The place of the head then.
    #[serde(with = "crate::math::number")]
    step: Vec2,
    /// The place of the head in the pass before.
    #[serde(with = "crate::math::number")]
    head: Vec2,
    /// `true` if the chain was mirrored by its ancestors.
    is_mirrored: bool,
    /// The reset that it started from.
    resets: u32,
}

clone_in_place!(Way: headings; step, head, is_mirrored, resets);

/// A bone of the chain in global space, as the pose has it.
#[derive(Clone, Copy, Debug)]
struct DrawnBone {
    length: f64,
    /// Its direction, in radians.
    heading: f64,
}

/// Memory for a solve.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrailWorkspace {
    links: Vec<DrawnBone>,
    /// The directions of the bones that are shown, in radians.
    pub(crate) shown: Vec<f32>,
}

/// The chain that is drawn along, and how it bends.
struct DrawnChain<'a> {
    links: &'a [DrawnBone],
    length: f64,
    max_bend: f64,
    /// The part of a bend that is left after the length of a bone.
    slack: f32,
}

impl DrawnChain<'_> {
    /// Draws the head from one place to another. `headings` are the directions of the bones.
    fn draw(&self, headings: &mut [f32], from: DVec2, to: DVec2) {
        let distance = from.distance(to);
        let (mut end, mut begin) = (from, to);
        let mut above = None;
        for (link, heading) in self.links.iter().zip(headings) {
            end += link.length * unit_vector((*heading).into());
            let way = end - begin;
            // A head that comes to the very end of its bone keeps the direction.
            let mut drawn = match way == DVec2::ZERO {
                true => f64::from(*heading),
                false => angle_of(way),
            };
            if let Some((above, posed)) = above {
                let straight = above + (link.heading - posed);
                let bend = self.slack_after(distance, link) * wrapped(drawn - straight);
                drawn = straight + bend.clamp(-self.max_bend, self.max_bend);
            }
            above = Some((drawn, link.heading));
            begin += link.length * unit_vector(drawn);
            *heading = wrapped(drawn) as f32;
        }
    }

    /// Returns the part that is left of the bend above `link` when the head was drawn over a `distance`.
    fn slack_after(&self, distance: f64, link: &DrawnBone) -> f64 {
        match self.slack < 1.0 && link.length > 0.0 {
            true => libm::powf(self.slack, (distance / link.length) as f32).into(),
            false => 1.0,
        }
    }
}

impl Way {
    /// Begins with the pose as it is.
    fn begin(&mut self, chain: &DrawnChain<'_>, head: Vec2) {
        self.headings.clear();
        let headings = chain.links.iter().map(|link| wrapped(link.heading) as f32);
        self.headings.extend(headings);
        (self.step, self.head) = (head, head);
    }

    /// Returns `true` if the chain can be drawn on to `head`, `delta` seconds later.
    fn goes_on(&self, chain: &DrawnChain<'_>, head: Vec2, delta: f64) -> bool {
        let way = f64::from(self.head.distance(head));
        let is_teleport =
            way > TELEPORT * chain.length && way > TELEPORT_SPEED * chain.length * delta;
        self.headings.len() == chain.links.len()
            && self.headings.iter().all(|heading| heading.is_finite())
            && self.step.is_finite()
            && way.is_finite()
            && !is_teleport
    }

    /// Draws the chain along to `head`, by whole steps.
    fn follow(&mut self, chain: &DrawnChain<'_>, head: Vec2) {
        let length = chain.length / (STEPS_TO_A_BONE * chain.links.len() as f64);
        let (mut from, to) = (self.head.as_dvec2(), head.as_dvec2());
        let most = (from.distance(to) / length) as usize + 2;
        for _ in 0..most {
            let before = self.step.as_dvec2();
            let Some(step) = exit(before, length, from, to) else {
                break;
            };
            chain.draw(&mut self.headings, before, step);
            self.step = step.as_vec2();
            from = step;
        }
        self.head = head;
    }
}

/// Returns the point at which the way from one place to another leaves the circle around `centre`, if it does.
fn exit(centre: DVec2, radius: f64, from: DVec2, to: DVec2) -> Option<DVec2> {
    if to.distance(centre) < radius {
        return None;
    }
    let (way, off) = (to - from, from - centre);
    let (a, b) = (way.length_squared(), way.dot(off));
    let c = off.length_squared() - radius * radius;
    let root = (b * b - a * c).max(0.0).sqrt();
    let part = if a > 0.0 { (root - b) / a } else { 1.0 };
    Some(from + part.clamp(0.0, 1.0) * way)
}

impl TrailSettings {
    /// Draws the chain along to `head`, a place in global space, and leaves the directions that are
    /// shown in the workspace. `to_global` is from chain space.
    pub(crate) fn draw(
        self,
        way: &mut Way,
        limb: &Limb,
        to_global: Mat2,
        head: Vec2,
        delta: f64,
        workspace: &mut TrailWorkspace,
    ) -> Result<(), Unsolvable> {
        let TrailWorkspace { links, shown } = workspace;
        links.clear();
        links.extend(limb.joints.iter().map(|joint| {
            let segment = to_global * joint.segment();
            DrawnBone {
                length: segment.length().into(),
                heading: angle_of_f32(segment).into(),
            }
        }));
        let length: f64 = links.iter().map(|link| link.length).sum();
        let sum = head.x + head.y + self.max_bend + self.stiffness;
        let is_sound = length.is_normal() && sum.is_finite();
        is_sound.then_some(()).ok_or(Unsolvable)?;
        let chain = DrawnChain {
            links,
            length,
            max_bend: f64::from(self.max_bend).max(0.0),
            slack: 1.0 - clamp01(self.stiffness),
        };
        let is_mirrored = to_global.determinant() < 0.0;
        let is_same = way.is_mirrored == is_mirrored && way.resets == self.resets;
        if is_same && way.goes_on(&chain, head, delta) {
            way.follow(&chain, head);
        } else {
            way.begin(&chain, head);
            (way.is_mirrored, way.resets) = (is_mirrored, self.resets);
        }
        shown.clone_from(&way.headings);
        chain.draw(shown, way.step.as_dvec2(), head.as_dvec2());
        Ok(())
    }
}

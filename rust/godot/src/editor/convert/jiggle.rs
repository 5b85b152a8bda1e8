//! Converts a `SkeletonModification2DJiggle` to look-ats and springs.
//!
//! For each joint the engine moves a point, and the bone of the joint points at it. In each frame
//! of the length Δ, with the stiffness *s*, the mass *m*, the damping *d* and gravity *g*,
//!
//! ```text
//! force     = Δ (s (target − point) + g)
//! velocity += force (1 − d) / m
//! point    += velocity + force + the way that the joint has moved
//! ```
//!
//! So the bone is a look-at with a spring between it and its goal. With `k = Δ s` and
//! `b = k (1 − d) / m`, the distance *e* of the point from a target at rest is from frame to frame
//!
//! ```text
//! e″ = (2 − k − b) e′ − (1 − k) e
//! ```
//!
//! A damped spring with the rates *p* has the roots `exp(−p Δ)` in that place, which gives its
//! frequency and its damping ratio. For short frames, `ω² = s (1 − d) / (m Δ)` and `2 ζ ω = s`:
//! the engine's frequency depends on the frame rate.
//!
//! When the joint itself moves, the point moves with it, and the pull of the next frame brings it back.
//! So the engine's bones do not lag behind a character. The bones of a spring do.

use godot::classes::{Bone2D, Curve, Engine};
use godot::prelude::*;

use crate::editor::convert::stack_reader::{JiggleJoint, OldModification};
use crate::editor::convert::{Converter, Draft};
use crate::editor::selection::{bones_of, end_of};

/// Frames in a second for which the engine's values are usually chosen.
const IDLE_RATE: f64 = 60.0;

/// The mass of a joint whose mass is 0.
const LEAST_MASS: f64 = 1e-3;

/// With a damping of 1 the engine has no velocity. The second rate is then this many times the first,
/// which is too fast to be seen.
const UNSEEN: f64 = 20.0;

/// The spring that corresponds to the engine's values.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Law {
    /// Radians per second.
    omega: f64,
    damping_ratio: f64,
}

impl Law {
    /// The law of a joint in frames of `frame` seconds. `None` if nothing pulls at it.
    fn of(joint: &JiggleJoint, frame: f64) -> Option<Self> {
        let pull = joint.stiffness * frame;
        let gain = pull * (1.0 - joint.damping) / joint.mass.max(LEAST_MASS);
        (pull > 0.0 && gain.is_finite()).then_some(())?;
        let (middle, product) = (1.0 - 0.5 * (pull + gain), 1.0 - pull);
        let square = middle * middle - product;
        if product > 0.0 && square < 0.0 {
            let slowing = -0.5 * product.ln() / frame;
            let omega = slowing.hypot((middle / product.sqrt()).acos() / frame);
            return Some(Self {
                omega,
                damping_ratio: slowing / omega,
            });
        }
        let rates = [1.0, -1.0].map(|sign| middle + sign * square.max(0.0).sqrt());
        Some(match rates.map(|root| -root.ln() / frame) {
            [_, fast] if gain == 0.0 && fast.is_finite() => Self::with_rates(fast, UNSEEN * fast),
            // In frames as long as these the engine's joint trembles. This is what was meant.
            _ if gain == 0.0 => Self::with_rates(joint.stiffness, UNSEEN * joint.stiffness),
            [slow, fast] if slow > 0.0 && fast.is_finite() => Self::with_rates(slow, fast),
            _ => Self {
                omega: gain.sqrt() / frame,
                damping_ratio: 0.5 * joint.stiffness * frame / gain.sqrt(),
            },
        })
    }

    /// A spring that does not swing over: two rates, in radians per second.
    fn with_rates(slow: f64, fast: f64) -> Self {
        let omega = (slow * fast).sqrt();
        Self {
            omega,
            damping_ratio: 0.5 * (slow + fast) / omega,
        }
    }

    fn frequency(self) -> f64 {
        self.omega / std::f64::consts::TAU
    }
}

/// Bones that swing as one chain, root first, and the joints that they were.
type Line<'a> = Vec<(Gd<Bone2D>, &'a JiggleJoint, Law)>;

impl Converter<'_> {
    /// What to make of a jiggle: a look-at for each joint, if there is a target, and a spring for
    /// each line of joints.
    pub(super) fn jiggle(
        &mut self,
        old: &OldModification,
        joints: &[JiggleJoint],
        has_colliders: bool,
    ) -> Vec<Draft> {
        let target = self.target_of(old);
        let mut drafts = Vec::new();
        for line in self.lines(old, joints) {
            let turned = line.iter().map(|(bone, ..)| bone);
            // A target that hangs on the bone goes wherever that points: then the pose is the goal.
            let aims = |bone: &&Gd<Bone2D>| {
                let target = target.as_ref();
                target.is_some_and(|target| {
                    target.instance_id() != bone.instance_id() && !bone.is_ancestor_of(target)
                })
            };
            drafts.extend(turned.filter(aims).map(look_at));
            drafts.extend(self.spring(old, &line, target.as_ref()));
        }
        if !drafts.is_empty() {
            if target.is_none() {
                self.note(&old.name, NO_TARGET);
            }
            if has_colliders {
                self.note(&old.name, COLLIDERS);
            }
        }
        drafts
    }

    /// The lines of the joints whose bones are found and that are pulled at.
    fn lines<'j>(&mut self, old: &OldModification, joints: &'j [JiggleJoint]) -> Vec<Line<'j>> {
        let frame = match old.physics {
            true => 1.0 / f64::from(Engine::singleton().get_physics_ticks_per_second().max(1)),
            false => 1.0 / IDLE_RATE,
        };
        let mut lines: Vec<Line<'j>> = Vec::new();
        for bone in bones_of(&self.selection.skeleton) {
            let of_bone = |joint: &&JiggleJoint| joint.bone.as_ref() == Some(&bone);
            let Some(joint) = joints.iter().find(of_bone) else {
                continue;
            };
            let Some(law) = Law::of(joint, frame) else {
                let name = bone.get_name();
                self.note(&old.name, format!("the bone \"{name}\" {NO_STIFFNESS}"));
                continue;
            };
            let parent = bone.get_parent();
            let ends_above = |line: &&mut Line<'j>| {
                let last = line.last().map(|(last, ..)| last.clone().upcast());
                last.is_some() && last == parent
            };
            match lines.iter_mut().find(ends_above) {
                Some(line) => line.push((bone, joint, law)),
                None => lines.push(vec![(bone, joint, law)]),
            }
        }
        lines
    }

    fn spring(
        &mut self,
        old: &OldModification,
        line: &Line<'_>,
        target: Option<&Gd<Node2D>>,
    ) -> Option<Draft> {
        let (root, last) = (&line.first()?.0, &line.last()?.0);
        let most = |value: fn(&Law) -> f64| {
            let values = line.iter().map(|(.., law)| value(law));
            values.fold(f64::MIN_POSITIVE, f64::max)
        };
        let frequency = most(|law| law.frequency());
        let damping_ratio = most(|law| law.damping_ratio);
        let parts = |part: &dyn Fn(&Law) -> f64| curve(line.iter().map(|(.., law)| part(law)));
        self.note(
            &old.name,
            format!(
                "the spring that ends with \"{}\" has a frequency of {frequency:.2} Hz and a \
                 damping ratio of {damping_ratio:.2}, as the bones had at {IDLE_RATE} frames per \
                 second. {LAGS}",
                last.get_name()
            ),
        );
        let settings = [
            ("frequency", (frequency as f32).to_variant()),
            ("damping_ratio", (damping_ratio as f32).to_variant()),
            ("gravity", gravity(line, target).to_variant()),
            ("frequency_curve", parts(&|law| law.frequency() / frequency)),
            (
                "damping_curve",
                parts(&|law| law.damping_ratio / damping_ratio),
            ),
        ];
        let bones = [("root_bone", root), ("tip_bone", last)];
        let bones = bones.map(|(property, bone)| (property, bone.to_variant()));
        Some(Draft {
            class: "TendonSpring2D",
            properties: bones.into_iter().chain(settings).collect(),
            bones: line.iter().map(|(bone, ..)| bone.clone()).collect(),
            has_target: false,
        })
    }
}

fn look_at(bone: &Gd<Bone2D>) -> Draft {
    Draft {
        class: "TendonLookAt2D",
        properties: vec![("bone", bone.to_variant())],
        bones: vec![bone.clone()],
        has_target: true,
    }
}

/// The gravity that turns a spring as far as the engine's pull moves the points: by `g / s`, seen
/// from the distance of the target.
fn gravity(line: &Line<'_>, target: Option<&Gd<Node2D>>) -> Vector2 {
    let places = line.iter().map(|(bone, ..)| bone.get_global_position());
    let places: Vec<_> = places.collect();
    let Some((last, ..)) = line.last() else {
        return Vector2::ZERO;
    };
    let end = last.get_global_transform() * end_of(last);
    let next = places.iter().skip(1).copied().chain([end]);
    let length: f32 = places
        .iter()
        .zip(next)
        .map(|(&one, next)| one.distance_to(next))
        .sum();
    let pulls = line.iter().zip(&places).map(|((_, joint, law), place)| {
        let way = target.map_or(length, |target| {
            place.distance_to(target.get_global_position())
        });
        let factor = law.omega * law.omega / joint.stiffness * f64::from(length / way.max(1.0));
        joint.gravity * factor as f32
    });
    pulls.fold(Vector2::ZERO, |sum, pull| sum + pull) / line.len() as f32
}

/// A curve with these values at the joints, or nothing if all are 1.
fn curve(values: impl Iterator<Item = f64>) -> Variant {
    let values: Vec<f64> = values.collect();
    if values.iter().all(|value| (value - 1.0).abs() < 1e-4) {
        return Variant::nil();
    }
    let last = values.len().saturating_sub(1).max(1);
    let mut curve = Curve::new_gd();
    // The values that the curve keeps are those at the joints.
    curve.set_bake_resolution((last * 20 + 1).min(1000) as i32);
    for (joint, &value) in values.iter().enumerate() {
        let point = Vector2::new(joint as f32 / last as f32, value as f32);
        let linear = godot::classes::curve::TangentMode::LINEAR;
        let added = curve.add_point_ex(point);
        added.left_mode(linear).right_mode(linear).done();
    }
    curve.to_variant()
}

const NO_TARGET: &str = "its target was not found. The springs need none: their goal is the pose of \
    the bones.";
const NO_STIFFNESS: &str = "was left out: its stiffness is 0, so nothing brings it back.";
const COLLIDERS: &str = "its collisions were left out. Set \"Obstacles\" of the springs.";
const LAGS: &str = "Unlike before, the bones also lag behind when the character moves. A lower \
    \"Inertia\" makes that less.";

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(stiffness: f64, mass: f64, damping: f64) -> JiggleJoint {
        JiggleJoint {
            bone: None,
            stiffness,
            mass,
            damping,
            gravity: Vector2::ZERO,
        }
    }

    /// Where the engine's point is after each frame when it starts 1 off a target at rest.
    fn play(joint: &JiggleJoint, frame: f64) -> Vec<f64> {
        let (mut place, mut velocity) = (1.0, 0.0);
        let step = |_| {
            let force = -place * joint.stiffness * frame;
            velocity += force / joint.mass * (1.0 - joint.damping);
            place += velocity + force;
            place
        };
        (0..240).map(step).collect()
    }

    #[test]
    fn the_defaults_come_to_a_soft_spring() {
        let law = Law::of(&joint(3.0, 0.75, 0.75), 1.0 / 60.0).unwrap();
        assert!((law.frequency() - 1.2496).abs() < 1e-3, "{law:?}");
        assert!((law.damping_ratio - 0.196).abs() < 1e-3, "{law:?}");
        assert!((law.omega - (60.0_f64 * 3.0 * 0.25 / 0.75).sqrt()).abs() < 0.15);
    }

    /// Each of three successive places is tied to the two before it by the spring's own law.
    #[test]
    fn the_engines_motion_is_that_of_the_spring() {
        for stiffness in [0.2, 3.0, 12.0, 40.0] {
            for mass in [0.1, 0.75, 4.0, 60.0] {
                for damping in [0.0, 0.75, 0.99] {
                    for frame in [1.0 / 60.0, 1.0 / 120.0] {
                        let joint = joint(stiffness, mass, damping);
                        let gain = joint.stiffness * frame * (1.0 - damping) / mass;
                        let middle = 1.0 - 0.5 * (joint.stiffness * frame + gain);
                        if middle <= 0.0 {
                            continue;
                        }
                        check_law(&joint, frame);
                    }
                }
            }
        }
    }

    fn check_law(joint: &JiggleJoint, frame: f64) {
        let Law {
            omega,
            damping_ratio,
        } = Law::of(joint, frame).unwrap();
        let slowing = damping_ratio * omega;
        let square = omega * omega - slowing * slowing;
        let beat = match square >= 0.0 {
            true => (square.sqrt() * frame).cos(),
            false => ((-square).sqrt() * frame).cosh(),
        };
        let decay = (-slowing * frame).exp();
        for places in play(joint, frame).windows(3) {
            let expected = 2.0 * decay * beat * places[1] - decay * decay * places[0];
            let most = places
                .iter()
                .fold(1e-9_f64, |most, place| most.max(place.abs()));
            let off = (places[2] - expected).abs() / most;
            assert!(off < 1e-6, "{joint:?} {frame}: {places:?}, {expected}");
        }
    }

    #[test]
    fn a_damping_of_one_creeps() {
        let law = Law::of(&joint(3.0, 0.75, 1.0), 1.0 / 60.0).unwrap();
        assert!(law.damping_ratio > 1.0 && law.omega.is_finite(), "{law:?}");
        let slow = law.omega * (law.damping_ratio - (law.damping_ratio.powi(2) - 1.0).sqrt());
        assert!((slow - 3.08).abs() < 0.01, "{slow}");
    }

    #[test]
    fn any_values_come_to_a_spring_or_to_nothing() {
        for stiffness in [0.0, 1e-3, 59.9, 60.0, 1000.0] {
            for mass in [0.0, 1e-3, 1000.0] {
                for damping in [0.0, 0.5, 1.0] {
                    let law = Law::of(&joint(stiffness, mass, damping), 1.0 / 60.0);
                    assert_eq!(law.is_none(), stiffness == 0.0);
                    let is_sound = |law: Law| law.omega > 0.0 && law.damping_ratio >= 0.0;
                    let is_finite = |law: Law| (law.omega + law.damping_ratio).is_finite();
                    assert!(
                        law.is_none_or(|law| is_sound(law) && is_finite(law)),
                        "{law:?}"
                    );
                }
            }
        }
    }
}

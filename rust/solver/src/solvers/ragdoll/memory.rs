//! What a ragdoll keeps from pass to pass.

use glam::{Affine2, DAffine2, DVec2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::angle::wrapped;
use crate::math::clone_in_place::clone_in_place;
use crate::math::trigonometry::{angle_between, unit_vector};
use crate::solvers::ragdoll::body::ROOT;
use crate::solvers::ragdoll::motion::BodyMotion;

/// The present activity of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RagdollPhase {
    /// It is as the pose has it.
    #[default]
    Posed,
    /// It moves.
    Falling,
    /// It has come to rest.
    Lying,
    /// It returns to the pose.
    Rising,
}

/// The state that is kept of a ragdoll. All of it is in skeleton space.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RagdollMemory {
    /// Its present activity.
    pub phase: RagdollPhase,
    /// The body.
    pub motion: BodyMotion,
    /// The skeleton's global transform that it refers to.
    #[serde(with = "crate::math::number")]
    pub(crate) frame: Affine2,
    /// The state before the last tick, from which what is shown goes on to the present one.
    pub(crate) before: Vec<f64>,
    /// The state that the pose had in the last tick; while nothing is simulated, the one that was shown last.
    pub(crate) posed: Vec<f64>,
    /// The rates of that state then, per second.
    pub(crate) led: Vec<f64>,
    /// While nothing is simulated, the same of the pass before: what leapt is not taken for a speed.
    pub(crate) led_before: Vec<f64>,
    /// While nothing is simulated, the state of the pose from which its speed is measured, and how long ago that was, in
    /// seconds.
    pub(crate) seen: Vec<f64>,
    #[serde(with = "crate::math::number")]
    pub(crate) unseen: f32,
    /// The time for which it has been quiet, in seconds.
    #[serde(with = "crate::math::number")]
    pub(crate) quiet: f32,
    /// The time for which it has only crept on still ground, in seconds.
    #[serde(with = "crate::math::number")]
    pub(crate) calm: f32,
    /// Sums of what is around a body at rest, and of what it is to do: when they change, it wakes.
    pub(crate) around: [u64; 2],
    /// The targets of grabs in the last tick, in global space.
    #[serde(with = "crate::math::number")]
    pub(crate) grabbed: Vec<Vec2>,
    /// The way back to the pose.
    pub(crate) rise: Rise,
    /// The links that are broken off those above them, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<u32>,
    /// The place of the body, for those who ask the world around it.
    pub whereabouts: Whereabouts,
}

clone_in_place!(
    RagdollMemory: motion, before, posed, led, led_before, seen, grabbed, rise, broken;
    phase, frame, unseen, quiet, calm, around, whereabouts
);

impl RagdollMemory {
    /// Returns the number of coordinates of a state that are places of roots: of the body, and of each link that is
    /// broken off.
    pub(crate) fn places(&self) -> usize {
        ROOT * (1 + self.broken.len())
    }

    pub(crate) fn is_broken(&self, link: usize) -> bool {
        self.broken.binary_search(&(link as u32)).is_ok()
    }

    /// Returns the map of its states to `frame`, if that is another frame than before.
    pub(crate) fn carry_to(&self, frame: Affine2) -> Option<Carry> {
        Carry::new((self.frame, frame), self.places())
    }

    /// Makes room for all that may be kept of a state with so many numbers: no pass asks for memory later.
    pub(crate) fn make_room(&mut self, size: usize) {
        let lists = [&mut self.led, &mut self.led_before, &mut self.seen];
        for list in lists {
            list.reserve(size.saturating_sub(list.len()));
        }
    }

    /// It moves, or is about to: how long it has been quiet does not count any more.
    pub(crate) fn stir(&mut self) {
        self.phase = RagdollPhase::Falling;
        (self.quiet, self.calm) = (0.0, 0.0);
    }

    /// Forgets how the pose has moved before the body was let go, or after.
    pub(crate) fn forget_pose(&mut self) {
        let lists = [&mut self.led, &mut self.led_before, &mut self.seen];
        lists.into_iter().for_each(Vec::clear);
        self.unseen = 0.0;
        self.grabbed.clear();
    }

    /// The same for a body that has only the links with these numbers, each of which moves on as it did. The first is the
    /// root.
    pub(crate) fn of_links(&self, links: &[usize]) -> Self {
        let place = |link: usize| links.iter().position(|&it| it == link);
        let broken = self.broken.iter().enumerate();
        let broken = broken.filter_map(|(order, &link)| Some((place(link as usize)?, order + 1)));
        let mut broken: Vec<_> = broken.collect();
        broken.sort_unstable();
        let roots = [0]
            .into_iter()
            .chain(broken.iter().map(|&(_, order)| order));
        let places = roots.flat_map(|order| [ROOT * order, ROOT * order + 1]);
        let angles = links.iter().map(|link| self.places() + link);
        let numbers: Vec<_> = places.chain(angles).collect();
        let of_state = |of: &[f64]| {
            numbers
                .iter()
                .filter_map(|&it| of.get(it).copied())
                .collect()
        };
        let of_links = |of: &[f64]| links.iter().filter_map(|&it| of.get(it).copied()).collect();
        let mut memory = Self {
            motion: BodyMotion {
                state: of_state(&self.motion.state),
                rates: of_state(&self.motion.rates),
                ..BodyMotion::default()
            },
            before: of_state(&self.before),
            posed: of_state(&self.posed),
            led: of_state(&self.led),
            led_before: of_state(&self.led_before),
            seen: of_state(&self.seen),
            rise: Rise {
                sources: of_links(&self.rise.sources),
                offsets: of_links(&self.rise.offsets),
                rates: of_links(&self.rise.rates),
                ..self.rise.clone()
            },
            broken: broken.iter().map(|&(link, _)| link as u32).collect(),
            ..self.clone()
        };
        if memory.phase == RagdollPhase::Lying {
            memory.stir();
        }
        memory
    }

    /// Takes what is known of the pose to where it is seen by now.
    pub(crate) fn carry_pose(&mut self, carry: Carry) {
        let speeds = (!self.led.is_empty()).then_some(&mut self.led[..]);
        carry.apply(&mut self.posed, speeds);
        if !self.seen.is_empty() {
            carry.apply(&mut self.seen, None);
        }
    }
}

/// The place of a body after a pass, in global space. Kept, so that the world is asked at the right place after a state
/// was restored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Whereabouts {
    /// Two corners of a box around it.
    #[serde(with = "crate::math::number")]
    pub low: Vec2,
    /// The other one.
    #[serde(with = "crate::math::number")]
    pub high: Vec2,
    /// Its greatest speed, per second.
    #[serde(with = "crate::math::number")]
    pub speed: f32,
    /// The centre of mass.
    #[serde(with = "crate::math::number")]
    pub centre: Vec2,
    /// The root's joint.
    #[serde(with = "crate::math::number")]
    pub root: Vec2,
    /// The root's joint in the pose.
    #[serde(with = "crate::math::number")]
    pub posed_root: Vec2,
    /// Two corners of a box around the axes of the limbs in the pose.
    #[serde(with = "crate::math::number")]
    pub posed_low: Vec2,
    /// The other one.
    #[serde(with = "crate::math::number")]
    pub posed_high: Vec2,
    /// The direction that the belly faces: that of the skeleton's X axis, turned as the root has turned from
    /// its rest pose.
    #[serde(with = "crate::math::number")]
    pub front: Vec2,
}

impl RagdollMemory {
    /// Returns `true` if it is that of a body of so many bones.
    pub(crate) fn fits(&self, joints: usize) -> bool {
        let size = joints + self.places();
        let moves = matches!(self.phase, RagdollPhase::Falling | RagdollPhase::Lying);
        let states = [&self.before, &self.motion.state, &self.motion.rates];
        let least = if moves { size } else { 0 };
        let are_links = |broken: &[u32]| broken[0] > 0 && broken[broken.len() - 1] < joints as u32;
        let is_whole = self.broken.is_empty()
            || moves
                && self.broken.is_sorted_by(|one, other| one < other)
                && are_links(&self.broken);
        is_whole
            && states.iter().all(|it| it.len() == least)
            && (self.posed.len() == size || self.posed.is_empty() && !moves)
            && [&self.led, &self.led_before, &self.seen]
                .iter()
                .all(|it| it.len() == size || it.is_empty())
            && self.rise.fits(joints, self.phase == RagdollPhase::Rising)
    }
}

/// The way back to the pose.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Rise {
    /// The rotations of the bones that it began with.
    pub(crate) sources: Vec<f64>,
    /// The differences of their rotations from the pose in the last pass, in radians. They do not leap by a turn.
    pub(crate) offsets: Vec<f64>,
    /// The rates of the rotations at its beginning, in radians per second.
    pub(crate) rates: Vec<f64>,
    /// The velocity of the root bone at its beginning, in its parent's frame.
    #[serde(with = "crate::math::number")]
    pub(crate) speed: Vec2,
    /// The place of the root bone at its beginning, in its parent's frame.
    #[serde(with = "crate::math::number")]
    pub(crate) place: Vec2,
    /// Seconds since then.
    #[serde(with = "crate::math::number")]
    pub(crate) elapsed: f32,
}

clone_in_place!(Rise: sources, offsets, rates; speed, place, elapsed);

impl Rise {
    /// Returns `true` if it is that of so many bones; none unless it `goes_on`.
    fn fits(&self, joints: usize, goes_on: bool) -> bool {
        let count = if goes_on { joints } else { 0 };
        [&self.sources, &self.offsets, &self.rates]
            .iter()
            .all(|it| it.len() == count)
    }

    /// Returns the part of the way that is left after `elapsed` of `time` seconds: slow at both ends.
    pub(crate) fn left(&self, time: f32) -> f64 {
        if self.elapsed >= time {
            return 0.0;
        }
        let part = f64::from(self.elapsed / time);
        1.0 - part * part * (3.0 - 2.0 * part)
    }

    /// Returns the time for which it has gone on at the speeds that it began with, in seconds: they decay until `time`
    /// has passed.
    pub(crate) fn drift(&self, time: f32) -> f64 {
        let left = 1.0 - f64::from(self.elapsed / time);
        f64::from(time) / 3.0 * (1.0 - left * left * left)
    }

    /// Returns the difference of the rotation of bone `index` from `posed`, that of the pose, after a `drift` in
    /// seconds.
    pub(crate) fn offset(&mut self, index: usize, posed: f64, drift: f64) -> f64 {
        let before = self.offsets[index];
        let now = self.sources[index] + drift * self.rates[index] - posed;
        self.offsets[index] = before + wrapped(now - before);
        self.offsets[index]
    }
}

/// The map of a state to another frame: the body stays in the world while its skeleton moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carry {
    map: DAffine2,
    is_mirrored: bool,
    /// The number of coordinates of a state that are places.
    places: usize,
}

impl Carry {
    /// From the frame `from` to the frame `to`; `None` if nothing changes.
    fn new((from, to): (Affine2, Affine2), places: usize) -> Option<Self> {
        if from == to {
            return None;
        }
        let map = to.as_daffine2().inverse() * from.as_daffine2();
        map.is_finite().then(|| Self {
            map,
            is_mirrored: map.matrix2.determinant() < 0.0,
            places,
        })
    }

    /// Returns `true` if the skeleton was turned over: the body is turned over with it, about its root.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.is_mirrored
    }

    /// The state, and its rates if they are given. A body that is turned over keeps its angles in the skeleton.
    pub(crate) fn apply(&self, state: &mut [f64], rates: Option<&mut [f64]>) {
        self.take_over(state, rates, !self.is_mirrored);
    }

    /// The same, with the directions that the links have in the world, also if the skeleton was turned over.
    pub(crate) fn apply_in_place(&self, state: &mut [f64], rates: &mut [f64]) {
        self.take_over(state, Some(rates), true);
    }

    fn take_over(&self, state: &mut [f64], rates: Option<&mut [f64]>, turns: bool) {
        let mut rates = rates;
        for index in (0..self.places).step_by(ROOT) {
            let pair = |of: &[f64]| DVec2::new(of[index], of[index + 1]);
            let place = self.map.transform_point2(pair(state));
            (state[index], state[index + 1]) = place.into();
            if let Some(rates) = &mut rates {
                let speed = self.map.transform_vector2(pair(rates));
                (rates[index], rates[index + 1]) = speed.into();
            }
        }
        if !turns {
            return;
        }
        let area = self.map.matrix2.determinant();
        for index in self.places..state.len() {
            let direction = unit_vector(state[index]);
            let seen = self.map.matrix2 * direction;
            state[index] += angle_between(direction, seen);
            if let Some(rates) = &mut rates {
                rates[index] *= area / seen.length_squared();
            }
        }
    }
}

//! What carries the character, how the character moves against it, and what the plants ride to.

use glam::{Affine2, Vec2};

use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::memory::{Carrier, Riding, StanceMemory};
use crate::solvers::stance::scene::{Stage, along_ground};
use crate::solvers::stance::world::{PosedFoot, Tick};

/// The way in a tick that is a leap, as a part of a leg, unless the character goes as far in every tick: up to this
/// part of the way less or more, and no farther than so many legs.
pub(super) const LEAP: f32 = 0.5;
const SAME: f32 = 0.3;
const FASTEST: f32 = 2.0;

/// The speed of a descent that is a fall if it lasts for three ticks, in legs per second.
const FALL: f32 = 2.0;

/// The time for which a body may be off the floor until it is in the air, in seconds, and the speed of a rise at which
/// it is so at once, in legs per second.
const GRACE: f32 = 0.1;
const JUMP: f32 = 1.0;

/// A pose that is not renewed for so many seconds stands still.
const STILL: f32 = 0.12;

/// The rate at which the speed of the character is smoothed, per second.
const SMOOTHING: f32 = 16.0;

/// A rise of the body in a tick, beyond its speed, that the pelvis levels, as a part of a leg.
const STAIR: f32 = 0.05;

impl StanceMemory {
    /// Begins a tick.
    pub(super) fn ride(&mut self, scene: &mut Stage<'_>, tick: Tick) {
        let law = scene.law;
        let leg = law.reach();
        let going = self.follow_carrier(scene);
        let before = self.riding.frame.unwrap_or(scene.frame);
        let carried = going.transform_point2(before.translation);
        let way = scene
            .inverse
            .transform_vector2(scene.frame.translation - carried);
        let carry = |_| law.carried - self.riding.carried;
        let in_skeleton = self.riding.frame.map_or(Vec2::ZERO, carry);
        let whole = way + in_skeleton;
        let turned = scene.frame.matrix2.determinant() * before.matrix2.determinant();
        // A way that is infinite, as of a body that was huge for a frame, is a leap too: what is kept stays finite.
        let kept = if whole.is_finite() { whole } else { Vec2::ZERO };
        let last = std::mem::replace(&mut self.riding.way, kept);
        let length = whole.length();
        let is_steady = length < FASTEST * leg && (whole - last).length() < SAME * length;
        let has_leapt = !(is_steady || length <= LEAP * leg) || turned < 0.0;
        let has_stood = self.feet.iter().any(|foot| foot.ground.is_some());
        let riding = &mut self.riding;
        (riding.speed, riding.carrying) = match has_leapt {
            true => (riding.velocity, Vec2::ZERO),
            false => (way / scene.delta, in_skeleton / scene.delta),
        };
        let part = 1.0 - libm::expf(-SMOOTHING * scene.delta);
        riding.velocity = riding.velocity.lerp(riding.speed + riding.carrying, part);
        // Down a slope it comes no nearer to its ground.
        let descent = self.pelvis.slope * riding.speed.dot(law.up.perp());
        let rise = riding.speed.dot(law.up) - descent.min(0.0);
        riding.judge_fall(scene, rise / leg, tick);
        scene.sudden = riding.stair(scene, leg, has_leapt);
        if has_stood {
            self.pelvis.stay_behind(scene.sudden, law);
        }
        for (index, foot) in self.feet.iter_mut().enumerate() {
            let Some(posed) = scene.posed[index] else {
                continue;
            };
            foot.measure(&posed, &going, scene, has_leapt);
            if !has_leapt {
                foot.ride(scene, self.riding.speed * scene.delta);
            }
        }
        if has_leapt {
            self.come_along(in_skeleton, scene);
        }
    }

    /// Finds what carries the character: of feet on several surfaces, the one that bears its body. Returns the motion of
    /// that in the tick.
    fn follow_carrier(&mut self, scene: &mut Stage<'_>) -> Affine2 {
        let bears = |body: u32| scene.floors.contains(&body);
        let plants = self.feet.iter().filter_map(|foot| foot.plant);
        let stands = plants.clone().next().is_some();
        let mut surface = self.riding.carrier.and_then(|carrier| {
            let surface = scene.world.surface(carrier.surface)?;
            Some((surface, carrier.frame))
        });
        if !surface.is_some_and(|(surface, _)| bears(surface.body)) {
            let stands_there = |number| plants.clone().any(|plant| plant.surface == number);
            let is_left = !surface.is_some_and(|(surface, _)| stands_there(surface.number));
            let mut others = plants.clone().filter(|plant| bears(plant.body) || is_left);
            if let Some(plant) = others.next()
                && let Some(found) = scene.world.surface(plant.surface)
            {
                surface = Some((found, plant.frame));
            }
        }
        self.riding.carrier = surface.map(|(surface, _)| Carrier {
            surface: surface.number,
            frame: surface.drawn,
        });
        let Some((surface, before)) = surface else {
            return Affine2::IDENTITY;
        };
        scene.back = surface.shift();
        // A belt carries nobody who has left it.
        let stands = bears(surface.body) || stands;
        let mut motion = match before == surface.drawn {
            true => Affine2::IDENTITY,
            false => surface.drawn * before.inverse(),
        };
        if stands {
            motion.translation += surface.velocity(scene.frame.translation) * scene.delta;
        }
        motion
    }

    /// After a leap all feet are where they were in the skeleton, or as far on as the hips were carried, on whatever is
    /// there.
    fn come_along(&mut self, carried: Vec2, scene: &mut Stage<'_>) {
        for walker in scene.walkers(scene.law.carriage(&self.pelvis)) {
            let foot = &mut self.feet[walker.index];
            if let Some(swing) = &mut foot.swing {
                swing.from += carried;
                swing.landing.is_there = false;
            }
            foot.place += carried;
            if foot.plant.is_some() {
                foot.let_go();
                foot.ground = None;
                foot.stand_at(foot.place, false, &walker, scene);
            }
        }
    }
}

impl Riding {
    /// Returns the speed of the fall that has ended in this tick, in legs per second.
    pub(super) fn landing(&self) -> f32 {
        let ended = self.falls.y - self.falls.x;
        if ended > FALL { ended } else { 0.0 }
    }

    /// Returns the acceleration, per second squared: the smoothed velocity comes after it.
    pub(super) fn acceleration(&self) -> Vec2 {
        (self.speed + self.carrying - self.velocity) * SMOOTHING
    }

    /// Judges if the character falls, or is in the air. `rise`: its speed away from its ground, in legs per second.
    fn judge_fall(&mut self, scene: &mut Stage<'_>, rise: f32, tick: Tick) {
        let slowest = self.falls.min_element().min(-rise);
        self.falls = Vec2::new(-rise, self.falls.x);
        scene.is_falling = slowest > FALL && scene.floors.is_empty();
        match tick.is_on_floor {
            Some(true) => (self.has_stood, self.air) = (true, 0.0),
            Some(false) => self.air += scene.delta,
            None => self.air = 0.0,
        }
        let is_off = self.has_stood && tick.is_on_floor == Some(false);
        let is_airborne = is_off && (self.air > GRACE || rise > JUMP);
        scene.is_airborne = tick.is_in_air.unwrap_or(is_airborne);
        if is_airborne {
            // It stays in the air until it touches a floor.
            self.air = self.air.max(2.0 * GRACE);
        }
    }

    /// Returns the way that the body was moved up or down at once, as over a stair.
    fn stair(&mut self, scene: &Stage<'_>, leg: f32, has_leapt: bool) -> f32 {
        let rise = self.speed.dot(scene.up) * scene.delta;
        let before = std::mem::replace(&mut self.rise, if has_leapt { 0.0 } else { rise });
        // Who has made a stair goes on as before it, or climbs on as fast.
        let sudden = if (rise - before).abs() < rise.abs() {
            rise - before
        } else {
            rise
        };
        let is_stair = !has_leapt && sudden.abs() > STAIR * leg && !scene.is_airborne;
        if is_stair { sudden } else { 0.0 }
    }
}

impl FootMemory {
    /// Measures the velocity of the foot against the ground in the animation: from one change of the pose to the next.
    fn measure(&mut self, posed: &PosedFoot, going: &Affine2, scene: &Stage<'_>, has_leapt: bool) {
        let Some(before) = self.posed else { return };
        let carried = going.transform_point2(self.seen);
        let way = scene.frame.transform_point2(posed.sole) - carried;
        self.way += scene.inverse.transform_vector2(way);
        self.since += scene.delta;
        if has_leapt {
            (self.motion, self.lifting) = (Some(Vec2::ZERO), 0.0);
            (self.way, self.since) = (Vec2::ZERO, 0.0);
        } else if before != posed.sole || self.since > STILL || self.motion.is_none() {
            self.motion = Some(self.way / self.since);
            self.lifting = (posed.sole - before).dot(scene.up) / self.since;
            (self.way, self.since) = (Vec2::ZERO, 0.0);
        }
    }

    /// Returns the speed of the foot along the ground, per second; infinity if that is not known yet.
    pub(super) fn pace(&self, up: Vec2) -> f32 {
        let pace = |motion| along_ground(motion, up).length();
        self.motion.map_or(f32::INFINITY, pace)
    }

    /// A planted foot goes along with its surface, and a step with what it goes to. `way`: that of the character.
    fn ride(&mut self, scene: &mut Stage<'_>, way: Vec2) {
        if let Some(plant) = &mut self.plant {
            match scene.world.surface(plant.surface) {
                Some(surface) => {
                    plant.ride(&surface, scene.delta);
                    self.back = Some(surface.shift());
                }
                None => self.back = None,
            }
            self.place = scene.inverse.transform_point2(plant.place());
        }
        if let Some(swing) = &mut self.swing {
            swing.ride(scene, way);
        }
    }
}

//! The limbs of a body as others meet them: shapes of the world, which move, and give way by their mass.
//!
//! Two bodies that meet each other compute the same hit, each from the speeds before it, and each takes its own part of it.
//! So nothing has to be handed over, and a state plays again to the same bits. What something that stands still carries
//! gives way to no other body: piles stay where they are.

use glam::Vec2;

use crate::rig::kinds::ragdoll::Ragdoll;
use crate::solvers::ragdoll::memory::RagdollPhase;
use crate::solvers::ragdoll::solid::{RagdollTick, Solid, SolidOutline};
use crate::solvers::ragdoll::space::PassSpace;

impl Ragdoll {
    /// Says where its limbs are after a pass in which it was simulated.
    pub(super) fn offer_limbs(&mut self, space: &mut PassSpace) {
        let stays = self.ticks.is_empty() && !self.limbs.solids.is_empty();
        if !self.is_solid || stays {
            return;
        }
        let memory = &self.memory.after;
        let is_borne = memory.phase == RagdollPhase::Lying || self.is_borne();
        let frame = memory.frame.as_daffine2();
        let motion = &memory.motion;
        let PassSpace {
            body,
            kinematics,
            tick,
            eases,
            ..
        } = space;
        let state = (&motion.state[..], self.is_carried);
        tick.find_eases(body, state, frame.matrix2, eases);
        // Of several that are pushed at once, none is as heavy as if it were pushed alone.
        let felt: f64 = eases.iter().map(|ease| ease.x.max(1e-9).recip()).sum();
        let share = (felt / f64::from(self.settings.mass.max(1e-3))).max(1.0);
        kinematics.place(body, &motion.state);
        kinematics.find_velocities(body, &motion.rates);
        let sense = frame.matrix2.determinant();
        let unit = sense.abs().sqrt();
        self.limbs.clear();
        for (index, link) in body.links.iter().enumerate() {
            let centre = kinematics.point(index, link.centre());
            let moved = kinematics.velocity_of(index, centre);
            let ease = eases.get(index).filter(|_| !is_borne);
            let solid = Solid {
                outline: SolidOutline::Line,
                radius: (unit * link.capsule.radius) as f32,
                body: index as u32,
                velocity: (frame.matrix2 * moved).as_vec2(),
                spin: (sense.signum() * motion.rates[body.angle(index)]) as f32,
                centre: frame.transform_point2(centre).as_vec2(),
                moves: true,
                friction: self.settings.friction.max(0.0),
                bounce: self.settings.bounce,
                lightness: ease.map_or(Vec2::ZERO, |ease| (share * *ease).as_vec2()),
                ..Solid::default()
            };
            let ends = [link.capsule.from, link.capsule.to];
            let ends = ends.map(|end| {
                frame
                    .transform_point2(kinematics.point(index, end))
                    .as_vec2()
            });
            self.limbs.push(solid, ends);
        }
    }

    /// Returns `true` if it was carried in the last tick by something that nothing pushes away.
    fn is_borne(&self) -> bool {
        let is_touched = |solid: &Solid| self.touches.iter().any(|it| it.body == solid.body);
        let holds = |tick: &RagdollTick| {
            let mut solids = tick.solids.iter();
            solids.any(|solid| solid.lightness == Vec2::ZERO && is_touched(solid))
        };
        self.ticks.last().is_some_and(holds)
    }
}

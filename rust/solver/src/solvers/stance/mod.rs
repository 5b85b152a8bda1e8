//! What stands on ground: feet under an animation, and feet that step by themselves.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | a tick |
//! | [`world`] | the questions of a tick to the physics, and their answers |
//! | [`settings`], [`leg`] | settings of feet, pelvis and legs, and the rest pose |
//! | [`scene`] | the data of a tick |
//! | [`memory`], [`foot`] | state kept from tick to tick, in all and of a foot |
//! | [`plant`] | planting of a foot, and letting it go |
//! | [`probe`], [`sole`] | rays, and the place of a whole foot on what they find |
//! | [`ride`] | the carrier of the character, and the motion against it |
//! | [`animated_feet`] | feet under an animation |
//! | [`rhythm`], [`timing`] | the rhythm of steps and their order, as those of animals, and the way into it |
//! | [`step`], [`step_order`], [`swing`] | feet that step: strides, who is next, and the way of a step |
//! | [`pelvis`], [`tilt`] | the height of the pelvis, and the tilt of a body with its feet |
//! | [`turn`] | the turn of a foot |
//! | [`shown`] | the result of a tick in a pass |
//!
//! The law runs in ticks of the physics. A pass shows what the last one came to. Places are in skeleton
//! space, so a character that is mirrored or scaled needs no case of its own. What is said of every foot in
//! every tick:
//!
//! 1. A planted foot has ground: a ray that is cast anyway finds a surface near it. If it is another surface
//!    than before, the plant goes over without moving; if there is none, it is let go in that tick.
//! 2. A planted foot can be stood on: its leg reaches it, and it is below its hip.
//! 3. A foot is seen from its hip: no wall is between.
//! 4. Nothing is measured in the world: speed, leaps and steps are those of the character against what
//!    carries it.
//! 5. A foot that needs nothing is not touched, to the last bit.
//! 6. A mirrored character has mirrored feet, at once.
//! 7. No joint turns much faster than its animation ([`crate::rig::placed`]).

mod animated_feet;
pub(crate) mod foot;
pub(crate) mod leg;
pub(crate) mod memory;

mod pelvis;
mod plant;
mod probe;
mod rhythm;
mod ride;
pub(crate) mod scene;
pub(crate) mod settings;
pub(crate) mod shown;
mod sole;
mod step;
mod step_order;
mod swing;
pub(crate) mod tilt;
mod timing;
mod turn;
pub(crate) mod world;

use glam::Affine2;

use crate::solvers::stance::foot::FootMemory;
use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::scene::{Law, Stage};
use crate::solvers::stance::world::{PosedFoot, Tick, World};

impl StanceMemory {
    /// Goes through a tick. A tick without time, or where the skeleton is nowhere, changes nothing.
    pub(crate) fn tick<'a>(
        &mut self,
        law: &'a Law<'a>,
        tick: Tick,
        posed: &'a [Option<PosedFoot>],
        floors: &'a [u32],
        world: &'a mut dyn World,
    ) {
        let inverse = tick.to_global.inverse();
        let is_sound = tick.to_global.is_finite() && inverse.is_finite() && law.up.is_finite();
        let is_sound = is_sound && law.reach().is_finite() && tick.delta > 0.0;
        if !is_sound {
            return;
        }
        let delta = tick.delta.min(0.1);
        let mut scene = Stage {
            law,
            posed,
            world,
            delta,
            springs: turn::springs(delta),
            frame: tick.to_global,
            inverse,
            up: law.up,
            floors,
            back: Affine2::IDENTITY,
            sudden: 0.0,
            is_falling: false,
            is_airborne: false,
        };
        self.begin(law, posed);
        self.ride(&mut scene, tick);
        match law.gait {
            Some(gait) => self.step(gait, &mut scene),
            None => self.place(&mut scene),
        }
        self.sink(&scene);
        self.count = self.count.wrapping_add(1);
        self.remember(&scene);
    }

    /// Feet that come, and those that went.
    fn begin(&mut self, law: &Law<'_>, posed: &[Option<PosedFoot>]) {
        self.feet.resize(law.legs.len(), FootMemory::default());
        for (index, foot) in self.feet.iter_mut().enumerate() {
            let before = foot.posed.filter(|_| foot.plant.is_none());
            foot.before = before.map(|posed| law.gait.map_or(posed, |_| foot.place));
            match (posed.get(index).copied().flatten(), &law.legs[index]) {
                (Some(posed), Some(leg)) if foot.posed.is_none() => {
                    foot.place = law.gait.map_or(posed.sole, |_| leg.home);
                }
                (Some(_), Some(_)) => {}
                _ => *foot = FootMemory::default(),
            }
        }
    }

    /// Notes where everything was in this tick.
    fn remember(&mut self, scene: &Stage<'_>) {
        let law = scene.law;
        self.riding.frame = Some(scene.frame);
        self.riding.tick = scene.delta;
        self.riding.raised = law.raised;
        self.riding.carried = law.carried;
        let way = self.riding.speed * scene.delta;
        for (foot, posed) in self.feet.iter_mut().zip(scene.posed) {
            if let Some(posed) = posed {
                let now = law.gait.map_or(posed.sole, |_| foot.place);
                foot.descend(now, way, scene.up, scene.delta);
                foot.posed = Some(posed.sole);
                foot.seen = scene.frame.transform_point2(posed.sole);
            }
        }
    }
}

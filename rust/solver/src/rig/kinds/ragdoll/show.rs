//! A state of the body, as rotations of bones.

use glam::{DAffine2, DVec2, Vec2};

use crate::kinematics::tree::Unsolvable;
use crate::math::angle::wrapped;
use crate::math::rotation::Rotation;
use crate::math::trigonometry::{angle_of, unit_vector};
use crate::rig::kind::Context;
use crate::rig::kinds::ragdoll::Ragdoll;
use crate::rig::pose::Pose;
use crate::solvers::ragdoll::space::PassSpace;

impl Ragdoll {
    /// Turns `bone` to `angle`, which is by `swing` from the pose.
    pub(super) fn turn(context: &mut Context<'_>, bone: usize, angle: f64, swing: f64) {
        let rotation = Rotation::from_angle(angle as f32);
        context
            .influence
            .turn(context.pose, bone, swing as f32, rotation);
    }
}

impl PassSpace {
    /// Finds the rotations of all bones at which the body is in `state`. Returns where the root bone is then,
    /// in its parent's frame.
    pub(super) fn rotations(
        &mut self,
        ragdoll: &Ragdoll,
        state: &[f64],
        pose: &Pose,
    ) -> Result<Vec2, Unsolvable> {
        self.shown.clear();
        self.shifted.clear();
        self.frames.clear();
        let root = pose.bone(ragdoll.joints[0]);
        let mount = pose.frame(root.parent()).as_daffine2();
        let place = match ragdoll.is_carried {
            true => root.position.as_dvec2(),
            false => mount
                .inverse()
                .transform_point2(DVec2::new(state[0], state[1])),
        };
        for (index, &bone) in ragdoll.joints.iter().enumerate() {
            let posed = pose.bone(bone);
            let link = self.body.links[index];
            let above = link.above.map_or(mount, |above| self.frames[above]);
            let seen = above.matrix2.inverse() * unit_vector(state[self.body.angle(index)]);
            let angle = angle_of(seen);
            if !angle.is_finite() {
                return Err(Unsolvable);
            }
            let turned = Rotation::from_angle(angle as f32).apply_to(posed.shape);
            let position = match link.parent {
                _ if index == 0 => place,
                Some(_) => posed.position.as_dvec2(),
                None => {
                    let place = DVec2::new(state[link.place], state[link.place + 1]);
                    let place = above.inverse().transform_point2(place);
                    self.shifted.push((bone, place.as_vec2()));
                    place
                }
            };
            let own = DAffine2::from_mat2_translation(turned.as_dmat2(), position);
            self.frames.push(above * own);
            self.shown.push(angle);
        }
        let place = place.as_vec2();
        let mut places = self.shifted.iter().map(|&(_, place)| place);
        let is_finite = place.is_finite() && places.all(Vec2::is_finite);
        is_finite.then_some(place).ok_or(Unsolvable)
    }

    /// Takes the state `between` into the pose.
    pub(super) fn show(
        &mut self,
        ragdoll: &Ragdoll,
        context: &mut Context<'_>,
    ) -> Result<(), Unsolvable> {
        let state = std::mem::take(&mut self.between);
        let place = self.rotations(ragdoll, &state, context.pose);
        self.between = state;
        let place = place?;
        for (&bone, &angle) in ragdoll.joints.iter().zip(&self.shown) {
            let posed = f64::from(context.pose.bone(bone).rotation);
            let swing = wrapped(angle - posed);
            Ragdoll::turn(context, bone, posed + swing, swing);
        }
        for &(bone, place) in &self.shifted {
            context.influence.shift(context.pose, bone, place);
        }
        if !ragdoll.is_carried {
            context
                .influence
                .shift(context.pose, ragdoll.joints[0], place);
        }
        Ok(())
    }
}

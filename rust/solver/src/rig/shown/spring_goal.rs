//! Where the goal of a spring is, and how fast its tip moves: for those who draw or test it.

use glam::Vec2;

use crate::math::trigonometry::unit_vector;
use crate::rig::chain::End;
use crate::rig::kind::line_of;
use crate::rig::kind_list::Solver;
use crate::rig::kinds::spring::Spring;
use crate::rig::shown::Shown;

impl Shown<'_> {
    /// Where the goal of a spring has its joints and its tip, in skeleton space, after the last
    /// [`solve`](crate::Rig::solve); under ancestors that stretch or skew, nearly there. Nothing for
    /// other modifiers.
    pub fn goal_line(self) -> Vec<Vec2> {
        let Some((spring, points)) = self.spring() else {
            return Vec::new();
        };
        if !spring.pin.is_nowhere() {
            return self.goal_line_with_slack(spring.slack);
        }
        let mut place = points[0];
        let mut line = vec![place];
        for (pair, bone) in points.windows(2).zip(&spring.memory.after.bones) {
            place += pair[0].distance(pair[1]) * unit_vector(bone.goal.into()).as_vec2();
            line.push(place);
        }
        let into_skeleton = self.rig.to_global.inverse();
        let line = line.into_iter();
        line.map(|point| into_skeleton.transform_point2(point))
            .collect()
    }

    /// The same with another slack. Nothing for springs without a pin.
    pub fn goal_line_with_slack(self, slack: f32) -> Vec<Vec2> {
        let Some((spring, _)) = self.spring() else {
            return Vec::new();
        };
        let factor = f64::from(slack) / f64::from(spring.slack);
        let is_elastic = matches!(spring.chain.end, End::Bone(_));
        let hanging = &spring.memory.after.hanging;
        let goal = hanging.goal(spring.settings.gravity, factor, is_elastic);
        let into_skeleton = self.rig.to_global.inverse();
        let seen = goal
            .iter()
            .map(|place| into_skeleton.transform_point2(place.as_vec2()));
        seen.collect()
    }

    /// Where the goal of a spring has the end of its first bone, if that were turned by `angle` in
    /// global space: in skeleton space. Nothing for other modifiers.
    pub fn goal_turned_by(self, angle: f32) -> Option<Vec2> {
        let goal = self.goal_line();
        let [root, end] = [*goal.first()?, *goal.get(1)?];
        let [root, end] = [root, end].map(|point| self.rig.to_global.transform_point2(point));
        let turned = root + unit_vector(angle.into()).as_vec2().rotate(end - root);
        Some(self.rig.to_global.inverse().transform_point2(turned))
    }

    /// How fast the tip of a spring moves, seen from its goal, in skeleton units per second. Zero
    /// for other modifiers.
    pub fn tip_velocity(self) -> Vec2 {
        let Some((spring, points)) = self.spring() else {
            return Vec2::ZERO;
        };
        let pairs = points.windows(2).zip(&spring.memory.after.bones);
        let velocity: Vec2 = pairs
            .map(|(pair, bone)| bone.speed * (pair[1] - pair[0]).perp())
            .sum();
        self.rig.to_global.inverse().transform_vector2(velocity)
    }

    /// The spring, if it is in motion, and its joints and tip in global space.
    fn spring(&self) -> Option<(&Spring, Vec<Vec2>)> {
        let Solver::Spring(spring) = &self.modifier().solver else {
            return None;
        };
        let points = line_of(spring)
            .map(|point| self.rig.to_global.transform_point2(self.rig.locate(point)));
        let is_in_motion = !spring.memory.after.bones.is_empty();
        is_in_motion.then(|| (spring, points.collect()))
    }
}

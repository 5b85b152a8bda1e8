//! Obstacles: what a pass reads of them.

use tendon_solver::Obstacle;
use tendon_solver::glam::Affine2;

use crate::engine::space::frame_of;
use crate::plan::attachment::Attachment;
use crate::plan::input::set_item;
use crate::plan::obstacle::PlannedObstacle;
use crate::plan::{Plan, Stale};

impl Plan {
    /// Reads the obstacles of a modifier. Returns whether that changes the solver's input.
    pub(super) fn gather_obstacles(
        &mut self,
        index: usize,
        solver_index: usize,
        from_global: Affine2,
    ) -> Result<bool, Stale> {
        let mut changes = false;
        let mut count = 0;
        for number in 0..self.modifiers[index].obstacles.len() {
            let obstacle = &self.modifiers[index].obstacles[number];
            if let Some(located) = self.locate_obstacle(obstacle, solver_index, from_global)? {
                changes |= set_item(
                    &mut self.rig.modifiers[solver_index].obstacles,
                    count,
                    located,
                );
                count += 1;
            }
        }
        let obstacles = &mut self.rig.modifiers[solver_index].obstacles;
        changes |= obstacles.len() > count;
        obstacles.truncate(count);
        Ok(changes)
    }

    /// An obstacle of a modifier, if it counts at present.
    fn locate_obstacle(
        &self,
        obstacle: &PlannedObstacle,
        solver_index: usize,
        from_global: Affine2,
    ) -> Result<Option<Obstacle>, Stale> {
        let here = obstacle.node.alive().ok_or(Stale)?;
        let node = obstacle.node.gd();
        if node.get_shape() != obstacle.shape {
            return Err(Stale);
        }
        let Some(outline) = &obstacle.outline else {
            return Ok(None);
        };
        if node.is_disabled() || !here.is_inside_tree() {
            return Ok(None);
        }
        let node_2d = node.clone().upcast();
        let attachment = Attachment::find(&node_2d, self.skeleton.gd());
        let Some(frame) = attachment.frame else {
            if obstacle.on_chain {
                return Err(Stale);
            }
            let global = here.global_transform();
            let frame = self.global_frame(&node_2d, global, obstacle.is_on_other_canvas);
            return Ok(Some(Obstacle {
                shape: outline.read(),
                frame: from_global * frame,
                bone: None,
            }));
        };
        let bone = self.carrier(&attachment)?;
        let on_chain = self.moves_carrier(solver_index, bone);
        if on_chain != obstacle.on_chain {
            return Err(Stale);
        }
        Ok((!on_chain).then(|| Obstacle {
            shape: outline.read(),
            frame: frame_of(frame),
            bone,
        }))
    }
}

//! Paths: what a pass reads of them.

use tendon_solver::glam::Affine2;

use crate::engine::space::frame_of;
use crate::plan::attachment::Attachment;
use crate::plan::input::set;
use crate::plan::path::PlannedPath;
use crate::plan::planned_modifier::Solvable;
use crate::plan::{Plan, Stale};

impl Plan {
    /// Reads the path of a modifier, if it has one. Returns whether that changes the
    /// solver's input.
    pub(super) fn gather_path(
        &mut self,
        index: usize,
        from_global: Affine2,
    ) -> Result<bool, Stale> {
        let Ok(Solvable {
            path: Some(planned),
            solver_index,
            ..
        }) = &self.modifiers[index].solvable
        else {
            return Ok(false);
        };
        let solver_index = *solver_index;
        let (frame, bone) = self.locate_path(planned, solver_index, from_global)?;
        let has_changed = planned.has_changed.replace(false);
        let path = self.rig.modifiers[solver_index]
            .path
            .get_or_insert_default();
        let mut changes = set(&mut path.frame, frame);
        changes |= set(&mut path.bone, bone);
        if has_changed {
            changes |= planned.read_curve(&mut path.curve);
            // What is wrong with the curve may be another thing now.
            if planned.has_length != (path.curve.length() != 0.0) {
                planned.has_changed.set(true);
                return Err(Stale);
            }
        }
        Ok(changes)
    }

    /// Where the path of a modifier is, and the bone that carries it.
    fn locate_path(
        &self,
        path: &PlannedPath,
        solver_index: usize,
        from_global: Affine2,
    ) -> Result<(Affine2, Option<usize>), Stale> {
        let here = path.input.node.alive().ok_or(Stale)?;
        let node = path.node.gd();
        if !here.is_inside_tree() || node.get_curve() != path.curve {
            return Err(Stale);
        }
        let attachment = Attachment::find(&node.clone().upcast(), self.skeleton.gd());
        let Some(frame) = attachment
            .frame
            .filter(|_| !self.is_below_top_level_bone(&attachment))
        else {
            return Ok((
                self.frame_from_global(&path.input, &here, from_global),
                None,
            ));
        };
        let bone = self.carrier(&attachment)?;
        if self.moves_carrier(solver_index, bone) {
            return Err(Stale);
        }
        Ok((frame_of(frame), bone))
    }
}

//! Sources of copied transforms: what a pass reads of them.

use tendon_solver::glam::Affine2;
use tendon_solver::{Local, Source};

use crate::engine::space::{frame_of, to_solver};
use crate::plan::attachment::Attachment;
use crate::plan::input::set;
use crate::plan::{Plan, Stale};

impl Plan {
    /// Reads the source of the modifier at `place`, unless it is a bone: those are read from the
    /// plan. Returns whether that changes the solver's input.
    pub(super) fn gather_mapping(
        &mut self,
        place: usize,
        from_global: Affine2,
    ) -> Result<bool, Stale> {
        let Ok(solvable) = &self.modifiers[place].solvable else {
            return Ok(false);
        };
        let Some(aim) = &solvable.source else {
            return Ok(false);
        };
        let index = solvable.index;
        let alive = aim.node.alive().ok_or(Stale)?;
        if !alive.is_inside_tree() {
            return Err(Stale);
        }
        let is_node = |source: &Source| matches!(source, Source::Node { .. });
        let mapping = &self.rig.modifiers[index].mapping;
        let source = mapping.as_ref().and_then(|mapping| mapping.source);
        if !source.as_ref().is_some_and(is_node) {
            return Ok(false);
        }
        let attachment = Attachment::find(aim.node.gd(), self.skeleton.gd());
        let (carrier, frame) = match attachment.frame {
            Some(frame) if !self.is_loose(&attachment) => {
                let bone = attachment.bone.as_ref().map(|bone| bone.instance_id());
                let carrier = bone.map(|bone| self.bones.index_of(bone).ok_or(Stale));
                (carrier.transpose()?, frame_of(frame))
            }
            _ => (None, self.free_frame(aim, &alive, from_global)),
        };
        let root = self.rig.modifiers[index].joints.first().copied();
        if carrier.is_some() && self.rig.carries(root, carrier) {
            return Err(Stale);
        }
        let source = Source::Node {
            carrier,
            frame,
            local: Local {
                position: to_solver(alive.position()),
                rotation: alive.rotation(),
                scale: to_solver(alive.scale()),
            },
        };
        let mapping = &mut self.rig.modifiers[index].mapping;
        let place = mapping.as_mut().and_then(|mapping| mapping.source.as_mut());
        Ok(place.is_some_and(|place| set(place, source)))
    }
}

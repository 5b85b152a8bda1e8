//! Sources of copied transforms: what a pass reads of them.

use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::{Local, Source};

use crate::engine::live::Alive;
use crate::engine::space::{frame_of, to_solver};
use crate::plan::attachment::Attachment;
use crate::plan::input::set;
use crate::plan::input_node::InputNode;
use crate::plan::planned_modifier::Solvable;
use crate::plan::{Plan, Stale};

impl Plan {
    /// Reads the source of a modifier, unless it is a bone: those are read from the plan. Returns
    /// whether that changes the solver's input.
    pub(super) fn gather_mapping(
        &mut self,
        index: usize,
        from_global: Affine2,
    ) -> Result<bool, Stale> {
        let Ok(Solvable {
            source: Some(input),
            solver_index,
            ..
        }) = &self.modifiers[index].solvable
        else {
            return Ok(false);
        };
        let solver_index = *solver_index;
        let alive = input.node.alive().ok_or(Stale)?;
        if !alive.is_inside_tree() {
            return Err(Stale);
        }
        let mapping = self.rig.modifiers[solver_index].mapping.as_ref();
        let source = mapping.and_then(|mapping| mapping.source);
        if !matches!(source, Some(Source::Node { .. })) {
            return Ok(false);
        }
        let source = self.locate_source(input, &alive, solver_index, from_global)?;
        let mapping = self.rig.modifiers[solver_index].mapping.as_mut();
        let current = mapping.and_then(|mapping| mapping.source.as_mut());
        Ok(current.is_some_and(|current| set(current, source)))
    }

    /// The source of a modifier, which is no bone of the skeleton.
    fn locate_source(
        &self,
        input: &InputNode,
        alive: &Alive<'_, Node2D>,
        solver_index: usize,
        from_global: Affine2,
    ) -> Result<Source, Stale> {
        let attachment = Attachment::find(input.node.gd(), self.skeleton.gd());
        let (carrier, frame) = match attachment.frame {
            Some(frame) if !self.is_below_top_level_bone(&attachment) => {
                (self.carrier(&attachment)?, frame_of(frame))
            }
            _ => (None, self.frame_from_global(input, alive, from_global)),
        };
        if self.moves_carrier(solver_index, carrier) {
            return Err(Stale);
        }
        Ok(Source::Node {
            carrier,
            frame,
            local: Local {
                position: to_solver(alive.position()),
                rotation: alive.rotation(),
                scale: to_solver(alive.scale()),
            },
        })
    }
}

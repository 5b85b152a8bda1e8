//! Reads what has changed into the solver's input.

use tendon_solver::Heading;
use tendon_solver::glam::Affine2;
use tendon_solver::math::interval::clamp01;

use crate::engine::space::frame_of;
use crate::plan::input::set;
use crate::plan::modifier::{Modifier, Settings};
use crate::plan::{Plan, Stale};

impl Plan {
    /// Reads bones, settings, tips and targets. `influence` is the rig's own. Returns whether
    /// anything that the solver depends on has changed since the last pass.
    pub(super) fn gather(&mut self, influence: f32) -> Result<bool, Stale> {
        let skeleton = self.skeleton.alive().ok_or(Stale)?;
        let to_global = skeleton.global_transform();
        let mut changes = self.to_global.replace(to_global) != Some(to_global);
        self.rig.to_global = frame_of(to_global);
        let before = std::mem::replace(&mut self.influence, influence);
        changes |= before.to_bits() != influence.to_bits();
        let bones = &mut self.rig.bones;
        changes |= self.bones.read(bones, self.in_editor).ok_or(Stale)?;
        for limit in &self.limits {
            changes |= limit.gather(bones);
        }
        let from_global = frame_of(to_global).inverse();
        for index in 0..self.modifiers.len() {
            changes |= self.gather_modifier(index, from_global)?;
        }
        Ok(changes)
    }

    /// Reads one modifier. Returns whether that changes the solver's input.
    fn gather_modifier(&mut self, index: usize, from_global: Affine2) -> Result<bool, Stale> {
        let planned = &mut self.modifiers[index];
        let read = |node: &dyn Modifier| (node.references().ids(), Settings::of(node));
        let (ids, settings) = planned.node.read(read).ok_or(Stale)?;
        if ids != planned.ids {
            return Err(Stale);
        }
        let mut changes = self.gather_effectors(index, from_global)?;
        let Ok(solvable) = &self.modifiers[index].solvable else {
            return Ok(changes);
        };
        let modifier = solvable.index;
        let target = self.locate_target(&solvable.ends, solvable.index, from_global)?;
        let (target, direction) = target.unzip();
        let aligned = solvable.aligned.zip(direction);
        let heading = aligned.map(|(bone, direction)| Heading { bone, direction });
        let pole = self.locate_pole(solvable, from_global)?;
        let tip = self.locate_tip(&solvable.ends)?;
        let tip_bone = solvable.ends.tip_bone();
        let script = &self.modifiers[index].script;
        let solver = &mut self.rig.modifiers[solvable.index];
        // A tip without a target is free.
        solver.weight = if target.is_some() { 1.0 } else { 0.0 };
        changes |= set(&mut solver.target, target.unwrap_or_default());
        changes |= set(&mut solver.heading, heading);
        changes |= set(&mut solver.pole, pole);
        changes |= set(&mut solver.tip, tip);
        solver.tip_bone = tip_bone;
        let runs = script.as_ref().is_none_or(|script| script.runs);
        let influence = clamp01(settings.influence) * clamp01(self.influence);
        changes |= set(&mut solver.active, settings.active && runs);
        changes |= set(&mut solver.influence, influence);
        changes |= set(&mut solver.solver, settings.solver.solver);
        changes |= set(&mut solver.softness, settings.solver.softness);
        changes |= set(&mut solver.stretch, settings.solver.stretch);
        changes |= set(&mut solver.deterministic, settings.solver.deterministic);
        changes |= self.gather_path(index, from_global)?;
        changes |= self.gather_mapping(index, from_global)?;
        Ok(changes | self.gather_obstacles(index, modifier, from_global)?)
    }
}

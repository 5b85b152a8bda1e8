//! Reads what has changed into the solver's input. This file reads bones, limits and settings;
//! [`locate`](super::locate) finds where targets, poles and tips are.
//!
//! In this folder `index` is the index of a modifier in [`Plan::modifiers`], and `solver_index` is
//! its index in the solver's rig, which has only the modifiers that can be solved.

use tendon_solver::Heading;
use tendon_solver::glam::Affine2;
use tendon_solver::math::interval::clamp01;

use crate::engine::load_ahead::load_some;
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

    /// Reads one modifier with everything that it refers to. Returns whether that changes the
    /// solver's input.
    fn gather_modifier(&mut self, index: usize, from_global: Affine2) -> Result<bool, Stale> {
        let planned = &mut self.modifiers[index];
        let read = |node: &dyn Modifier| (node.references().ids(), Settings::of(node));
        let (ids, settings) = planned.node.read(read).ok_or(Stale)?;
        if ids != planned.ids {
            return Err(Stale);
        }
        load_some();
        let mut changes = self.gather_effectors(index, from_global)?;
        let Ok(solvable) = &self.modifiers[index].solvable else {
            return Ok(changes);
        };
        let solver_index = solvable.solver_index;
        changes |= self.gather_ends(index, from_global)?;
        changes |= self.gather_settings(index, solver_index, settings);
        load_some();
        changes |= self.gather_path(index, from_global)?;
        changes |= self.gather_mapping(index, from_global)?;
        Ok(changes | self.gather_obstacles(index, solver_index, from_global)?)
    }

    /// Reads the tip, the target and the pole of a modifier. Returns whether that changes the
    /// solver's input.
    fn gather_ends(&mut self, index: usize, from_global: Affine2) -> Result<bool, Stale> {
        let Ok(solvable) = &self.modifiers[index].solvable else {
            return Ok(false);
        };
        let target = self.locate_target(&solvable.ends, solvable.solver_index, from_global)?;
        let (target, direction) = target.unzip();
        let aligned = solvable.aligned.zip(direction);
        let heading = aligned.map(|(bone, direction)| Heading { bone, direction });
        let pole = self.locate_pole(solvable, from_global)?;
        let tip = self.locate_tip(&solvable.ends)?;
        let tip_bone = solvable.ends.tip_bone();
        let modifier = &mut self.rig.modifiers[solvable.solver_index];
        // A tip without a target is free.
        modifier.weight = if target.is_some() { 1.0 } else { 0.0 };
        modifier.tip_bone = tip_bone;
        let mut changes = set(&mut modifier.target, target.unwrap_or_default());
        changes |= set(&mut modifier.heading, heading);
        changes |= set(&mut modifier.pole, pole);
        changes |= set(&mut modifier.tip, tip);
        Ok(changes)
    }

    /// Takes over the settings of a modifier. Returns whether that changes the solver's input.
    fn gather_settings(&mut self, index: usize, solver_index: usize, settings: Settings) -> bool {
        let script = &self.modifiers[index].script;
        let runs = script.as_ref().is_none_or(|script| script.runs);
        let influence = clamp01(settings.influence) * clamp01(self.influence);
        let modifier = &mut self.rig.modifiers[solver_index];
        let mut changes = set(&mut modifier.active, settings.active && runs);
        changes |= set(&mut modifier.influence, influence);
        changes |= set(&mut modifier.solver, settings.solver.solver);
        changes |= set(&mut modifier.softness, settings.solver.softness);
        changes |= set(&mut modifier.stretch, settings.solver.stretch);
        changes |= set(&mut modifier.deterministic, settings.solver.deterministic);
        changes
    }
}

//! One pass over a skeleton: gather, solve, scatter.
//!
//! *Gather* reads every bone of the plan and every target once. *Solve* runs on that plain
//! data, without an engine call ([`tendon_solver::Rig`]). *Scatter* writes each bone whose
//! rotation or position has changed, once. Nothing global is read between writes, which would
//! make the engine compute every transform anew for each.
//!
//! Any engine call may run a user's script, which may free what the plan names. Every node
//! is therefore checked before each use; one that is gone makes the plan stale.

mod capture;

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::heading::{Direction, Heading};
use tendon_solver::{Bone, Point};

use crate::base_pose::covered::anchor;
use crate::engine::live::{Alive, Live};
use crate::engine::space::{frame_of, to_godot, to_solver};
use crate::nodes::effector::Branch;
use crate::nodes::modifier::{Change, PassResult, Request};
use crate::plan::carried::Carried;
use crate::plan::{Aim, Ends, ModifierNode, Plan, PlannedBone, Seen, TipSource, Wired};

/// The plan no longer describes the tree; a new one is needed.
pub(crate) struct Stale;

/// Whether anything that a pass depends on is other than in the pass before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    /// Nothing is: the bones hold the solution already.
    Nothing,
    Something,
}

impl Plan {
    /// Gathers, and unless nothing has changed since the last pass, solves, scatters and
    /// publishes. Returns the modifiers whose status has changed.
    ///
    /// # Errors
    /// [`Stale`] when a node is gone, or no longer where the plan has it.
    pub(crate) fn run(
        &mut self,
        influence: f32,
        changes: &mut Vec<(ModifierNode, Change)>,
    ) -> Result<(), Stale> {
        match self.gather(influence) {
            Ok(News::Nothing) => Ok(()),
            Ok(News::Something) => {
                self.take_starts();
                self.rig.solve();
                self.solved_in = self.to_global;
                self.scatter();
                self.publish(changes);
                Ok(())
            }
            Err(stale) => {
                // What was read before the plan proved stale counts as news the next time.
                self.to_global = None;
                self.solved_in = None;
                Err(stale)
            }
        }
    }

    /// Gathers, and takes the base pose for the solution: what the editor shows of a rig that does
    /// not move the bones.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub(crate) fn survey(&mut self, influence: f32) -> Result<(), Stale> {
        if let Err(stale) = self.gather(influence) {
            self.to_global = None;
            return Err(stale);
        }
        self.rig.take_base_pose();
        // All of it is news to the next pass that solves.
        self.influence = f32::NAN;
        Ok(())
    }

    /// Reads bones, settings, tips and targets. `influence` is the rig's own.
    fn gather(&mut self, influence: f32) -> Result<News, Stale> {
        let skeleton = self.skeleton.alive().ok_or(Stale)?;
        let to_global = skeleton.global_transform();
        let mut news = self.to_global.replace(to_global) != Some(to_global);
        news |= std::mem::replace(&mut self.influence, influence).to_bits() != influence.to_bits();
        for (bone, planned) in self.rig.bones.iter_mut().zip(&mut self.bones) {
            let node = planned.node.alive().ok_or(Stale)?;
            if self.in_editor && planned.is_top_level != planned.node.gd().is_set_as_top_level() {
                return Err(Stale);
            }
            let transform = node.transform();
            match planned.seen {
                Seen::Exactly(before) if before == transform => continue,
                Seen::Written(frame) if is_close(transform, frame) => {
                    planned.seen = Seen::Exactly(transform);
                }
                _ => {
                    planned.seen = Seen::Exactly(transform);
                    let known = *bone;
                    read_bone(bone, &node);
                    planned.present = bone.rotation;
                    planned.place = bone.position;
                    bone.rotation = planned.base_pose.base_of(bone);
                    bone.position = planned.base_pose.base_position_of(bone);
                    if self.in_editor && planned.is_known {
                        anchor(bone, &known);
                    }
                    planned.is_known = true;
                    news = true;
                }
            }
        }
        for limit in &mut self.limits {
            news |= limit.gather(&mut self.rig.bones);
        }
        let from_global = frame_of(to_global).inverse();
        for index in 0..self.slots.len() {
            news |= self.gather_slot(index, from_global)?;
        }
        Ok(if news { News::Something } else { News::Nothing })
    }

    /// Reads what one modifier asks for. Returns whether that is news.
    fn gather_slot(&mut self, index: usize, from_global: Affine2) -> Result<bool, Stale> {
        let slot = &mut self.slots[index];
        slot.node.alive().ok_or(Stale)?;
        let Request { print, settings } = (slot.read)();
        if print != slot.print {
            return Err(Stale);
        }
        let mut news = set(&mut slot.settings, settings);
        let settings = slot.settings;
        news |= self.gather_branches(index, from_global)?;
        let slot = &self.slots[index];
        let Ok(wired) = &slot.wired else {
            return Ok(news);
        };
        let aim = self.locate_target(&wired.ends, wired.index, from_global)?;
        let (target, direction) = aim.unzip();
        let headed = wired.headed.zip(direction);
        let heading = headed.map(|(bone, direction)| Heading { bone, direction });
        let pole = self.locate_pole(wired, from_global)?;
        let tip = self.locate_tip(&wired.ends)?;
        let tip_bone = wired.ends.tip_bone();
        let modifier = &mut self.rig.modifiers[wired.index];
        // A tip without a target is free.
        modifier.weight = if target.is_some() { 1.0 } else { 0.0 };
        news |= set(&mut modifier.target, target.unwrap_or_default());
        news |= set(&mut modifier.heading, heading);
        news |= set(&mut modifier.pole, pole);
        news |= set(&mut modifier.tip, tip);
        modifier.tip_bone = tip_bone;
        modifier.active = settings.active;
        modifier.influence = share(settings.influence) * share(self.influence);
        modifier.solver = settings.solver;
        modifier.softness = settings.softness;
        modifier.stretch = settings.stretch;
        Ok(news | self.gather_obstacles(index, from_global)?)
    }

    /// Has the modifiers that continue from their last solution start there. Not while gathering:
    /// if nothing is new, the rig stays as it was solved.
    fn take_starts(&mut self) {
        for slot in &self.slots {
            if let Ok(wired) = &slot.wired {
                let modifier = &mut self.rig.modifiers[wired.index];
                modifier.start.clear();
                if !slot.settings.from_base_pose {
                    modifier.start.extend_from_slice(&modifier.solved);
                }
            }
        }
    }

    /// The origin and the X axis of the target that the modifier `index` of the rig brings a tip
    /// to, if it has one.
    pub(crate) fn locate_target(
        &self,
        ends: &Ends,
        index: usize,
        from_global: Affine2,
    ) -> Result<Option<(Point, Direction)>, Stale> {
        let Some(target) = &ends.target else {
            return Ok(None);
        };
        if !target.node.alive().ok_or(Stale)?.is_inside_tree() {
            return Err(Stale);
        }
        Ok(Some(self.locate(target, index, from_global)?))
    }

    /// The pole, if there is one in the tree.
    fn locate_pole(&self, wired: &Wired, from_global: Affine2) -> Result<Option<Point>, Stale> {
        let Some(pole) = &wired.pole else {
            return Ok(None);
        };
        if !pole.node.alive().ok_or(Stale)?.is_inside_tree() {
            return Ok(None);
        }
        let (point, _) = self.locate(pole, wired.index, from_global)?;
        Ok(Some(point))
    }

    /// Where a node is that the modifier `index` refers to but must not move, by its origin and
    /// its X axis.
    fn locate(
        &self,
        aim: &Aim,
        index: usize,
        from_global: Affine2,
    ) -> Result<(Point, Direction), Stale> {
        let node = &aim.node;
        let alive = node.alive().ok_or(Stale)?;
        let skeleton = self.skeleton.alive().ok_or(Stale)?;
        if skeleton.is_ancestor_of(&alive) {
            let carried = Carried::find(node.gd(), self.skeleton.gd());
            if carried.frame.is_some() && !self.is_loose(&carried) {
                let root = self.rig.modifiers[index].joints.first().copied();
                let seat = self.seat(&carried, root).ok_or(Stale)?;
                let bone = seat.0.bone;
                let is_own = bone.is_some() && self.rig.carries(root, bone);
                return if is_own { Err(Stale) } else { Ok(seat) };
            }
        }
        let mut frame = frame_of(alive.global_transform());
        if aim.is_on_other_canvas {
            let seen = |node: &Gd<Node2D>| frame_of(node.get_canvas_transform());
            frame = seen(&self.skeleton.gd().clone().upcast()).inverse() * seen(node.gd()) * frame;
        }
        let frame = from_global * frame;
        let point = Point {
            bone: None,
            position: frame.translation,
        };
        let direction = Direction {
            bone: None,
            vector: frame.matrix2.x_axis,
        };
        Ok((point, direction))
    }

    /// Whether a top-level bone carries it: the engine knows where that is.
    fn is_loose(&self, carried: &Carried) -> bool {
        let bone = carried.bone.as_ref();
        let bone = bone.and_then(|bone| self.index_of(bone.instance_id()));
        let mut line = std::iter::successors(bone, |&bone| self.rig.bones[bone].parent);
        line.any(|bone| self.bones[bone].is_top_level)
    }

    /// The same of a node that the skeleton carries, for a modifier on whose joint `joint` it
    /// does not hang. `None` if a bone carries it that the plan does not know.
    fn seat(&self, carried: &Carried, joint: Option<usize>) -> Option<(Point, Direction)> {
        let carrier = match &carried.bone {
            Some(bone) => Some(self.index_of(bone.instance_id())?),
            None => None,
        };
        // A bone of the plan is where the working pose has it: its node may hold what the rig
        // wrote. Only the joint itself counts as it was given.
        let (bone, position, vector) = match carried.own.and_then(|own| self.index_of(own)) {
            Some(own) if Some(own) == joint => {
                let given = &self.rig.bones[own];
                let axis = Vec2::from_angle(given.rotation) * given.scale.x;
                (carrier, given.position, axis)
            }
            Some(own) => (Some(own), Vec2::ZERO, Vec2::X),
            None => {
                let frame = frame_of(carried.frame?);
                (carrier, frame.translation, frame.matrix2.x_axis)
            }
        };
        Some((Point { bone, position }, Direction { bone, vector }))
    }

    pub(crate) fn locate_tip(&self, ends: &Ends) -> Result<Point, Stale> {
        let last = Some(ends.last);
        let ends_at_child = |bone: &Live<Bone2D>| {
            let bone = bone.alive().ok_or(Stale)?;
            Ok(bone.has_automatic_length())
        };
        let position = match &ends.tip {
            TipSource::Node(node) => {
                node.alive().ok_or(Stale)?;
                let carried = Carried::find(node.gd(), self.skeleton.gd());
                let (point, _) = self.seat(&carried, last).ok_or(Stale)?;
                let below = point.bone.is_some() && self.rig.carries(last, point.bone);
                return below.then_some(point).ok_or(Stale);
            }
            TipSource::Bone { index, above } => {
                if let Some(above) = above
                    && !ends_at_child(above)?
                {
                    return Err(Stale);
                }
                let bone = Some(*index);
                return Ok(Point {
                    bone,
                    ..Point::default()
                });
            }
            TipSource::Child { child, above } => {
                if !ends_at_child(above)? {
                    return Err(Stale);
                }
                child.alive().ok_or(Stale)?.position()
            }
            TipSource::Axis { bone, has_child } => {
                if *has_child && ends_at_child(bone)? {
                    return Err(Stale);
                }
                let bone = bone.alive().ok_or(Stale)?;
                Vector2::from_angle(bone.bone_angle()) * bone.length()
            }
        };
        Ok(Point {
            bone: last,
            position: to_solver(position),
        })
    }

    /// Writes the rotations and positions that have changed.
    fn scatter(&mut self) {
        for (index, planned) in self.bones.iter_mut().enumerate() {
            let rotation = self.rig.rotation(index);
            let position = self.rig.position(index);
            let turns = rotation.to_bits() != planned.present.to_bits();
            let moves = bits(position) != bits(planned.place);
            if !turns && !moves {
                continue;
            }
            let bone = &self.rig.bones[index];
            planned.seen = Seen::Written(self.rig.local_frame(index));
            if turns && let Some(node) = planned.node.alive() {
                planned.base_pose.wrote(bone.rotation, rotation, bone);
                planned.present = rotation;
                node.turn(rotation);
            }
            if moves && let Some(node) = planned.node.alive() {
                planned.base_pose.moved(bone.position, position);
                planned.place = position;
                node.shift(to_godot(position));
            }
        }
    }

    /// Hands each modifier its report. Returns the modifiers whose status has changed.
    fn publish(&mut self, changes: &mut Vec<(ModifierNode, Change)>) {
        let to_global = self.to_global.map_or(Affine2::IDENTITY, frame_of);
        for slot in &self.slots {
            let change = PassResult::update(&slot.result, |result| match &slot.wired {
                Ok(wired) => {
                    let mut report = self.rig.modifiers[wired.index].report;
                    if wired.ends.target.is_none() {
                        report.distance = f32::INFINITY;
                    }
                    result.publish(&report, to_godot(to_global.transform_point2(report.tip)))
                }
                Err(_) => result.go_idle(),
            });
            self.publish_branches(slot, to_global);
            if let Some(change) = change
                && slot.node.alive().is_some()
            {
                changes.push((slot.modifier.clone(), change));
            }
        }
    }

    /// Tells every modifier that nothing is being solved.
    pub(crate) fn rest(&mut self, changes: &mut Vec<(ModifierNode, Change)>) {
        self.to_global = None;
        for slot in &self.slots {
            let change = PassResult::update(&slot.result, PassResult::go_idle);
            slot.branches.iter().for_each(Branch::rest);
            if let Some(change) = change
                && slot.node.alive().is_some()
            {
                changes.push((slot.modifier.clone(), change));
            }
        }
    }

    /// Puts every base pose back that is still covered by a solved one.
    /// In the editor also what it has rewritten of the bones: to the last bit, for the scene may be
    /// saved.
    pub(crate) fn restore(&mut self) {
        let is_known = self.to_global.take().is_some();
        for (planned, known) in self.bones.iter_mut().zip(&self.rig.bones) {
            planned.restore();
            if self.in_editor && is_known {
                planned.straighten(known);
            }
        }
    }

    /// Takes over what `old` remembers of the bones and modifiers that both know, and puts the
    /// other bones' base poses back.
    pub(crate) fn succeed(&mut self, old: &mut Plan) {
        self.take_solutions(old);
        for (planned, known) in old.bones.iter_mut().zip(&old.rig.bones) {
            match self.index_of(planned.node.id()) {
                Some(index) => {
                    self.bones[index].base_pose = planned.base_pose;
                    self.bones[index].is_known = planned.is_known;
                    self.rig.bones[index] = Bone {
                        parent: self.rig.bones[index].parent,
                        limit: self.rig.bones[index].limit,
                        ..*known
                    };
                }
                None => planned.restore(),
            }
        }
    }
}

impl Plan {
    /// Takes over what the modifiers last solved, for those that continue from it. A joint that
    /// has joined them since is where it is.
    fn take_solutions(&mut self, old: &Plan) {
        for slot in &self.slots {
            let mut before = old.slots.iter();
            let before = before.find(|before| before.node.id() == slot.node.id());
            let before = before.and_then(|before| before.wired.as_ref().ok());
            let (Ok(wired), Some(before)) = (&slot.wired, before) else {
                continue;
            };
            let before = &old.rig.modifiers[before.index];
            if before.solved.is_empty() {
                continue;
            }
            let joints = &self.rig.modifiers[wired.index].joints;
            let solved = joints.iter().map(|&joint| {
                let node = &self.bones[joint].node;
                let index = old.index_of(node.id());
                let place = before.joints.iter().position(|&joint| Some(joint) == index);
                match place.and_then(|place| before.solved.get(place)) {
                    Some(&solved) => solved,
                    None => node.alive().map_or(0.0, |node| node.rotation()),
                }
            });
            self.rig.modifiers[wired.index].solved = solved.collect();
        }
    }
}

impl PlannedBone {
    /// The bone as it stands.
    pub(crate) fn read(&self) -> Option<Bone> {
        let node = self.node.alive()?;
        let mut bone = Bone::below(None);
        read_bone(&mut bone, &node);
        Some(bone)
    }

    fn restore(&mut self) {
        self.seen = Seen::Never;
        let Some(bone) = self.read() else {
            return;
        };
        let base_position = self.base_pose.release_position(&bone);
        if let Some(base) = self.base_pose.release(&bone)
            && let Some(node) = self.node.alive()
        {
            node.turn(base);
        }
        if let Some(base) = base_position
            && let Some(node) = self.node.alive()
        {
            node.shift(to_godot(base));
        }
    }
}

/// What tells two positions apart, whatever they are.
pub(crate) fn bits(position: Vec2) -> [u32; 2] {
    position.to_array().map(f32::to_bits)
}

/// Whether `transform` is `frame`, as nearly as two ways to compute it from the same rotation
/// come out. Less is no new base either: see [`crate::base_pose::memory`].
fn is_close(transform: Transform2D, frame: Affine2) -> bool {
    let read = frame_of(transform);
    let near = |read: Vec2, written: Vec2| {
        (read - written).length_squared() <= CLOSE * CLOSE * written.length_squared()
    };
    read.translation == frame.translation
        && near(read.matrix2.x_axis, frame.matrix2.x_axis)
        && near(read.matrix2.y_axis, frame.matrix2.y_axis)
}

/// Relative difference of two columns that counts as none: the rounding of rotations up to a
/// few whole turns.
pub(crate) const CLOSE: f32 = 1e-6;

/// Reads a bone's local transform by its parts: recovering them from the matrix would change
/// their last bits from pass to pass.
fn read_bone(bone: &mut Bone, node: &Alive<'_, Bone2D>) {
    bone.position = to_solver(node.position());
    bone.rotation = node.rotation();
    bone.scale = to_solver(node.scale());
    bone.skew = node.skew();
}

/// A weight between 0 and 1, whatever a script has set.
pub(crate) fn share(influence: f32) -> f32 {
    // NaN fails the comparison and becomes 0.
    if influence > 0.0 {
        influence.min(1.0)
    } else {
        0.0
    }
}

/// Makes `place` hold `value`. Returns whether that changes it. What is equal stays as it was, to
/// the sign of its zeros, and so as it was solved.
pub(crate) fn set<T: PartialEq>(place: &mut T, value: T) -> bool {
    let is_news = *place != value;
    if is_news {
        *place = value;
    }
    is_news
}

/// The same with the item at `index` of `list`, which ends there or later.
pub(crate) fn put<T: PartialEq>(list: &mut Vec<T>, index: usize, item: T) -> bool {
    if let Some(present) = list.get_mut(index) {
        return set(present, item);
    }
    list.push(item);
    true
}

/// The skeleton that a rig acts on: its parent.
pub(crate) fn skeleton_of(rig: &Gd<Node>) -> Option<Gd<Skeleton2D>> {
    rig.get_parent()?.try_cast::<Skeleton2D>().ok()
}

//! One bone of a rig, with its base pose. Whether an animation or the rig has moved it is decided in
//! [`written_pose`].
//!
//! Saving rewrites the transform of every bone, which changes last bits, also of scale and skew. In
//! the editor a bone that differs by no more than that counts as unchanged. Before a scene is saved,
//! [`TrackedBone::restore_last_bits`] undoes even these differences: a scene that nobody changed is
//! saved as it was, byte for byte.

use std::cell::RefCell;
use std::rc::Weak;

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{Bone, Rig};

use crate::base_pose::bone_pose::{BonePose, NUMBERS};
use crate::base_pose::written_pose::{self, WrittenPose};
use crate::engine::frame_calls::{ExitHook, Live};
use crate::engine::space::{frame_of, to_godot, to_solver, to_transform, true_scale};

/// A bone that the rig reads and may write.
pub struct TrackedBone {
    node: Live<Bone2D>,
    /// Borrowed for as long as nothing runs scripts: a bone may leave the tree in any script, also while a
    /// pass writes it, and then gets its base pose back at once.
    memory: RefCell<BoneMemory>,
    /// `true` if the bone is top-level, and so does not move with the bones above it.
    is_top_level: bool,
}

/// A rig's memory of a bone.
struct BoneMemory {
    written: WrittenPose,
    /// The pose that the node held when it was last read or written.
    held: BonePose,
    /// The node's local transform when it was last read or written. As long as it has that, nobody
    /// else has moved the bone.
    seen: Transform2D,
    access: Access,
    /// `true` if a pass has read the bone.
    is_known: bool,
}

/// The last access of a rig to the transform of a bone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Never,
    /// Read, and so the same to the last bit.
    Read,
    /// Written by its rotation, position or scale: the engine computes the matrix, with its own
    /// rounding.
    Written,
}

impl TrackedBone {
    pub(super) fn new(node: Gd<Bone2D>) -> Self {
        let is_top_level = node.is_set_as_top_level();
        Self {
            node: Live::new(node),
            memory: RefCell::new(BoneMemory {
                written: WrittenPose::default(),
                held: BonePose {
                    rotation: 0.0,
                    position: Vec2::ZERO,
                    scale: Vec2::ONE,
                },
                seen: Transform2D::IDENTITY,
                access: Access::Never,
                is_known: false,
            }),
            is_top_level,
        }
    }

    /// The node's id, whether it is alive or not.
    pub fn id(&self) -> InstanceId {
        self.node.id()
    }

    /// The node, unless it was freed.
    pub fn node(&self) -> Option<&Gd<Bone2D>> {
        self.node.alive()
    }

    /// Returns `true` if it was top-level when the plan was made.
    pub(crate) fn is_top_level(&self) -> bool {
        self.is_top_level
    }

    /// Returns `true` if it was made top-level since, or no longer is.
    pub(crate) fn has_changed_level(&self) -> bool {
        let is_top_level = self.node.is_set_as_top_level();
        is_top_level.is_some_and(|is_top_level| is_top_level != self.is_top_level)
    }

    pub(super) fn is_known(&self) -> bool {
        self.memory.borrow().is_known
    }

    pub(super) fn set_known(&self) {
        self.memory.borrow_mut().is_known = true;
    }

    /// Reads the base pose into `bone`, which holds the result of the last read. Returns whether
    /// somebody has moved the bone since; `None` if it was freed, or in the editor made top-level or
    /// no longer so.
    pub(super) fn read(&self, bone: &mut Bone, in_editor: bool) -> Option<bool> {
        if in_editor && self.has_changed_level() {
            return None;
        }
        let transform = self.node.get_transform()?;
        let memory = &mut *self.memory.borrow_mut();
        let is_unchanged = match memory.access {
            Access::Read if frame_of(memory.seen) == frame_of(transform) => return Some(false),
            Access::Never | Access::Read => false,
            Access::Written => is_close(transform, memory.seen),
        };
        (memory.seen, memory.access) = (transform, Access::Read);
        if is_unchanged {
            return Some(false);
        }
        let known = *bone;
        memory.held = self.read_held()?;
        bone.skew = self.node.get_skew()?;
        memory.written.base(&memory.held).set_in(bone);
        bone.scale = true_scale(bone.scale);
        if in_editor && memory.is_known {
            keep_last_bits(bone, &known);
        }
        memory.is_known = true;
        Some(true)
    }

    /// Writes the solved rotation, position and scale of the bone `index` of `rig`, each only if the
    /// node holds another value.
    pub(crate) fn write(&self, rig: &Rig, index: usize) {
        let base = &rig.bones[index];
        let solved = BonePose {
            rotation: rig.rotation(index),
            position: rig.position(index),
            scale: rig.scale(index),
        };
        let mut memory = self.memory.borrow_mut();
        let turns = solved.rotation.to_bits() != memory.held.rotation.to_bits();
        let moves = bits(solved.position) != bits(memory.held.position);
        // A scale that no modifier writes is left as the node holds it, to the last bit.
        let is_scaled = bits(solved.scale) != bits(base.scale) || memory.written.has_scaled();
        let resizes = is_scaled && bits(solved.scale) != bits(memory.held.scale);
        if !turns && !moves && !resizes {
            return;
        }
        memory.seen = to_transform(rig.local_frame(index));
        memory.access = Access::Written;
        if turns {
            memory.written.wrote_rotation(base.rotation, &solved);
            memory.held.rotation = solved.rotation;
        }
        if moves {
            let (base, solved) = (base.position, solved.position);
            memory.written.wrote_position(base, solved);
            memory.held.position = solved;
        }
        if resizes {
            memory.written.wrote_scale(base.scale, solved.scale);
            memory.held.scale = solved.scale;
        }
        drop(memory);
        if turns {
            self.node.set_rotation(solved.rotation);
        }
        if moves {
            self.node.set_position(to_godot(solved.position));
        }
        if resizes {
            self.node.set_scale(to_godot(solved.scale));
        }
    }

    /// Gives the node what is another in `pose` than in `held`, which it holds.
    fn set(&self, held: &BonePose, pose: &BonePose) {
        if pose.rotation.to_bits() != held.rotation.to_bits() {
            self.node.set_rotation(pose.rotation);
        }
        if bits(pose.position) != bits(held.position) {
            self.node.set_position(to_godot(pose.position));
        }
        if bits(pose.scale) != bits(held.scale) {
            self.node.set_scale(to_godot(pose.scale));
        }
    }

    /// Makes what the node holds the base pose.
    pub(super) fn keep(&self) {
        let mut memory = self.memory.borrow_mut();
        memory.written = WrittenPose::default();
        memory.access = Access::Never;
    }

    /// Restores the base pose, if the node holds what the rig wrote.
    pub(super) fn restore(&self) {
        self.memory.borrow_mut().access = Access::Never;
        if let Some(held) = self.read_held() {
            let base = self.memory.borrow_mut().written.release(&held);
            self.set(&held, &base);
        }
    }

    /// The same for a bone that is about to leave the tree. The engine tells the bone nothing of it: a script
    /// could do what it must not do now, and the engine would put the bone on a list of those that are to be
    /// told where they are, on which it could be freed on another thread.
    pub(super) fn restore_leaving(&self) {
        let Some(mut node) = self.node().cloned() else {
            return;
        };
        let is_told = node.is_transform_notification_enabled();
        let is_told_of_own = node.is_local_transform_notification_enabled();
        node.set_notify_transform(false);
        node.set_notify_local_transform(false);
        self.restore();
        node.set_notify_local_transform(is_told_of_own);
        node.set_notify_transform(is_told);
    }

    /// Tells `hook` before the bone leaves the tree.
    pub(super) fn before_leaving(&self, hook: Weak<dyn ExitHook>) {
        self.node.before_leaving(hook);
    }

    /// Restores the last bits of rotation, scale and skew that the engine has changed by rewriting
    /// the transform. `known` is what they were.
    pub(super) fn restore_last_bits(&self, known: &Bone) {
        let Some((held, skew)) = self.read_held().zip(self.node.get_skew()) else {
            return;
        };
        let mut bone = Bone { skew, ..*known };
        held.set_in(&mut bone);
        keep_last_bits(&mut bone, known);
        self.set(&held, &BonePose::of(&bone));
        if bone.skew.to_bits() != skew.to_bits()
            && let Some(node) = self.node()
        {
            node.clone().set_skew(bone.skew);
        }
    }

    /// Treats what the node holds now as written by the rig, with `base` as the base pose.
    pub(super) fn claim(&self, base: BonePose) {
        if let Some(held) = self.read_held() {
            let memory = &mut *self.memory.borrow_mut();
            memory.written.claim(base, &held);
            memory.access = Access::Never;
        }
    }

    /// Treats `held` as written by the rig, with `base` as the base pose: the node is a copy of a bone
    /// that held it. Each of rotation, position and scale counts that the node still has: nobody has set it
    /// since.
    pub(super) fn claim_copy(&self, held: BonePose, base: BonePose) {
        if let Some(own) = self.read_held() {
            let memory = &mut *self.memory.borrow_mut();
            memory.written.claim(base.where_kept(&held, &own), &own);
            memory.access = Access::Never;
        }
    }

    /// The pose that the node holds, and what is remembered of it, bit by bit. `None` if it was freed.
    pub(super) fn save(&self) -> Option<[u32; SAVED]> {
        let held = self.read_held()?.to_numbers();
        let mut words = [0; SAVED];
        words[..NUMBERS].copy_from_slice(&held.map(f32::to_bits));
        words[NUMBERS..].copy_from_slice(&self.memory.borrow().written.save());
        Some(words)
    }

    /// Returns `true` if [`save`](Self::save) could have written these words.
    pub(super) fn could_save(words: &[u32; SAVED]) -> bool {
        let (held, written) = words.split_at(NUMBERS);
        let mut held = held.iter().map(|&word| f32::from_bits(word));
        let written = written.first_chunk();
        held.all(f32::is_finite) && written.is_some_and(WrittenPose::could_save)
    }

    /// Gives the node what it held, and remembers what was remembered, when `words` were saved. If the rig
    /// does not show what it solves, the node gets the base pose that it had.
    pub(super) fn load(&self, words: [u32; SAVED], shows: bool) {
        let [rotation, x, y, width, height, written @ ..] = words;
        let saved = [rotation, x, y, width, height].map(f32::from_bits);
        let mut pose = BonePose::from_numbers(saved);
        let mut memory = self.memory.borrow_mut();
        memory.written = WrittenPose::load(written);
        memory.access = Access::Never;
        if !shows {
            pose = memory.written.base(&pose);
            memory.written = WrittenPose::default();
        }
        drop(memory);
        if let Some(held) = self.read_held() {
            self.set(&held, &pose);
        }
    }

    /// Takes over what `other`, which is for the same node, remembers.
    pub(super) fn take_over(&self, other: &Self) {
        let (mut memory, other) = (self.memory.borrow_mut(), other.memory.borrow());
        memory.written = other.written.clone();
        memory.is_known = other.is_known;
    }

    /// The pose that the node holds, and its base pose. `None` if it was freed.
    pub(crate) fn poses(&self) -> Option<(BonePose, BonePose)> {
        let held = self.read_held()?;
        let mut written = self.memory.borrow().written.clone();
        Some((held, written.base(&held)))
    }

    /// The pose that the node holds now. Computing it from the matrix would change its last bits from pass to
    /// pass. `None` if it was freed.
    fn read_held(&self) -> Option<BonePose> {
        Some(BonePose {
            rotation: self.node.get_rotation()?,
            position: to_solver(self.node.get_position()?),
            scale: to_solver(self.node.get_scale()?),
        })
    }
}

/// The count of the words that a bone is saved as.
pub(super) const SAVED: usize = NUMBERS + written_pose::SAVED;

/// Gives `bone` the rotation, scale and skew of `known` where they differ by no more than the
/// engine's rewriting. In the editor every saving rewrites them, and they would drift otherwise.
fn keep_last_bits(bone: &mut Bone, known: &Bone) {
    if shortest_way(known.rotation, bone.rotation).abs() <= ROUNDING {
        bone.rotation = known.rotation;
    }
    let rounding = ROUNDING * known.scale.abs().max_element();
    if bone.scale.abs_diff_eq(known.scale, rounding) {
        bone.scale = known.scale;
    }
    // The engine computes a skew from a cosine.
    if (bone.skew - known.skew).abs() <= SKEW_ROUNDING {
        bone.skew = known.skew;
    }
}

/// Returns `true` if `transform` is `written`, as nearly as two ways to compute it from the same rotation
/// agree. A smaller difference is not a new base either: see [`crate::base_pose::written_pose`].
fn is_close(transform: Transform2D, written: Transform2D) -> bool {
    let (read, frame) = (frame_of(transform), frame_of(written));
    let near = |read: Vec2, written: Vec2| {
        (read - written).length_squared() <= ROUNDING * ROUNDING * written.length_squared()
    };
    read.translation == frame.translation
        && near(read.matrix2.x_axis, frame.matrix2.x_axis)
        && near(read.matrix2.y_axis, frame.matrix2.y_axis)
}

/// Compares vectors bit by bit, whatever they hold.
fn bits(vector: Vec2) -> [u32; 2] {
    vector.to_array().map(f32::to_bits)
}

/// The largest relative difference that counts as rounding: for rotations up to a few whole turns.
const ROUNDING: f32 = 1e-6;

/// The largest difference between skews, in radians, that counts as rounding.
const SKEW_ROUNDING: f32 = 1e-3;

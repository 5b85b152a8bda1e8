//! `TendonPoseLibrary`: named poses, as a resource.

pub mod deviation;
pub mod held_nodes;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use godot::classes::{Bone2D, IResource, Resource, Skeleton2D, Texture2D};
use godot::prelude::*;
use godot::register::property::PhantomVar;

use self::deviation::{Deviation, named_bones};
use self::held_nodes::{Flip, Placement, held_nodes};
use crate::engine::optional::BoneList;
use crate::engine::skeleton::has_rest;
use crate::engine::threads::is_main_thread;
use crate::engine::unusable::{not_finite, null};
use crate::nodes::rig::skeleton::restore_base_pose;

/// A library of named poses for characters whose bones have the same names.
///
/// Use it for expressions, hands and key poses that come again: store them once, and apply them in the editor
/// with a click, or from a script while the game runs. Make one in the dock **Poses**, which the button
/// **Poses** in the toolbar of the 2D editor opens, or as any other resource. It is saved as a `.tres` file.
///
/// A pose has the rotation, position, scale and skew of bones, by their names and relative to their rest pose.
/// So it also fits a character whose bones have other lengths or rest angles. Bones that a character lacks are
/// ignored, and bones that the pose lacks stay as they are. If several bones of a skeleton have one name,
/// their paths from the skeleton count. Bones without a rest pose have no pose.
///
/// A pose also has the targets of the skeleton's rig, and the other nodes that its modifiers follow: where they
/// are in the skeleton, or in the bone that carries them, and the `flip_bend_direction` of limbs that follow them. So
/// a limb that a modifier turns comes back as well, with its elbow or knee on the same side. With a weight below
/// `0.5`, limbs still bend as before.
///
/// Poses are base poses: a [TendonRig2D] of the skeleton solves what was applied, like an animation.
///
/// ```gdscript
/// func brace() -> void:
///     var poses: TendonPoseLibrary = load("res://poses.tres")
///     poses.apply($Skeleton2D, "Brace")
/// ```
///
/// Tutorial: the chapter *Posing* of the manual, `addons/tendon/manual/posing.html`.
#[derive(GodotClass)]
#[class(tool, init, base = Resource)]
pub struct TendonPoseLibrary {
    /// The poses by their names. Each is a [Dictionary] with `bones` and, if it has one, `thumbnail`. `bones`
    /// has a [Dictionary] for each bone, by its name: `rotation` and `skew` in radians, `position` in pixels,
    /// and `scale` as a factor, all relative to the rest pose. What is missing there is as at rest. `targets`
    /// has `position` and `rotation` of nodes that modifiers follow, by their names, and `flip_bend_direction` where
    /// a limb follows that has it. Use the functions below to change it.
    #[export(storage)]
    #[var(get = get_poses, set = poses_setter)]
    poses: PhantomVar<VarDictionary>,
    /// The names of all poses, in the order in which they were added. It is saved because the text of a
    /// resource has the keys of a [Dictionary] by the alphabet.
    #[export(storage)]
    #[var(get = get_pose_list, set = pose_order_setter)]
    pose_order: PhantomVar<PackedStringArray>,
    /// Never changed, but replaced by another one: several threads may read it at the same time.
    current: Mutex<VarDictionary>,
    base: Base<Resource>,
}

#[godot_api]
impl IResource for TendonPoseLibrary {}

#[godot_api]
impl TendonPoseLibrary {
    /// Stores the base pose of all bones of [param skeleton], and where the targets of its rig are, under
    /// [param name]. A pose of this name is
    /// replaced, but keeps its thumbnail. Returns `true` if there are bones with a rest pose.
    #[func(gd_self)]
    fn store(this: Gd<Self>, skeleton: Option<Gd<Skeleton2D>>, name: StringName) -> bool {
        Self::store_some(&this, skeleton, &name, None)
    }

    /// The same for [param bones] only, and for the targets that they follow: of a hand, for example.
    #[func(gd_self)]
    pub fn store_bones(
        this: Gd<Self>,
        skeleton: Option<Gd<Skeleton2D>>,
        name: StringName,
        bones: BoneList,
    ) -> bool {
        let bones = bones
            .0
            .iter_shared()
            .map(|bone| bone.try_to::<Gd<Bone2D>>());
        match bones.collect::<Result<Vec<_>, _>>() {
            Ok(bones) => Self::store_some(&this, skeleton, &name, Some(&bones)),
            Err(_) => {
                refuse("store_bones", "one of the bones is no Bone2D, or freed.");
                false
            }
        }
    }

    /// Gives the bones of [param skeleton], and the targets of its rig, the pose called [param name]. [param
    /// weight] is how far: from
    /// `0.0`, the present base pose, to `1.0`, the default, the pose. Rotations take the shorter way. Applied
    /// again with a weight between these, it goes further. Returns `true` if the skeleton has one of the
    /// bones.
    ///
    /// To blend with an animation, call it in every frame after the animation, which gives the bones their
    /// pose again each time. To go from one pose to another while nothing else poses the bones, name the
    /// first one in [param from]: then [param weight] counts from that pose, and not from what the last call
    /// has left.
    ///
    /// ```gdscript
    /// func kick(poses: TendonPoseLibrary) -> void:
    ///     var step: Callable = func(weight: float) -> void:
    ///         poses.apply($Skeleton2D, "Kick", weight, "Stand")
    ///     create_tween().tween_method(step, 0.0, 1.0, 0.3)
    /// ```
    #[func(gd_self)]
    pub(crate) fn apply(
        this: Gd<Self>,
        skeleton: Option<Gd<Skeleton2D>>,
        name: StringName,
        #[opt(default = 1.0)] weight: f32,
        #[opt(default = &StringName::default())] from: StringName,
    ) -> bool {
        let Some(skeleton) = usable("apply", skeleton) else {
            return false;
        };
        if !weight.is_finite() {
            refuse("apply", &not_finite("the weight"));
            return false;
        }
        let Some(stored) = Self::stored_or_refuse(&this, &name) else {
            return false;
        };
        let mut begin = None;
        if !from.is_empty() {
            begin = Self::stored_or_refuse(&this, &from);
            if begin.is_none() {
                return false;
            }
        }
        restore_base_pose(&skeleton);
        if let Some(begin) = begin {
            begin.pose(&skeleton, 1.0);
        }
        skeleton.is_instance_valid() && stored.pose(&skeleton, weight.clamp(0.0, 1.0))
    }

    #[func]
    fn get_poses(&self) -> VarDictionary {
        self.poses()
    }

    // It borrows the library only as readers do: a thread would panic that borrows it otherwise meanwhile.
    #[func(gd_self)]
    fn set_poses(this: Gd<Self>, poses: VarDictionary) {
        let before = this.bind().replace(|_| Some(poses));
        drop(before);
    }

    /// Returns `true` if there is a pose called [param name].
    #[func]
    pub fn has_pose(&self, name: StringName) -> bool {
        self.pose(&name).is_some()
    }

    /// Returns the names of all poses, in the order in which they were added.
    #[func]
    pub fn get_pose_list(&self) -> PackedStringArray {
        let poses = self.poses();
        let names = poses.keys_shared().typed::<Variant>();
        names.map(|name| name.stringify()).collect()
    }

    #[func(gd_self)]
    fn set_pose_order(this: Gd<Self>, names: PackedStringArray) {
        let before = this.bind().replace(|poses| {
            let listed = names.as_slice().iter();
            let listed = listed.filter_map(|name| key_of(poses, &StringName::from(name)));
            let mut ordered = VarDictionary::new();
            for key in listed.chain(poses.keys_shared().typed::<Variant>()) {
                if !ordered.contains_key(&key)
                    && let Some(pose) = poses.get(&key)
                {
                    ordered.set(&key, &pose);
                }
            }
            Some(ordered)
        });
        drop(before);
    }

    /// Returns the names of the bones that the pose called [param name] has. Empty if there is no such pose.
    #[func]
    fn get_bone_list(&self, name: StringName) -> PackedStringArray {
        let bones = self.bones(&name).unwrap_or_default().into_iter();
        bones.map(|(bone, _)| GString::from(&bone)).collect()
    }

    /// Removes the pose called [param name]. Returns `true` if there was one.
    #[func(gd_self)]
    pub fn remove_pose(this: Gd<Self>, name: StringName) -> bool {
        Self::change(this, |poses| {
            let key = key_of(poses, &name)?;
            let mut poses = poses.duplicate_shallow();
            poses.remove(&key);
            Some(poses)
        })
    }

    /// Renames the pose called [param name]; it keeps its place. Returns `true` if there is one, and none
    /// called [param new_name].
    #[func(gd_self)]
    pub fn rename_pose(this: Gd<Self>, name: StringName, new_name: StringName) -> bool {
        Self::change(this, |poses| {
            let keys = [&name, &new_name].map(|name| key_of(poses, name));
            let [Some(key), None] = keys else {
                return None;
            };
            let mut renamed = VarDictionary::new();
            for (other, pose) in poses.iter_shared() {
                match other == key {
                    true => renamed.set(&new_name, &pose),
                    false => renamed.set(&other, &pose),
                };
            }
            Some(renamed)
        })
    }

    /// Returns the picture of the pose called [param name], if it has one.
    #[func]
    pub fn get_thumbnail(&self, name: StringName) -> Option<Gd<Texture2D>> {
        self.pose(&name)?.get("thumbnail")?.try_to().ok()
    }

    /// Gives the pose called [param name] a picture, or none. The dock **Poses** makes them by itself.
    #[func(gd_self)]
    pub fn set_thumbnail(this: Gd<Self>, name: StringName, thumbnail: Option<Gd<Texture2D>>) {
        let Some(mut pose) = this.bind().pose(&name) else {
            let reason = this.bind().names_instead_of(&name);
            refuse("set_thumbnail", &reason);
            return;
        };
        match thumbnail {
            Some(thumbnail) => pose.set("thumbnail", &thumbnail.to_variant()),
            None => _ = pose.remove("thumbnail"),
        }
        Self::set_pose(this, &name, &pose);
    }
}

impl TendonPoseLibrary {
    /// Stores the pose of `bones`, or of all.
    fn store_some(
        this: &Gd<Self>,
        skeleton: Option<Gd<Skeleton2D>>,
        name: &StringName,
        bones: Option<&[Gd<Bone2D>]>,
    ) -> bool {
        let Some(skeleton) = usable("store", skeleton) else {
            return false;
        };
        restore_base_pose(&skeleton);
        let mut stored = VarDictionary::new();
        for (bone, node) in named_bones(&skeleton) {
            let is_meant = bones.is_none_or(|bones| bones.contains(&node));
            let deviation = (has_rest(&node) && is_meant).then(|| Deviation::of(&node));
            if let Some(deviation) = deviation.filter(Deviation::is_finite) {
                stored.set(&bone.to_variant(), &deviation.to_dictionary().to_variant());
            }
        }
        if stored.is_empty() {
            refuse(
                "store",
                "none of the bones has a rest pose. Set one with Skeleton2D > Overwrite Rest Pose.",
            );
            return false;
        }
        let mut pose = this.bind().pose(name).unwrap_or_default();
        pose.set("bones", &stored.to_variant());
        let mut targets = VarDictionary::new();
        for held in held_nodes(&skeleton) {
            let is_meant = bones.is_none_or(|bones| bones.iter().any(|bone| held.moves(bone)));
            let placement = Placement::of(&held);
            if is_meant && placement.is_finite() {
                targets.set(
                    &held.name.to_variant(),
                    &placement.to_dictionary().to_variant(),
                );
            }
        }
        match targets.is_empty() {
            true => _ = pose.remove("targets"),
            false => pose.set("targets", &targets.to_variant()),
        }
        Self::set_pose(this.clone(), name, &pose);
        true
    }

    /// What a pose has under `key`, "bones" or "targets", by their names, as `read` understands it.
    fn listed<T>(
        &self,
        name: &StringName,
        key: &str,
        read: fn(&VarDictionary) -> Option<T>,
    ) -> Option<Vec<(String, T)>> {
        let listed = self.pose(name)?.get(key)?;
        let listed = listed.try_to::<VarDictionary>().ok()?;
        let listed = listed.iter_shared().filter_map(|(node, data)| {
            let data = data.try_to::<VarDictionary>().ok()?;
            Some((node.stringify().to_string(), read(&data)?))
        });
        Some(listed.collect())
    }

    /// The bones of a pose, by their names.
    fn bones(&self, name: &StringName) -> Option<Vec<(String, Deviation)>> {
        self.listed(name, "bones", |data| Some(Deviation::from_dictionary(data)))
    }

    /// The poses as they are now. Who wants others replaces them.
    fn poses(&self) -> VarDictionary {
        self.lock().clone()
    }

    /// The same of poses that others are told of. Returns whether there are others now.
    fn change(
        mut this: Gd<Self>,
        change: impl FnOnce(&VarDictionary) -> Option<VarDictionary>,
    ) -> bool {
        let before = this.bind().replace(change);
        let is_changed = before.is_some();
        drop(before);
        if is_changed {
            this.emit_changed();
        }
        is_changed
    }

    /// Has `replace` make other poses of the present ones, if it does. Returns what was replaced: to drop it may
    /// run scripts, which nobody may wait for.
    fn replace(
        &self,
        replace: impl FnOnce(&VarDictionary) -> Option<VarDictionary>,
    ) -> Option<VarDictionary> {
        let mut current = self.lock();
        let replaced = replace(&current)?;
        Some(std::mem::replace(&mut *current, replaced))
    }

    fn lock(&self) -> MutexGuard<'_, VarDictionary> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pose called `name`. If there is none, says so.
    fn stored_or_refuse(this: &Gd<Self>, name: &StringName) -> Option<StoredPose> {
        let stored = this.bind().stored(name);
        if stored.is_none() {
            let reason = this.bind().names_instead_of(name);
            refuse("apply", &reason);
        }
        stored
    }

    /// The pose called `name`.
    pub fn stored(&self, name: &StringName) -> Option<StoredPose> {
        let targets = self.listed(name, "targets", Placement::from_dictionary);
        Some(StoredPose {
            bones: self.bones(name)?.into_iter().collect(),
            targets: targets.into_iter().flatten().collect(),
        })
    }

    fn pose(&self, name: &StringName) -> Option<VarDictionary> {
        let poses = self.poses();
        let pose = poses.get(&key_of(&poses, name)?)?;
        let pose = pose.try_to::<VarDictionary>().ok()?;
        Some(pose.duplicate_shallow())
    }

    fn set_pose(this: Gd<Self>, name: &StringName, pose: &VarDictionary) {
        Self::change(this, |poses| {
            let key = key_of(poses, name).unwrap_or_else(|| name.to_variant());
            let mut poses = poses.duplicate_shallow();
            poses.set(&key, &pose.to_variant());
            Some(poses)
        });
    }

    /// The message for a `name` that no pose has.
    fn names_instead_of(&self, name: &StringName) -> String {
        let names = self.get_pose_list();
        let names = names.as_slice().iter().map(|name| format!("\"{name}\""));
        let names = names.collect::<Vec<_>>().join(", ");
        match names.is_empty() {
            true => format!("there is no pose \"{name}\": the library is empty."),
            false => format!("there is no pose \"{name}\". There are {names}."),
        }
    }
}

/// A pose of bones and targets, by their names.
pub struct StoredPose {
    /// The differences of the bones from their rest pose.
    pub bones: BTreeMap<String, Deviation>,
    /// The places of the targets.
    pub targets: BTreeMap<String, Placement>,
}

impl StoredPose {
    /// Gives the bones and targets of `skeleton` this pose, as far as `weight` says. Returns whether it has one of
    /// the bones. Setting a bone may run scripts, which may free others.
    fn pose(&self, skeleton: &Gd<Skeleton2D>, weight: f32) -> bool {
        let mut has_any = false;
        for (bone, node) in named_bones(skeleton) {
            if !node.is_instance_valid() || !has_rest(&node) {
                continue;
            }
            if let Some(pose) = self.bones.get(&bone) {
                has_any = true;
                if let Some(after) = pose.change(&node, weight) {
                    after.restore();
                }
            }
        }
        if skeleton.is_instance_valid() {
            self.place_targets(skeleton, weight);
        }
        has_any
    }

    /// Moves the targets of the rig of `skeleton`. Moving one may run scripts, which may free others.
    fn place_targets(&self, skeleton: &Gd<Skeleton2D>, weight: f32) {
        for held in held_nodes(skeleton) {
            if !held.node.is_instance_valid() || !held.frame.is_instance_valid() {
                continue;
            }
            let placement = self.targets.get(&held.name);
            if let Some(after) = placement.and_then(|it| it.change(&held, weight)) {
                after.restore();
            }
            let bends = placement.map_or(Vec::new(), |it| it.bends(&held, weight));
            bends.iter().for_each(Flip::restore);
        }
    }
}

/// The setters for gdext, which checks their types: the engine calls `set_poses` and `set_pose_order` instead. See
/// the one of `active` in `rig.rs`.
impl TendonPoseLibrary {
    fn poses_setter(&mut self, _poses: VarDictionary) {}
    fn pose_order_setter(&mut self, _names: PackedStringArray) {}
}

#[allow(
    non_upper_case_globals,
    reason = "gdext looks for the name of the accessor itself"
)]
impl __godot_TendonPoseLibrary_Funcs {
    const poses_setter: &str = "set_poses";
    const pose_order_setter: &str = "set_pose_order";
}

/// The key of a pose: names are equal as texts, whichever type a script has used.
fn key_of(poses: &VarDictionary, name: &StringName) -> Option<Variant> {
    let name = name.to_string();
    let mut keys = poses.keys_shared().typed::<Variant>();
    keys.find(|key| key.stringify().to_string() == name)
}

/// The skeleton, if `function` can be called for it.
fn usable(function: &str, skeleton: Option<Gd<Skeleton2D>>) -> Option<Gd<Skeleton2D>> {
    if !is_main_thread() {
        refuse(
            function,
            "skeletons belong to the main thread. Use call_deferred().",
        );
        return None;
    }
    let skeleton = skeleton.filter(Gd::is_instance_valid);
    if skeleton.is_none() {
        refuse(function, &null("the skeleton"));
    }
    skeleton
}

fn refuse(function: &str, reason: &str) {
    godot_error!("TendonPoseLibrary.{function}(): {reason}");
}

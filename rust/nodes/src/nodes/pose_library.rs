//! `TendonPoseLibrary`: named poses, as a resource.

pub mod deviation;

use godot::classes::{Bone2D, IResource, Resource, Skeleton2D, Texture2D};
use godot::prelude::*;

use self::deviation::{Deviation, named_bones};
use crate::engine::skeleton::has_rest;
use crate::engine::threads::is_main_thread;
use crate::nodes::rig::TendonRig2D;
use crate::nodes::rig::skeleton::rig_of;

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
    /// and `scale` as a factor, all relative to the rest pose. What is missing there is as at rest. Use the
    /// functions below to change it.
    #[export(storage)]
    poses: VarDictionary,
    base: Base<Resource>,
}

#[godot_api]
impl IResource for TendonPoseLibrary {}

#[godot_api]
impl TendonPoseLibrary {
    /// Stores the base pose of all bones of [param skeleton] under [param name]. A pose of this name is
    /// replaced, but keeps its thumbnail. Returns `true` if there are bones with a rest pose.
    #[func(gd_self)]
    fn store(this: Gd<Self>, skeleton: Option<Gd<Skeleton2D>>, name: StringName) -> bool {
        Self::store_if(&this, skeleton, &name, |_| true)
    }

    /// The same for [param bones] only: of a hand, for example.
    #[func(gd_self)]
    pub fn store_bones(
        this: Gd<Self>,
        skeleton: Option<Gd<Skeleton2D>>,
        name: StringName,
        bones: Array<Gd<Bone2D>>,
    ) -> bool {
        Self::store_if(&this, skeleton, &name, |bone| bones.contains(bone))
    }

    /// Gives the bones of [param skeleton] the pose called [param name]. [param weight] is how far: from
    /// `0.0`, the present base pose, to `1.0`, the default, the pose. Rotations take the shorter way. Applied
    /// again with a weight between these, it goes further. Returns `true` if the skeleton has one of the
    /// bones.
    ///
    /// To blend with an animation, call it in every frame after the animation, which gives the bones their
    /// pose again each time.
    #[func(gd_self)]
    pub(crate) fn apply(
        this: Gd<Self>,
        skeleton: Option<Gd<Skeleton2D>>,
        name: StringName,
        #[opt(default = 1.0)] weight: f32,
    ) -> bool {
        let Some(skeleton) = usable("apply", skeleton) else {
            return false;
        };
        if !weight.is_finite() {
            refuse("apply", "the weight is not a finite number.");
            return false;
        }
        let Some(poses) = this.bind().bones(&name) else {
            refuse("apply", &this.bind().names_instead_of(&name));
            return false;
        };
        restore_base_pose(&skeleton);
        let mut has_any = false;
        // Setting a bone may run scripts, which may free others.
        for (bone, node) in named_bones(&skeleton) {
            if !node.is_instance_valid() || !has_rest(&node) {
                continue;
            }
            if let Some((_, pose)) = poses.iter().find(|(name, _)| *name == bone) {
                has_any = true;
                if let Some(after) = pose.change(&node, weight.clamp(0.0, 1.0)) {
                    after.restore();
                }
            }
        }
        has_any
    }

    /// Returns `true` if there is a pose called [param name].
    #[func]
    pub fn has_pose(&self, name: StringName) -> bool {
        self.pose(&name).is_some()
    }

    /// Returns the names of all poses, in the order in which they were added.
    #[func]
    pub fn get_pose_list(&self) -> PackedStringArray {
        let names = self.poses.keys_shared().typed::<Variant>();
        names.map(|name| name.stringify()).collect()
    }

    /// Returns the names of the bones that the pose called [param name] has. Empty if there is no such pose.
    #[func]
    fn get_bone_list(&self, name: StringName) -> PackedStringArray {
        let bones = self.bones(&name).unwrap_or_default().into_iter();
        bones.map(|(bone, _)| GString::from(&bone)).collect()
    }

    /// Removes the pose called [param name]. Returns `true` if there was one.
    #[func(gd_self)]
    pub fn remove_pose(mut this: Gd<Self>, name: StringName) -> bool {
        let key = this.bind().key(&name);
        let Some(key) = key else {
            return false;
        };
        this.bind_mut().poses.remove(&key);
        this.emit_changed();
        true
    }

    /// Renames the pose called [param name]; it keeps its place. Returns `true` if there is one, and none
    /// called [param new_name].
    #[func(gd_self)]
    pub fn rename_pose(mut this: Gd<Self>, name: StringName, new_name: StringName) -> bool {
        let keys = [&name, &new_name].map(|name| this.bind().key(name));
        let [Some(key), None] = keys else {
            return false;
        };
        let mut renamed = VarDictionary::new();
        for (other, pose) in this.bind().poses.iter_shared() {
            match other == key {
                true => renamed.set(&new_name, &pose),
                false => renamed.set(&other, &pose),
            };
        }
        this.bind_mut().poses = renamed;
        this.emit_changed();
        true
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
            refuse("set_thumbnail", &this.bind().names_instead_of(&name));
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
    fn store_if(
        this: &Gd<Self>,
        skeleton: Option<Gd<Skeleton2D>>,
        name: &StringName,
        is_meant: impl Fn(&Gd<Bone2D>) -> bool,
    ) -> bool {
        let Some(skeleton) = usable("store", skeleton) else {
            return false;
        };
        restore_base_pose(&skeleton);
        let mut stored = VarDictionary::new();
        for (bone, node) in named_bones(&skeleton) {
            let deviation = (has_rest(&node) && is_meant(&node)).then(|| Deviation::of(&node));
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
        Self::set_pose(this.clone(), name, &pose);
        true
    }

    /// The bones of a pose, by their names.
    pub fn bones(&self, name: &StringName) -> Option<Vec<(String, Deviation)>> {
        let bones = self.pose(name)?.get("bones")?;
        let bones = bones.try_to::<VarDictionary>().ok()?;
        let bones = bones.iter_shared().filter_map(|(bone, data)| {
            let data = data.try_to::<VarDictionary>().ok()?;
            Some((
                bone.stringify().to_string(),
                Deviation::from_dictionary(&data),
            ))
        });
        Some(bones.collect())
    }

    /// The key of a pose: names are equal as texts, whichever type a script has used.
    fn key(&self, name: &StringName) -> Option<Variant> {
        let name = name.to_string();
        let mut keys = self.poses.keys_shared().typed::<Variant>();
        keys.find(|key| key.stringify().to_string() == name)
    }

    fn pose(&self, name: &StringName) -> Option<VarDictionary> {
        let pose = self.poses.get(&self.key(name)?)?;
        let pose = pose.try_to::<VarDictionary>().ok()?;
        Some(pose.duplicate_shallow())
    }

    fn set_pose(mut this: Gd<Self>, name: &StringName, pose: &VarDictionary) {
        let key = this.bind().key(name);
        let key = key.unwrap_or_else(|| name.to_variant());
        this.bind_mut().poses.set(&key, &pose.to_variant());
        this.emit_changed();
    }

    /// What to say where there is no pose called `name`.
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
        refuse(function, "the skeleton is null.");
    }
    skeleton
}

fn refuse(function: &str, reason: &str) {
    godot_error!("TendonPoseLibrary.{function}(): {reason}");
}

/// Puts the base pose back, so that it is what counts.
fn restore_base_pose(skeleton: &Gd<Skeleton2D>) {
    if let Some(rig) = rig_of(skeleton) {
        TendonRig2D::restore_pose(rig);
    }
}

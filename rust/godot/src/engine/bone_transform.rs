//! The pose of a bone by its properties.
//!
//! While a rig is at work, the bones hold the solved pose. The base pose is restored before anything is read
//! or written here: a bone that is set to exactly what the rig wrote would otherwise not count as moved.

use godot::classes::Bone2D;
use godot::prelude::*;

/// The transform of a bone by its properties.
#[derive(Clone)]
pub(crate) struct BoneTransform {
    pub(crate) bone: Gd<Bone2D>,
    pub(crate) rotation: f32,
    pub(crate) position: Vector2,
    pub(crate) scale: Vector2,
    pub(crate) skew: f32,
}

impl BoneTransform {
    pub(crate) fn of(bone: &Gd<Bone2D>) -> Self {
        Self {
            bone: bone.clone(),
            rotation: bone.get_rotation(),
            position: bone.get_position(),
            scale: bone.get_scale(),
            skew: bone.get_skew(),
        }
    }

    /// The poses of `bones`.
    pub(crate) fn of_all(bones: &[Gd<Bone2D>]) -> Vec<Self> {
        bones.iter().map(Self::of).collect()
    }

    /// The properties that a scene file may contain.
    pub(crate) fn properties(&self) -> [(&'static str, Variant); 4] {
        [
            ("position", self.position.to_variant()),
            ("rotation", self.rotation.to_variant()),
            ("scale", self.scale.to_variant()),
            ("skew", self.skew.to_variant()),
        ]
    }

    /// The property called `name`.
    pub(crate) fn value_of(&self, name: &str) -> Variant {
        let mut properties = self.properties().into_iter();
        let found = properties.find(|(property, _)| *property == name);
        found.map_or(Variant::nil(), |(_, value)| value)
    }

    /// Gives the bone this pose again, to the last bit, unless it was freed: each change may run a script.
    pub(crate) fn restore(&self) {
        let mut bone = self.bone.clone();
        for (property, value) in self.properties() {
            if bone.is_instance_valid() && bone.get(property) != value {
                bone.set(property, &value);
            }
        }
    }
}

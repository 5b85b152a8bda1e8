//! The pose of a bone by its properties.
//!
//! While a rig is at work, the bones hold the solved pose. The base pose is restored before anything is read
//! or written here: a bone that is set to exactly what the rig wrote would otherwise not count as moved.

use godot::classes::Bone2D;
use godot::prelude::*;

/// The transform of a bone by its properties.
#[derive(Clone)]
pub struct BoneTransform {
    /// Whose transform it is.
    pub bone: Gd<Bone2D>,
    /// In radians.
    pub rotation: f32,
    /// In the space of the parent.
    pub position: Vector2,
    /// Along the axes of the bone.
    pub scale: Vector2,
    /// In radians.
    pub skew: f32,
}

impl BoneTransform {
    /// As `bone` has it now.
    pub fn of(bone: &Gd<Bone2D>) -> Self {
        Self {
            bone: bone.clone(),
            rotation: bone.get_rotation(),
            position: bone.get_position(),
            scale: bone.get_scale(),
            skew: bone.get_skew(),
        }
    }

    /// The poses of `bones`.
    pub fn of_all(bones: &[Gd<Bone2D>]) -> Vec<Self> {
        bones.iter().map(Self::of).collect()
    }

    /// The properties that a scene file may contain.
    pub fn properties(&self) -> [(&'static str, Variant); 4] {
        [
            ("position", self.position.to_variant()),
            ("rotation", self.rotation.to_variant()),
            ("scale", self.scale.to_variant()),
            ("skew", self.skew.to_variant()),
        ]
    }

    /// The property called `name`.
    pub fn value_of(&self, name: &str) -> Variant {
        let mut properties = self.properties().into_iter();
        let found = properties.find(|(property, _)| *property == name);
        found.map_or(Variant::nil(), |(_, value)| value)
    }

    /// Gives the bone this pose again, to the last bit, unless it was freed: each change may run a script.
    pub fn restore(&self) {
        for (property, value) in self.properties() {
            // A copy of what was freed panics.
            if self.bone.is_instance_valid() && self.bone.get(property) != value {
                self.bone.clone().set(property, &value);
            }
        }
    }
}

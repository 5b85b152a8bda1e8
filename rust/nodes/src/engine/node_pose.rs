//! The pose of a bone, or of a node that modifiers follow, by its properties.
//!
//! While a rig is at work, the bones hold the solved pose. The base pose is restored before anything is read
//! or written here: a bone that is set to exactly what the rig wrote would otherwise not count as moved.

use godot::classes::Bone2D;
use godot::prelude::*;

/// The transform of a node by its properties.
#[derive(Clone)]
pub struct NodePose {
    /// Whose transform it is.
    pub node: Gd<Node2D>,
    /// In radians.
    pub rotation: f32,
    /// In the space of the parent.
    pub position: Vector2,
    /// Along the axes of the node.
    pub scale: Vector2,
    /// In radians.
    pub skew: f32,
}

impl NodePose {
    /// As `node` has it now.
    pub fn of<T: Inherits<Node2D>>(node: &Gd<T>) -> Self {
        let node = node.clone().upcast::<Node2D>();
        Self {
            rotation: node.get_rotation(),
            position: node.get_position(),
            scale: node.get_scale(),
            skew: node.get_skew(),
            node,
        }
    }

    /// The poses of `bones`.
    pub fn of_all(bones: &[Gd<Bone2D>]) -> Vec<Self> {
        bones.iter().map(Self::of).collect()
    }

    /// The bone whose pose it is, if it is that of a bone.
    pub fn bone(&self) -> Option<Gd<Bone2D>> {
        self.node.clone().try_cast().ok()
    }

    /// The properties that a pose sets: of a bone all that a scene file may contain, of another node its place.
    pub fn properties(&self) -> Vec<(&'static str, Variant)> {
        let mut properties = vec![
            ("position", self.position.to_variant()),
            ("rotation", self.rotation.to_variant()),
        ];
        if self.node.is_class("Bone2D") {
            properties.push(("scale", self.scale.to_variant()));
            properties.push(("skew", self.skew.to_variant()));
        }
        properties
    }

    /// Returns `true` if one of the properties is another one than in `before`.
    pub fn differs(&self, before: &Self) -> bool {
        let values = |it: &Self| (it.position, it.rotation, it.scale, it.skew);
        values(self) != values(before)
    }

    /// Gives the node this pose again, to the last bit, unless it was freed: each change may run a script.
    pub fn restore(&self) {
        // A copy of what was freed panics.
        if !self.node.is_instance_valid() {
            return;
        }
        for (property, value) in self.properties() {
            if self.node.is_instance_valid() && self.node.get(property) != value {
                self.node.clone().set(property, &value);
            }
        }
    }
}

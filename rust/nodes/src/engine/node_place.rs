//! Where a node is that modifiers follow, by the properties that a pose sets.

use godot::prelude::*;

/// The position and the rotation of a node.
#[derive(Clone)]
pub struct NodePlace {
    /// The node itself.
    pub node: Gd<Node2D>,
    /// In the frame of what is above the node.
    pub position: Vector2,
    /// In radians.
    pub rotation: f32,
}

impl NodePlace {
    /// The present place of `node`.
    pub fn of(node: &Gd<Node2D>) -> Self {
        Self {
            node: node.clone(),
            position: node.get_position(),
            rotation: node.get_rotation(),
        }
    }

    /// The properties that a scene file may contain.
    pub fn properties(&self) -> [(&'static str, Variant); 2] {
        [
            ("position", self.position.to_variant()),
            ("rotation", self.rotation.to_variant()),
        ]
    }

    /// Puts the node there again, to the last bit, unless it was freed: each change may run a script.
    pub fn restore(&self) {
        for (property, value) in self.properties() {
            // A copy of what was freed panics.
            if self.node.is_instance_valid() && self.node.get(property) != value {
                self.node.clone().set(property, &value);
            }
        }
    }
}

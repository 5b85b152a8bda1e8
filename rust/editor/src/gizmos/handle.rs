//! What can be dragged: where it is on the screen, how it looks, and which property it sets.
//!
//! | file | what is in it |
//! |---|---|
//! | [`property`] | the properties that handles set, and their values |
//! | [`drag_mapper`] | the value that the mouse gives to a property |
//! | [`drag`] | a drag under way, and its step in the undo history |

use godot::prelude::*;

use crate::gizmos::handle::drag_mapper::DragMapper;
use crate::gizmos::handle::property::{HandleValue, Property};

pub(super) mod drag;
pub(super) mod drag_mapper;
pub(super) mod property;

/// The distance within which the mouse grabs a handle, in pixels of the editor's design.
const GRAB_DISTANCE: f32 = 9.0;

/// Identifies a handle from frame to frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HandleKey {
    pub(super) node: InstanceId,
    pub(super) property: Property,
}

impl HandleKey {
    /// That of the position of a node.
    pub(super) const fn of_node(node: InstanceId) -> Self {
        let property = Property::Position;
        Self { node, property }
    }
}

/// The look of a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandleLook {
    /// Sets a number.
    Knob,
    /// Drags a node, or another thing that is drawn without the handle.
    Node,
}

/// Something to drag.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Handle {
    pub(super) key: HandleKey,
    /// Screen pixels.
    pub(super) at: Vector2,
    pub(super) look: HandleLook,
    pub(super) colour: Color,
    /// The present value of the property.
    pub(super) value: HandleValue,
    pub(super) mapper: DragMapper,
}

/// The handle under the mouse: the nearest, and of equally near ones the last.
pub(super) fn hit(handles: &[Handle], mouse: Vector2, scale: f32) -> Option<&Handle> {
    let near = |handle: &&Handle| handle.at.distance_to(mouse) <= GRAB_DISTANCE * scale;
    let distance = |handle: &&Handle| handle.at.distance_to(mouse);
    let handles = handles.iter().rev().filter(near);
    handles.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handle(number: i64, at: Vector2) -> Handle {
        Handle {
            key: HandleKey {
                node: InstanceId::from_i64(number),
                property: Property::Progress,
            },
            at,
            look: HandleLook::Knob,
            colour: Color::WHITE,
            value: HandleValue::Number(0.0),
            mapper: DragMapper::None,
        }
    }

    #[test]
    fn the_nearest_handle_is_taken() {
        let handles = [
            handle(1, Vector2::ZERO),
            handle(2, Vector2::new(6.0, 0.0)),
            handle(3, Vector2::new(6.0, 0.0)),
        ];
        let taken =
            |x: f32, scale| hit(&handles, Vector2::new(x, 0.0), scale).map(|it| it.key.node);
        assert_eq!(taken(1.0, 1.0), Some(InstanceId::from_i64(1)));
        assert_eq!(taken(5.0, 1.0), Some(InstanceId::from_i64(3)));
        assert_eq!(taken(17.0, 1.0), None);
        assert_eq!(taken(17.0, 2.0), Some(InstanceId::from_i64(3)));
    }
}

//! The properties that handles set, and their values: as names and as text.

use godot::prelude::*;

/// The property that a handle sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gizmos) enum Property {
    MinAngle,
    MaxAngle,
    Progress,
    Position,
    /// The position of a point of a path.
    PathPoint(i32),
    FlipBend,
}

impl Property {
    /// The text beside the mouse.
    pub(in crate::gizmos) fn label(self) -> String {
        match self {
            Self::FlipBend => "bend direction".into(),
            Self::PathPoint(point) => format!("point {point}"),
            _ => self.name().replace('_', " "),
        }
    }

    /// Its name in scripts, and the name of a drag in the undo history. The editor itself drags positions of nodes,
    /// and names that.
    fn row(self) -> (&'static str, &'static str) {
        match self {
            Self::MinAngle => ("min_angle", "Change Joint Limit"),
            Self::MaxAngle => ("max_angle", "Change Joint Limit"),
            Self::Progress => ("progress", "Change Progress"),
            Self::Position => ("position", ""),
            Self::PathPoint(_) => ("position", "Move Point of Path"),
            Self::FlipBend => ("flip_bend_direction", "Flip Bend Direction"),
        }
    }

    /// Its name in scripts.
    pub(in crate::gizmos) fn name(self) -> String {
        match self {
            Self::PathPoint(point) => format!("point_{point}/position"),
            _ => self.row().0.into(),
        }
    }

    /// The object that has the property: `node` itself, or the curve of a path.
    pub(super) fn owner(self, node: &Gd<Node>) -> Option<Gd<Object>> {
        match self {
            Self::PathPoint(_) => node.get("curve").try_to().ok(),
            _ => Some(node.clone().upcast()),
        }
    }

    /// The name of a drag in the undo history.
    pub(in crate::gizmos) fn action(self) -> &'static str {
        self.row().1
    }
}

/// The value that a handle sets its property to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum HandleValue {
    /// Radians or skeleton units.
    Number(f32),
    /// A position in the parent's frame.
    Position(Vector2),
    /// `true` for on.
    Switch(bool),
}

impl HandleValue {
    pub(crate) fn to_variant(self) -> Variant {
        match self {
            Self::Number(number) => number.to_variant(),
            Self::Position(place) => place.to_variant(),
            Self::Switch(is_on) => is_on.to_variant(),
        }
    }

    /// The value of `property` as text.
    pub(in crate::gizmos) fn text(self, property: Property) -> String {
        let number = match self {
            Self::Switch(_) => return "click to flip".into(),
            Self::Position(place) => return format!("({:.1}, {:.1}) px", place.x, place.y),
            Self::Number(number) => number,
        };
        match property {
            Property::MinAngle | Property::MaxAngle => {
                let degrees = number.to_degrees();
                // No minus before a zero.
                format!("{:.1}°", if degrees.abs() < 0.05 { 0.0 } else { degrees })
            }
            _ => format!("{number:.1} px"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::PI;

    use super::*;

    #[test]
    fn values_are_told_with_their_units() {
        let text = |number, property| HandleValue::Number(number).text(property);
        assert_eq!(text(PI / 4.0, Property::MaxAngle), "45.0°");
        assert_eq!(text(-1e-5, Property::MinAngle), "0.0°");
        assert_eq!(text(PI, Property::MaxAngle), "180.0°");
        assert_eq!(text(12.34, Property::Progress), "12.3 px");
    }
}

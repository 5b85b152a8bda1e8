//! The properties that handles set, and their values: as names, as text and as units.

use godot::prelude::*;

/// The property that a handle sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gizmos) enum Property {
    MinAngle,
    MaxAngle,
    MinDistance,
    MaxDistance,
    Softness,
    Progress,
    Radius,
    /// How a gait steps.
    StepDistance,
    StepHeight,
    /// How far the ground is looked for.
    SearchUp,
    SearchDown,
    /// How far the pelvis goes with the feet.
    MaxPelvisDrop,
    MaxPelvisRise,
    /// How far a planted foot may be moved.
    UnplantDistance,
    Position,
    /// The position of a point of a path.
    PathPoint(i32),
    FlipBend,
}

/// What a number measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gizmos) enum Unit {
    Pixels,
    /// Pixels; zero is off.
    Length,
    /// Radians, with whole turns.
    Turn,
    Factor,
}

impl Property {
    /// What is written beside the mouse.
    pub(in crate::gizmos) fn label(self) -> String {
        match self {
            Self::FlipBend => "bend direction".into(),
            Self::PathPoint(point) => format!("point {point}"),
            _ => self.name().replace('_', " "),
        }
    }

    /// Its name in scripts, the name of a drag in the undo history, and what its numbers measure.
    fn row(self) -> (&'static str, &'static str, Unit) {
        match self {
            Self::MinAngle => ("min_angle", "Change Joint Limit", Unit::Turn),
            Self::MaxAngle => ("max_angle", "Change Joint Limit", Unit::Turn),
            Self::MinDistance => ("min_distance", "Change Target Distance", Unit::Length),
            Self::MaxDistance => ("max_distance", "Change Target Distance", Unit::Length),
            Self::Softness => ("softness", "Change Softness", Unit::Factor),
            Self::Progress => ("progress", "Change Progress", Unit::Pixels),
            Self::Radius => ("radius", "Change Radius", Unit::Length),
            Self::StepDistance => ("step_distance", "Change Step Distance", Unit::Pixels),
            Self::StepHeight => ("step_height", "Change Step Height", Unit::Pixels),
            Self::SearchUp => ("search_up", "Change Search Range", Unit::Pixels),
            Self::SearchDown => ("search_down", "Change Search Range", Unit::Pixels),
            Self::MaxPelvisDrop => ("max_pelvis_drop", "Change Range of Pelvis", Unit::Pixels),
            Self::MaxPelvisRise => ("max_pelvis_rise", "Change Range of Pelvis", Unit::Pixels),
            Self::UnplantDistance => ("unplant_distance", "Change Unplant Distance", Unit::Pixels),
            Self::Position => ("position", "", Unit::Pixels),
            Self::PathPoint(_) => ("position", "Move Point of Path", Unit::Pixels),
            Self::FlipBend => ("flip_bend_direction", "Flip Bend Direction", Unit::Factor),
        }
    }

    /// Its name in scripts.
    pub(in crate::gizmos) fn name(self) -> String {
        match self {
            Self::PathPoint(point) => format!("point_{point}/position"),
            _ => self.row().0.into(),
        }
    }

    /// What has the property: `node` itself, or the curve of a path.
    pub(super) fn owner(self, node: &Gd<Node>) -> Option<Gd<Object>> {
        match self {
            Self::PathPoint(_) => node.get("curve").try_to().ok(),
            _ => Some(node.clone().upcast()),
        }
    }

    /// The name of a drag in the undo history. The editor itself drags positions of nodes, and names that.
    pub(in crate::gizmos) fn action(self) -> &'static str {
        self.row().1
    }
}

/// What a handle sets its property to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// Radians, skeleton units, or a share.
    Number(f32),
    /// A position in the parent's frame.
    Position(Vector2),
    /// Whether it is on.
    Switch(bool),
}

impl Value {
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
        match property.row().2 {
            Unit::Length if number <= 0.0 => "off".into(),
            Unit::Turn => {
                let degrees = number.to_degrees();
                // No minus before a zero.
                format!("{:.1}°", if degrees.abs() < 0.05 { 0.0 } else { degrees })
            }
            Unit::Factor => format!("{number:.3}"),
            Unit::Pixels | Unit::Length => format!("{number:.1} px"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::PI;

    use super::*;

    #[test]
    fn values_are_told_with_their_units() {
        let text = |number, property| Value::Number(number).text(property);
        assert_eq!(text(PI / 4.0, Property::MaxAngle), "45.0°");
        assert_eq!(text(-1e-5, Property::MinAngle), "0.0°");
        assert_eq!(text(0.0, Property::MinDistance), "off");
        assert_eq!(text(12.34, Property::MaxDistance), "12.3 px");
        assert_eq!(text(0.25, Property::Softness), "0.250");
        assert_eq!(text(PI, Property::MaxAngle), "180.0°");
        assert_eq!(text(3.0, Property::StepHeight), "3.0 px");
    }
}

//! The properties that handles set, and their values: as names, as text and as units.

use godot::prelude::*;
use tendon_solver::Channel;

/// The property that a handle sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    MinAngle,
    MaxAngle,
    MinDistance,
    MaxDistance,
    Softness,
    Progress,
    /// How far a joint of a spring bends.
    MostBend,
    Radius,
    /// How long a rope is.
    Slack,
    /// How far the joints of a wave turn.
    Amplitude,
    /// How far the joints of a trail bend.
    MaxBend,
    /// The ends of the range of a slider's source.
    SourceMin(Unit),
    SourceMax(Unit),
    /// The ends of the range that a mapping maps to.
    BoneMin(Unit),
    BoneMax(Unit),
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

/// What a number along a line of places measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Pixels,
    /// Radians, with whole turns.
    Turn,
    /// Radians up to a half turn, which is off and stored as zero.
    Bend,
    /// Radians up to a half turn.
    Angle,
    Factor,
}

impl Unit {
    /// That of a channel.
    pub(super) fn of(channel: Channel) -> Self {
        match channel {
            Channel::Rotation => Self::Turn,
            Channel::PositionX | Channel::PositionY => Self::Pixels,
            Channel::ScaleX | Channel::ScaleY => Self::Factor,
        }
    }
}

impl Property {
    /// What is written beside the mouse.
    pub(super) fn label(self) -> String {
        match self {
            Self::FlipBend => "bend direction".into(),
            Self::MostBend => "greatest bend of each joint (max_angle)".into(),
            Self::PathPoint(point) => format!("point {point}"),
            _ => self.name().replace('_', " "),
        }
    }

    /// Its name in scripts.
    pub(super) fn name(self) -> String {
        let name = match self {
            Self::PathPoint(point) => return format!("point_{point}/position"),
            Self::MinAngle => "min_angle",
            Self::MaxAngle => "max_angle",
            Self::MinDistance => "min_distance",
            Self::MaxDistance => "max_distance",
            Self::Softness => "softness",
            Self::Progress => "progress",
            Self::MostBend => "max_angle",
            Self::Radius => "radius",
            Self::Slack => "slack",
            Self::Amplitude => "amplitude",
            Self::MaxBend => "max_bend",
            Self::SourceMin(_) => "source_min",
            Self::SourceMax(_) => "source_max",
            Self::BoneMin(_) => "bone_min",
            Self::BoneMax(_) => "bone_max",
            Self::StepDistance => "step_distance",
            Self::StepHeight => "step_height",
            Self::SearchUp => "search_up",
            Self::SearchDown => "search_down",
            Self::MaxPelvisDrop => "max_pelvis_drop",
            Self::MaxPelvisRise => "max_pelvis_rise",
            Self::UnplantDistance => "unplant_distance",
            Self::Position => "position",
            Self::FlipBend => "flip_bend_direction",
        };
        name.into()
    }

    /// What has the property: `node` itself, or the curve of a path.
    pub(super) fn owner(self, node: &Gd<Node>) -> Option<Gd<Object>> {
        match self {
            Self::PathPoint(_) => node.get("curve").try_to().ok(),
            _ => Some(node.clone().upcast()),
        }
    }

    /// The name of a drag in the undo history. `None` where the editor itself drags and names it.
    pub(super) fn action(self) -> Option<&'static str> {
        Some(match self {
            Self::MinAngle | Self::MaxAngle => "Change Joint Limit",
            Self::MinDistance | Self::MaxDistance => "Change Target Distance",
            Self::Softness => "Change Softness",
            Self::Progress => "Change Progress",
            Self::MostBend => "Change Greatest Angle",
            Self::Radius => "Change Radius",
            Self::Slack => "Change Slack",
            Self::Amplitude => "Change Amplitude",
            Self::MaxBend => "Change Greatest Bend",
            Self::BoneMin(_) | Self::BoneMax(_) | Self::SourceMin(_) | Self::SourceMax(_) => {
                "Change Range"
            }
            Self::StepDistance => "Change Step Distance",
            Self::StepHeight => "Change Step Height",
            Self::SearchUp | Self::SearchDown => "Change Search Range",
            Self::MaxPelvisDrop | Self::MaxPelvisRise => "Change Range of Pelvis",
            Self::UnplantDistance => "Change Unplant Distance",
            Self::PathPoint(_) => "Move Point of Path",
            Self::FlipBend => "Flip Bend Direction",
            Self::Position => return None,
        })
    }
}

/// What a handle sets its property to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::editor) enum Value {
    /// Radians, skeleton units, or a share.
    Number(f32),
    /// A position in the parent's frame.
    Position(Vector2),
    /// Whether it is on.
    Switch(bool),
}

impl Value {
    pub(in crate::editor) fn to_variant(self) -> Variant {
        match self {
            Self::Number(number) => number.to_variant(),
            Self::Position(place) => place.to_variant(),
            Self::Switch(is_on) => is_on.to_variant(),
        }
    }

    /// The value of `property` as text.
    pub(super) fn text(self, property: Property) -> String {
        match (self, property) {
            (Self::Switch(_), _) => "click to flip".to_string(),
            (Self::Position(place), _) => format!("({:.1}, {:.1}) px", place.x, place.y),
            (Self::Number(angle), Property::MostBend) if angle <= 0.0 => "off".to_string(),
            (
                Self::Number(angle),
                Property::MinAngle
                | Property::MaxAngle
                | Property::MostBend
                | Property::Amplitude
                | Property::MaxBend
                | Property::BoneMin(Unit::Turn)
                | Property::BoneMax(Unit::Turn)
                | Property::SourceMin(Unit::Turn)
                | Property::SourceMax(Unit::Turn),
            ) => {
                let degrees = angle.to_degrees();
                // No minus before a zero.
                format!("{:.1}°", if degrees.abs() < 0.05 { 0.0 } else { degrees })
            }
            (
                Self::Number(number),
                Property::BoneMin(unit)
                | Property::BoneMax(unit)
                | Property::SourceMin(unit)
                | Property::SourceMax(unit),
            ) => match unit {
                Unit::Factor => format!("{number:.3}"),
                _ => format!("{number:.1} px"),
            },
            (Self::Number(share), Property::Softness | Property::Slack) => format!("{share:.3}"),
            (
                Self::Number(distance),
                Property::MinDistance | Property::MaxDistance | Property::Radius,
            ) if distance <= 0.0 => "off".to_string(),
            (Self::Number(distance), _) => format!("{distance:.1} px"),
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
        assert_eq!(text(1.2, Property::Slack), "1.200");
        assert_eq!(text(PI, Property::SourceMax(Unit::Turn)), "180.0°");
        assert_eq!(text(3.0, Property::SourceMin(Unit::Pixels)), "3.0 px");
    }
}

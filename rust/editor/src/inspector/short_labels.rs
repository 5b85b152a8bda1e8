//! Labels that are not cut off at the default width of the inspector, beside its scroll bar and the
//! button that resets the property.
//!
//! Rows of numbers and of switches give more of their width to the label: what they hold is narrow.
//! Where that is not enough, the label is shorter than the property's name.

use godot::prelude::*;
use godot::register::info::PropertyHint;

/// The part of a row's width that the label has if the field is narrow. By default it has half.
pub(super) const SHARE: f64 = 0.58;

/// Returns `true` if a row for such a property has a narrow field.
pub(super) fn is_narrow(kind: VariantType, hint: PropertyHint) -> bool {
    let is_number = matches!(kind, VariantType::FLOAT | VariantType::INT);
    kind == VariantType::BOOL || is_number && hint != PropertyHint::ENUM
}

/// The label of `property` of one of Tendon's classes, if its name is too long.
pub(super) fn short_label(property: &str) -> Option<&'static str> {
    Some(match property {
        "additional_rotation" => "Add Rotation",
        "amplitude_curve" => "Curve",
        "animation_player" => "Player",
        // As in AnimationMixer.
        "callback_mode_process" => "Process",
        "damping_curve" => "Damping",
        "damping_ratio" => "Damping",
        "flip_bend_direction" => "Flip Bend",
        "frequencies" => "By Bone",
        "frequency_curve" => "Frequency",
        "match_target_rotation" => "Match Target",
        "max_iterations" => "Iterations",
        "max_pelvis_drop" => "Pelvis Drop",
        "max_pelvis_rise" => "Pelvis Rise",
        "max_root_distance" => "Root Distance",
        "max_turn_speed" => "Turn Speed",
        "pelvis_frequency" => "Frequency",
        "preview_in_editor" => "Preview",
        "progress_ratio" => "Ratio",
        "root_frequency" => "Root",
        "skip_when_invisible" => "Skip Invisible",
        "transition_duration" => "Transition",
        "transition_point_speed" => "Point Speed",
        "transition_turn_speed" => "Turn Speed",
        "unplant_distance" => "Unplant",
        _ => return None,
    })
}

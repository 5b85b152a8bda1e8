//! Shorter labels for properties whose names are cut off at the default width of the inspector.

/// The label of `property` of one of Tendon's classes, if its name is too long: beside the label
/// there has to be room for the button that resets the property.
pub(super) fn short_label(property: &str) -> Option<&'static str> {
    Some(match property {
        "additional_rotation" => "Add Rotation",
        // As in AnimationMixer.
        "callback_mode_process" => "Process",
        "damping_curve" => "Damping",
        "damping_ratio" => "Damping",
        "flip_bend_direction" => "Flip Bend",
        "frequency_curve" => "Frequency",
        "match_target_rotation" => "Match Target",
        "max_iterations" => "Iterations",
        "preview_in_editor" => "Preview",
        "progress_ratio" => "Ratio",
        "skip_when_invisible" => "Skip Invisible",
        _ => return None,
    })
}

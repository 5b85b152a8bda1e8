//! A pose as data: by how much bones differ from their rest pose, and where targets are; and that as text.

use std::cell::RefCell;
use std::collections::BTreeMap;

use godot::classes::DisplayServer;
use godot::classes::display_server::Feature;
use godot::prelude::*;
use serde::{Deserialize, Serialize};
use tendon_nodes::nodes::pose_library::deviation::Deviation;
use tendon_nodes::nodes::pose_library::held_nodes::Placement;

/// The version of the text's format.
const VERSION: u32 = 1;

/// A pose of some bones and targets, by their names.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct NamedPose {
    tendon_pose: u32,
    pub(super) bones: BTreeMap<String, Deviation>,
    /// The placements of the targets of the modifiers that turn these bones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) targets: BTreeMap<String, Placement>,
}

impl NamedPose {
    pub(super) fn new(
        bones: BTreeMap<String, Deviation>,
        targets: BTreeMap<String, Placement>,
    ) -> Self {
        Self {
            tendon_pose: VERSION,
            bones,
            targets,
        }
    }

    pub(super) fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The pose that `text` contains. `None` if it is anything else.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let pose: Self = serde_json::from_str(text).ok()?;
        let is_known = pose.tendon_pose == VERSION;
        let is_finite = pose.bones.values().all(Deviation::is_finite)
            && pose.targets.values().all(Placement::is_finite);
        (is_known && is_finite && !pose.bones.is_empty()).then_some(pose)
    }
}

thread_local! {
    /// The text that is copied, where the system has no clipboard.
    static KEPT: RefCell<GString> = RefCell::default();
}

/// Returns the text in the clipboard, which other projects share.
pub(crate) fn read_clipboard() -> String {
    let server = DisplayServer::singleton();
    match server.has_feature(Feature::CLIPBOARD) {
        true => server.clipboard_get().to_string(),
        false => KEPT.with_borrow(GString::to_string),
    }
}

pub(super) fn write_clipboard(text: &str) {
    let mut server = DisplayServer::singleton();
    match server.has_feature(Feature::CLIPBOARD) {
        true => server.clipboard_set(text),
        false => KEPT.set(text.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(rotation: f32) -> NamedPose {
        let bent = Deviation {
            rotation,
            position: [3.1, -0.7],
            scale: [1.1, 0.9],
            skew: 0.2,
        };
        let placement = Placement {
            position: [12.0, -3.4],
            rotation: 0.7,
            flips: (rotation > 0.0).then_some(true),
        };
        NamedPose::new(
            BTreeMap::from([("Arm/Hand \"1\"".into(), bent)]),
            BTreeMap::from([("HandTarget".into(), placement)]),
        )
    }

    #[test]
    fn a_pose_comes_back_from_its_text_to_the_bit() {
        for rotation in [0.1, -1.234_567_9, 1.0e-30] {
            assert_eq!(
                NamedPose::from_text(&pose(rotation).to_text()),
                Some(pose(rotation))
            );
        }
    }

    #[test]
    fn other_text_is_no_pose() {
        let good = pose(0.5).to_text();
        let bad = [
            String::new(),
            "{}".into(),
            "Some text".into(),
            pose(f32::NAN).to_text(),
            NamedPose::new(BTreeMap::new(), BTreeMap::new()).to_text(),
            good.replace("0.5", "1e99"),
            good.replace("\"tendon_pose\": 1", "\"tendon_pose\": 2"),
        ];
        for text in bad {
            assert_ne!(text, good);
            assert_eq!(NamedPose::from_text(&text), None, "{text}");
        }
    }
}

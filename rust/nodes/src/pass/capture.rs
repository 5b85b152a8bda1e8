//! The last pass as text, for a bug report. Here the names of nodes are added. The rest, the format
//! and replaying are in `rust/solver/src/capture.rs` ([`tendon_solver::capture`]), and
//! `rust/replay` is the command that replays.
//!
//! It costs nothing until it is called: the solver's rig holds the input and the output of the last
//! solve until the next one. Reading the nodes again changes no bit of it as long as nothing has
//! changed.

use godot::classes::Engine;
use godot::prelude::*;
use tendon_solver::Capture;
use tendon_solver::capture::{Scene, platform};

use crate::engine::space::frame_of;
use crate::plan::Plan;
use crate::plan::result::Subject;

/// The last pass of `plan`, as JSON. `None` if there was none, or the nodes were read again since without
/// a solve.
pub(crate) fn capture(plan: &Plan) -> Option<String> {
    let to_global = plan.to_global_when_solved?;
    let capture = Capture {
        platform: format!("{}, Godot {}", platform(), engine_version()),
        scene: scene_of(plan),
        ancestors: vec![frame_of(to_global)],
        ..Capture::of(&plan.rig)
    };
    Some(capture.to_json())
}

fn scene_of(plan: &Plan) -> Scene {
    let bones = plan.bones.iter();
    let bones = bones.map(|bone| name_of(bone.node().map(|bone| bone.clone().upcast())));
    let modifiers = plan.pairs().filter(|(_, modifier)| modifier.is_some());
    let modifiers = modifiers.map(|(planned, _)| {
        let node = planned.node().alive();
        name_of(node.cloned())
    });
    Scene {
        bones: bones.collect(),
        modifiers: modifiers.collect(),
        problems: plan.subjects().into_iter().flat_map(in_words).collect(),
    }
}

fn name_of(node: Option<Gd<Node>>) -> String {
    node.map_or("(freed)".into(), |node| node.get_name().to_string())
}

/// The problems of a node, one line for each cause.
fn in_words(subject: Subject) -> Vec<String> {
    let Subject { node, problems, .. } = subject;
    let name = format!("{} \"{}\"", node.get_class(), node.get_name());
    let lines = problems.iter().map(|problem| format!("{name}: {problem}"));
    lines.collect()
}

fn engine_version() -> String {
    let version = Engine::singleton().get_version_info();
    version
        .get("string")
        .map_or("?".into(), |version| version.to_string())
}

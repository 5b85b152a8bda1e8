//! Finds what scripts of the scene call by a path that changes.

use godot::classes::Script;
use godot::prelude::*;

use crate::parts::moves::Moves;
use crate::selection::all_within;

/// What is before a path in a script, and what is behind it.
const MARKS: [(&str, &str); 5] = [
    ("$\"", "\""),
    ("get_node(\"", "\""),
    ("get_node_or_null(\"", "\""),
    ("has_node(\"", "\""),
    ("$", ""),
];

/// Notes about the scripts of the scene: the lines whose paths have to change, and parts with scripts.
pub(super) fn report(moves: &Moves) -> Vec<String> {
    let mut lines = Vec::new();
    for node in all_within::<Node>(&moves.scene) {
        let Some(script) = node.get("script").try_to::<Gd<Script>>().ok() else {
            continue;
        };
        if moves.mover(&node) != node {
            lines.push(format!(
                "\"{}\" has a script. It stays with the drawing: what it moves has to be the bone now, its parent.",
                node.get_name()
            ));
        }
        let file = script.get_path();
        for (number, line) in (1..).zip(script.get_source_code().to_string().lines()) {
            for path in paths_in(line) {
                let to = node.get_node_or_null(&NodePath::from(path));
                let Some(to) = to.filter(|to| moves.changes(&node, to, &moves.mover(to))) else {
                    continue;
                };
                let from = moves.drawer(&node);
                let [bone, drawing] = [moves.mover(&to), moves.drawer(&to)];
                let mut note = format!(
                    "{file}:{number}: \"{path}\" is now \"{}\"",
                    moves.path(&from, &bone)
                );
                if bone != drawing {
                    note += &format!(", its picture \"{}\"", moves.path(&from, &drawing));
                }
                lines.push(note + ".");
            }
        }
    }
    lines.sort();
    lines.dedup();
    match lines.is_empty() {
        true => lines,
        false => vec![format!(
            "Scripts are not changed. Change these lines:\n{}",
            lines.join("\n")
        )],
    }
}

/// The paths of nodes in a line of a script.
fn paths_in(line: &str) -> Vec<&str> {
    let code = line.split('#').next().unwrap_or_default();
    let mut paths = Vec::new();
    for (before, after) in MARKS {
        for (start, _) in code.match_indices(before) {
            let rest = &code[start + before.len()..];
            let end = match after.is_empty() {
                true => rest.find(|it: char| !it.is_alphanumeric() && !"_/%".contains(it)),
                false => rest.find(after),
            };
            let path = &rest[..end.unwrap_or(rest.len())];
            if !path.is_empty() {
                paths.push(path);
            }
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_write_a_path_are_found() {
        let line = "var a = $Hips/Torso.rotation + get_node(\"A b\").x + $\"C d/E\".y # $Not";
        assert_eq!(paths_in(line), ["C d/E", "A b", "Hips/Torso"]);
    }
}

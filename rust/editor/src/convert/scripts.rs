//! Finds the scripts of the project, also those inside scenes, that name the engine's modification
//! classes.

use godot::classes::{DirAccess, FileAccess};
use godot::prelude::*;

/// What is found, and what to write instead. The first that fits a line counts.
const REPLACEMENTS: &str = r#"
SkeletonModification2DLookAt: TendonLookAt2D, a node below the rig
SkeletonModification2DTwoBoneIK: TendonTwoBoneIK2D, a node below the rig
SkeletonModification2DCCDIK: TendonCCDIK2D, a node below the rig
SkeletonModification2DFABRIK: TendonFABRIK2D, a node below the rig
SkeletonModification2DJiggle: TendonSpring2D, a node below the rig
SkeletonModification2DPhysicalBones: TendonRagdoll2D, a node below the rig
SkeletonModification2DStackHolder: nothing: what it held are modifiers of the rig
SkeletonModificationStack2D: TendonRig2D, a child of the Skeleton2D
SkeletonModification2D: the modifier, a node below the rig
get_modification_stack: get_node("TendonRig2D") of the Skeleton2D
set_modification_stack: a TendonRig2D as a child of the Skeleton2D
execute_modifications: advance(delta) of the TendonRig2D
get_bone_local_pose_override: the bone's own rotation
set_bone_local_pose_override: the bone's own rotation: the rig starts from it
modification_stack: the TendonRig2D, a child of the Skeleton2D
"#;

/// The text before the source of a script that is part of a scene.
const SOURCE: &str = "\nscript/source = \"";

/// How many lines are listed one by one.
const MOST: usize = 40;

/// The lines of the report about the project's scripts; none if no script has to be changed.
pub(super) fn report() -> Vec<String> {
    let mut found = Vec::new();
    search("res://", &mut found);
    if found.is_empty() {
        return Vec::new();
    }
    let more = found.len().saturating_sub(MOST);
    found.truncate(MOST);
    let mut lines = vec![format!("{TO_CHANGE}\n{}", found.join("\n"))];
    if more > 0 {
        lines.push(format!("And {more} more lines."));
    }
    lines
}

/// Looks at the scripts in `folder`, a path that ends with a slash, and below.
fn search(folder: &str, found: &mut Vec<String>) {
    let names = |names: PackedStringArray| -> Vec<String> {
        names.as_slice().iter().map(GString::to_string).collect()
    };
    for file in names(DirAccess::get_files_at(folder)) {
        let path = format!("{folder}{file}");
        let text = || FileAccess::get_file_as_string(&path).to_string();
        if file.ends_with(".gd") || file.ends_with(".cs") {
            read(&path, 1, &text(), found);
        } else if file.ends_with(".tscn") || file.ends_with(".tres") {
            let text = text();
            for (line, script) in built_in_scripts(&text) {
                read(&path, line, script, found);
            }
        }
    }
    for below in names(DirAccess::get_directories_at(folder)) {
        let path = format!("{folder}{below}/");
        if !below.starts_with('.') && path != OURS {
            search(&path, found);
        }
    }
}

/// The sources of the scripts that a scene or resource holds itself, as text with escaped quotes,
/// and the line of the file that each begins on.
fn built_in_scripts(file: &str) -> impl Iterator<Item = (usize, &str)> {
    file.match_indices(SOURCE).map(|(start, _)| {
        let start = start + SOURCE.len();
        let line = 1 + file[..start].matches('\n').count();
        let mut is_escaped = false;
        let end = file[start..].find(|letter| {
            let is_end = letter == '"' && !is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            is_end
        });
        let end = end.map_or(file.len(), |length| start + length);
        (line, &file[start..end])
    })
}

/// Looks at the lines of a script, of which the first has the number `first` in its file.
fn read(path: &str, first: usize, text: &str, found: &mut Vec<String>) {
    for (number, line) in (first..).zip(text.lines()) {
        let code = line.trim_start();
        if code.starts_with('#') || code.starts_with("//") {
            continue;
        }
        let pairs = REPLACEMENTS.lines();
        let mut replacements = pairs.filter_map(|pair| pair.split_once(": "));
        if let Some((name, instead)) = replacements.find(|(name, _)| mentions(line, name)) {
            found.push(format!(
                "{path}:{number}: {name}. Write instead: {instead}."
            ));
        }
    }
}

/// Whether `line` has `name` as a word, or as C# writes it.
fn mentions(line: &str, name: &str) -> bool {
    let cased: String = name.split('_').map(capitalized).collect();
    [name, &cased].into_iter().any(|name| has_word(line, name))
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn has_word(line: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Where the addon itself is.
const OURS: &str = "res://addons/tendon/";
const TO_CHANGE: &str = "These lines of scripts name the engine's own modifications, and have to \
    change:";

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        read("res://a.gd", 1, text, &mut found);
        found
    }

    #[test]
    fn the_line_and_what_to_write_are_told() {
        let lines = found("extends Node\n\tvar s = skeleton.get_modification_stack()\n");
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("res://a.gd:2: get_modification_stack."));
        assert!(lines[0].contains("TendonRig2D"));
    }

    #[test]
    fn the_more_exact_name_counts() {
        let line = "var ik: SkeletonModification2DTwoBoneIK = stack.get_modification(0)";
        assert!(found(line)[0].contains("TendonTwoBoneIK2D"));
    }

    #[test]
    fn other_words_and_comments_do_not_count() {
        assert!(found("# get_modification_stack()\nvar my_modification_stack_2 = 1").is_empty());
    }

    #[test]
    fn scripts_inside_scenes_are_read() {
        let scene = "[gd_scene]\n\n[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = \"extends \
            Node\nvar s = \\\"a\\\"\nvar stack = get_modification_stack()\n\"\n\n[node \
            name=\"get_modification_stack\"]\n";
        let scripts: Vec<_> = built_in_scripts(scene).collect();
        assert_eq!(scripts.len(), 1);
        let (line, script) = scripts[0];
        let mut found = Vec::new();
        read("res://a.tscn", line, script, &mut found);
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("res://a.tscn:6: get_modification_stack."));
    }

    #[test]
    fn names_in_other_cases_count() {
        assert_eq!(
            found("skeleton.GetModificationStack().Enabled = true;").len(),
            1
        );
    }
}

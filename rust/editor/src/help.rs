//! The help of all classes, as XML: for the editor, and as files for the manual.
//!
//! gdext makes it from the fields and functions. A property whose name is a word of Rust has a field
//! of another name, under which the editor would not find its text. It knows no keywords.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::{EditorInterface, EditorPlugin, Engine, IEditorPlugin};
use godot::prelude::*;
use tendon_nodes::engine::editor_help;

/// Seconds between two looks for the editor's cache of the help.
const PAUSE: f64 = 1.0;

/// Such properties: the class, the field, and the property.
const RENAMED: [[&str; 3]; 1] = [["TendonSlider2D", "loops", "loop"]];

/// Further keywords of the classes, in a line for each: the window for new nodes and the search of the help look for
/// them.
const KEYWORDS: &str = "\
TendonRig2D: ik, inverse kinematics, skeleton, armature, puppet
TendonLookAt2D: aim, look, gaze, head, eyes, point at, gun, turret, track
TendonTwoBoneIK2D: ik, inverse kinematics, elbow, knee, arm, leg, hand, foot, limb, pole
TendonCCDIK2D: ik, inverse kinematics, chain, tentacle, arm, spine, cyclic coordinate descent
TendonFABRIK2D: ik, inverse kinematics, chain, tentacle, arm, spine, reach
TendonFullBody2D: ik, inverse kinematics, full body, fbik, whole body, hips, pelvis, climb, ledge, lean, puppet
TendonEffector2D: ik, inverse kinematics, end, tip, weight, goal, handle
TendonJointLimit2D: constraint, angle, range, stiffness, elbow, knee, hinge
TendonSpring2D: jiggle, hair, tail, cloth, cape, rope, wind, stiffness, bounce, dynamics, physics, secondary motion
TendonSplineIK2D: ik, inverse kinematics, path, curve, tentacle, spine, tail
TendonCopyTransform2D: constraint, driver, copy rotation, mapping, follow, parent, corrective
TendonWave2D: swim, fish, tail, breathe, sway, wind, wiggle, sine, jiggle
TendonTrail2D: snake, worm, centipede, lizard, body, follow, tail
TendonSlider2D: driver, blend, scrub, face, controller, corrective, animation
TendonFootPlacement2D: foot, feet, leg, ground, slope, stairs, terrain, foot ik, inverse kinematics, grounding
TendonGait2D: walk, step, foot, feet, leg, spider, procedural animation, locomotion, crawl
TendonFoot2D: foot, feet, leg, ground, sole, plant, ankle, toe
TendonRagdoll2D: ragdoll, physics, physical bones, fall, death, hit, knockdown, get up, jiggle
TendonCustomModifier2D: script, modification, constraint, procedural
TendonPoseLibrary: pose, poses, asset, clipboard
TendonSkin: skin, mesh, weights, deform, polygon
";

/// `true` if the editor had no cache of the help when it loaded this library.
static IS_FIRST_START: AtomicBool = AtomicBool::new(false);

/// Gives the editor the help of classes again that gdext cannot make as it is to be.
pub(crate) fn load_completed() {
    // The editor's program runs games, too.
    let is_editor = Engine::singleton().is_editor_hint();
    IS_FIRST_START.store(is_editor && !cache_file().exists(), Ordering::Relaxed);
    let is_completed = |page: &String| {
        let class = name_of(page);
        let mut renamed = RENAMED.iter().map(|[of, ..]| of);
        renamed.any(|of| class == Some(of)) || keywords().any(|(of, _)| class == Some(of))
    };
    pages()
        .filter(is_completed)
        .for_each(|it| editor_help::load(&it));
}

/// Loads the help again in the first start of an editor. It has no cache of the help then, makes it on a thread, and
/// leaves out what extensions have loaded before.
#[derive(GodotClass)]
#[class(tool, init, internal, base = EditorPlugin)]
struct TendonHelp {
    base: Base<EditorPlugin>,
}

#[godot_api]
impl IEditorPlugin for TendonHelp {
    #[func(gd_self)]
    fn enter_tree(this: Gd<Self>) {
        if IS_FIRST_START.load(Ordering::Relaxed) {
            look_later(&this);
        }
    }
}

#[godot_api]
impl TendonHelp {
    /// To write the cache is the last that the thread does: once it is there, nothing else uses the help.
    #[func(gd_self)]
    fn look_for_cache(this: Gd<Self>) {
        if cache_file().exists() {
            IS_FIRST_START.store(false, Ordering::Relaxed);
            pages().for_each(|it| editor_help::load(&it));
        } else {
            look_later(&this);
        }
    }
}

fn look_later(plugin: &Gd<TendonHelp>) {
    if let Some(mut timer) = plugin.get_tree().create_timer(PAUSE) {
        let look = Callable::from_object_method(plugin, "look_for_cache");
        timer.connect("timeout", &look);
    }
}

/// Returns the path of the file in which the editor keeps the help of its own classes.
fn cache_file() -> PathBuf {
    let version = Engine::singleton().get_version_info();
    let part = |key: &str| version.get(key).map_or(0, |it| it.to::<i64>());
    let name = format!("editor_doc_cache-{}.{}.res", part("major"), part("minor"));
    let folder = EditorInterface::singleton()
        .get_editor_paths()
        .map_or_else(GString::new, |paths| paths.get_cache_dir());
    Path::new(&folder.to_string()).join(name)
}

/// The page of each class.
fn pages() -> impl Iterator<Item = String> {
    godot::docs::__gather_xml_docs().map(|mut page| {
        for [class, field, property] in RENAMED {
            if name_of(&page) == Some(class) {
                let [field, property] =
                    [field, property].map(|name| format!("<member name=\"{name}\" "));
                page = page.replace(&field, &property);
            }
        }
        for (class, keywords) in keywords() {
            if name_of(&page) == Some(class) {
                let begin = format!("<class name=\"{class}\" ");
                page = page.replacen(&begin, &format!("{begin}keywords=\"{keywords}\" "), 1);
            }
        }
        page
    })
}

/// The classes with their keywords.
fn keywords() -> impl Iterator<Item = (&'static str, &'static str)> {
    KEYWORDS.lines().filter_map(|line| line.split_once(": "))
}

/// The name of the class in its help.
fn name_of(xml: &str) -> Option<&str> {
    let after = xml.split_once("<class name=\"")?.1;
    Some(after.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use std::{env, fs};

    use super::*;

    /// Writes the help of each class as XML into the folder that `TENDON_HELP` names, for
    /// `scripts/manual`. The engine writes the members of an extension's classes (`godot --doctool
    /// --gdextension-docs`), but without their texts.
    ///
    /// It is a test because only a program that contains the crate can ask gdext for the texts. Without
    /// the variable it checks that there are some.
    #[test]
    fn help_is_written() {
        let folder = env::var("TENDON_HELP").ok();
        if let Some(folder) = &folder {
            fs::create_dir_all(folder).expect("the folder can be made");
        }
        let mut count = 0;
        for xml in pages() {
            let class = name_of(&xml).expect("the help names its class");
            if let Some(folder) = &folder {
                let file = Path::new(folder).join(format!("{class}.xml"));
                fs::write(file, &xml).expect("the file can be written");
            }
            count += usize::from(class.starts_with("Tendon"));
        }
        assert!(count >= 7, "there are {count} pages of help");
    }

    #[test]
    fn classes_are_found_by_what_they_are_for() {
        for (class, keywords) in keywords() {
            let page = pages().find(|page| name_of(page) == Some(class));
            let page = page.unwrap_or_else(|| panic!("{class} has no help"));
            assert!(page.contains(&format!(" keywords=\"{keywords}\"")));
        }
    }

    #[test]
    fn renamed_properties_have_their_names() {
        for [class, field, property] in RENAMED {
            let page = pages().find(|page| name_of(page) == Some(class));
            let page = page.expect("the class has help");
            assert!(page.contains(&format!("<member name=\"{property}\" ")));
            assert!(!page.contains(&format!("<member name=\"{field}\" ")));
        }
    }
}

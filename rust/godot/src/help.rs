//! The help of all classes as files, for the manual.
//!
//! The engine writes the members of an extension's classes (`godot --doctool --gdextension-docs`),
//! but without their texts. gdext has the texts. `scripts/manual` joins the two.

use std::path::Path;
use std::{env, fs};

/// Writes the help of each class as XML into the folder that `TENDON_HELP` names.
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
    for xml in godot::docs::__gather_xml_docs() {
        let class = name_of(&xml).expect("the help names its class");
        if let Some(folder) = &folder {
            let file = Path::new(folder).join(format!("{class}.xml"));
            fs::write(file, &xml).expect("the file can be written");
        }
        count += usize::from(class.starts_with("Tendon"));
    }
    assert!(count >= 7, "there are {count} pages of help");
}

/// The name of the class in its help.
fn name_of(xml: &str) -> Option<&str> {
    let after = xml.split_once("<class name=\"")?.1;
    Some(after.split_once('"')?.0)
}

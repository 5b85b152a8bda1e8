//! The help of all classes, as XML: for the editor, and as files for the manual.
//!
//! gdext makes it from the fields and functions. A property whose name is a word of Rust has a field
//! of another name, under which the editor would not find its text.

use tendon_nodes::engine::editor_help;

/// Such properties: the class, the field, and the property.
const RENAMED: [[&str; 3]; 1] = [["TendonSlider2D", "loops", "loop"]];

/// Gives the editor the help of classes with such properties again.
pub(crate) fn load_renamed() {
    let renamed = |page: &String| {
        let class = name_of(page);
        RENAMED.iter().any(|[of, ..]| class == Some(of))
    };
    pages()
        .filter(renamed)
        .for_each(|it| editor_help::load(&it));
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
        page
    })
}

/// The name of the class in its help.
fn name_of(xml: &str) -> Option<&str> {
    let after = xml.split_once("<class name=\"")?.1;
    Some(after.split_once('"')?.0)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
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
    fn renamed_properties_have_their_names() {
        for [class, field, property] in RENAMED {
            let page = pages().find(|page| name_of(page) == Some(class));
            let page = page.expect("the class has help");
            assert!(page.contains(&format!("<member name=\"{property}\" ")));
            assert!(!page.contains(&format!("<member name=\"{field}\" ")));
        }
    }
}

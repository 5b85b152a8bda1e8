//! The names of new nodes, after bones, in the way in which Godot names nodes: `hair` has a `HairSpring`.

/// The name of the node for `what` of the bone called `bone`.
pub fn name_after(bone: &str, what: &str) -> String {
    let words = bone.split(|sign: char| "_-. ".contains(sign));
    let mut name: String = words.map(capitalized).collect();
    name.push_str(what);
    name
}

/// The name of a new modifier of `class` whose last bone is called `bone`.
pub fn new_name(bone: &str, class: &str) -> String {
    let kind = class.strip_prefix("Tendon").unwrap_or(class);
    name_after(bone, kind.strip_suffix("2D").unwrap_or(kind))
}

/// `name`, or, if that is not free, with the first number from 2 on with which it is, after `gap`.
pub fn first_free(name: &str, gap: &str, is_free: impl FnMut(&String) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}{gap}{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(is_free).unwrap_or_default()
}

/// With a capital at the beginning. The rest stays: it may have capitals of its own.
fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_godot_does() {
        assert_eq!(name_after("hair", "Spring"), "HairSpring");
        assert_eq!(name_after("lower_arm.l", "Target"), "LowerArmLTarget");
        assert_eq!(name_after("FrontShin", "Tip"), "FrontShinTip");
        assert_eq!(name_after("_öhr 2", ""), "Öhr2");
        assert_eq!(new_name("bone2D", "TendonCCDIK2D"), "Bone2DCCDIK");
    }
}

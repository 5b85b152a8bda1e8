//! Left and right in the names of bones, as the project setting says.

use crate::refusal::Refusal;
use godot::classes::ProjectSettings;
use godot::prelude::*;

/// The project setting with the words for the sides.
const SETTING: &str = "tendon/posing/side_names";

/// The value of the setting unless the user changes it: the most likely first.
const DEFAULT: [&str; 5] = ["Left/Right", "left/right", "LEFT/RIGHT", "L/R", "l/r"];

/// The words for the sides: left and right.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SideNames(Vec<[String; 2]>);

/// Has the project settings show the setting.
pub(in crate::posing) fn register_setting() {
    let mut settings = ProjectSettings::singleton();
    let default = DEFAULT.into_iter().map(GString::from);
    let default = default.collect::<PackedStringArray>().to_variant();
    if !settings.has_setting(SETTING) {
        settings.set_setting(SETTING, &default);
    }
    settings.set_initial_value(SETTING, &default);
    settings.set_as_basic(SETTING, true);
}

impl SideNames {
    /// Those of the project.
    ///
    /// # Errors
    /// Returns an error that says what is wrong with the setting, with advice what to do.
    pub(super) fn of_project() -> Result<Self, Refusal> {
        let settings = ProjectSettings::singleton();
        if !settings.has_setting(SETTING) {
            return Ok(Self::default());
        }
        let pairs = settings.get_setting(SETTING);
        let pairs = pairs.try_to_relaxed::<PackedStringArray>();
        let pairs = pairs.map_err(|_| wrong("It"))?;
        let pairs: Vec<_> = pairs.as_slice().iter().map(GString::to_string).collect();
        Self::parse(pairs.iter().map(String::as_str))
    }

    fn parse<'a>(pairs: impl Iterator<Item = &'a str>) -> Result<Self, Refusal> {
        let pairs = pairs.map(|pair| match pair.split('/').collect::<Vec<_>>()[..] {
            [left, right] if !left.is_empty() && !right.is_empty() && left != right => {
                Ok([left.to_string(), right.to_string()])
            }
            _ => Err(wrong(&format!("\"{pair}\""))),
        });
        Ok(Self(pairs.collect::<Result<_, _>>()?))
    }

    /// Returns the names that `name` may have on the other side: the most likely first, and none if the name has no
    /// side.
    pub(super) fn other_side(&self, name: &str) -> Vec<String> {
        let pairs = self.0.iter();
        let pairs = pairs.flat_map(|[left, right]| [(left, right), (right, left)]);
        let names = pairs.flat_map(|(from, to)| {
            let places = name.match_indices(from.as_str());
            let places = places.filter(|&(place, _)| stands_alone(name, place, from));
            places.map(move |(place, _)| {
                format!("{}{to}{}", &name[..place], &name[place + from.len()..])
            })
        });
        names.collect()
    }
}

impl Default for SideNames {
    fn default() -> Self {
        Self::parse(DEFAULT.into_iter()).expect("these are pairs")
    }
}

fn wrong(what: &str) -> String {
    format!(
        "{what} is no pair of sides. Write left and right with a slash between them in the project setting \
         {SETTING}, as \"Left/Right\"."
    )
}

/// Returns `true` if the word at `place` is not a part of another one. A word that begins or ends with a separator, as
/// "_l", needs none there.
fn stands_alone(name: &str, place: usize, word: &str) -> bool {
    let before = name[..place].chars().next_back();
    let after = name[place + word.len()..].chars().next();
    let core = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    if core.is_empty() {
        return true;
    }
    let begins = !word.starts_with(core) || begins_alone(before, core);
    begins && (!word.ends_with(core) || ends_alone(after, core))
}

/// Returns `true` if `core`, letters or digits, begins a word after `before`.
fn begins_alone(before: Option<char>, core: &str) -> bool {
    let is = |test: fn(char) -> bool| before.is_some_and(test);
    match (is_single(core), case_of(core)) {
        // "arm_L", and "armL".
        (true, LetterCase::Title | LetterCase::Upper) => {
            !is(char::is_alphanumeric) || is(char::is_lowercase)
        }
        (_, LetterCase::None) => true,
        (true, _) => !is(char::is_alphanumeric),
        (_, LetterCase::Title) => true,
        (_, LetterCase::Upper) => !is(char::is_uppercase),
        // "leftArm", and not "bright".
        (_, LetterCase::Lower) => !is(char::is_alphabetic),
    }
}

/// Returns `true` if `core` ends a word before `after`.
fn ends_alone(after: Option<char>, core: &str) -> bool {
    let is = |test: fn(char) -> bool| after.is_some_and(test);
    match (is_single(core), case_of(core)) {
        (_, LetterCase::None) => true,
        (true, _) => !is(char::is_alphanumeric),
        (_, LetterCase::Upper) => !is(char::is_alphabetic),
        // "LeftArm" and "ArmLeft".
        (_, LetterCase::Title | LetterCase::Lower) => !is(char::is_lowercase),
    }
}

/// The case of the letters of a word.
enum LetterCase {
    Title,
    Upper,
    Lower,
    /// In letters that have no case, as in Chinese.
    None,
}

fn case_of(core: &str) -> LetterCase {
    let begins_upper = core.starts_with(char::is_uppercase);
    match core.chars().any(char::is_lowercase) {
        true if begins_upper => LetterCase::Title,
        true => LetterCase::Lower,
        false if begins_upper => LetterCase::Upper,
        false => LetterCase::None,
    }
}

fn is_single(core: &str) -> bool {
    core.chars().count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other_side(name: &str) -> Vec<String> {
        SideNames::default().other_side(name)
    }

    fn other(pairs: &[&str], name: &str) -> Option<String> {
        let names = SideNames::parse(pairs.iter().copied()).expect("are pairs");
        names.other_side(name).into_iter().next()
    }

    #[test]
    fn names_can_be_set() {
        let pairs = [
            "_l/_r",
            "vorn/hinten",
            "Links/Rechts",
            "左/右",
            "left_/right_",
        ];
        let cases = [
            ("arm_l", "arm_r"),
            ("arm_l.001", "arm_r.001"),
            ("vornArm", "hintenArm"),
            ("ArmLinks", "ArmRechts"),
            ("左手", "右手"),
            ("left_arm", "right_arm"),
        ];
        for (left, right) in cases {
            assert_eq!(other(&pairs, left).as_deref(), Some(right));
            assert_eq!(other(&pairs, right).as_deref(), Some(left));
        }
        for name in ["arm_lower", "Flinks", "vornehm", "ArmL"] {
            assert_eq!(other(&pairs, name), None, "{name}");
        }
    }

    #[test]
    fn what_is_no_pair_is_told() {
        for pair in ["left", "", "left/", "/right", "a/a", "a/b/c"] {
            let told = SideNames::parse([pair].into_iter()).expect_err("is no pair");
            assert!(told.contains("side_names"), "{told}");
        }
    }

    #[test]
    fn sides_are_found_in_names() {
        let pairs = [
            ("LeftArm", "RightArm"),
            ("ArmLeft", "ArmRight"),
            ("leftArm", "rightArm"),
            ("arm_left", "arm_right"),
            ("left arm", "right arm"),
            ("LEFT_ARM", "RIGHT_ARM"),
            ("Arm_L", "Arm_R"),
            ("Arm.l", "Arm.r"),
            ("arm-l", "arm-r"),
            ("L_Arm", "R_Arm"),
            ("l.arm", "r.arm"),
            ("Arm_L_2", "Arm_R_2"),
            ("Arm.L.001", "Arm.R.001"),
            ("ArmL", "ArmR"),
            ("ArmLeft2", "ArmRight2"),
            ("LeftArm/Hand", "RightArm/Hand"),
        ];
        for (left, right) in pairs {
            assert_eq!(other_side(left).first().map(String::as_str), Some(right));
            assert_eq!(other_side(right).first().map(String::as_str), Some(left));
        }
    }

    #[test]
    fn other_names_have_no_side() {
        let names = [
            "Spine",
            "Bright",
            "bright",
            "Copyright",
            "upright",
            "Leftover",
            "leftovers",
            "Tail",
            "Collar",
            "HDR",
            "ear",
            "Rear",
            "Ünder",
            "",
        ];
        for name in names {
            assert_eq!(other_side(name), [""; 0], "{name}");
        }
    }
}

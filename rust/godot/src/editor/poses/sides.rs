//! Left and right in the names of bones.

/// The words for the sides, as they are written.
const WORDS: [[&str; 2]; 3] = [["Left", "Right"], ["left", "right"], ["LEFT", "RIGHT"]];
const LETTERS: [[&str; 2]; 2] = [["L", "R"], ["l", "r"]];

/// What `name` may be called on the other side: the most likely first, and none if the name has no side.
pub(super) fn other_side(name: &str) -> Vec<String> {
    let pairs = WORDS.iter().chain(&LETTERS);
    let pairs = pairs.flat_map(|&[left, right]| [(left, right), (right, left)]);
    let names = pairs.flat_map(|(from, to)| {
        let places = name.match_indices(from);
        let places = places.filter(|&(place, _)| stands_alone(name, place, from));
        places
            .map(move |(place, _)| format!("{}{to}{}", &name[..place], &name[place + from.len()..]))
    });
    names.collect()
}

/// Whether the word at `place` is not a part of another one.
fn stands_alone(name: &str, place: usize, word: &str) -> bool {
    let before = name[..place].chars().next_back();
    let after = name[place + word.len()..].chars().next();
    let is_separated = |next: Option<char>| next.is_none_or(|it| !it.is_alphanumeric());
    let is = |next: Option<char>, test: fn(char) -> bool| next.is_some_and(test);
    let begins_upper = word.starts_with(char::is_uppercase);
    match (word.len(), begins_upper) {
        // "arm_l", and "armL" at the end.
        (1, true) => {
            let begins = is_separated(before) || is(before, char::is_lowercase);
            begins && is_separated(after)
        }
        (1, false) => is_separated(before) && is_separated(after),
        // "LeftArm" and "ArmLeft".
        (_, true) if word.ends_with(char::is_lowercase) => !is(after, char::is_lowercase),
        (_, true) => !is(before, char::is_uppercase) && !is(after, char::is_alphabetic),
        // "leftArm", and not "bright".
        (_, false) => !is(before, char::is_alphabetic) && !is(after, char::is_lowercase),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

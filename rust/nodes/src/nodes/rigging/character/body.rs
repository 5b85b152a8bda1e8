//! Which bones are arms, legs, a head, and what hangs: by their names, and by pairs of lines that are alike.

/// A bone: what its name says, and where it is. Its parent comes before it.
pub(super) struct BodyBone {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) length: f32,
}

/// A part of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::nodes::rigging) enum Part {
    Arm,
    Leg,
    Head,
    /// Tails, hair, ears, capes.
    Hanging,
    /// Two or three bones that stand out, whatever they are.
    Limb,
}

/// Bones that become one modifier, root first.
#[derive(Debug, PartialEq)]
pub(super) struct Found {
    pub(super) part: Part,
    pub(super) bones: Vec<usize>,
}

/// Words for a part, each of which a bone of it may be called: in English, German, French, Spanish, Italian and
/// Portuguese.
const ARM: &[&str] = &[
    "arm",
    "upperarm",
    "forearm",
    "lowerarm",
    "elbow",
    "hand",
    "wrist",
    "oberarm",
    "unterarm",
    "ellbogen",
    "bras",
    "avantbras",
    "coude",
    "main",
    "brazo",
    "antebrazo",
    "codo",
    "mano",
    "braccio",
    "avambraccio",
    "braço",
    "braco",
    "antebraço",
    "antebraco",
    "mão",
    "mao",
];
const LEG: &[&str] = &[
    "leg",
    "upperleg",
    "lowerleg",
    "upleg",
    "thigh",
    "shin",
    "calf",
    "knee",
    "foot",
    "ankle",
    "bein",
    "oberschenkel",
    "unterschenkel",
    "schenkel",
    "knie",
    "fuss",
    "fuß",
    "jambe",
    "cuisse",
    "mollet",
    "genou",
    "pied",
    "pierna",
    "muslo",
    "pantorrilla",
    "rodilla",
    "pie",
    "gamba",
    "coscia",
    "piede",
    "perna",
    "coxa",
    "pé",
];
const HEAD: &[&str] = &[
    "head", "kopf", "tête", "tete", "cabeza", "testa", "cabeça", "cabeca",
];
const NECK: &[&str] = &[
    "neck", "hals", "cou", "cuello", "collo", "pescoço", "pescoco",
];
const HANGING: &[&str] = &[
    "tail", "ponytail", "pigtail", "hair", "braid", "bang", "bangs", "ear", "cape", "cloak",
    "scarf", "skirt", "antenna", "whisker", "ribbon", "rope", "schwanz", "haar", "haare", "zopf",
    "ohr", "umhang", "schal", "rock", "fühler", "queue", "cheveux", "tresse", "oreille", "écharpe",
    "jupe", "cola", "pelo", "trenza", "oreja", "capa", "bufanda", "falda", "coda", "capelli",
    "orecchio", "mantello", "rabo", "cabelo", "orelha",
];

/// By how much two lines may differ that are taken for a pair, as a part of their length.
const ALIKE: f32 = 0.25;

/// What is found in `bones`, in the order of their roots, and the first bones of lines that say nothing.
pub(super) fn find(bones: &[BodyBone]) -> (Vec<Found>, Vec<usize>) {
    let body = Body::of(bones);
    let mut found: Vec<Found> = (0..bones.len())
        .filter_map(|bone| body.part_at(bone))
        .collect();
    found.retain(|it| it.bones.len() > 1 || !matches!(it.part, Part::Arm | Part::Leg));
    let is_taken = |bone: usize| found.iter().any(|it| it.bones.contains(&bone));
    let mut free: Vec<_> = body.free_lines(is_taken);
    let pairs = body.pairs(&free);
    free.retain(|line| !pairs.iter().any(|pair| pair.bones[0] == line[0]));
    found.extend(pairs);
    found.sort_by_key(|it| it.bones[0]);
    (found, free.iter().map(|line| line[0]).collect())
}

/// The bones with what their names say.
struct Body<'a> {
    bones: &'a [BodyBone],
    parts: Vec<Option<Part>>,
}

impl<'a> Body<'a> {
    fn of(bones: &'a [BodyBone]) -> Self {
        let parts = bones.iter().map(|bone| part_of(&bone.name));
        let parts = parts.collect();
        Self { bones, parts }
    }

    fn children(&self, bone: usize) -> impl Iterator<Item = usize> {
        let bones = self.bones.iter().enumerate();
        let children = bones.filter(move |(_, other)| other.parent == Some(bone));
        children.map(|(index, _)| index)
    }

    /// The part whose first bone by its name is `bone`.
    fn part_at(&self, bone: usize) -> Option<Found> {
        let part = self.parts[bone]?;
        let parent = self.bones[bone].parent;
        let continues = parent.is_some_and(|parent| self.parts[parent] == Some(part));
        let bones = match part {
            _ if continues => return None,
            Part::Head => self.head(bone),
            Part::Hanging => self.line_from(bone, part),
            Part::Arm | Part::Leg | Part::Limb => self.limb(bone, part),
        };
        Some(Found { part, bones })
    }

    /// The head, and the neck that carries it.
    fn head(&self, head: usize) -> Vec<usize> {
        let neck = self.bones[head].parent;
        let neck = neck.filter(|&neck| is_one_of(&words(&self.bones[neck].name), NECK));
        neck.into_iter().chain([head]).collect()
    }

    /// The bones of a limb: two that reach, and the one at their end. Where only the end has a name, the two above.
    fn limb(&self, bone: usize, part: Part) -> Vec<usize> {
        let mut line = self.line_from(bone, part);
        line.truncate(3);
        while line.len() < 3
            && let Some(above) = self.bones[line[0]].parent
            && self.parts[above].is_none()
            && self.children(above).count() == 1
            && self.bones[above].parent.is_some()
        {
            line.insert(0, above);
        }
        line
    }

    /// From `bone` on down: bones of the same part, or that say nothing, always the one with most below.
    fn line_from(&self, bone: usize, part: Part) -> Vec<usize> {
        let mut line = vec![bone];
        let fits = |&child: &usize| self.parts[child].is_none_or(|it| it == part);
        while let Some(next) = line.last().and_then(|&last| {
            self.children(last)
                .filter(fits)
                .max_by_key(|&it| self.depth(it))
        }) {
            line.push(next);
        }
        line
    }

    fn depth(&self, bone: usize) -> usize {
        let depths = self.children(bone).map(|child| self.depth(child));
        1 + depths.max().unwrap_or_default()
    }

    /// The lines from a branch to an end without a bone that is taken.
    fn free_lines(&self, is_taken: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
        let ends = (0..self.bones.len()).filter(|&bone| self.children(bone).next().is_none());
        let lines = ends.filter_map(|end| {
            let mut line = vec![end];
            while let Some(above) = self.bones[line[0]].parent
                && self.children(above).count() == 1
                && self.bones[above].parent.is_some()
            {
                line.insert(0, above);
            }
            let hangs_on_taken = self.bones[line[0]].parent.is_some_and(&is_taken);
            let is_free = !hangs_on_taken && !line.iter().any(|&bone| is_taken(bone));
            is_free.then_some(line)
        });
        lines.collect()
    }

    /// Those of `lines` that have a twin on the same bone.
    fn pairs(&self, lines: &[Vec<usize>]) -> Vec<Found> {
        let length = |line: &[usize]| line.iter().map(|&it| self.bones[it].length).sum::<f32>();
        let is_twin = |line: &Vec<usize>, other: &Vec<usize>| {
            let parents = [line, other].map(|line| self.bones[line[0]].parent);
            let (own, others) = (length(line), length(other));
            line[0] != other[0]
                && parents[0] == parents[1]
                && line.len() == other.len()
                && (own - others).abs() <= ALIKE * own.max(others)
        };
        let limbs = lines.iter().filter(|line| (2..=3).contains(&line.len()));
        let limbs = limbs.filter(|line| lines.iter().any(|other| is_twin(line, other)));
        let found = limbs.map(|line| Found {
            part: Part::Limb,
            bones: line.clone(),
        });
        found.collect()
    }
}

fn part_of(name: &str) -> Option<Part> {
    let words = words(name);
    let parts = [
        (HANGING, Part::Hanging),
        (HEAD, Part::Head),
        (ARM, Part::Arm),
        (LEG, Part::Leg),
    ];
    let mut parts = parts.into_iter();
    let found = parts.find(|(list, _)| is_one_of(&words, list));
    found.map(|(_, part)| part)
}

/// Whether one of `words`, or two in a row, is in `list`.
fn is_one_of(words: &[String], list: &[&str]) -> bool {
    let pairs = words.windows(2).map(|pair| pair.concat());
    let mut all = words.iter().cloned().chain(pairs);
    all.any(|word| list.contains(&word.as_str()))
}

/// The words of a name, in lower case: "LeftUpper_arm2" has four.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = ' ';
    for letter in name.chars() {
        let begins = letter.is_uppercase() && last.is_lowercase();
        let differs = letter.is_numeric() != last.is_numeric();
        if begins || differs || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words
                .last_mut()
                .expect("has one")
                .extend(letter.to_lowercase());
        }
        last = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bones(names: &[(&str, Option<usize>)]) -> Vec<BodyBone> {
        let bones = names.iter().map(|&(name, parent)| BodyBone {
            name: name.into(),
            parent,
            length: 10.0,
        });
        bones.collect()
    }

    fn parts(names: &[(&str, Option<usize>)]) -> (Vec<(Part, Vec<usize>)>, Vec<usize>) {
        let (found, unknown) = find(&bones(names));
        (
            found.into_iter().map(|it| (it.part, it.bones)).collect(),
            unknown,
        )
    }

    #[test]
    fn names_have_words() {
        assert_eq!(words("LeftUpper_arm2"), ["left", "upper", "arm", "2"]);
        assert_eq!(words("arm.L.001"), ["arm", "l", "001"]);
        assert_eq!(words("Fuß"), ["fuß"]);
        assert_eq!(words("Armature"), ["armature"]);
    }

    #[test]
    fn a_character_is_found_by_its_names() {
        let (found, unknown) = parts(&[
            ("Hips", None),
            ("Spine", Some(0)),
            ("Neck", Some(1)),
            ("Head", Some(2)),
            ("Hair1", Some(3)),
            ("Hair2", Some(4)),
            ("LeftUpperArm", Some(1)),
            ("LeftForearm", Some(6)),
            ("LeftHand", Some(7)),
            ("Finger", Some(8)),
            ("thigh.l", Some(0)),
            ("shin.l", Some(10)),
            ("Belt", Some(0)),
        ]);
        assert_eq!(
            found,
            [
                (Part::Head, vec![2, 3]),
                (Part::Hanging, vec![4, 5]),
                (Part::Arm, vec![6, 7, 8]),
                (Part::Leg, vec![10, 11]),
            ]
        );
        assert_eq!(unknown, [12]);
    }

    #[test]
    fn other_languages_and_ends_that_have_a_name_alone() {
        let (found, unknown) = parts(&[
            ("Rumpf", None),
            ("Kopf", Some(0)),
            ("a", Some(0)),
            ("b", Some(2)),
            ("Hand_L", Some(3)),
            ("OberschenkelRechts", Some(0)),
            ("UnterschenkelRechts", Some(5)),
            ("Schwanz", Some(0)),
        ]);
        assert_eq!(
            found,
            [
                (Part::Head, vec![1]),
                (Part::Arm, vec![2, 3, 4]),
                (Part::Leg, vec![5, 6]),
                (Part::Hanging, vec![7]),
            ]
        );
        assert_eq!(unknown, [0; 0]);
    }

    #[test]
    fn lines_without_names_are_limbs_if_they_have_a_twin() {
        let (found, unknown) = parts(&[
            ("0", None),
            ("1", Some(0)),
            ("2", Some(1)),
            ("3", Some(0)),
            ("4", Some(3)),
            ("5", Some(0)),
            ("6", Some(5)),
            ("7", Some(6)),
        ]);
        assert_eq!(found, [(Part::Limb, vec![1, 2]), (Part::Limb, vec![3, 4])]);
        assert_eq!(unknown, [5]);
    }

    #[test]
    fn one_bone_is_no_limb() {
        let (found, unknown) = parts(&[("Body", None), ("Arm", Some(0)), ("Armour", Some(0))]);
        assert!(found.is_empty());
        assert_eq!(unknown, [1, 2]);
    }
}

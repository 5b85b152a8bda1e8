//! Which bones are arms, legs, a head, and what hangs: by their names, and by pairs of lines that are alike.

use godot::prelude::*;

use super::names::{FEET, NECK, Role, is_one_of, part_of, words};

/// A bone: what its name says, and where it is. Its parent comes before it.
pub(in crate::nodes::rigging) struct BodyBone {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// Its joint and its end at rest, in coordinates whose Y axis points to the ground.
    pub(super) place: Vector2,
    pub(super) end: Vector2,
}

impl BodyBone {
    fn length(&self) -> f32 {
        self.place.distance_to(self.end)
    }
}

/// Bones that become one modifier, root first.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::nodes::rigging) struct FoundPart {
    pub(in crate::nodes::rigging) part: Role,
    pub(in crate::nodes::rigging) bones: Vec<usize>,
    /// The number of these that reach, if it is a limb. The one after them is the hand or the foot.
    pub(in crate::nodes::rigging) reaching: usize,
}

/// The greatest difference of the lengths of two lines that are taken for a pair, as a part of the longer one.
const ALIKE: f32 = 0.25;

/// A foot is shorter than this part of the bone above, and goes down by less than this part of its length.
const SHORT: f32 = 0.7;
const LYING: f32 = 0.7;

/// A leg comes down by this part of the height of its root at least.
const STANDING: f32 = 2.0 / 3.0;

/// Lines below a branch are toes if they are shorter than this part of what is above it.
const TOES: f32 = 0.5;

/// Returns the parts that are found in `bones`, in the order of their roots, and the others that carry nothing of it:
/// those that say nothing, and then those that hang on what is found.
pub(in crate::nodes::rigging) fn find(bones: &[BodyBone]) -> (Vec<FoundPart>, [Vec<usize>; 2]) {
    let body = NamedBones::of(bones);
    let mut found: Vec<FoundPart> = (0..bones.len())
        .filter_map(|bone| body.part_at(bone))
        .collect();
    found.retain(|it| it.bones.len() > 1 || !matches!(it.part, Role::Arm | Role::Leg));
    let is_taken = |bone: usize| found.iter().any(|it| it.bones.contains(&bone));
    let free = body.free_lines(is_taken);
    let pairs = body.pairs(&free);
    found.extend(pairs);
    found.sort_by_key(|it| it.bones[0]);
    let is_taken = |bone: &usize| found.iter().any(|it| it.bones.contains(bone));
    let above = |bone: usize| std::iter::successors(bones[bone].parent, |&bone| bones[bone].parent);
    let carries = |bone: usize| {
        let mut taken = found.iter().map(|it| it.bones[0]);
        taken.any(|it| above(it).any(|it| it == bone))
    };
    let others = (1..bones.len()).filter(|bone| !is_taken(bone) && !carries(*bone));
    let (hanging, unknown) = others.partition(|&bone| above(bone).any(|it| is_taken(&it)));
    (found, [unknown, hanging])
}

/// The bones with what their names say.
struct NamedBones<'a> {
    bones: &'a [BodyBone],
    parts: Vec<Option<Role>>,
}

impl<'a> NamedBones<'a> {
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
    fn part_at(&self, bone: usize) -> Option<FoundPart> {
        let part = self.parts[bone]?;
        let parent = self.bones[bone].parent;
        let continues = parent.is_some_and(|parent| self.parts[parent] == Some(part));
        match part {
            _ if continues => None,
            Role::Head => Some(FoundPart::whole(part, self.head(bone))),
            Role::Hanging => Some(FoundPart::whole(part, self.line_from(bone, part))),
            Role::Arm | Role::Leg | Role::Limb => Some(self.limb(bone, part)),
        }
    }

    /// The head, and the neck that carries it.
    fn head(&self, head: usize) -> Vec<usize> {
        let neck = self.bones[head].parent;
        let neck = neck.filter(|&neck| is_one_of(&words(&self.bones[neck].name), NECK));
        neck.into_iter().chain([head]).collect()
    }

    /// A limb: the bones that reach, and the one at their end. Where only the end has a name, the two above.
    fn limb(&self, bone: usize, part: Role) -> FoundPart {
        let mut line = self.line_from(bone, part);
        let named = |&bone: &usize| is_one_of(&words(&self.bones[bone].name), FEET);
        let lacks = |line: &[usize]| {
            let foot = line.iter().position(named).filter(|_| part == Role::Leg);
            line.len() < 3 || foot.is_some_and(|foot| foot < 2)
        };
        while lacks(&line)
            && let Some(above) = self.bones[line[0]].parent
            && self.parts[above].is_none()
            && self.children(above).count() == 1
            && self.bones[above].parent.is_some()
        {
            line.insert(0, above);
        }
        self.limb_along(line, part)
    }

    /// The limb of the bones `line`. An arm reaches by two of them.
    fn limb_along(&self, mut line: Vec<usize>, part: Role) -> FoundPart {
        let reaching = match part {
            Role::Leg => self.reaching(&line),
            _ => line.len().min(2),
        };
        line.truncate(reaching + 1);
        FoundPart {
            part,
            bones: line,
            reaching,
        }
    }

    /// Returns the number of bones of a leg that reach: those above its foot, two or more; all, if it has none.
    fn reaching(&self, line: &[usize]) -> usize {
        let mut ends = 2..line.len();
        let named = |&index: &usize| is_one_of(&words(&self.bones[line[index]].name), FEET);
        let foot = ends.clone().find(named);
        foot.or_else(|| ends.find(|&index| self.is_foot(line, index)))
            .unwrap_or(line.len())
    }

    /// Returns `true` if the bone at `index` of a leg is a foot by its shape: shorter than the bone above, and it lies
    /// rather than stands, unless it is the last one.
    fn is_foot(&self, line: &[usize], index: usize) -> bool {
        let [above, foot] = [index - 1, index].map(|index| &self.bones[line[index]]);
        let lies = (foot.end.y - foot.place.y).abs() < LYING * foot.length();
        foot.length() < SHORT * above.length() && (lies || index + 1 == line.len())
    }

    /// From `bone` on down: bones of the same part, or that say nothing, always the one with most below.
    fn line_from(&self, bone: usize, part: Role) -> Vec<usize> {
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
    fn pairs(&self, lines: &[Vec<usize>]) -> Vec<FoundPart> {
        let length = |line: &[usize]| line.iter().map(|&it| self.bones[it].length()).sum::<f32>();
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
        let found = limbs.map(|line| {
            let part = match self.stands(line) {
                true => Role::Leg,
                false => Role::Limb,
            };
            self.limb_along(line.clone(), part)
        });
        found.collect()
    }

    /// Returns `true` if `line` reaches down to the ground, or nearly: to less than a third of the height of its root
    /// at rest.
    fn stands(&self, line: &[usize]) -> bool {
        let ground = self.bones.iter().map(|bone| bone.end.y);
        let ground = ground.fold(f32::NEG_INFINITY, f32::max);
        let root = self.bones[line[0]].place.y;
        let lowest = line.iter().map(|&bone| self.bones[bone].end.y);
        let lowest = lowest.fold(f32::NEG_INFINITY, f32::max);
        ground > root && lowest - root > STANDING * (ground - root)
    }

    /// The legs that names do not tell: below the first bone, or below what carries several lines as a chest does. A leg
    /// has two bones or more, stands, and is called nothing else.
    fn standing_lines(&self, bone: usize) -> Vec<FoundPart> {
        let lines = self.children(bone).flat_map(|child| {
            if self.is_trunk(child) {
                return self.standing_lines(child);
            }
            let line = self.longest_line(child);
            let is_leg = line.len() > 1
                && line.iter().all(|&bone| self.parts[bone].is_none())
                && self.stands(&line);
            match is_leg {
                true => vec![self.limb_along(line, Role::Leg)],
                false => Vec::new(),
            }
        });
        lines.collect()
    }

    /// Returns `true` if `bone` or one below it carries two lines of several bones, which are no toes.
    fn is_trunk(&self, bone: usize) -> bool {
        self.branch_below(bone, 0.0)
    }

    fn branch_below(&self, bone: usize, above: f32) -> bool {
        let is_line = |&child: &usize| {
            let line = self.longest_line(child);
            let length: f32 = line.iter().map(|&bone| self.bones[bone].length()).sum();
            line.len() > 1 && length > TOES * above
        };
        let above_child =
            |child: usize| above + self.bones[bone].place.distance_to(self.bones[child].place);
        self.children(bone).filter(is_line).count() > 1
            || self
                .children(bone)
                .any(|child| self.branch_below(child, above_child(child)))
    }

    fn longest_line(&self, bone: usize) -> Vec<usize> {
        let lines = self.children(bone).map(|child| self.longest_line(child));
        let longest = lines.reduce(|one, other| if other.len() > one.len() { other } else { one });
        [bone]
            .into_iter()
            .chain(longest.into_iter().flatten())
            .collect()
    }
}

impl FoundPart {
    fn whole(part: Role, bones: Vec<usize>) -> Self {
        let reaching = bones.len();
        Self {
            part,
            bones,
            reaching,
        }
    }
}

/// The legs below the first of `bones`, the pelvis: those that names tell, or else those that stand.
pub(in crate::nodes::rigging) fn find_legs(bones: &[BodyBone]) -> Vec<FoundPart> {
    let (mut named, _) = find(bones);
    let body = NamedBones::of(bones);
    let says_leg = |it: &FoundPart| {
        it.bones
            .iter()
            .any(|&bone| body.parts[bone] == Some(Role::Leg))
    };
    named.retain(|it| it.part == Role::Leg && says_leg(it) && it.bones[0] > 0);
    match named.is_empty() {
        true => body.standing_lines(0),
        false => named,
    }
}

/// Returns the number of `bones`, the line of a leg from its first bone on, that reach.
pub(in crate::nodes::rigging) fn reaching(bones: &[BodyBone]) -> usize {
    let line: Vec<_> = (0..bones.len()).collect();
    NamedBones::of(bones).reaching(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bones(names: &[(&str, Option<usize>)]) -> Vec<BodyBone> {
        let bones = names.iter().map(|&(name, parent)| BodyBone {
            name: name.into(),
            parent,
            place: Vector2::ZERO,
            end: Vector2::new(10.0, 0.0),
        });
        bones.collect()
    }

    fn parts(names: &[(&str, Option<usize>)]) -> (Vec<(Role, Vec<usize>)>, Vec<usize>) {
        let (found, [unknown, _]) = find(&bones(names));
        (
            found.into_iter().map(|it| (it.part, it.bones)).collect(),
            unknown,
        )
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
                (Role::Head, vec![2, 3]),
                (Role::Hanging, vec![4, 5]),
                (Role::Arm, vec![6, 7, 8]),
                (Role::Leg, vec![10, 11]),
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
                (Role::Head, vec![1]),
                (Role::Arm, vec![2, 3, 4]),
                (Role::Leg, vec![5, 6]),
                (Role::Hanging, vec![7]),
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
        assert_eq!(found, [(Role::Limb, vec![1, 2]), (Role::Limb, vec![3, 4])]);
        assert_eq!(unknown, [5, 6, 7]);
    }

    #[test]
    fn one_bone_is_no_limb() {
        let (found, unknown) = parts(&[("Body", None), ("Arm", Some(0)), ("Armour", Some(0))]);
        assert!(found.is_empty());
        assert_eq!(unknown, [1, 2]);
    }

    #[test]
    fn what_hangs_on_a_limb_beyond_its_end_is_told() {
        let (_, [unknown, hanging]) = find(&bones(&[
            ("core", None),
            ("arm_0", Some(0)),
            ("arm_1", Some(1)),
            ("arm_2", Some(2)),
            ("grip", Some(3)),
            ("finger", Some(4)),
        ]));
        assert_eq!(unknown, [0; 0]);
        assert_eq!(hanging, [4, 5]);
    }
}

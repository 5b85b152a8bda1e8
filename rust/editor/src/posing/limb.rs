//! Which bones belong to a limb, as a drag turns them.

/// A bone of a skeleton, with what limits a limb. Parents come first.
pub(super) struct LimbBone {
    pub(super) parent: Option<usize>,
    pub(super) hold: AngleHold,
}

/// The hold that keeps a bone from turning with a limb.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum AngleHold {
    Free,
    /// It is pinned at a place, and turns about that.
    Place,
    /// It is pinned with its angle, and the limb ends below it.
    Angle,
    /// A modifier turns it towards a target.
    Driven,
}

/// The bones that turn while `bone` is pulled, root first: those from `bone` up to the first one that
/// has another bone beside it on its parent. With a pinned bone above, it is all up to that one. What is pulled
/// itself is not held by its pin.
pub(super) fn limb_of(joints: &[LimbBone], bone: usize) -> Vec<usize> {
    let mut limb = Vec::new();
    let mut ends_at_pin = false;
    for index in std::iter::successors(Some(bone), |&index| joints[index].parent) {
        let hold = joints[index].hold;
        ends_at_pin = index != bone && [AngleHold::Place, AngleHold::Angle].contains(&hold);
        if hold == AngleHold::Driven || ends_at_pin && hold == AngleHold::Angle {
            break;
        }
        limb.push(index);
        if ends_at_pin {
            break;
        }
    }
    if !ends_at_pin {
        let branch = limb
            .iter()
            .position(|&index| is_beside_others(joints, index));
        limb.truncate(branch.map_or(limb.len(), |branch| branch + 1));
    }
    limb.reverse();
    limb
}

/// Returns `true` if another bone hangs on the parent of the bone `index`.
fn is_beside_others(joints: &[LimbBone], index: usize) -> bool {
    let parent = joints[index].parent;
    joints.iter().filter(|joint| joint.parent == parent).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hips (0) carry a spine of two (1, 2) and a leg of two (3, 4); the chest (2) carries a head (5)
    /// and an arm of three (6, 7, 8).
    fn character() -> Vec<LimbBone> {
        let parents = [
            None,
            Some(0),
            Some(1),
            Some(0),
            Some(3),
            Some(2),
            Some(2),
            Some(6),
            Some(7),
        ];
        let joint = |&parent: &Option<usize>| LimbBone {
            parent,
            hold: AngleHold::Free,
        };
        parents.iter().map(joint).collect()
    }

    #[test]
    fn a_limb_goes_up_to_the_branch() {
        let joints = character();
        assert_eq!(limb_of(&joints, 8), [6, 7, 8]);
        assert_eq!(limb_of(&joints, 4), [3, 4]);
        assert_eq!(limb_of(&joints, 2), [1, 2]);
        assert_eq!(limb_of(&joints, 5), [5]);
        assert_eq!(limb_of(&joints, 0), [0]);
    }

    #[test]
    fn a_limb_goes_up_to_a_pin_even_beyond_a_branch() {
        let mut joints = character();
        joints[0].hold = AngleHold::Angle;
        assert_eq!(limb_of(&joints, 8), [1, 2, 6, 7, 8]);
        joints[6].hold = AngleHold::Angle;
        assert_eq!(limb_of(&joints, 8), [7, 8]);
        joints[7].hold = AngleHold::Place;
        assert_eq!(limb_of(&joints, 8), [7, 8]);
        joints[8].hold = AngleHold::Angle;
        assert_eq!(limb_of(&joints, 8), [7, 8]);
    }

    #[test]
    fn a_limb_ends_below_what_a_modifier_turns() {
        let mut joints = character();
        joints[7].hold = AngleHold::Driven;
        assert_eq!(limb_of(&joints, 8), [8]);
        assert_eq!(limb_of(&joints, 7), [0; 0]);
    }
}

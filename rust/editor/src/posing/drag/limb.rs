//! Which bones a drag turns.

/// What decides how far up a limb goes, for each bone of a skeleton: parents come first.
pub(super) struct Joint {
    pub(super) parent: Option<usize>,
    /// Whether it keeps its angle, and the limb ends below it.
    pub(super) is_pinned: bool,
    /// Whether a modifier turns it towards a target.
    pub(super) is_driven: bool,
}

/// The bones that turn while `bone` is pulled, root first: those from `bone` up to the first one that
/// has another bone beside it on its parent. With a pinned bone above, it is all below that one. A bone that
/// is pinned or driven is never among them.
pub(super) fn limb_of(joints: &[Joint], bone: usize) -> Vec<usize> {
    let line = std::iter::successors(Some(bone), |&index| joints[index].parent);
    let free = line.take_while(|&index| !joints[index].is_pinned && !joints[index].is_driven);
    let mut limb: Vec<_> = free.collect();
    let above = limb.last().and_then(|&last| joints[last].parent);
    let ends_at_pin = above.is_some_and(|above| joints[above].is_pinned);
    if !ends_at_pin {
        let branch = limb
            .iter()
            .position(|&index| is_beside_others(joints, index));
        limb.truncate(branch.map_or(limb.len(), |branch| branch + 1));
    }
    limb.reverse();
    limb
}

/// Whether another bone hangs on the parent of the bone `index`.
fn is_beside_others(joints: &[Joint], index: usize) -> bool {
    let parent = joints[index].parent;
    joints.iter().filter(|joint| joint.parent == parent).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hips (0) carry a spine of two (1, 2) and a leg of two (3, 4); the chest (2) carries a head (5)
    /// and an arm of three (6, 7, 8).
    fn character() -> Vec<Joint> {
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
        let joint = |&parent: &Option<usize>| Joint {
            parent,
            is_pinned: false,
            is_driven: false,
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
        joints[0].is_pinned = true;
        assert_eq!(limb_of(&joints, 8), [1, 2, 6, 7, 8]);
        joints[6].is_pinned = true;
        assert_eq!(limb_of(&joints, 8), [7, 8]);
        joints[8].is_pinned = true;
        assert_eq!(limb_of(&joints, 8), [0; 0]);
    }

    #[test]
    fn a_limb_ends_below_what_a_modifier_turns() {
        let mut joints = character();
        joints[7].is_driven = true;
        assert_eq!(limb_of(&joints, 8), [8]);
        assert_eq!(limb_of(&joints, 7), [0; 0]);
    }
}

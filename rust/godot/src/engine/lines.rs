//! Where in memory calls of the engine touch their object, for [`crate::engine::load_ahead`].
//!
//! Where an engine has the fields of its objects is not part of its interface. These are the lines that
//! calls touch in Godot 4.6; `TendonBenchFloor.find_lines` finds them. An object may begin anywhere in a
//! line. In another engine some of the hints may be in vain.

/// The lines of 64 bytes of its object that a call of the engine touches, as bits.
#[derive(Clone, Copy, Default)]
pub(super) struct Lines {
    /// In every pass.
    pub(super) read: u32,
    /// In passes that move bones, besides.
    pub(super) moved: u32,
    /// Whether the call moves a bone.
    pub(super) moves: bool,
}

/// A number with the bits of `lines`.
const fn mask<const N: usize>(lines: [u32; N]) -> u32 {
    let (mut mask, mut index) = (0, 0);
    while index < N {
        mask |= 1 << lines[index];
        index += 1;
    }
    mask
}

impl Lines {
    const fn read<const N: usize>(lines: [u32; N]) -> Self {
        Self {
            read: mask(lines),
            moved: 0,
            moves: false,
        }
    }
}

/// What the transform of a `Bone2D` is read from, and what turning it changes besides.
pub(super) const BONE: Lines = Lines {
    read: mask([0, 16, 17, 18]),
    moved: mask([2, 7, 8, 12, 13, 14, 15, 19]),
    moves: false,
};
/// What moving a bone touches that was not read before.
pub(super) const MOVED: Lines = Lines {
    read: 0,
    moved: 0,
    moves: true,
};
/// What the transform of another node is read from.
pub(super) const TRANSFORM: Lines = Lines::read([0, 16, 17, 18]);
/// What the global transform of a `Node2D` is read from: also its place in the tree.
pub(super) const GLOBAL: Lines = Lines::read([0, 5, 6, 8, 16, 17, 18]);
/// What the length of a `Bone2D` is read from.
pub(super) const LENGTH: Lines = Lines::read([0, 19, 20]);
/// All of a node that has no place in space.
pub(super) const NODE: Lines = Lines::read([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

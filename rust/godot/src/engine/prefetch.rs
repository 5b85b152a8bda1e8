//! Hints to the processor: memory that is needed soon.
//!
//! Other work runs between two frames of a game. When a pass begins, nothing of the rig is in the
//! processor's caches, and the pass would wait for the memory of each node in turn. With these hints
//! all of it is loaded at the same time. A hint changes nothing else: an address at which there is
//! nothing any more is ignored.

use std::ptr;

/// Bytes that a processor loads at once.
const LINE: usize = 64;

/// Lines of an object that a pass needs.
#[derive(Clone, Copy)]
pub(crate) struct Lines(u32);

impl Lines {
    const fn new<const N: usize>(lines: [u32; N]) -> Self {
        let (mut mask, mut index) = (0, 0);
        while index < N {
            mask |= 1 << lines[index];
            index += 1;
        }
        Self(mask)
    }
}

// Where an engine has the fields of its objects is not part of its interface. These are the lines
// that calls touch in Godot 4.6. In another engine some of the hints may be in vain.

// `godot_project/bench/lines.gd` finds them; an object may begin anywhere in a line.

/// What the transform of a `Node2D` is read from.
pub(crate) const TRANSFORM: Lines = Lines::new([0, 16, 17, 18]);
/// The same, and where it is in the tree.
pub(crate) const PLACE: Lines = Lines::new([0, 5, 6, 8, 16, 17, 18]);
/// What changes when a `Bone2D` is turned, besides.
pub(crate) const TURN: Lines = Lines::new([2, 7, 8, 12, 13, 14, 15, 19]);
/// What a node's signals are looked up in.
pub(crate) const SIGNALS: Lines = Lines::new([0, 1, 3, 4, 8]);

/// Memory that a pass needs.
pub(crate) struct Place {
    start: *const u8,
    lines: Lines,
}

impl Place {
    /// The first lines of `value`: the processor itself goes on with those that follow.
    pub(crate) fn of<T: ?Sized>(value: &T) -> Self {
        let start = ptr::from_ref(value).cast::<u8>();
        let end = start.addr() % LINE + size_of_val(value);
        let count = end.div_ceil(LINE).min(8);
        Self {
            start,
            lines: Lines((1 << count) - 1),
        }
    }

    pub(super) fn new(start: *const u8, lines: Lines) -> Self {
        Self { start, lines }
    }

    /// Has the processor load it.
    pub(crate) fn load(&self) {
        let mut left = self.lines.0;
        while left != 0 {
            let line = left.trailing_zeros() as usize;
            hint(self.start.wrapping_add(LINE * line));
            left &= left - 1;
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn hint(address: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint reads nothing, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
}

#[cfg(target_arch = "aarch64")]
fn hint(address: *const u8) {
    // SAFETY: a hint reads nothing, whatever the address.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{0}]",
            in(reg) address,
            options(nostack, preserves_flags, readonly)
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn hint(_address: *const u8) {}

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
/// What the global transform of a `Node2D` is read from: also its place in the tree.
pub(crate) const GLOBAL_TRANSFORM: Lines = Lines::new([0, 5, 6, 8, 16, 17, 18]);
/// What turning a `Bone2D` changes, except for [`TRANSFORM`].
pub(crate) const TURN: Lines = Lines::new([2, 7, 8, 12, 13, 14, 15, 19]);
/// What the length of a `Bone2D` is read from.
pub(crate) const LENGTH: Lines = Lines::new([0, 19, 20]);
/// All of a node that has no place in space.
pub(crate) const NODE: Lines = Lines::new([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

/// Memory that a pass needs. A rig has many of these, so they have no padding.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
pub(crate) struct Region {
    start: *const u8,
    lines: Lines,
}

impl Region {
    /// The memory of `value`.
    pub(crate) fn of<T: ?Sized>(value: &T) -> Self {
        Self::piece(ptr::from_ref(value).cast(), size_of_val(value))
    }

    /// `size` bytes at `start`, up to 32 lines.
    pub(super) fn piece(start: *const u8, size: usize) -> Self {
        let end = start.addr() % LINE + size;
        let count = if size == 0 { 0 } else { end.div_ceil(LINE) };
        let mask = u32::MAX.checked_shr(32_u32.saturating_sub(count as u32));
        Self {
            start,
            lines: Lines(mask.unwrap_or(0)),
        }
    }

    pub(super) fn new(start: *const u8, lines: Lines) -> Self {
        Self { start, lines }
    }

    /// The number of its lines.
    pub(super) fn line_count(self) -> u32 {
        { self.lines }.0.count_ones()
    }

    /// Has the processor load it.
    pub(crate) fn load(self) {
        let mut left = self.lines.0;
        while left != 0 {
            let line = left.trailing_zeros() as usize;
            hint(self.start.wrapping_add(LINE * line));
            left &= left - 1;
        }
    }

    /// The same memory as `regions`, with each line once, in as few regions as possible.
    pub(super) fn merge(regions: &[Self]) -> Vec<Self> {
        let mut lines: Vec<*const u8> = regions.iter().copied().flat_map(Self::addresses).collect();
        lines.sort_unstable();
        lines.dedup();
        let mut merged: Vec<Self> = Vec::new();
        for line in lines {
            let open = merged.last_mut();
            let index = open.as_ref().map_or(usize::MAX, |region| {
                (line.addr() - { region.start }.addr()) / LINE
            });
            match open {
                Some(region) if index < 32 => region.lines.0 |= 1 << index,
                _ => merged.push(Self::new(line, Lines(1))),
            }
        }
        merged
    }

    /// Where its lines begin in memory.
    fn addresses(self) -> impl Iterator<Item = *const u8> {
        let first = self.start.map_addr(|address| address - address % LINE);
        let is_in = move |line: &usize| self.lines.0 >> line & 1 == 1;
        let lines = (0..32).filter(is_in);
        lines.map(move |line| first.wrapping_add(LINE * line))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: usize) -> *const u8 {
        ptr::without_provenance(address)
    }

    #[test]
    fn a_piece_is_all_lines_that_it_touches() {
        let count = |start, size| { Region::piece(at(start), size).lines.0 }.count_ones();
        assert_eq!(count(640, 0), 0);
        assert_eq!(count(640, 1), 1);
        assert_eq!(count(640, 64), 1);
        assert_eq!(count(650, 64), 2);
        assert_eq!(count(640, 1 << 20), 32);
    }

    #[test]
    fn merged_regions_have_each_line_once() {
        let regions = [
            Region::piece(at(6400), 100),
            Region::piece(at(6464), 10),
            Region::piece(at(640), 0),
            Region::piece(at(1 << 20), 8),
            Region::piece(at(6400 + 31 * LINE), 65),
        ];
        let lines = |regions: &[Region]| -> Vec<usize> {
            let lines = regions.iter().copied().flat_map(Region::addresses);
            lines.map(|line| line.addr() / LINE).collect()
        };
        let merged = Region::merge(&regions);
        assert_eq!(lines(&merged), [100, 101, 131, 132, (1 << 20) / LINE]);
        assert_eq!(merged.len(), 3);
    }
}

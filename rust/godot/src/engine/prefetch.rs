//! Hints to the processor: memory that is needed soon.
//!
//! Other work runs between two frames of a game. When a pass begins, nothing of the rig is in the
//! processor's caches, and the pass would wait for the memory of each node in turn. With these hints
//! all of it is loaded at the same time. A hint changes nothing else: an address at which there is
//! nothing any more is ignored.
//!
//! Rigs run one after another, mostly in the same order in each frame. So each has the processor load
//! what the next one touches while it solves ([`Turn`]).

use std::cell::RefCell;
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
/// All of a node that has no place in space.
pub(crate) const NODE: Lines = Lines::new([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

/// Memory that a pass needs. There are many of them: without padding.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
pub(crate) struct Place {
    start: *const u8,
    lines: Lines,
}

impl Place {
    /// The first lines of `value`: the processor itself goes on with those that follow.
    pub(crate) fn of<T: ?Sized>(value: &T) -> Self {
        Self::piece(ptr::from_ref(value).cast(), size_of_val(value))
    }

    /// The first lines of `size` bytes at `start`.
    pub(crate) fn piece(start: *const u8, size: usize) -> Self {
        let end = start.addr() % LINE + size;
        let count = end.div_ceil(LINE).min(MOST_LINES);
        Self {
            start,
            lines: Lines((1 << count) - 1),
        }
    }

    pub(super) fn new(start: *const u8, lines: Lines) -> Self {
        Self { start, lines }
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
}

/// So many lines of one piece of memory are asked for.
const MOST_LINES: usize = 16;

/// The turn of one rig among all: what its pass touches, and which rig's pass comes next.
pub(crate) struct Turn {
    index: usize,
}

/// Turns of all rigs. They are in one piece of memory, in no order.
#[derive(Default)]
struct Turns {
    entries: Vec<Entry>,
    unused: Vec<usize>,
    /// Whose pass was the last.
    last: usize,
}

#[derive(Default)]
struct Entry {
    touched: Box<[Place]>,
    /// Where the first bones are.
    bones: Box<[*const u8]>,
    /// Whether the last pass has moved them: then the next one probably does, too.
    moves: bool,
    /// Whose pass came after this one in the last frame.
    next: usize,
}

thread_local! {
    static TURNS: RefCell<Turns> = RefCell::default();
}

impl Turn {
    /// A turn that touches nothing yet.
    pub(crate) fn new() -> Self {
        TURNS.with_borrow_mut(|turns| {
            let index = turns.unused.pop().unwrap_or_else(|| {
                turns.entries.push(Entry::default());
                turns.entries.len() - 1
            });
            Self { index }
        })
    }

    /// Sets what each pass touches, and where the first bones are.
    pub(crate) fn set(&self, touched: Vec<Place>, bones: Vec<*const u8>) {
        TURNS.with_borrow_mut(|turns| {
            let entry = &mut turns.entries[self.index];
            (entry.touched, entry.bones) = (touched.into(), bones.into());
        });
    }

    /// A pass begins. `moves` says whether the last one has moved bones. Has the processor load what
    /// it touches, if that is not done yet.
    pub(crate) fn begin(&self, moves: bool) {
        TURNS.with_borrow_mut(|turns| {
            let last = std::mem::replace(&mut turns.last, self.index);
            turns.entries[last].next = self.index;
            let entry = &mut turns.entries[self.index];
            entry.moves = moves;
            entry.load();
        });
    }

    /// Has the processor load what the next pass touches, while this one solves.
    pub(crate) fn load_next(&self) {
        TURNS.with_borrow(|turns| {
            let next = turns.entries[self.index].next;
            if next != self.index {
                let entry = &turns.entries[next];
                entry.load();
                let later = &turns.entries[entry.next];
                Place::of(&later.touched[..]).load();
                Place::of(&later.bones[..]).load();
            }
        });
    }
}

/// Has the processor load what a pass reads of the `Bone2D` at `start`, and what it writes if it
/// `moves` the bone.
pub(crate) fn load_bone(start: *const u8, moves: bool) {
    Place::new(start, TRANSFORM).load();
    if moves {
        Place::new(start, TURN).load();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // At the end of a thread there may be no turns any more.
        let _ = TURNS.try_with(|turns| {
            let mut turns = turns.borrow_mut();
            turns.entries[self.index] = Entry {
                next: self.index,
                ..Entry::default()
            };
            turns.unused.push(self.index);
        });
    }
}

impl Entry {
    fn load(&self) {
        self.touched.iter().for_each(|place| place.load());
        for &bone in &self.bones {
            load_bone(bone, self.moves);
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

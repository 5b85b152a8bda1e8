//! Hints to the processor: memory that the pass of the next rig needs, loaded during the pass of this one.
//!
//! Other work runs between two frames of a game. When a pass begins, nothing of the rig is in the
//! processor's caches, and the pass would wait for the memory of each node in turn. But rigs run one after
//! another, mostly in the same order in each frame. So each remembers what its passes [`touch`] and which
//! rig came after it, and what that one touches is loaded meanwhile. A processor loads only some lines at
//! the same time, and a pass that asked for more would wait for them. So each call of the engine asks for a
//! few ([`touch`]). The first rig of a frame asks for its own memory when its pass begins.
//!
//! A hint changes nothing else: an address at which there is nothing any more is ignored.

use std::any::Any;
use std::cell::RefCell;
use std::rc::{Rc, Weak};

use crate::engine::freed::Freed;
use crate::engine::lines::Lines;
use crate::engine::threads::is_main_thread;

/// Bytes that a processor loads at once.
const LINE: usize = 64;

/// How many lines are loaded with each call: more than a rig needs for a call, on average.
const SOME: usize = 12;

/// The place of a rig among those whose memory is loaded ahead.
#[derive(Default)]
pub(crate) struct LoadAhead {
    /// Absent before the first pass.
    index: Option<usize>,
}

#[derive(Default)]
struct Entry {
    /// The lines of memory that every pass touches, then what only those that move bones do.
    lines: Box<[usize]>,
    /// How many of them every pass touches.
    always: usize,
    /// The rig itself.
    rig: Option<Weak<dyn Any>>,
    /// How many passes have begun, up to [`SETTLED`].
    passes: u8,
    /// Whether the last pass has moved bones: then the next one probably does, too.
    moves: bool,
    /// The index of the rig whose pass came after this one in the last frame.
    next: usize,
}

/// In this pass of a rig all that it touches has been allocated.
const SETTLED: u8 = 3;

/// All rigs of a thread.
#[derive(Default)]
struct Rigs {
    entries: Vec<Entry>,
    unused: Vec<usize>,
    /// The index of the rig whose pass was the last in this frame.
    last: Option<usize>,
    /// The index of the rig whose memory is being loaded.
    loading: usize,
    /// How many of its lines have been loaded.
    loaded: usize,
    /// How many are to be.
    end: usize,
    /// What the pass of `last` has touched so far, if that is to be known.
    touched: Option<Touched>,
}

#[derive(Default)]
struct Touched {
    always: Vec<usize>,
    moving: Vec<usize>,
}

thread_local! {
    static RIGS: RefCell<Rigs> = RefCell::default();
}

/// A frame begins: other work has run since the last pass.
pub(super) fn begin_frame() {
    RIGS.with_borrow_mut(|rigs| {
        rigs.end_pass();
        rigs.last = None;
    });
}

/// A pass touches `lines` of `object`, and the flag that says whether it is alive. Loads some of what the
/// next rig touches.
pub(super) fn touch(object: *const u8, lines: Lines, flag: Option<&'static Freed>) {
    RIGS.with_borrow_mut(|rigs| {
        rigs.load(SOME);
        if lines.moves
            && let Some(last) = rigs.last
        {
            rigs.entries[last].moves = true;
        }
        if let Some(touched) = &mut rigs.touched {
            let of = |mask: u32| {
                let set = (0..32).filter(move |line| mask >> line & 1 == 1);
                set.map(move |line| object.addr() / LINE + line)
            };
            touched.always.extend(of(lines.read));
            touched.moving.extend(of(lines.moved));
            touched.always.extend(flag.into_iter().flat_map(lines_of));
        }
    });
}

/// Whether what passes touch is being noted.
pub(super) fn is_learning() -> bool {
    RIGS.with_borrow(|rigs| rigs.touched.is_some())
}

/// A pass touches `value`.
pub(crate) fn touch_value<T: ?Sized>(value: &T) {
    RIGS.with_borrow_mut(|rigs| {
        if let Some(touched) = &mut rigs.touched {
            touched.always.extend(lines_of(value));
        }
    });
}

/// The lines that `value` takes.
fn lines_of<T: ?Sized>(value: &T) -> std::ops::Range<usize> {
    let start = std::ptr::from_ref(value).addr();
    start / LINE..(start + size_of_val(value)).div_ceil(LINE)
}

/// The rig that is expected to come next.
pub(crate) fn next_rig<T: 'static>() -> Option<Rc<T>> {
    let rig = RIGS.with_borrow(|rigs| rigs.entries.get(rigs.loading)?.rig.as_ref()?.upgrade());
    rig?.downcast().ok()
}

impl LoadAhead {
    /// A pass begins. Loads what it touches, as far as the pass before it has not. `rig` returns the rig
    /// itself.
    pub(crate) fn begin(&mut self, rig: impl FnOnce() -> Rc<dyn Any>) {
        RIGS.with_borrow_mut(|rigs| {
            let index = *self.index.get_or_insert_with(|| rigs.add(&rig()));
            rigs.begin(index);
        });
    }
}

impl Drop for LoadAhead {
    fn drop(&mut self) {
        // A rig that has left the tree may be freed on another thread, which has a list of its own.
        if let Some(index) = self.index.filter(|_| is_main_thread()) {
            // At the end of a thread there may be no list any more.
            let _ = RIGS.try_with(|rigs| rigs.borrow_mut().remove(index));
        }
    }
}

impl Rigs {
    /// Adds an entry, and returns its index.
    fn add(&mut self, rig: &Rc<dyn Any>) -> usize {
        let index = self.unused.pop().unwrap_or(self.entries.len());
        if index == self.entries.len() {
            self.entries.push(Entry::default());
        }
        self.entries[index].next = index;
        self.entries[index].rig = Some(Rc::downgrade(rig));
        index
    }

    fn remove(&mut self, index: usize) {
        if self.last == Some(index) {
            self.last = None;
            self.touched = None;
        }
        if self.loading == index {
            self.end = 0;
        }
        self.entries[index] = Entry::default();
        self.entries[index].next = index;
        self.unused.push(index);
    }

    fn begin(&mut self, index: usize) {
        self.end_pass();
        if self.last.is_none() || self.loading != index {
            self.begin_loading(index);
        }
        self.load(usize::MAX);
        if let Some(last) = self.last.replace(index) {
            self.entries[last].next = index;
        }
        let entry = &mut self.entries[index];
        entry.moves = false;
        if entry.passes < SETTLED {
            entry.passes += 1;
            self.touched = (entry.passes == SETTLED).then(Touched::default);
        }
        let next = entry.next;
        self.begin_loading(next);
        if next == index {
            self.end = 0;
        }
        // The pass of the next rig goes through the list of the one after that, and then needs to know
        // which comes next.
        let after = &self.entries[self.entries[next].next];
        let list = lines_of(&*after.lines);
        list.chain(lines_of(&self.entries[after.next]))
            .for_each(hint);
    }

    /// Keeps what the last pass has touched.
    fn end_pass(&mut self) {
        let Some((touched, last)) = self.touched.take().zip(self.last) else {
            return;
        };
        let Touched {
            mut always,
            mut moving,
        } = touched;
        always.sort_unstable();
        always.dedup();
        moving.sort_unstable();
        moving.dedup();
        moving.retain(|line| always.binary_search(line).is_err());
        let entry = &mut self.entries[last];
        entry.always = always.len();
        always.append(&mut moving);
        entry.lines = always.into();
    }

    /// From now on, what the rig at `index` touches is loaded.
    fn begin_loading(&mut self, index: usize) {
        let entry = &self.entries[index];
        self.loading = index;
        self.loaded = 0;
        self.end = match entry.moves {
            true => entry.lines.len(),
            false => entry.always,
        };
    }

    /// Loads up to `count` more lines of the rig that is being loaded.
    fn load(&mut self, count: usize) {
        let end = self.loaded.saturating_add(count).min(self.end);
        if self.loaded < end {
            let lines = &self.entries[self.loading].lines[self.loaded..end];
            lines.iter().copied().for_each(hint);
            self.loaded = end;
        }
    }
}

/// Has the processor load a line.
#[cfg(target_arch = "x86_64")]
fn hint(line: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint reads nothing, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::without_provenance(line * LINE)) };
}

#[cfg(target_arch = "aarch64")]
fn hint(line: usize) {
    // SAFETY: a hint reads nothing, whatever the address.
    unsafe {
        std::arch::asm!(
            "prfm pldl1keep, [{0}]",
            in(reg) line * LINE,
            options(nostack, preserves_flags, readonly)
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn hint(_line: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::lines::{BONE, MOVED, NODE};
    use crate::engine::threads::mark_main_thread;

    /// A rig whose passes touch `value`, and 8 lines more if they move bones.
    struct Toucher<'a> {
        rig: LoadAhead,
        value: &'a [u8],
        moves: bool,
    }

    impl<'a> Toucher<'a> {
        fn settled(value: &'a [u8]) -> Self {
            mark_main_thread();
            let mut toucher = Self {
                rig: LoadAhead::default(),
                value,
                moves: false,
            };
            for _ in 0..=SETTLED {
                toucher.pass();
            }
            toucher
        }

        fn pass(&mut self) {
            self.rig.begin(|| Rc::new(()));
            touch_value(self.value);
            touch(std::ptr::null(), BONE, None);
            if self.moves {
                touch(std::ptr::null(), MOVED, None);
            }
        }

        fn index(&self) -> usize {
            self.rig.index.expect("it has begun")
        }
    }

    fn next_of(rig: &Toucher) -> usize {
        RIGS.with_borrow(|rigs| rigs.entries[rig.index()].next)
    }

    fn loaded() -> usize {
        RIGS.with_borrow(|rigs| rigs.loaded)
    }

    #[test]
    fn each_rig_knows_which_came_next() {
        let mut rigs = [(); 3].map(|()| Toucher::settled(&[]));
        for _ in 0..2 {
            rigs.iter_mut().for_each(Toucher::pass);
        }
        for (rig, later) in [(0, 1), (1, 2), (2, 0)] {
            assert_eq!(next_of(&rigs[rig]), rigs[later].index());
        }
    }

    #[test]
    fn what_a_freed_rig_touched_is_not_loaded_again() {
        let memory = [0; 640];
        let mut first = Toucher::settled(&memory);
        let mut second = Toucher::settled(&memory);
        first.pass();
        second.pass();
        first.pass();
        drop(second);
        touch(std::ptr::null(), BONE, None);
        first.pass();
        assert_eq!(loaded(), 0);
        let third = Toucher::settled(&memory);
        RIGS.with_borrow(|rigs| assert_eq!(rigs.entries.len(), 2));
        drop(third);
    }

    #[test]
    fn a_rig_is_loaded_in_pieces_while_the_one_before_it_runs() {
        let memory = [0; 64 * LINE];
        let (mut first, mut second) = (Toucher::settled(&memory), Toucher::settled(&memory));
        for moves in [false, true] {
            second.moves = moves;
            for _ in 0..2 {
                first.pass();
                second.pass();
            }
            first.rig.begin(|| Rc::new(()));
            assert_eq!(loaded(), 0);
            touch(std::ptr::null(), NODE, None);
            assert_eq!(loaded(), SOME);
            (0..9).for_each(|_| touch(std::ptr::null(), NODE, None));
            let all = 4 + lines_of(&memory).len() + if moves { 8 } else { 0 };
            assert_eq!(loaded(), all);
        }
    }

    #[test]
    fn the_first_rig_of_a_frame_loads_its_own_memory() {
        let memory = [0; 4 * LINE];
        let mut only = Toucher::settled(&memory);
        begin_frame();
        let index = only.index();
        RIGS.with_borrow_mut(|rigs| {
            assert!(rigs.last.is_none());
            rigs.begin_loading(index);
            assert_eq!(rigs.end, 4 + lines_of(&memory).len());
        });
        only.pass();
    }
}

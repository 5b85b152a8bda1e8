//! Hints to the processor: memory that the pass of the next rig needs, loaded during the pass of this one.
//!
//! Other work runs between two frames of a game. When a pass begins, nothing of the rig is in the
//! processor's caches, and the pass would wait for the memory of each node in turn. But rigs run one after
//! another, mostly in the same order in each frame. So each remembers what a pass of it [`touch`]es and which
//! rig came after it, and what that one touches is loaded meanwhile. A processor loads only some lines at
//! the same time, and a pass that asked for more would wait for them. So each call of the engine asks for a
//! few.
//!
//! What it gains, on 2026-11-29 (`scripts/bench`, cold, 100 rigs, three times in turn with a library without it, the time
//! to that of the floor): a FABRIK of ten bones takes 1.48 instead of 1.63, two bones 1.20 instead of 1.23, a look 1.16
//! instead of 1.11. While others wrote to the caches, the FABRIK took 1.20 instead of 1.60. It costs up to a seventh of the
//! instructions. A crowd that stays in the cache has nothing to gain: so hints begin with the one that does not. Of a
//! rig that rests a pass touches few of these lines, and to load all of them would take longer than the pass: so nothing
//! is loaded of one whose last pass had nothing to solve.
//!
//! A hint changes nothing else: an address at which there is nothing any more is ignored.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::freed::Freed;
use crate::engine::threads::is_main_thread;

/// Bytes that a processor loads at once.
const LINE: usize = 64;

/// How much of a node is loaded: about what a `Bone2D` takes. Where the engine has which of its fields is not
/// part of its interface.
const NODE: usize = 21 * LINE;

/// How many lines are loaded with each call at most: more than a rig needs for a call, on average.
const SOME: usize = 16;

/// Lines of all rigs that stay in a cache of 512 kB.
const CACHE: usize = (512 << 10) / LINE;

/// In this pass of a rig all that it touches has been allocated.
const SETTLED: u8 = 3;

/// The place of a rig among those whose memory is loaded ahead.
#[derive(Default)]
pub(crate) struct LoadAhead {
    /// Absent before the first pass.
    index: Option<usize>,
    /// Whether its last pass had nothing to solve.
    rests: bool,
}

#[derive(Default)]
struct Entry {
    /// The memory that its passes touch: lines side by side, [`SOME`] at most.
    runs: Box<[Range<usize>]>,
    /// How many lines these are.
    lines: usize,
    /// How many passes have begun, up to [`SETTLED`].
    passes: u8,
    /// The index of the rig whose pass came after this one.
    next: usize,
    /// Whether its last pass had nothing to solve.
    rests: bool,
}

/// All rigs of a thread.
#[derive(Default)]
struct Rigs {
    entries: Vec<Entry>,
    unused: Vec<usize>,
    /// How many lines the passes of all of them touch.
    lines: usize,
    /// The index of the rig whose pass was the last.
    last: Option<usize>,
    /// What it has touched so far, if that is to be known.
    touched: Option<Vec<usize>>,
    /// The index of the rig whose memory is being loaded.
    loading: usize,
    /// The place of the next of its runs.
    loaded: usize,
}

thread_local! {
    static RIGS: RefCell<Rigs> = RefCell::default();
}

/// Whether a call has something to load or to note. In a long pass most have not, and to ask the list of the thread
/// each time made chains 6 to 8 % slower. Set on the main thread, where the passes are.
static HAS_WORK: AtomicBool = AtomicBool::new(false);

/// Whether what is touched is to be noted, which is so in one pass of a rig. In all others a value that is touched costs
/// the look at this.
static IS_NOTED: AtomicBool = AtomicBool::new(false);

/// A frame begins: what is touched from now on is not of the last pass.
pub(super) fn begin_frame() {
    RIGS.with_borrow_mut(Rigs::end_pass);
}

/// A pass touches the node at `address`, and the flag that says whether it is alive. Loads some of what the
/// next rig touches.
pub(super) fn touch(address: *const u8, freed: Option<&'static Freed>) {
    if !HAS_WORK.load(Ordering::Relaxed) {
        return;
    }
    RIGS.with_borrow_mut(|rigs| {
        let loads = rigs.load();
        HAS_WORK.store(loads || rigs.touched.is_some(), Ordering::Relaxed);
        if let Some(touched) = &mut rigs.touched {
            touched.extend(lines_at(address.addr(), NODE));
            touched.extend(freed.into_iter().flat_map(lines_of));
        }
    });
}

/// A pass touches `value`.
pub(crate) fn touch_value<T: ?Sized>(value: &T) {
    if !IS_NOTED.load(Ordering::Relaxed) {
        return;
    }
    RIGS.with_borrow_mut(|rigs| {
        if let Some(touched) = &mut rigs.touched {
            touched.extend(lines_of(value));
        }
    });
}

fn lines_of<T: ?Sized>(value: &T) -> Range<usize> {
    lines_at(std::ptr::from_ref(value).addr(), size_of_val(value))
}

fn lines_at(start: usize, size: usize) -> Range<usize> {
    start / LINE..(start + size).div_ceil(LINE)
}

impl LoadAhead {
    /// A pass begins.
    pub(crate) fn begin(&mut self) {
        RIGS.with_borrow_mut(|rigs| {
            let index = *self.index.get_or_insert_with(|| rigs.add());
            rigs.begin(index);
        });
    }

    /// Says whether the pass that has begun has nothing to solve, as is then expected of the next one, too.
    pub(crate) fn expect_rest(&mut self, rests: bool) {
        if let Some(index) = self.index
            && std::mem::replace(&mut self.rests, rests) != rests
        {
            RIGS.with_borrow_mut(|rigs| rigs.entries[index].rests = rests);
        }
    }
}

impl Drop for LoadAhead {
    fn drop(&mut self) {
        // A rig that has left the tree may be freed on another thread, which has a list of its own.
        if let Some(index) = self.index.filter(|_| is_main_thread()) {
            // At the end of a thread there may be no list any more.
            _ = RIGS.try_with(|rigs| rigs.borrow_mut().remove(index));
        }
    }
}

impl Rigs {
    /// Adds an entry, and returns its index.
    fn add(&mut self) -> usize {
        let index = self.unused.pop().unwrap_or(self.entries.len());
        if index == self.entries.len() {
            self.entries.push(Entry::default());
        }
        self.entries[index].next = index;
        index
    }

    /// Removes the entry `index`.
    fn remove(&mut self, index: usize) {
        if self.last == Some(index) {
            (self.last, self.touched) = (None, None);
        }
        self.unused.push(index);
        self.lines -= std::mem::take(&mut self.entries[index]).lines;
    }

    fn begin(&mut self, index: usize) {
        self.end_pass();
        if let Some(last) = self.last.replace(index) {
            self.entries[last].next = index;
        }
        let entry = &mut self.entries[index];
        if entry.passes < SETTLED {
            entry.passes += 1;
            self.touched = (entry.passes == SETTLED).then(Vec::new);
        }
        let next = entry.next;
        // One that runs again and again is in the caches.
        let is_loaded = next != index && self.lines > CACHE && !self.entries[next].rests;
        (self.loading, self.loaded) = (next, if is_loaded { 0 } else { usize::MAX });
        IS_NOTED.store(self.touched.is_some(), Ordering::Relaxed);
        HAS_WORK.store(is_loaded || self.touched.is_some(), Ordering::Relaxed);
    }

    /// Keeps what the last pass has touched.
    fn end_pass(&mut self) {
        if let Some((last, mut lines)) = self.last.zip(self.touched.take()) {
            lines.sort_unstable();
            lines.dedup();
            let entry = &mut self.entries[last];
            self.lines = self.lines - entry.lines + lines.len();
            (entry.runs, entry.lines) = (runs_of(&lines), lines.len());
            IS_NOTED.store(false, Ordering::Relaxed);
        }
    }

    /// Loads the next run of the rig that is being loaded. Returns whether more are left.
    fn load(&mut self) -> bool {
        let runs = self.entries.get(self.loading).map(|entry| &entry.runs);
        let Some((runs, run)) = runs.and_then(|runs| Some((runs, runs.get(self.loaded)?))) else {
            return false;
        };
        run.clone().for_each(hint);
        self.loaded += 1;
        self.loaded < runs.len()
    }
}

/// `lines`, which ascend, as runs of those that lie side by side.
fn runs_of(lines: &[usize]) -> Box<[Range<usize>]> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &line in lines {
        match runs.last_mut() {
            Some(run) if run.end == line && run.len() < SOME => run.end += 1,
            _ => runs.push(line..line + 1),
        }
    }
    runs.into()
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
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::*;
    use crate::engine::threads::mark_main_thread;

    /// A rig whose passes touch `value`.
    struct Toucher<'a> {
        rig: LoadAhead,
        value: &'a [u8],
    }

    impl<'a> Toucher<'a> {
        fn settled(value: &'a [u8]) -> Self {
            mark_main_thread();
            let mut toucher = Self {
                rig: LoadAhead::default(),
                value,
            };
            (0..=SETTLED).for_each(|_| toucher.pass());
            toucher
        }

        fn pass(&mut self) {
            self.rig.begin();
            touch_value(self.value);
        }

        fn index(&self) -> usize {
            self.rig.index.expect("it has begun")
        }
    }

    /// Each test has a thread, as if it were the main one. One runs after another: see [`HAS_WORK`].
    fn as_main_thread() -> MutexGuard<'static, ()> {
        static ONE: Mutex<()> = Mutex::new(());
        ONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn loaded() -> usize {
        RIGS.with_borrow(|rigs| rigs.loaded)
    }

    #[test]
    fn each_rig_knows_which_came_next() {
        let _alone = as_main_thread();
        let mut rigs = [(); 3].map(|()| Toucher::settled(&[]));
        for _ in 0..2 {
            rigs.iter_mut().for_each(Toucher::pass);
        }
        for (rig, later) in [(0, 1), (1, 2), (2, 0)] {
            let next = RIGS.with_borrow(|all| all.entries[rigs[rig].index()].next);
            assert_eq!(next, rigs[later].index());
        }
    }

    /// More than a cache holds.
    fn much() -> Vec<u8> {
        vec![0; CACHE * LINE]
    }

    #[test]
    fn nothing_is_loaded_of_a_crowd_that_stays_in_the_cache() {
        let _alone = as_main_thread();
        let memory = vec![0; (CACHE / 2 - 2) * LINE];
        let [mut first, mut second] = [(); 2].map(|()| Toucher::settled(&memory));
        first.pass();
        second.pass();
        first.pass();
        assert_eq!(loaded(), usize::MAX);
    }

    #[test]
    fn nothing_is_loaded_of_a_rig_that_rests() {
        let _alone = as_main_thread();
        let memory = much();
        let [mut first, mut second] = [(); 2].map(|()| Toucher::settled(&memory));
        for (rests, most) in [(true, usize::MAX), (false, 4)] {
            first.pass();
            second.pass();
            second.rig.expect_rest(rests);
            first.pass();
            (0..4).for_each(|_| touch(std::ptr::null(), None));
            assert_eq!(loaded(), most);
        }
    }

    #[test]
    fn a_rig_that_runs_alone_loads_nothing() {
        let _alone = as_main_thread();
        let memory = much();
        let mut only = Toucher::settled(&memory);
        only.pass();
        touch(std::ptr::null(), None);
        assert_eq!(loaded(), usize::MAX);
    }

    #[test]
    fn what_is_touched_between_two_frames_is_of_no_pass() {
        let _alone = as_main_thread();
        let mut only = Toucher::settled(&[]);
        RIGS.with_borrow_mut(|rigs| rigs.entries[only.index()].passes = 0);
        (0..SETTLED).for_each(|_| only.pass());
        begin_frame();
        touch(std::ptr::null(), None);
        only.pass();
        let lines = RIGS.with_borrow(|rigs| rigs.entries[only.index()].lines);
        assert_eq!(lines, lines_of(only.value).len());
    }

    #[test]
    fn what_a_freed_rig_touched_is_not_loaded_again() {
        let _alone = as_main_thread();
        let memory = much();
        let [mut first, mut second] = [(); 2].map(|()| Toucher::settled(&memory));
        first.pass();
        second.pass();
        first.pass();
        drop(second);
        touch(std::ptr::null(), None);
        assert_eq!(loaded(), 0);
        let third = Toucher::settled(&memory);
        RIGS.with_borrow(|rigs| assert_eq!(rigs.entries.len(), 2));
        drop(third);
    }

    #[test]
    fn a_rig_is_loaded_in_pieces_while_the_one_before_it_runs() {
        let _alone = as_main_thread();
        let memory = much();
        let [mut first, mut second] = [(); 2].map(|()| Toucher::settled(&memory));
        first.pass();
        second.pass();
        first.pass();
        assert_eq!(loaded(), 0);
        touch(std::ptr::null(), None);
        assert_eq!(loaded(), 1);
        (0..CACHE).for_each(|_| touch(std::ptr::null(), None));
        assert_eq!(loaded(), lines_of(&memory[..]).len().div_ceil(SOME));
    }
}

//! What the pass of the next rig touches, loaded during the pass of this one.
//!
//! Rigs run one after another, mostly in the same order in each frame. So each remembers which rig
//! came after it, and has the processor load what that one touches while it solves itself.

use std::cell::RefCell;

use crate::engine::prefetch::{Region, load_bone, load_turn};
use crate::engine::threads::is_main_thread;

/// What the pass of one rig touches, and which rig's pass comes next.
#[derive(Default)]
pub(crate) struct LoadAhead {
    /// Absent before the first pass.
    index: Option<usize>,
}

/// What a pass touches.
#[derive(Default)]
pub(crate) struct Touched {
    /// In every pass.
    pub(crate) always: Vec<Region>,
    /// In passes that solve.
    pub(crate) solving: Vec<Region>,
    /// Where the first bones are. A pass loads the others itself.
    pub(crate) bones: Vec<*const u8>,
}

/// What the passes of all rigs touch, in one piece of memory.
#[derive(Default)]
struct Rigs {
    entries: Vec<Entry>,
    unused: Vec<usize>,
    /// The index of the rig whose pass was the last.
    last: usize,
}

#[derive(Default)]
struct Entry {
    always: Box<[Region]>,
    solving: Box<[Region]>,
    bones: Box<[*const u8]>,
    /// Whether the last pass has moved bones: then the next one probably does, too.
    moves: bool,
    /// The index of the rig whose pass came after this one in the last frame.
    next: usize,
}

thread_local! {
    static RIGS: RefCell<Rigs> = RefCell::default();
}

impl LoadAhead {
    /// Sets what each pass touches. Call it after [`begin`](Self::begin).
    pub(crate) fn set(&self, touched: Touched) {
        RIGS.with_borrow_mut(|rigs| {
            if let Some(index) = self.index {
                let entry = &mut rigs.entries[index];
                entry.always = Region::merge(&touched.always).into();
                entry.solving = Region::merge(&touched.solving).into();
                entry.bones = touched.bones.into();
            }
        });
    }

    /// A pass begins. `moves` says whether the last one has moved bones. Has the processor load what
    /// it touches, as far as that is not loaded: with many hints at once, it may have ignored some.
    pub(crate) fn begin(&mut self, moves: bool) {
        RIGS.with_borrow_mut(|rigs| {
            let index = *self.index.get_or_insert_with(|| rigs.add());
            let last = std::mem::replace(&mut rigs.last, index);
            rigs.entries[last].next = index;
            let entry = &mut rigs.entries[index];
            entry.moves = moves;
            entry.load_always();
            entry.load_solving();
        });
    }

    /// Has the processor load what every pass of the next rig touches.
    pub(crate) fn load_next(&self) {
        self.with_next(|rigs, next| {
            next.load_always();
            rigs.entries[next.next].load_lists();
        });
    }

    /// Has the processor load what the next rig touches only if it solves. Call it after
    /// [`load_next`](Self::load_next), since a processor loads only some lines at the same time.
    pub(crate) fn load_next_solve(&self) {
        self.with_next(|_, next| next.load_solving());
    }

    fn with_next(&self, act: impl FnOnce(&Rigs, &Entry)) {
        RIGS.with_borrow(|rigs| {
            let next = self.index.map(|index| rigs.entries[index].next);
            if let Some(next) = next.filter(|&next| Some(next) != self.index) {
                act(rigs, &rigs.entries[next]);
            }
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
    fn add(&mut self) -> usize {
        let index = self.unused.pop().unwrap_or(self.entries.len());
        if index == self.entries.len() {
            self.entries.push(Entry::default());
        }
        self.entries[index].next = index;
        index
    }

    fn remove(&mut self, index: usize) {
        self.entries[index] = Entry::default();
        self.entries[index].next = index;
        self.unused.push(index);
    }
}

impl Entry {
    fn load_always(&self) {
        self.always.iter().for_each(|region| region.load());
        self.bones.iter().for_each(|&bone| load_bone(bone));
    }

    fn load_solving(&self) {
        if self.moves {
            self.solving.iter().for_each(|region| region.load());
            self.bones.iter().for_each(|&bone| load_turn(bone));
        }
    }

    /// Loads the lists themselves.
    fn load_lists(&self) {
        Region::of(&*self.always).load();
        Region::of(&*self.solving).load();
        Region::of(&*self.bones).load();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::threads::mark_main_thread;

    fn next(rig: &LoadAhead) -> usize {
        RIGS.with_borrow(|rigs| rigs.entries[rig.index.expect("it has begun")].next)
    }

    #[test]
    fn each_rig_knows_which_came_next() {
        let mut rigs: Vec<LoadAhead> = (0..3).map(|_| LoadAhead::default()).collect();
        for _ in 0..2 {
            rigs.iter_mut().for_each(|rig| rig.begin(false));
        }
        for (rig, later) in [(0, 1), (1, 2), (2, 0)] {
            assert_eq!(Some(next(&rigs[rig])), rigs[later].index);
        }
    }

    #[test]
    fn what_a_freed_rig_touched_is_not_loaded_again() {
        mark_main_thread();
        let (mut first, mut second) = (LoadAhead::default(), LoadAhead::default());
        first.begin(false);
        second.begin(false);
        second.set(Touched {
            always: vec![Region::of(&first)],
            ..Touched::default()
        });
        drop(second);
        RIGS.with_borrow(|rigs| assert!(rigs.entries[next(&first)].always.is_empty()));
        first.load_next();
        first.load_next_solve();
        let mut third = LoadAhead::default();
        third.begin(false);
        RIGS.with_borrow(|rigs| assert_eq!(rigs.entries.len(), 2));
    }
}

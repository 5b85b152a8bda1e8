//! What the pass of the next rig touches, loaded during the pass of this one.
//!
//! Rigs run one after another, mostly in the same order in each frame. So each remembers which rig
//! came after it, and has the processor load what that one touches. A processor loads only some lines
//! at the same time, and a pass that asked for more would wait for them. So it asks for a few lines at a
//! time: see [`load_some`].

use std::cell::RefCell;

use crate::engine::fields::Fields;
use crate::engine::prefetch::Region;
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
    /// In passes that move bones.
    pub(crate) moving: Vec<Region>,
    /// The fields of the rig's node.
    pub(crate) rig: Option<Fields>,
}

/// What the passes of all rigs touch, in one piece of memory.
#[derive(Default)]
struct Rigs {
    entries: Vec<Entry>,
    unused: Vec<usize>,
    /// The index of the rig whose pass was the last in this frame.
    last: Option<usize>,
    /// The index of the rig whose memory is being loaded.
    loading: usize,
    /// How many of its regions have been loaded.
    loaded: usize,
}

#[derive(Default)]
struct Entry {
    /// What every pass touches, then what passes that move bones do besides.
    regions: Box<[Region]>,
    /// How many of them every pass touches.
    always: u32,
    /// The fields of the rig's node.
    rig: Option<Fields>,
    /// Whether the last pass has moved bones: then the next one probably does, too.
    moves: bool,
    /// The index of the rig whose pass came after this one in the last frame.
    next: usize,
}

/// How many lines are loaded at a time, at least: as many as a processor can wait for besides others.
const SOME: u32 = 12;

thread_local! {
    static RIGS: RefCell<Rigs> = RefCell::default();
}

/// A frame begins: other work has run since the last pass.
pub(super) fn begin_frame() {
    RIGS.with_borrow_mut(|rigs| rigs.last = None);
}

/// Has the processor load some of what the next rig touches. To be called now and then in a pass.
pub(crate) fn load_some() {
    RIGS.with_borrow_mut(|rigs| _ = rigs.load(SOME));
}

/// Has the processor load what is left of what the next rig touches.
pub(crate) fn load_rest() {
    RIGS.with_borrow_mut(|rigs| _ = rigs.load(u32::MAX));
}

/// The fields of the rig that is expected to come next.
pub(crate) fn next_rig() -> Option<Fields> {
    RIGS.with_borrow(|rigs| rigs.entries.get(rigs.loading)?.rig)
}

impl LoadAhead {
    /// Sets what each pass touches. Call it after [`begin`](Self::begin).
    pub(crate) fn set(&self, touched: &Touched) {
        RIGS.with_borrow_mut(|rigs| {
            if let Some(index) = self.index {
                let entry = &mut rigs.entries[index];
                let mut regions = Region::merge(&touched.always);
                entry.always = regions.len() as u32;
                regions.extend(Region::merge(&touched.moving));
                entry.regions = regions.into();
                entry.rig = touched.rig;
            }
        });
    }

    /// A pass begins. `moves` says whether the last one has moved bones. Has the processor load what
    /// it touches, as far as the pass before it has not.
    pub(crate) fn begin(&mut self, moves: bool) {
        RIGS.with_borrow_mut(|rigs| {
            let index = *self.index.get_or_insert_with(|| rigs.add());
            rigs.begin(index, moves);
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

    fn begin(&mut self, index: usize, moves: bool) {
        self.entries[index].moves = moves;
        self.load_own(index);
        let last = self.last.replace(index);
        if let Some(last) = last {
            self.entries[last].next = index;
        }
        let next = self.entries[index].next;
        (self.loading, self.loaded) = (next, 0);
        if next == index {
            self.loaded = usize::MAX;
        }
        // The pass of the next rig goes through the list of the one after that, and then needs to know
        // which comes next.
        let after = &self.entries[self.entries[next].next];
        Region::of(&*after.regions).load();
        Region::of(&self.entries[after.next]).load();
    }

    /// Has the processor load what the rig at `index` touches, as far as the pass before has not.
    /// Returns the number of lines.
    fn load_own(&mut self, index: usize) -> u32 {
        if self.last.is_none() || self.loading != index {
            (self.loading, self.loaded) = (index, 0);
        }
        self.load(u32::MAX)
    }

    /// Has the processor load at least `lines` more of the rig that is being loaded, as far as there
    /// are as many. Returns their number.
    fn load(&mut self, lines: u32) -> u32 {
        let Some(entry) = self.entries.get(self.loading) else {
            return 0;
        };
        let count = match entry.moves {
            true => entry.regions.len(),
            false => entry.always as usize,
        };
        let mut sum = 0;
        while sum < lines && self.loaded < count {
            let region = entry.regions[self.loaded];
            region.load();
            sum += region.line_count();
            self.loaded += 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::threads::mark_main_thread;

    fn next(rig: &LoadAhead) -> usize {
        RIGS.with_borrow(|rigs| rigs.entries[rig.index.expect("it has begun")].next)
    }

    /// How many regions of the next rig have been loaded.
    fn loaded() -> usize {
        RIGS.with_borrow(|rigs| rigs.loaded)
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
        second.set(&Touched {
            always: vec![Region::of(&first)],
            ..Touched::default()
        });
        drop(second);
        RIGS.with_borrow(|rigs| assert!(rigs.entries[next(&first)].regions.is_empty()));
        first.begin(false);
        load_rest();
        assert_eq!(loaded(), 0);
        let mut third = LoadAhead::default();
        third.begin(false);
        RIGS.with_borrow(|rigs| assert_eq!(rigs.entries.len(), 2));
    }

    #[test]
    fn a_rig_is_loaded_in_pieces() {
        mark_main_thread();
        let (mut first, mut second) = (LoadAhead::default(), LoadAhead::default());
        let memory = [0_u8; 1 << 16];
        let regions = memory
            .chunks(1 << 12)
            .map(|chunk| Region::of(&chunk[..256]));
        let touched = Touched {
            always: regions.clone().take(4).collect(),
            moving: regions.skip(4).collect(),
            ..Touched::default()
        };
        for moves in [false, true] {
            first.begin(false);
            second.begin(moves);
            second.set(&touched);
        }
        first.begin(false);
        load_some();
        assert!((1..4).contains(&loaded()), "{}", loaded());
        load_rest();
        assert_eq!(loaded(), 16);
        second.begin(false);
        first.begin(false);
        load_rest();
        assert_eq!(loaded(), 4);
    }

    #[test]
    fn a_rig_loads_its_own_memory_once_in_a_frame() {
        mark_main_thread();
        let memory = [0_u8; 256];
        let touched = Touched {
            always: vec![Region::of(&memory)],
            ..Touched::default()
        };
        let (mut first, mut second) = (LoadAhead::default(), LoadAhead::default());
        for rig in [&mut first, &mut second] {
            rig.begin(false);
            rig.set(&touched);
        }
        let own = |rig: &LoadAhead| {
            RIGS.with_borrow_mut(|rigs| rigs.load_own(rig.index.expect("it has begun")))
        };
        begin_frame();
        assert!(own(&first) >= 4);
        first.begin(false);
        load_rest();
        assert_eq!(own(&second), 0, "the pass before has loaded it");
        begin_frame();
        assert!(own(&second) >= 4, "other work has run since");
    }
}

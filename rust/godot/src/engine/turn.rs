//! What the pass of the next rig touches, loaded during the pass of this one.
//!
//! Rigs run one after another, mostly in the same order in each frame. So each remembers which rig
//! came after it, and has the processor load what that one touches while it solves itself.

use std::cell::RefCell;

use crate::engine::prefetch::{Place, load_bone, load_turn};

/// The turn of one rig among all: what its pass touches, and which rig's pass comes next.
pub(crate) struct Turn {
    index: usize,
}

/// What a pass touches.
#[derive(Default)]
pub(crate) struct Touched {
    /// In every pass.
    pub(crate) always: Vec<Place>,
    /// In passes that solve.
    pub(crate) solving: Vec<Place>,
    /// Where the first bones are. A pass loads the others itself.
    pub(crate) bones: Vec<*const u8>,
}

/// Turns of all rigs. They are in one piece of memory, in no order.
#[derive(Default)]
struct Turns {
    entries: Vec<Entry>,
    unused: Vec<usize>,
    /// Whose pass was the last.
    last: usize,
    /// What is loaded, or being loaded.
    loaded: usize,
}

#[derive(Default)]
struct Entry {
    always: Box<[Place]>,
    solving: Box<[Place]>,
    bones: Box<[*const u8]>,
    /// Whether the last pass has moved bones: then the next one probably does, too.
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
            turns.entries[index].next = index;
            Self { index }
        })
    }

    /// Sets what each pass touches.
    pub(crate) fn set(&self, touched: Touched) {
        TURNS.with_borrow_mut(|turns| {
            let entry = &mut turns.entries[self.index];
            entry.always = Place::merge(&touched.always).into();
            entry.solving = Place::merge(&touched.solving).into();
            entry.bones = touched.bones.into();
        });
    }

    /// A pass begins. `moves` says whether the last one has moved bones. Has the processor load what
    /// it touches, unless the rig before has done so.
    pub(crate) fn begin(&self, moves: bool) {
        TURNS.with_borrow_mut(|turns| {
            let last = std::mem::replace(&mut turns.last, self.index);
            turns.entries[last].next = self.index;
            let is_loaded = std::mem::replace(&mut turns.loaded, self.index) == self.index;
            let entry = &mut turns.entries[self.index];
            entry.moves = moves;
            if !is_loaded || last == self.index {
                entry.load_always();
                entry.load_solving();
            }
        });
    }

    /// Has the processor load what every pass of the next rig touches.
    pub(crate) fn load_next(&self) {
        TURNS.with_borrow_mut(|turns| {
            let next = turns.entries[self.index].next;
            if next != self.index {
                turns.entries[next].load_always();
                turns.loaded = next;
            }
        });
    }

    /// Has the processor load what the next rig touches besides if it solves: after
    /// [`load_next`](Self::load_next), since a processor loads only some lines at the same time.
    pub(crate) fn load_next_solve(&self) {
        TURNS.with_borrow(|turns| {
            let next = turns.entries[self.index].next;
            if next != self.index {
                let entry = &turns.entries[next];
                entry.load_solving();
                turns.entries[entry.next].load_places();
            }
        });
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
    fn load_always(&self) {
        self.always.iter().for_each(|place| place.load());
        self.bones.iter().for_each(|&bone| load_bone(bone));
    }

    fn load_solving(&self) {
        if self.moves {
            self.solving.iter().for_each(|place| place.load());
            self.bones.iter().for_each(|&bone| load_turn(bone));
        }
    }

    /// Loads the lists themselves.
    fn load_places(&self) {
        Place::of(&*self.always).load();
        Place::of(&*self.solving).load();
        Place::of(&*self.bones).load();
    }
}

//! What a stance keeps from pass to pass, and the ticks of the physics in between.
//!
//! A tick runs when the physics can be asked, and what it was told is recorded. The next pass takes over what the
//! ticks came to. A pass that is solved elsewhere, from a capture, goes through them again: to the same bits,
//! since the law is the same.

use std::any::Any;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::rig::kept::{Keeps, Kept};
use crate::solvers::stance::leg::Leg;
use crate::solvers::stance::memory::StanceMemory;
use crate::solvers::stance::scene::Law;
use crate::solvers::stance::world::{Posed, Tick, Ticks, World};

/// More ticks than that are not recorded: the engine makes at most 8 in a frame, unless it is told to.
const MOST_TICKS: usize = 16;

/// What a stance keeps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Standing {
    /// What is kept of the feet. The ticks come between two passes.
    #[serde(rename = "before")]
    memory: Kept<StanceMemory>,
    /// The ticks since.
    pub(super) ticks: Ticks,
    /// What the ticks have come to, if they ran here.
    #[serde(skip)]
    ahead: Option<StanceMemory>,
    /// Whether the last solve has taken the ticks.
    #[serde(skip)]
    is_taken: bool,
    /// Whether they led to what cannot be solved, so that this pass goes without them. They stay, for its capture.
    #[serde(skip)]
    are_void: bool,
    /// How the animation had the feet in the last pass, and their legs.
    #[serde(skip)]
    pub(super) posed: Vec<Option<Posed>>,
    #[serde(skip)]
    pub(super) legs: Vec<Option<Leg>>,
}

impl PartialEq for Standing {
    fn eq(&self, other: &Self) -> bool {
        self.memory == other.memory && self.ticks == other.ticks
    }
}

impl Standing {
    /// What the last solve left.
    pub fn last(&self) -> &StanceMemory {
        self.memory.last()
    }

    /// Runs a tick: right before a pass, or after one.
    pub(super) fn record(
        &mut self,
        tick: Tick,
        floors: &[u32],
        is_before_pass: bool,
        world: &mut dyn World,
        law: &Law<'_>,
    ) {
        if self.is_taken || self.ticks.len() >= MOST_TICKS {
            self.drop_ticks();
        }
        let start = match is_before_pass {
            true => &self.memory.before,
            false => self.memory.last(),
        };
        let ahead = match (&mut self.ahead, self.ticks.is_empty()) {
            (Some(ahead), false) => ahead,
            (Some(ahead), true) => {
                ahead.clone_from(start);
                ahead
            }
            (ahead @ None, _) => ahead.insert(start.clone()),
        };
        let mut world = self.ticks.record(tick, &self.posed, floors, world);
        ahead.tick(law, tick, &self.posed, floors, &mut world);
    }

    fn drop_ticks(&mut self) {
        self.ticks.clear();
        self.is_taken = false;
    }

    /// Whether there are ticks that did not run here.
    pub(super) fn is_to_be_replayed(&self) -> bool {
        !self.ticks.is_empty() && self.ahead.is_none() && !self.are_void
    }

    /// What a replay begins from.
    pub(super) fn begun(&self) -> StanceMemory {
        self.memory.before.clone()
    }

    /// Takes over what a replay came to.
    pub(super) fn finish_with(&mut self, memory: StanceMemory) {
        self.memory.after = memory;
    }

    /// Takes over what the ticks have come to.
    pub(super) fn finish(&mut self) {
        let counts = !self.ticks.is_empty() && !self.are_void;
        if let Some(ahead) = self.ahead.as_ref().filter(|_| counts) {
            self.memory.after.clone_from(ahead);
        }
        self.is_taken = !self.ticks.is_empty();
    }
}

impl Keeps for Standing {
    fn begin(&mut self) {
        self.are_void = false;
        self.memory.begin();
    }

    fn begin_anew(&mut self) -> bool {
        self.are_void = true;
        self.memory.begin_anew() || !self.ticks.is_empty()
    }

    fn go_on(&mut self) {
        self.memory.go_on();
        if self.is_taken {
            self.drop_ticks();
        }
    }

    fn forget(&mut self) {
        self.drop_ticks();
        self.memory.forget();
    }

    fn take_over(&mut self, other: &mut dyn Keeps) {
        if let Some(other) = other.as_any().downcast_mut::<Self>() {
            std::mem::swap(self, other);
        }
    }

    fn save(&self) -> Box<RawValue> {
        self.memory.save()
    }

    fn restore(&mut self, saved: &RawValue) {
        self.drop_ticks();
        self.memory.restore(saved);
    }

    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
}

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
use crate::solvers::stance::world::{PosedFoot, Tick, Ticks};

/// More ticks than that are not recorded: the engine makes at most 8 in a frame, unless it is told to.
const MOST_TICKS: usize = 16;

/// The state that a stance keeps from pass to pass.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Standing {
    /// The state of the feet. The ticks come between two passes.
    #[serde(rename = "before")]
    memory: Kept<StanceMemory>,
    /// The ticks since.
    pub(super) ticks: Ticks,
    /// The state that the ticks led to, if they ran here.
    #[serde(skip)]
    pub(super) ahead: Option<StanceMemory>,
    /// `true` if the last solve has taken the ticks.
    #[serde(skip)]
    is_taken: bool,
    /// `true` if the ticks led to a state that cannot be solved, so that this pass goes without them. They stay, for
    /// its capture.
    #[serde(skip)]
    are_void: bool,
    /// The feet as the animation had them in the last pass, and their legs.
    #[serde(skip)]
    pub(super) posed: Vec<Option<PosedFoot>>,
    #[serde(skip)]
    pub(super) legs: Vec<Option<Leg>>,
    /// The legs in the rest pose.
    #[serde(skip)]
    pub(super) at_rest: Vec<AtRest>,
    /// `true` if `posed` and `legs` are those of the pass that comes, since a tick came right before it.
    #[serde(skip)]
    pub(super) is_loaded: bool,
}

/// A leg in the rest pose, after the numbers that it was measured with, by bits: -0 is another than 0.
pub(super) type AtRest = (Option<([u32; 6], Option<usize>)>, Option<Leg>);

impl PartialEq for Standing {
    fn eq(&self, other: &Self) -> bool {
        self.memory == other.memory && self.ticks == other.ticks
    }
}

impl Standing {
    /// Returns the state after the last solve.
    pub fn last(&self) -> &StanceMemory {
        self.memory.last()
    }

    /// Adds a tick, right before a pass or after one. What the ticks have come to goes on from where it is to begin.
    pub(super) fn add(&mut self, tick: Tick, floors: &[u32], is_before_pass: bool) {
        if self.is_taken || self.ticks.len() >= MOST_TICKS {
            self.drop_ticks();
        }
        if self.ticks.is_empty() || self.ahead.is_none() {
            let start = match is_before_pass {
                true => &self.memory.before,
                false => self.memory.last(),
            };
            self.ahead.get_or_insert_default().clone_from(start);
        }
        self.ticks.add(tick, &self.posed, floors);
    }

    fn drop_ticks(&mut self) {
        self.ticks.clear();
        self.is_taken = false;
    }

    /// The ticks that did not run here, if there are any: what they come to begins where the last pass ended.
    pub(super) fn take_unrun(&mut self) -> Option<Ticks> {
        let is_unrun = !self.ticks.is_empty() && self.ahead.is_none() && !self.are_void;
        is_unrun.then(|| {
            self.ahead = Some(self.memory.before.clone());
            std::mem::take(&mut self.ticks)
        })
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
        self.is_loaded = false;
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
            // The rest pose may be another.
            self.at_rest.clear();
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

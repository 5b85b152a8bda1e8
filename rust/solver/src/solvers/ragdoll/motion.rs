//! What is kept of the motion of a body from tick to tick.

use serde::{Deserialize, Serialize};

use crate::solvers::ragdoll::solid::Solid;

/// The state of a body, and the impulses that hold it. Lengths are those of skeleton space.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BodyMotion {
    /// The place of the root's joint, and the absolute angles of all links.
    pub state: Vec<f64>,
    /// The rate of each of them, per second.
    pub rates: Vec<f64>,
    /// The forces with which the last step held it.
    pub(super) kept: Vec<Impulse>,
    /// The links that touched bodies in the last tick, and the numbers of these.
    pub(super) touched: Vec<(u32, u32)>,
}

impl Clone for BodyMotion {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Allocates nothing where there is room already.
    fn clone_from(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
        self.rates.clone_from(&other.rates);
        self.kept.clone_from(&other.kept);
        self.touched.clone_from(&other.touched);
    }
}

impl BodyMotion {
    /// Returns `true` if a contact held it in the last step, with the world or between its limbs.
    pub(super) fn is_held(&self) -> bool {
        self.kept.iter().any(Impulse::pushes_at_contact)
    }

    /// Makes room for so many bodies that are touched.
    pub(super) fn make_room(&mut self, count: usize) {
        self.touched
            .reserve(count.saturating_sub(self.touched.len()));
        // Both rows of each contact, and limits.
        let rows = 4 * count;
        self.kept.reserve(rows.saturating_sub(self.kept.len()));
    }

    /// Forgets what has held it.
    pub(crate) fn forget(&mut self) {
        self.kept.clear();
        self.touched.clear();
    }
}

/// The cause of a row.
#[derive(Clone, Copy)]
enum ImpulseCause {
    Limit,
    Contact,
    Meeting,
}

/// The impulse of a row, by which it is found again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Impulse {
    /// The link and the cause, what it is against, and what of it touches.
    key: [u32; 4],
    pub(super) size: f64,
}

impl Impulse {
    fn new(cause: ImpulseCause, link: usize, against: [u32; 2], feature: u32) -> Self {
        Self {
            key: [
                4 * link as u32 + cause as u32,
                against[0],
                against[1],
                feature,
            ],
            size: 0.0,
        }
    }

    pub(super) fn of_contact(link: usize, solid: &Solid, feature: u32, is_friction: bool) -> Self {
        let feature = 2 * feature + u32::from(is_friction);
        Self::new(
            ImpulseCause::Contact,
            link,
            [solid.body, solid.shape],
            feature,
        )
    }

    /// Of two links of the body.
    pub(super) fn of_meeting([one, other]: [usize; 2], end: u32, is_friction: bool) -> Self {
        let end = 2 * end + u32::from(is_friction);
        Self::new(ImpulseCause::Meeting, one, [other as u32, 0], end)
    }

    pub(super) fn of_limit(link: usize, is_low: bool) -> Self {
        Self::new(ImpulseCause::Limit, link, [0; 2], is_low.into())
    }

    /// The link whose limit it is of, and by how much that turns it.
    pub(super) fn of_joint(&self) -> Option<(usize, f64)> {
        let [cause, .., is_low] = self.key;
        let sign = if is_low == 1 { 1.0 } else { -1.0 };
        (cause % 4 == ImpulseCause::Limit as u32).then_some((cause as usize / 4, sign * self.size))
    }

    /// The force that has this impulse in so many seconds.
    pub(super) fn over(self, seconds: f64) -> Self {
        Self {
            size: self.size / seconds,
            ..self
        }
    }

    fn pushes_at_contact(&self) -> bool {
        self.size != 0.0 && self.key[0] % 4 != ImpulseCause::Limit as u32
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// The effect of a link on a body of the world in a tick, in global space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The number of the link.
    pub link: usize,
    /// The number of the body.
    pub body: u32,
    /// The impulse that the link got.
    pub impulse: glam::Vec2,
    /// The opposite of what the body gets: less, where something else carries that.
    pub given: glam::Vec2,
    /// The same about the centre of mass of the body.
    pub turn: f32,
    /// The speed at which they came together, if they did not touch before.
    pub hit_speed: Option<f32>,
}

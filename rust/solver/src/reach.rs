//! Targets that no pose reaches, answered in closed form.
//!
//! The tip of a chain whose lengths do not change reaches exactly the ring between
//! [`Chain::nearest`] and [`Chain::reach`]. Beyond it the nearest pose is straight at the
//! target; inside it, every segment but the longest is folded against the longest.

use glam::Vec2;

use crate::chain::Chain;
use crate::finisher;
use crate::turn::Turn;

/// If `target` is out of reach, takes the nearest pose and returns `true`. Chains that are
/// not rigid have no closed form and are left to the finisher.
pub(crate) fn settle_out_of_reach(chain: &mut Chain, target: Vec2) -> bool {
    if !chain.is_rigid() {
        return false;
    }
    if chain.is_limited() {
        return settle_within_limits(chain, target);
    }
    take_nearest(chain, target)
}

/// [`settle_out_of_reach`] for a chain with limits: only where they allow the nearest pose.
/// Otherwise the pose stays as it was.
fn settle_within_limits(chain: &mut Chain, target: Vec2) -> bool {
    let mut before = std::mem::take(&mut chain.scratch.turns);
    before.clear();
    before.extend(chain.joints().iter().map(|joint| joint.turn));
    let mut settled = take_nearest(chain, target);
    if settled {
        let tip = chain.tip();
        chain.place_within_limits();
        settled = chain.tip().distance(tip) <= finisher::precision(chain);
        if !settled {
            chain.place_each(|place, joint| joint.turn = before[place.index]);
        }
    }
    chain.scratch.turns = before;
    settled
}

fn take_nearest(chain: &mut Chain, target: Vec2) -> bool {
    // The target may be farther than a squared f32 can hold.
    let distance = target.as_dvec2().length();
    if distance > f64::from(chain.reach()) {
        let along = direction_of(target, chain);
        chain.lay_along(|_| along);
        true
    } else if distance < f64::from(chain.nearest()) {
        let along = direction_of(target, chain);
        let longest = chain.longest();
        chain.lay_along(|index| if index == longest { along } else { -along });
        true
    } else {
        false
    }
}

/// Where the target is seen from the root; for a target on the root, where the longest
/// segment points already.
fn direction_of(target: Vec2, chain: &Chain) -> Vec2 {
    Turn::towards(target)
        .or_else(|| Turn::towards(chain.segments[chain.longest()]))
        .unwrap_or(Turn::NONE)
        .direction()
}

//! The ragdolls that others meet: where their limbs are in the world, as of their last passes.
//!
//! They are no bodies of the physics server: nothing else has to know them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use godot::classes::Engine;
use godot::prelude::*;
use tendon_solver::RagdollTick;
use tendon_solver::glam::Vec2;

/// A body all of whose limbs are slower counts as one that stands still, in pixels and radians per second.
const SLOW: [f32; 2] = [6.0, 0.2];

/// The way of a limb after which the places of limbs are told anew, in pixels: of two bodies that lie upon each other,
/// none wakes the other for ever.
const MOVED: f32 = 0.5;

/// A ragdoll that others meet.
struct Member {
    node: InstanceId,
    /// The space of the physics server that it is in, and its layers there.
    place: (Rid, u32),
    /// Its limbs now, and before that.
    limbs: [RagdollTick; 2],
    /// The physics frame in which they have become what they are, if it was one.
    frame: Option<u64>,
    /// The number of times that they have changed.
    revision: u32,
}

static CROWD: Mutex<Vec<Member>> = Mutex::new(Vec::new());

fn crowd() -> MutexGuard<'static, Vec<Member>> {
    CROWD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The physics frame that it is.
fn frame() -> Option<u64> {
    let engine = Engine::singleton();
    let is_one = engine.is_in_physics_frame();
    is_one.then(|| engine.get_physics_frames())
}

/// The ragdoll `node` is met in a space by those whose mask has one of its layers.
pub(super) fn join(node: InstanceId, place: (Rid, u32), limbs: &RagdollTick) {
    let frame = frame();
    let mut crowd = crowd();
    let known = crowd.iter().position(|it| it.node == node);
    let known = known.unwrap_or_else(|| {
        crowd.push(Member {
            node,
            place,
            limbs: Default::default(),
            frame: None,
            revision: 0,
        });
        crowd.len() - 1
    });
    let member = &mut crowd[known];
    let is_slow = is_slow(limbs);
    let near = |(one, other): (&Vec2, &Vec2)| one.distance(*other) < MOVED;
    let [now, before] = &mut member.limbs;
    let is_there = member.place == place && now.points.len() == limbs.points.len();
    let stays = now.points.iter().zip(&limbs.points).all(near);
    if is_there && stays && is_slow && now.solids.iter().all(|solid| !solid.moves) {
        return;
    }
    std::mem::swap(now, before);
    now.clone_from(limbs);
    if is_slow {
        for solid in &mut now.solids {
            (solid.velocity, solid.spin, solid.moves) = (Vec2::ZERO, 0.0, false);
        }
    }
    (member.place, member.frame) = (place, frame);
    member.revision = member.revision.wrapping_add(1);
}

fn is_slow(limbs: &RagdollTick) -> bool {
    let mut solids = limbs.solids.iter();
    solids.all(|it| it.velocity.length() < SLOW[0] && it.spin.abs() < SLOW[1])
}

impl Member {
    /// Its limbs as they are when the physics frame begins: all see each other as of the same time, whoever is first.
    fn limbs(&self, frame: Option<u64>) -> &RagdollTick {
        let is_of_this = frame.is_some() && self.frame == frame;
        &self.limbs[usize::from(is_of_this)]
    }
}

/// Returns `true` if nobody is met.
pub(super) fn is_empty() -> bool {
    crowd().is_empty()
}

/// Nobody meets it any more.
pub(super) fn leave(node: InstanceId) {
    crowd().retain(|it| it.node != node);
}

/// Those that `own`, which meets those of a layer in `mask`, may meet between two corners, and how often each has changed.
pub(super) fn near(
    own: InstanceId,
    (space, mask): (Rid, u32),
    [low, high]: [Vec2; 2],
    into: &mut Vec<(InstanceId, u32)>,
) {
    into.clear();
    let frame = frame();
    let crowd = crowd();
    let is_met = |it: &&Member| it.node != own && it.place.0 == space && it.place.1 & mask != 0;
    let is_near = |it: &&Member| {
        let limbs = it.limbs(frame);
        let wide = limbs.solids.iter().map(|it| it.radius);
        let wide = Vec2::splat(wide.fold(0.0, f32::max));
        let of_all = |pick: fn(Vec2, Vec2) -> Vec2| limbs.points.iter().copied().reduce(pick);
        let box_of = of_all(Vec2::min).zip(of_all(Vec2::max));
        box_of.is_some_and(|(least, most)| {
            (least - wide).cmple(high).all() && (most + wide).cmpge(low).all()
        })
    };
    let found = crowd.iter().filter(is_met).filter(is_near);
    // That of the limbs that are seen.
    let revision = |it: &Member| match std::ptr::eq(it.limbs(frame), &it.limbs[0]) {
        true => it.revision,
        false => it.revision.wrapping_sub(1),
    };
    into.extend(found.map(|it| (it.node, revision(it))));
}

/// Adds the limbs of `node` to a tick. `number` is the number of a limb.
pub(super) fn push_limbs(node: InstanceId, number: impl Fn(u32) -> u32, tick: &mut RagdollTick) {
    let frame = frame();
    let crowd = crowd();
    let Some(member) = crowd.iter().find(|it| it.node == node) else {
        return;
    };
    let limbs = member.limbs(frame);
    for solid in &limbs.solids {
        let mut own = *solid;
        own.body = number(solid.body);
        tick.push(own, limbs.points_of(solid).iter().copied());
    }
}

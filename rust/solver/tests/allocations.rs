//! A pass allocates nothing once the rig has been solved before.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use glam::Vec2;
use tendon_solver::{
    Bone, Capture, LimbShape, Modifier, Ragdoll, RagdollTick, Rig, Solid, Workspace,
};

/// The system's allocator, counting what this thread asks of it.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is the system allocator's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Every golden rig with its targets all around, in reach and out, without memory and following.
/// Buffers grow with the hardest solve so far, and what is remembered changes places with what was:
/// the rigs have been all around twice before.
#[test]
fn a_pass_allocates_nothing_once_the_rig_has_been_solved() {
    let cases = Capture::read_all(include_str!("../golden/cases.jsonl"))
        .expect("the golden cases are sound");
    assert!(cases.len() > 10);
    for Capture { name, mut rig, .. } in cases {
        for follows in [false, true] {
            let mut space = Workspace::default();
            rig.forget();
            for _ in 0..2 {
                solve_all_around(&mut rig, &mut space, follows);
            }
            let before = COUNT.get();
            solve_all_around(&mut rig, &mut space, follows);
            assert_eq!(COUNT.get() - before, 0, "{name}, following: {follows}");
        }
    }
}

/// A limp body that falls on a box, twice.
#[test]
fn a_ragdoll_allocates_nothing_once_it_has_fallen() {
    let bones = (0..6_usize).map(|index| Bone {
        position: Vec2::new(if index == 0 { 0.0 } else { 30.0 }, -20.0),
        rotation: 0.4,
        ..Bone::below(index.checked_sub(1))
    });
    let shape = LimbShape {
        to: Vec2::X * 30.0,
        ..LimbShape::default()
    };
    let mut ragdoll = Ragdoll::new((0..6).collect(), vec![shape; 6]);
    ragdoll.settings.simulating = true;
    let mut tick = RagdollTick {
        delta: 1.0 / 60.0,
        gravity: Vec2::Y * 980.0,
        ..RagdollTick::default()
    };
    let corners = [(-500.0, 60.0), (500.0, 60.0), (500.0, 90.0), (-500.0, 90.0)];
    tick.push(Solid::default(), corners.map(Vec2::from));
    ragdoll.ticks.push(tick);
    let mut rig = Rig::new(bones.collect(), vec![Modifier::new(ragdoll)]);
    rig.delta = 1.0 / 60.0;
    let mut space = Workspace::default();
    let mut fall = || {
        rig.forget();
        for _ in 0..240 {
            rig.go_on();
            rig.solve(&mut space);
        }
    };
    fall();
    fall();
    let before = COUNT.get();
    fall();
    assert_eq!(COUNT.get() - before, 0);
}

fn solve_all_around(rig: &mut Rig, space: &mut Workspace, follows: bool) {
    rig.delta = 1.0 / 60.0;
    for step in 0..64 {
        let around = Vec2::from_angle(0.1 * step as f32) * (7.0 * step as f32);
        for modifier in &mut rig.modifiers {
            if let Some(target) = modifier.solver.parts_mut().own_target_mut() {
                target.position = around;
            }
        }
        if follows {
            rig.go_on();
        }
        rig.solve(space);
    }
}

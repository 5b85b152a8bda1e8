//! What `scripts/bench` and the tests measure with: a floor to compare with, and a count of
//! allocations. Only in builds with the feature `bench`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};

use godot::classes::Bone2D;
use godot::prelude::*;

use crate::engine::Live;

/// Writes rotations and does nothing else: what no inverse kinematics over nodes can go below.
#[derive(GodotClass)]
#[class(init, base = Node)]
struct TendonBenchFloor {
    /// Whether to write in every frame.
    #[var]
    active: bool,
    bones: Vec<Live<Bone2D>>,
    angle: f32,
    base: Base<Node>,
}

#[godot_api]
impl INode for TendonBenchFloor {
    fn process(&mut self, _delta: f64) {
        if self.active {
            self.run(self.angle + 0.01);
        }
    }
}

#[godot_api]
impl TendonBenchFloor {
    /// How often the extension has asked for memory so far.
    #[func]
    fn count_allocations() -> i64 {
        ALLOCATIONS.load(Ordering::Relaxed)
    }

    /// The bones to write.
    #[func]
    fn set_bones(&mut self, bones: Array<Gd<Bone2D>>) {
        self.bones = bones.iter_shared().map(Live::new).collect();
    }

    /// Turns every bone, each a little differently from the last time.
    #[func]
    fn run(&mut self, angle: f32) {
        self.angle = angle;
        for (index, bone) in self.bones.iter().enumerate() {
            if let Some(bone) = bone.alive() {
                bone.turn(angle + 0.001 * index as f32);
            }
        }
    }
}

static ALLOCATIONS: AtomicI64 = AtomicI64::new(0);

/// The system's allocator, counting.
struct Counting;

// SAFETY: all memory is the system allocator's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
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

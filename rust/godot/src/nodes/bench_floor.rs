//! What `scripts/bench` measures with: a floor to compare with, and what single calls cost. Only in
//! builds with the feature `bench`.

use std::hint::black_box;
use std::time::Instant;

use godot::classes::{Bone2D, PhysicsDirectSpaceState2D, PhysicsRayQueryParameters2D, Skeleton2D};
use godot::prelude::*;

use crate::engine::live::Live;

/// Writes rotations and does nothing else: the lower bound of any inverse kinematics over nodes.
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
    /// Does nothing: what a call costs whose receiver is a borrow.
    #[func]
    fn borrow(&self, _delta: f64) {}

    /// Does nothing: what a call costs whose receiver is a `Gd`, as a pass needs it to let
    /// scripts free the rig.
    #[func(gd_self)]
    fn receive(_this: Gd<Self>, _delta: f64) {}

    /// The engine calls that passes consist of, each repeated: nanoseconds by name. `bone` is
    /// turned; `target` is where it would look.
    #[func]
    fn time_calls(bone: Gd<Bone2D>, target: Gd<Node2D>) -> Dictionary<GString, f64> {
        let skeleton = bone.get_parent().and_then(|parent| parent.try_cast().ok());
        let skeleton = Live::new(skeleton.expect("the bone is a child of its skeleton"));
        let (bone, target) = (Live::new(bone), Live::new(target));
        let signal = StringName::from("tree_exited");
        let mut times = Dictionary::new();
        let mut time = |name: &str, call: &mut dyn FnMut(u32)| {
            times.set(&GString::from(name), nanoseconds(call));
        };
        time("Bone2D: is it alive?", &mut |_| {
            black_box(bone.is_alive());
        });
        time("Bone2D.get_transform", &mut |_| {
            black_box(bone.transform());
        });
        time("Bone2D.set_rotation", &mut |step| {
            _ = bone.set_rotation(0.001 * step as f32);
        });
        time("Bone2D.get_length", &mut |_| {
            black_box(bone.length());
        });
        time("Node.is_inside_tree", &mut |_| {
            black_box(target.is_inside_tree());
        });
        time("target.get_global_transform", &mut |_| {
            black_box(target.global_transform());
        });
        time("Skeleton2D.get_bone_count", &mut |_| {
            skeleton.update_bones()
        });
        time("Skeleton2D.get_global_transform", &mut |_| {
            black_box(skeleton.global_transform());
        });
        time("Object.has_connections", &mut |_| {
            black_box(target.has_listeners(&signal));
        });
        times
    }

    /// Which lines of 64 bytes of a node the engine calls of a pass touch: the numbers in
    /// `engine/prefetch.rs`. Only on x86-64.
    #[func]
    #[cfg(target_arch = "x86_64")]
    fn find_lines(bone: Gd<Bone2D>, target: Gd<Node2D>) -> Dictionary<GString, PackedInt32Array> {
        let skeleton = bone.get_parent().and_then(|parent| parent.try_cast().ok());
        let skeleton: Gd<Skeleton2D> = skeleton.expect("the bone is a child of its skeleton");
        let (bone, target, skeleton) = (Live::new(bone), Live::new(target), Live::new(skeleton));
        let (at_bone, at_target) = (bone.address(), target.address());
        let at_skeleton = skeleton.address();
        let signal = StringName::from("tree_exited");
        let mut found = Dictionary::new();
        let mut find = |name: &str, start: *const u8, call: &mut dyn FnMut(u32)| {
            found.set(&GString::from(name), &touched_lines(start, call));
        };
        find("Bone2D.get_transform", at_bone, &mut |_| {
            black_box(bone.transform());
        });
        find("Bone2D.get_length", at_bone, &mut |_| {
            black_box(bone.length());
        });
        find(
            "Bone2D.get_autocalculate_length_and_angle",
            at_bone,
            &mut |_| {
                black_box(bone.has_automatic_length());
            },
        );
        find("Bone2D.set_rotation", at_bone, &mut |step| {
            _ = bone.set_rotation(0.001 * step as f32);
        });
        find("Bone2D.set_rotation: skeleton", at_skeleton, &mut |step| {
            _ = bone.set_rotation(0.001 * step as f32);
        });
        find("Node.is_inside_tree", at_target, &mut |_| {
            black_box(target.is_inside_tree());
        });
        find("target.get_global_transform", at_target, &mut |_| {
            black_box(target.global_transform());
        });
        find("Object.has_connections", at_target, &mut |_| {
            black_box(target.has_listeners(&signal));
        });
        find("Skeleton2D.get_bone_count", at_skeleton, &mut |_| {
            skeleton.update_bones()
        });
        find("Skeleton2D.get_global_transform", at_skeleton, &mut |_| {
            black_box(skeleton.global_transform());
        });
        found
    }

    /// Casts a ray along `way` from each of `starts`, and reads what a foot has to know of the ground.
    /// Returns how many of them hit.
    #[func]
    fn cast(
        &self,
        mut space: Gd<PhysicsDirectSpaceState2D>,
        mut ray: Gd<PhysicsRayQueryParameters2D>,
        starts: PackedVector2Array,
        way: Vector2,
    ) -> i64 {
        let mut hits = 0;
        for &start in starts.as_slice() {
            ray.set_from(start);
            ray.set_to(start + way);
            let hit = space.intersect_ray(&ray);
            let found = ["collider_id", "position", "normal"].map(|key| hit.get(key));
            hits += i64::from(black_box(found)[0].is_some());
        }
        hits
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
            bone.set_rotation(angle + 0.001 * index as f32);
        }
    }
}

/// The lines of an object at `start` without which, in the caches, `call` takes longer.
#[cfg(target_arch = "x86_64")]
fn touched_lines(start: *const u8, call: &mut dyn FnMut(u32)) -> PackedInt32Array {
    use std::arch::x86_64::{__rdtscp, _mm_clflush, _mm_mfence};
    const SAMPLES: u32 = 401;
    const LINES: i32 = 24;
    const CLEARLY: u64 = 120;
    let mut median = |flushed: *const u8| {
        let mut ticks: Vec<u64> = (0..SAMPLES)
            .map(|step| {
                let mut core = 0;
                // SAFETY: the address is within an object that is alive, or of this function.
                unsafe {
                    _mm_clflush(flushed);
                    _mm_mfence();
                }
                // SAFETY: every x86-64 processor has that clock.
                let begin = unsafe { __rdtscp(&mut core) };
                call(step);
                // SAFETY: as above.
                unsafe { __rdtscp(&mut core) - begin }
            })
            .collect();
        ticks.sort_unstable();
        ticks[ticks.len() / 2]
    };
    let elsewhere = Box::new([0_u8; 64]);
    let normal = median(elsewhere.as_ptr());
    let line = |index: &i32| start.wrapping_add(64 * *index as usize);
    let lines = (0..LINES).filter(|index| median(line(index)) > normal + CLEARLY);
    lines.collect()
}

/// What `call`, which is given the number of the step, takes on average: the least of several
/// batches.
fn nanoseconds(call: &mut dyn FnMut(u32)) -> f64 {
    const STEPS: u32 = 100_000;
    let batch = |call: &mut dyn FnMut(u32)| {
        let begin = Instant::now();
        for step in 0..STEPS {
            call(step);
        }
        begin.elapsed().as_nanos() as f64 / f64::from(STEPS)
    };
    (0..9).map(|_| batch(call)).fold(f64::INFINITY, f64::min)
}

//! What `scripts/bench` measures with: a floor to compare with, and what single calls cost. Only in
//! builds with the feature `bench`.

use std::hint::black_box;
use std::time::Instant;

use godot::classes::{Bone2D, PhysicsDirectSpaceState2D, PhysicsRayQueryParameters2D, Skeleton2D};
use godot::prelude::*;

use crate::engine::frame_calls::Live;

/// Writes rotations and does nothing else: the lower bound of any inverse kinematics over nodes.
#[derive(GodotClass)]
#[class(init, base = Node)]
struct TendonBenchFloor {
    /// Whether to write in every frame.
    #[var]
    active: bool,
    /// Whether to read in every frame: what has to be known of bones that nobody moves.
    #[var]
    reads: bool,
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
        if self.reads {
            for bone in &self.bones {
                black_box(bone.get_transform());
            }
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
        let skeleton = bone
            .get_parent()
            .and_then(|parent| parent.try_cast::<Skeleton2D>().ok());
        let skeleton = Live::new(skeleton.expect("the bone is a child of its skeleton"));
        let (bone, target) = (Live::new(bone), Live::new(target));
        let mut times = Dictionary::new();
        let mut time = |name: &str, call: &mut dyn FnMut(u32)| {
            times.set(&GString::from(name), nanoseconds(call));
        };
        time("Bone2D: is it alive?", &mut |_| {
            black_box(bone.is_alive());
        });
        time("Bone2D.get_transform", &mut |_| {
            black_box(bone.get_transform());
        });
        time("Bone2D.set_rotation", &mut |step| {
            _ = bone.set_rotation(0.001 * step as f32);
        });
        time("Bone2D.get_length", &mut |_| {
            black_box(bone.get_length());
        });
        time("Node.is_inside_tree", &mut |_| {
            black_box(target.is_inside_tree());
        });
        time("target.get_global_transform", &mut |_| {
            black_box(target.get_global_transform());
        });
        time("Skeleton2D.get_bone_count", &mut |_| {
            black_box(skeleton.get_bone_count());
        });
        time("Skeleton2D.get_global_transform", &mut |_| {
            black_box(skeleton.get_global_transform());
        });
        times
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

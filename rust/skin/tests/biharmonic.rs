//! Weights beside bounded biharmonic ones (Jacobson, Baran, Popović, Sorkine, 2011) on the same meshes.
//!
//! `tests/biharmonic/shapes.py` makes meshes, and `tests/biharmonic/weights.py` adds the weights of libigl.

use serde_json::Value;
use tendon_skin::glam::DVec2;
use tendon_skin::{Bone, Mesh, Weights};

struct Compared {
    mean: f64,
    /// The largest difference at a vertex that is not at a joint.
    largest: f64,
}

fn compare(text: &str) -> Compared {
    let file: Value = serde_json::from_str(text).unwrap();
    let list = |name: &str| file[name].as_array().unwrap();
    let point = |value: &Value| DVec2::new(value[0].as_f64().unwrap(), value[1].as_f64().unwrap());
    let triangle = |value: &Value| [0, 1, 2].map(|corner| value[corner].as_u64().unwrap() as usize);
    let vertices: Vec<DVec2> = list("vertices").iter().map(point).collect();
    let mesh = Mesh::new(vertices, list("triangles").iter().map(triangle).collect()).unwrap();
    let bones: Vec<Bone> = list("bones")
        .iter()
        // Without parents: before weights give way to bends.
        .map(|ends| Bone::new(point(&ends[0]), point(&ends[1])))
        .collect();
    let weights = Weights::new(&mesh, &bones, 1.5).unwrap();
    let (mut sum, mut largest) = (0.0, 0.0f64);
    for (bone, _) in bones.iter().enumerate() {
        for (vertex, weight) in weights.of_bone(bone).enumerate() {
            let off = (weight - file["weights"][vertex][bone].as_f64().unwrap()).abs();
            let is_at = |bone: &Bone| bone.joint().distance(mesh.vertices[vertex]) < 12.0;
            sum += off;
            if !bones.iter().any(is_at) {
                largest = largest.max(off);
            }
        }
    }
    Compared {
        mean: sum / (mesh.vertices.len() * bones.len()) as f64,
        largest,
    }
}

#[test]
fn weights_are_near_to_bounded_biharmonic_ones() {
    let files = [
        ("body", include_str!("biharmonic/body.json")),
        ("branches", include_str!("biharmonic/branches.json")),
        ("hand", include_str!("biharmonic/hand.json")),
        ("limb", include_str!("biharmonic/limb.json")),
        ("ring", include_str!("biharmonic/ring.json")),
        ("tail", include_str!("biharmonic/tail.json")),
        ("figure", include_str!("biharmonic/figure.json")),
        ("fork", include_str!("biharmonic/fork.json")),
        ("fingers", include_str!("biharmonic/fingers.json")),
        ("quadruped", include_str!("biharmonic/quadruped.json")),
        ("letter_s", include_str!("biharmonic/letter_s.json")),
    ];
    for (name, text) in files {
        let Compared { mean, largest } = compare(text);
        println!("{name}: mean difference {mean:.4}, largest away from joints {largest:.3}");
        assert!(mean <= 0.03 && largest <= 0.2, "{name}");
    }
}

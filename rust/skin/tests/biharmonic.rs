//! Weights beside bounded biharmonic ones.
use serde_json::Value;
use tendon_skin::glam::DVec2;
use tendon_skin::{Bone, Mesh, Weights};
#[test]
fn compare() {
    for file in std::env::var("FILES").unwrap().split(' ') {
        let value: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let point = |v: &Value| DVec2::new(v[0].as_f64().unwrap(), v[1].as_f64().unwrap());
        let vertices: Vec<DVec2> = value["vertices"]
            .as_array()
            .unwrap()
            .iter()
            .map(point)
            .collect();
        let triangles: Vec<[usize; 3]> = value["triangles"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| [0, 1, 2].map(|i| t[i].as_u64().unwrap() as usize))
            .collect();
        let bones: Vec<Bone> = value["bones"]
            .as_array()
            .unwrap()
            .iter()
            .map(|b| Bone::new(point(&b[0]), point(&b[1])))
            .collect();
        let mesh = Mesh::new(vertices, triangles).unwrap();
        for reach in [1.0, 1.5, 2.1] {
            let weights = Weights::new(&mesh, &bones, reach).unwrap();
            let (mut sum, mut most, mut away) = (0.0, (0.0, 0), 0.0f64);
            for v in 0..mesh.vertices.len() {
                for b in 0..bones.len() {
                    let expected = value["weights"][v][b].as_f64().unwrap();
                    let off = (weights.of(v).iter().find(|w| w.0 == b).map_or(0.0, |w| w.1)
                        - expected)
                        .abs();
                    if b == 0 && reach == 1.0 && expected > 0.01 && expected < 0.99 {
                        println!(
                            "  {} expected {expected:.3} got {:.3}",
                            mesh.vertices[v],
                            weights.of(v).iter().find(|w| w.0 == b).map_or(0.0, |w| w.1)
                        );
                    }
                    sum += off;
                    if off > most.0 {
                        most = (off, v);
                    }
                    let at_joint = bones
                        .iter()
                        .skip(1)
                        .any(|bone| bone.joint().distance(mesh.vertices[v]) < 14.0);
                    if !at_joint {
                        away = away.max(off);
                    }
                }
            }
            println!(
                "{file} reach {reach} mean {:.4} most {:.3} at {} away {away:.3}",
                sum / (mesh.vertices.len() * bones.len()) as f64,
                most.0,
                mesh.vertices[most.1]
            );
        }
    }
}

//! 200 random characters: their weights, and what becomes of them when they bend.

mod figures;

use std::ops::ControlFlow;

use figures::Figure;
use figures::bend::Bent;
use tendon_skin::{Options, Skin};

#[test]
fn measure() {
    let mut totals: std::collections::BTreeMap<&str, [f64; 12]> = Default::default();
    let number = |name: &str, default: f64| {
        std::env::var(name).map_or(default, |value| value.parse().unwrap())
    };
    let options = Options {
        reach: number("REACH", 1.5),
        ..Options::default()
    };
    for seed in 0..200 {
        let figure = Figure::random(seed);
        let skin = Skin::new(&figure.alpha(), &figure.bones(), options, |_| {
            ControlFlow::Continue(())
        })
        .unwrap();
        let mut foreign = 0.0f64;
        let mut count = 0.0;
        for (vertex, &place) in skin.mesh.vertices.iter().enumerate() {
            for &(bone, weight) in skin.weights.of(vertex) {
                if !figure.may_move(place, bone)
                    && weight > 0.1
                    && std::env::var("SHOW").is_ok_and(|k| k == figure.kind)
                {
                    println!(
                        "{seed} at {place} bone {bone} {:?} {:?} weight {weight:.2} of {:?}",
                        figure.limbs[bone].from,
                        figure.limbs[bone].to,
                        skin.weights.of(vertex)
                    );
                }
                if !figure.may_move(place, bone) {
                    foreign = foreign.max(weight);
                    count += f64::from(u8::from(weight > 0.02));
                }
            }
        }
        let t = totals.entry(figure.kind).or_default();
        t[0] += 1.0;
        t[1] += skin.mesh.vertices.len() as f64;
        t[2] = t[2].max(foreign);
        t[3] += count;
        for (slot, angle) in [(4, 60f64), (6, 90.0)] {
            let mut worst = 0.0f64;
            for bone in (0..figure.limbs.len()).filter(|&bone| figure.limbs[bone].parent.is_some())
            {
                for sign in [-1.0, 1.0] {
                    let bent = Bent::new(&figure, &skin, bone, sign * angle.to_radians());
                    t[if slot == 4 { 9 } else { 10 }] += bent.flips as f64;
                    t[11] += if slot == 4 {
                        skin.mesh.triangles.len() as f64
                    } else {
                        0.0
                    };
                    worst = worst.max(bent.flips as f64 / skin.mesh.triangles.len() as f64);
                    t[slot + 1] = t[slot + 1].max(bent.area.abs());
                }
            }
            t[slot] = t[slot].max(worst);
            if slot == 4 {
                t[8] += f64::from(u8::from(worst > 0.005));
            }
        }
        let mut angle = f64::INFINITY;
        let mut thin = 0;
        for tri in 0..skin.mesh.triangles.len() {
            let c = skin.mesh.corners(tri);
            let mut least = f64::INFINITY;
            for i in 0..3 {
                least = least.min(
                    (c[(i + 1) % 3] - c[i])
                        .angle_to(c[(i + 2) % 3] - c[i])
                        .abs()
                        .to_degrees(),
                );
            }
            angle = angle.min(least);
            if least < 20.0 {
                thin += 1;
            }
        }
        if thin > 2 {
            println!(
                "{seed} {} {} vertices {} triangles, thin {thin}, least {angle:.1}",
                figure.kind,
                skin.mesh.vertices.len(),
                skin.mesh.triangles.len()
            );
        }
    }
    for (kind, t) in totals {
        println!(
            "{kind:8} n {} vertices {:.0} foreign {:.3} ({}) worst60 {:.4} mean60 {:.5} area60 {:.3} worst90 {:.4} mean90 {:.5} area90 {:.3} over60 {}",
            t[0],
            t[1] / t[0],
            t[2],
            t[3],
            t[4],
            t[9] / t[11],
            t[5],
            t[6],
            t[10] / t[11],
            t[7],
            t[8]
        );
    }
}

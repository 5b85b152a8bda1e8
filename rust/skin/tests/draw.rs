mod figures;
use figures::Figure;
use std::fmt::Write;
use std::ops::ControlFlow;
use tendon_skin::*;
#[test]
fn draw() {
    let seed: u64 = std::env::var("SEED").unwrap().parse().unwrap();
    let figure = Figure::random(seed);
    let skin = Skin::new(&figure.alpha(), &figure.bones(), Options::default(), |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    let [w, h] = figure.size;
    let mut s = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{}' height='{}' viewBox='0 0 {w} {h}'><rect width='{w}' height='{h}' fill='white'/>",
        w * 4,
        h * 4
    );
    let a = figure.drawing();
    for (i, v) in a.iter().enumerate() {
        if *v > 0 {
            let (x, y) = (i % w, i / w);
            write!(
                s,
                "<rect x='{x}' y='{y}' width='1' height='1' fill='rgb({0},{0},{0})'/>",
                255 - *v as u32 / 3
            )
            .unwrap();
        }
    }
    if std::env::var("RINGS").is_ok() {
        for ring in Outline::new(&figure.alpha(), 0.5).unwrap().rings {
            for (i, p) in ring.iter().enumerate() {
                let q = ring[(i + 1) % ring.len()];
                println!("ring {p} len {:.2}", p.distance(q));
                write!(s, "<circle cx='{}' cy='{}' r='0.7' fill='blue'/>", p.x, p.y).unwrap();
            }
        }
    }
    let n = figure.limbs.len();
    for t in 0..skin.mesh.triangles.len() {
        let c = skin.mesh.corners(t);
        let mut col = [0.0; 3];
        for v in skin.mesh.triangles[t] {
            for &(b, wt) in skin.weights.of(v) {
                let hue = b as f64 / n as f64 * 6.28;
                for k in 0..3 {
                    col[k] += wt / 3.0 * (128.0 + 127.0 * (hue + k as f64 * 2.09).cos());
                }
            }
        }
        write!(s, "<polygon points='{},{} {},{} {},{}' fill='rgb({},{},{})' fill-opacity='0.5' stroke='black' stroke-width='0.12'/>", c[0].x, c[0].y, c[1].x, c[1].y, c[2].x, c[2].y, col[0] as u8, col[1] as u8, col[2] as u8).unwrap();
    }
    for b in 0..n {
        if figure.limbs[b].parent.is_none() {
            continue;
        }
        for sg in [-1.0, 1.0] {
            let be = figures::bend::Bent::new(&figure, &skin, b, sg * 60f64.to_radians());
            if be.flips > 0 {
                println!(
                    "bone {b} {sg} flips {} of {}",
                    be.flips,
                    skin.mesh.triangles.len()
                );
            }
            for t in be.which {
                let c = skin.mesh.corners(t);
                write!(
                    s,
                    "<polygon points='{},{} {},{} {},{}' fill='rgb(255,0,0)' fill-opacity='0.5'/>",
                    c[0].x, c[0].y, c[1].x, c[1].y, c[2].x, c[2].y
                )
                .unwrap();
            }
        }
    }
    for l in &figure.limbs {
        write!(
            s,
            "<line x1='{}' y1='{}' x2='{}' y2='{}' stroke='red' stroke-width='0.5'/>",
            l.from.x, l.from.y, l.to.x, l.to.y
        )
        .unwrap();
    }
    s += "</svg>";
    std::fs::write("/tmp/draw.svg", s).unwrap();
}

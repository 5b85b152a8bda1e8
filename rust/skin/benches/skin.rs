//! How long a skin takes: a picture of a character with 20 bones, and 1,000 vertices.

use divan::Bencher;
use tendon_skin::glam::DVec2;
use tendon_skin::{Alpha, Bone, Density, Mesh, Options, Outline, Skin, Weights};

const SIZE: usize = 512;

fn main() {
    divan::main();
}

/// Twenty bones in two rows, and a picture that is opaque around them.
fn bones() -> Vec<Bone> {
    let bone = |index: u32| {
        let from = DVec2::new(
            40.0 + f64::from(index % 10) * 43.0,
            130.0 + f64::from(index / 10) * 250.0,
        );
        let above = (index % 10).checked_sub(1);
        let parent = above.map(|above| (index / 10 * 10 + above) as usize);
        Bone::new(from, from + DVec2::X * 43.0).below(parent)
    };
    (0..20).map(bone).collect()
}

fn picture() -> Alpha {
    let is_opaque = |pixel: usize| {
        let (x, y) = ((pixel % SIZE) as f64, (pixel / SIZE) as f64);
        let wave = 70.0 + 20.0 * (x / 25.0).sin();
        let is_in_row =
            [130.0, 380.0].iter().any(|row| (y - row).abs() < wave) && (20.0..490.0).contains(&x);
        is_in_row || (250.0..290.0).contains(&x) && (130.0..380.0).contains(&y)
    };
    let alpha: Vec<u8> = (0..SIZE * SIZE)
        .map(|pixel| u8::from(is_opaque(pixel)) * 255)
        .collect();
    Alpha::new(SIZE, SIZE, &alpha, 0).unwrap()
}

fn options() -> Options {
    Options {
        density: Density::Vertices(1000),
        ..Options::default()
    }
}

#[divan::bench]
fn outline(bencher: Bencher) {
    let picture = picture();
    bencher.bench(|| Outline::new(&picture, 0.5));
}

#[divan::bench]
fn weights(bencher: Bencher) {
    let outline = Outline::new(&picture(), 0.5).unwrap();
    let mesh = Mesh::within(&outline, &[], Density::Vertices(1000)).unwrap();
    let bones = bones();
    bencher.bench(|| Weights::new(&mesh, &bones, 1.5));
}

#[divan::bench]
fn whole(bencher: Bencher) {
    let (picture, bones) = (picture(), bones());
    bencher.bench(|| Skin::new(&picture, &bones, &options()));
}

//! Random bodies, frames and grounds.

use glam::{Affine2, Mat2, Vec2};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::{Bone, LimbShape, Limit};

use crate::puppet::Puppet;
use crate::world::World;

/// A tree of 3 to 25 limbs, most of them with limits.
fn random_body(rng: &mut Xoshiro256PlusPlus) -> Puppet {
    let count = rng.random_range(3..=25);
    let (mut bones, mut shapes) = (Vec::new(), Vec::<LimbShape>::new());
    for index in 0..count {
        let parent = (index > 0).then(|| rng.random_range(index.max(4) - 4..index));
        let length: f32 = rng.random_range(14.0..45.0);
        let rotation = rng.random_range(-1.5..1.5);
        let has_limit = parent.is_some() && rng.random_range(0.0..1.0) < 0.7;
        let least = -rng.random_range(0.05..1.5);
        let most = rng.random_range(0.05..1.5);
        let position = parent.map_or(Vec2::ZERO, |parent| {
            shapes[parent].to * rng.random_range(0.4..1.0_f32).max(0.7)
        });
        bones.push(Bone {
            position,
            rotation,
            limit: has_limit.then(|| Limit::around(rotation, least, most)),
            ..Bone::below(parent)
        });
        shapes.push(LimbShape {
            from: Vec2::ZERO,
            to: Vec2::X * length,
            radius: Some(length * rng.random_range(0.12..0.3)),
            ..LimbShape::default()
        });
    }
    Puppet::new(bones, shapes)
}

/// Plain, mirrored, scaled or skewed.
fn random_frame(rng: &mut Xoshiro256PlusPlus, place: Vec2) -> Affine2 {
    let mirror = if rng.random_range(0..2) == 0 {
        1.0
    } else {
        -1.0
    };
    let size: f32 = rng.random_range(0.6..1.6);
    let skew = match rng.random_range(0..3) {
        0 => rng.random_range(-0.3..0.3),
        _ => 0.0,
    };
    let turn = rng.random_range(-3.0..3.0_f32);
    let linear = Mat2::from_angle(turn)
        * Mat2::from_cols(Vec2::new(mirror * size, 0.0), Vec2::new(skew * size, size));
    Affine2::from_mat2_translation(linear, place)
}

/// One of 20 grounds: level, tiles, stairs, hills, pits and blocks.
fn random_world(number: u64) -> World {
    let size = 12.0 + 4.0 * (number / 4) as f32;
    match number % 4 {
        0 => World::flat().with_box([40.0, -size], [40.0 + 2.0 * size, 0.0]),
        1 => World::tiles(size),
        2 => World::stairs(3 + number as usize / 4, size, 2.0 * size),
        _ => {
            let hill = vec![
                Vec2::new(-220.0, 0.0),
                Vec2::new(0.0, -3.0 * size),
                Vec2::new(220.0, 0.0),
            ];
            World::flat().with(hill)
        }
    }
}

/// One of many bodies that are thrown onto a ground.
pub fn thrown(seed: u64) -> (Puppet, World) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut puppet = random_body(&mut rng);
    puppet.rig.to_global = random_frame(&mut rng, Vec2::new(0.0, -400.0));
    let velocity = [
        rng.random_range(-400.0..400.0),
        rng.random_range(-300.0..600.0),
    ];
    puppet.throw(velocity.into());
    (puppet, random_world(seed % 20))
}

//! Bodies that are let go: depth, limits, rest.

use glam::{Affine2, Vec2};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_solver::{Hold, Push, RagdollPhase, RagdollTick, Solid};

use crate::bodies::thrown;
use crate::puppet::Puppet;
use crate::statics::unborne;
use crate::world::World;

const TICK: f32 = 1.0 / 60.0;

/// One degree.
const DEGREE: f32 = std::f32::consts::PI / 180.0;

/// What was measured of a fall.
#[derive(Debug, Default)]
pub struct Fall {
    /// At the deepest, and a second after the last hit.
    pub deepest: f32,
    pub settled_depth: f32,
    pub excess: f32,
    /// When it came to rest.
    pub rest: Option<f32>,
    pub last_hit: f32,
    pub place: Vec2,
    /// What the ticks took, in nanoseconds.
    pub cost: Vec<u128>,
}

impl Fall {
    /// The median of what ticks took until it was at rest, in microseconds.
    fn median_cost(&mut self) -> f64 {
        let awake = self
            .rest
            .map_or(self.cost.len(), |rest| (rest / TICK) as usize);
        self.cost.truncate(awake);
        self.cost.sort_unstable();
        self.cost[self.cost.len() / 2] as f64 / 1000.0
    }
}

pub fn fall(puppet: &mut Puppet, world: &World, seconds: f32) -> Fall {
    let mut fall = Fall::default();
    let mut depths = Vec::new();
    for tick in 1..=(seconds / TICK).round() as usize {
        let began = std::time::Instant::now();
        puppet.pass(world, TICK);
        fall.cost.push(began.elapsed().as_nanos());
        let depth = puppet.depth(world);
        let time = tick as f32 * TICK;
        depths.push((time, depth));
        fall.deepest = fall.deepest.max(depth);
        fall.excess = fall.excess.max(puppet.excess());
        let mut touches = puppet.ragdoll().touches.iter();
        if touches.any(|touch| touch.hit_speed.is_some_and(|speed| speed > 100.0)) {
            fall.last_hit = time;
        }
        match puppet.phase() {
            RagdollPhase::Lying => fall.rest = fall.rest.or(Some(time)),
            _ => fall.rest = None,
        }
    }
    let later = depths
        .iter()
        .filter(|(time, _)| *time > fall.last_hit + 1.0);
    fall.settled_depth = later.map(|(_, depth)| *depth).fold(0.0, f32::max);
    fall.place = puppet.place(0, Vec2::ZERO);
    fall
}

#[test]
fn a_limp_figure_falls_lies_and_comes_to_rest() {
    for (name, world, start, velocity) in [
        (
            "flat",
            World::flat(),
            Vec2::new(0.0, -200.0),
            Vec2::new(40.0, 0.0),
        ),
        (
            "tiles",
            World::tiles(16.0),
            Vec2::new(0.0, -200.0),
            Vec2::new(40.0, 0.0),
        ),
        (
            "stairs",
            World::stairs(5, 24.0, 60.0),
            Vec2::new(-30.0, -260.0),
            Vec2::new(150.0, -50.0),
        ),
        (
            "fast",
            World::flat(),
            Vec2::new(0.0, -400.0),
            Vec2::new(500.0, 3000.0),
        ),
    ] {
        let mut puppet = Puppet::human(start);
        puppet.throw(velocity);
        let mut fall = fall(&mut puppet, &world, 5.0);
        println!("{name}: {} µs a tick", fall.median_cost());
        fall.cost.clear();
        println!("{name}: {fall:?}");
        assert!(fall.deepest < 1.5, "{name}: {fall:?}");
        assert!(fall.excess < DEGREE, "{name}: {fall:?}");
        assert!(fall.rest.is_some(), "{name}: {fall:?}");
        let (before, mut puppet) = (puppet.rotations(), puppet);
        puppet.pass(&world, TICK);
        assert_eq!(
            puppet.rotations(),
            before,
            "{name}: at rest to the last bit"
        );
        assert!(!puppet.rig.is_moving(), "{name}: nothing moves");
    }
}

#[test]
fn random_bodies_fall_on_random_grounds() {
    let (mut deep, mut beyond, mut late) = (0.0_f32, 0.0_f32, 0.0_f32);
    let mut falling = 0.0_f64;
    for seed in 0..200 {
        let (mut puppet, world) = thrown(seed);
        let fall = fall(&mut puppet, &world, 8.0);
        assert!(
            fall.place.is_finite() && fall.place.y < 150.0,
            "{seed} is lost"
        );
        let rest = fall.rest.map(|rest| rest - fall.last_hit);
        assert!(rest.is_some_and(|rest| rest < 4.0), "{seed}: {rest:?}");
        assert!(fall.settled_depth < 1.5, "{seed}: {fall:?}");
        assert!(fall.excess < DEGREE, "{seed}: {fall:?}");
        let unborne = unborne(&puppet, &world, 0.6);
        assert!(unborne < 0.03, "{seed}: nothing bears {unborne} g");
        falling = falling.max(unborne);
        deep = deep.max(fall.settled_depth);
        beyond = beyond.max(fall.excess / DEGREE);
        late = late.max(rest.unwrap_or_default());
    }
    println!(
        "200 bodies: {deep:.2} px deep at most a second after the last hit, {beyond:.2} degrees beyond limits, at rest \
         {late:.2} s after the last hit, where all but {falling:.3} g is borne"
    );
}

/// A limb that is thicker than the boards it lies on is not between their two sides.
#[test]
fn a_body_lies_on_boards_that_are_thinner_than_its_limbs() {
    for thickness in [2.0, 4.0, 8.0, 12.0] {
        let boards = (-20..20).map(|board| 16.0 * board as f32);
        let world = boards.fold(World::empty(), |world, left| {
            world.with_box([left, 0.0], [left + 16.0, thickness])
        });
        for start in 0..4 {
            let mut puppet = Puppet::human(Vec2::new(0.0, -200.0));
            puppet.throw(Vec2::new(60.0 * start as f32 - 90.0, 0.0));
            let fall = fall(&mut puppet, &world, 5.0);
            assert!(
                fall.deepest < 1.5 && fall.rest.is_some(),
                "{thickness}: {fall:?}"
            );
        }
    }
}

/// How far the axes of the two arms are apart, at the least, while both swing down from the sides.
fn least_gap_of_arms(self_collision: bool) -> f32 {
    let world = World::empty();
    let mut puppet = Puppet::human(Vec2::ZERO);
    for (limb, angle) in [(3, -80.0_f32), (5, 80.0)] {
        puppet.rig.bones[limb].rotation += angle.to_radians();
        puppet.rig.bones[limb].limit = None;
    }
    puppet.ragdoll().settings.self_collision = self_collision;
    puppet.ragdoll().settings.gravity_scale = 0.0;
    let mut least = f32::INFINITY;
    for tick in 0..90 {
        if tick == 0 {
            for limb in [4, 6] {
                puppet.ragdoll().pushes.push(Push {
                    hold: Hold::Link(limb),
                    impulse: Vec2::new(0.0, 300.0),
                });
            }
        }
        puppet.pass(&world, TICK);
        for part in 0..=10 {
            let place = |limb| puppet.place(limb, Vec2::X * 3.0 * part as f32);
            least = least.min(place(4).distance(place(6)));
        }
    }
    least
}

#[test]
fn limbs_meet_one_another_if_they_are_told_to() {
    let (without, with) = (least_gap_of_arms(false), least_gap_of_arms(true));
    println!("lower arms come as near as {without} px, and {with} where they meet");
    // Twice their radius; hip and legs are between them.
    assert!(without < 11.0 && with > 11.5);
}

#[test]
fn nothing_tunnels_through_a_thin_platform() {
    for angle in 0..24 {
        let world = World::empty().with_box([-2000.0, 0.0], [2000.0, 8.0]);
        let mut puppet = Puppet::human(Vec2::new(0.0, -300.0));
        puppet.ragdoll().pushes.push(Push {
            hold: Hold::Link(angle % 13),
            impulse: 2000.0 * Vec2::from_angle(angle as f32),
        });
        puppet.throw(Vec2::new(0.0, 3000.0));
        let mut lowest = f32::NEG_INFINITY;
        for _ in 0..60 {
            puppet.pass(&world, TICK);
            for limb in 0..13 {
                lowest = lowest.max(puppet.place(limb, Vec2::ZERO).y);
            }
        }
        assert!(lowest < 4.0, "{angle}: {lowest}");
    }
}

#[test]
fn a_mirrored_body_falls_as_the_mirror_image() {
    let world = World::stairs(5, 24.0, 60.0);
    let mirror = Vec2::new(-1.0, 1.0);
    let mut worst = 0.0_f32;
    let mut one = Puppet::human(Vec2::new(-30.0, -260.0));
    let mut other = Puppet::human(Vec2::new(-30.0, -260.0)).at(Affine2::from_scale(mirror));
    one.throw(Vec2::new(150.0, -50.0));
    other.throw(mirror * Vec2::new(150.0, -50.0));
    let mirrored = world.mirrored();
    for _ in 0..120 {
        one.pass(&world, TICK);
        other.pass(&mirrored, TICK);
        for limb in 0..13 {
            let (place, image) = (one.place(limb, Vec2::ZERO), other.place(limb, Vec2::ZERO));
            worst = worst.max(place.distance(mirror * image));
        }
    }
    println!("mirrored: off by {worst} px at most in two seconds");
    assert!(worst < 0.01, "{worst}");
}

/// How far the joints of a random body are apart after a second at two tick rates, at most, in radii of the limbs.
fn drift(seed: u64, rates: [u32; 2]) -> f32 {
    let places = rates.map(|rate| {
        let (mut puppet, world) = thrown(seed);
        for _ in 0..rate {
            puppet.pass(&world, 1.0 / rate as f32);
        }
        let unit = puppet.rig.to_global.matrix2.determinant().abs().sqrt();
        let limbs = 0..puppet.shapes.len();
        let places = limbs
            .map(|limb| puppet.place(limb, Vec2::ZERO))
            .collect::<Vec<_>>();
        let radii = puppet.shapes.iter().map(|shape| shape.radius.unwrap());
        (places, unit * radii.fold(f32::INFINITY, f32::min))
    });
    let [(one, radius), (other, _)] = places;
    let apart = one
        .iter()
        .zip(&other)
        .map(|(one, other)| one.distance(*other));
    apart.fold(0.0, f32::max) / radius
}

#[test]
fn random_bodies_are_in_the_same_place_at_other_tick_rates() {
    for rates in [[30, 60], [120, 60]] {
        let drifts = (0..200).map(|seed| drift(seed, rates));
        let most = drifts.fold(0.0, f32::max);
        println!(
            "200 bodies at {rates:?} ticks a second: at most {most} radii apart after a second"
        );
        assert!(most < 1.0, "{rates:?}: {most}");
    }
}

/// The centre of mass is nearer to a limb that is heavier than its area says.
#[test]
fn limbs_may_have_masses_of_their_own() {
    let mut hand = Vec2::ZERO;
    let mut centre = |masses: &[(usize, f32)]| {
        let mut puppet = Puppet::human(Vec2::ZERO);
        for &(limb, mass) in masses {
            puppet.ragdoll().shapes[limb].mass = Some(mass);
        }
        puppet.pass(&World::empty(), 1e-3);
        hand = puppet.place(4, Vec2::X * 15.0);
        puppet.ragdoll().memory.last().whereabouts.centre
    };
    let plain = centre(&[]);
    let heavy_hand = centre(&[(4, 9.0)]);
    // What is given is part of the whole; the others share the rest, and are never without mass.
    let all: Vec<_> = (0..13).map(|limb| (limb, 1.0)).collect();
    let heavy: Vec<_> = (0..13).map(|limb| (limb, 40.0)).collect();
    assert!(centre(&all).distance(centre(&heavy)) < 1e-3);
    assert!(centre(&[(2, 1e6)]).is_finite());
    let way = (heavy_hand - plain).dot((hand - plain).normalize());
    assert!(
        way > 0.8 * hand.distance(plain),
        "{plain} {heavy_hand} {hand}"
    );
}

/// Polygons without an area, as an engine may have them.
#[test]
fn degenerate_polygons_are_lines_points_or_nothing() {
    let [one, other] = [Vec2::new(-20.0, -8.0), Vec2::new(20.0, -8.0)];
    let lists = [
        vec![],
        vec![one],
        vec![one, other],
        vec![one; 3],
        vec![one, Vec2::new(0.0, -8.0), other, one],
        vec![one, other, other, Vec2::new(0.0, -20.0), one],
        vec![one, Vec2::NAN, other],
        vec![one, other, Vec2::INFINITY],
    ];
    for corners in lists {
        let world = World::flat().with(corners.clone());
        let points = world.tick(TICK).points.len();
        assert!(points <= 4 + corners.len(), "{corners:?}: {points} points");
        let mut puppet = Puppet::human(Vec2::new(0.0, -200.0));
        puppet.throw(Vec2::X);
        for _ in 0..180 {
            puppet.pass(&world, TICK);
            let place = puppet.place(0, Vec2::ZERO);
            assert!(place.is_finite(), "{corners:?}: {place}");
        }
        let place = puppet.place(0, Vec2::ZERO);
        // On its feet, its knees or its back.
        assert!(place.y > -100.0, "{corners:?}: it has fallen, to {place}");
    }
}

/// How fast the end of a limb gets in so many ticks of a fall.
fn fastest_in(puppet: &mut Puppet, ticks: usize, mut world: impl FnMut() -> RagdollTick) -> f32 {
    let ends = |puppet: &Puppet| -> Vec<Vec2> {
        let shapes = puppet.shapes.iter().enumerate();
        shapes
            .map(|(bone, shape)| puppet.place(bone, shape.to))
            .collect()
    };
    puppet.ragdoll().settings.simulating = false;
    puppet.solve(TICK);
    puppet.ragdoll().settings.simulating = true;
    let mut before = ends(puppet);
    let mut fastest = 0.0_f32;
    for _ in 0..ticks {
        puppet.ragdoll().ticks = vec![world()];
        puppet.solve(TICK);
        let now = ends(puppet);
        let pairs = now.iter().zip(&before);
        let ways = pairs.map(|(now, before)| now.distance(*before));
        fastest = ways.fold(fastest, f32::max);
        before = now;
    }
    fastest / TICK
}

/// How fast the end of a limb gets in a fall of three seconds, and how deep in the world it is in the end.
fn let_go(puppet: &mut Puppet, world: &World) -> (f32, f32) {
    let fastest = fastest_in(puppet, 180, || world.tick(TICK));
    (fastest, puppet.depth(world))
}

/// Arms that reach into walls, floors and ceilings, or through them, come back to the side of the hip, and nothing is
/// thrown.
#[test]
fn what_is_let_go_in_a_wall_comes_back_to_the_side_of_the_hip() {
    let mut draw = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut fastest, mut deepest) = (0.0_f32, 0.0_f32);
    for number in 0..120 {
        let size = [4.0, 8.0, 16.0, 24.0, 32.0][number % 5];
        let left = draw.random_range(14.0..30.0);
        let world = match number / 5 % 4 {
            0 => World::flat().with_box([left, -300.0], [left + size, 0.0]),
            // A wall of tiles.
            1 => (0..20).fold(World::flat(), |world, row| {
                let low = -size * row as f32;
                world.with_box([left, low - size], [left + size, low])
            }),
            // A ledge at the height of the chest, and a ceiling above it.
            2 => World::flat()
                .with_box([left, -150.0], [left + 200.0, -150.0 + size])
                .with_box([-200.0, -230.0 - size], [200.0, -230.0]),
            // Walls on both sides.
            _ => World::flat()
                .with_box([left, -300.0], [left + size, 0.0])
                .with_box([-left - size, -300.0], [-left, 0.0]),
        };
        let mut puppet = Puppet::human(Vec2::new(0.0, -92.0));
        for limb in [3, 5] {
            let side = if limb == 3 { -1.0 } else { 1.0 };
            puppet.rig.bones[limb].rotation += side * draw.random_range(-2.2..0.9_f32);
            puppet.rig.bones[limb + 1].rotation += draw.random_range(-0.8..0.8_f32);
            puppet.rig.bones[limb].limit = None;
        }
        let (speed, depth) = let_go(&mut puppet, &world);
        let hip = puppet.place(0, Vec2::ZERO);
        assert!(speed < 1200.0, "{number}, {size} px: {speed} px/s");
        assert!(depth < 3.0, "{number}, {size} px: {depth} px deep");
        let is_beside = hip.x < left + size || number / 5 % 4 == 2;
        assert!(is_beside && hip.y < 5.0, "{number}: {hip}");
        fastest = fastest.max(speed);
        deepest = deepest.max(depth);
    }
    println!("120 in walls: at most {fastest:.0} px/s, {deepest:.1} px deep in the end");
}

/// What would still move under gravity does not come to rest.
#[test]
fn nothing_rests_that_is_not_carried() {
    let cases = [1.0_f32, 2.0, 4.0, 8.0].map(|degrees| (degrees, 980.0));
    for (degrees, gravity) in cases
        .into_iter()
        .chain([(1.0, 200.0), (2.0, 30.0), (4.0, 8.0)])
    {
        let mut world = World::flat();
        world.gravity = Vec2::Y * gravity;
        let bone = tendon_solver::Bone {
            position: Vec2::new(0.0, -20.0),
            rotation: (degrees - 90.0).to_radians(),
            ..tendon_solver::Bone::below(None)
        };
        let shape = tendon_solver::LimbShape {
            to: Vec2::X * 100.0,
            radius: Some(20.0),
            ..Default::default()
        };
        let mut puppet = Puppet::new(vec![bone], vec![shape]);
        let fall = fall(&mut puppet, &world, 8.0 * (980.0 / gravity).sqrt());
        let end = puppet.place(0, Vec2::X * 100.0);
        let case = format!("{degrees} degrees, gravity {gravity}");
        assert!(end.y > -30.0, "{case}: it ends at {end}");
        assert!(fall.rest.is_some(), "{case}: {fall:?}");
    }
    for gravity in [2.0, 6.0, 12.0] {
        let mut world = World::flat();
        world.gravity = Vec2::Y * gravity;
        let mut puppet = Puppet::human(Vec2::new(0.0, -400.0));
        let fall = fall(&mut puppet, &world, 5.0);
        let way = 0.5 * gravity * 25.0;
        let fallen = fall.place.y + 400.0;
        assert!(
            (0.7 * way..1.1 * way).contains(&fallen),
            "{gravity}: {fallen} of {way}"
        );
    }
}

/// How deep in a floor a body of 70 kg gets that falls onto crates there, and how deep in both of them when it rests. As
/// in an engine, the floor holds the crates where they are.
fn fall_on_crates(mass: f32) -> [f32; 2] {
    const SIZE: f32 = 40.0;
    let world = World::flat();
    let low = |index: u32| Vec2::new(-60.0 + 42.0 * index as f32, -SIZE);
    let whole = (0..3).map(low).fold(world.clone(), |world, low| {
        world.with_box(low.into(), (low + SIZE).into())
    });
    let mut puppet = Puppet::human(Vec2::new(0.0, -160.0));
    puppet.rig.bones[0].rotation = 0.0;
    puppet.ragdoll().settings.mass = 70.0;
    let mut deepest = 0.0_f32;
    for _ in 0..600 {
        let mut tick = world.tick(TICK);
        for index in 0..3 {
            let solid = Solid {
                body: 7 + index,
                friction: 1.0,
                centre: low(index) + 0.5 * SIZE,
                moves: true,
                lightness: Vec2::new(1.0, 6.0 / (SIZE * SIZE)) / mass,
                carried: true,
                ..Solid::default()
            };
            let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
            tick.push(
                solid,
                corners.map(|corner| low(index) + SIZE * Vec2::from(corner)),
            );
        }
        tick.sort();
        puppet.ragdoll().ticks = vec![tick];
        puppet.solve(TICK);
        deepest = deepest.max(puppet.depth(&world));
    }
    [deepest, puppet.depth(&whole)]
}

#[test]
fn a_floor_holds_below_what_gives_way() {
    for mass in [0.2, 1.0, 10.0, 100.0] {
        let [deepest, last] = fall_on_crates(mass);
        assert!(deepest < 8.0, "crates of {mass} kg: {deepest} px");
        assert!(last < 1.0, "crates of {mass} kg: {last} px at rest");
    }
}

/// What gives way trembles below a body that has come to rest and presses no more: that does not wake it.
#[test]
fn what_trembles_below_a_body_at_rest_does_not_wake_it() {
    let crate_at = |shift: f32, speed: f32| {
        let mut tick = World::flat().tick(TICK);
        let solid = Solid {
            body: 7,
            friction: 1.0,
            velocity: Vec2::new(0.0, speed),
            moves: true,
            lightness: Vec2::new(0.01, 1e-6),
            ..Solid::default()
        };
        let corners = [(-90.0, -40.0), (90.0, -40.0), (90.0, 0.0), (-90.0, 0.0)];
        let moved = corners.map(|(x, y)| Vec2::new(x, y + 0.2 + shift));
        tick.push(solid, moved);
        tick.sort();
        vec![tick]
    };
    let mut puppet = Puppet::human(Vec2::new(0.0, -160.0));
    for _ in 0..600 {
        puppet.ragdoll().ticks = crate_at(0.0, 0.0);
        puppet.solve(TICK);
    }
    assert_eq!(puppet.phase(), RagdollPhase::Lying);
    for (shift, speed, phase) in [
        (0.05, 3.0, RagdollPhase::Lying),
        (-0.1, -2.0, RagdollPhase::Lying),
        (3.0, 0.0, RagdollPhase::Falling),
    ] {
        puppet.ragdoll().ticks = crate_at(shift, speed);
        puppet.solve(TICK);
        assert_eq!(puppet.phase(), phase, "by {shift} px, at {speed} px/s");
    }
}

/// A beam turns over a floor, and presses what lies there against it.
#[test]
fn what_is_squeezed_by_a_beam_is_not_thrown() {
    let mut most = 0.0_f32;
    for draw in 0..60 {
        let (spin, place) = ([2.0, 0.8, -1.2][draw % 3], 2.0 * draw as f32 - 70.0);
        let world = World::flat();
        let mut puppet = Puppet::human(Vec2::new(place, -300.0));
        let centre = Vec2::new(0.0, -140.0);
        let mut angle = 0.0;
        let fastest = fastest_in(&mut puppet, 420, || {
            let turn = Vec2::from_angle(angle);
            angle += spin * TICK;
            let solid = Solid {
                body: 7,
                friction: 1.0,
                centre,
                moves: true,
                spin,
                ..Solid::default()
            };
            let mut tick = world.tick(TICK);
            let corners = [(-200.0, -8.0), (200.0, -8.0), (200.0, 8.0), (-200.0, 8.0)];
            let corner = |corner| centre + turn.rotate(Vec2::from(corner));
            tick.push(solid, corners.map(corner));
            tick.sort();
            tick
        });
        let case = format!("{spin} rad/s from {place}");
        assert!(fastest < 1500.0, "{case}: {fastest} px/s");
        most = most.max(fastest);
    }
    println!("at most {most} px/s below a beam");
}

/// A plate that hardly moves pinches a foot: the rest of the body falls over.
#[test]
fn who_is_pinched_by_a_foot_falls_over() {
    let world = World::flat();
    let mut puppet = Puppet::human(Vec2::new(0.0, -90.0));
    puppet.pass(&world, TICK);
    let [heel, toe] = [Vec2::ZERO, puppet.shapes[9].to].map(|local| puppet.place(9, local));
    let before = puppet.place(2, Vec2::ZERO);
    let radius = puppet.shapes[9].radius.unwrap_or_default();
    let over = Vec2::new(heel.lerp(toe, 0.7).x, -2.0 * radius);
    for _ in 0..240 {
        let solid = Solid {
            body: 7,
            friction: 1.0,
            centre: over,
            moves: true,
            velocity: Vec2::Y * 0.5,
            ..Solid::default()
        };
        let mut tick = world.tick(TICK);
        let corners = [(0.0, 0.2), (30.0, 0.2), (30.0, -20.0), (0.0, -20.0)];
        tick.push(solid, corners.map(|corner| over + Vec2::from(corner)));
        tick.sort();
        puppet.ragdoll().ticks = vec![tick];
        puppet.solve(TICK);
    }
    let head = puppet.place(2, Vec2::ZERO);
    println!("pinched: the head is at {head}, and was at {before}");
    assert!(head.y > 0.5 * before.y, "{head}, {before} before");
}

/// Beams whirl between two walls, and press what falls onto them against these and one another: joints hold.
#[test]
fn beams_press_no_joint_past_its_limits() {
    let mut most = 0.0_f32;
    for seed in 0..40 {
        let (mut puppet, _) = thrown(seed);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let world = World::flat()
            .with_box([-400.0, -900.0], [-160.0, 0.0])
            .with_box([160.0, -900.0], [400.0, 0.0]);
        let spins: [f32; 3] = std::array::from_fn(|_| rng.random_range(-6.0..6.0));
        for number in 0..240 {
            let mut tick = world.tick(TICK);
            for (index, spin) in spins.into_iter().enumerate() {
                let centre = Vec2::new(-90.0 + 90.0 * index as f32, -70.0);
                let turn = Vec2::from_angle(spin * TICK * number as f32);
                let solid = Solid {
                    body: 7 + index as u32,
                    friction: 1.0,
                    centre,
                    moves: true,
                    spin,
                    ..Solid::default()
                };
                let corners = [(-60.0, -6.0), (60.0, -6.0), (60.0, 6.0), (-60.0, 6.0)];
                let corner = |corner| centre + turn.rotate(Vec2::from(corner));
                tick.push(solid, corners.map(corner));
            }
            tick.sort();
            puppet.ragdoll().ticks = vec![tick];
            puppet.solve(TICK);
            most = most.max(puppet.excess());
        }
    }
    println!("at most {:.2} degrees beyond limits", most / DEGREE);
    assert!(most < DEGREE, "{} degrees", most / DEGREE);
}

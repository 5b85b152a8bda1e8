//! The mathematics beside what is known: MuJoCo, energy, momentum.

use glam::DVec2;

use super::body::{Body, Capsule, Link, ROOT};
use super::constraints::LimbSurface;
use super::forces::{AngleSpring, Forces, PlaceSpring};
use super::kinematics::LinkKinematics;
use super::limits::Interval;
use super::momentum::Momentum;
use super::motion::BodyMotion;
use super::solid::{RagdollTick, Solid};
use super::tick::{BodyTick, Goals, TickWorkspace, kick};

struct Still;

impl Goals for Still {
    fn set(&self, _: &mut Forces, _: f64) {}
}

/// The same numbers as in `chains.py`: -1 to 1.
struct Draw(u32);

impl Draw {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(self.0) / f64::from(1_u32 << 31) - 1.0
    }
}

/// A body, what acts on it, and its motion.
struct Thrown {
    body: Body,
    limits: Vec<Interval>,
    forces: Forces,
    motion: BodyMotion,
    space: TickWorkspace,
}

impl Thrown {
    /// A tree of rods, each with the mass 1, that hang at the ends of those with the numbers `parents`.
    fn rods(parents: &[Option<usize>], length: f64) -> Self {
        let links = parents.iter().map(|&parent| Link {
            parent,
            joint: DVec2::X * length,
            capsule: Capsule {
                from: DVec2::ZERO,
                to: DVec2::X * length,
                radius: 0.0,
            },
            mass: 1.0,
            inertia: length * length / 12.0,
            ..Link::default()
        });
        let mut body = Body::default();
        body.links.extend(links);
        body.sum_up();
        let count = parents.len();
        Self {
            motion: BodyMotion {
                state: vec![0.0; ROOT + count],
                rates: vec![0.0; ROOT + count],
                ..BodyMotion::default()
            },
            forces: Forces {
                gravity: DVec2::new(0.0, 9.81),
                borne: vec![0.0; count],
                joints: vec![AngleSpring::default(); count],
                ..Forces::default()
            },
            limits: Vec::new(),
            space: TickWorkspace::default(),
            body,
        }
    }

    fn chain(links: usize, length: f64) -> Self {
        let parents: Vec<_> = (0..links).map(|link: usize| link.checked_sub(1)).collect();
        Self::rods(&parents, length)
    }

    /// The same starts as in `chains.py`.
    fn throw(&mut self, seed: u32) {
        let mut draw = Draw(seed);
        self.motion.state[ROOT..].fill_with(|| 3.1 * draw.next());
        self.motion.rates[ROOT..].fill_with(|| 6.0 * draw.next());
        if self.forces.carried.is_none() {
            self.motion.rates[..ROOT].fill_with(|| 2.0 * draw.next());
        }
    }

    fn tick(&mut self, delta: f32) {
        self.tick_on(&[], delta);
    }

    /// A tick above a polygon with these corners.
    fn tick_on(&mut self, ground: &[glam::Vec2], delta: f32) {
        let mut world = RagdollTick {
            delta,
            ..RagdollTick::default()
        };
        if !ground.is_empty() {
            let solid = Solid {
                friction: 1.0,
                ..Solid::default()
            };
            world.push(solid, ground.iter().copied());
        }
        let tick = BodyTick {
            body: &self.body,
            limits: &self.limits,
            pairs: &[],
            surface: LimbSurface {
                friction: 0.6,
                bounce: 0.0,
            },
            to_global: glam::DAffine2::IDENTITY,
            world: &world,
        };
        let moved = tick.advance(&mut self.motion, &mut self.forces, &Still, &mut self.space);
        assert!(moved.is_ok(), "the numbers are finite");
    }

    fn kinematics(&self) -> LinkKinematics {
        let mut kinematics = LinkKinematics::default();
        kinematics.place(&self.body, &self.motion.state);
        kinematics
    }

    /// The moment of inertia about the joint of a link of its mass, and of all that hangs on it at the joints there.
    fn swing(&self, link: usize) -> f64 {
        let links = self.body.links.iter().enumerate();
        let below = links.filter(|(_, it)| it.parent == Some(link));
        let of_below = below.map(|(_, it)| it.carried * it.joint.length_squared());
        self.body.links[link].swing + of_below.sum::<f64>()
    }

    fn tip(&self) -> DVec2 {
        let last = self.body.links.len() - 1;
        self.kinematics()
            .point(last, self.body.links[last].capsule.to)
    }

    /// The speeds of the centres of mass.
    fn speeds(&self) -> Vec<(f64, DVec2, DVec2, f64)> {
        let mut kinematics = self.kinematics();
        kinematics.find_velocities(&self.body, &self.motion.rates);
        let links = self.body.links.iter().enumerate();
        let speeds = links.map(|(index, link)| {
            let place = kinematics.point(index, link.centre());
            let speed = kinematics.velocity_of(index, place);
            (link.mass, place, speed, self.motion.rates[ROOT + index])
        });
        speeds.collect()
    }

    fn energy(&self) -> f64 {
        let links = self.speeds().into_iter().zip(&self.body.links);
        let of_links: f64 = links
            .map(|((mass, place, speed, rate), link)| {
                let motion = mass * speed.length_squared() + link.inertia * rate * rate;
                0.5 * motion - mass * self.forces.gravity.dot(place)
            })
            .sum();
        let springs = self.forces.joints.iter().zip(&self.body.links).enumerate();
        let of_springs: f64 = springs
            .map(|(index, (spring, link))| {
                let above = link.parent.map_or(0.0, |it| self.motion.state[ROOT + it]);
                let angle = self.motion.state[ROOT + index] - above;
                0.5 * spring.stiffness * (angle - spring.goal).powi(2)
            })
            .sum();
        of_links + of_springs
    }

    /// Linear momentum, and angular momentum about the origin.
    fn momentum(&self) -> (DVec2, f64) {
        let links = self.speeds().into_iter().zip(&self.body.links);
        links.fold(
            (DVec2::ZERO, 0.0),
            |(line, turn), ((mass, place, speed, rate), link)| {
                let own = mass * place.perp_dot(speed) + link.inertia * rate;
                (line + mass * speed, turn + own)
            },
        )
    }
}

/// Chains in MuJoCo: see `chains.py`.
#[test]
fn thrown_chains_go_where_mujoco_has_them() {
    let mut worst = 0.0_f64;
    let lines = include_str!("chains.txt").lines();
    let mut count = 0;
    for line in lines {
        let numbers: Vec<f64> = line
            .split(' ')
            .map(|it| it.parse().expect("a number"))
            .collect();
        let links = numbers[0] as usize;
        let mut thrown = Thrown::chain(links, 0.3);
        thrown.forces.carried = (numbers[1] == 1.0).then_some(DVec2::ZERO);
        thrown.throw(numbers[2] as u32);
        for tick in 1..=30 {
            thrown.tick(1.0 / 60.0);
            let expected = match tick {
                15 => DVec2::new(numbers[3], numbers[4]),
                30 => DVec2::new(numbers[5], numbers[6]),
                _ => continue,
            };
            let miss = thrown.tip().distance(expected) / (0.3 * links as f64);
            worst = worst.max(miss);
            assert!(miss < 0.002, "{miss} of the length: {line}");
        }
        count += 1;
    }
    println!("{count} chains, tips off by at most {worst:.5} of their length");
    assert_eq!(count, 100);
}

/// A tree that tumbles without gravity.
fn tumbling(seed: u32) -> Thrown {
    let parents = [None, Some(0), Some(1), Some(1), Some(3), Some(0), Some(5)];
    let mut thrown = Thrown::rods(&parents, 0.3);
    thrown.forces.gravity = DVec2::ZERO;
    thrown.throw(seed);
    thrown
}

#[test]
fn a_free_body_keeps_its_energy() {
    let mut worst = 0.0_f64;
    for seed in 0..10 {
        let mut thrown = tumbling(seed);
        let begin = thrown.energy();
        for _ in 0..600 {
            thrown.tick(1.0 / 60.0);
            worst = worst.max((thrown.energy() / begin - 1.0).abs());
        }
    }
    println!(
        "energy changes by at most {:.3} % in ten seconds",
        100.0 * worst
    );
    assert!(worst < 0.005, "{worst}");
}

#[test]
fn a_free_body_keeps_its_momentum_also_with_springs_and_at_limits() {
    let mut worst = 0.0_f64;
    for seed in 0..10 {
        let mut thrown = tumbling(seed);
        for (link, spring) in thrown.forces.joints.iter_mut().enumerate().skip(1) {
            spring.stiffness = 3.0;
            spring.damping = 0.01;
            thrown.limits.push(Interval {
                link,
                above: thrown.body.links[link].parent,
                low: -1.0,
                high: 1.0,
            });
        }
        thrown.motion.state[ROOT..].fill(0.0);
        let (line, turn) = thrown.momentum();
        let size: f64 = thrown.speeds().iter().map(|it| it.0 * it.2.length()).sum();
        for _ in 0..60 {
            thrown.tick(1.0 / 60.0);
        }
        let (line_after, turn_after) = thrown.momentum();
        worst = worst.max(line.distance(line_after) / size);
        worst = worst.max((turn - turn_after).abs() / size);
    }
    println!("momentum changes by at most {worst:.1e} of its parts");
    assert!(worst < 1e-4, "{worst}");
}

#[test]
fn springs_of_any_stiffness_are_stable() {
    for stiffness in [1.0, 1e4, 1e9] {
        let mut thrown = Thrown::chain(5, 0.3);
        thrown.forces.carried = Some(DVec2::ZERO);
        for spring in &mut thrown.forces.joints {
            *spring = AngleSpring {
                stiffness,
                damping: 0.01 * stiffness,
                ..AngleSpring::default()
            };
        }
        thrown.motion.state[ROOT..].copy_from_slice(&[1.0, -1.0, 2.0, 0.0, 1.0]);
        let mut before = thrown.energy();
        for _ in 0..120 {
            thrown.tick(1.0 / 60.0);
            let now = thrown.energy();
            assert!(now < before + 0.03, "{stiffness}: {before} to {now}");
            before = now;
        }
    }
}

#[test]
fn a_root_that_is_held_comes_back() {
    let mut thrown = Thrown::chain(2, 0.3);
    let mass = thrown.body.mass();
    thrown.forces.gravity = DVec2::ZERO;
    thrown.forces.joints.fill(AngleSpring {
        damping: 1.0,
        ..AngleSpring::default()
    });
    thrown.forces.root = PlaceSpring {
        stiffness: mass * 600.0,
        damping: mass * 40.0,
        goal: DVec2::new(1.0, 2.0),
        ..PlaceSpring::default()
    };
    for _ in 0..120 {
        thrown.tick(1.0 / 60.0);
    }
    let place = DVec2::new(thrown.motion.state[0], thrown.motion.state[1]);
    assert!(place.distance(DVec2::new(1.0, 2.0)) < 1e-3, "{place}");
}

/// Energy with that of the springs, tick by tick: whatever the body hits, it makes none.
#[test]
fn nothing_that_is_hit_gives_energy() {
    let corner = |x: f32, y: f32| glam::Vec2::new(x, y);
    let ground = [
        corner(-4000.0, 260.0),
        corner(0.0, 200.0),
        corner(4000.0, 260.0),
    ];
    let mut worst = 0.0_f64;
    for seed in 0..40 {
        let parents = [None, Some(0), Some(1), Some(1), Some(3), Some(0), Some(5)];
        let mut thrown = Thrown::rods(&parents, 40.0);
        for link in &mut thrown.body.links {
            link.capsule.radius = 6.0;
            link.shows_start = true;
        }
        thrown.throw(seed);
        thrown.motion.rates[0] *= 100.0;
        thrown.motion.rates[1] *= 100.0;
        thrown.forces.gravity = DVec2::new(0.0, 980.0);
        for link in 1..thrown.body.links.len() {
            let inertia = thrown.swing(link);
            let spring = &mut thrown.forces.joints[link];
            let above = thrown.body.links[link].parent;
            let angle =
                thrown.motion.state[ROOT + link] - thrown.motion.state[ROOT + above.unwrap_or(0)];
            spring.goal = angle;
            let omega = 10.0 * f64::from(seed % 4);
            spring.stiffness = inertia * omega * omega;
            spring.damping = inertia * (1.4 * omega + 3.5);
            thrown.limits.push(Interval {
                link,
                above,
                low: angle - 0.8,
                high: angle + 0.8,
            });
        }
        let mut before = thrown.energy();
        let mut rise = 0.0_f64;
        for _ in 0..240 {
            thrown.tick_on(&ground, 1.0 / 60.0);
            let now = thrown.energy();
            rise = rise.max(now - before);
            before = now;
        }
        let begin = thrown.forces.gravity.y * thrown.body.mass() * 200.0;
        worst = worst.max(rise / begin);
        assert!(rise < 0.001 * begin, "{seed}: {rise} of {begin}");
    }
    println!("energy rises by at most {:.5} % in a tick", 100.0 * worst);
}

impl Draw {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.next() + 1.0)
    }
}

/// A tree of limbs of all sizes and masses, with limits and limp joints.
fn random_body(draw: &mut Draw) -> Thrown {
    let count = draw.between(1.0, 16.0) as usize;
    let parents: Vec<_> = (0..count)
        .map(|link| (link > 0).then(|| draw.between(0.0, link as f64) as usize))
        .collect();
    let mut thrown = Thrown::rods(&parents, 40.0);
    for link in 0..count {
        let length = draw.between(4.0, 60.0);
        let joint = thrown.body.links[link]
            .parent
            .map_or(DVec2::ZERO, |parent| {
                thrown.body.links[parent].capsule.to * draw.between(0.2, 1.0)
            });
        let own = &mut thrown.body.links[link];
        own.joint = joint;
        own.capsule.to = DVec2::X * length;
        own.capsule.radius = length * draw.between(0.1, 0.4);
    }
    thrown.body.weigh(draw.between(1.0, 80.0), 1.0);
    thrown.forces.gravity = DVec2::ZERO;
    for link in 0..count {
        thrown.motion.state[ROOT + link] = draw.between(-3.0, 3.0);
    }
    for link in 1..count {
        let above = thrown.body.links[link].parent;
        let angle = thrown.motion.state[ROOT + link]
            - thrown.motion.state[ROOT + above.unwrap_or_default()];
        thrown.forces.joints[link].damping = 3.5 * thrown.swing(link);
        if draw.next() > 0.0 {
            thrown.limits.push(Interval {
                link,
                above,
                low: angle - draw.between(0.0, 1.5),
                high: angle + draw.between(0.0, 1.5),
            });
        }
    }
    thrown
}

/// Whatever hits a body, and wherever: it gets that momentum, and no more energy than there is in it.
#[test]
fn any_impulse_gives_its_momentum_and_no_more_energy() {
    let mut draw = Draw(1);
    let mut worst = [0.0_f64; 3];
    for number in 0..10_000 {
        let mut thrown = random_body(&mut draw);
        let link = draw.between(0.0, thrown.body.links.len() as f64) as usize;
        let direction = DVec2::from_angle(draw.between(-3.2, 3.2));
        let impulse = 10.0_f64.powf(draw.between(0.0, 6.0)) * direction;
        let mut kinematics = thrown.kinematics();
        let capsule = thrown.body.links[link].capsule;
        let local = capsule.to * draw.between(0.0, 1.0);
        let place = kinematics.point(link, local);
        let Thrown {
            body,
            motion,
            space,
            ..
        } = &mut thrown;
        kick(body, motion, false, (link, place), impulse, space);
        let kicked = thrown.energy();
        let turning = place.perp_dot(impulse);
        let spin = {
            let whole = Momentum::of(&thrown.body, &mut kinematics, 0, &thrown.motion.rates);
            turning_about(&thrown, place, impulse) / whole.inertia
        };
        for _ in 0..3 {
            let (line, turn) = thrown.momentum();
            let miss = line.distance(impulse) / impulse.length();
            assert!(miss < 0.01, "{number}: {line} of {impulse}");
            worst[0] = worst[0].max(miss);
            // A body that would spin faster than can be computed loses some of that.
            if spin.abs() < 200.0 {
                let arm = (place - root_of(&thrown)).length() + 60.0;
                let miss = (turn - turning).abs() / (impulse.length() * arm);
                assert!(miss < 0.01, "{number}: {turn} of {turning}");
                worst[1] = worst[1].max(miss);
            }
            let energy = thrown.energy();
            assert!(energy < 1.01 * kicked, "{number}: {energy} of {kicked}");
            worst[2] = worst[2].max(energy / kicked - 1.0);
            thrown.tick(1.0 / 60.0);
        }
    }
    println!("10,000 impulses: {worst:?}");
}

fn root_of(thrown: &Thrown) -> DVec2 {
    DVec2::new(thrown.motion.state[0], thrown.motion.state[1])
}

/// The angular momentum about the centre of mass that an impulse gives.
fn turning_about(thrown: &Thrown, place: DVec2, impulse: DVec2) -> f64 {
    let parts = thrown.speeds();
    let mass: f64 = parts.iter().map(|it| it.0).sum();
    let centre = parts.iter().map(|it| it.0 * it.1).sum::<DVec2>() / mass;
    (place - centre).perp_dot(impulse)
}

//! Random characters: limbs that are drawn with soft edges, with a bone in each.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod bend;
pub mod pixels;

use glam::DVec2;
use pixels::Pixels;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tendon_skin::{Alpha, Bone, glam};

/// A part of a drawing around one bone: as wide at its ends as these radii.
#[derive(Clone, Copy, Debug)]
pub struct Limb {
    pub from: DVec2,
    pub to: DVec2,
    pub radii: [f64; 2],
    pub parent: Option<usize>,
}

impl Limb {
    /// How far a point is outside of the limb, negative inside.
    pub fn distance(&self, place: DVec2) -> f64 {
        let along = self.to - self.from;
        let at =
            ((place - self.from).dot(along) / along.length_squared().max(1e-9)).clamp(0.0, 1.0);
        place.distance(self.from + along * at)
            - (self.radii[0] + (self.radii[1] - self.radii[0]) * at)
    }
}

#[derive(Clone, Debug)]
pub struct Figure {
    pub kind: &'static str,
    pub limbs: Vec<Limb>,
    /// What is cut out: centres and radii.
    pub holes: Vec<(DVec2, f64)>,
    /// Over how many pixels an edge fades.
    pub softness: f64,
    pub size: [usize; 2],
}

impl Figure {
    pub fn random(seed: u64) -> Self {
        let random = &mut Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut figure = match seed % 6 {
            0 => Self::tail(random),
            1 => Self::arms_beside_hips(random),
            2 => Self::hand(random),
            3 => Self::tree(random),
            4 => Self::ring(random),
            _ => Self::blobs(random),
        };
        figure.softness = random.random_range(1.0..2.0);
        figure.fit();
        figure
    }

    fn new(kind: &'static str) -> Self {
        Self {
            kind,
            limbs: Vec::new(),
            holes: Vec::new(),
            softness: 1.5,
            size: [0, 0],
        }
    }

    fn add(&mut self, parent: Option<usize>, from: DVec2, to: DVec2, radii: [f64; 2]) -> usize {
        self.limbs.push(Limb {
            from,
            to,
            radii,
            parent,
        });
        self.limbs.len() - 1
    }

    /// A chain that gets thinner.
    fn tail(random: &mut impl RngExt) -> Self {
        let mut figure = Self::new("tail");
        let (mut at, mut angle) = (DVec2::ZERO, random.random_range(0.0..6.0));
        let mut radius = random.random_range(8.0..24.0);
        let mut last = None;
        for _ in 0..random.random_range(2..7) {
            let to = at + DVec2::from_angle(angle) * radius * random.random_range(2.5..4.5);
            let thinner = radius * random.random_range(0.75..1.0);
            last = Some(figure.add(last, at, to, [radius, thinner]));
            (at, radius) = (to, thinner);
            angle += random.random_range(-0.5..0.5);
        }
        figure
    }

    /// A trunk with legs, and arms that hang beside it.
    fn arms_beside_hips(random: &mut impl RngExt) -> Self {
        let mut figure = Self::new("arms");
        let (width, gap) = (
            random.random_range(20.0..32.0),
            random.random_range(4.0..6.0),
        );
        let arm = random.random_range(7.0..11.0);
        let up = DVec2::NEG_Y;
        let trunk = figure.add(None, DVec2::ZERO, up * 80.0, [width; 2]);
        figure.add(
            Some(trunk),
            up * 80.0,
            up * 125.0,
            [width * 0.5, width * 0.8],
        );
        for side in [-1.0, 1.0] {
            let out = side * (width + gap + arm);
            let shoulder = DVec2::new(out, -85.0);
            let collar = figure.add(Some(trunk), up * 85.0, shoulder, [arm * 1.2, arm]);
            let elbow = DVec2::new(out, -45.0);
            let upper = figure.add(Some(collar), shoulder, elbow, [arm; 2]);
            let wrist = DVec2::new(out, 0.0);
            let lower = figure.add(Some(upper), elbow, wrist, [arm, arm * 0.9]);
            figure.add(Some(lower), wrist, wrist + DVec2::Y * 12.0, [arm * 0.9; 2]);
            let hip = DVec2::new(side * width * 0.5, 10.0);
            let leg = width * 0.5 - 2.0;
            let thigh = figure.add(Some(trunk), hip, hip + DVec2::Y * 50.0, [leg, leg * 0.9]);
            figure.add(
                Some(thigh),
                hip + DVec2::Y * 50.0,
                hip + DVec2::Y * 105.0,
                [leg * 0.9, leg * 0.7],
            );
        }
        figure
    }

    /// A palm with fingers.
    fn hand(random: &mut impl RngExt) -> Self {
        let mut figure = Self::new("hand");
        let radius = random.random_range(6.0..9.0);
        let gap = random.random_range(4.0..7.0);
        let count = random.random_range(3..6);
        let width = f64::from(count - 1) * (2.0 * radius + gap) / 2.0;
        let palm = figure.add(
            None,
            DVec2::ZERO,
            DVec2::new(0.0, -30.0),
            [width * 0.9, width + radius],
        );
        for finger in 0..count {
            let x = f64::from(finger) * (2.0 * radius + gap) - width;
            let base = -30.0 - ((width + radius).powi(2) - x * x).max(0.0).sqrt() + 4.0;
            let lengths = [
                random.random_range(18.0..30.0),
                random.random_range(16.0..26.0),
            ];
            let middle = DVec2::new(x, base - lengths[0]);
            let first = figure.add(Some(palm), DVec2::new(x, base), middle, [radius; 2]);
            figure.add(
                Some(first),
                middle,
                middle - DVec2::Y * lengths[1],
                [radius, radius * 0.85],
            );
        }
        figure
    }

    /// Limbs that grow in all directions.
    fn tree(random: &mut impl RngExt) -> Self {
        let mut figure = Self::new("tree");
        let trunk = figure.add(None, DVec2::ZERO, DVec2::new(70.0, 0.0), [20.0, 18.0]);
        let count = random.random_range(2..5);
        for (end, base) in [
            (DVec2::new(70.0, 0.0), 0.0),
            (DVec2::ZERO, std::f64::consts::PI),
        ] {
            for branch in 0..count {
                let angle = base + (f64::from(branch) + 0.5) / f64::from(count) * 3.0 - 1.5;
                let radius = random.random_range(7.0..12.0);
                let middle = end + DVec2::from_angle(angle) * random.random_range(45.0..60.0);
                let turned = angle + random.random_range(-0.4..0.4);
                let tip = middle + DVec2::from_angle(turned) * random.random_range(30.0..50.0);
                let first = figure.add(Some(trunk), end, middle, [radius; 2]);
                figure.add(Some(first), middle, tip, [radius, radius * 0.7]);
            }
        }
        figure
    }

    /// A tail that curls around a hole.
    fn ring(random: &mut impl RngExt) -> Self {
        let mut figure = Self::new("ring");
        let (radius, thickness) = (
            random.random_range(40.0..60.0),
            random.random_range(9.0..14.0),
        );
        let count = random.random_range(5..9);
        // The last one almost or entirely comes back to the first.
        let span = if random.random_bool(0.5) { 5.2 } else { 4.8 };
        let at =
            |index: i32| DVec2::from_angle(f64::from(index) / f64::from(count) * span) * radius;
        let mut last = None;
        for index in 0..count {
            last = Some(figure.add(last, at(index), at(index + 1), [thickness; 2]));
        }
        figure
    }

    /// A soft body with eyes cut out, and limbs at it.
    fn blobs(random: &mut impl RngExt) -> Self {
        let mut figure = Self::new("blobs");
        let body = random.random_range(32.0..48.0);
        let trunk = figure.add(
            None,
            DVec2::ZERO,
            DVec2::new(0.0, -body),
            [body, body * 0.8],
        );
        figure.holes.push((
            DVec2::new(-body * 0.4, -body),
            random.random_range(3.0..7.0),
        ));
        figure
            .holes
            .push((DVec2::new(body * 0.4, -body), random.random_range(3.0..7.0)));
        for side in [-1.0, 1.0] {
            let foot = DVec2::new(side * body * 0.5, body * 0.6);
            let radius = body * 0.5 - 4.0;
            figure.add(
                Some(trunk),
                foot,
                foot + DVec2::Y * body * 1.3,
                [radius, radius * 0.8],
            );
            let shoulder = DVec2::new(side * body * 0.8, -body * 0.5);
            let hand = shoulder + DVec2::new(side * 50.0, random.random_range(-30.0..30.0));
            figure.add(Some(trunk), shoulder, hand, [11.0, 8.0]);
        }
        figure
    }

    /// Moves all into a picture.
    fn fit(&mut self) {
        let reach = |limb: &Limb| limb.radii[0].max(limb.radii[1]) + 6.0;
        let ends = self
            .limbs
            .iter()
            .flat_map(|limb| [(limb.from, reach(limb)), (limb.to, reach(limb))]);
        let low = ends
            .clone()
            .fold(DVec2::MAX, |low, (end, reach)| low.min(end - reach));
        let high = ends.fold(DVec2::MIN, |high, (end, reach)| high.max(end + reach));
        for limb in &mut self.limbs {
            limb.from -= low;
            limb.to -= low;
        }
        self.holes.iter_mut().for_each(|(centre, _)| *centre -= low);
        self.size = [high.x - low.x, high.y - low.y].map(|length| length.ceil() as usize);
    }

    /// How far a point is outside of the drawing, negative inside.
    pub fn distance(&self, place: DVec2) -> f64 {
        let limbs = self
            .limbs
            .iter()
            .map(|limb| limb.distance(place))
            .fold(f64::INFINITY, f64::min);
        self.holes.iter().fold(limbs, |distance, (centre, radius)| {
            distance.max(radius - place.distance(*centre))
        })
    }

    /// The values of alpha.
    pub fn drawing(&self) -> Vec<u8> {
        let [width, height] = self.size;
        let alpha = |pixel: usize| {
            let place = DVec2::new((pixel % width) as f64 + 0.5, (pixel / width) as f64 + 0.5);
            ((0.5 - self.distance(place) / self.softness).clamp(0.0, 1.0) * 255.0).round() as u8
        };
        (0..width * height).map(alpha).collect()
    }

    pub fn alpha(&self) -> Alpha {
        Alpha::new(self.size[0], self.size[1], &self.drawing(), 0).unwrap()
    }

    pub fn pixels(&self) -> Pixels {
        Pixels::new(self.size, &self.drawing(), 0)
    }

    pub fn bones(&self) -> Vec<Bone> {
        self.limbs
            .iter()
            .map(|limb| Bone::new(limb.from, limb.to).below(limb.parent))
            .collect()
    }

    /// Whether a bone may move a point: its joint is within three half widths, or its limb is there, or it shares a
    /// joint or its parent with a limb that is.
    pub fn may_move(&self, place: DVec2, bone: usize) -> bool {
        let distances = self.limbs.iter().map(|limb| limb.distance(place));
        let nearest = distances.clone().fold(f64::INFINITY, f64::min).max(0.0);
        let is_beside = |limb: usize| {
            let [own, other] = [limb, bone].map(|limb| self.limbs[limb].parent);
            limb == bone
                || own == Some(bone)
                || other == Some(limb)
                || own.is_some() && own == other
        };
        let joint = &self.limbs[bone];
        place.distance(joint.from) < 3.0 * joint.radii[0]
            || distances
                .enumerate()
                .any(|(limb, distance)| distance < nearest + 1.0 && is_beside(limb))
    }
}

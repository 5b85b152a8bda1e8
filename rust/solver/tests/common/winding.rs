//! Chains along paths, and a second opinion of where they lie: by many samples of the curve, in
//! skeleton space, with forward kinematics of its own.

use glam::{Affine2, DAffine2, DMat2, DVec2, Vec2};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use tendon_solver::{
    Bone, Chain, Curve, CurvePoint, End, Modifier, Path, Rig, Solver, Spline, SplineSettings,
};

use super::parts::on;

/// Samples of each segment.
const SAMPLES: f64 = 3000.0;

/// A rig of one chain, whose bones are the last of the rig.
#[derive(Clone, Debug)]
pub struct Winding {
    pub rig: Rig,
    /// Index of the chain's first bone.
    pub root: usize,
}

pub fn point(x: f32, y: f32) -> CurvePoint {
    CurvePoint {
        position: Vec2::new(x, y),
        ..CurvePoint::default()
    }
}

/// A point with handles of equal length on either side.
pub fn smooth(x: f32, y: f32, handle: [f32; 2]) -> CurvePoint {
    let handle = Vec2::from(handle);
    CurvePoint {
        incoming: -handle,
        outgoing: handle,
        ..point(x, y)
    }
}

/// A path in skeleton space.
pub fn path(points: Vec<CurvePoint>) -> Path {
    Path {
        curve: Curve::new(points, 5.0),
        frame: Affine2::IDENTITY,
        bone: None,
    }
}

impl Winding {
    /// Straight bones of these lengths from `root` on, one behind the other.
    pub fn straight(root: Vec2, lengths: &[f32], path: Path) -> Self {
        let bones = lengths.iter().enumerate().map(|(index, _)| Bone {
            position: match index.checked_sub(1) {
                None => root,
                Some(above) => Vec2::new(lengths[above], 0.0),
            },
            ..Bone::below(index.checked_sub(1))
        });
        let end = lengths.last().copied().unwrap_or_default();
        Self::of(bones.collect(), 0, Vec2::new(end, 0.0), path)
    }

    /// The chain of the bones from `root` on, which end at `end`.
    pub fn of(bones: Vec<Bone>, root: usize, end: Vec2, path: Path) -> Self {
        let last = bones.len() - 1;
        let chain = Chain::new((root..=last).collect(), End::Point(on(last, end)));
        let spline = Spline::new(chain, path);
        Self {
            rig: Rig::new(bones, vec![Modifier::new(spline)]),
            root,
        }
    }

    pub fn set(&mut self, progress: f32, move_root: bool) {
        self.spline_mut().settings = SplineSettings {
            progress,
            move_root,
        };
    }

    pub fn spline(&self) -> &Spline {
        match &self.rig.modifiers[0].solver {
            Solver::Spline(spline) => spline,
            other => panic!("{other:?}"),
        }
    }

    pub fn spline_mut(&mut self) -> &mut Spline {
        match &mut self.rig.modifiers[0].solver {
            Solver::Spline(spline) => spline,
            other => panic!("{other:?}"),
        }
    }

    /// Ends the chain at a bone in front of the last one, so that its last segment can be
    /// lengthened, too.
    pub fn end_at_bone(&mut self, length: f32) {
        let last = self.rig.bones.len() - 1;
        self.rig.bones.push(Bone {
            position: Vec2::new(length, 0.0),
            ..Bone::below(Some(last))
        });
        self.spline_mut().chain.end = End::Bone(last + 1);
    }

    /// A chain of random bones below a random one, and a random path below another.
    pub fn random(rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut bones = vec![any_bone(rng, None, 40.0), any_bone(rng, None, 40.0)];
        let count = rng.random_range(2..=12);
        for index in 0..count {
            let mut bone = any_bone(rng, Some(index), 0.0);
            if index == 0 {
                bone.position = any_vector(rng, 30.0);
            } else {
                bone.parent = Some(index + 1);
                bone.position = any_offset(rng);
            }
            // Most characters are not stretched from bone to bone.
            if rng.random_bool(0.5) {
                (bone.scale, bone.skew) = (Vec2::ONE, 0.0);
            }
            bones.push(bone);
        }
        let points = (0..rng.random_range(2..=7)).map(|_| {
            let at = any_vector(rng, 200.0);
            CurvePoint {
                position: at,
                incoming: any_vector(rng, 90.0),
                outgoing: any_vector(rng, 90.0),
            }
        });
        let mut points: Vec<_> = points.collect();
        if points.len() > 3 && rng.random_bool(0.25) {
            points[0].position = points[points.len() - 1].position;
        }
        let path = Path {
            curve: Curve::new(points, 5.0),
            frame: any_frame(rng),
            bone: rng.random_bool(0.5).then_some(1),
        };
        let end = any_offset(rng);
        let mut winding = Self::of(bones, 2, end, path);
        winding.rig.take_base_pose();
        winding
    }

    pub fn path(&self) -> &Path {
        &self.spline().path
    }

    /// The frame that each bone of the chain turns in, where the bone is, and what it ends at before
    /// it turns: in skeleton space, by the rotations and positions of the solved pose.
    pub fn bones(&self) -> Vec<(DMat2, DVec2, DVec2)> {
        let frames: Vec<_> = (0..self.rig.bones.len()).fold(Vec::new(), |mut frames, index| {
            let above = self.above(index, &frames);
            let bone = &self.rig.bones[index];
            let turn = DMat2::from_angle(f64::from(self.rig.rotation(index)));
            let position = self.rig.position(index).as_dvec2();
            let own = DAffine2::from_mat2_translation(turn * shape(bone), position);
            frames.push(above * own);
            frames
        });
        let last = self.rig.bones.len() - 1;
        (self.root..=last)
            .map(|index| {
                let end = match index == last {
                    true => self.spline().chain.end.point().position,
                    false => self.rig.position(index + 1),
                };
                let offset = shape(&self.rig.bones[index]) * end.as_dvec2();
                let above = self.above(index, &frames);
                (above.matrix2, frames[index].translation, offset)
            })
            .collect()
    }

    fn above(&self, index: usize, frames: &[DAffine2]) -> DAffine2 {
        let parent = self.rig.bones[index].parent;
        parent.map_or(DAffine2::IDENTITY, |parent| frames[parent])
    }

    /// Where the joints of the chain and its tip are, in skeleton space.
    pub fn places(&self) -> Vec<DVec2> {
        let bones = self.bones();
        let root = bones[0].1;
        let ends = bones.iter().enumerate().map(|(index, (basis, at, end))| {
            let rotation = f64::from(self.rig.rotation(self.root + index));
            *at + *basis * (DMat2::from_angle(rotation) * *end)
        });
        std::iter::once(root).chain(ends).collect()
    }

    /// The path as the second opinion sees it.
    pub fn track(&self) -> Track {
        let path = self.path();
        let own = path.frame.as_daffine2();
        let carrier = path.bone.map_or(DAffine2::IDENTITY, |index| {
            let bone = &self.rig.bones[index];
            let turn = DMat2::from_angle(f64::from(bone.rotation));
            DAffine2::from_mat2_translation(turn * shape(bone), bone.position.as_dvec2())
        });
        let points = path.curve.points();
        let frame = carrier * own;
        let segments = points.windows(2).map(|pair| {
            let [from, to] = [pair[0], pair[1]];
            let [a, d] = [from.position.as_dvec2(), to.position.as_dvec2()];
            let controls = [
                a,
                a + from.outgoing.as_dvec2(),
                d + to.incoming.as_dvec2(),
                d,
            ];
            controls.map(|control| frame.transform_point2(control))
        });
        Track {
            frame,
            segments: segments.collect(),
            is_closed: points[0].position == points[points.len() - 1].position,
        }
    }
}

/// What a bone's own skew and scale do.
fn shape(bone: &Bone) -> DMat2 {
    let (skew, scale) = (f64::from(bone.skew), bone.scale.as_dvec2());
    DMat2::from_cols(
        DVec2::new(scale.x, 0.0),
        DVec2::new(-skew.sin(), skew.cos()) * scale.y,
    )
}

fn any_vector(rng: &mut Xoshiro256PlusPlus, size: f32) -> Vec2 {
    Vec2::new(
        rng.random_range(-size..=size),
        rng.random_range(-size..=size),
    )
}

fn any_offset(rng: &mut Xoshiro256PlusPlus) -> Vec2 {
    Vec2::from_angle(rng.random_range(-0.4..0.4)) * rng.random_range(8.0..70.0)
}

fn any_scale(rng: &mut Xoshiro256PlusPlus) -> Vec2 {
    let sign = if rng.random_bool(0.3) { -1.0 } else { 1.0 };
    Vec2::new(
        rng.random_range(0.6..1.6),
        sign * rng.random_range(0.6..1.6),
    )
}

fn any_bone(rng: &mut Xoshiro256PlusPlus, parent: Option<usize>, spread: f32) -> Bone {
    Bone {
        position: any_vector(rng, spread),
        rotation: rng.random_range(-3.0..3.0),
        scale: any_scale(rng),
        skew: rng.random_range(-0.5..0.5),
        ..Bone::below(parent)
    }
}

fn any_frame(rng: &mut Xoshiro256PlusPlus) -> Affine2 {
    let turned = Affine2::from_angle(rng.random_range(-3.0..3.0));
    let scaled = Affine2::from_scale(any_scale(rng));
    let skewed = Affine2::from_angle(rng.random_range(-0.5..0.5));
    let moved = Affine2::from_translation(any_vector(rng, 60.0));
    moved * turned * scaled * skewed
}

/// A path in skeleton space, to be sampled. Its parameter counts segments.
pub struct Track {
    /// From the curve's own space.
    pub frame: DAffine2,
    segments: Vec<[DVec2; 4]>,
    is_closed: bool,
}

/// What sampling finds.
#[derive(Clone, Copy, Debug)]
pub struct Sampled {
    pub at: f64,
    /// Whether the curve comes so near to the circle elsewhere that rounding may decide.
    pub is_close_call: bool,
}

impl Track {
    fn end(&self) -> f64 {
        self.segments.len() as f64
    }

    /// Whether a parameter is not past the end.
    pub fn is_on_curve(&self, at: f64) -> bool {
        self.is_closed || at <= self.end()
    }

    pub fn point(&self, at: f64) -> DVec2 {
        let count = self.segments.len();
        if !self.is_closed && at > self.end() {
            let [a, b, c, d] = self.segments[count - 1];
            let ways = [d - c, d - b, d - a].into_iter();
            let way = { ways }.find(|way| *way != DVec2::ZERO).unwrap_or(DVec2::X);
            return d + (at - self.end()) * 100.0 * way.normalize();
        }
        let whole = at.floor().min(if self.is_closed {
            f64::INFINITY
        } else {
            self.end() - 1.0
        });
        let rest = at - whole;
        let [a, b, c, d] = self.segments[whole as usize % count];
        let [ab, bc, cd] = [a.lerp(b, rest), b.lerp(c, rest), c.lerp(d, rest)];
        ab.lerp(bc, rest).lerp(bc.lerp(cd, rest), rest)
    }

    /// The parameter of the nearest point, and how far that is. Of several strands that cross there,
    /// the nearest by all digits.
    pub fn nearest(&self, to: DVec2) -> (f64, f64) {
        let distance = |at: f64| self.point(at.clamp(0.0, self.end())).distance(to);
        let count = (self.end() * SAMPLES) as usize;
        let sampled: Vec<_> = (0..=count)
            .map(|index| distance(index as f64 / SAMPLES))
            .collect();
        let least = sampled.iter().copied().fold(f64::INFINITY, f64::min);
        let is_low = |&index: &usize| {
            let beside = [index.saturating_sub(1), (index + 1).min(count)];
            sampled[index] < least + 1.0
                && beside.iter().all(|&other| sampled[index] <= sampled[other])
        };
        let lows = (0..=count).filter(is_low);
        let refined = lows.map(|index| {
            let mut at = index as f64 / SAMPLES;
            let mut step = 1.0 / SAMPLES;
            while step > 1e-12 {
                match [at - step, at + step]
                    .into_iter()
                    .find(|&other| distance(other) < distance(at))
                {
                    Some(better) => at = better,
                    None => step *= 0.5,
                }
            }
            (at.clamp(0.0, self.end()), distance(at))
        });
        refined.fold((0.0, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a })
    }

    /// Where the curve from `from` on leaves the circle that a bone's end moves on. `None` if it
    /// does not within `most` segments.
    pub fn first_exit(
        &self,
        from: f64,
        (basis, joint, offset): (DMat2, DVec2, DVec2),
        most: f64,
    ) -> Option<Sampled> {
        let into_joint = basis.inverse();
        let off = |at: f64| (into_joint * (self.point(at) - joint)).length() - offset.length();
        let close = 1e-3;
        let mut before = off(from);
        let mut is_close_call = before > -close;
        let mut rises = true;
        for index in 1..=(most * SAMPLES) as u32 {
            let at = from + f64::from(index) / SAMPLES;
            let now = off(at);
            if now > 0.0 {
                let (mut inside, mut outside) = (at - 1.0 / SAMPLES, at);
                for _ in 0..60 {
                    let middle = 0.5 * (inside + outside);
                    *(if off(middle) > 0.0 {
                        &mut outside
                    } else {
                        &mut inside
                    }) = middle;
                }
                // It may only peep out.
                let peak =
                    (0..200).map(|step| off(outside + 5e-3 * f64::from(step) / SAMPLES * 20.0));
                is_close_call |= peak.fold(0.0, f64::max) < close;
                return Some(Sampled {
                    at: outside,
                    is_close_call,
                });
            }
            // A crest that all but reaches the circle.
            is_close_call |= rises && now < before && before > -close;
            rises = now >= before;
            before = now;
        }
        None
    }
}

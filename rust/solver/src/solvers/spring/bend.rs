//! The goal of a chain that is held at both ends: the posed chain, bent until its end is at the pin.
//!
//! With the direction θ of a bone whose middle is the part `s` down the chain, the same bend is
//! added all along it, and the whole is turned towards the pin:
//!
//! ```text
//! θ' = θ + κ (1 − 2 s) + ρ
//! ```
//!
//! So a straight chain becomes an arc of a circle, and a posed one keeps its character. `κ` starts at
//! the **straightest** bend, at which the ends are as far from each other as they can be, and goes to
//! one side from there until they are as near as the pin wants. At half a turn they meet. What is
//! left, as where the pin is out of reach, is shared out along the chain.
//!
//! With gravity the chain bends to the side on which gravity clearly is, and where gravity is along
//! the chain, to the side that it is bent to already. Without it, a pose that bends to one side says
//! which side that is, and a straight one bends to the side that it is bent to already. Where the
//! chain is straight, both sides are the same. So the goal is continuous in the place of the pin, but
//! for two: a pin at the root itself has no direction, and gravity may change the side.

use std::f64::consts::PI;

use glam::DVec2;

use crate::math::trigonometry::{angle_between, unit_vector};

/// A pose that is bent by less than this, in radians from the middle to an end, is straight.
const STRAIGHT: f64 = 0.1;

/// Gravity is clearly on one side if this part of it is across the chain.
const CLEARLY: f64 = 0.3;

/// Distances to the pin that are this part of the chain's length hardly have a direction.
const BLURRED: f64 = 0.01;

/// The precision with which the end comes to its distance from the root, as a part of the chain's length: less than
/// `f32` can hold. What is left is shared out.
const PRECISE: f64 = 1e-8;

/// The precision with which the straightest bend is found, in radians.
const STRAIGHTEST: f64 = 1e-8;

/// Iterations at most.
const MOST_ITERATIONS: u32 = 24;

/// The vectors that decide to which side a chain bends, besides its pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// To where it is bent already; zero if it has not begun.
    pub(super) bulge: DVec2,
    pub(super) gravity: DVec2,
}

/// Memory for the bend of a chain, and where the search for it ended: from there the next one begins,
/// which is of nearly the same chain.
#[derive(Clone, Debug, Default)]
pub(super) struct Bending {
    pieces: Vec<Piece>,
    last: Option<Bend>,
}

/// The bend of a chain.
#[derive(Clone, Copy, Debug)]
struct Bend {
    /// The bend at which the ends are as far from each other as they can be, and the way between them then.
    straightest: (f64, DVec2),
    /// To which side it was bent from there, how far, and what came of it: if the pieces are still in that bend.
    side: f64,
    depth: f64,
    chord: Option<Chord>,
}

/// A piece of the chain: the way along it, and `1 − 2 s` at its middle.
#[derive(Clone, Copy, Debug, Default)]
struct Piece {
    way: DVec2,
    lever: f64,
    /// The way along it in the bend that was tried last.
    bent: DVec2,
}

/// The way from the first joint to the end, and its first two derivatives by the bend.
#[derive(Clone, Copy, Debug)]
struct Chord {
    way: DVec2,
    first: DVec2,
    second: DVec2,
}

impl Chord {
    /// That of the pieces in a `bend`, which they keep.
    fn of(pieces: &mut [Piece], bend: f64) -> Self {
        let (mut way, mut first, mut second) = (DVec2::ZERO, DVec2::ZERO, DVec2::ZERO);
        for piece in pieces {
            let along = unit_vector(bend * piece.lever).rotate(piece.way);
            piece.bent = along;
            way += along;
            first += piece.lever * along.perp();
            second -= piece.lever * piece.lever * along;
        }
        Self { way, first, second }
    }

    /// Returns the angle by which the bend is past the one in which both ends are nearer to each other by `off`, in
    /// radians, to the second order (Halley's method).
    fn bend_for(&self, off: f64) -> f64 {
        let length = self.way.length();
        let slope = self.way.dot(self.first) / length;
        let curvature =
            (self.first.length_squared() + self.way.dot(self.second) - slope * slope) / length;
        off * slope / (slope * slope - 0.5 * off * curvature)
    }
}

impl Bending {
    /// The next chain has nothing to do with the last, but that it was bent so: the straightest bend, and how far from it.
    pub(super) fn begin_at(
        &mut self,
        DVec2 {
            x: straightest,
            y: depth,
        }: DVec2,
    ) {
        self.pieces.clear();
        self.last = (depth > 0.0).then_some(Bend {
            straightest: (straightest, DVec2::ZERO),
            side: 0.0,
            depth,
            chord: None,
        });
    }

    /// Returns the straightest bend and the depth from there, in radians, for [`begin_at`](Self::begin_at).
    pub(super) fn reached(&self) -> DVec2 {
        let reached = |last: Bend| DVec2::new(last.straightest.0, last.depth);
        self.last.map_or(DVec2::ZERO, reached)
    }

    /// Bends `goal`, which are the posed joints and the end, until the end is at `pin`. `shares` are
    /// the parts of the chain above each. Returns to where it is bent then.
    pub(super) fn bend(
        &mut self,
        goal: &mut [DVec2],
        shares: &[f64],
        pin: DVec2,
        sides: Sides,
    ) -> DVec2 {
        let is_same = !cut(&mut self.pieces, goal, shares);
        let pieces = &mut self.pieces;
        let reach: f64 = pieces.iter().map(|piece| piece.way.length()).sum();
        let wanted = pin - goal[0];
        let start = self.last.map(|last| last.straightest.0);
        let straightest = match self.last.filter(|_| is_same) {
            Some(last) => last.straightest,
            None => straightest(pieces, start),
        };
        let along = straightest.1.try_normalize().unwrap_or(DVec2::X);
        let across = turn(along * wanted.length(), wanted, reach)
            .rotate(along)
            .perp();
        let side = sides.choose(straightest.0, across);
        let known = self.last.filter(|last| is_same && last.side == side);
        let mut depths = Depths {
            pieces,
            straightest: straightest.0,
            side,
            known: known.and_then(|last| last.chord.map(|chord| (last.depth, chord))),
        };
        let start = self.last.map(|last| last.depth);
        let (depth, chord) = depths.find(straightest.1, wanted.length(), reach, start);
        self.last = Some(Bend {
            straightest,
            side,
            depth,
            chord: Some(chord),
        });
        let way = chord.way;
        let turned = turn(way, wanted, reach);
        let mut place = goal[0];
        for (joint, piece) in goal[1..].iter_mut().zip(&*pieces) {
            place += turned.rotate(piece.bent);
            *joint = place;
        }
        let miss = pin - place;
        for (joint, share) in goal.iter_mut().zip(shares) {
            *joint += *share * miss;
        }
        if let [_, .., end] = goal {
            *end = pin;
        }
        side * across
    }
}

impl Sides {
    /// The sign of the bends from the `straightest` one on, of a chain that positive bends take to
    /// the side `across`.
    fn choose(self, straightest: f64, across: DVec2) -> f64 {
        let posed = 1.0_f64.copysign(-straightest);
        let down = self.gravity.normalize_or_zero().dot(across);
        if down.abs() > CLEARLY {
            return down.signum();
        }
        let is_straight = straightest.abs() <= STRAIGHT;
        match self.bulge.dot(across) {
            0.0 if straightest != 0.0 => posed,
            0.0 => 1.0_f64.copysign(down),
            _ if !is_straight && self.gravity == DVec2::ZERO => posed,
            bulge => bulge.signum(),
        }
    }
}

/// Cuts the chain into its pieces. Returns whether they are others than before.
fn cut(pieces: &mut Vec<Piece>, points: &[DVec2], shares: &[f64]) -> bool {
    let ends = points.windows(2).zip(shares.windows(2));
    let mut is_other = pieces.len() + 1 != points.len();
    pieces.resize(points.len() - 1, Piece::default());
    for (piece, (ends, shares)) in pieces.iter_mut().zip(ends) {
        let (way, lever) = (ends[1] - ends[0], 1.0 - shares[0] - shares[1]);
        is_other |= piece.way != way || piece.lever != lever;
        (piece.way, piece.lever) = (way, lever);
    }
    is_other
}

/// The bend at which the ends are as far from each other as they can be, and the way between them then.
/// The search begins at `start`, else where the chain does not turn on the whole.
fn straightest(pieces: &mut [Piece], start: Option<f64>) -> (f64, DVec2) {
    const LARGEST_STEP: f64 = 0.25;
    let mut bend = start.unwrap_or_else(|| level(pieces));
    let mut chord = Chord::of(pieces, bend);
    for _ in 0..MOST_ITERATIONS {
        let slope = chord.way.dot(chord.first);
        let curvature = chord.first.length_squared() + chord.way.dot(chord.second);
        let step = (-slope / curvature).clamp(-LARGEST_STEP, LARGEST_STEP);
        if curvature >= 0.0 || step.abs() < STRAIGHTEST {
            break;
        }
        bend += step;
        chord = Chord::of(pieces, bend);
    }
    (bend, chord.way)
}

/// The bend at which the chain does not turn on the whole.
fn level(pieces: &[Piece]) -> f64 {
    let (mut heading, mut before) = (0.0, DVec2::ZERO);
    let (mut moment, mut square) = (0.0, 0.0);
    for piece in pieces {
        let length = piece.way.length();
        if length > 0.0 {
            if before != DVec2::ZERO {
                heading += angle_between(before, piece.way);
            }
            before = piece.way;
        }
        moment += length * piece.lever * heading;
        square += length * piece.lever * piece.lever;
    }
    if square > 0.0 { -moment / square } else { 0.0 }
}

/// The bends to one side of the straightest one.
struct Depths<'a> {
    pieces: &'a mut [Piece],
    straightest: f64,
    side: f64,
    /// The depth of the bend that the pieces are in, and its chord.
    known: Option<(f64, Chord)>,
}

impl Depths<'_> {
    fn at(&mut self, depth: f64) -> Chord {
        match self.known.take() {
            Some((known, chord)) if known == depth => return chord,
            _ => {}
        }
        Chord::of(self.pieces, self.straightest + self.side * depth)
    }

    /// Returns the angle by which to bend from the straightest bend, where the way is `straight`, until the ends are at
    /// the distance `wanted`, in radians: at most half a turn. Also returns the chord then. The search begins at
    /// `start`, if that is one.
    fn find(
        &mut self,
        straight: DVec2,
        wanted: f64,
        reach: f64,
        start: Option<f64>,
    ) -> (f64, Chord) {
        let farthest = straight.length();
        let (mut near, mut far) = (0.0, PI);
        if wanted >= farthest {
            return (near, self.at(near));
        }
        // The bend of an arc of a circle, nearly.
        let short = 1.0 - wanted / farthest;
        let arc = short.sqrt() * (2.45 + (PI - 2.45) * short);
        let mut depth = start.filter(|&start| start > 0.1 * arc).unwrap_or(arc);
        let mut chord = self.at(depth);
        for _ in 0..MOST_ITERATIONS {
            let off = chord.way.length() - wanted;
            if off.abs() <= PRECISE * reach {
                break;
            }
            if off > 0.0 {
                near = depth;
            } else {
                far = depth;
            }
            let next = depth - self.side * chord.bend_for(off);
            depth = match next > near && next < far {
                true => next,
                false => 0.5 * (near + far),
            };
            chord = self.at(depth);
        }
        (depth, chord)
    }
}

/// The turn from one way to another. Where they are short, it is less.
fn turn(from: DVec2, to: DVec2, reach: f64) -> DVec2 {
    let blur = BLURRED * reach * BLURRED * reach;
    let turn = DVec2::new(from.dot(to) + blur, from.perp_dot(to));
    turn.try_normalize().unwrap_or(DVec2::X)
}

//! The lengths of a chain that is held at both ends, and how they are restored.
//!
//! By Newton's method, in which the equations of a line of bones are tridiagonal. An end that is out
//! of reach stretches the chain along a line.

use glam::DVec2;

/// Iterations at most.
const MOST_ITERATIONS: u32 = 40;

/// The error that a length may have, as a part of the chain's: about what `f32` can hold.
const PRECISE: f64 = 1e-7;

/// Joints that are no farther off the line between the ends than this part of the chain's length
/// have no side to bend to.
pub(super) const ON_THE_LINE: f64 = 1e-6;

/// The lengths of a chain.
#[derive(Clone, Debug, Default)]
pub(super) struct Lengths {
    /// Those of the bones.
    bones: Vec<f64>,
    /// The part of the chain above each joint, 0 to 1, and above the end.
    pub(super) shares: Vec<f64>,
    pub(super) reach: f64,
    shortest: f64,
    links: Vec<BoneLine>,
}

/// A bone while lengths are restored: its line of the tridiagonal system.
#[derive(Clone, Copy, Debug, Default)]
struct BoneLine {
    along: DVec2,
    /// One over its pivot.
    inverse: f64,
    right: f64,
    /// The entry of the matrix that couples it to the next one.
    tie: f64,
}

impl Lengths {
    /// Takes those of a chain whose joints and end are `points`.
    pub(super) fn take(&mut self, points: &[DVec2]) {
        let pairs = points.windows(2);
        self.bones.clear();
        self.bones
            .extend(pairs.map(|ends| ends[0].distance(ends[1])));
        self.reach = self.bones.iter().sum();
        self.shortest = self.bones.iter().copied().fold(self.reach, f64::min);
        let mut above = 0.0;
        self.shares.clear();
        self.shares.push(0.0);
        self.shares.extend(self.bones.iter().map(|length| {
            above += length / self.reach;
            above
        }));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = f64> {
        self.bones.iter().copied()
    }

    /// The part of the chain's mass that joint `index` has.
    pub(super) fn mass(&self, index: usize) -> f64 {
        let above = index.checked_sub(1).map_or(0.0, |above| self.bones[above]);
        let below = self.bones.get(index).copied().unwrap_or(0.0);
        (0.5 * (above + below) / self.reach).max(1e-3)
    }

    /// Moves the joints between the ends so that the bones have their lengths.
    /// `mobility` tells how easily each moves. A chain that lies on one line goes to the side `bulge`.
    pub(super) fn restore(
        &mut self,
        places: &mut [DVec2],
        mobility: impl Fn(usize) -> f64,
        bulge: DVec2,
    ) {
        let last = places.len() - 1;
        let [first, end] = [places[0], places[last]];
        let chord = first.distance(end);
        if chord >= self.reach * (1.0 - PRECISE) {
            let along = (end - first) / chord;
            let between = places[..last].iter_mut().zip(&self.shares).skip(1);
            for (place, share) in between {
                *place = first + along * (share * self.reach);
            }
            return;
        }
        self.bend_if_straight(places, bulge);
        for _ in 0..MOST_ITERATIONS {
            if self.links_off(places) <= PRECISE * self.reach {
                break;
            }
            let way = self.correct(places, &mobility);
            // A bone whose ends have gone this way across it is longer by as much at most.
            if 2.0 * way * way <= PRECISE * self.reach * self.shortest {
                break;
            }
        }
    }

    /// Bends a chain that lies on one line, to the side `bulge`.
    fn bend_if_straight(&self, places: &mut [DVec2], bulge: DVec2) {
        let [first, .., end] = *places else {
            return;
        };
        let axis = (end - first).try_normalize();
        let along = axis.or_else(|| (-bulge.perp()).try_normalize());
        let along = along.unwrap_or(DVec2::X);
        let off = |place: &DVec2| along.perp_dot(*place - first).abs();
        if places
            .iter()
            .any(|place| off(place) > ON_THE_LINE * self.reach)
        {
            return;
        }
        let depth = 0.5
            * (self.reach * self.reach - first.distance_squared(end))
                .max(0.0)
                .sqrt();
        let bulge = along.perp() * depth.copysign(along.perp_dot(bulge));
        let last = places.len() - 1;
        for (place, share) in places[..last].iter_mut().zip(&self.shares).skip(1) {
            *place = first.lerp(end, *share) + 4.0 * share * (1.0 - share) * bulge;
        }
    }

    /// Measures the bones. Returns by how much the length of one is off at most.
    fn links_off(&mut self, places: &[DVec2]) -> f64 {
        let mut most = 0.0_f64;
        let pairs = places.windows(2).zip(&self.bones);
        self.links.clear();
        self.links.extend(pairs.map(|(ends, &length)| {
            let way = ends[1] - ends[0];
            let off = way.length() - length;
            most = most.max(off.abs());
            BoneLine {
                along: way.try_normalize().unwrap_or(DVec2::X),
                right: off,
                ..BoneLine::default()
            }
        }));
        most
    }

    /// One step of Newton's method to the lengths. Returns how far a joint goes at most.
    fn correct(&mut self, places: &mut [DVec2], mobility: &impl Fn(usize) -> f64) -> f64 {
        let (mut above, mut near) = (BoneLine::default(), mobility(0));
        let mut links = self.links.iter_mut().enumerate().peekable();
        while let Some((index, link)) = links.next() {
            let far = mobility(index + 1);
            let next = links.peek().map_or(DVec2::ZERO, |(_, next)| next.along);
            link.tie = -far * link.along.dot(next);
            let factor = above.tie * above.inverse;
            link.inverse = ((near + far) * (1.0 + 1e-10) - factor * above.tie).recip();
            link.right -= factor * above.right;
            (above, near) = (*link, far);
        }
        let mut below = 0.0;
        for link in self.links.iter_mut().rev() {
            below = (link.right - link.tie * below) * link.inverse;
            link.right = below;
        }
        let (mut most, mut pull) = (0.0_f64, DVec2::ZERO);
        for (joint, link) in self.links.iter_mut().enumerate() {
            let above = std::mem::replace(&mut pull, link.right * link.along);
            link.along = mobility(joint) * (pull - above);
            most = most.max(link.along.length());
        }
        let part = (0.25 * self.reach / most).min(1.0);
        for (place, link) in places.iter_mut().zip(&self.links).skip(1) {
            *place += part * link.along;
        }
        most
    }
}

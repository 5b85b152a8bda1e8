//! The body: links that hang on one another, and their masses.
//!
//! A body is a tree of rigid links, parents first. Its state is the place of the root's joint and the
//! *absolute* angle of each link, so that no link can be longer or shorter than it is.

use glam::DVec2;

/// A capsule in the frame of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Capsule {
    pub(crate) from: DVec2,
    pub(crate) to: DVec2,
    pub(crate) radius: f64,
}

impl Capsule {
    pub(crate) fn area(&self) -> f64 {
        let length = self.from.distance(self.to);
        self.radius * (2.0 * length + std::f64::consts::PI * self.radius)
    }
}

/// A rigid part of a body. Its frame has its origin in the joint, and turns with the link.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Link {
    /// The link that it hangs on; a root has none.
    pub(crate) parent: Option<usize>,
    /// The link whose bone its own hangs on, also if it is broken off.
    pub(crate) above: Option<usize>,
    /// Its joint in the frame of its parent.
    pub(crate) joint: DVec2,
    pub(crate) capsule: Capsule,
    /// `true` if the round end at `from` is no part of the link above.
    pub(crate) shows_start: bool,
    /// The mass that it was given, if not by its area.
    pub(crate) given_mass: Option<f64>,
    pub(crate) mass: f64,
    /// The moment of inertia about the centre of mass, which is the middle of the capsule.
    pub(crate) inertia: f64,
    /// The mass of the link and of all that hangs on it.
    pub(crate) carried: f64,
    /// Mass times arm: of its own centre, and of all that hangs on it at the joints there.
    pub(super) moment: DVec2,
    /// The moment of inertia about its joint.
    pub(crate) swing: f64,
    /// The first of the two coordinates that are the place of the root that it hangs on.
    pub(crate) place: usize,
}

impl Link {
    /// A link whose masses the body has yet to weigh.
    pub(crate) fn new(parent: Option<usize>, joint: DVec2, capsule: Capsule) -> Self {
        Self {
            parent,
            above: parent,
            joint,
            capsule,
            ..Self::default()
        }
    }

    /// Broken off the link above.
    pub(crate) fn broken_off(self) -> Self {
        Self {
            parent: None,
            joint: DVec2::ZERO,
            ..self
        }
    }

    /// With a mass of its own, if there is one.
    pub(crate) fn with_mass(self, given_mass: Option<f64>) -> Self {
        Self { given_mass, ..self }
    }

    /// The centre of mass in the link's frame.
    pub(crate) fn centre(&self) -> DVec2 {
        0.5 * (self.capsule.from + self.capsule.to)
    }
}

/// Trees of links, parents first. The first link is a root, and what is broken off is one: a tree of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) links: Vec<Link>,
    /// The links that hang on nothing.
    pub(crate) roots: Vec<usize>,
}

/// The numbers that are the place of a root. In a state, those of all roots come before the angles of the links.
pub(crate) const ROOT: usize = 2;

/// The distribution of the mass of a body: limbs without a mass of their own share what the others leave of it, by
/// their areas.
pub(crate) struct Shares {
    of_area: f64,
}

/// They get at least this part of the mass of the body.
const LEAST_LEFT: f64 = 0.02;

impl Shares {
    /// `limbs`: the area of each, and its own mass if it has one.
    pub(crate) fn new(mass: f64, limbs: impl Iterator<Item = (f64, Option<f64>)>) -> Self {
        let (mut given, mut area) = (0.0, 0.0);
        for (own, mass) in limbs {
            match mass {
                Some(mass) => given += mass,
                None => area += own,
            }
        }
        let left = (mass - given).max(LEAST_LEFT * mass);
        Self {
            of_area: left / area,
        }
    }

    pub(crate) fn of(&self, area: f64, given: Option<f64>) -> f64 {
        given.unwrap_or(self.of_area * area)
    }
}

impl Body {
    /// Returns the number of coordinates of its state.
    pub(crate) fn size(&self) -> usize {
        self.places() + self.links.len()
    }

    /// Returns the number of these that are places of roots.
    pub(crate) fn places(&self) -> usize {
        ROOT * self.roots.len()
    }

    /// The links that hang on `root`, with that.
    pub(crate) fn tree(&self, root: usize) -> impl Iterator<Item = usize> + Clone {
        let place = self.links[root].place;
        let links = self.links.iter().enumerate().skip(root);
        links.filter_map(move |(index, link)| (link.place == place).then_some(index))
    }

    /// Returns the coordinate that is the angle of a link.
    pub(crate) fn angle(&self, link: usize) -> usize {
        self.places() + link
    }

    fn find_roots(&mut self) {
        self.roots.clear();
        for index in 0..self.links.len() {
            self.links[index].place = match self.links[index].parent {
                Some(parent) => self.links[parent].place,
                None => {
                    self.roots.push(index);
                    ROOT * (self.roots.len() - 1)
                }
            };
        }
    }

    pub(crate) fn mass(&self) -> f64 {
        self.roots
            .iter()
            .map(|&root| self.links[root].carried)
            .sum()
    }

    /// Gives the links their masses; `unit` is that of masses.
    pub(crate) fn weigh(&mut self, mass: f64, unit: f64) {
        let limbs = self.links.iter();
        let shares = Shares::new(mass, limbs.map(|it| (it.capsule.area(), it.given_mass)));
        for link in &mut self.links {
            link.mass = unit * shares.of(link.capsule.area(), link.given_mass);
            let length = link.capsule.from.distance_squared(link.capsule.to);
            let radius = link.capsule.radius;
            link.inertia = link.mass * (length / 12.0 + radius * radius / 3.0);
        }
        self.sum_up();
    }

    /// Computes what the links carry, and what carries them.
    pub(super) fn sum_up(&mut self) {
        self.find_roots();
        for link in &mut self.links {
            let centre = link.centre();
            link.carried = link.mass;
            link.moment = link.mass * centre;
            link.swing = link.inertia + link.mass * centre.length_squared();
        }
        for index in (0..self.links.len()).rev() {
            let Link {
                parent,
                joint,
                carried,
                ..
            } = self.links[index];
            if let Some(parent) = parent {
                let parent = &mut self.links[parent];
                parent.carried += carried;
                parent.moment += carried * joint;
            }
        }
    }
}

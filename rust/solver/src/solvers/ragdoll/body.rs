//! The body: links that hang on one another, and their masses.
//!
//! A body is a tree of rigid links, parents first. Its state is the place of the root's joint and the
//! *absolute* angle of each link, so that no link can be longer or shorter than it is. In these coordinates the
//! matrix of inertia has a number for each pair of a link and one above it, and nothing else: what is constant
//! of that is computed here.

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
    /// The link that it hangs on; the root has none.
    pub(crate) parent: Option<usize>,
    /// Its joint in the frame of its parent.
    pub(crate) joint: DVec2,
    pub(crate) capsule: Capsule,
    /// Whether the round end at `from` is no part of the link above.
    pub(crate) shows_start: bool,
    pub(crate) mass: f64,
    /// The moment of inertia about the centre of mass, which is the middle of the capsule.
    pub(crate) inertia: f64,
    /// The mass of the link and of all that hangs on it.
    pub(crate) carried: f64,
    /// Mass times arm: of its own centre, and of all that hangs on it at the joints there.
    pub(super) moment: DVec2,
    /// The moment of inertia about its joint of the same masses.
    pub(crate) swing: f64,
}

impl Link {
    /// A link whose masses the body has yet to weigh.
    pub(crate) fn new(parent: Option<usize>, joint: DVec2, capsule: Capsule) -> Self {
        Self {
            parent,
            joint,
            capsule,
            ..Self::default()
        }
    }

    /// The centre of mass in the link's frame.
    pub(crate) fn centre(&self) -> DVec2 {
        0.5 * (self.capsule.from + self.capsule.to)
    }
}

/// A tree of links, parents first. The first one is the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) links: Vec<Link>,
}

/// The numbers of a state before those of the links: the root's place.
pub(crate) const ROOT: usize = 2;

impl Body {
    /// How many numbers its state has.
    pub(crate) fn size(&self) -> usize {
        ROOT + self.links.len()
    }

    /// The coordinate that the one with this index hangs on.
    pub(super) fn above(&self, index: usize) -> Option<usize> {
        match index.checked_sub(ROOT) {
            Some(link) => Some(self.links[link].parent.map_or(1, |parent| ROOT + parent)),
            None => index.checked_sub(1),
        }
    }

    /// The coordinates that move something on the link: its own, and all above it.
    pub(super) fn path(&self, link: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(ROOT + link), |&index| self.above(index))
    }

    pub(crate) fn mass(&self) -> f64 {
        self.links.first().map_or(0.0, |root| root.carried)
    }

    /// Distributes `mass` over the links by their areas.
    pub(crate) fn weigh(&mut self, mass: f64) {
        let area: f64 = self.links.iter().map(|link| link.capsule.area()).sum();
        for link in &mut self.links {
            link.mass = mass * link.capsule.area() / area;
            let length = link.capsule.from.distance_squared(link.capsule.to);
            let radius = link.capsule.radius;
            link.inertia = link.mass * (length / 12.0 + radius * radius / 3.0);
        }
        self.sum_up();
    }

    /// Computes what the links carry.
    pub(super) fn sum_up(&mut self) {
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
                parent.swing += carried * joint.length_squared();
            }
        }
    }
}

//! What the law asks of the physics, and how a capture answers in its place.
//!
//! A surface is a shape of a body. It has two frames: the server's, in which rays meet it, and that in which
//! it is drawn. They are a tick apart where a script moves a node. All of it is in global space.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::number::{self, kept};

/// The physics that a tick asks.
pub trait World {
    /// The first thing on a ray, in the server's world. With `from_inside`, what the ray begins in is met there.
    fn cast(&mut self, from: Vec2, to: Vec2, from_inside: bool) -> Option<Hit>;
    /// The surface with this number; `None` if it is gone.
    fn surface(&mut self, number: u32) -> Option<Surface>;
}

kept! {
    /// A hit of a ray, in global space.
    pub struct Hit {
        /// The place of the hit.
        pub position: Vec2,
        /// Away from it; zero if the ray began inside.
        pub normal: Vec2,
        /// The surface that was hit.
        pub surface: Surface,
        /// `true` if it holds only what comes from above.
        pub is_one_way: bool,
    }
}

kept! {
    /// A surface, as it is in a tick.
    pub struct Surface {
        /// Its number.
        pub number: u32,
        /// The number of its body.
        pub body: u32,
        /// The frame in which the server has it.
        pub server: Affine2,
        /// The frame in which it is drawn.
        pub drawn: Affine2,
        /// The velocity of its points besides, as those of a belt: that of all, and in radians about a pivot. Per
        /// second.
        #[serde(default, skip_serializing_if = "number::is_usual")]
        pub linear_velocity: Vec2,
        /// See above.
        #[serde(default, skip_serializing_if = "number::is_usual")]
        pub angular_velocity: f32,
        /// See above.
        #[serde(default, skip_serializing_if = "number::is_usual")]
        pub pivot: Vec2,
    }
}

impl Surface {
    /// Returns the transform from the server's frame to the drawn one.
    pub(super) fn shift(&self) -> Affine2 {
        match self.server == self.drawn {
            true => Affine2::IDENTITY,
            false => self.drawn * self.server.inverse(),
        }
    }

    /// Returns the velocity of a point of it besides that of its frame, per second.
    pub(super) fn velocity(&self, place: Vec2) -> Vec2 {
        self.linear_velocity + (place - self.pivot).perp() * self.angular_velocity
    }
}

kept! {
    /// A foot in a tick, as the animation has it. All in skeleton space.
    pub(crate) struct PosedFoot {
        /// The start of its limb.
        pub hip: Vec2,
        /// The place of its sole that is put on the ground.
        pub sole: Vec2,
        /// From there to the tip of the limb.
        pub above: Vec2,
        /// The direction of the foot's bone, if that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub direction: Option<Vec2>,
        /// The same in the rest pose; zero without such a bone.
        pub rest: Vec2,
        /// `true` if its sole is below the ball of the foot.
        pub is_on_ball: bool,
        /// The offset from where it was to be to where the last pass has drawn it, if that counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub miss: Option<Vec2>,
    }
}

impl PosedFoot {
    /// The tip of its limb.
    pub(crate) fn tip(&self) -> Vec2 {
        self.sole + self.above
    }
}

kept! {
    /// A tick of the physics.
    pub struct Tick {
        /// Its length in seconds.
        pub delta: f32,
        /// The skeleton's global transform.
        pub to_global: Affine2,
        /// `true` if the character's body is on a floor; `None` if that is not known.
        pub is_on_floor: Option<bool>,
        /// `true` if the character is in the air, if that is known otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub is_in_air: Option<bool>,
        /// The way by which an animation has moved the skeleton against the character's body, in global space: the
        /// ground of the animation stays with the body.
        #[serde(default, skip_serializing_if = "number::is_usual")]
        pub moved: Vec2,
        /// The number of the [floors](Ticks::floors) that are this tick's.
        pub(super) floors: usize,
    }
}

impl Tick {
    /// Returns the way by which the skeleton was moved along `up`, both in its space.
    pub(crate) fn raised(&self, up: Vec2) -> f32 {
        match self.moved == Vec2::ZERO {
            true => 0.0,
            false => (self.to_global.matrix2.inverse() * self.moved).dot(up),
        }
    }

    /// A tick of a character whose body is on a floor or not, if that is known.
    pub fn new(delta: f32, to_global: Affine2, is_on_floor: Option<bool>) -> Self {
        Self {
            delta,
            to_global,
            is_on_floor,
            is_in_air: None,
            moved: Vec2::ZERO,
            floors: 0,
        }
    }
}

/// An answer of [`World`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WorldAnswer {
    Cast(Option<Hit>),
    Surface(Option<Surface>),
}

/// Ticks that no pass has taken yet, with everything that they were told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Ticks {
    ticks: Vec<Tick>,
    /// The feet in the first tick, then in the next.
    feet: Vec<Option<PosedFoot>>,
    /// The bodies that the character stands on, in the same order.
    floors: Vec<u32>,
    answers: Vec<WorldAnswer>,
}

impl Ticks {
    pub(crate) fn is_empty(&self) -> bool {
        self.ticks.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.ticks.len()
    }

    /// Forgets all of them. Their memory is not given back.
    pub(crate) fn clear(&mut self) {
        self.ticks.clear();
        self.feet.clear();
        self.floors.clear();
        self.answers.clear();
    }

    /// Adds a tick. What it is told is added while it is gone through.
    pub(crate) fn add(&mut self, tick: Tick, feet: &[Option<PosedFoot>], floors: &[u32]) {
        self.ticks.push(Tick {
            floors: floors.len(),
            ..tick
        });
        self.feet.extend_from_slice(feet);
        self.floors.extend_from_slice(floors);
    }

    /// Returns the answers of `world` to the last tick, which are noted.
    pub(crate) fn noting<'a>(&'a mut self, world: &'a mut dyn World) -> impl World + 'a {
        let answers = &mut self.answers;
        Noting { world, answers }
    }

    /// Goes through all of them again, as they were told.
    pub(crate) fn replay(
        &self,
        mut run: impl FnMut(Tick, &[Option<PosedFoot>], &[u32], &mut dyn World),
    ) {
        let feet = self.feet.len() / self.ticks.len().max(1);
        let mut answers = Noted(self.answers.iter());
        let mut floors = &self.floors[..];
        for (index, tick) in self.ticks.iter().enumerate() {
            let (own, others) = floors.split_at(tick.floors.min(floors.len()));
            floors = others;
            let feet = &self.feet[index * feet..(index + 1) * feet];
            run(*tick, feet, own, &mut answers);
        }
    }
}

/// The answers of a world, which are noted.
struct Noting<'a> {
    world: &'a mut dyn World,
    answers: &'a mut Vec<WorldAnswer>,
}

impl World for Noting<'_> {
    fn cast(&mut self, from: Vec2, to: Vec2, from_inside: bool) -> Option<Hit> {
        let hit = self.world.cast(from, to, from_inside);
        self.answers.push(WorldAnswer::Cast(hit));
        hit
    }

    fn surface(&mut self, number: u32) -> Option<Surface> {
        let surface = self.world.surface(number);
        self.answers.push(WorldAnswer::Surface(surface));
        surface
    }
}

/// The answers as they were noted: another question than then gets none.
struct Noted<'a>(std::slice::Iter<'a, WorldAnswer>);

impl World for Noted<'_> {
    fn cast(&mut self, _: Vec2, _: Vec2, _: bool) -> Option<Hit> {
        match self.0.next() {
            Some(&WorldAnswer::Cast(hit)) => hit,
            _ => None,
        }
    }

    fn surface(&mut self, _: u32) -> Option<Surface> {
        match self.0.next() {
            Some(&WorldAnswer::Surface(surface)) => surface,
            _ => None,
        }
    }
}

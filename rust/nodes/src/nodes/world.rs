//! The bodies of the physics server, as feet and ragdolls meet them.
//!
//! | file | what is in it |
//! |---|---|
//! | this one | all that a node knows of them |
//! | [`known_shapes`] | the shapes that were met, by numbers |
//! | [`shape`] | a shape of a body or of a tile map: where it is, and what it holds |
//! | [`tiles`] | the bodies that a layer makes of its tiles |
//! | [`address`] | numbers by places in the tree |
//! | [`own_parts`] | the parts of the character, which are not met |

mod address;
pub(super) mod known_shapes;
pub(super) mod own_parts;
pub(super) mod shape;
mod tiles;

use godot::classes::Skeleton2D;
use godot::prelude::*;

use self::known_shapes::KnownShapes;
use self::own_parts::OwnParts;

/// The knowledge that a node keeps of the world around its character, from plan to plan.
#[derive(Default)]
pub(super) struct KnownWorld {
    pub(super) shapes: KnownShapes,
    pub(super) parts: OwnParts,
}

impl KnownWorld {
    /// The character is that which has this skeleton, and this body, if it is named.
    pub(super) fn belong_to(&self, skeleton: &Gd<Skeleton2D>, body: Option<InstanceId>) {
        self.shapes.belong_to(skeleton);
        self.parts.belong_to(skeleton, body);
    }

    /// A tick begins. Returns whether queries have to be told anew what they pass.
    pub(super) fn begin_tick(&self) -> bool {
        self.shapes.begin_tick();
        self.parts.renew()
    }
}

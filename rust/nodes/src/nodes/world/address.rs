//! The number of a body, or of a shape, by its place in the tree: what a state has in place of the engine's own
//! numbers.
//!
//! It is seen from the skeleton. So every instance of a scene finds the same surface by it, on every machine, also
//! from a state that was saved elsewhere.

use godot::classes::Skeleton2D;
use godot::prelude::*;

use crate::engine::children::index_of;
use crate::nodes::world::tiles;

/// A number that is made of the parts of a place, by FNV-1a, which is the same everywhere.
#[derive(Clone, Copy)]
pub(super) struct Address(pub(super) u32);

impl Address {
    /// That of a node. A name that the engine has made up is another one in each instance: where the node is among
    /// its siblings counts in its place.
    pub(super) fn of(node: &Gd<Node>, skeleton: Option<&Gd<Skeleton2D>>) -> Self {
        let mut address = Self(0x811c_9dc5);
        let mut next = Some(node.clone());
        let is_shared =
            |node: &Gd<Node>| skeleton.is_some_and(|skeleton| node.is_ancestor_of(skeleton));
        while let Some(node) = next.filter(|node| !is_shared(node)) {
            let name = node.get_name().to_string();
            address = match name.starts_with('@') {
                true => address.and(&index_of(&node).to_string()),
                false => address.and(&name),
            };
            address = address.and("/");
            next = node.get_parent();
        }
        address
    }

    /// That of a body of a node: a tile map has several. All that have no node have the same.
    pub(super) fn of_body(
        body: Rid,
        node: Option<&Gd<Node>>,
        skeleton: Option<&Gd<Skeleton2D>>,
    ) -> Self {
        let Some(node) = node else { return Self(0) };
        let address = Self::of(node, skeleton);
        let Ok(Some(layer)) = tiles::layer_of(node.clone(), body) else {
            return address;
        };
        let quadrant = layer.get_coords_for_body_rid(body);
        let marks = tiles::marks_of(&layer, body).into_iter();
        let marks = [quadrant.x, quadrant.y].into_iter().chain(marks);
        marks.fold(address, Self::part)
    }

    /// That of a part of it, as a shape by its index.
    pub(super) fn part(self, index: i32) -> Self {
        self.and(&index.to_string()).and(":")
    }

    fn and(self, text: &str) -> Self {
        let add = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        Self(text.bytes().fold(self.0, add))
    }

    /// The first number from this one on that is not taken.
    pub(super) fn free(self, is_taken: impl Fn(u32) -> bool) -> u32 {
        let mut number = self.0;
        while is_taken(number) {
            number = number.wrapping_add(1);
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn the_hash_is_that_of_its_authors() {
        assert_eq!(Address(0x811c_9dc5).and("foobar").0, 0xbf9c_f968);
    }

    #[test]
    fn a_number_that_is_taken_goes_to_nobody_else() {
        assert_eq!(Address(7).free(|number| number < 9), 9);
        assert_eq!(Address(u32::MAX).free(|number| number == u32::MAX), 0);
    }
}

//! Numbers for the bodies that feet stand on: what a state has in place of instance IDs.
//!
//! The number of a body comes from its place in the tree, seen from the skeleton. So every instance of a scene
//! finds the same body by it, on every machine, also from a state that was saved elsewhere. The node of the
//! modifier keeps the numbers, so that they last longer than a plan.

use std::cell::RefCell;

use godot::classes::Skeleton2D;
use godot::prelude::*;

/// The bodies that are known by now, by their numbers. One that was freed keeps its number: what comes to its
/// place is another body. `None` was looked for and not found.
#[derive(Default)]
pub(super) struct Bodies(RefCell<Vec<(u32, Option<InstanceId>)>>);

/// The classes that a ray can hit.
const COLLIDERS: [&str; 2] = ["CollisionObject2D", "TileMapLayer"];

impl Bodies {
    /// The number of the body `id`, which feet of `skeleton` have found.
    pub(super) fn number(&self, id: InstanceId, skeleton: &Gd<Skeleton2D>) -> Option<u32> {
        let known = self.known(|&(_, body)| body == Some(id));
        if let Some((number, _)) = known {
            return Some(number);
        }
        let mut number = number_of(&Gd::try_from_instance_id(id).ok()?, skeleton);
        while self
            .known(|&(other, body)| other == number && body.is_some())
            .is_some()
        {
            number = number.wrapping_add(1);
        }
        self.know(number, Some(id));
        Some(number)
    }

    /// The body with this number, if there is one. A number that is not known came with a state.
    pub(super) fn find(&self, number: u32, skeleton: &Gd<Skeleton2D>) -> Option<InstanceId> {
        let known = self.known(|&(other, _)| other == number);
        if let Some((_, body)) = known {
            return body;
        }
        let found = search(number, skeleton);
        self.know(number, found);
        found
    }

    fn known(
        &self,
        is_it: impl Fn(&(u32, Option<InstanceId>)) -> bool,
    ) -> Option<(u32, Option<InstanceId>)> {
        self.0.borrow().iter().copied().find(is_it)
    }

    fn know(&self, number: u32, body: Option<InstanceId>) {
        let mut bodies = self.0.borrow_mut();
        bodies.retain(|&(other, _)| other != number);
        bodies.push((number, body));
    }
}

/// The body whose own number this is, in the whole tree.
fn search(number: u32, skeleton: &Gd<Skeleton2D>) -> Option<InstanceId> {
    let root = skeleton.get_tree_or_null()?.get_root()?;
    COLLIDERS.iter().find_map(|class| {
        let colliders = root.find_children_ex("*").type_(*class).owned(false).done();
        let mut colliders = colliders.iter_shared();
        let found = colliders.find(|node| number_of(node, skeleton) == number);
        found.map(|node| node.instance_id())
    })
}

/// The number that a body has by its place. A name that the engine has made up is another one in each
/// instance: where the node is among its siblings counts in its place.
fn number_of(body: &Gd<Node>, skeleton: &Gd<Skeleton2D>) -> u32 {
    let mut hash = Hash::new();
    let mut next = Some(body.clone());
    while let Some(node) = next.filter(|node| !node.is_ancestor_of(skeleton)) {
        let name = node.get_name().to_string();
        match name.starts_with('@') {
            true => hash.add(node.get_index().to_string().as_bytes()),
            false => hash.add(name.as_bytes()),
        }
        hash.add(b"/");
        next = node.get_parent();
    }
    hash.0
}

/// FNV-1a, which is the same everywhere.
struct Hash(u32);

impl Hash {
    fn new() -> Self {
        Self(0x811c_9dc5)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_that_of_its_authors() {
        let mut hash = Hash::new();
        hash.add(b"foobar");
        assert_eq!(hash.0, 0xbf9c_f968);
    }
}

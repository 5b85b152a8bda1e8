//! What is part of the character, and no ground: the nearest body above the skeleton, all bodies below that, and
//! what it does not collide with. Without a body, the scene that the skeleton is of.

use std::cell::{Cell, Ref, RefCell};

use godot::classes::{CollisionObject2D, PhysicsBody2D, Skeleton2D};
use godot::prelude::*;

/// For how many ticks a body that was found to be own, or not, is taken to be so.
const RENEWED: u32 = 16;

/// The parts of a character.
#[derive(Default)]
pub(in crate::nodes) struct OwnParts {
    /// What all parts are below.
    top: Cell<Option<InstanceId>>,
    /// Those that scripts have named.
    named: RefCell<Vec<Rid>>,
    /// What rays pass, and other bodies that they have met.
    own: RefCell<Vec<Rid>>,
    others: RefCell<Vec<Rid>>,
    /// Ticks since these were looked at.
    age: Cell<u32>,
}

impl OwnParts {
    /// The character is that which has this skeleton.
    pub(super) fn belong_to(&self, skeleton: &Gd<Skeleton2D>) {
        self.top.set(Some(top_of(skeleton).instance_id()));
        self.age.set(RENEWED);
    }

    /// A body is no ground.
    pub(in crate::nodes) fn add(&self, body: Rid) {
        self.named.borrow_mut().push(body);
        self.age.set(RENEWED);
    }

    /// A body is ground again.
    pub(in crate::nodes) fn remove(&self, body: Rid) {
        self.named.borrow_mut().retain(|&named| named != body);
        self.age.set(RENEWED);
    }

    /// A tick begins. Returns whether rays have to be told anew what they pass.
    pub(super) fn renew(&self) -> bool {
        let age = self.age.get();
        self.age.set(age + 1);
        if age < RENEWED {
            return false;
        }
        self.age.set(0);
        self.others.borrow_mut().clear();
        let mut own = self.own.borrow_mut();
        own.clone_from(&self.named.borrow());
        if let Some(body) = self.top::<CollisionObject2D>() {
            own.push(body.get_rid());
        }
        if let Some(body) = self.top::<PhysicsBody2D>() {
            let exceptions = body.get_collision_exceptions();
            own.extend(exceptions.iter_shared().map(|body| body.get_rid()));
        }
        true
    }

    /// What rays pass.
    pub(super) fn own(&self) -> Ref<'_, [Rid]> {
        Ref::map(self.own.borrow(), Vec::as_slice)
    }

    fn top<T: Inherits<Node>>(&self) -> Option<Gd<T>> {
        let top = Gd::<Node>::try_from_instance_id(self.top.get()?).ok()?;
        top.try_cast().ok()
    }

    /// Whether a body is a part of the character: then rays pass it from now on. `node` is asked for what it is of,
    /// if that is not known.
    pub(super) fn claims(&self, body: Rid, node: impl FnOnce() -> Option<Gd<Node>>) -> bool {
        if self.others.borrow().contains(&body) {
            return false;
        }
        let is_below = |top: Gd<Node>| node().is_some_and(|node| top.is_ancestor_of(&node));
        let is_own = self.top::<Node>().is_some_and(is_below);
        let list = if is_own { &self.own } else { &self.others };
        list.borrow_mut().push(body);
        is_own
    }
}

/// What all parts of a character are below: the nearest body above its skeleton, or the scene that was instanced
/// with it.
fn top_of(skeleton: &Gd<Skeleton2D>) -> Gd<Node> {
    let owner = skeleton.get_owner();
    let mut above = skeleton.get_parent();
    while let Some(node) = above {
        above = node.get_parent();
        if let Ok(body) = node.try_cast::<CollisionObject2D>()
            && !carries(&body, owner.as_ref())
        {
            return body.upcast();
        }
    }
    let is_instanced =
        |owner: &Gd<Node>| !owner.get_scene_file_path().is_empty() && owner.get_owner().is_some();
    owner
        .filter(is_instanced)
        .unwrap_or_else(|| skeleton.clone().upcast())
}

/// Whether `body` is what a character was put on or into: a platform, or an area, above the root `owner` of the
/// character's scene.
fn carries(body: &Gd<CollisionObject2D>, owner: Option<&Gd<Node>>) -> bool {
    (body.is_class("StaticBody2D") || body.is_class("Area2D"))
        && owner.is_some_and(|owner| body.is_ancestor_of(owner))
}

//! What is part of the character, and no ground: the nearest body above the skeleton, all bodies below that, and
//! what it does not collide with. Without a body, the scene that the skeleton is of.

use std::cell::{Cell, RefCell};

use godot::classes::{CollisionObject2D, PhysicsBody2D, Skeleton2D};
use godot::prelude::*;

use crate::engine::ray_answer::RayAnswer;

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

    /// A tick begins. Returns what rays pass, if that has to be set again.
    pub(super) fn renew(&self) -> Option<Array<Rid>> {
        let age = self.age.get();
        self.age.set(age + 1);
        if age < RENEWED {
            return None;
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
        Some(own.iter().copied().collect())
    }

    fn top<T: Inherits<Node>>(&self) -> Option<Gd<T>> {
        let top = Gd::<Node>::try_from_instance_id(self.top.get()?).ok()?;
        top.try_cast().ok()
    }

    /// What rays pass from now on, if `hit` is a part of the character.
    pub(super) fn exclude_if_own(&self, hit: &RayAnswer) -> Option<Array<Rid>> {
        let body = hit.body;
        if self.others.borrow().contains(&body) {
            return None;
        }
        let node = Gd::<Node>::try_from_instance_id(hit.node).ok()?;
        let is_own = self
            .top::<Node>()
            .is_some_and(|top| top.is_ancestor_of(&node));
        if !is_own {
            self.others.borrow_mut().push(body);
            return None;
        }
        let mut own = self.own.borrow_mut();
        own.push(body);
        Some(own.iter().copied().collect())
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

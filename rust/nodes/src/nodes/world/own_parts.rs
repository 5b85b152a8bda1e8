//! What is part of the character, and not met: the nearest body above the skeleton, all bodies below that, and
//! what it does not collide with. Without a body, the scene that the skeleton is of.

use std::cell::{Cell, Ref, RefCell};

use godot::classes::{CollisionObject2D, PhysicsBody2D, Skeleton2D};
use godot::prelude::*;

/// The number of ticks for which a body that was found to be own, or not, is taken to be so.
const RENEWED: u32 = 16;

/// The parts of a character.
#[derive(Default)]
pub(in crate::nodes) struct OwnParts {
    /// The node above all parts.
    top: Cell<Option<InstanceId>>,
    /// The character's body, if it was named.
    body: Cell<Option<InstanceId>>,
    /// The bodies that scripts have named.
    named: RefCell<Vec<InstanceId>>,
    /// The bodies that rays pass, and others that they have met.
    own: RefCell<Vec<Rid>>,
    others: RefCell<Vec<Rid>>,
    /// Ticks since these were looked at.
    age: Cell<u32>,
}

impl OwnParts {
    /// The character is that which has this skeleton, and this body, if it is named.
    pub(in crate::nodes) fn belong_to(&self, skeleton: &Gd<Skeleton2D>, body: Option<InstanceId>) {
        self.top.set(Some(top_of(skeleton).instance_id()));
        self.body.set(body);
        self.look_again();
    }

    /// A body is not met.
    pub(in crate::nodes) fn add(&self, body: InstanceId) {
        let mut named = self.named.borrow_mut();
        named.retain(|&other| other != body && alive(other).is_some());
        named.push(body);
        self.look_again();
    }

    /// A body is met again.
    pub(in crate::nodes) fn remove(&self, body: InstanceId) {
        self.named.borrow_mut().retain(|&named| named != body);
        self.look_again();
    }

    /// Has the parts looked at again in the next tick.
    pub(in crate::nodes) fn look_again(&self) {
        self.age.set(u32::MAX);
    }

    /// Returns `true` if the parts were told to look again, and have not.
    pub(in crate::nodes) fn is_new(&self) -> bool {
        self.age.get() == u32::MAX
    }

    /// A tick begins. Returns whether queries have to be told anew what they pass.
    pub(super) fn renew(&self) -> bool {
        let age = self.age.get();
        self.age.set(age.saturating_add(1));
        if age < RENEWED {
            return false;
        }
        self.age.set(0);
        self.others.borrow_mut().clear();
        let mut own = self.own.borrow_mut();
        own.clear();
        let named = self.named.borrow();
        own.extend(
            named
                .iter()
                .filter_map(|&body| Some(alive(body)?.get_rid())),
        );
        for body in [self.top.get(), self.body.get()].into_iter().flatten() {
            let Some(body) = alive(body) else { continue };
            own.push(body.get_rid());
            if let Ok(body) = body.try_cast::<PhysicsBody2D>() {
                let exceptions = body.get_collision_exceptions();
                own.extend(exceptions.iter_shared().map(|body| body.get_rid()));
            }
        }
        true
    }

    /// Returns the bodies that queries pass.
    pub(in crate::nodes) fn own(&self) -> Ref<'_, [Rid]> {
        Ref::map(self.own.borrow(), Vec::as_slice)
    }

    /// Returns `true` if a ragdoll is one of the character, or of one that it does not meet.
    pub(in crate::nodes) fn have(&self, ragdoll: &Gd<Node>) -> bool {
        let is_above = |node: &Gd<Node>| node.is_ancestor_of(ragdoll);
        let node = |id: InstanceId| Gd::<Node>::try_from_instance_id(id).ok();
        let named = self.named.borrow();
        let ids = [self.top.get(), self.body.get()].into_iter().flatten();
        let own: Vec<_> = ids.chain(named.iter().copied()).filter_map(node).collect();
        own.iter().any(is_above)
            || own.iter().any(|body| {
                let body = body.clone().try_cast::<PhysicsBody2D>().ok();
                let exceptions = body.map(|body| body.get_collision_exceptions());
                let mut exceptions = exceptions.iter().flat_map(|bodies| bodies.iter_shared());
                exceptions.any(|body| body.is_ancestor_of(ragdoll))
            })
    }

    /// Returns `true` if a body is a part of the character: then queries pass it from now on. `node` is called for the
    /// node of the body, if it is not known whether it is one.
    pub(in crate::nodes) fn claims(
        &self,
        body: Rid,
        node: impl FnOnce() -> Option<Gd<Node>>,
    ) -> bool {
        if self.others.borrow().contains(&body) {
            return false;
        }
        if self.own.borrow().contains(&body) {
            return true;
        }
        let top = self.top.get().map(Gd::<Node>::try_from_instance_id);
        let is_below = |top: Gd<Node>| node().is_some_and(|node| top.is_ancestor_of(&node));
        let is_own = top.and_then(Result::ok).is_some_and(is_below);
        let list = if is_own { &self.own } else { &self.others };
        list.borrow_mut().push(body);
        is_own
    }
}

/// A body that was not freed.
fn alive(body: InstanceId) -> Option<Gd<CollisionObject2D>> {
    let node = Gd::<Node>::try_from_instance_id(body).ok()?;
    node.try_cast().ok()
}

/// Returns the node above all parts of a character: the nearest body above its skeleton, or the scene that was
/// instanced with it.
fn top_of(skeleton: &Gd<Skeleton2D>) -> Gd<Node> {
    let owner = skeleton.get_owner();
    let mut above = skeleton.get_parent();
    let mut area = None;
    while let Some(node) = above {
        above = node.get_parent();
        if let Ok(body) = node.try_cast::<CollisionObject2D>()
            && !carries(&body, owner.as_ref())
        {
            // A body may be above a hitbox.
            match body.is_class("Area2D") {
                true => area = area.or(Some(body.upcast())),
                false => return body.upcast(),
            }
        }
    }
    if let Some(area) = area {
        return area;
    }
    let is_instanced =
        |owner: &Gd<Node>| !owner.get_scene_file_path().is_empty() && owner.get_owner().is_some();
    owner
        .filter(is_instanced)
        .unwrap_or_else(|| skeleton.clone().upcast())
}

/// Returns `true` if a character was put on or into `body`: a platform, or an area, above the root `owner` of the
/// character's scene.
fn carries(body: &Gd<CollisionObject2D>, owner: Option<&Gd<Node>>) -> bool {
    (body.is_class("StaticBody2D") || body.is_class("Area2D"))
        && owner.is_some_and(|owner| body.is_ancestor_of(owner))
}

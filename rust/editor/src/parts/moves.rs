//! Where nodes of a scene will be, and what names them by a path.

use std::collections::HashMap;

use godot::classes::{Bone2D, Object};
use godot::prelude::*;

use crate::action::Action;
use crate::selection::all_within;

/// An undo step as a list of calls, which works without an editor, too.
#[derive(Default)]
pub(crate) struct CallStep {
    done: Vec<Call>,
    /// In the order in which they are called when the step is undone.
    undone: Vec<Call>,
    /// Nodes that are in the scene while the step is done, or while it is undone.
    pub(crate) new: Vec<Gd<Node>>,
    pub(crate) old: Vec<Gd<Node>>,
}

struct Call {
    object: Gd<Object>,
    method: &'static str,
    arguments: Vec<Variant>,
}

impl Call {
    fn new<T: Inherits<Object>>(
        object: &Gd<T>,
        method: &'static str,
        arguments: &[Variant],
    ) -> Self {
        Self {
            object: object.clone().upcast(),
            method,
            arguments: arguments.to_vec(),
        }
    }
}

impl CallStep {
    pub(crate) fn when_done<T: Inherits<Object>>(
        &mut self,
        object: &Gd<T>,
        method: &'static str,
        arguments: &[Variant],
    ) {
        self.done.push(Call::new(object, method, arguments));
    }

    pub(crate) fn when_undone<T: Inherits<Object>>(
        &mut self,
        object: &Gd<T>,
        method: &'static str,
        arguments: &[Variant],
    ) {
        self.undone.push(Call::new(object, method, arguments));
    }

    /// Sets a property after all that was added before, in both directions.
    pub(crate) fn set<T: Inherits<Object>>(
        &mut self,
        object: &Gd<T>,
        property: &str,
        after: &Variant,
    ) {
        let before = object.clone().upcast::<Object>().get(property);
        let name = property.to_variant();
        self.when_done(object, "set", &[name.clone(), after.clone()]);
        self.when_undone(object, "set", &[name, before]);
    }

    /// Makes it a part of `action`.
    pub(crate) fn add_to(self, action: &mut Action) {
        for call in &self.done {
            action.when_done(&call.object, call.method, &call.arguments);
        }
        for call in self.undone.iter().rev() {
            action.when_undone(&call.object, call.method, &call.arguments);
        }
        self.new.iter().for_each(|node| action.keep_done(node));
        self.old.iter().for_each(|node| action.keep_undone(node));
    }

    /// Does it, without undo.
    pub(crate) fn run(self) {
        for mut call in self.done {
            call.object.call(call.method, &call.arguments);
        }
        for mut node in self.old {
            node.queue_free();
        }
    }
}

/// Nodes of a scene that get other places.
pub(crate) struct Moves {
    pub(crate) scene: Gd<Node>,
    places: HashMap<InstanceId, NewPlace>,
    parts: HashMap<InstanceId, Heir>,
}

struct NewPlace {
    parent: Gd<Node>,
    name: String,
}

/// The bone that takes over a part.
struct Heir {
    bone: Gd<Bone2D>,
    /// `true` if the part stays, as the drawing of the bone.
    draws: bool,
    /// `true` if the bone is turned by half a turn, and its scale negated.
    is_turned: bool,
}

impl Moves {
    pub(crate) fn new(scene: &Gd<Node>) -> Self {
        Self {
            scene: scene.clone(),
            places: HashMap::new(),
            parts: HashMap::new(),
        }
    }

    /// `node`, which may be new, will be below `parent`, and called `name`.
    pub(crate) fn place(&mut self, node: &Gd<Node>, parent: &Gd<Node>, name: &str) {
        let place = NewPlace {
            parent: parent.clone(),
            name: name.into(),
        };
        self.places.insert(node.instance_id(), place);
    }

    /// `bone` will move what `part` has moved. `draws` says whether the part stays, as its drawing.
    pub(super) fn inherit(
        &mut self,
        part: &Gd<Node>,
        bone: &Gd<Bone2D>,
        draws: bool,
        is_turned: bool,
    ) {
        let heir = Heir {
            bone: bone.clone(),
            draws,
            is_turned,
        };
        self.parts.insert(part.instance_id(), heir);
    }

    /// The node that moves what `node` moves now.
    pub(super) fn mover(&self, node: &Gd<Node>) -> Gd<Node> {
        let heir = self.parts.get(&node.instance_id());
        heir.map_or_else(|| node.clone(), |heir| heir.bone.clone().upcast())
    }

    /// The node that draws what `node` draws now.
    pub(super) fn drawer(&self, node: &Gd<Node>) -> Gd<Node> {
        match self.parts.get(&node.instance_id()) {
            Some(heir) if !heir.draws => heir.bone.clone().upcast(),
            _ => node.clone(),
        }
    }

    /// Returns `true` if rotations of `node` become half a turn more, and its scales negative.
    pub(super) fn is_turned(&self, node: &Gd<Node>) -> bool {
        let heir = self.parts.get(&node.instance_id());
        heir.is_some_and(|heir| heir.is_turned)
    }

    /// The path from one node to another one, once both are where they will be.
    pub(crate) fn path(&self, from: &Gd<Node>, to: &Gd<Node>) -> String {
        let (from, to) = (self.way(from), self.way(to));
        let same = from.iter().zip(&to).take_while(|(one, other)| one == other);
        let same = same.count();
        let up = from[same..].iter().map(|_| "..".to_owned());
        let down = to[same..].iter().map(|(_, name)| name.clone());
        let names: Vec<_> = up.chain(down).collect();
        match names.is_empty() {
            true => ".".into(),
            false => names.join("/"),
        }
    }

    /// The nodes from the root to `node`, with their names.
    fn way(&self, node: &Gd<Node>) -> Vec<(InstanceId, String)> {
        let mut way = Vec::new();
        let mut next = Some(node.clone());
        while let Some(node) = next {
            let id = node.instance_id();
            let place = self.places.get(&id);
            let name = place.map_or_else(|| node.get_name().to_string(), |it| it.name.clone());
            way.push((id, name));
            next = place.map_or_else(|| node.get_parent(), |it| Some(it.parent.clone()));
        }
        way.reverse();
        way
    }

    /// Returns `true` if the path from one node to another one changes.
    pub(crate) fn changes(&self, from: &Gd<Node>, to: &Gd<Node>, heir: &Gd<Node>) -> bool {
        to != heir || self.path(&self.drawer(from), to) != from.get_path_to(to).to_string()
    }

    /// Properties of the scene's nodes that name others: those that are moved, or that move something.
    pub(crate) fn rewrite_properties(&self, step: &mut CallStep) {
        for node in all_within::<Node>(&self.scene) {
            for property in node.get_property_list().iter_shared() {
                let usage = property.at("usage").to::<i64>();
                let name = property.at("name").to_string();
                if usage & STORAGE == 0 || usage & GROUPING != 0 {
                    continue;
                }
                if let Some(after) = self.rewritten(&node, &node.get(&name)) {
                    step.set(&node, &name, &after);
                }
            }
        }
    }

    /// The value of a property of `node` as it has to be; none if it can stay.
    fn rewritten(&self, node: &Gd<Node>, value: &Variant) -> Option<Variant> {
        match value.get_type() {
            VariantType::NODE_PATH => {
                let path = Some(value.to::<NodePath>()).filter(|path| !path.is_empty())?;
                let names = path.get_concatenated_names();
                let to = node.get_node_or_null(&NodePath::from(&names))?;
                let moves = ["AnimationMixer", "RemoteTransform2D"];
                let heir = match moves.iter().any(|class| node.is_class(*class)) {
                    true => self.mover(&to),
                    false => self.drawer(&to),
                };
                self.changes(node, &to, &heir).then(|| {
                    let path = path.get_concatenated_subnames();
                    let names = self.path(&self.drawer(node), &heir);
                    NodePath::from(&with_subnames(&names, &path.to_string())).to_variant()
                })
            }
            VariantType::OBJECT => {
                let to = value.try_to::<Gd<Node>>().ok()?;
                let heir = self.drawer(&to);
                (heir != to).then(|| heir.to_variant())
            }
            VariantType::ARRAY => {
                let array = value.try_to::<AnyArray>().ok()?;
                let elements = array.iter_shared().enumerate();
                let changed = elements
                    .filter_map(|(index, value)| Some((index, self.rewritten(node, &value)?)));
                let changed: Vec<_> = changed.collect();
                if changed.is_empty() {
                    return None;
                }
                let copy = value.call("duplicate", &[]);
                for (index, after) in changed {
                    copy.clone()
                        .call("set", &[(index as i64).to_variant(), after]);
                }
                Some(copy)
            }
            _ => None,
        }
    }
}

/// `nodes`, which are moved from `parent`, and what is below them, with owners that are not moved with them: what is
/// taken out of the tree loses these.
pub(crate) fn owners(nodes: &[Gd<Node>], parent: &Gd<Node>) -> Vec<(Gd<Node>, Gd<Node>)> {
    let nodes = nodes.iter().flat_map(all_within::<Node>);
    let owned = nodes.filter_map(|node| {
        let owner = node.get_owner()?;
        (owner == *parent || owner.is_ancestor_of(parent)).then_some((node, owner))
    });
    owned.collect()
}

/// `names` with the properties of a path.
pub(super) fn with_subnames(names: &str, subnames: &str) -> String {
    match subnames.is_empty() {
        true => names.into(),
        false => format!("{names}:{subnames}"),
    }
}

/// The usage of a property that is saved.
const STORAGE: i64 = 2;
/// The usages of what is no property but a heading.
const GROUPING: i64 = 64 | 128 | 256;

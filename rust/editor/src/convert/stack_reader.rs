//! Reads a `SkeletonModificationStack2D`.
//!
//! The engine calls these classes experimental, so all properties are read by name. A property that
//! an engine does not have counts as not set.

use godot::classes::{Bone2D, Resource, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::modification_stack::ask;
use tendon_nodes::engine::skeleton::{bones_of, skeleton_of_bone};
use tendon_solver::SteppedSpring;

use crate::convert::constraint_arc::Arc;

/// A modification, as plain data.
pub(super) struct OldModification {
    /// Its name: that of its resource, or its class without the prefix.
    pub(super) name: String,
    /// `true` if a user has given it that name.
    pub(super) is_named: bool,
    /// `true` if it and the stacks that contain it, except for the outermost, are enabled.
    pub(super) enabled: bool,
    /// The strength of the innermost of the stacks that contain it; `1.0` in the outermost, whose own does not count
    /// here.
    pub(super) strength: f32,
    /// `true` if it runs in physics frames.
    pub(super) physics: bool,
    pub(super) target: NodePath,
    pub(super) kind: OldKind,
}

/// The kind of a modification, with its properties.
pub(super) enum OldKind {
    LookAt {
        joint: OldJoint,
        additional_rotation: f32,
    },
    TwoBone {
        bones: [Option<Gd<Bone2D>>; 2],
        flipped: bool,
        /// Least and greatest distance of the target, on the screen; 0 is off.
        distances: [f32; 2],
    },
    Ccd {
        joints: Vec<OldJoint>,
        tip: NodePath,
    },
    Fabrik {
        joints: Vec<OldJoint>,
        use_target_rotation: bool,
        has_magnets: bool,
    },
    Jiggle {
        joints: Vec<JiggleJoint>,
        has_colliders: bool,
    },
    PhysicalBones {
        /// The bones that physical bones move, with the limits of their joints.
        joints: Vec<OldJoint>,
        /// The mass of each.
        masses: Vec<f64>,
        /// The physical bones.
        nodes: Vec<Gd<Node2D>>,
    },
    /// A modification without counterpart: its class.
    Other(String),
}

/// A bone that a jiggle turns, and how.
#[derive(Debug)]
pub(super) struct JiggleJoint {
    pub(super) bone: Option<Gd<Bone2D>>,
    pub(super) spring: SteppedSpring,
    /// Zero if it is not used.
    pub(super) gravity: Vector2,
}

/// A bone that a modification turns.
pub(super) struct OldJoint {
    pub(super) bone: Option<Gd<Bone2D>>,
    pub(super) constraint: Option<OldConstraint>,
    pub(super) rotates_from_joint: bool,
}

/// The limits within which a modification turns a bone.
pub(super) struct OldConstraint {
    pub(super) allowed: Arc,
    /// `true` if its angles are the bone's own rotation, rather than that on the screen.
    pub(super) is_local: bool,
}

/// The modifications in `stack`, those of stacks within it included, in the order in which they
/// run.
pub(crate) fn read(stack: &Gd<Resource>, skeleton: &Gd<Skeleton2D>) -> Vec<OldModification> {
    let mut reader = Reader {
        skeleton: skeleton.clone(),
        found: Vec::new(),
    };
    reader.read_stack(stack, true, 1.0, &mut Vec::new());
    reader.found
}

struct Reader {
    skeleton: Gd<Skeleton2D>,
    found: Vec<OldModification>,
}

impl Reader {
    /// Reads the modifications in `stack`. `outer` are the stacks that contain it: a stack that
    /// contains itself is read once.
    fn read_stack(
        &mut self,
        stack: &Gd<Resource>,
        enabled: bool,
        strength: f32,
        outer: &mut Vec<Gd<Resource>>,
    ) {
        if outer.contains(stack) {
            return;
        }
        outer.push(stack.clone());
        let count: i64 = ask(stack, "get_modification_count", &[]).unwrap_or(0);
        for index in 0..count {
            let modification = ask(stack, "get_modification", &[index.to_variant()]);
            let Some(modification) = modification else {
                continue;
            };
            let enabled = enabled && ask(&modification, "get_enabled", &[]).unwrap_or(true);
            match ask::<Gd<_>, _>(&modification, "get_held_modification_stack", &[]) {
                Some(held) => {
                    let enabled = enabled && ask(&held, "get_enabled", &[]).unwrap_or(true);
                    let strength = ask(&held, "get_strength", &[]).unwrap_or(1.0);
                    self.read_stack(&held, enabled, strength, outer);
                }
                // Another kind of modification, or a holder without a stack.
                None => {
                    let modification = self.modification(&modification, enabled, strength);
                    self.found.push(modification);
                }
            }
        }
        outer.pop();
    }

    fn modification(
        &self,
        resource: &Gd<Resource>,
        enabled: bool,
        strength: f32,
    ) -> OldModification {
        let class = resource.get_class().to_string();
        let short = class.strip_prefix("SkeletonModification2D");
        let own_name = resource.get_name().to_string();
        let is_named = !own_name.is_empty();
        let name = match is_named {
            true => own_name,
            false => short
                .filter(|short| !short.is_empty())
                .unwrap_or(&class)
                .into(),
        };
        OldModification {
            name,
            is_named,
            enabled,
            strength,
            physics: ask::<i64, _>(resource, "get_execution_mode", &[]) == Some(1),
            target: ask(resource, "get_target_node", &[]).unwrap_or_default(),
            kind: match short {
                Some("LookAt") => self.look_at(resource),
                Some("TwoBoneIK") => self.two_bone(resource),
                Some("CCDIK") => OldKind::Ccd {
                    joints: self.joints(resource, "ccdik"),
                    tip: ask(resource, "get_tip_node", &[]).unwrap_or_default(),
                },
                Some("FABRIK") => self.fabrik(resource),
                Some("Jiggle") => self.jiggle(resource),
                Some("PhysicalBones") => self.physical_bones(resource),
                _ => OldKind::Other(class),
            },
        }
    }

    fn look_at(&self, resource: &Gd<Resource>) -> OldKind {
        let get = |what: &str| answer(resource, &format!("get_{what}"), &[]);
        let angle: Option<f64> = get("additional_rotation").try_to().ok();
        OldKind::LookAt {
            joint: OldJoint {
                bone: self.bone(&get("bone2d_node"), &get("bone_index")),
                constraint: constraint(get, resource, "constraint_in_localspace"),
                rotates_from_joint: false,
            },
            additional_rotation: angle.unwrap_or(0.0) as f32,
        }
    }

    fn two_bone(&self, resource: &Gd<Resource>) -> OldKind {
        let get = |what: &str| answer(resource, &format!("get_{what}"), &[]);
        let bone = |joint: &str| {
            let path = get(&format!("joint_{joint}_bone2d_node"));
            self.bone(&path, &get(&format!("joint_{joint}_bone_idx")))
        };
        let distance = |which: &str| get(&format!("target_{which}_distance")).try_to();
        OldKind::TwoBone {
            bones: [bone("one"), bone("two")],
            flipped: get("flip_bend_direction").try_to().unwrap_or(false),
            distances: ["minimum", "maximum"].map(|which| distance(which).unwrap_or(0.0)),
        }
    }

    fn fabrik(&self, resource: &Gd<Resource>) -> OldKind {
        let joints = self.joints(resource, "fabrik");
        let get = |what: &str, index: i64| of_joint(resource, "fabrik", what, index);
        let count = joints.len() as i64;
        let turned = || get("use_target_rotation", count - 1).try_to();
        let magnet = |index| get("magnet_position", index).try_to::<Vector2>().ok();
        OldKind::Fabrik {
            // The magnet of the first joint has no effect.
            has_magnets: (1..count).filter_map(magnet).any(|at| at != Vector2::ZERO),
            use_target_rotation: count > 0 && turned().unwrap_or(false),
            joints,
        }
    }

    fn jiggle(&self, resource: &Gd<Resource>) -> OldKind {
        let count: i64 = ask(resource, "get_jiggle_data_chain_length", &[]).unwrap_or(0);
        let joints = (0..count).map(|index| self.jiggle_joint(resource, index));
        OldKind::Jiggle {
            joints: joints.collect(),
            has_colliders: ask(resource, "get_use_colliders", &[]).unwrap_or(false),
        }
    }

    /// A joint of a jiggle: with values of its own, or else those of all joints.
    fn jiggle_joint(&self, resource: &Gd<Resource>, index: i64) -> JiggleJoint {
        let of_joint = |what: &str| of_joint(resource, "jiggle", what, index);
        let is_own = of_joint("override").try_to().unwrap_or(false);
        let get = |what: &str| match is_own {
            true => of_joint(what),
            false => answer(resource, &format!("get_{what}"), &[]),
        };
        let number = |what| get(what).try_to::<f64>().unwrap_or(0.0);
        let gravity = get("gravity").try_to::<Vector2>().ok();
        JiggleJoint {
            bone: self.bone(&of_joint("bone2d_node"), &of_joint("bone_index")),
            spring: SteppedSpring {
                stiffness: number("stiffness"),
                mass: number("mass"),
                damping: number("damping"),
            },
            gravity: gravity
                .filter(|_| get("use_gravity").try_to().unwrap_or(false))
                .unwrap_or_default(),
        }
    }

    fn physical_bones(&self, resource: &Gd<Resource>) -> OldKind {
        let count: i64 = ask(resource, "get_physical_bone_chain_length", &[]).unwrap_or(0);
        let path = |index: i64| answer(resource, "get_physical_bone_node", &[index.to_variant()]);
        let nodes = (0..count).filter_map(|index| {
            let path: NodePath = path(index).try_to().ok()?;
            self.skeleton.try_get_node_as::<Node2D>(&path)
        });
        let (mut joints, mut masses, mut moving) = (Vec::new(), Vec::new(), Vec::new());
        for node in nodes {
            let bone = self.moved_bone(&node);
            if bone.is_none() {
                continue;
            }
            masses.push(node.get("mass").try_to::<f64>().unwrap_or(0.0));
            joints.push(OldJoint {
                constraint: pin_limit(&node, bone.as_ref()),
                bone,
                rotates_from_joint: false,
            });
            moving.push(node);
        }
        OldKind::PhysicalBones {
            joints,
            masses,
            nodes: moving,
        }
    }

    /// The joints of a chain, whose getters begin with `prefix`.
    fn joints(&self, resource: &Gd<Resource>, prefix: &str) -> Vec<OldJoint> {
        let count = format!("get_{prefix}_data_chain_length");
        let count: i64 = ask(resource, &count, &[]).unwrap_or(0);
        let joints = (0..count).map(|index| self.joint(resource, prefix, index));
        joints.collect()
    }

    fn joint(&self, resource: &Gd<Resource>, prefix: &str, index: i64) -> OldJoint {
        let get = |what: &str| of_joint(resource, prefix, what, index);
        let space = format!("joint_data/{index}/constraint_in_localspace");
        OldJoint {
            bone: self.bone(&get("bone2d_node"), &get("bone_index")),
            constraint: constraint(get, resource, &space),
            rotates_from_joint: get("rotate_from_joint").try_to().unwrap_or(false),
        }
    }

    /// The bone that a physical bone moves. The editor writes its path as seen from the physical bone, scripts also as
    /// seen from the skeleton. The engine goes by the index alone.
    fn moved_bone(&self, node: &Gd<Node2D>) -> Option<Gd<Bone2D>> {
        let path: NodePath = node.get("bone2d_nodepath").try_to().unwrap_or_default();
        let bone = |from: &Gd<Node>| from.try_get_node_as::<Bone2D>(&path);
        let seen_from = [node.clone().upcast(), self.skeleton.clone().upcast()];
        let mut bones = seen_from.iter().filter_map(bone);
        bones
            .find(|bone| skeleton_of_bone(bone).as_ref() == Some(&self.skeleton))
            .or_else(|| self.indexed_bone(&node.get("bone2d_index")))
    }

    /// The bone at `path`, seen from the skeleton, or without a path the one with `index`. If the
    /// path leads nowhere, the index is not used either: it may be that of another skeleton.
    fn bone(&self, path: &Variant, index: &Variant) -> Option<Gd<Bone2D>> {
        let path = path.try_to::<NodePath>().ok();
        if let Some(path) = path.filter(|path| !path.is_empty()) {
            return self.skeleton.try_get_node_as::<Bone2D>(&path);
        }
        self.indexed_bone(index)
    }

    fn indexed_bone(&self, index: &Variant) -> Option<Gd<Bone2D>> {
        let index = index.try_to::<i64>().ok();
        let bones = bones_of(&self.skeleton);
        bones.into_iter().find(|bone| {
            let of_bone = i64::from(bone.get_index_in_skeleton());
            of_bone >= 0 && Some(of_bone) == index
        })
    }
}

/// The value that a getter returns; nil if there is no such getter.
fn answer(resource: &Gd<Resource>, method: &str, arguments: &[Variant]) -> Variant {
    ask(resource, method, arguments).unwrap_or_default()
}

/// The same of the joint `index`.
fn of_joint(resource: &Gd<Resource>, prefix: &str, what: &str, index: i64) -> Variant {
    let method = format!("get_{prefix}_joint_{what}");
    answer(resource, &method, &[index.to_variant()])
}

/// The limit of the pin joint of a physical bone: angles from where the bone is at rest.
fn pin_limit(node: &Gd<Node2D>, bone: Option<&Gd<Bone2D>>) -> Option<OldConstraint> {
    let rest = f64::from(bone?.get_rest().rotation());
    let children = node.get_children();
    let pin = children
        .iter_shared()
        .find(|child| child.is_class("PinJoint2D"))?;
    let is_limited = pin.get("angular_limit_enabled").try_to().unwrap_or(false);
    let angle = |end: &str| {
        let angle = pin.get(&format!("angular_limit_{end}")).try_to::<f64>();
        rest + angle.unwrap_or(0.0)
    };
    is_limited.then(|| OldConstraint {
        allowed: Arc::between(angle("lower"), angle("upper")),
        is_local: true,
    })
}

/// The constraint that `get` tells of, if it is enabled. `space` is the property that says what its angles are
/// relative to; not every engine lists it.
fn constraint(
    get: impl Fn(&str) -> Variant,
    resource: &Gd<Resource>,
    space: &str,
) -> Option<OldConstraint> {
    let angle = |what| get(what).try_to::<f64>().unwrap_or(0.0);
    let flag = |what| get(what).try_to::<bool>().unwrap_or(false);
    flag("enable_constraint").then(|| OldConstraint {
        allowed: Arc::allowed(
            angle("constraint_angle_min"),
            angle("constraint_angle_max"),
            flag("constraint_angle_invert"),
        ),
        is_local: resource.get(space).try_to().unwrap_or(true),
    })
}

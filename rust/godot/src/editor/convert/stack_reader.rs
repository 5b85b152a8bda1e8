//! Reads a `SkeletonModificationStack2D`.
//!
//! The engine calls these classes experimental, so all properties are read by name. A property that
//! an engine does not have counts as not set.

use godot::classes::{Bone2D, Resource, Skeleton2D};
use godot::prelude::*;
use tendon_solver::SteppedSpring;

use crate::editor::convert::constraint_arc::Arc;
use crate::engine::modification_stack::ask;
use crate::engine::skeleton::bones_of;

/// A modification, as plain data.
pub(super) struct OldModification {
    /// What to call it: its resource's name, or its class without the prefix.
    pub(super) name: String,
    /// Whether a user has given it that name.
    pub(super) is_named: bool,
    /// Whether it and the stacks that contain it, except for the outermost, are enabled.
    pub(super) enabled: bool,
    /// How much of it is applied by the stacks that contain it, except for the outermost.
    pub(super) strength: f32,
    /// Whether it runs in physics frames.
    pub(super) physics: bool,
    pub(super) target: NodePath,
    pub(super) kind: OldKind,
}

/// What a modification does.
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

/// How far a modification turns a bone.
pub(super) struct OldConstraint {
    pub(super) allowed: Arc,
    /// Whether its angles are the bone's own rotation, rather than that on the screen.
    pub(super) is_local: bool,
}

/// The modifications in `stack`, those of stacks within it included, in the order in which they
/// run.
pub(in crate::editor) fn read(
    stack: &Gd<Resource>,
    skeleton: &Gd<Skeleton2D>,
) -> Vec<OldModification> {
    let mut reader = Reader {
        skeleton: skeleton.clone(),
        found: Vec::new(),
    };
    reader.read_stack(stack, true, 1.0, &mut Vec::new());
    reader.found
}

/// Reads a property that is not in every engine's list.
fn property<T: FromGodot>(object: &Gd<Resource>, name: &str) -> Option<T> {
    object.get(name).try_to::<T>().ok()
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
            let modification: Option<Option<Gd<Resource>>> =
                ask(stack, "get_modification", &[index.to_variant()]);
            let Some(Some(modification)) = modification else {
                continue;
            };
            let enabled = enabled && ask(&modification, "get_enabled", &[]).unwrap_or(true);
            let held =
                ask::<Option<Gd<Resource>>, _>(&modification, "get_held_modification_stack", &[]);
            match held {
                Some(Some(held)) => {
                    let enabled = enabled && ask(&held, "get_enabled", &[]).unwrap_or(true);
                    let strength = ask(&held, "get_strength", &[]).unwrap_or(1.0);
                    self.read_stack(&held, enabled, strength, outer);
                }
                // Another kind of modification, or a holder without a stack.
                Some(None) | None => {
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
                _ => OldKind::Other(class),
            },
        }
    }

    fn look_at(&self, resource: &Gd<Resource>) -> OldKind {
        let path = ask(resource, "get_bone2d_node", &[]);
        let index = ask(resource, "get_bone_index", &[]);
        let angle = |method| ask::<f64, _>(resource, method, &[]).unwrap_or(0.0);
        let flag = |method| ask::<bool, _>(resource, method, &[]).unwrap_or(false);
        let constraint = flag("get_enable_constraint").then(|| OldConstraint {
            allowed: Arc::allowed(
                angle("get_constraint_angle_min"),
                angle("get_constraint_angle_max"),
                flag("get_constraint_angle_invert"),
            ),
            is_local: property(resource, "constraint_in_localspace").unwrap_or(true),
        });
        OldKind::LookAt {
            joint: OldJoint {
                bone: self.bone(path, index),
                constraint,
                rotates_from_joint: false,
            },
            additional_rotation: angle("get_additional_rotation") as f32,
        }
    }

    fn two_bone(&self, resource: &Gd<Resource>) -> OldKind {
        let bone = |path, index| self.bone(ask(resource, path, &[]), ask(resource, index, &[]));
        let distance = |method| ask(resource, method, &[]).unwrap_or(0.0);
        OldKind::TwoBone {
            bones: [
                bone("get_joint_one_bone2d_node", "get_joint_one_bone_idx"),
                bone("get_joint_two_bone2d_node", "get_joint_two_bone_idx"),
            ],
            flipped: ask(resource, "get_flip_bend_direction", &[]).unwrap_or(false),
            distances: [
                distance("get_target_minimum_distance"),
                distance("get_target_maximum_distance"),
            ],
        }
    }

    fn fabrik(&self, resource: &Gd<Resource>) -> OldKind {
        let joints = self.joints(resource, "fabrik");
        let of_joint = |what: &str, index: usize| {
            let method = format!("get_fabrik_joint_{what}");
            ask::<Variant, _>(resource, &method, &[(index as i64).to_variant()])
        };
        let magnet = |index| of_joint("magnet_position", index)?.try_to::<Vector2>().ok();
        let last = joints.len().saturating_sub(1);
        let turned = of_joint("use_target_rotation", last).filter(|_| !joints.is_empty());
        OldKind::Fabrik {
            // The magnet of the first joint has no effect.
            has_magnets: (1..joints.len())
                .filter_map(magnet)
                .any(|at| at != Vector2::ZERO),
            use_target_rotation: turned.and_then(|flag| flag.try_to().ok()) == Some(true),
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
        let arguments = [index.to_variant()];
        let of_joint = |what: &str| {
            let method = format!("get_jiggle_joint_{what}");
            ask::<Variant, _>(resource, &method, &arguments).unwrap_or_default()
        };
        let is_own = of_joint("override").try_to().unwrap_or(false);
        let get = |what: &str| match is_own {
            true => of_joint(what),
            false => ask(resource, &format!("get_{what}"), &[]).unwrap_or_default(),
        };
        let number = |what| get(what).try_to::<f64>().unwrap_or(0.0);
        let gravity = get("gravity").try_to::<Vector2>().ok();
        JiggleJoint {
            bone: self.bone(
                of_joint("bone2d_node").try_to().ok(),
                of_joint("bone_index").try_to().ok(),
            ),
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

    /// The joints of a chain, whose getters begin with `prefix`.
    fn joints(&self, resource: &Gd<Resource>, prefix: &str) -> Vec<OldJoint> {
        let count = format!("get_{prefix}_data_chain_length");
        let count: i64 = ask(resource, &count, &[]).unwrap_or(0);
        let joints = (0..count).map(|index| self.joint(resource, prefix, index));
        joints.collect()
    }

    fn joint(&self, resource: &Gd<Resource>, prefix: &str, index: i64) -> OldJoint {
        let arguments = [index.to_variant()];
        let get = |what: &str| {
            let method = format!("get_{prefix}_joint_{what}");
            ask::<Variant, _>(resource, &method, &arguments).unwrap_or_default()
        };
        let angle = |what| get(what).try_to::<f64>().unwrap_or(0.0);
        let flag = |what| get(what).try_to::<bool>().unwrap_or(false);
        let space = format!("joint_data/{index}/constraint_in_localspace");
        let constraint = flag("enable_constraint").then(|| OldConstraint {
            allowed: Arc::allowed(
                angle("constraint_angle_min"),
                angle("constraint_angle_max"),
                flag("constraint_angle_invert"),
            ),
            is_local: property(resource, &space).unwrap_or(true),
        });
        OldJoint {
            bone: self.bone(
                get("bone2d_node").try_to().ok(),
                get("bone_index").try_to().ok(),
            ),
            constraint,
            rotates_from_joint: flag("rotate_from_joint"),
        }
    }

    /// The bone at `path`, seen from the skeleton, or without a path the one with `index`. If the
    /// path leads nowhere, the index is not used either: it may be that of another skeleton.
    fn bone(&self, path: Option<NodePath>, index: Option<i64>) -> Option<Gd<Bone2D>> {
        if let Some(path) = path.filter(|path| !path.is_empty()) {
            return self.skeleton.try_get_node_as::<Bone2D>(&path);
        }
        let bones = bones_of(&self.skeleton);
        bones.into_iter().find(|bone| {
            let of_bone = i64::from(bone.get_index_in_skeleton());
            of_bone >= 0 && Some(of_bone) == index
        })
    }
}

//! The nodes that users add to a scene, one file each, and what they share.
//!
//! | file | what is in it |
//! |---|---|
//! | [`rig`] | `TendonRig2D`, the node that runs the pass |
//! | [`modifier_classes`] | the list of all modifier classes |
//! | [`look_at`], [`two_bone`], [`ccd`], [`fabrik`], [`spring`], [`spline_ik`], [`slider`], [`trail`], [`wave`] | the modifier nodes |
//! | [`copy_transform`] | `TendonCopyTransform2D`, one motion mapped to another |
//! | [`custom_modifier`] | `TendonCustomModifier2D`, a modifier that is a script |
//! | [`modifier`], [`chain`], [`status_enum`] | what the modifier nodes share |
//! | [`full_body`] | `TendonFullBody2D`, a body that moves by its hands and feet |
//! | [`effector`] | `TendonEffector2D`, a tip of a FABRIK or a body |
//! | [`foot_placement`] | `TendonFootPlacement2D`, animated feet on the ground |
//! | [`ragdoll`] | `TendonRagdoll2D`, a body that falls and gets up |
//! | [`gait`] | `TendonGait2D`, legs that step by themselves |
//! | [`foot`] | `TendonFoot2D`, a foot of either |
//! | [`foot_mark`] | how a running game shows it with collision shapes |
//! | [`stance`] | what the two share |
//! | [`ground`] | how they ask the physics server |
//! | [`world`] | bodies as feet and ragdolls meet them |
//! | [`joint_limit`] | `TendonJointLimit2D`, how far a bone may turn |
//! | [`new_names`] | what new nodes are called, after bones |
//! | [`rigging`] | rigs that are made in code |
//! | [`pose_library`] | `TendonPoseLibrary`, named poses as a resource |

#![allow(
    missing_docs,
    reason = "gdext makes the accessors of properties, which are documented as properties"
)]

use crate::engine::guarded_methods::SharedClass;

#[cfg(feature = "bench")]
mod bench_floor;
mod ccd;
mod chain;
mod copy_transform;
mod custom_modifier;
pub mod effector;
mod fabrik;
mod foot;
mod foot_mark;
mod foot_placement;
mod full_body;
mod gait;
pub mod ground;
pub mod joint_limit;
mod look_at;
pub mod modifier;
pub mod modifier_classes;
pub mod new_names;
pub mod pose_library;
mod ragdoll;
pub mod rig;
pub mod rigging;
pub mod slider;
mod spline_ik;
mod spring;
pub mod stance;
mod status_enum;
mod trail;
mod two_bone;
mod wave;
mod world;

/// The classes that other threads may use outside the tree, as they do when they load a scene.
pub(crate) fn shared_classes() -> Vec<SharedClass> {
    let others = [
        SharedClass::of::<rig::TendonRig2D>(),
        SharedClass::readable::<effector::TendonEffector2D>(),
        SharedClass::readable::<foot::TendonFoot2D>(),
        SharedClass::of::<joint_limit::TendonJointLimit2D>(),
        SharedClass::of_resource::<pose_library::TendonPoseLibrary>(),
    ];
    let modifiers = modifier_classes::MODIFIERS.iter();
    others
        .into_iter()
        .chain(modifiers.map(|modifier| modifier.shared))
        .collect()
}

/// Registers the enums of all classes, which are registered already.
pub(crate) fn register_enums() {
    rig::callback_mode::CallbackModeProcess::register::<rig::TendonRig2D>();
    joint_limit::Space::register::<joint_limit::TendonJointLimit2D>();
    foot::Lock::register::<foot::TendonFoot2D>();
    for modifier in modifier_classes::MODIFIERS {
        (modifier.register_enums)();
    }
}

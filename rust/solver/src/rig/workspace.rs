//! Memory that solves share.

use crate::descent;
use crate::descent::free_chain::FreeChain;
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Tree;
use crate::rig::chain::Effector;
use crate::skeleton::path::place::Place;
use crate::solvers::full_body;
use crate::solvers::ragdoll;
use crate::solvers::spring;
use crate::solvers::trail;

/// Memory for a solve, besides the rig. It grows to the size of the largest modifier. One serves any number of rigs,
/// one after another.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) limb: Limb,
    pub(super) free_chain: FreeChain,
    pub(super) tree: Tree,
    pub(super) descent: descent::Workspace,
    pub(super) body: full_body::Workspace,
    /// The effectors of a tree on their way to others.
    pub(super) effectors: Vec<Effector>,
    pub(super) springs: spring::Workspace,
    /// The places on a path that the joints of a chain along it should have.
    pub(super) places: Vec<Place>,
    pub(super) trail: trail::Workspace,
    pub(super) ragdoll: ragdoll::space::Space,
}

//! Memory that solves share.

use crate::descent;
use crate::descent::free_chain::FreeChain;
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Tree;
use crate::rig::chain::Effector;
use crate::skeleton::path::place::CurvePlace;
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
    pub(super) descent: descent::SolveSpace,
    pub(super) body: full_body::FullBodyWorkspace,
    /// The effectors of a tree on their way to others.
    pub(super) effectors: Vec<Effector>,
    pub(super) springs: spring::SpringWorkspace,
    /// The places on a path that the joints of a chain along it should have.
    pub(super) places: Vec<CurvePlace>,
    pub(super) trail: trail::TrailWorkspace,
    pub(super) ragdoll: ragdoll::space::PassSpace,
}

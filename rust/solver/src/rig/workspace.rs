//! Memory that solves share.

use crate::descent;
use crate::descent::free_chain::FreeChain;
use crate::kinematics::limb::Limb;
use crate::kinematics::tree::Tree;
use crate::skeleton::path::place::Place;
use crate::solvers::full_body;
use crate::solvers::ragdoll;
use crate::solvers::spring;
use crate::solvers::trail;

/// What a solve needs besides the rig: memory that grows to the size of the largest modifier. One
/// serves any number of rigs, one after another.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) limb: Limb,
    pub(super) free_chain: FreeChain,
    pub(super) tree: Tree,
    pub(super) descent: descent::Workspace,
    pub(super) body: full_body::Workspace,
    pub(super) springs: spring::Workspace,
    /// Where the joints of a chain along a path should be.
    pub(super) places: Vec<Place>,
    pub(super) trail: trail::Workspace,
    pub(super) ragdoll: ragdoll::space::Space,
}

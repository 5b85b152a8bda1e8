//! Joints, chains and trees: where they are, how far they may turn, and where they touch shapes.

pub(crate) mod bound;
pub(crate) mod contact;
pub(crate) mod joint;
pub(crate) mod limb;
pub(crate) mod pointing;
pub(crate) mod tree;

//! What a modifier refers to besides bones, for those who list, order or draw it.

use godot::prelude::*;

use crate::plan::locate::Input;
use crate::plan::tip::Tip;

/// What a modifier refers to besides bones.
pub enum NodeReference<'a> {
    /// The end of its chain.
    Tip(&'a Tip),
    /// What a tip is brought to.
    Target(&'a Input),
    /// What a limb bends towards.
    Pole(&'a Input),
    /// What a chain lies along.
    Path(&'a Input),
    /// What is read besides, and has to be in place before.
    Input(&'a Input),
    /// Any other node.
    Node(InstanceId),
}

impl<'a> NodeReference<'a> {
    /// What the modifier reads, and has to be in place before.
    pub fn input(&self) -> Option<&'a Input> {
        match *self {
            Self::Target(input) | Self::Pole(input) | Self::Path(input) | Self::Input(input) => {
                Some(input)
            }
            Self::Tip(_) | Self::Node(_) => None,
        }
    }
}

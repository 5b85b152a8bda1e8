//! The nodes below a modifier that belong to it, such as the effectors of a FABRIK or a body.

use crate::plan::result::Subject;
use crate::warnings::problem::Problem;

/// A node below a modifier that belongs to it, as a plan knows it. What the modifier does with it is the
/// modifier's own.
pub(crate) trait PlannedChild {
    /// Whether the node is there, and none of its properties was set to another node since the plan
    /// was made.
    fn is_current(&self) -> bool;
    /// What is wrong with it.
    fn problem(&self) -> Option<&Problem>;
    /// The node and what is wrong with it, unless it was freed.
    fn subject(&self) -> Option<Subject>;
    /// Forgets the last pass.
    fn go_idle(&self);
}

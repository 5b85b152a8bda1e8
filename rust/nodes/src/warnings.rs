//! The texts of all warnings. Each says what to do.
//!
//! | file | what is in it |
//! |---|---|
//! | [`problem`] | the problems of modifiers, effectors and joint limits |
//! | [`rig`] | the problems of a rig, and of calls of its functions |
//! | [`refusal`] | the reasons why a function that takes a bone does nothing |
//! | [`log`] | prints a warning to the log |
//!
//! In the editor, what is wrong with a node is shown as a configuration warning. A running game prints
//! each once, except for those that [`problem::Problem::is_worth_a_warning`] leaves out.

pub(crate) mod log;
pub(crate) mod problem;
pub(crate) mod refusal;
pub(crate) mod rig;

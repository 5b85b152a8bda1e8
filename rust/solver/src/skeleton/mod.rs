//! Plain data: bones, joint limits, paths, and what a solve reports.
//!
//! | file | what is in it |
//! |---|---|
//! | [`aimed`] | what is reached for, and what is in its place in a pass |
//! | [`bone`] | bones and points |
//! | [`limit`] | joint limits |
//! | [`path`] | curves that chains lie along |
//! | [`report`] | the report of a solve to its caller |

pub(crate) mod aimed;
pub(crate) mod bone;
pub(crate) mod limit;
pub(crate) mod path;
pub(crate) mod report;

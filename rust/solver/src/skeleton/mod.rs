//! Plain data: bones, joint limits, paths, and what a solve reports.

pub(crate) mod bone;
pub(crate) mod limit;
pub(crate) mod path;
pub(crate) mod report;

//! Plain data: bones, joint limits, paths, and what a solve reports.

pub mod bone;
pub mod limit;
pub mod path;
pub mod report;

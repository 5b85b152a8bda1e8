//! Plain data: bones, joint limits, and what a solve reports.

pub mod bone;
pub mod limit;
pub mod report;

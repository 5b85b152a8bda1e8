//! From the alpha of a picture to an outline.
//!
//! The engine's `BitMap.opaque_to_polygons` does not serve: of the first 100 characters of the tests it closes all 32 holes, so
//! that an arm hangs together with the hip beside it. With a mask that is grown by a pixel and an epsilon of 1, it cuts 384
//! opaque pixels off in 78 of them, with 11,006 edges where these outlines need 7,411 and cut none; with one of 0.5, 17 in 14
//! with 38,030 edges, and with its usual 2, 7,340 in all.
//!
//! | file | what is in it |
//! |---|---|
//! | [`alpha`] | the picture: how opaque its pixels are |
//! | [`fringe`] | the hardly seen pixels that belong to a drawing |
//! | [`cells`] | the opaque pixels in half pixels |
//! | [`field`] | the nearest cell of some |
//! | [`margin`] | a margin that joins no two parts |
//! | [`boundary`] | the rings of steps around the cells |
//! | [`gaps`] | the room that stays open between two parts |
//! | [`seams`] | the cuts of a glow that ties parts together |
//! | [`hull`] | fewer and longer edges, none of which comes nearer to a pixel |
//! | [`edge_grid`] | the edges near a place |
//! | [`outline`] | the rings that are left |

pub(crate) mod alpha;
mod boundary;
mod cells;
mod edge_grid;
mod field;
mod fringe;
mod gaps;
mod hull;
mod margin;
pub(crate) mod outline;
mod seams;

use thiserror::Error;

/// The largest distance of an outline from the opaque pixels beyond its margin, in pixels.
pub const DEVIATION: f64 = 1.0;

/// The largest margin, in pixels.
pub const LARGEST_MARGIN: f64 = 64.0;

/// The reason that a picture has no outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PictureFault {
    /// No pixel is more opaque than the threshold.
    #[error("the picture has no opaque pixel")]
    Empty,
    /// The number of values is not width times height.
    #[error("a picture of {width} × {height} pixels has {count} values of alpha")]
    Size {
        /// In pixels.
        width: usize,
        /// In pixels.
        height: usize,
        /// The number of values that were given.
        count: usize,
    },
    /// The margin is negative, not finite or larger than the picture may have.
    #[error("the margin has to be between 0 and {} pixels", LARGEST_MARGIN)]
    Margin,
}

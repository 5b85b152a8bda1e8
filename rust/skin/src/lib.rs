//! From a picture and a skeleton to a mesh that bends, on plain data.
//!
//! A picture's outline becomes a mesh, and each vertex of the mesh gets the weights of the bones that
//! move it. Nothing here knows Godot. Each folder uses only those below it:
//!
//! | folder or file | what is in it |
//! |---|---|
//! | `painting` | weights that are changed by hand: a brush, smoothing, a mirror |
//! | `skin` | the three steps in one call |
//! | `weights` | the bones that move a vertex, and their weights |
//! | `mesh` | triangles within an outline, finer at joints |
//! | `picture` | from the alpha of a picture to an outline |
//! | `geometry` | segments, rings and distances |
//! | `giving_up` | computations that are given up |
//!
//! Positions are pixels of the picture, with the origin in its upper left corner and the Y axis down. All steps are
//! functions of their input: the same picture gives the same skin, bit for bit, on the same processor.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod geometry;
mod giving_up;
mod mesh;
mod painting;
mod picture;
mod skin;
mod weights;

pub use giving_up::{GivenUp, unless};
pub use glam;

pub use mesh::density::Density;
pub use mesh::origin::Origin;
pub use mesh::sizing::MeshJoint;
pub use mesh::{Mesh, MeshFault};
pub use painting::{Brush, Mirror, Painting};
pub use picture::alpha::Alpha;
pub use picture::outline::Outline;
pub use picture::{DEVIATION, LARGEST_MARGIN, PictureFault};
pub use skin::{Options, Skin, SkinFault};
pub use weights::bone::Bone;
pub use weights::choice::{Cover, Movers};
pub use weights::row::MOST_BONES;
pub use weights::{WeightFault, Weights};

//! From a picture and bones to a skin, in one call.

use glam::DVec2;
use thiserror::Error;

use crate::giving_up::check;
use crate::mesh::density::Density;
use crate::mesh::sizing::MeshJoint;
use crate::mesh::{Mesh, MeshFault};
use crate::picture::PictureFault;
use crate::picture::alpha::Alpha;
use crate::picture::outline::Outline;
use crate::weights::bone::Bone;
use crate::weights::{WeightFault, Weights};

/// No vertex but those that the outline needs.
const COARSEST: Density = Density::Detail(1e6);

/// The part of the vertices that the outline may need, at most.
const NEEDED: f64 = 1.05;

/// The factor by which the slack of an outline grows while it needs too many vertices, and the largest slack: with
/// automatic density, and for a number of vertices.
const LOOSER: f64 = 1.5;
const LOOSEST: [f64; 2] = [2.25, 20.0];

/// The settings of a skin.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The fineness of the mesh.
    pub density: Density,
    /// The distance of the outline from the opaque pixels, in pixels. A linear filter spreads half a pixel.
    pub margin: f64,
    /// The approximate length of the part of a limb that bends at a joint, in half widths of the limb.
    pub reach: f64,
    /// Lines through these points, in the picture, along which the mesh is cut.
    pub cuts: Vec<Vec<DVec2>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            density: Density::Automatic,
            margin: 0.5,
            reach: 1.5,
            cuts: Vec::new(),
        }
    }
}

/// A mesh and its weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The triangles.
    pub mesh: Mesh,
    /// The weights of the bones that move them.
    pub weights: Weights,
}

/// The reason that there is no skin.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SkinFault {
    /// There is no outline.
    #[error(transparent)]
    Picture(#[from] PictureFault),
    /// There is no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshFault),
    /// There are no weights.
    #[error(transparent)]
    Weights(#[from] WeightFault),
}

impl Skin {
    /// Makes a skin.
    pub fn new(alpha: &Alpha, bones: &[Bone], options: &Options) -> Result<Self, SkinFault> {
        let outline = Outline::new(alpha, options.margin)?;
        check();
        let options = &Options {
            cuts: [&alpha.seams[..], &options.cuts[..]].concat(),
            ..options.clone()
        };
        let outline = loosened(alpha, bones, options, outline)?;
        let mut mesh = meshed(&outline, bones, options.density, options)?;
        check();
        let weights = Weights::new(&mesh, bones, options.reach)?;
        let bone = |triangle: &[usize; 3]| strongest(&weights, triangle);
        mesh.triangles.sort_by_cached_key(bone);
        Ok(Self { mesh, weights })
    }
}

/// An outline that is as loose as it has to be for the number of vertices that is wanted.
fn loosened(
    alpha: &Alpha,
    bones: &[Bone],
    options: &Options,
    mut outline: Outline,
) -> Result<Outline, SkinFault> {
    let loosest = match options.density {
        Density::Automatic => LOOSEST[0],
        Density::Vertices(_) => LOOSEST[1],
        Density::Detail(_) => 1.0,
    };
    let mut slack = LOOSER;
    while slack <= loosest && !is_enough(&outline, bones, options)? {
        outline = Outline::loose(alpha, options.margin, slack)?;
        slack *= LOOSER;
    }
    Ok(outline)
}

/// Returns `true` if an outline needs no more vertices than are wanted.
fn is_enough(outline: &Outline, bones: &[Bone], options: &Options) -> Result<bool, SkinFault> {
    match options.density {
        // Each corner of it is one.
        Density::Vertices(count) if outline.edges().count() as f64 > count as f64 * NEEDED => {
            Ok(false)
        }
        Density::Vertices(count) => {
            let least = meshed(outline, bones, COARSEST, options)?;
            Ok(least.vertices.len() as f64 <= count as f64 * NEEDED)
        }
        _ => {
            let lengths = outline.edges().map(|[from, to]| from.distance(to));
            let (count, length) = (outline.edges().count(), lengths.sum::<f64>());
            Ok(count as f64 * Mesh::natural_detail(outline) <= length)
        }
    }
}

fn meshed(
    outline: &Outline,
    bones: &[Bone],
    density: Density,
    options: &Options,
) -> Result<Mesh, SkinFault> {
    let joints = joints(outline, bones);
    let mesh = Mesh::within(outline, &joints, density)?;
    let cut = mesh.cut(&options.cuts)?;
    let more = cut.vertices.len().saturating_sub(mesh.vertices.len());
    match density {
        // Cuts bring vertices of their own.
        Density::Vertices(count) if more > 0 => {
            let density = Density::Vertices(count.saturating_sub(more).max(1));
            Ok(Mesh::within(outline, &joints, density)?.cut(&options.cuts)?)
        }
        _ => Ok(cut),
    }
}

/// The bone that moves a triangle most. They are drawn in the order of their bones: where two parts of a drawing cross each
/// other in a pose, one lies above the other as a whole.
fn strongest(weights: &Weights, triangle: &[usize; 3]) -> usize {
    let of_corners = || triangle.iter().flat_map(|&corner| weights.of(corner));
    let sum = |bone: usize| -> f64 {
        let of_bone = of_corners().filter(|(other, _)| *other == bone);
        of_bone.map(|(_, weight)| weight).sum()
    };
    let bones = of_corners().map(|&(bone, _)| (bone, sum(bone)));
    let better = |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
    bones.reduce(better).map_or(0, |(bone, _)| bone)
}

/// The places at which bones bend a shape.
fn joints(outline: &Outline, bones: &[Bone]) -> Vec<MeshJoint> {
    if bones.len() < 2 {
        return Vec::new();
    }
    let places = bones
        .iter()
        .filter(|bone| !bone.segments.is_empty())
        .map(Bone::joint);
    places
        .filter_map(|place| MeshJoint::within(outline, place))
        .collect()
}

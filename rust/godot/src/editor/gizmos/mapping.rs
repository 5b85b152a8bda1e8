//! How far a mapping moves its bone, and from what: the path of the bone's end between both ends of
//! the range, and a line from the source.

use std::f32::consts::TAU;

use tendon_solver::glam::{Affine2, Mat2, Vec2};
use tendon_solver::math::rotation::Rotation;
use tendon_solver::{Channel, CopyTransform, Modifier, Point, Rig, Solver, Source, Space};

use crate::editor::gizmos::palette::{Palette, faded};
use crate::editor::gizmos::sketch::{Layer, Pattern, Sketch, Stroke, solid};
use crate::editor::gizmos::view::View;

/// See the documentation of the module. Everything is in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::editor) struct MappedMotion {
    /// Where the bone's end is from the beginning of the range to its end, or the bone itself if it
    /// moves. Empty where the range cannot be shown: scales, and other spaces than the parent's.
    path: Vec<Vec2>,
    /// From the source to the bone.
    link: Option<[Vec2; 2]>,
}

/// Radians between two points of an arc.
const STEP: f32 = 0.1;

impl MappedMotion {
    /// What `modifier` of `rig` maps. `None` if it is no mapping.
    pub(super) fn of(rig: &Rig, modifier: &Modifier) -> Option<Self> {
        let Solver::CopyTransform(settings) = modifier.solver else {
            return None;
        };
        let &bone = modifier.joints.first()?;
        let mapping = modifier.mapping.as_deref()?;
        let joint = rig.locate(Point {
            bone: Some(bone),
            position: Vec2::ZERO,
        });
        let source = mapping.source.map(|source| match source {
            Source::Bone { bone, .. } => rig.locate(Point {
                bone: Some(bone),
                position: Vec2::ZERO,
            }),
            Source::Node { carrier, frame, .. } => rig.locate(Point {
                bone: carrier,
                position: frame.translation,
            }),
        });
        let has_range = mapping.source.is_some() && settings.space == Space::Parent;
        let rest = mapping.rest.map(|rest| rest.frame);
        let path = match has_range {
            true => path(rig, modifier, &settings, rest, bone),
            false => Vec::new(),
        };
        Some(Self {
            path,
            link: source.map(|source| [source, joint]),
        })
    }

    /// Draws the path and the line.
    pub(super) fn draw(&self, view: &View, palette: &Palette, sketch: &mut Sketch) {
        let width = 1.5 * view.scale;
        if let Some(link) = self.link {
            let stroke = Stroke {
                colour: faded(palette.bone, 0.7),
                width,
                pattern: Pattern::Dotted,
            };
            sketch.line(
                Layer::Link,
                link.map(|point| view.at(point)).to_vec(),
                stroke,
            );
        }
        let points: Vec<_> = self.path.iter().map(|&point| view.at(point)).collect();
        let (Some(&start), Some(&end)) = (points.first(), points.last()) else {
            return;
        };
        let stroke = solid(palette.bound, width);
        let radius = 3.5 * view.scale;
        sketch.line(Layer::Ring, points, stroke);
        sketch.ring(Layer::Ring, start, radius, stroke);
        sketch.disc(Layer::Ring, end, radius, palette.bound);
    }
}

/// The path of the end of `bone`, or of the bone, in skeleton space.
fn path(
    rig: &Rig,
    modifier: &Modifier,
    settings: &CopyTransform,
    rest: Option<Affine2>,
    bone: usize,
) -> Vec<Vec2> {
    let parent = rig.bones[bone].parent;
    let in_skeleton = |position| {
        rig.locate(Point {
            bone: parent,
            position,
        })
    };
    let base = &rig.bones[bone];
    let start = match (settings.additive, rest) {
        (false, Some(rest)) => rest,
        (true, _) => Affine2::from_angle_translation(base.rotation, base.position),
        (false, None) => Affine2::IDENTITY,
    };
    let [first, last] = settings.bone_range.to_array();
    match settings.bone_channel {
        Channel::Rotation => {
            let start = Rotation::towards(start.matrix2.x_axis * base.scale.x.signum());
            let own = rig.local_frame(bone);
            let tip = modifier.tip_point();
            let is_own = tip.bone == Some(bone) && tip.position != Vec2::ZERO;
            let end = if is_own { tip.position } else { Vec2::X * 30.0 };
            let unturned = Mat2::from_angle(-rig.rotation(bone)) * own.matrix2;
            let sweep = (last - first).clamp(-TAU, TAU);
            let steps = (sweep.abs() / STEP).ceil().max(1.0) as usize;
            let angles = (0..=steps).map(|step| first + sweep * step as f32 / steps as f32);
            let angles = angles.map(|angle| angle + start.map_or(0.0, Rotation::angle));
            let ends = angles.map(|angle| Mat2::from_angle(angle) * unturned * end);
            ends.map(|end| in_skeleton(own.translation + end)).collect()
        }
        Channel::PositionX | Channel::PositionY => {
            let axis = usize::from(settings.bone_channel == Channel::PositionY);
            let place = |value: f32| {
                let mut position = rig.position(bone);
                position[axis] = start.translation[axis] + value;
                in_skeleton(position)
            };
            vec![place(first), place(last)]
        }
        Channel::ScaleX | Channel::ScaleY => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tendon_solver::{Bone, Local, Mapping, Workspace};

    fn rig(settings: CopyTransform) -> Rig {
        let mut modifier = Modifier::new(Solver::CopyTransform(settings), vec![0]);
        modifier.tip = Point {
            bone: Some(0),
            position: Vec2::new(40.0, 0.0),
        };
        let source = Source::Node {
            carrier: None,
            frame: Affine2::from_translation(Vec2::new(7.0, 8.0)),
            local: Local {
                position: Vec2::ZERO,
                rotation: 0.0,
                scale: Vec2::ONE,
            },
        };
        modifier.mapping = Some(Box::new(Mapping {
            source: Some(source),
            rest: None,
        }));
        let bone = Bone {
            position: Vec2::new(10.0, 20.0),
            ..Bone::below(None)
        };
        let mut rig = Rig::new(vec![bone], vec![modifier]);
        rig.solve(&mut Workspace::default());
        rig
    }

    #[test]
    fn a_rotation_goes_along_an_arc() {
        let settings = CopyTransform {
            bone_range: Vec2::new(0.0, std::f32::consts::FRAC_PI_2),
            relative: false,
            ..CopyTransform::default()
        };
        let rig = rig(settings);
        let motion = MappedMotion::of(&rig, &rig.modifiers[0]).expect("a mapping");
        let (first, last) = (motion.path[0], motion.path[motion.path.len() - 1]);
        assert!(first.distance(Vec2::new(50.0, 20.0)) < 1e-3);
        assert!(last.distance(Vec2::new(10.0, 60.0)) < 1e-3);
        assert_eq!(motion.link.map(|link| link[0]), Some(Vec2::new(7.0, 8.0)));
    }

    #[test]
    fn a_position_goes_along_a_line() {
        let settings = CopyTransform {
            bone_channel: Channel::PositionY,
            bone_range: Vec2::new(-5.0, 5.0),
            additive: true,
            relative: false,
            ..CopyTransform::default()
        };
        let rig = rig(settings);
        let motion = MappedMotion::of(&rig, &rig.modifiers[0]).expect("a mapping");
        assert_eq!(motion.path, [Vec2::new(10.0, 15.0), Vec2::new(10.0, 25.0)]);
    }
}

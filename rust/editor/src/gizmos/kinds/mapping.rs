//! How far a mapping moves its bone, and from what: the path of the bone's end between both ends of
//! the range, with a handle at each, and a line from the source.

use std::f32::consts::TAU;

use tendon_solver::glam::Vec2;
use tendon_solver::{Channel, CopyTransform, MappingSettings, Point, Rig, Solver, Source};

use crate::gizmos::handle::gauge::STEP;
use crate::gizmos::handle::property::{Property, Unit};
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::{Layer, Pattern};

/// How far a mapping moves its bone, all in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gizmos) struct MappedMotion {
    /// What is shown of the bone, from the beginning of the range to its end, with its values.
    /// Empty without a source.
    path: Vec<(Vec2, f32)>,
    /// The places and values that handles can be dragged to, also beyond the range.
    room: Vec<(Vec2, f32)>,
    unit: Unit,
    /// From the source to the bone.
    link: Option<[Vec2; 2]>,
}

/// The length of a bone that has none.
const LENGTH: f32 = 30.0;

impl MappedMotion {
    /// The motion that modifier `index` of `rig` maps. `None` if the modifier is not a mapping.
    pub(in crate::gizmos) fn of(rig: &Rig, index: usize) -> Option<Self> {
        let modifier = &rig.modifiers[index];
        let Solver::CopyTransform(copy) = &modifier.solver else {
            return None;
        };
        let (bone, settings) = (copy.bone, &copy.settings);
        let at = |bone, position| rig.locate(Point { bone, position });
        let source = copy.mapping.source.map(|source| match source {
            Source::Bone { bone, .. } => at(Some(bone), Vec2::ZERO),
            Source::Node { carrier, frame, .. } => at(carrier, frame.translation),
        });
        let along = |values: Vec<f32>| match source {
            Some(_) => places(rig, index, copy, values),
            None => Vec::new(),
        };
        let unit = Unit::of(settings.bone_channel);
        let [first, last] = settings.bone_range.to_array();
        Some(Self {
            path: along(range(settings)),
            room: along(unit.room(first.min(last), first.max(last))),
            unit,
            link: source.map(|source| [source, at(Some(bone), Vec2::ZERO)]),
        })
    }

    /// Draws the path and the line, with a handle at each end of the path for that end of the range.
    pub(in crate::gizmos) fn draw(&self, pen: &mut Pen<'_>) {
        if let Some(link) = self.link {
            let stroke = pen.stroke(pen.palette.bone.with_alpha(0.7), 1.5, Pattern::Dotted);
            pen.line(Layer::Link, link, stroke);
        }
        let (Some(&(_, low)), Some(&(_, high))) = (self.path.first(), self.path.last()) else {
            return;
        };
        let gauge = pen.along(&self.room, self.unit);
        let ends = [
            (Property::BoneMin(self.unit), low, gauge.clone()),
            (Property::BoneMax(self.unit), high, gauge),
        ];
        let points = self.path.iter().map(|&(at, _)| pen.view.at(at)).collect();
        pen.range(points, ends);
    }
}

/// Values from one end of the range to the other.
fn range(settings: &MappingSettings) -> Vec<f32> {
    let [first, last] = settings.bone_range.to_array();
    match settings.bone_channel {
        Channel::Rotation => {
            let sweep = (last - first).clamp(-TAU, TAU);
            let steps = (sweep.abs() / STEP).ceil().max(1.0) as usize;
            // The ends are what the properties are, to the last bit.
            let between = (1..steps).map(|step| last - sweep * (1.0 - step as f32 / steps as f32));
            [first].into_iter().chain(between).chain([last]).collect()
        }
        _ => vec![first, last],
    }
}

/// What is shown of the bone of mapping `index` for each value: where it is, or where it ends.
fn places(rig: &Rig, index: usize, copy: &CopyTransform, values: Vec<f32>) -> Vec<(Vec2, f32)> {
    let tip = copy.end.point();
    let is_own = tip.bone == Some(copy.bone) && tip.position != Vec2::ZERO;
    let end = if is_own {
        tip.position
    } else {
        Vec2::X * LENGTH
    };
    let shown = match copy.settings.bone_channel {
        Channel::Rotation | Channel::ScaleX => end,
        Channel::ScaleY => Vec2::Y * end.length(),
        Channel::PositionX | Channel::PositionY => Vec2::ZERO,
    };
    let frames = rig.shown(index).mapped_frames(&values);
    if frames.len() != values.len() {
        return Vec::new();
    }
    let places = frames.iter().map(|frame| frame.transform_point2(shown));
    places.zip(values).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::handle::property::Value;
    use crate::gizmos::sketch::Sketch;
    use crate::gizmos::view::View;
    use godot::prelude::*;
    use tendon_solver::glam::Affine2;
    use tendon_solver::{Bone, End, Local, Mapping, Modifier, SolverKind, Space, Workspace};

    fn end_of(bone: usize) -> End {
        End::Point(Point {
            bone: Some(bone),
            position: Vec2::new(40.0, 0.0),
        })
    }

    fn rig(settings: MappingSettings) -> Rig {
        let source = Source::Node {
            carrier: None,
            frame: Affine2::from_translation(Vec2::new(7.0, 8.0)),
            local: Local {
                position: Vec2::ZERO,
                rotation: 0.0,
                scale: Vec2::ONE,
            },
        };
        let mapping = Mapping {
            source: Some(source),
            rest: None,
        };
        let mut copy = CopyTransform::new(0, end_of(0), mapping);
        copy.settings = settings;
        let bone = Bone {
            position: Vec2::new(10.0, 20.0),
            ..Bone::below(None)
        };
        let mut rig = Rig::new(vec![bone], vec![Modifier::new(copy)]);
        rig.solve(&mut Workspace::default());
        rig
    }

    #[test]
    fn a_rotation_goes_along_an_arc() {
        let settings = MappingSettings {
            bone_range: Vec2::new(0.0, std::f32::consts::FRAC_PI_2),
            relative: false,
            ..MappingSettings::default()
        };
        let rig = rig(settings);
        let motion = MappedMotion::of(&rig, 0).expect("a mapping");
        let (first, last) = (motion.path[0].0, motion.path[motion.path.len() - 1].0);
        assert!(first.distance(Vec2::new(50.0, 20.0)) < 1e-3);
        assert!(last.distance(Vec2::new(10.0, 60.0)) < 1e-3);
        assert_eq!(motion.link.map(|link| link[0]), Some(Vec2::new(7.0, 8.0)));
    }

    #[test]
    fn a_position_goes_along_a_line() {
        let settings = MappingSettings {
            bone_channel: Channel::PositionY,
            bone_range: Vec2::new(-5.0, 5.0),
            additive: true,
            relative: false,
            ..MappingSettings::default()
        };
        let rig = rig(settings);
        let motion = MappedMotion::of(&rig, 0).expect("a mapping");
        let places: Vec<_> = motion.path.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [Vec2::new(10.0, 15.0), Vec2::new(10.0, 25.0)]);
    }

    /// In the skeleton's space, below a bone that is turned and mirrored.
    #[test]
    fn a_range_is_shown_in_other_spaces() {
        let settings = MappingSettings {
            bone_range: Vec2::new(0.0, std::f32::consts::FRAC_PI_2),
            space: Space::Skeleton,
            relative: false,
            ..MappingSettings::default()
        };
        let mut rig = rig(settings);
        rig.bones.push(Bone {
            position: Vec2::new(40.0, 0.0),
            ..Bone::below(Some(0))
        });
        rig.bones[0].scale.y = -1.0;
        rig.bones[0].rotation = 0.7;
        let copy = CopyTransform::of(&mut rig.modifiers[0].solver).unwrap();
        (copy.bone, copy.end) = (1, end_of(1));
        rig.solve(&mut Workspace::default());
        let motion = MappedMotion::of(&rig, 0).expect("a mapping");
        let joint = rig.locate(Point::origin_of(Some(1)));
        let (first, last) = (motion.path[0].0, motion.path[motion.path.len() - 1].0);
        assert!(first.distance(joint + Vec2::X * 40.0) < 1e-3, "{first}");
        assert!(last.distance(joint + Vec2::Y * 40.0) < 1e-3, "{last}");
    }

    #[test]
    fn a_scale_goes_along_the_bone() {
        let settings = MappingSettings {
            bone_channel: Channel::ScaleX,
            bone_range: Vec2::new(0.5, 2.0),
            relative: false,
            ..MappingSettings::default()
        };
        let rig = rig(settings);
        let motion = MappedMotion::of(&rig, 0).expect("a mapping");
        let expected = [(Vec2::new(30.0, 20.0), 0.5), (Vec2::new(90.0, 20.0), 2.0)];
        assert_eq!(motion.path, expected);
        let view = View {
            to_screen: Transform2D::IDENTITY,
            scale: 1.0,
        };
        let sketch = Sketch::drawn(view, |pen| motion.draw(pen));
        assert_eq!(sketch.handles.len(), 2);
        let handle = &sketch.handles[1];
        let grip = crate::gizmos::handle::gauge::Grip {
            press: handle.at,
            start: handle.value,
        };
        let to = handle.at + Vector2::new(20.0, 3.0);
        let dragged = handle.gauge.drag(&grip, to, handle.value, false);
        assert_eq!(dragged, Value::Number(2.5));
    }
}

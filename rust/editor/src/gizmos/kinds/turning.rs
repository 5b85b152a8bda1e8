//! How far a wave turns its joints, and how far a trail bends, shown at the first joint that does. A
//! handle sets it.

use tendon_solver::glam::Vec2;
use tendon_solver::{Point, Rig, Solver};

use crate::gizmos::handle::property::{Property, Unit};
use crate::gizmos::kinds::fan::Fan;
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::{Layer, Pattern};

/// How far joints turn, all in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gizmos) struct Turning {
    /// The chain without the wave; empty for a trail.
    line: Vec<Vec2>,
    fan: Fan,
    property: Property,
    /// What the property is set to, and how far the joint of the fan turns.
    value: f32,
    most: f32,
}

impl Turning {
    /// That of modifier `index` of `rig`. `None` if it is neither a wave nor a trail, and for a trail
    /// of one bone, which does not bend.
    pub(in crate::gizmos) fn of(rig: &Rig, index: usize) -> Option<Self> {
        let line = rig.shown(index).line_before();
        match &rig.modifiers[index].solver {
            Solver::Wave(wave) => {
                let value = wave.settings.amplitude;
                let factor = wave.factors.first().copied().unwrap_or(1.0);
                Some(Self {
                    fan: Fan::around(*line.first()?, *line.get(1)?),
                    line,
                    property: Property::Amplitude,
                    value,
                    most: (value * factor).abs(),
                })
            }
            Solver::Trail(trail) => {
                let bones: [usize; 2] = *trail.chain.joints.first_chunk()?;
                let [head, joint] = bones.map(|bone| rig.locate(Point::origin_of(Some(bone))));
                let [first, second, third] = *line.first_chunk()?;
                // The bone behind the first, bent as it is posed.
                let turn = (second - first).angle_to(joint - head);
                let end = joint + Vec2::from_angle(turn).rotate(third - second);
                Some(Self {
                    line: Vec::new(),
                    fan: Fan::around(joint, end),
                    property: Property::MaxBend,
                    value: trail.settings.max_bend,
                    most: trail.settings.max_bend,
                })
            }
            _ => None,
        }
    }

    /// Draws it, with a handle for the property.
    pub(in crate::gizmos) fn draw(&self, pen: &mut Pen<'_>) {
        let stroke = pen.stroke(pen.palette.bone.with_alpha(0.7), 1.5, Pattern::Dashed);
        pen.line(Layer::Link, self.line.iter().copied(), stroke);
        self.fan.draw(self.most, pen);
        // A factor of 0 leaves nothing to drag.
        if self.most > 0.0 || self.value == 0.0 {
            let value = (self.value, self.most);
            self.fan.add_handle(self.property, value, Unit::Angle, pen);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::handle::property::Value;
    use crate::gizmos::sketch::Sketch;
    use crate::gizmos::view::View;
    use godot::prelude::*;
    use tendon_solver::{Bone, Chain, End, Modifier, Trail, Wave, Workspace};

    /// Two bones of 40 to the right, with a wave or a trail.
    fn turning(solver: impl FnOnce(Chain) -> Modifier) -> Turning {
        let bones = [0.0, 40.0].into_iter().enumerate().map(|(index, x)| Bone {
            position: Vec2::new(x, 0.0),
            ..Bone::below(index.checked_sub(1))
        });
        let end = End::Point(Point {
            bone: Some(1),
            position: Vec2::new(40.0, 0.0),
        });
        let modifier = solver(Chain::new(vec![0, 1], end));
        let mut rig = Rig::new(bones.collect(), vec![modifier]);
        rig.delta = 0.2;
        rig.solve(&mut Workspace::default());
        rig.go_on();
        rig.solve(&mut Workspace::default());
        Turning::of(&rig, 0).expect("it turns")
    }

    fn handle(turning: &Turning) -> (Vector2, Value) {
        let view = View {
            to_screen: Transform2D::IDENTITY,
            scale: 1.0,
        };
        let sketch = Sketch::drawn(view, |pen| turning.draw(pen));
        (sketch.handles[0].at, sketch.handles[0].value)
    }

    #[test]
    fn a_wave_turns_its_first_joint_about_the_pose() {
        let wave = turning(|chain| {
            let mut wave = Wave::new(chain);
            wave.settings.amplitude = 0.5;
            Modifier::new(wave)
        });
        assert_eq!(wave.line[2], Vec2::new(80.0, 0.0));
        let (at, value) = handle(&wave);
        assert!(
            at.distance_to(40.0 * Vector2::from_angle(0.5)) < 0.1,
            "{at}"
        );
        assert_eq!(value, Value::Number(0.5));
    }

    #[test]
    fn a_trail_bends_behind_its_head() {
        let trail = turning(|chain| {
            let mut trail = Trail::new(chain);
            trail.settings.max_bend = 0.3;
            Modifier::new(trail)
        });
        let (at, value) = handle(&trail);
        let end = Vector2::new(40.0, 0.0) + 40.0 * Vector2::from_angle(0.3);
        assert!(at.distance_to(end) < 0.1, "{at}");
        assert_eq!(value, Value::Number(0.3));
    }
}

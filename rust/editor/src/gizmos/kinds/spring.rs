//! How a spring swings: its goal, how far each joint is off it and where the tip goes, and how far
//! it may bend. Handles set the greatest angle, the thickness of the bones and the length of a rope.

use std::f32::consts::PI;

use tendon_solver::glam::Vec2;
use tendon_solver::{Point, Rig, Solver};

use crate::gizmos::handle::Look;
use crate::gizmos::handle::gauge::{Gauge, OffWhere};
use crate::gizmos::handle::property::{Property, Unit, Value};
use crate::gizmos::kinds::fan::Fan;
use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::{Layer, Pattern};

/// Lengths of a rope that are looked up for its handle.
const PLACES: u16 = 96;

/// A rope whose middle is this near to the line between its ends is tight, in skeleton units.
const TIGHT: f32 = 0.5;

/// The tip's velocity is drawn as the way that the tip goes in this time, in seconds.
const SHOWN_TIME: f32 = 0.1;

/// A radius that no spring needs to exceed.
const FAR: f32 = 1e6;

/// How far a handle is outside of the circle that it sets, in pixels of the editor's design.
const OUTSIDE: f32 = 10.0;

/// How a spring swings, all in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gizmos) struct SpringMotion {
    /// Where the goal has the joints and the tip.
    goal: Vec<Vec2>,
    /// Where they are.
    shown: Vec<Vec2>,
    /// Where the tip would be after [`SHOWN_TIME`] if it went on.
    ahead: Vec2,
    /// The first bone, bent from the goal.
    bends: Fan,
    /// Radians; 0 is off.
    max_angle: f32,
    /// Absent where there is no obstacle to stay away from.
    radius: Option<f32>,
    /// Absent where the end is free.
    rope: Option<Rope>,
}

/// How long a rope is.
#[derive(Clone, Debug, PartialEq)]
struct Rope {
    slack: f32,
    /// Where the goal has its middle.
    middle: Vec2,
    /// The same for other lengths.
    middles: Vec<(Vec2, f32)>,
}

impl SpringMotion {
    /// The motion of modifier `index` of `rig`. `None` if the modifier is not a spring, or has not
    /// begun.
    pub(in crate::gizmos) fn of(rig: &Rig, index: usize) -> Option<Self> {
        let modifier = &rig.modifiers[index];
        let Solver::Spring(spring) = &modifier.solver else {
            return None;
        };
        let goal = rig.shown(index).goal_line();
        let joints = spring.chain.joints.iter();
        let joints = joints.map(|&bone| Point::origin_of(Some(bone)));
        let points = joints.chain([spring.chain.end.point()]);
        let shown: Vec<_> = points.map(|point| rig.locate(point)).collect();
        let &tip = shown.last()?;
        let bends = Fan::of(*goal.first()?, |angle| {
            rig.shown(index).goal_turned_by(angle)
        });
        (goal.len() > 1).then(|| Self {
            goal,
            shown,
            ahead: tip + SHOWN_TIME * rig.shown(index).tip_velocity(),
            bends,
            max_angle: spring.settings.max_angle,
            radius: (!spring.obstacles.is_empty()).then_some(spring.settings.radius),
            rope: spring
                .pin
                .own
                .and_then(|_| Rope::of(rig, index, spring.slack)),
        })
    }

    /// Draws it, with handles for its properties.
    pub(in crate::gizmos) fn draw(&self, pen: &mut Pen<'_>) {
        self.draw_goal(pen);
        self.draw_motion(pen);
        self.draw_bend(pen);
        if let Some(rope) = &self.rope {
            rope.add_handle(pen);
        }
        if let Some(radius) = self.radius {
            self.draw_radius(radius, pen);
        }
    }

    fn draw_goal(&self, pen: &mut Pen<'_>) {
        let colour = pen.palette.bone.with_alpha(0.7);
        let (ring, radius) = (pen.solid(colour, 1.5), pen.pixels(3.0));
        for &joint in &self.goal[1..] {
            let joint = pen.view.at(joint);
            pen.sketch.ring(Layer::Link, joint, radius, ring);
        }
        let stroke = pen.stroke(colour, 1.5, Pattern::Dashed);
        pen.line(Layer::Link, self.goal.iter().copied(), stroke);
    }

    /// Lines from where the goal has the joints to where they are, and where the tip goes.
    fn draw_motion(&self, pen: &mut Pen<'_>) {
        let link = pen.stroke(pen.palette.bone.with_alpha(0.6), 1.5, Pattern::Dotted);
        for (&goal, &shown) in self.goal.iter().zip(&self.shown).skip(1) {
            pen.line(Layer::Link, [goal, shown], link);
        }
        let Some(&tip) = self.shown.last() else {
            return;
        };
        let [tip, ahead] = [tip, self.ahead].map(|point| pen.view.at(point));
        let Some(along) = (ahead - tip).try_normalized() else {
            return;
        };
        if tip.distance_to(ahead) < pen.pixels(4.0) {
            return;
        }
        let barb = pen.pixels(6.0);
        let across = along.orthogonal();
        let [left, right] = [1.0, -1.0].map(|side| ahead - (along - across * (0.5 * side)) * barb);
        let stroke = pen.solid(pen.palette.bone.with_alpha(0.9), 1.5);
        let arrow = vec![tip, ahead, left, ahead, right];
        pen.sketch.line(Layer::Point, arrow, stroke);
    }

    /// How far the joints may bend, shown at the first one.
    fn draw_bend(&self, pen: &mut Pen<'_>) {
        let is_on = self.max_angle > 0.0;
        let most = if is_on { self.max_angle } else { PI };
        if most < PI {
            self.bends.draw(most, pen);
        }
        let value = (self.max_angle, most);
        self.bends
            .add_handle(Property::MostBend, value, Unit::Bend, pen);
    }

    /// How thick the bones are, shown at the tip.
    fn draw_radius(&self, radius: f32, pen: &mut Pen<'_>) {
        let &[.., joint, tip] = &self.shown[..] else {
            return;
        };
        let view = pen.view.around(tip);
        if radius > 0.0 {
            let stroke = pen.solid(pen.palette.bound.with_alpha(0.9), 1.5);
            pen.sketch.line(Layer::Ring, view.circle(radius), stroke);
        }
        let outside = pen.pixels(OUTSIDE) / view.zoom();
        let at = view.on_circle(radius + outside, (tip - joint).to_angle());
        let gauge = Gauge::Distance {
            view,
            shown: radius,
            room: [0.0, FAR],
            off: OffWhere::Below(0.0),
        };
        pen.number(Property::Radius, at, pen.palette.bound, radius, gauge);
    }
}

impl Rope {
    fn of(rig: &Rig, index: usize, slack: f32) -> Option<Self> {
        let middle = |slack: f32| middle_of(&rig.shown(index).goal_line_with_slack(slack));
        let goal = rig.shown(index).goal_line_with_slack(slack);
        let straight = goal.first()?.midpoint(*goal.last()?);
        let off = |(place, _): &(Vec2, f32)| place.distance(straight);
        let slacks = (0..=PLACES).map(|step| 0.5 + 1.5 * f32::from(step) / f32::from(PLACES));
        let mut middles: Vec<_> = slacks
            .filter_map(|slack| Some((middle(slack)?, slack)))
            .collect();
        // Where it is pulled tight, its middle stays.
        let tight = middles.partition_point(|it| off(it) < TIGHT);
        middles.drain(..tight.saturating_sub(1));
        Some(Self {
            slack,
            middle: middle(slack)?,
            middles,
        })
    }

    /// A handle at the middle of the goal: farther out is longer.
    fn add_handle(&self, pen: &mut Pen<'_>) {
        let at = pen.view.at(self.middle);
        let gauge = pen.along(&self.middles, Unit::Factor);
        let look = (Look::Knob, pen.palette.bound);
        pen.handle(Property::Slack, at, look, Value::Number(self.slack), gauge);
    }
}

/// The place half way along a line.
fn middle_of(line: &[Vec2]) -> Option<Vec2> {
    let length: f32 = line.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
    let mut left = 0.5 * length;
    for ends in line.windows(2) {
        let piece = ends[0].distance(ends[1]);
        if left <= piece && piece > 0.0 {
            return Some(ends[0].lerp(ends[1], left / piece));
        }
        left -= piece;
    }
    line.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gizmos::sketch::Sketch;
    use crate::gizmos::view::View;
    use godot::prelude::*;
    use tendon_nodes::engine::space::to_godot;
    use tendon_solver::glam::Affine2;
    use tendon_solver::{Aimed, Bone, Chain, End, Modifier, Obstacle, Shape, Spring, Workspace};

    /// Two bones of 40 that hang to the right, below a mirrored skeleton.
    fn rig(max_angle: f32, radius: f32) -> Rig {
        let bones = [0.0, 40.0].into_iter().enumerate().map(|(index, x)| Bone {
            position: Vec2::new(x, 0.0),
            ..Bone::below(index.checked_sub(1))
        });
        let end = End::Point(Point {
            bone: Some(1),
            position: Vec2::new(40.0, 0.0),
        });
        let mut spring = Spring::new(Chain::new(vec![0, 1], end));
        (spring.settings.max_angle, spring.settings.radius) = (max_angle, radius);
        spring.obstacles.push(Obstacle {
            shape: Shape::Circle { radius: 5.0 },
            frame: Affine2::from_translation(Vec2::new(0.0, 500.0)),
            bone: None,
        });
        let mut rig = Rig::new(bones.collect(), vec![Modifier::new(spring)]);
        rig.to_global = Affine2::from_scale(Vec2::new(-1.0, 1.0));
        rig.delta = 1.0 / 60.0;
        let mut space = Workspace::default();
        rig.solve(&mut space);
        if let Solver::Spring(spring) = &mut rig.modifiers[0].solver {
            spring.settings.pushed = Vec2::new(0.0, 200.0);
        }
        for _ in 0..2 {
            rig.go_on();
            rig.solve(&mut space);
        }
        rig
    }

    fn sketch(rig: &Rig) -> Sketch {
        let spring = SpringMotion::of(rig, 0).expect("a spring");
        let view = View {
            to_screen: Transform2D::IDENTITY.scaled(Vector2::new(2.0, 2.0)),
            scale: 1.0,
        };
        Sketch::drawn(view, |pen| spring.draw(pen))
    }

    #[test]
    fn a_rope_has_a_handle_at_its_middle() {
        let mut rig = rig(0.0, 0.0);
        let pin = Point {
            bone: None,
            position: Vec2::new(50.0, 0.0),
        };
        if let Solver::Spring(spring) = &mut rig.modifiers[0].solver {
            spring.pin = Aimed::at(pin);
            spring.settings.gravity = Vec2::new(0.0, 900.0);
        }
        rig.go_on();
        rig.solve(&mut Workspace::default());
        let spring = SpringMotion::of(&rig, 0).expect("a spring");
        assert!(spring.goal[2].distance(pin.position) < 1e-3);
        assert!(spring.goal[1].y > 10.0, "it hangs down: {}", spring.goal[1]);
        let drawn = sketch(&rig);
        let handles = drawn.handles.iter();
        let mut slacks = handles.filter(|it| it.key.property == Property::Slack);
        let slack = slacks.next().expect("a handle");
        assert!(slack.at.distance_to(2.0 * to_godot(spring.goal[1])) < 1.0);
        let grip = crate::gizmos::handle::gauge::Grip {
            press: slack.at,
            start: slack.value,
        };
        let middle = middle_of(&rig.shown(0).goal_line_with_slack(1.4)).expect("a goal");
        let to = 2.0 * to_godot(middle);
        let Value::Number(longer) = slack.gauge.drag(&grip, to, slack.value, false) else {
            panic!("a number");
        };
        assert!((longer - 1.4).abs() < 0.01, "{longer}");
    }

    #[test]
    fn the_tip_points_where_it_goes() {
        let spring = SpringMotion::of(&rig(0.0, 0.0), 0).expect("a spring");
        assert_eq!(spring.goal.len(), 3);
        assert!(spring.goal[2].distance(Vec2::new(80.0, 0.0)) < 1e-3);
        let tip = spring.shown[2];
        assert!(tip.y > 0.5, "it was pushed down: {tip}");
        assert!(spring.ahead.y > tip.y + 1.0 && (spring.ahead.x - tip.x).abs() < 5.0);
    }

    #[test]
    fn handles_are_where_the_properties_are_shown() {
        let drawn = sketch(&rig(0.5, 6.0));
        let [bend, radius] = &drawn.handles[..] else {
            panic!("{:?}", drawn.handles);
        };
        // A positive angle of global space, which is mirrored here.
        let end = Vector2::from_angle(-0.5) * 80.0;
        assert!(bend.at.distance_to(end) < 0.1, "{}", bend.at);
        assert_eq!(bend.look, Look::Knob);
        assert_eq!(radius.value, Value::Number(6.0));
        let off = sketch(&rig(0.0, 0.0));
        assert_eq!(off.handles[0].look, Look::Hollow);
        let half = Vector2::new(-80.0, 0.0);
        assert!(off.handles[0].at.distance_to(half) < 0.1);
    }
}

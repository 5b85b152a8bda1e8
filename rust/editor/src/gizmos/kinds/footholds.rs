//! Where feet stand, how far from there the ground is looked for and where it is, how they step or are let
//! go, and how far the pelvis goes with them.

use godot::classes::{ProjectSettings, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::engine::space::frame_of;
use tendon_nodes::nodes::ground::look_for_ground;
use tendon_nodes::nodes::modifier::rig_above;
use tendon_solver::glam::Vec2;
use tendon_solver::{Foothold, Footholds, Status};

use crate::gizmos::pen::Pen;
use crate::gizmos::sketch::{DashPattern, Layer, LineStyle};

/// Half of the length of the marks at the ends of a line, and the radius of a foothold, in pixels of the
/// editor's design.
const MARK: f32 = 5.0;
const PLACE: f32 = 4.0;
/// The length of the ground that is drawn to each side of the place where it is found, in the same pixels.
const GROUND: f32 = 14.0;
/// Points of the way of a step.
const POINTS: u16 = 24;

/// The data that the gizmo of a modifier is drawn from.
pub(in crate::gizmos) struct FootholdGizmo<'a> {
    pub(in crate::gizmos) footholds: &'a Footholds,
    /// The placement or the gait, and its feet in the same order as the footholds.
    pub(in crate::gizmos) node: &'a Gd<Node>,
    pub(in crate::gizmos) feet: &'a [InstanceId],
    pub(in crate::gizmos) pen: Pen<'a>,
}

impl FootholdGizmo<'_> {
    /// Draws all of it.
    pub(in crate::gizmos) fn draw(mut self) {
        let skeleton = self.skeleton();
        for (foot, &node) in self.footholds.feet.iter().zip(self.feet) {
            let Some(foot) = foot else { continue };
            let (at, radius) = (self.pen.view.at(foot.place), self.pen.pixels(PLACE));
            let rim = self.line(1.0);
            self.pen.sketch.ring(Layer::Point, at, radius, rim);
            let sole = foot.tip - self.footholds.up * foot.sole_height;
            self.draw_line(foot.tip, sole, self.line(0.7));
            self.draw_search(foot.place);
            if let Some(skeleton) = &skeleton {
                self.draw_ground(foot.place, skeleton);
            }
            match self.footholds.steps {
                true => self.draw_step(foot.place),
                false => self.draw_hold(foot, node),
            }
        }
        self.draw_pelvis();
    }

    fn line(&self, opacity: f32) -> LineStyle {
        let colour = self.pen.palette.bone.with_alpha(opacity);
        self.pen.solid(colour, 1.5)
    }

    fn dashed(&self) -> LineStyle {
        LineStyle {
            pattern: DashPattern::Dashed,
            ..self.line(0.7)
        }
    }

    fn draw_line(&mut self, from: Vec2, to: Vec2, stroke: LineStyle) {
        let ends = [from, to].map(|end| self.pen.view.at(end));
        if ends[0] != ends[1] {
            self.pen.sketch.line(Layer::Link, ends.to_vec(), stroke);
        }
    }

    /// A mark at `place` across a line that goes along `along`.
    fn draw_mark(&mut self, place: Vec2, along: Vec2, stroke: LineStyle) {
        let at = self.pen.view.at(place);
        let way = self.pen.view.at(place + along) - at;
        let across = way.try_normalized().unwrap_or(Vector2::UP).orthogonal();
        let mark = across * self.pen.pixels(MARK);
        self.pen
            .sketch
            .line(Layer::Link, vec![at - mark, at + mark], stroke);
    }

    /// The skeleton, in whose world ground is. If the physics run on a thread of their own, they answer in physics
    /// frames only, and the editor has none.
    fn skeleton(&self) -> Option<Gd<Skeleton2D>> {
        let settings = ProjectSettings::singleton();
        let is_threaded = settings.get_setting("physics/2d/run_on_separate_thread");
        if is_threaded.try_to().unwrap_or(false) {
            return None;
        }
        let skeleton = rig_above(self.node)?.get_parent()?;
        skeleton.try_cast::<Skeleton2D>().ok()
    }

    /// The ends of the ray that looks for the ground of a foothold.
    fn ray(&self, place: Vec2) -> [Vec2; 2] {
        let [above, below] = ["search_up", "search_down"].map(|it| number(self.node, it));
        [above, -below].map(|way| place + self.footholds.up * way)
    }

    /// The ground as the foot would find it here.
    fn draw_ground(&mut self, place: Vec2, skeleton: &Gd<Skeleton2D>) {
        let to_global = frame_of(skeleton.get_global_transform());
        let ray = self.ray(place).map(|end| to_global.transform_point2(end));
        let mask = self.node.get("collision_mask").try_to().unwrap_or(1);
        let Some([position, normal]) = look_for_ground(skeleton, mask, ray) else {
            return;
        };
        let from_global = to_global.inverse();
        let at = from_global.transform_point2(position);
        let along = from_global.transform_vector2(normal.perp());
        let along = along.normalize_or_zero() * (GROUND / self.zoom());
        let colour = self.pen.palette.of_status(Status::Reached);
        self.draw_line(at - along, at + along, self.pen.solid(colour, 3.0));
    }

    fn zoom(&self) -> f32 {
        self.pen.view.zoom().max(f32::MIN_POSITIVE)
    }

    /// A line from end to end, with a mark at each across `along`.
    fn draw_span(&mut self, ends: [Vec2; 2], along: Vec2, line: LineStyle, marks: LineStyle) {
        self.draw_line(ends[0], ends[1], line);
        for end in ends {
            self.draw_mark(end, along, marks);
        }
    }

    /// Draws the range in which the ground is looked for.
    fn draw_search(&mut self, place: Vec2) {
        let (ends, up) = (self.ray(place), self.footholds.up);
        self.draw_span(ends, up, self.dashed(), self.line(0.7));
    }

    /// Draws the distance within which a foot of a gait may be from its home, and the height of its steps.
    fn draw_step(&mut self, home: Vec2) {
        let (right, up) = (self.footholds.right, self.footholds.up);
        let aside = self.footholds.distance.unwrap_or(0.0);
        let ends = [-aside, aside].map(|aside| home + right * aside);
        if self.footholds.distance.is_some() {
            self.draw_span(ends, right, self.line(1.0), self.line(1.0));
        }
        let height = number(self.node, "step_height");
        let points = (0..=POINTS).map(|point| {
            let part = f32::from(point) / f32::from(POINTS);
            let lift = up * (height * 4.0 * part * (1.0 - part));
            ends[0].lerp(ends[1], part) + lift
        });
        self.pen.line(Layer::Link, points, self.dashed());
    }

    /// Draws the distance within which an animation may move a planted foot until it is let go.
    fn draw_hold(&mut self, foot: &Foothold, node: InstanceId) {
        let Ok(node) = Gd::<Node>::try_from_instance_id(node) else {
            return;
        };
        let radius = number(&node, "unplant_distance") * self.footholds.right.length();
        let circle = self.pen.view.around(foot.place).circle(radius);
        self.pen.sketch.line(Layer::Ring, circle, self.dashed());
    }

    /// Draws the place of the pelvis over the feet, and the range in which it goes up and down.
    fn draw_pelvis(&mut self) {
        let (middle, up) = (self.footholds.middle, self.footholds.up);
        let part = (self.footholds.pelvis - middle).dot(up) / up.length_squared();
        let top = middle + up * part;
        self.draw_line(middle, top, self.dashed());
        let [drop, rise] = ["max_pelvis_drop", "max_pelvis_rise"].map(|it| number(self.node, it));
        let ends = [top - up * drop, top + up * rise];
        self.draw_span(ends, up, self.line(1.0), self.line(1.0));
        let mark = self.footholds.right * (2.0 * MARK / self.zoom());
        self.draw_line(top - mark, top + mark, self.line(1.0));
    }
}

/// The value of a property; `0.0` if it is no number.
fn number(node: &Gd<Node>, property: &str) -> f32 {
    node.get(property).try_to().unwrap_or(0.0)
}

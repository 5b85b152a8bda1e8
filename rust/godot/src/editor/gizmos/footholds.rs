//! Where feet stand, how far from there the ground is looked for and where it is, how they step or are let
//! go, and how far the pelvis goes with them. Handles set all of that.

use godot::classes::{ProjectSettings, Skeleton2D};
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{Foothold, Footholds, Status};

use crate::editor::gizmos::gauge::Gauge;
use crate::editor::gizmos::handle::{Handle, Key, Look};
use crate::editor::gizmos::palette::Palette;
use crate::editor::gizmos::property::{Property, Unit, Value};
use crate::editor::gizmos::sketch::{Layer, Pattern, Sketch, Stroke, solid};
use crate::editor::gizmos::view::View;
use crate::engine::space::{frame_of, to_godot};
use crate::nodes::ground::World;
use crate::nodes::modifier::rig_above;

/// Half of the length of the marks at the ends of a line, and the radius of a foothold, in pixels of the
/// editor's design.
const MARK: f32 = 5.0;
const PLACE: f32 = 4.0;

/// How much of the ground is drawn to each side of where it is found, in the same.
const GROUND: f32 = 14.0;

/// Lengths that handles can be dragged to, in units of the skeleton.
const FAR: f32 = 1e4;

/// Points of the way of a step.
const POINTS: u16 = 24;

/// What the gizmo of a modifier is drawn with.
pub(super) struct Standing<'a> {
    pub(super) footholds: &'a Footholds,
    /// The placement or the gait, and its feet in the same order as the footholds.
    pub(super) node: &'a Gd<Node>,
    pub(super) feet: &'a [InstanceId],
    /// Whether there are handles.
    pub(super) is_editable: bool,
    pub(super) view: &'a View,
    pub(super) palette: &'a Palette,
}

impl Standing<'_> {
    /// Draws all of it.
    pub(super) fn draw(&self, sketch: &mut Sketch) {
        let feet = self.footholds.feet.iter().zip(self.feet);
        let feet: Vec<_> = feet
            .filter_map(|(foot, &node)| Some((foot.as_ref()?, node)))
            .collect();
        let world = self.world();
        for &(foot, node) in &feet {
            let at = self.view.at(foot.place);
            sketch.ring(Layer::Point, at, PLACE * self.view.scale, self.line(1.0));
            let sole = foot.tip - self.footholds.up * foot.sole_height;
            self.draw_line(foot.tip, sole, self.line(0.7), sketch);
            self.draw_search(foot.place, sketch);
            if let Some((to_global, world)) = &world {
                self.draw_ground(foot.place, *to_global, world, sketch);
            }
            match self.footholds.distance {
                Some(distance) => self.draw_step(foot.place, distance, sketch),
                None => self.draw_hold(foot, node, sketch),
            }
        }
        if let (Some((first, _)), Some(_)) = (feet.first(), self.footholds.distance) {
            let Footholds { right, up, .. } = *self.footholds;
            self.add_handle(Property::StepDistance, (first.place, right), sketch);
            self.add_handle(Property::StepHeight, (first.place, up), sketch);
        }
        if let Some((last, _)) = feet.last() {
            let up = self.footholds.up;
            self.add_handle(Property::SearchUp, (last.place, up), sketch);
            self.add_handle(Property::SearchDown, (last.place, -up), sketch);
        }
        self.draw_pelvis(sketch);
    }

    fn line(&self, opacity: f32) -> Stroke {
        solid(self.palette.bone.with_alpha(opacity), 1.5 * self.view.scale)
    }

    fn dashed(&self) -> Stroke {
        Stroke {
            pattern: Pattern::Dashed,
            ..self.line(0.7)
        }
    }

    fn draw_line(&self, from: Vec2, to: Vec2, stroke: Stroke, sketch: &mut Sketch) {
        let ends = [from, to].map(|end| self.view.at(end));
        if ends[0] != ends[1] {
            sketch.line(Layer::Link, ends.to_vec(), stroke);
        }
    }

    /// A mark at `place` across a line that goes along `along`.
    fn draw_mark(&self, place: Vec2, along: Vec2, stroke: Stroke, sketch: &mut Sketch) {
        let at = self.view.at(place);
        let way = self.view.at(place + along) - at;
        let across = way.try_normalized().unwrap_or(Vector2::UP).orthogonal();
        let mark = across * (MARK * self.view.scale);
        sketch.line(Layer::Link, vec![at - mark, at + mark], stroke);
    }

    /// The skeleton's frame, and what the scene has there. If the physics run on a thread of their own, they
    /// answer in physics frames only, and the editor has none.
    fn world(&self) -> Option<(Affine2, World)> {
        let settings = ProjectSettings::singleton();
        let is_threaded = settings.get_setting("physics/2d/run_on_separate_thread");
        if is_threaded.try_to().unwrap_or(false) {
            return None;
        }
        let skeleton = rig_above(self.node)?.get_parent()?;
        let skeleton = skeleton.try_cast::<Skeleton2D>().ok()?;
        let to_global = frame_of(skeleton.get_global_transform());
        let world = World::new(skeleton);
        let mask = self.node.get("collision_mask").try_to().ok()?;
        world.set(mask, self.search());
        Some((to_global, world))
    }

    /// How far above and below a foothold the ground is looked for, in units of the skeleton.
    fn search(&self) -> [f32; 2] {
        [Property::SearchUp, Property::SearchDown].map(|it| self.number(it))
    }

    /// The ends of the ray that looks for the ground of a foothold.
    fn ray(&self, place: Vec2) -> [Vec2; 2] {
        let [above, below] = self.search();
        [above, -below].map(|way| place + self.footholds.up * way)
    }

    /// The ground as the foot would find it here.
    fn draw_ground(&self, place: Vec2, to_global: Affine2, world: &World, sketch: &mut Sketch) {
        let ray = self.ray(place).map(|end| to_global.transform_point2(end));
        let found = world
            .space()
            .and_then(|mut space| world.cast(&mut space, ray));
        let Some(ground) = found else {
            return;
        };
        let from_global = to_global.inverse();
        let at = from_global.transform_point2(ground.position);
        let along = from_global.transform_vector2(ground.normal.perp());
        let along = along.normalize_or_zero() * (GROUND / self.view.zoom().max(f32::MIN_POSITIVE));
        let stroke = solid(
            self.palette.of_status(Status::Reached),
            3.0 * self.view.scale,
        );
        self.draw_line(at - along, at + along, stroke, sketch);
    }

    /// How far the ground is looked for.
    fn draw_search(&self, place: Vec2, sketch: &mut Sketch) {
        let up = self.footholds.up;
        let [top, bottom] = self.ray(place);
        self.draw_line(top, bottom, self.dashed(), sketch);
        for end in [top, bottom] {
            self.draw_mark(end, up, self.line(0.7), sketch);
        }
    }

    /// How far a foot of a gait may be from its home, and how high it steps.
    fn draw_step(&self, home: Vec2, distance: f32, sketch: &mut Sketch) {
        let Footholds { right, up, .. } = *self.footholds;
        let ends = [-distance, distance].map(|aside| home + right * aside);
        self.draw_line(ends[0], ends[1], self.line(1.0), sketch);
        for end in ends {
            self.draw_mark(end, right, self.line(1.0), sketch);
        }
        let height = self.number(Property::StepHeight);
        let points = (0..=POINTS).map(|point| {
            let part = f32::from(point) / f32::from(POINTS);
            let lift = up * (height * 4.0 * part * (1.0 - part));
            self.view.at(ends[0].lerp(ends[1], part) + lift)
        });
        sketch.line(Layer::Link, points.collect(), self.dashed());
    }

    /// How far an animation may move a planted foot until it is let go.
    fn draw_hold(&self, foot: &Foothold, node: InstanceId, sketch: &mut Sketch) {
        let Ok(node) = Gd::<Node>::try_from_instance_id(node) else {
            return;
        };
        let place = (foot.place, self.footholds.right);
        let property = Property::UnplantDistance;
        let around = Transform2D::IDENTITY.translated(to_godot(foot.place));
        let radius = number(&node, property) * self.footholds.right.length();
        let circle = self.view.within(around).circle(radius);
        sketch.line(Layer::Ring, circle, self.dashed());
        self.add_handle_of(&node, property, place, sketch);
    }

    /// Where the pelvis is over the feet, and how far it goes up and down.
    fn draw_pelvis(&self, sketch: &mut Sketch) {
        let Footholds {
            middle,
            pelvis,
            up,
            right,
            ..
        } = *self.footholds;
        let part = (pelvis - middle).dot(up) / up.length_squared();
        let top = middle + up * part;
        self.draw_line(middle, top, self.dashed(), sketch);
        let [drop, rise] = [Property::MaxPelvisDrop, Property::MaxPelvisRise];
        let ends = [top - up * self.number(drop), top + up * self.number(rise)];
        self.draw_line(ends[0], ends[1], self.line(1.0), sketch);
        for end in ends {
            self.draw_mark(end, up, self.line(1.0), sketch);
        }
        let mark = right * (2.0 * MARK / self.view.zoom().max(f32::MIN_POSITIVE));
        self.draw_line(top - mark, top + mark, self.line(1.0), sketch);
        self.add_handle(drop, (top, -up), sketch);
        self.add_handle(rise, (top, up), sketch);
    }

    fn number(&self, property: Property) -> f32 {
        number(self.node, property)
    }

    /// Adds the handle of a property of the modifier, a length from a place along a direction.
    fn add_handle(&self, property: Property, place: (Vec2, Vec2), sketch: &mut Sketch) {
        self.add_handle_of(self.node, property, place, sketch);
    }

    fn add_handle_of(
        &self,
        node: &Gd<Node>,
        property: Property,
        (from, unit): (Vec2, Vec2),
        sketch: &mut Sketch,
    ) {
        if !self.is_editable {
            return;
        }
        let value = number(node, property);
        let at = |length: f32| self.view.at(from + unit * length);
        sketch.handle(Handle {
            key: Key {
                node: node.instance_id(),
                property,
            },
            at: at(value),
            look: Look::of(value),
            colour: self.palette.bone,
            value: Value::Number(value),
            gauge: Gauge::Along {
                places: vec![(at(0.0), 0.0), (at(FAR), FAR)],
                unit: Unit::Pixels,
            },
        });
    }
}

/// What a property is set to.
fn number(node: &Gd<Node>, property: Property) -> f32 {
    node.get(&property.name()).try_to().unwrap_or(0.0)
}

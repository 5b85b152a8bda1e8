//! A stroke of the brush.
//!
//! What it does depends on the way of the mouse alone, and not on how many events there were: each vertex is touched as
//! strongly as the brush was over it at most.

use std::rc::Rc;
use std::time::{Duration, Instant};

use godot::classes::Polygon2D;
use godot::prelude::*;
use tendon_skin::{Brush, Painting, Weights};

use crate::painting::cutting::cut;
use crate::painting::panel::{Panel, Tool};
use crate::painting::weighed::{NOTHING, WeighedPolygon, vertices_in_viewport};
use crate::refusal::Refusal;
use crate::skin::reshape::Before;
use crate::viewport_drag::Watch;

const NO_CHANGE: &str =
    "The stroke has changed nothing: the bones there are locked, or have these weights already.";

/// The engine draws polygons with more vertices when the mouse rests only: with ten thousand, it takes 50 milliseconds. The
/// colours over them are drawn in each frame.
const FEW: usize = 500;
const REST: Duration = Duration::from_millis(150);

/// The least distance between the points of a line, in pixels.
const BETWEEN_POINTS: f32 = 3.0;

/// The effects of the keys that are held when a stroke begins.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    pub(super) inverts: bool,
    pub(super) smooths: bool,
}

pub(super) struct Stroke {
    pub(super) tool: Tool,
    pub(super) weighed: Rc<WeighedPolygon>,
    /// The weights now.
    pub(super) painted: Weights,
    painting: Painting,
    locked: Vec<bool>,
    /// The line of a cut.
    pub(super) line: Vec<Vector2>,
    before: Before,
    /// The places of the vertices in the viewport when it begins: they may move with their weights.
    places: Vec<Vector2>,
    /// The strength at which each is touched, from 0 to 1.
    amounts: Vec<f64>,
    /// Those that may be touched.
    marked: Option<Vec<bool>>,
    brush: Brush,
    /// `true` if marks are taken away.
    unmarks: bool,
    radius: f32,
    strength: f64,
    last: Vector2,
    /// The time of the last motion of the mouse, if the engine has not drawn the polygon since.
    moved: Option<Instant>,
    _watch: Watch,
}

impl Stroke {
    /// # Errors
    /// Why it is not possible to paint.
    pub(super) fn begin(
        weighed: Rc<WeighedPolygon>,
        watch: Watch,
        panel: &Panel,
        keys: Keys,
        marked: Option<Vec<bool>>,
        mouse: Vector2,
    ) -> Result<Self, Refusal> {
        let places = vertices_in_viewport(&weighed.polygon);
        let tool = match keys.smooths && panel.tool().paints() {
            true => Tool::Smooth,
            false => panel.tool(),
        };
        let locked = panel.locked();
        let line = match tool {
            Tool::Cut => vec![mouse],
            _ => Vec::new(),
        };
        let brush = match tool {
            Tool::Smooth | Tool::Mark | Tool::Cut => Brush::Smooth,
            Tool::Set | Tool::Add => panel.brush(tool, keys.inverts)?,
        };
        let mut stroke = Self {
            tool,
            before: Before::of(&weighed.polygon),
            painted: weighed.weights.clone(),
            painting: Painting::new(weighed.mesh().clone(), locked.clone()),
            locked,
            line,
            amounts: vec![0.0; places.len()],
            weighed,
            places,
            marked,
            brush,
            unmarks: keys.inverts,
            radius: panel.radius(),
            strength: panel.strength(),
            last: mouse,
            moved: None,
            _watch: watch,
        };
        stroke.follow(mouse);
        Ok(stroke)
    }

    pub(super) fn polygon(&self) -> &Gd<Polygon2D> {
        &self.weighed.polygon
    }

    /// The mouse has moved here.
    pub(super) fn follow(&mut self, mouse: Vector2) {
        if !self.weighed.is_there() {
            return;
        }
        if self.tool == Tool::Cut {
            if self.last.distance_to(mouse) >= BETWEEN_POINTS {
                self.line.push(mouse);
                self.last = mouse;
            }
            return;
        }
        let way = mouse - self.last;
        for (vertex, &place) in self.places.iter().enumerate() {
            let is_marked = self.marked.as_ref().is_none_or(|marked| marked[vertex]);
            if self.tool != Tool::Mark && !is_marked {
                continue;
            }
            let along = (place - self.last).dot(way) / way.length_squared().max(f32::MIN_POSITIVE);
            let nearest = self.last + way * along.clamp(0.0, 1.0);
            let distance = f64::from(place.distance_to(nearest));
            let amount = Brush::softness(distance, f64::from(self.radius)) * self.strength;
            self.amounts[vertex] = self.amounts[vertex].max(amount);
        }
        self.last = mouse;
        if self.tool != Tool::Mark {
            let before = &self.weighed.weights;
            self.painted = self.painting.paint(before, self.brush, &self.amounts);
            self.weighed.give(&self.painted);
            match self.places.len() <= FEW {
                true => self.weighed.polygon.clone().queue_redraw(),
                false => self.moved = Some(Instant::now()),
            }
        }
    }

    /// Lets the engine draw a large polygon as it is now, while the mouse rests.
    pub(super) fn rest(&mut self) {
        if self.moved.is_some_and(|at| at.elapsed() > REST) {
            self.weighed.polygon.clone().queue_redraw();
            self.moved = None;
        }
    }

    /// Cuts the polygon along the line. Returns what to tell the user.
    ///
    /// # Errors
    /// Why it is not cut.
    pub(super) fn cut(mut self, end: Option<Vector2>) -> Result<String, Refusal> {
        if !self.weighed.is_there() {
            return Err(NOTHING.into());
        }
        self.line.extend(end.filter(|end| *end != self.last));
        cut(&self.weighed, self.locked, &self.places, &self.line)
    }

    /// The vertices that are marked after it.
    pub(super) fn marks(&self) -> Vec<bool> {
        let touched = self.amounts.iter().map(|&amount| amount > 0.0);
        let before = self.marked.clone();
        let before = before.unwrap_or_else(|| vec![false; self.amounts.len()]);
        let pairs = touched.zip(before);
        match self.unmarks {
            true => pairs.map(|(touched, was)| was && !touched).collect(),
            false => pairs.map(|(touched, was)| was || touched).collect(),
        }
    }

    /// Makes an undo step of it. If a bone or a vertex is gone, it has not happened.
    ///
    /// # Errors
    /// That there is no undo history, or that nothing is another than before.
    pub(super) fn finish(self) -> Result<(), Refusal> {
        if !self.weighed.is_there() {
            self.cancel();
            return Ok(());
        }
        match self.before.has_other_weights() {
            true => self.before.keep(self.tool.title()),
            false => Err(NO_CHANGE.into()),
        }
    }

    pub(super) fn cancel(self) {
        if self.tool.paints() && self.weighed.polygon.is_instance_valid() {
            self.before.restore();
        }
    }
}

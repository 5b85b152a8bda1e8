//! What the row shows of a modifier and of an effector: its status, and what is left to the target.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_nodes::nodes::effector::{TendonEffector2D, warnings_of_effector};
use tendon_nodes::nodes::modifier::{rig_above, warnings_of};
use tendon_nodes::nodes::rigging::names;
use tendon_nodes::plan::result::PassResult;
use tendon_solver::{Modifier, Rig, Solver, Status};

use crate::inspector::driven_bone::reason_for_idle;
use crate::inspector::status_row::content::{
    Content, DISTANCE, GREY, Note, PLAIN, first_of, is_partial, measure, partly, text_of,
};
use crate::inspector::status_row::rig::is_at_limit;

pub(super) fn modifier_content(node: &Gd<Node>, result: &PassResult, active: bool) -> Content {
    let (word, colour) = text_of(result.status);
    let facts = Facts::of(node);
    let reason_for_idle = match rig_above(node) {
        _ if !active => Some("Inactive"),
        Some(rig) => reason_for_idle(&rig),
        None => None,
    };
    let reason_for_idle = reason_for_idle.filter(|_| result.status == Status::Idle);
    let (word, colour) = match reason_for_idle {
        Some(reason) => (reason.into(), colour),
        None if is_partial(result.status, facts.influence) => (partly(facts.influence), PLAIN),
        None if result.status == Status::Reached => (facts.motion.unwrap_or(word).into(), colour),
        None => (word.into(), colour),
    };
    Content {
        word,
        colour,
        measure: match (result.status, facts.look_error) {
            (Status::Idle, _) => String::new(),
            (_, Some(angle)) => format!("{:.1}°", angle.to_degrees()),
            _ => measure(result.distance),
        },
        meaning: match facts.look_error {
            Some(_) => "The angle between where the bone points and where it should",
            None => DISTANCE,
        },
        note: Note::advice(first_of(&warnings_of(node)))
            .or_else(|| Note::fact(facts.limits_in_the_way(result.status)))
            .or_else(|| Note::fact(facts.at_full_influence(result.status))),
    }
}

/// Returns the content for an effector: the distance from its tip to its target.
pub(super) fn effector_content(effector: &Gd<TendonEffector2D>) -> Content {
    let distance = effector.bind().distance();
    let influence = effector.get_parent().map(|tree| Facts::of(&tree).influence);
    let influence = influence.unwrap_or(1.0);
    let (word, colour) = match distance.is_finite() {
        true if influence < 1.0 => (partly(influence), PLAIN),
        true => ("Solved".into(), "success_color"),
        false => ("Idle".into(), GREY),
    };
    Content {
        word,
        colour,
        measure: measure(distance),
        meaning: DISTANCE,
        note: Note::advice(first_of(&warnings_of_effector(effector))),
    }
}

/// The facts about a modifier that only the plan knows.
struct Facts {
    /// The part of its result that is applied, from 0 to 1, the rig's own influence included.
    influence: f32,
    /// `true` if it reaches for a target.
    reaches: bool,
    /// For a look-at, the angle that is left, in radians.
    look_error: Option<f32>,
    /// For a spring, in a word, whether it swings now.
    motion: Option<&'static str>,
    /// Its bones that are at their limits.
    at_limit: Vec<Gd<Bone2D>>,
}

/// Of a modifier that is in no plan.
impl Default for Facts {
    fn default() -> Self {
        Self {
            influence: 1.0,
            reaches: false,
            look_error: None,
            motion: None,
            at_limit: Vec::new(),
        }
    }
}

impl Facts {
    fn of(node: &Gd<Node>) -> Self {
        let Some(rig) = rig_above(node) else {
            return Self::default();
        };
        let (facts, mut joints) = {
            let rig = rig.bind();
            let plan = rig.plan();
            let found = plan.as_ref().and_then(|plan| plan.solver_of(node));
            let Some((plan, modifier)) = plan.as_ref().zip(found) else {
                return Self::default();
            };
            let joints = modifier.parts().joints().iter();
            let joints = joints.filter_map(|&joint| plan.bones.get(joint).node().cloned());
            let facts = Self {
                influence: modifier.influence,
                reaches: modifier.parts().reaches(),
                look_error: modifier.look_error(),
                motion: motion_of(&plan.rig, modifier),
                at_limit: Vec::new(),
            };
            (facts, joints.collect::<Vec<_>>())
        };
        joints.retain(is_at_limit);
        Self {
            at_limit: joints,
            ..facts
        }
    }

    fn at_full_influence(&self, status: Status) -> String {
        match is_partial(status, self.influence) && self.reaches {
            true => "At full influence it reaches its target.".into(),
            false => String::new(),
        }
    }

    fn limits_in_the_way(&self, status: Status) -> String {
        let bones = names(self.at_limit.iter().cloned());
        match (status, self.at_limit.len()) {
            (Status::OutOfReach, 1) => format!("{bones} is at its limit."),
            (Status::OutOfReach, 2..) => format!("At their limits: {bones}."),
            _ => String::new(),
        }
    }
}

/// The speed of a spring's tip below which nobody sees it move, in skeleton units per second.
const STILL: f32 = 0.5;

/// Returns a word for the motion of `modifier` of `rig`, if it is a spring.
fn motion_of(rig: &Rig, modifier: &Modifier) -> Option<&'static str> {
    let is_spring = matches!(modifier.solver, Solver::Spring(_));
    let mut modifiers = rig.modifiers.iter();
    let index = modifiers.position(|other| std::ptr::eq(other, modifier));
    let index = index.filter(|_| is_spring)?;
    let is_still = rig.shown(index).tip_velocity().length() < STILL;
    Some(if is_still { "At rest" } else { "Swinging" })
}

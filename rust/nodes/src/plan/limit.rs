//! Joint limits as a plan and a pass use them: the trait of their nodes, and what is planned of
//! each.

use std::cell::Cell;
use std::f32::consts::{FRAC_PI_4, PI};
use std::sync::atomic::{AtomicUsize, Ordering};

use godot::classes::{Bone2D, Engine};
use godot::obj::{DynGd, InstanceId};
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{Bone, Limit, LimitSpace};

use crate::engine::children::children_of;
use crate::engine::departed::find;
use crate::engine::shared::Shared;
use crate::engine::space::to_solver;
use crate::plan::change::set;
use crate::warnings::log::warn;
use crate::warnings::problem::Problem;

/// A node that limits how far the bone above it may turn.
pub(crate) trait JointLimit: 'static {
    /// Its properties, which it shares with the plan.
    fn shared(&self) -> &Shared<SharedLimit>;
}

/// A joint limit node, whatever its class.
pub(super) type LimitNode = DynGd<Node, dyn JointLimit>;

/// A limit's properties, as its node and the plan share them.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct LimitSettings {
    pub(crate) active: bool,
    /// The least angle from the rest, radians.
    pub(crate) min: f32,
    /// The greatest angle from the rest, radians.
    pub(crate) max: f32,
    pub(crate) space: LimitSpace,
    pub(crate) stiffness: f32,
}

/// The properties of a limit, which a pass reads without a call.
pub(crate) struct SharedLimit {
    pub(crate) settings: Cell<LimitSettings>,
    /// The causes that the running game was warned of, as bits of [`Problem::bit`].
    warned: Cell<u64>,
}

impl Default for SharedLimit {
    fn default() -> Self {
        Self {
            settings: Cell::new(LimitSettings {
                active: true,
                min: -FRAC_PI_4,
                max: FRAC_PI_4,
                space: LimitSpace::Parent,
                stiffness: 0.0,
            }),
            warned: Cell::new(0),
        }
    }
}

impl LimitSettings {
    /// The problem with the numbers, if there is one.
    pub(crate) fn problem(&self) -> Option<Problem> {
        let sum = self.max - self.min + self.stiffness;
        if !sum.is_finite() {
            Some(Problem::LimitNotFinite)
        } else if self.min > self.max {
            Some(Problem::LimitReversed)
        } else {
            None
        }
    }
}

/// The limits of `bone`. Only the first one counts.
pub(crate) fn limits_of(bone: &Gd<Bone2D>) -> impl Iterator<Item = LimitNode> + use<> {
    children_of(bone).filter_map(|child| child.try_dynify::<dyn JointLimit>().ok())
}

/// Has the editor update the configuration warnings of all limits below `node`.
pub(crate) fn update_warnings_of_limits_below(node: &Gd<Node>) {
    for child in children_of(node) {
        match child.try_dynify::<dyn JointLimit>() {
            Ok(limit) => update_warnings(&limit),
            Err(child) => update_warnings_of_limits_below(&child),
        }
    }
}

/// Has the editor update the configuration warnings of `limit`. Deferred: the tree is changing now.
fn update_warnings(limit: &LimitNode) {
    let mut node = (**limit).clone();
    node.call_deferred("update_configuration_warnings", &[]);
}

/// The zeros that a bone's angles are measured from, in the rest pose.
#[derive(Clone, Copy)]
pub(crate) struct RestAngles {
    /// The direction of the bone's X axis in the parent's frame, radians.
    pub(crate) in_parent: f32,
    /// The direction of the bone's X axis in the skeleton's frame, radians.
    pub(crate) in_skeleton: f32,
}

impl RestAngles {
    pub(crate) fn of(bone: &Gd<Bone2D>) -> Result<Self, Problem> {
        let direction = |rest: Transform2D| {
            let axis = to_solver(rest.a);
            let is_set = axis.is_finite() && axis != Vec2::ZERO;
            is_set.then(|| axis.to_angle())
        };
        let rest = direction(bone.get_rest()).zip(direction(bone.get_skeleton_rest()));
        let (in_parent, in_skeleton) = rest.ok_or_else(|| Problem::LimitWithoutRest {
            bone: bone.get_name().to_string(),
        })?;
        Ok(Self {
            in_parent,
            in_skeleton,
        })
    }
}

/// A limit on a bone that the plan knows.
pub(crate) struct PlannedLimit {
    /// Index of the bone.
    bone: usize,
    node: InstanceId,
    rest: Result<RestAngles, Problem>,
    shared: Shared<SharedLimit>,
    /// Further limits of the bone, which do not count.
    others: Vec<(InstanceId, Shared<SharedLimit>)>,
}

impl PlannedLimit {
    /// The limit of `node`, the plan's bone `index`, if it has one.
    pub(crate) fn find(node: &Gd<Bone2D>, index: usize) -> Option<Self> {
        let in_editor = Engine::singleton().is_editor_hint();
        let mut limits = limits_of(node).map(|limit| {
            if in_editor {
                update_warnings(&limit);
            }
            let shared = limit.dyn_bind().shared().clone();
            (limit.instance_id(), shared)
        });
        let (first, shared) = limits.next()?;
        Some(Self {
            bone: index,
            node: first,
            rest: RestAngles::of(node),
            shared,
            others: limits.collect(),
        })
    }

    /// Returns `true` if its bone has further limits.
    pub(super) fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Warns a running game, once, of the bone's limits that do not count.
    pub(super) fn warn_of_others(&self) {
        let first = find::<Node>(self.node);
        let first = first.map_or_else(String::new, |node| node.get_name().to_string());
        for (other, shared) in &self.others {
            let first = first.clone();
            shared.warn(*other, &Problem::SecondLimit { first });
        }
    }

    /// Gives its bone the limit as it is now. Returns whether that changes it.
    pub(crate) fn gather(&self, bones: &mut [Bone]) -> bool {
        let bone = &mut bones[self.bone];
        let settings = self.shared.settings.get();
        let limit = match (&self.rest, &settings.problem()) {
            _ if !settings.active => None,
            (Ok(rest), None) => Some(limit_of(settings, *rest, bone.scale.x < 0.0)),
            (Err(problem), _) | (_, Some(problem)) => {
                self.shared.warn(self.node, problem);
                None
            }
        };
        set(&mut bone.limit, limit)
    }
}

/// How often properties of any limit have changed.
static CHANGES: AtomicUsize = AtomicUsize::new(0);

/// Returns another number than before if properties of any limit have changed: else no pass reads them.
pub(crate) fn changes_of_limits() -> usize {
    CHANGES.load(Ordering::Relaxed)
}

impl SharedLimit {
    /// Changes the properties.
    pub(crate) fn change(&self, change: impl FnOnce(&mut LimitSettings)) {
        let mut settings = self.settings.get();
        change(&mut settings);
        self.settings.set(settings);
        CHANGES.fetch_add(1, Ordering::Relaxed);
    }

    /// Warns a running game of `problem` with `limit`, the node, once.
    pub(crate) fn warn(&self, limit: InstanceId, problem: &Problem) {
        let warned = self.warned.replace(self.warned.get() | problem.bit());
        if warned != self.warned.get()
            && !Engine::singleton().is_editor_hint()
            && let Some(node) = find::<Node>(limit)
        {
            warn(&node, problem);
        }
    }
}

/// The solver's limit. If the bone's own X scale is negative, its X axis points half a turn away
/// from its rotation.
pub(crate) fn limit_of(settings: LimitSettings, rest: RestAngles, mirrored_x: bool) -> Limit {
    let direction = match settings.space {
        LimitSpace::Parent => rest.in_parent,
        LimitSpace::Skeleton => rest.in_skeleton,
    };
    Limit {
        rest: if mirrored_x {
            direction + PI
        } else {
            direction
        },
        min: settings.min,
        max: settings.max,
        space: settings.space,
        stiffness: settings.stiffness,
    }
}

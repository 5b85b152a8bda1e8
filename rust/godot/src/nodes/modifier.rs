//! What all modifier nodes have in common.
//!
//! gdext classes cannot inherit from one another, so the shared properties, functions and
//! signals are written once in [`modifier_node!`], which each modifier's file calls, and the
//! pass reaches any of them through the [`Modifier`] trait.

use std::cell::Cell;
use std::rc::Rc;

use godot::obj::{Bounds, bounds};
use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use tendon_solver::{Report, Solver, Status};

use crate::nodes::rig::TendonRig2D;
use crate::plan::problem::Problem;
use crate::plan::wiring::{Print, Wiring};

/// What a modifier asks of the pass.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Settings {
    pub(crate) active: bool,
    /// 0 to 1; NaN counts as 0.
    pub(crate) influence: f32,
    pub(crate) solver: Solver,
    /// The part of the reach over which the chain eases; 0 is off.
    pub(crate) softness: f32,
    /// The greatest factor by which the chain is lengthened; 1 is off.
    pub(crate) stretch: f32,
    /// Whether to start from the base pose rather than from the last solved one.
    pub(crate) from_base_pose: bool,
}

/// A node that changes the pose. Implemented by every modifier class.
pub(crate) trait Modifier: 'static {
    /// The nodes that it works on.
    fn wiring(&self) -> Wiring<'_>;
    /// Its other properties, as they are now.
    fn settings(&self) -> Settings;
    /// What the last pass made of it, shared with the pass, which so need not borrow the node.
    fn result(&self) -> &Rc<Cell<PassResult>>;
    /// How a pass reads it: [`reader_of`] the node itself.
    fn reader(&self) -> Reader;
    /// Whether a property does not count as the others are set, and so is not shown.
    fn hides(&self, _property: &StringName) -> bool {
        false
    }
}

/// What a modifier's properties are set to now.
pub(crate) struct Request {
    pub(crate) print: Print,
    pub(crate) settings: Settings,
}

/// Reads the properties of a modifier, which must be alive.
pub(crate) type Reader = Box<dyn Fn() -> Request>;

/// The reader of `node`. It borrows the node by its own class: a borrow through `DynGd` would
/// allocate, in every pass.
pub(crate) fn reader_of<T>(node: Gd<T>) -> Reader
where
    T: Modifier + GodotClass + Bounds<Declarer = bounds::DeclUser>,
{
    Box::new(move || {
        let modifier = node.bind();
        Request {
            print: modifier.wiring().print(),
            settings: modifier.settings(),
        }
    })
}

/// What a pass left behind for a modifier's `get_…` functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PassResult {
    pub(crate) status: Status,
    /// Skeleton units; infinite while nothing is measured.
    pub(crate) distance: f32,
    /// Global position.
    pub(crate) tip: Vector2,
    pub(crate) iterations: u32,
    /// Skeleton units; 0 when no bone is inside an obstacle.
    pub(crate) penetration: f32,
    /// The causes that have been warned of, as [`Problem::bit`] numbers them.
    warned: u32,
}

impl Default for PassResult {
    fn default() -> Self {
        Self {
            status: Status::Idle,
            distance: f32::INFINITY,
            tip: Vector2::ZERO,
            iterations: 0,
            penetration: 0.0,
            warned: 0,
        }
    }
}

/// What a change of status means to those who listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Reached,
    Lost,
}

impl Change {
    /// The name of the signal that tells of it.
    pub(crate) fn signal(self) -> &'static str {
        match self {
            Self::Reached => "target_reached",
            Self::Lost => "target_lost",
        }
    }
}

impl PassResult {
    /// Changes a shared result.
    pub(crate) fn update<R>(shared: &Cell<Self>, change: impl FnOnce(&mut Self) -> R) -> R {
        let mut result = shared.get();
        let returned = change(&mut result);
        shared.set(result);
        returned
    }

    /// Takes over the report of a pass, with the tip in global coordinates.
    pub(crate) fn publish(&mut self, report: &Report, tip: Vector2) -> Option<Change> {
        self.distance = report.distance;
        self.tip = tip;
        self.iterations = report.iterations;
        self.penetration = report.penetration;
        self.set_status(report.status)
    }

    /// Takes over what is left of a distance, with the tip in global coordinates.
    pub(crate) fn measure(&mut self, distance: f32, tip: Vector2) {
        self.distance = distance;
        self.tip = tip;
    }

    /// Forgets the last pass: nothing is being solved now.
    pub(crate) fn go_idle(&mut self) -> Option<Change> {
        self.distance = f32::INFINITY;
        self.iterations = 0;
        self.penetration = 0.0;
        self.set_status(Status::Idle)
    }

    fn set_status(&mut self, status: Status) -> Option<Change> {
        let before = std::mem::replace(&mut self.status, status);
        match (before == Status::Reached, status == Status::Reached) {
            (false, true) => Some(Change::Reached),
            (true, false) => Some(Change::Lost),
            _ => None,
        }
    }

    /// Whether `problem` is one that the running game has not been told of yet.
    pub(crate) fn is_news(&mut self, problem: &Problem) -> bool {
        let seen = self.warned;
        self.warned |= problem.bit();
        problem.is_worth_a_warning() && self.warned != seen
    }
}

/// The nearest rig above `node`, if there is one.
pub(crate) fn rig_above(node: &Gd<Node>) -> Option<Gd<TendonRig2D>> {
    let mut next = node.get_parent();
    while let Some(parent) = next {
        match parent.try_cast::<TendonRig2D>() {
            Ok(rig) => return Some(rig),
            Err(parent) => next = parent.get_parent(),
        }
    }
    None
}

/// Tells the rig above `node` that its modifiers are no longer what they were.
pub(crate) fn announce(node: &Gd<Node>) {
    if let Some(rig) = rig_above(node) {
        rig.bind().plan_again();
    }
}

/// The configuration warnings of `node`, a modifier or an effector.
pub(crate) fn warnings_of(node: &Gd<Node>) -> PackedStringArray {
    let problems = match rig_above(node) {
        Some(rig) => rig.bind().problems_of(node),
        None => vec![Problem::NoRig],
    };
    problems
        .iter()
        .map(|problem| GString::from(&problem.to_string()))
        .collect()
}

/// Takes a property out of the inspector. It is stored as before.
pub(crate) fn hide(property: &mut PropertyInfo) {
    let rest = property.usage.ord() & !PropertyUsageFlags::EDITOR.ord();
    property.usage = PropertyUsageFlags::from_ord(rest);
}

/// Declares a modifier's class: the bones, the other fields and the accessors of its own, and all
/// that modifiers share.
// Its attributes are token trees: what they document would else be lost on the editor's help.
macro_rules! modifier_node {
    (
        $(# $attribute:tt)*
        $name:ident { $($bones:tt)* } { $($own:tt)* } $(impl { $($functions:tt)* })?
    ) => {
        $(# $attribute)*
        #[derive(GodotClass)]
        #[class(tool, init, base = Node)]
        pub struct $name {
            /// If `false`, this modifier leaves the pose as it is.
            #[export]
            #[init(val = true)]
            active: bool,
            /// How much of the result is applied, from `0.0` (the pose before this modifier) to
            /// `1.0`. The rig's own `influence` multiplies it.
            #[export(range = (0.0, 1.0, 0.001))]
            #[init(val = 1.0)]
            influence: f32,
            $($bones)*
            /// What to reach for or to look at. It may be anywhere in the scene, but not on a
            /// bone that this modifier moves.
            #[export_group(name = "Target")]
            #[export]
            target: Link<Node2D>,
            $($own)*
            result: Rc<Cell<PassResult>>,
            base: Base<Node>,
        }

        #[godot_api]
        impl $name {
            /// The modifier is inactive or not fully configured.
            #[cfg(false)]
            #[constant]
            const STATUS_IDLE: i64 = 0;
            /// The tip is at the target, or the bone looks at it.
            #[cfg(false)]
            #[constant]
            const STATUS_REACHED: i64 = 1;
            /// The target cannot be reached; the nearest possible pose was applied.
            #[cfg(false)]
            #[constant]
            const STATUS_OUT_OF_REACH: i64 = 2;
            /// Something is not finite or has zero scale; the bones were left alone. It recovers
            /// by itself.
            #[cfg(false)]
            #[constant]
            const STATUS_INVALID: i64 = 3;

            /// Emitted when the target has become reached.
            #[signal]
            fn target_reached();

            /// Emitted when the target is no longer reached.
            #[signal]
            fn target_lost();

            /// How the last solve ended: one of the `STATUS_*` constants. It tells of the solver's
            /// result, whatever part of it `influence` applies; `get_target_distance` tells what
            /// is left.
            #[func]
            fn get_status(&self) -> StatusOf<Self> {
                self.result.get().status.into()
            }

            /// What was left between the tip and the target after the last pass, in the
            /// skeleton's units (pixels, unless the skeleton is scaled). Infinite while the
            /// modifier is not configured.
            #[func]
            fn get_target_distance(&self) -> f32 {
                self.result.get().distance
            }

            /// Where the tip was after the last pass, in global coordinates.
            #[func]
            fn get_tip_position(&self) -> Vector2 {
                self.result.get().tip
            }

            /// How many iterations the last solve took.
            #[func]
            fn get_iterations(&self) -> i64 {
                i64::from(self.result.get().iterations)
            }

            $($($functions)*)?
        }

        #[godot_api]
        impl INode for $name {
            #[func(gd_self)]
            fn enter_tree(this: Gd<Self>) {
                announce(&this.upcast());
            }

            #[func(gd_self)]
            fn exit_tree(this: Gd<Self>) {
                let result = Rc::clone(&this.bind().result);
                PassResult::update(&result, PassResult::go_idle);
                announce(&this.upcast());
            }

            fn on_validate_property(&self, property: &mut PropertyInfo) {
                if self.hides(&property.property_name) {
                    hide(property);
                }
            }

            #[func(gd_self)]
            fn get_configuration_warnings(this: Gd<Self>) -> PackedStringArray {
                warnings_of(&this.upcast())
            }
        }
    };
}
pub(crate) use modifier_node;

//! The enum `Status` that every modifier class has.

use std::marker::PhantomData;

use godot::meta::GodotConvert;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use tendon_solver::Status;

use crate::engine::class_enum::{enum_shape, register_enum};

/// Registers the enum of the class `C`.
pub(super) fn register_status<C: GodotClass>() {
    let constants = STATUSES.map(|(name, status)| (name, code(status)));
    register_enum::<C>("Status", &constants);
}

/// The statuses as scripts see them, in the order of their numbers.
const STATUSES: [(&str, Status); 4] = [
    ("STATUS_IDLE", Status::Idle),
    ("STATUS_REACHED", Status::Reached),
    ("STATUS_OUT_OF_REACH", Status::OutOfReach),
    ("STATUS_INVALID", Status::Invalid),
];

fn code(status: Status) -> i64 {
    match status {
        Status::Idle => 0,
        Status::Reached => 1,
        Status::OutOfReach => 2,
        Status::Invalid => 3,
    }
}

/// A status, as a value of the enum `Status` of the class `C`.
pub(super) struct StatusOf<C>(Status, PhantomData<C>);

impl<C> From<Status> for StatusOf<C> {
    fn from(status: Status) -> Self {
        Self(status, PhantomData)
    }
}

impl<C: GodotClass> GodotConvert for StatusOf<C> {
    type Via = i64;

    fn godot_shape() -> GodotShape {
        enum_shape(format!("{}.Status", C::class_id()).into(), &[])
    }
}

impl<C: GodotClass> ToGodot for StatusOf<C> {
    type Pass = godot::meta::conv::ByValue;

    fn to_godot(&self) -> i64 {
        code(self.0)
    }
}

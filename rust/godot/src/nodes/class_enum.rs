//! Enums that scripts know by name, such as `TendonRig2D.CallbackModeProcess`.
//!
//! gdext registers a class's constants one by one, and enums not at all. Here the constants are
//! registered as the values of an enum, and the Rust types say which enum they are. What documents
//! the constants stands with their class all the same, as `#[constant]` items that are not
//! compiled: one that is registered twice would be an error.

use std::borrow::Cow;
use std::marker::PhantomData;

use godot::meta::GodotConvert;
use godot::meta::shape::{EnumeratorShape, GodotShape};
use godot::prelude::*;
use godot::register::private::constant::{ConstantKind, ExportConstant, IntegerConstant};
use tendon_solver::Status;

use crate::nodes::ccd::TendonCCDIK2D;
use crate::nodes::fabrik::TendonFABRIK2D;
use crate::nodes::joint_limit::{Space, TendonJointLimit2D};
use crate::nodes::look_at::TendonLookAt2D;
use crate::nodes::rig::{CallbackModeProcess, TendonRig2D};
use crate::nodes::two_bone::TendonTwoBoneIK2D;

/// Registers the enums of all classes, which have been registered themselves.
pub(crate) fn register_all() {
    register::<TendonRig2D>(
        "CallbackModeProcess",
        &[
            (
                "CALLBACK_MODE_PROCESS_PHYSICS",
                CallbackModeProcess::Physics as i64,
            ),
            (
                "CALLBACK_MODE_PROCESS_IDLE",
                CallbackModeProcess::Idle as i64,
            ),
            (
                "CALLBACK_MODE_PROCESS_MANUAL",
                CallbackModeProcess::Manual as i64,
            ),
            (
                "CALLBACK_MODE_PROCESS_FRAME_END",
                CallbackModeProcess::FrameEnd as i64,
            ),
        ],
    );
    register::<TendonJointLimit2D>(
        "Space",
        &[
            ("SPACE_PARENT", Space::Parent as i64),
            ("SPACE_SKELETON", Space::Skeleton as i64),
        ],
    );
    register_status::<TendonLookAt2D>();
    register_status::<TendonTwoBoneIK2D>();
    register_status::<TendonCCDIK2D>();
    register_status::<TendonFABRIK2D>();
}

fn register_status<C: GodotClass>() {
    let constants = STATUSES.map(|(name, status)| (name, code(status)));
    register::<C>("Status", &constants);
}

fn register<C: GodotClass>(name: &str, constants: &[(&str, i64)]) {
    let constants = constants.iter();
    let enumerators = constants.map(|&(name, value)| IntegerConstant::new(name, value));
    let kind = ConstantKind::Enum {
        name: name.into(),
        enumerators: enumerators.collect(),
    };
    ExportConstant::new(C::class_id(), kind).register();
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
pub(crate) struct StatusOf<C> {
    status: Status,
    class: PhantomData<C>,
}

impl<C> From<Status> for StatusOf<C> {
    fn from(status: Status) -> Self {
        Self {
            status,
            class: PhantomData,
        }
    }
}

impl<C: GodotClass> GodotConvert for StatusOf<C> {
    type Via = i64;

    fn godot_shape() -> GodotShape {
        shape(format!("{}.Status", C::class_id()).into(), &[])
    }
}

impl<C: GodotClass> ToGodot for StatusOf<C> {
    type Pass = godot::meta::conv::ByValue;

    fn to_godot(&self) -> i64 {
        code(self.status)
    }
}

/// The shape of the enum `name`, whose values the inspector shows as `labels`.
pub(crate) fn shape(name: Cow<'static, str>, labels: &'static [EnumeratorShape]) -> GodotShape {
    GodotShape::Enum {
        variant_type: VariantType::INT,
        enumerators: Cow::Borrowed(labels),
        godot_name: Some(name),
        is_bitfield: false,
    }
}

/// Makes a Rust enum a property type of the enum `$name` of a class, with the labels that the
/// inspector shows.
macro_rules! class_enum {
    ($type:ident, $name:literal, [$($variant:ident = $label:literal),+]) => {
        impl godot::meta::GodotConvert for $type {
            type Via = i64;

            fn godot_shape() -> godot::meta::shape::GodotShape {
                use godot::meta::shape::EnumeratorShape;
                const LABELS: &[EnumeratorShape] =
                    &[$(EnumeratorShape::new_int($label, $type::$variant as i64)),+];
                crate::nodes::class_enum::shape($name.into(), LABELS)
            }
        }

        impl ToGodot for $type {
            type Pass = godot::meta::conv::ByValue;

            fn to_godot(&self) -> i64 {
                *self as i64
            }
        }

        impl FromGodot for $type {
            fn try_from_godot(via: i64) -> Result<Self, ConvertError> {
                match via {
                    $(value if value == Self::$variant as i64 => Ok(Self::$variant),)+
                    value => Err(ConvertError::new(format!("{value} is no value of {}", $name))),
                }
            }
        }
    };
}
pub(crate) use class_enum;

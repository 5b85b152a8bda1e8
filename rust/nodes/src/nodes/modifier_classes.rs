//! The list of all modifier classes, from which their registration follows. All places of a new one: CONTRIBUTING.md,
//! *Add a modifier*.

use crate::engine::guarded_methods::SharedClass;
use crate::engine::notifications::Notified;
use crate::nodes::modifier::EditedModifier;
use crate::nodes::status_enum::register_status;

/// All modifier classes. A new one is added here.
pub(super) const MODIFIERS: &[ListedModifier] = &[
    ListedModifier::of::<super::look_at::TendonLookAt2D>(),
    ListedModifier::of::<super::two_bone::TendonTwoBoneIK2D>(),
    ListedModifier::of::<super::ccd::TendonCCDIK2D>(),
    ListedModifier::of::<super::fabrik::TendonFABRIK2D>(),
    ListedModifier::of::<super::full_body::TendonFullBody2D>(),
    ListedModifier::of::<super::spring::TendonSpring2D>(),
    ListedModifier::of::<super::spline_ik::TendonSplineIK2D>(),
    ListedModifier::of::<super::copy_transform::TendonCopyTransform2D>(),
    ListedModifier::of::<super::slider::TendonSlider2D>(),
    ListedModifier::of::<super::trail::TendonTrail2D>(),
    ListedModifier::of::<super::wave::TendonWave2D>(),
    ListedModifier::of::<super::foot_placement::TendonFootPlacement2D>(),
    ListedModifier::of::<super::gait::TendonGait2D>(),
    ListedModifier::of::<super::ragdoll::TendonRagdoll2D>(),
    ListedModifier::of::<super::custom_modifier::TendonCustomModifier2D>(),
];

/// A modifier class in the list.
pub(super) struct ListedModifier {
    pub(super) shared: SharedClass,
    /// Registers its enums.
    pub(super) register_enums: fn(),
}

impl ListedModifier {
    const fn of<C: EditedModifier + Notified>() -> Self {
        Self {
            shared: SharedClass::readable::<C>(),
            register_enums: || {
                register_status::<C>();
                C::register_enums();
            },
        }
    }
}

//! The list of all modifier classes. Enums, menu entries and everything else that goes through the
//! classes follow from it.

use godot::classes::Bone2D;
use godot::meta::ClassId;
use godot::obj::bounds::MemManual;
use godot::obj::{Bounds, NewAlloc};
use godot::prelude::*;

use crate::engine::guarded_methods::SharedClass;
use crate::nodes::modifier::{EditedModifier, MenuEntry};
use crate::nodes::status_enum::register_status;

/// All modifier classes, in the order of the menu. A new one is added here.
pub const MODIFIERS: &[ListedModifier] = &[
    ListedModifier::of::<super::look_at::TendonLookAt2D>(),
    ListedModifier::of::<super::two_bone::TendonTwoBoneIK2D>(),
    ListedModifier::of::<super::ccd::TendonCCDIK2D>(),
    ListedModifier::of::<super::fabrik::TendonFABRIK2D>(),
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
#[derive(Clone, Copy)]
pub struct ListedModifier {
    pub menu: MenuEntry,
    pub(super) shared: SharedClass,
    class: fn() -> ClassId,
    new: fn() -> Gd<Node>,
    /// Registers its enums.
    pub(super) register_enums: fn(),
}

impl ListedModifier {
    const fn of<C>() -> Self
    where
        C: EditedModifier + GodotClass<Base = Node> + NewAlloc + Bounds<Memory = MemManual>,
    {
        Self {
            menu: C::MENU,
            shared: SharedClass::readable::<C>(),
            class: C::class_id,
            new: || C::new_alloc().upcast(),
            register_enums: || {
                register_status::<C>();
                C::register_enums();
            },
        }
    }

    /// The class of `node`, if that is a modifier.
    pub fn find(node: &Gd<Node>) -> Option<&'static Self> {
        let mut classes = MODIFIERS.iter();
        classes.find(|listed| node.is_class(&listed.class()))
    }

    /// The first and the last bone of `node`, a modifier.
    pub fn end_bones(node: &Gd<Node>) -> Option<[Option<Gd<Bone2D>>; 2]> {
        let ends = Self::find(node)?.menu.bones.ends()?;
        Some(ends.map(|property| node.get(property).try_to().ok()))
    }

    /// The name of the class.
    pub fn class(&self) -> String {
        (self.class)().to_string()
    }

    /// A new node of the class.
    pub fn instantiate(&self) -> Gd<Node> {
        (self.new)()
    }
}

//! `TendonCopyTransform2D`.

mod source;

use std::hash::Hash;

use godot::classes::Bone2D;
use godot::prelude::*;
use godot::register::info::PropertyInfo;
use tendon_solver::glam::Vec2;
use tendon_solver::{CopyTransform, Mapping, MappingSettings};

use self::source::{PlannedSource, rest_of};
use crate::engine::afterwards::notify_property_list_changed;
use crate::engine::class_enum::class_enum;
use crate::engine::link::Link;
use crate::engine::property::set_range;
use crate::engine::space::InSolver;
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::chain::{ChainProperties, Joints, UNKNOWN};
use crate::plan::change::set;
use crate::plan::class::{Gathered, ModifierClass, PlannedNodes};
use crate::plan::locate::{Gather, Stale};
use crate::plan::node_reference::NodeReference;
use crate::plan::search::Search;
use crate::plan::tip::BoneTip;
use crate::warnings::problem::Problem;

class_enum! {
    /// A part of a transform.
    Channel is TendonCopyTransform2D.Channel and tendon_solver::Channel {
        /// The `rotation`, in radians.
        #[default]
        Rotation: "Rotation", CHANNEL_ROTATION;
        /// The X coordinate of the `position`.
        PositionX: "Position X", CHANNEL_POSITION_X;
        /// The Y coordinate of the `position`.
        PositionY: "Position Y", CHANNEL_POSITION_Y;
        /// The `scale` of the X axis.
        ScaleX: "Scale X", CHANNEL_SCALE_X;
        /// The `scale` of the Y axis.
        ScaleY: "Scale Y", CHANNEL_SCALE_Y;
    }
}

impl Channel {
    /// The hint for the inspector: the range, step and unit of its values.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Rotation => "-360,360,0.1,or_less,or_greater,radians_as_degrees",
            Self::PositionX | Self::PositionY => {
                "-1000,1000,0.01,or_less,or_greater,hide_slider,suffix:px"
            }
            Self::ScaleX | Self::ScaleY => "-4,4,0.001,or_less,or_greater,hide_slider",
        }
    }
}

class_enum! {
    /// The space in which channels are read and written: relative to parents, to the skeleton or to the canvas.
    Space is TendonCopyTransform2D.Space and tendon_solver::Space {
        /// Values are relative to the parent of each node.
        #[default]
        Parent: "Parent", SPACE_PARENT;
        /// Values are relative to the skeleton.
        Skeleton: "Skeleton", SPACE_SKELETON;
        /// Values are global.
        Global: "Global", SPACE_GLOBAL;
    }
}

modifier_node! {
    /// Copies one motion to a bone, or maps it: the rotation, position or scale of a bone or of any
    /// [Node2D] becomes the rotation, position or scale of the bone.
    ///
    /// Use it for gears that turn each other, for a dial that opens a jaw, for an eyelid that
    /// follows the eye, and to spread the twist of a chest along a spine. A value from [member
    /// source_min] to [member source_max] becomes one from [member bone_min] to [member bone_max]:
    /// with a range from `0.0` to `-2.0` a small gear turns twice as far, the other way round.
    ///
    /// Without a [member source] the bone does not inherit the rotation of its parent: a lantern
    /// that stays upright, or a platform of a Ferris wheel. Set [member space] for that.
    ///
    /// Rotations are followed through whole turns: from frame to frame the source takes the shorter
    /// way. A [TendonJointLimit2D] below the bone limits the rotation. Like every solved pose, the
    /// result is never saved.
    ///
    /// Add it below a [TendonRig2D].
    ///
    /// ```gdscript
    /// # The jaw opens by up to 40 degrees while the dial turns by a quarter.
    /// var jaw: TendonCopyTransform2D = TendonCopyTransform2D.new()
    /// jaw.bone = $Skeleton2D/Head/Jaw
    /// jaw.source = $Dial
    /// jaw.source_max = PI / 2
    /// jaw.bone_max = deg_to_rad(40)
    /// jaw.clamp = true
    /// $Skeleton2D/TendonRig2D.add_child(jaw)
    /// ```
    ///
    /// Tutorial: the chapter *Copied transforms* of the manual,
    /// `addons/tendon/manual/copied-transforms.html`.
    TendonCopyTransform2D {
        /// The bone to move. Without a bone the modifier is idle. Example: the jaw.
        #[export]
        bone: Link<Bone2D>,
        /// What is copied: a bone of the skeleton, as the modifiers above this one have posed it,
        /// or any other [Node2D] in the scene. It must not be the bone itself or below it. If
        /// empty, the bone keeps its own direction in [member space]: it does not inherit the
        /// rotation of its parent.
        ///
        /// Example: the dial that opens the jaw, or the gear that turns this one.
        #[export]
        #[var(set = set_source)]
        source: Link<Node2D>,
    } {
        /// Which value of the source is read. The default is [constant CHANNEL_ROTATION]. Example:
        /// [constant CHANNEL_POSITION_Y] for a jaw that opens as a button is pressed.
        #[export_group(name = "Mapping")]
        #[export]
        #[var(get = get_source_channel, set = set_source_channel)]
        source_channel: Channel,
        /// The value of the source that becomes [member bone_min]: radians, pixels or a factor.
        /// The default, `0.0`, suits a dial that begins at its rest pose.
        #[export]
        source_min: f32,
        /// The value of the source that becomes [member bone_max]. It may be less than [member
        /// source_min]. If both are equal, the mapping is a switch: [member bone_min] below this
        /// value, and [member bone_max] from there on. Example: `PI / 2` for a dial that is at its
        /// end after a quarter turn. The default, `1.0`, maps one to one with the other defaults.
        #[export]
        #[init(val = 1.0)]
        source_max: f32,
        /// If `true`, a source outside of the range from [member source_min] to [member source_max]
        /// counts as the nearer end of the range. If the range is at most one turn, whole turns of
        /// the source are then ignored. The default is `false`. Example: on for a jaw, off for
        /// gears.
        #[export]
        clamp: bool,
        /// Which value of the bone is written. The default is [constant CHANNEL_ROTATION]. Example:
        /// [constant CHANNEL_SCALE_Y] for an eyelid.
        #[export]
        #[var(get = get_bone_channel, set = set_bone_channel)]
        bone_channel: Channel,
        /// What [member source_min] becomes: radians, pixels or a factor. The default, `0.0`, suits
        /// a jaw that is closed then.
        #[export]
        bone_min: f32,
        /// What [member source_max] becomes. If it is less than [member bone_min], the motion is
        /// inverted. The default, `1.0`, copies one to one with the other defaults. Example: `-2.0`
        /// for a gear with half as many teeth as the one that it copies.
        #[export]
        #[init(val = 1.0)]
        bone_max: f32,
        /// Where both values are read and written. The default, [constant SPACE_PARENT], takes the
        /// `rotation`, `position` and `scale` of the nodes as the inspector shows them. [constant
        /// SPACE_SKELETON] and [constant SPACE_GLOBAL] take them relative to the skeleton or to the
        /// canvas, whatever the parents of the nodes are. Example: [constant SPACE_SKELETON] for a
        /// lantern that stays upright.
        #[export]
        #[var(get = get_space, set = set_space)]
        space: Space,
        /// If `true`, the default, values count from the rest pose: rotations and positions as
        /// differences, scales as factors. A source that is not a bone has no rest pose, and its
        /// values are used as they are. If `false`, values are absolute. Example: on for gears, off
        /// for a bone that copies the exact rotation of another one.
        #[export]
        #[init(val = true)]
        relative: bool,
        /// If `true`, the result is added to the pose that the bone has from animations and the
        /// modifiers above this one; a scale multiplies it. If `false`, the default, it replaces
        /// that pose. Example: on for a breathing motion on top of a walk.
        #[export]
        additive: bool,
    } impl {
        #[func]
        fn set_source(&mut self, source: Option<Gd<Node2D>>) {
            let had_source = self.has_source();
            Link::var_set(&mut self.source, source);
            if self.has_source() != had_source {
                notify_property_list_changed(&self.to_gd());
            }
        }

        #[func]
        fn get_source_channel(&self) -> Channel {
            self.source_channel
        }

        #[func]
        fn set_source_channel(&mut self, channel: Channel) {
            self.source_channel = channel;
            notify_property_list_changed(&self.to_gd());
        }

        #[func]
        fn get_space(&self) -> Space {
            self.space
        }

        #[func]
        fn set_space(&mut self, space: Space) {
            self.space = space;
        }

        #[func]
        fn get_bone_channel(&self) -> Channel {
            self.bone_channel
        }

        #[func]
        fn set_bone_channel(&mut self, channel: Channel) {
            self.bone_channel = channel;
            notify_property_list_changed(&self.to_gd());
        }
    }
}

/// The nodes of a copied transform, as a plan knows them.
pub(crate) struct CopyNodes {
    tip: BoneTip,
    source: Option<PlannedSource>,
}

impl TendonCopyTransform2D {
    fn has_source(&self) -> bool {
        self.source.is_set()
    }

    fn chain(&self) -> ChainProperties<'_> {
        ChainProperties {
            joints: Joints::One(("bone", &self.bone)),
            tip: None,
            moves_tip_bone: false,
        }
    }

    /// Returns `true` if it works without a source, too.
    fn may_copy_nothing(&self) -> bool {
        self.space != Space::Parent
    }
}

impl ModifierClass for TendonCopyTransform2D {
    type Nodes = CopyNodes;
    type Solver = CopyTransform;

    fn references(&self) -> impl Hash {
        (
            self.chain(),
            &self.source,
            self.may_copy_nothing(),
            self.relative,
        )
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(CopyNodes, CopyTransform), Problem> {
        let mut chain = self.chain().find(search.bones)?;
        search.bones.reads_rest |= self.relative;
        let mut source = PlannedSource::find(search.bones, &self.source, chain.root)?;
        if source.is_none() && !self.may_copy_nothing() {
            return Err(Problem::NothingToCopy);
        }
        let driven = search.bones.node(chain.root).filter(|_| self.relative);
        let rest = driven.map(rest_of).transpose()?;
        if let Some(source) = source.as_mut().filter(|_| self.relative) {
            source.count_from_rest(search.bones)?;
        }
        chain.report(search);
        let mapping = Mapping {
            source: source.as_ref().map(PlannedSource::for_solver),
            rest,
        };
        let solver = CopyTransform::new(chain.root, UNKNOWN, mapping);
        let tip = chain.tip;
        Ok((CopyNodes { tip, source }, solver))
    }

    fn set(&self, into: &mut CopyTransform) -> bool {
        let settings = MappingSettings {
            source_channel: self.source_channel.in_solver(),
            bone_channel: self.bone_channel.in_solver(),
            source_range: Vec2::new(self.source_min, self.source_max),
            bone_range: Vec2::new(self.bone_min, self.bone_max),
            clamp: self.clamp,
            space: self.space.in_solver(),
            relative: self.relative,
            additive: self.additive,
        };
        set(&mut into.settings, settings)
    }
}

impl Gathered<CopyTransform> for CopyNodes {
    fn gather(&self, from: &Gather<'_>, into: &mut CopyTransform) -> Result<bool, Stale> {
        let changes = set(&mut into.end, self.tip.locate(from)?);
        match &self.source {
            Some(source) => Ok(source.gather(from, &mut into.mapping.source)? | changes),
            None => Ok(changes),
        }
    }
}

impl PlannedNodes for CopyNodes {
    fn node_references(&self) -> Vec<NodeReference<'_>> {
        let source = self.source.iter();
        let source = source.map(|source| NodeReference::Input(&source.input));
        std::iter::once(NodeReference::Tip(&self.tip))
            .chain(source)
            .collect()
    }

    fn takes_directions(&self) -> bool {
        self.source.is_some()
    }

    fn subject_of_memory(&self) -> Option<InstanceId> {
        self.source.as_ref().map(|source| source.input.node.id())
    }
}

impl EditedModifier for TendonCopyTransform2D {
    fn register_enums() {
        Channel::register::<Self>();
        Space::register::<Self>();
    }

    fn hides(&self, property: &StringName) -> bool {
        const OF_SOURCE: &str = "source_channel source_min source_max clamp bone_channel \
            bone_min bone_max additive";
        !self.has_source() && OF_SOURCE.split(' ').any(|name| *property == name)
    }

    fn describe(&self, property: &mut PropertyInfo) {
        let name = property.property_name.to_string();
        let channel = match name.as_str() {
            "source_min" | "source_max" => self.source_channel,
            "bone_min" | "bone_max" => self.bone_channel,
            _ => return,
        };
        set_range(property, channel.hint());
    }
}

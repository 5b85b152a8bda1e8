//! `TendonSlider2D`.

mod tracks;

use std::hash::Hash;

use std::cell::Cell;

use godot::classes::{AnimationPlayer, Bone2D};
use godot::prelude::*;
use godot::register::info::{PropertyHint, PropertyInfo};
use tendon_solver::glam::Vec2;
use tendon_solver::{Rig, Slider, SliderSettings, SliderSource, SolverKind};

use self::tracks::PlannedAnimation;
use crate::engine::afterwards::notify_property_list_changed;
use crate::engine::link::Link;
use crate::engine::property::set_range;
use crate::engine::space::InSolver;
use crate::nodes::copy_transform::Channel;
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::change::set;
use crate::plan::class::{Gathered, ModifierClass, PlannedNodes};
use crate::plan::locate::{Gather, Input, Stale};
use crate::plan::node_reference::NodeReference;
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

modifier_node! {
    /// Scrubs an animation: the rotation, position or scale of a bone or of any [Node2D] says at
    /// which time of an animation the bones are posed.
    ///
    /// Use it for faces that are posed with a few controls, for doors, reload gestures and dials.
    /// A value from [member source_min] to [member source_max] becomes a time from [member
    /// time_min] to [member time_max], and the bones get what the animation has at that time.
    ///
    /// Only tracks of bones of this skeleton count: value and Bézier tracks of `rotation`,
    /// `position` and `scale`, also of one coordinate, such as `position:x`. Tracks that are
    /// disabled, and those of other nodes or properties, are ignored. The [AnimationPlayer] itself
    /// is neither played nor sought, and may play something else meanwhile.
    ///
    /// Rotations of the source are followed through whole turns: from frame to frame it takes the
    /// shorter way. A [TendonJointLimit2D] below a bone limits its rotation. Like every solved pose,
    /// the result is never saved.
    ///
    /// Add it below a [TendonRig2D].
    ///
    /// ```gdscript
    /// # A quarter turn of the wheel opens the door.
    /// var door: TendonSlider2D = TendonSlider2D.new()
    /// door.source = $Wheel
    /// door.source_max = PI / 2
    /// door.animation_player = $AnimationPlayer
    /// door.animation = "open"
    /// $Skeleton2D/TendonRig2D.add_child(door)
    /// ```
    ///
    /// Tutorial: the chapter *Sliders* of the manual, `addons/tendon/manual/sliders.html`.
    TendonSlider2D {
        /// What is read: a bone of the skeleton, as the modifiers above this one have posed it, or
        /// any other [Node2D] in the scene. Its own `rotation`, `position` or `scale` counts, as the
        /// inspector shows it. Example: the bone of a control in front of a face.
        #[export]
        source: Link<Node2D>,
        /// The player that has the animation. It is only read.
        #[export]
        #[var(set = set_animation_player)]
        animation_player: Link<AnimationPlayer>,
        /// The name of the animation, as in [method AnimationMixer.get_animation]: with the name of
        /// its library, if that has one. Changes of its keys show at once.
        #[export]
        animation: StringName,
    } {
        /// Which value of the source is read: one of the `CHANNEL_*` constants of
        /// [TendonCopyTransform2D]. The default is
        /// [constant TendonCopyTransform2D.CHANNEL_ROTATION].
        #[export_group(name = "Mapping")]
        #[export]
        #[var(get = get_channel, set = set_channel)]
        channel: Channel,
        /// The value of the source that becomes [member time_min]: radians, pixels or a factor. The
        /// default is `0.0`.
        #[export]
        source_min: f32,
        /// The value of the source that becomes [member time_max]. It may be less than [member
        /// source_min]. If both are equal, the slider is a switch: [member time_min] below this
        /// value, and [member time_max] from there on. More than a turn is counted: with `4 * PI`
        /// two turns of a dial go through the animation. The default is `1.0`.
        #[export]
        #[init(val = 1.0)]
        source_max: f32,
        /// The time of the animation for [member source_min], in seconds. The default, `0.0`, is its
        /// beginning.
        #[export(range = (0.0, 10.0, 0.001, or_less, or_greater, suffix = "s"))]
        time_min: f32,
        /// The time of the animation for [member source_max], in seconds. If it is less than
        /// [member time_min], the animation runs backwards. A value below zero, as the default, `-1.0`, is the
        /// end of the animation, whatever its length.
        #[export(range = (-1.0, 10.0, 0.001, or_less, or_greater, suffix = "s"))]
        #[init(val = -1.0)]
        time_max: f32,
        /// If `true`, the part from [member time_min] to [member time_max] begins again when the
        /// source goes on: a crank. If `false`, the default, a source beyond its range counts as the
        /// nearer end. If the range is at most one turn, whole turns of the source are then ignored.
        #[export]
        #[var(rename = loop)]
        loops: bool,
        /// If `true`, the difference between the animation and the rest pose is added to the pose
        /// that the bones have from animations and the modifiers above this one; a scale multiplies
        /// it. Several sliders then act together. If `false`, the default, the animation replaces
        /// that pose.
        #[export]
        additive: bool,
        /// The length of the animation, in seconds, as the plan has found it.
        length: Cell<f32>,
    } impl {
        #[func]
        fn set_animation_player(&mut self, animation_player: Option<Gd<AnimationPlayer>>) {
            Link::var_set(&mut self.animation_player, animation_player);
            notify_property_list_changed(&self.to_gd());
        }

        #[func]
        fn get_channel(&self) -> Channel {
            self.channel
        }

        #[func]
        fn set_channel(&mut self, channel: Channel) {
            self.channel = channel;
            notify_property_list_changed(&self.to_gd());
        }
    }
}

impl TendonSlider2D {
    /// The time for the end of the source's range.
    fn end(&self) -> f32 {
        match self.time_max < 0.0 {
            true => self.length.get(),
            false => self.time_max,
        }
    }
}

/// The nodes of a slider, as a plan knows them.
pub(crate) struct SliderNodes {
    source: Input,
    /// `true` if the source is one of the skeleton's bones. The pose has it.
    is_bone: bool,
    animation: PlannedAnimation,
}

impl ModifierClass for TendonSlider2D {
    type Nodes = SliderNodes;
    type Solver = Slider;

    fn references(&self) -> impl Hash {
        let player = (&self.animation_player, &self.animation);
        (&self.source, player, self.additive)
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(SliderNodes, Slider), Problem> {
        let source = search.bones.find_input(("source", &self.source), None);
        let (source, input) = source.map_err(|problem| match problem {
            Problem::Missing { .. } => Problem::NothingScrubs,
            problem => problem,
        })?;
        let player = search.bones.linked(&self.animation_player);
        let player = player.ok_or(Problem::NoPlayer)?;
        search.bones.depend_on(&player);
        let bone = source.clone().try_cast::<Bone2D>().ok();
        let bone = bone.and_then(|bone| search.bones.index(&bone));
        let (animation, samples) =
            PlannedAnimation::find(search, player, &self.animation, self.additive)?;
        self.length.set(animation.length());
        let scrubs = match bone {
            Some(bone) => SliderSource::Bone(bone),
            None => SliderSource::Node(input.local().map_err(|Stale| Problem::NothingScrubs)?),
        };
        let nodes = SliderNodes {
            source: input,
            is_bone: bone.is_some(),
            animation,
        };
        Ok((nodes, Slider::new(scrubs, samples)))
    }

    fn set(&self, into: &mut Slider) -> bool {
        let settings = SliderSettings {
            channel: self.channel.in_solver(),
            source_range: Vec2::new(self.source_min, self.source_max),
            time_range: Vec2::new(self.time_min, self.end()),
            loops: self.loops,
            additive: self.additive,
        };
        set(&mut into.settings, settings)
    }
}

impl Gathered<Slider> for SliderNodes {
    fn gather(&self, _: &Gather<'_>, into: &mut Slider) -> Result<bool, Stale> {
        if !self.source.is_inside_tree()? || !self.animation.is_current() {
            return Err(Stale);
        }
        if self.is_bone {
            return Ok(false);
        }
        let source = SliderSource::Node(self.source.local()?);
        Ok(set(&mut into.source, source))
    }
}

impl PlannedNodes for SliderNodes {
    fn node_references(&self) -> Vec<NodeReference<'_>> {
        vec![NodeReference::Input(&self.source)]
    }

    fn takes_directions(&self) -> bool {
        true
    }

    fn subject_of_memory(&self) -> Option<InstanceId> {
        Some(self.source.node.id())
    }

    /// Samples the animation, at the time that the source says as the modifiers above have left it.
    fn prepare(&self, _node: &Gd<Node>, rig: &mut Rig, index: usize) {
        let time = rig.shown(index).slider_time();
        let slider = Slider::of(&mut rig.modifiers[index].solver);
        if let (Some(time), Some(slider)) = (time, slider) {
            self.animation.sample(time, &mut slider.samples);
        }
    }
}

impl EditedModifier for TendonSlider2D {
    fn describe(&self, property: &mut PropertyInfo) {
        match property.property_name.to_string().as_str() {
            "source_min" | "source_max" => set_range(property, self.channel.hint()),
            "animation" => {
                let player = self.animation_player.get();
                let names = player.map(|player| player.get_animation_list());
                let names = names.unwrap_or_default();
                let names: Vec<_> = names.as_slice().iter().map(GString::to_string).collect();
                property.hint_info.hint = PropertyHint::ENUM_SUGGESTION;
                property.hint_info.hint_string = GString::from(&names.join(","));
            }
            _ => {}
        }
    }
}

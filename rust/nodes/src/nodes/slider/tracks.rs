//! The animation of a slider: which of its tracks are of bones, and what is sampled of them at a time.

use godot::classes::animation::TrackType;
use godot::classes::{Animation, AnimationPlayer, Bone2D};
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::{Channel, Rest, Sample};

use crate::engine::frame_calls::Live;
use crate::engine::of_node::OfNode;
use crate::engine::skeleton::is_rest;
use crate::engine::space::{frame_of, to_solver};
use crate::plan::bones::Bones;
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

/// An animation of a player, with its tracks of bones.
pub(super) struct PlannedAnimation {
    player: Live<AnimationPlayer>,
    name: StringName,
    /// The animation that the player has under that name.
    animation: OfNode<Gd<Animation>>,
    /// The path of the node from which the paths of the tracks begin.
    root: NodePath,
    /// By their bones, as the samples are.
    tracks: Vec<Track>,
}

/// A track of a bone.
struct Track {
    index: i32,
    is_bezier: bool,
    /// The channels of its values: one channel, or both of a vector.
    channels: &'static [Channel],
}

impl PlannedAnimation {
    /// The animation `name` of `player`, and what is to be sampled of it. With `additive`, the rest
    /// poses count.
    pub(super) fn find(
        search: &mut Search<'_>,
        player: Gd<AnimationPlayer>,
        name: &StringName,
        additive: bool,
    ) -> Result<(Self, Vec<Sample>), Problem> {
        let (title, animation) = (player.get_name().to_string(), name.to_string());
        let Some(found) = animation_of(&player, name) else {
            let player = title;
            return Err(Problem::NoAnimation { player, animation });
        };
        let resource = found.clone().upcast();
        search
            .bones
            .resources
            .push((player.clone().upcast(), resource));
        let root = player.get_root_node();
        let mut driven = tracks_of(search.bones, &player, &found);
        let skipped = skipped_tracks(&found, &driven);
        if driven.is_empty() {
            return Err(Problem::NoBoneTracks { animation });
        }
        if let Some(tracks) = skipped {
            let animation = animation.clone();
            let skipped = Problem::SkippedTracks { animation, tracks };
            search.flaws.push(skipped);
        }
        // Parents first, as the solver has them.
        driven.sort_by_key(|&(bone, _)| bone);
        search.bones.reads_rest |= additive;
        let mut samples = Vec::new();
        for (bone, track) in &driven {
            let rest = search.bones.node(*bone).filter(|_| additive);
            let rest = rest.map(rest_of).transpose()?;
            samples.extend(track.channels.iter().map(|&channel| Sample {
                bone: *bone,
                channel,
                value: 0.0,
                rest: rest.map_or(0.0, |(rest, scale)| rest.value(channel, to_solver(scale))),
            }));
        }
        let player = Live::new(player);
        let planned = Self {
            name: name.clone(),
            animation: OfNode::new(&player, found),
            player,
            root,
            tracks: driven.into_iter().map(|(_, track)| track).collect(),
        };
        Ok((planned, samples))
    }

    /// Returns `true` if the player still has the animation, and finds the nodes of its tracks from the same
    /// node.
    pub(super) fn is_current(&self) -> bool {
        self.player.alive().is_some_and(|player| {
            animation_of(player, &self.name).as_ref() == self.animation.get().as_deref()
                && player.get_root_node() == self.root
        })
    }

    /// The length of the animation, in seconds.
    pub(super) fn length(&self) -> f32 {
        let animation = self.animation.get();
        animation.map_or(0.0, |animation| animation.get_length())
    }

    /// Reads what the tracks have at `time`, in seconds, into `samples`. What is no number is NaN,
    /// which the solver refuses.
    pub(super) fn sample(&self, time: f64, samples: &mut [Sample]) {
        let Some(animation) = self.animation.get() else {
            return;
        };
        let mut samples = samples.iter_mut();
        for track in &self.tracks {
            let values = track.values(&animation, time);
            let samples = samples.by_ref().take(track.channels.len());
            for (sample, value) in samples.zip(values) {
                sample.value = value;
            }
        }
    }
}

impl Track {
    /// Its values at `time`, in seconds: as many as it has channels, and anything after that.
    fn values(&self, animation: &Gd<Animation>, time: f64) -> [f32; 2] {
        if self.is_bezier {
            return [animation.bezier_track_interpolate(self.index, time), 0.0];
        }
        let value = animation.value_track_interpolate(self.index, time);
        match self.channels.len() {
            1 => [
                value.try_to_relaxed::<f64>().unwrap_or(f64::NAN) as f32,
                0.0,
            ],
            _ => {
                let value = value.try_to_relaxed::<Vector2>();
                value.map_or([f32::NAN; 2], |value| [value.x, value.y])
            }
        }
    }
}

fn animation_of(player: &Gd<AnimationPlayer>, name: &StringName) -> Option<Gd<Animation>> {
    let has_it = player.has_animation(name);
    has_it.then(|| player.get_animation(name)).flatten()
}

/// The tracks of bones of the skeleton, which become part of the plan, with the indices of the bones.
fn tracks_of(
    bones: &mut Bones,
    player: &Gd<AnimationPlayer>,
    animation: &Gd<Animation>,
) -> Vec<(usize, Track)> {
    // Outside the tree, the engine would complain of a path that begins at the root.
    let is_inside = player.is_inside_tree();
    let root = is_inside.then(|| player.get_node_or_null(&player.get_root_node()));
    let root = root.flatten();
    let indices = 0..animation.get_track_count();
    let tracks = indices.filter_map(|index| {
        let is_bezier = match animation.track_get_type(index) {
            TrackType::VALUE => false,
            TrackType::BEZIER => true,
            _ => return None,
        };
        let has_keys = animation.track_get_key_count(index) > 0;
        if !animation.track_is_enabled(index) || !has_keys {
            return None;
        }
        let path = animation.track_get_path(index);
        let property = path.get_concatenated_subnames().to_string();
        let channels = channels_of(&property, is_bezier)?;
        let node = root.as_ref()?.get_node_or_null(&path)?;
        let bone = bones.index(&node.try_cast::<Bone2D>().ok()?)?;
        let track = Track {
            index,
            is_bezier,
            channels,
        };
        Some((bone, track))
    });
    tracks.collect()
}

/// The paths of the tracks with keys that are not among `driven`, if there are any.
fn skipped_tracks(animation: &Gd<Animation>, driven: &[(usize, Track)]) -> Option<String> {
    let is_driven = |index: i32| driven.iter().any(|(_, track)| track.index == index);
    let indices = 0..animation.get_track_count();
    let skipped = indices.filter(|&index| {
        let has_keys = animation.track_get_key_count(index) > 0;
        has_keys && animation.track_is_enabled(index) && !is_driven(index)
    });
    let paths = skipped.map(|index| format!("\"{}\"", animation.track_get_path(index)));
    let paths: Vec<_> = paths.collect();
    (!paths.is_empty()).then(|| paths.join(", "))
}

/// The channels of a track of `property`, if bones can be posed by it.
fn channels_of(property: &str, is_bezier: bool) -> Option<&'static [Channel]> {
    Some(match property {
        "rotation" => &[Channel::Rotation],
        "position" if !is_bezier => &[Channel::PositionX, Channel::PositionY],
        "position:x" => &[Channel::PositionX],
        "position:y" => &[Channel::PositionY],
        "scale" if !is_bezier => &[Channel::ScaleX, Channel::ScaleY],
        "scale:x" => &[Channel::ScaleX],
        "scale:y" => &[Channel::ScaleY],
        _ => return None,
    })
}

/// The rest pose of `bone`, and its present scale.
fn rest_of(bone: &Gd<Bone2D>) -> Result<(Rest, Vector2), Problem> {
    let rest = bone.get_rest();
    if !is_rest(rest) {
        let bone = bone.get_name().to_string();
        return Err(Problem::AdditiveWithoutRest { bone });
    }
    let (mount, frame) = (Affine2::IDENTITY, frame_of(rest));
    Ok((Rest { mount, frame }, bone.get_scale()))
}

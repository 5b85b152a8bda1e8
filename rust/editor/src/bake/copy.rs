//! Writes what is baked: into the animation, or into a copy of it.

use godot::classes::Animation;
use godot::prelude::*;
use tendon_nodes::nodes::new_names::first_free;

use crate::action::Action;
use crate::bake::reset;
use crate::bake::subject::BakeSubject;
use crate::bake::tracks::replace_tracks;
use crate::refusal::Refusal;

/// Puts `tracks` into the animation of `subject` in place of those at the indices `replaced`, as the undo step
/// called `title`. If there is an `ending`, a copy gets them, with that after its name. Returns the name of the
/// animation that has them.
///
/// # Errors
/// Why that is not possible.
pub(super) fn write(
    subject: &BakeSubject,
    tracks: &Gd<Animation>,
    replaced: &[i32],
    ending: Option<&str>,
    (scene, title): (&Gd<Node>, &str),
) -> Result<String, Refusal> {
    let mut action = Action::begin(title, scene)?;
    reset::add_tracks(&subject.player, tracks, &subject.root, scene, &mut action);
    let name = match ending {
        Some(ending) => add_copy(subject, ending, tracks, replaced, &mut action)?,
        None => {
            replace_tracks(&subject.animation, tracks, replaced, &mut action);
            subject.name.to_string()
        }
    };
    action.commit();
    Ok(name)
}

/// Adds a copy of the animation to its library. Returns its name there.
fn add_copy(
    subject: &BakeSubject,
    ending: &str,
    tracks: &Gd<Animation>,
    replaced: &[i32],
    action: &mut Action,
) -> Result<String, Refusal> {
    let (player, animation) = (&subject.player, &subject.animation);
    let library = player.find_animation_library(animation);
    let key = library.to_string();
    let library = player.get_animation_library(&library);
    let library = library.ok_or("The animation is in no library of the player.")?;
    let mut copy = animation.duplicate_resource();
    for &track in replaced.iter().rev() {
        copy.remove_track(track);
    }
    for track in 0..tracks.get_track_count() {
        tracks.clone().copy_track(track, &copy);
    }
    let own = subject.name.to_string();
    let stem = own.rsplit('/').next().unwrap_or_default().to_owned() + ending;
    let name = first_free(&stem, "_", |name| !library.has_animation(name.as_str()));
    let arguments = [StringName::from(&name).to_variant(), copy.to_variant()];
    action.when_done(&library, "add_animation", &arguments);
    action.when_undone(&library, "remove_animation", &arguments[..1]);
    Ok(match key.is_empty() {
        true => name,
        false => format!("{key}/{name}"),
    })
}

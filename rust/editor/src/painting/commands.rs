//! What the buttons of the panel do: for the marked vertices, or for all.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_skin::glam::DVec2;
use tendon_skin::{Brush, Cover, Mirror, Options, Painting, Weights};

use crate::painting::panel::Panel;
use crate::painting::weighed::WeighedPolygon;
use crate::posing::exchange::other_sides;
use crate::refusal::Refusal;
use crate::skin::polygon::{bones_in, part_of};
use crate::skin::reshape::Before;
use crate::skin::rest::{told_of_rest, without_rest};

#[derive(Clone, Copy)]
pub(super) enum PanelCommand {
    Smooth,
    Mirror,
    WeighAgain,
}

impl PanelCommand {
    fn title(self) -> &'static str {
        match self {
            Self::Smooth => "Smooth Weights",
            Self::Mirror => "Mirror Weights",
            Self::WeighAgain => "Weigh Again",
        }
    }

    /// Does it as one undo step, and returns what to tell the user.
    ///
    /// # Errors
    /// Why it is not possible; nothing is changed then.
    pub(super) fn carry_out(
        self,
        weighed: &WeighedPolygon,
        panel: &Panel,
        marked: Option<&[bool]>,
    ) -> Result<String, Refusal> {
        let painting = Painting::new(weighed.mesh().clone(), panel.locked());
        let count = weighed.mesh().vertices.len();
        let amounts = match marked {
            Some(marked) => marked.iter().map(|&it| f64::from(u8::from(it))).collect(),
            None => vec![1.0; count],
        };
        let before = &weighed.weights;
        let after = match self {
            Self::Smooth => painting.paint(before, Brush::Smooth, &amounts),
            Self::Mirror => {
                let mirror = mirror(weighed, panel.chosen()?)?;
                painting.mirror(before, &mirror, &amounts)
            }
            Self::WeighAgain => {
                check_rests(weighed)?;
                let fresh = weigh(weighed, &movers(weighed)?)?;
                painting.replace(before, &fresh, &amounts)
            }
        };
        let stored = Before::of(&weighed.polygon);
        weighed.give(&after);
        if !stored.has_other_weights() {
            return Ok(format!("{}: nothing has changed.", self.title()));
        }
        stored.keep(self.title())?;
        let touched = amounts.iter().filter(|&&amount| amount > 0.0).count();
        let which = if marked.is_some() { "marked" } else { "all" };
        let mut told = format!("{}: {which} vertices, {touched} of {count}.", self.title());
        let moves = |weights: &Weights, bone: usize| weights.of_bone(bone).any(|it| it > 0.0);
        let new = weighed.bones.iter().enumerate();
        let new = new.filter(|&(bone, _)| moves(&after, bone) && !moves(before, bone));
        let new: Vec<String> = new.map(|(_, bone)| bone.get_name().to_string()).collect();
        if matches!(self, Self::WeighAgain) && !new.is_empty() {
            told += &format!(" New: {}.", new.join(", "));
        }
        let locked = panel.locked_names();
        if !locked.is_empty() {
            told += &format!(" Locked, and as before: {}.", locked.join(", "));
        }
        Ok(told)
    }
}

/// # Errors
/// That a bone that hangs on one that moves the polygon has no rest pose: it is new, and would be left out.
fn check_rests(weighed: &WeighedPolygon) -> Result<(), Refusal> {
    let moves = |bone: usize| weighed.weights.of_bone(bone).any(|weight| weight > 0.0);
    let is_bare = !(0..weighed.bones.len()).any(moves);
    let hangs_on = |above: Gd<Node>| {
        let bones = &weighed.bones;
        let bone = bones
            .iter()
            .position(|bone| bone.instance_id() == above.instance_id());
        is_bare || bone.is_some_and(moves)
    };
    let new = weighed.bones.iter().filter_map(without_rest);
    let mut new = new.filter(|bone| bone.get_parent().is_some_and(hangs_on));
    match new.next() {
        Some(bone) => Err(told_of_rest(&bone)),
        None => Ok(()),
    }
}

/// The bones that move the polygon, and those that were added to them since: they run through it, and hang on one that moves it, or one
/// that moves it hangs on them. If no bone moves it, all that run through it.
///
/// # Errors
/// Returns an error if the polygon has no triangles, or its bones cannot be used.
pub(super) fn movers(weighed: &WeighedPolygon) -> Result<Vec<usize>, Refusal> {
    let count = weighed.bones.len();
    let has_weight = |bone: usize| weighed.weights.of_bone(bone).any(|weight| weight > 0.0);
    let mut moves: Vec<bool> = (0..count).map(has_weight).collect();
    // A bone without a rest pose is of no use for what is new.
    let rested: Vec<usize> = (0..count)
        .filter(|&it| without_rest(&weighed.bones[it]).is_none())
        .collect();
    let bones: Vec<Gd<Bone2D>> = rested.iter().map(|&it| weighed.bones[it].clone()).collect();
    if bones.is_empty() {
        return Ok((0..count).filter(|&it| moves[it]).collect());
    }
    let part = part_of(&weighed.polygon, &bones)?;
    let places = bones_in(&weighed.polygon, &bones)?;
    let inside = Cover::movers(&[part], &places).into_iter().next();
    let inside: Vec<usize> = inside.map_or(Vec::new(), |it| it.bones);
    if !moves.contains(&true) {
        return Ok(inside.into_iter().map(|it| rested[it]).collect());
    }
    for _ in 0..inside.len() {
        for &bone in &inside {
            let above = places[bone].parent;
            let is_below = above.is_some_and(|above| moves[rested[above]]);
            let is_above = (0..places.len())
                .any(|other| places[other].parent == Some(bone) && moves[rested[other]]);
            moves[rested[bone]] |= is_below || is_above;
        }
    }
    Ok((0..count).filter(|&it| moves[it]).collect())
}

/// The weights of these bones that the polygon would get now.
///
/// # Errors
/// Returns an error if the bones cannot be used, or there are no weights for them.
pub(super) fn weigh(weighed: &WeighedPolygon, chosen: &[usize]) -> Result<Weights, Refusal> {
    let bones: Vec<Gd<Bone2D>> = chosen.iter().map(|&it| weighed.bones[it].clone()).collect();
    let places = bones_in(&weighed.polygon, &bones)?;
    let weights = Weights::new(weighed.mesh(), &places, Options::default().reach)
        .map_err(|fault| fault.to_string())?;
    Ok(weights.renumbered(chosen))
}

/// The line between the side of a bone, which is copied, and the other one.
fn mirror(weighed: &WeighedPolygon, bone: usize) -> Result<Mirror, Refusal> {
    let others = other_sides(&weighed.bones)?;
    let name = weighed.bones[bone].get_name();
    let partner = others[bone].filter(|&other| other != bone).ok_or_else(|| {
        format!(
            "\"{name}\" has no bone on the other side. Choose a bone of the side that is to be copied; names tell \
             the sides, as ArmLeft and ArmRight."
        )
    })?;
    let places = bones_in(&weighed.polygon, &weighed.bones)?;
    let middle = |bone: usize| {
        let [from, to] = places[bone].segments[0];
        (from + to) / 2.0
    };
    let way = middle(bone) - middle(partner);
    let (mut towards, mut place, mut count) = (DVec2::ZERO, DVec2::ZERO, 0.0);
    for (bone, other) in (0..others.len()).filter_map(|it| Some((it, others[it]?))) {
        let apart = middle(bone) - middle(other);
        if bone != other && apart.dot(way) > 0.0 {
            towards += apart;
            place += (middle(bone) + middle(other)) / 2.0;
            count += 1.0;
        }
    }
    if towards.length() < 1.0 {
        return Err(format!(
            "\"{name}\" and \"{}\" lie on each other: there is no line between two sides.",
            weighed.bones[partner].get_name()
        )
        .into());
    }
    Ok(Mirror {
        place: place / count,
        towards: towards.normalize(),
        partners: (0..others.len())
            .map(|it| others[it].unwrap_or(it))
            .collect(),
    })
}

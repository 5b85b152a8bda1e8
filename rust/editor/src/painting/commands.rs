//! What the buttons of the panel do: for the marked vertices, or for all.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_skin::glam::DVec2;
use tendon_skin::{Brush, Mirror, Options, Painting, Weights};

use crate::painting::panel::Panel;
use crate::painting::weighed::Weighed;
use crate::posing::exchange::other_sides;
use crate::refusal::Refusal;
use crate::skin::polygon::bones_in;

#[derive(Clone, Copy)]
pub(super) enum Command {
    Smooth,
    Mirror,
    WeighAgain,
}

impl Command {
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
        weighed: &Weighed,
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
            Self::WeighAgain => painting.replace(before, &weigh(weighed)?, &amounts),
        };
        let stored = weighed.stored();
        weighed.give(&after);
        if weighed.stored() == stored {
            return Ok(format!("{}: nothing has changed.", self.title()));
        }
        weighed.keep(&stored, self.title())?;
        let touched = amounts.iter().filter(|&&amount| amount > 0.0).count();
        let which = if marked.is_some() { "marked" } else { "all" };
        let mut told = format!("{}: {which} vertices, {touched} of {count}.", self.title());
        let locked = panel.locked_names();
        if !locked.is_empty() {
            told += &format!(" Locked, and as before: {}.", locked.join(", "));
        }
        Ok(told)
    }
}

/// The weights that the polygon would get now, of the bones that move it; of all if none does.
fn weigh(weighed: &Weighed) -> Result<Weights, Refusal> {
    let moves = |bone: usize| weighed.weights.of_bone(bone).any(|weight| weight > 0.0);
    let mut chosen: Vec<usize> = (0..weighed.bones.len()).filter(|&it| moves(it)).collect();
    if chosen.is_empty() {
        chosen = (0..weighed.bones.len()).collect();
    }
    let bones: Vec<Gd<Bone2D>> = chosen.iter().map(|&it| weighed.bones[it].clone()).collect();
    let places = bones_in(&weighed.polygon, &bones)?;
    let weights = Weights::new(weighed.mesh(), &places, Options::default().reach)
        .map_err(|fault| fault.to_string())?;
    let count = weighed.mesh().vertices.len();
    let mut columns = vec![vec![0.0; count]; weighed.bones.len()];
    for (index, &bone) in chosen.iter().enumerate() {
        columns[bone] = weights.of_bone(index).collect();
    }
    Ok(Weights::from_bones(count, &columns))
}

/// The line between the side of a bone, which is copied, and the other one.
fn mirror(weighed: &Weighed, bone: usize) -> Result<Mirror, Refusal> {
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

//! Polygons in the places of sprites, as one undo step.

use godot::prelude::*;

use crate::action::Action;
use crate::skin::options::SkinOptions;
use crate::skin::polygon;
use crate::skin::selected::Pictures;
use crate::skin::subject::Subject;

/// What weighing a polygon changes.
const WEIGHED: [&str; 2] = ["skeleton", "bones"];

/// Skins the pictures, and returns what to tell the user.
///
/// # Errors
/// Why it is not possible; nothing is changed then.
pub(super) fn skin(
    pictures: &Pictures,
    options: &SkinOptions,
    title: &str,
) -> Result<String, String> {
    let mut subjects = Vec::new();
    for sprite in &pictures.sprites {
        let subject = Subject::new(&sprite.clone().upcast(), pictures.bones.clone())?;
        let subject = match pictures.are_bones_chosen {
            true => subject,
            false => subject.with_bones_under_it(options)?,
        };
        subjects.push(subject);
    }
    let mut weighed = Vec::new();
    for polygon in &pictures.polygons {
        weighed.push((
            polygon,
            polygon::weigh(polygon, &pictures.bones, options.making.reach)?,
        ));
    }
    let made = made(&subjects, options)?;
    let vertices: usize = made.iter().map(|polygon| polygon.get_polygon().len()).sum();
    let mut action = Action::begin(title, &pictures.scene)?;
    for (subject, polygon) in subjects.iter().zip(&made) {
        put(&mut action, subject, &polygon.clone().upcast());
    }
    for (polygon, weights) in &weighed {
        let before = WEIGHED.map(|property| polygon.get(property));
        weights.give(polygon);
        for (property, before) in WEIGHED.into_iter().zip(&before) {
            action.set(*polygon, property, before, &polygon.get(property));
        }
    }
    if !made.is_empty() {
        action.select(
            &made
                .iter()
                .map(|polygon| polygon.clone().upcast::<Node>())
                .collect::<Vec<_>>(),
        );
    }
    action.commit();
    Ok(match made.len() {
        0 => format!("Weighed {} polygons.", weighed.len()),
        count => format!("Made {count} skins with {vertices} vertices. The sprites are hidden."),
    })
}

/// The polygons of all sprites. If one fails, the others are freed.
fn made(
    subjects: &[Subject],
    options: &SkinOptions,
) -> Result<Vec<Gd<godot::classes::Polygon2D>>, String> {
    let mut made = Vec::new();
    for subject in subjects {
        match subject.polygon(options) {
            Ok(polygon) => made.push(polygon),
            Err(reason) => {
                made.into_iter().for_each(Gd::free);
                return Err(reason);
            }
        }
    }
    Ok(made)
}

/// Adds `polygon` where it is drawn as its sprite is, and hides the sprite.
fn put(action: &mut Action, subject: &Subject, polygon: &Gd<Node>) {
    let (parent, _) = subject.place();
    // Below the skeleton, it is drawn after the branch of bones that the sprite is in.
    let mut branch: Gd<Node> = subject.sprite.clone().upcast();
    while let Some(above) = branch.get_parent().filter(|above| *above != parent) {
        branch = above;
    }
    let mut polygon = polygon.clone();
    polygon.set_name(&format!("{}Skin", subject.sprite.get_name()));
    action.add_after(&branch, &polygon);
    let before = subject.sprite.get("visible");
    action.set(&subject.sprite, "visible", &before, &false.to_variant());
}

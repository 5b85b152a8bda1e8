//! `TendonSkin`, for tools in GDScript.

use godot::classes::{Bone2D, Polygon2D, Texture2D};
use godot::prelude::*;
use tendon_nodes::engine::optional::Given;
use tendon_skin::{Cover, Density, Options};

use crate::painting::redrawing::{Fineness, redraw};
use crate::refusal::Refusal;
use crate::selection::listed;
use crate::skin::job::{SkinWork, WorkKind};
use crate::skin::options::SkinOptions;
use crate::skin::picture::wide;
use crate::skin::polygon::{BoneWeights, bones_in, mesh_of, part_of};
use crate::skin::rest::{bones_at_rest, skeleton_of};
use crate::skin::selected::{are_all, told_of_animated, told_of_beside};
use crate::skin::subject::SkinSubject;

/// Makes skins by script: pictures that bend with bones.
///
/// It exists in the editor only, so use it in scripts with `@tool`, such as an `EditorScript`. What it makes is a
/// `Polygon2D` of the engine, which works in every game.
///
/// ```gdscript
/// @tool
/// extends EditorScript
///
/// func _run() -> void:
///     var sprite: Sprite2D = get_scene().get_node("Sprite")
///     var skeleton: Skeleton2D = get_scene().get_node("Skeleton")
///     var bones: Array[Bone2D] = []
///     for index: int in skeleton.get_bone_count():
///         bones.append(skeleton.get_bone(index))
///     var skin: Polygon2D = TendonSkin.make(sprite, bones, {"detail": 16.0})
///     sprite.add_sibling(skin)
///     skin.owner = get_scene()
///     sprite.hide()
/// ```
///
/// The menu entry **Tendon → Skin to Bones…** does the same with undo.
#[derive(GodotClass)]
#[class(tool, no_init, base = Object)]
struct TendonSkin;

#[godot_api]
impl TendonSkin {
    /// Makes a `Polygon2D` that shows what `sprite` shows, and bends with `bones`. With a single bone it stays stiff.
    ///
    /// `sprite` is a `Sprite2D` in the tree. Its texture, region, frame, flips, offset, filter, material and colors are kept. The
    /// polygon is not in the tree. It is made for the parent of the sprite; if the sprite is below a bone, for the
    /// skeleton, because the engine bends a polygon wrongly that itself moves with a bone.
    ///
    /// The bones are those of one skeleton, with rest poses. In the rest pose the polygon looks like the sprite. If they are all
    /// bones of the skeleton, the sprite follows those of them that run through its opaque pixels, as in the menu; if there is none,
    /// the nearest one, stiff, and a warning says so. Other bones move it as they are given.
    ///
    /// `options` may contain:
    ///
    /// - `detail`: how far vertices are apart, in pixels of the texture. They are nearer at joints. By default as far as the
    ///   picture needs.
    /// - `vertices`: about how many vertices there are to be, instead of `detail`.
    /// - `margin`: how far the outline stays from the opaque pixels, in pixels; 0.5 by default, which is what a
    ///   linear filter needs.
    /// - `reach`: about how long the part of a limb is that bends at a joint, in half widths of the limb; 1.5 by default.
    /// - `threshold`: pixels with an alpha of at most this much, from 0 to 254, tie no parts together: a glow between an arm and a body
    ///   is divided in its middle, in a line of about half a pixel. They are covered where they hang together with more opaque ones,
    ///   and not elsewhere. By default all that can be
    ///   seen is covered, but not specks with an alpha of at most 8 that are further than three pixels from the drawing.
    /// - `cuts`: an array of [PackedVector2Array], each a line through points along which the mesh is cut, so that a hand that lies
    ///   on a hip comes off. The points are in pixels of what the sprite shows, from its upper left corner, not flipped. At rest
    ///   nothing is seen of it. Lines may end inside and cross each other; what of them is beside the drawing has no effect.
    ///
    /// - `all_bones`: `true` if all bones that are given are to move the sprite, also if they are all of the skeleton.
    ///
    /// Returns `null` and prints an error if there is nothing to show or to bend.
    #[func]
    fn make(
        sprite: Option<Gd<Node2D>>,
        bones: Array<Gd<Bone2D>>,
        #[opt(default = Given::default())] options: Given,
    ) -> Option<Gd<Polygon2D>> {
        let sprite = sprite.ok_or(Refusal::from("there is no sprite"));
        let made = sprite.and_then(|sprite| {
            let options = SkinOptions::read(&options.0)?;
            let mut subject = SkinSubject::new(&sprite, listed(&bones, "bones")?)?;
            if are_all(&subject.bones) && !options.has_all_bones {
                let part = subject.part(&options)?;
                subject.bones = own_bones("make", &sprite, &subject.bones, part);
            }
            let scene = subject.sprite.get_owner();
            let told = scene.and_then(|scene| told_of_animated(&scene, &[subject.sprite.clone()]));
            if let Some(told) = told {
                godot_warn!("TendonSkin.make: {told}");
            }
            let skin = subject.work(&options)?.run()?;
            Ok(subject.polygon(&skin))
        });
        made.map_err(|reason| godot_error!("TendonSkin.make: {reason}."))
            .ok()
    }

    /// Gives `polygon`, which has weights, a new drawing: its outline becomes that of `texture`, and weights stay by place, also those
    /// that were painted. Where the drawing has grown, weights are computed.
    ///
    /// A texture of another size that has the same proportions counts as the same drawing in another resolution. With other proportions, it
    /// has more or less room around. `options` may contain `detail` or `vertices`, as in [method make]; without them, there are
    /// about as many vertices as before. Returns whether it was possible; if not, an error says why, and nothing has changed.
    #[func]
    fn replace_drawing(
        polygon: Option<Gd<Polygon2D>>,
        texture: Option<Gd<Texture2D>>,
        #[opt(default = Given::default())] options: Given,
    ) -> bool {
        let polygon = polygon.ok_or(Refusal::from("there is no polygon"));
        let replaced = polygon.and_then(|polygon| {
            let texture = texture.ok_or("there is no texture")?;
            let fineness = match SkinOptions::read(&options.0)?.making.density {
                Density::Automatic => Fineness::AsBefore,
                density => Fineness::Of(density),
            };
            redraw(&polygon, &texture, fineness)
        });
        replaced
            .map_err(|reason| godot_error!("TendonSkin.replace_drawing: {reason}."))
            .is_ok()
    }

    /// Gives `polygon` the weights of `bones`, for the vertices and triangles that it has. If they are all bones of the skeleton,
    /// of those that run through it, as in [method make].
    ///
    /// Weights of other bones are lost. If the polygon has no triangles, its outline is used. Unlike
    /// [method make], this does not change weights where a triangle would turn over when a joint bends: large
    /// triangles would carry that far along the limbs. Prints an error if something is missing, and then changes
    /// nothing.
    #[func]
    fn weigh(polygon: Option<Gd<Polygon2D>>, bones: Array<Gd<Bone2D>>) {
        let polygon = polygon.ok_or(Refusal::from("there is no polygon"));
        let weighed = polygon.and_then(|polygon| {
            let mut bones = listed(&bones, "bones")?;
            if are_all(&bones) {
                let part = part_of(&polygon, &bones)?;
                bones = own_bones("weigh", &polygon.clone().upcast(), &bones, part);
            }
            let places = bones_in(&polygon, &bones)?.into_iter();
            let work = SkinWork {
                name: polygon.get_name().to_string(),
                bones: places.map(|bone| bone.below(None)).collect(),
                kind: WorkKind::Weigh(mesh_of(&polygon)?),
                making: Options::default(),
            };
            let skin = work.run()?;
            BoneWeights::new(&skeleton_of(&bones)?, &bones, &skin.weights).give(&polygon);
            Ok(())
        });
        if let Err(reason) = weighed {
            godot_error!("TendonSkin.weigh: {reason}.");
        }
    }
}

/// Those of `bones` that move `picture`.
fn own_bones(
    method: &str,
    picture: &Gd<Node2D>,
    bones: &[Gd<Bone2D>],
    part: Cover,
) -> Vec<Gd<Bone2D>> {
    let movers = Cover::movers(&[part], &bones_at_rest(bones, wide));
    let movers = movers.into_iter().next();
    let are_beside = movers.as_ref().is_some_and(|it| it.are_beside);
    let movers = movers.into_iter().flat_map(|it| it.bones);
    let movers: Vec<_> = movers.map(|bone| bones[bone].clone()).collect();
    if let Some(bone) = movers.first().filter(|_| are_beside) {
        let told = told_of_beside(&picture.get_name(), &bone.get_name());
        godot_warn!("TendonSkin.{method}: {told}");
    }
    movers
}

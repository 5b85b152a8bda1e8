//! One picture with the bones that are to move it.

use godot::classes::{Bone2D, Polygon2D, Skeleton2D, Sprite2D, Texture2D};
use godot::prelude::*;
use tendon_skin::{Bone, Cover, Density, PictureFault, Skin};

use crate::drawn::z_of;
use crate::refusal::Refusal;
use crate::skin::job::{SkinWork, WorkKind};
use crate::skin::options::SkinOptions;
use crate::skin::picture::SpritePicture;
use crate::skin::polygon::{self, BoneWeights};
use crate::skin::rest;

/// The detail of what stays stiff: no vertex but those of the outline.
const STIFF: Density = Density::Detail(1e6);

pub(crate) struct SkinSubject {
    pub(crate) sprite: Gd<Sprite2D>,
    pub(super) skeleton: Gd<Skeleton2D>,
    pub(crate) bones: Vec<Gd<Bone2D>>,
    picture: SpritePicture,
}

impl SkinSubject {
    /// # Errors
    /// Why the picture cannot be moved by these bones.
    pub(crate) fn new(sprite: &Gd<Node2D>, bones: Vec<Gd<Bone2D>>) -> Result<Self, Refusal> {
        let name = sprite.get_name();
        let sprite = sprite.clone().try_cast::<Sprite2D>();
        let sprite = sprite.map_err(|_| format!("\"{name}\" is not a Sprite2D"))?;
        if !sprite.is_inside_tree() {
            return Err(format!("\"{name}\" is not in the tree").into());
        }
        let skeleton = rest::skeleton_of(&bones)?;
        rest::check_frame(&skeleton, &sprite.clone().upcast())?;
        let picture = SpritePicture::of(&sprite)?;
        Ok(Self {
            sprite,
            skeleton,
            bones,
            picture,
        })
    }

    /// Returns the part of the bones that is in the drawing.
    ///
    /// # Errors
    /// That there is nothing to see.
    pub(crate) fn part(&self, options: &SkinOptions) -> Result<Cover, Refusal> {
        let is_seen = |place| self.picture.is_seen(place, options.threshold);
        let places = self.picture.seen_places(options.threshold);
        match places.is_empty() {
            true => Err(format!("\"{}\": {}", self.sprite.get_name(), PictureFault::Empty).into()),
            false => {
                let node = self.sprite.clone().upcast();
                let [held, namesake] = rest::bones_of_part(&self.skeleton, &node, &self.bones);
                let part = Cover::new(&self.bones_in_picture(), held, is_seen, &places);
                Ok(part.named(namesake))
            }
        }
    }

    /// The node that the polygon is to be a child of, and the frame that it has there.
    ///
    /// The engine bends a polygon in the frame that it has in the skeleton when it is drawn. Below a bone, this frame
    /// would change with each pose.
    pub(super) fn place(&self) -> (Gd<Node>, Transform2D) {
        let frame = rest::frame_in(&self.skeleton, &self.sprite.clone().upcast());
        let parent = self.sprite.get_parent();
        match parent.filter(|_| !self.is_below_bone()) {
            Some(parent) => (parent, self.sprite.get_transform()),
            None => (self.skeleton.clone().upcast(), frame),
        }
    }

    fn is_below_bone(&self) -> bool {
        rest::bone_above(&self.skeleton, &self.sprite.clone().upcast()).is_some()
    }

    /// Returns the work to compute, without any node.
    ///
    /// # Errors
    /// That there is nothing to cover.
    pub(crate) fn work(&self, options: &SkinOptions) -> Result<SkinWork, Refusal> {
        let name = self.sprite.get_name().to_string();
        let alpha = self.picture.alpha(options.threshold);
        let mut making = options.making.clone();
        for place in making.cuts.iter_mut().flatten() {
            *place = self.picture.of_drawing(*place);
        }
        if self.bones.len() == 1 && making.density == Density::Automatic {
            making.density = STIFF;
        }
        Ok(SkinWork {
            kind: WorkKind::Skin(alpha.map_err(|reason| format!("\"{name}\": {reason}"))?),
            name,
            bones: self.bones_in_picture(),
            making,
        })
    }

    /// A polygon that shows the picture and is moved by the bones as `skin` says.
    pub(crate) fn polygon(&self, skin: &Skin) -> Gd<Polygon2D> {
        let (parent, frame) = self.place();
        let mut made = polygon::new(&self.picture, &skin.mesh);
        polygon::look_like(&mut made, &self.sprite);
        if self.is_below_bone() {
            // What it had from the bones above, and behind the skeleton it would be behind all bones.
            made.set_z_index(
                z_of(&self.sprite.clone().upcast()) - z_of(&self.skeleton.clone().upcast()),
            );
            made.set_z_as_relative(true);
            made.set_draw_behind_parent(false);
        }
        made.set_transform(frame);
        let way = match self.is_below_bone() {
            true => NodePath::from(".."),
            false => NodePath::from(format!("../{}", parent.get_path_to(&self.skeleton)).as_str()),
        };
        made.set_skeleton(&way);
        BoneWeights::new(&self.skeleton, &self.bones, &skin.weights).give(&made);
        made
    }

    /// The texture, the part of it that is shown, and how many pixels that has.
    pub(super) fn shown(&self) -> (Gd<Texture2D>, Rect2, Vector2) {
        self.picture.shown()
    }

    fn bones_in_picture(&self) -> Vec<Bone> {
        let frame = rest::frame_in(&self.skeleton, &self.sprite.clone().upcast()).affine_inverse();
        rest::bones_at_rest(&self.bones, |place| self.picture.of_sprite(frame * place))
    }
}

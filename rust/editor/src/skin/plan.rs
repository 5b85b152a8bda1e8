//! What is to be made of the selected pictures: the work, and then the undo step.

use godot::classes::{Bone2D, CanvasItem, Polygon2D, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::nodes::rigging::names;
use tendon_skin::Skin;
use tendon_skin::glam::DVec2;

use crate::action::Action;
use crate::notice::counted;
use crate::refusal::Refusal;
use crate::selection::is_edited;
use crate::skin::draw_order::DrawOrder;
use crate::skin::job::{SkinWork, WorkKind};
use crate::skin::options::SkinOptions;
use crate::skin::polygon::{self, BoneWeights};
use crate::skin::replacement::{AfterSkin, OwnNodes, put};
use crate::skin::reshape::Before;
use crate::skin::rest;
use crate::skin::selected::Pictures;
use crate::skin::subject::SkinSubject;

pub(super) struct SkinPlan {
    pictures: Pictures,
    pub(super) subjects: Vec<SkinSubject>,
    skeleton: Gd<Skeleton2D>,
    works: Vec<SkinWork>,
    /// Of each sprite, and then of each polygon.
    movers: Vec<Vec<Gd<Bone2D>>>,
}

impl SkinPlan {
    /// `movers` are the bones of each picture, of sprites and then of polygons, and `cuts` the lines along which sprites are cut, in
    /// the pixels of their pictures.
    ///
    /// # Errors
    /// Why it is not possible.
    pub(super) fn new(
        pictures: &Pictures,
        movers: Vec<Vec<Gd<Bone2D>>>,
        cuts: &[Vec<Vec<DVec2>>],
        options: &SkinOptions,
    ) -> Result<Self, Refusal> {
        let skeleton = rest::skeleton_of(&pictures.bones)?;
        let (mut subjects, mut works) = (Vec::new(), Vec::new());
        for (node, bones) in pictures.nodes().iter().zip(&movers) {
            if bones.is_empty() {
                return Err(format!("no bone is checked for \"{}\"", node.get_name()).into());
            }
        }
        for ((sprite, bones), cuts) in pictures.sprites.iter().zip(&movers).zip(cuts) {
            let subject = SkinSubject::new(&sprite.clone().upcast(), bones.clone())?;
            let mut work = subject.work(options)?;
            work.making.cuts.extend(cuts.iter().cloned());
            works.push(work);
            subjects.push(subject);
        }
        let of_polygons = movers.iter().skip(subjects.len());
        for (polygon, bones) in pictures.polygons.iter().zip(of_polygons) {
            works.push(SkinWork {
                name: polygon.get_name().to_string(),
                kind: WorkKind::Weigh(polygon::mesh_of(polygon)?),
                bones: polygon::bones_in(polygon, bones)?,
                making: options.making.clone(),
            });
        }
        Ok(Self {
            pictures: pictures.clone(),
            subjects,
            skeleton,
            works,
            movers,
        })
    }

    /// Of each picture, in whose pixels their bones are: of sprites, then of polygons.
    pub(super) fn works(&self) -> &[SkinWork] {
        &self.works
    }

    /// The bones that move each picture, of sprites and then of polygons.
    pub(super) fn movers(&self) -> &[Vec<Gd<Bone2D>>] {
        &self.movers
    }

    /// Returns `true` if all nodes are still there.
    pub(super) fn is_there(&self) -> bool {
        self.pictures.are_there() && is_edited(&self.skeleton)
    }

    /// Makes the undo step of what was computed, and returns what to tell the user.
    ///
    /// # Errors
    /// That there is no undo history.
    pub(super) fn carry_out(
        &self,
        skins: &[Skin],
        after: AfterSkin,
        title: &str,
    ) -> Result<String, Refusal> {
        let scene = &self.pictures.scene;
        let own = OwnNodes::of(scene);
        let mut action = Action::begin(title, scene)?;
        let (of_sprites, of_polygons) = skins.split_at(self.subjects.len());
        let mut made: Vec<Gd<Node>> = Vec::new();
        let mut vertices = 0;
        let mut kept = Vec::new();
        let mut covered = Vec::new();
        let replaced = self.subjects.iter().map(|it| it.sprite.instance_id());
        let order = DrawOrder::of(&self.skeleton.clone().upcast(), replaced.collect());
        let mut parts: Vec<_> = self.subjects.iter().zip(of_sprites).collect();
        // Each is put directly beside its branch, between that and those that were put there before.
        parts.sort_by_key(|(subject, _)| std::cmp::Reverse(order.index(&subject.sprite)));
        for (subject, skin) in parts {
            let polygon: Gd<Node> = subject.polygon(skin).upcast();
            vertices += skin.mesh.vertices.len();
            let spot = order.spot(&subject.sprite, &subject.place().0);
            let done = put(&mut action, subject, &polygon, after, &spot, (scene, &own));
            if done == AfterSkin::Hide {
                kept.push(subject.sprite.clone());
            }
            covered.extend(spot.covered);
            made.push(polygon);
        }
        let polygons = self.pictures.polygons.iter().zip(of_polygons);
        let movers = self.movers.iter().skip(self.subjects.len());
        for ((polygon, skin), bones) in polygons.zip(movers) {
            self.weigh(&mut action, polygon, skin, bones);
        }
        if !made.is_empty() {
            action.select(&made);
        }
        action.commit();
        let told = match (made.len(), self.pictures.polygons.len()) {
            (0, count) => format!("Weighed {}.", counted(count, "polygon")),
            (count, _) => format!(
                "Made {} with {vertices} vertices. {}{}",
                counted(count, "skin"),
                after.told(&kept, made.len()),
                told_of_covered(&covered)
            ),
        };
        Ok(told)
    }

    fn weigh(
        &self,
        action: &mut Action,
        polygon: &Gd<Polygon2D>,
        skin: &Skin,
        bones: &[Gd<Bone2D>],
    ) {
        let before = Before::of(polygon);
        BoneWeights::new(&self.skeleton, bones, &skin.weights).give(polygon);
        before.add_to(action);
    }
}

/// Returns the message about pictures that skins are drawn over, and were not.
fn told_of_covered(covered: &[Gd<CanvasItem>]) -> String {
    match covered.is_empty() {
        true => String::new(),
        false => format!(
            " Drawn over {} now, which was in front: make skins of all together, or give it a higher Z Index.",
            names(covered.iter().cloned())
        ),
    }
}

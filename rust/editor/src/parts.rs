//! Makes bones of a cut-out: of sprites, polygons and plain nodes that are parents of each other.
//!
//! A bone takes the place of each part, with its name, its transform, and all else that what is below inherits. The part
//! itself becomes the first child of the bone, at its origin, and is drawn as before.
//!
//! | file | what is in it |
//! |---|---|
//! | [`kinds`] | the nodes that are parts |
//! | [`bone`] | a part, and the bone that it gets |
//! | [`animations`] | the animations that move them |
//! | [`moves`] | the new places of nodes, and the paths that name them |
//! | [`class`] | the call for tools in GDScript |

pub(crate) mod animations;
pub(crate) mod bone;
mod class;
pub(crate) mod kinds;
pub(crate) mod moves;

use godot::classes::{CanvasItem, ConfirmationDialog, EditorInterface, Skeleton2D};
use godot::prelude::*;
use tendon_nodes::nodes::rigging::names;

use crate::action::Action;
use crate::controls;
use crate::notice::counted;
use crate::parts::animations::{SceneTrack, tracks_of};
use crate::parts::bone::{CutOutPart, draw_between, free_name};
use crate::parts::kinds::{gather, tops_of};
use crate::parts::moves::{CallStep, Moves, owners};
use crate::refusal::Refusal;
use crate::selection::{all_within, edited_scene, selected_nodes};

/// Parts that are to become bones.
pub(super) struct PartsToBones {
    scene: Gd<Node>,
    /// The parent of the topmost parts, and then of the skeleton.
    parent: Gd<Node>,
    /// The topmost parts, and what is drawn between them, in their order.
    tops: Vec<Gd<Node>>,
    /// All parts, each after its parent.
    parts: Vec<Gd<Node2D>>,
    tracks: Vec<SceneTrack>,
}

impl PartsToBones {
    /// The parts at and below `chosen` in the scene with the root `scene`.
    ///
    /// # Errors
    /// Why they cannot become bones, with advice what to do.
    pub(super) fn of(scene: &Gd<Node>, chosen: &[Gd<Node>]) -> Result<Self, Refusal> {
        let tracks = tracks_of(scene);
        let tops = tops_of(scene, chosen, &tracks)?;
        let parent = tops.first().and_then(|top| top.get_parent());
        let parent = parent.ok_or("Select parts of this scene.")?;
        let mut parts = Vec::new();
        tops.iter()
            .for_each(|top| gather(top, scene, &tracks, &mut parts));
        let this = Self {
            scene: scene.clone(),
            tops: draw_between(&parent, &tops)?,
            parent,
            parts,
            tracks,
        };
        this.refuse_points()?;
        Ok(this)
    }

    /// The selected ones.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(super) fn selected() -> Result<Self, Refusal> {
        Self::of(&edited_scene()?, &selected_nodes())
    }

    /// Asks in `window` whether they are to become bones.
    pub(super) fn ask(&self, window: &mut Gd<ConfirmationDialog>) {
        window.set_text(&self.describe());
        controls::open(window);
    }

    /// Returns a description of the conversion, for the user.
    fn describe(&self) -> String {
        let bones = names(self.parts.iter().cloned());
        let count = self.parts.len();
        format!(
            "{count} parts become bones of a new Skeleton2D below \"{}\": {bones}.\n\nEach part becomes the first \
             child of its bone. Animations and the paths in this scene are changed to fit; scripts are not.",
            self.parent.get_name()
        )
    }

    /// Makes the bones, as one undo step. Returns notes for the user.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub(super) fn convert(self, title: &str) -> Result<Vec<String>, Refusal> {
        let scene = self.scene.clone();
        let Converted {
            skeleton,
            step,
            notes,
        } = self.converted()?;
        let mut action = Action::begin(title, &scene)?;
        step.add_to(&mut action);
        action.select(&[skeleton.upcast()]);
        action.commit();
        Ok(notes)
    }

    /// The skeleton, and what makes it.
    fn converted(self) -> Result<Converted, Refusal> {
        let mut moves = Moves::new(&self.scene);
        let mut skeleton = Skeleton2D::new_alloc();
        skeleton.set_name(&free_name(&self.parent, "Skeleton2D"));
        moves.place(
            &skeleton.clone().upcast(),
            &self.parent,
            &skeleton.get_name().to_string(),
        );
        let mut parts: Vec<CutOutPart> = Vec::new();
        for node in &self.parts {
            parts.push(CutOutPart::new(node, &self.tracks, &mut moves));
        }
        let made = self.step(&skeleton, &parts, &mut moves);
        let (step, notes) = made.inspect_err(|_| {
            parts.iter().for_each(|part| part.bone.clone().free());
            skeleton.clone().free();
        })?;
        Ok(Converted {
            skeleton,
            step,
            notes,
        })
    }

    fn step(
        &self,
        skeleton: &Gd<Skeleton2D>,
        parts: &[CutOutPart],
        moves: &mut Moves,
    ) -> Result<(CallStep, Vec<String>), Refusal> {
        let root: Gd<Node> = skeleton.clone().upcast();
        for top in &self.tops {
            let heir = moves.mover(top);
            moves.place(&heir, &root, &top.get_name().to_string());
        }
        parts.iter().for_each(|part| part.place_children(moves));
        parts
            .iter()
            .for_each(|part| part.lengthen(moves, &self.tracks));
        self.set_up(skeleton);
        let mut step = CallStep::default();
        self.restructure(&root, parts, moves, &mut step);
        for (node, owner) in owners(&self.tops, &self.parent) {
            let owner = owner.to_variant();
            if moves.drawer(&node) == node {
                step.when_done(&node, "set_owner", std::slice::from_ref(&owner));
            }
            step.when_undone(&node, "set_owner", &[owner]);
        }
        moves.rewrite_properties(&mut step);
        let files = animations::rewrite(moves, &mut step)?;
        let mut notes = vec![format!(
            "Made {}. Everything looks as before.",
            counted(parts.len(), "bone")
        )];
        if !files.is_empty() {
            notes.push(format!(
                "The scene now has copies of the animations in {}, which are as before for others.",
                files.join(", ")
            ));
        }
        let mut nodes = all_within::<Node>(&self.scene).into_iter();
        if nodes.any(|node| node.get_script().is_some()) {
            notes.push(SCRIPTS.into());
        }
        Ok((step, notes))
    }

    /// Sets the properties that the skeleton takes over from the nodes around.
    fn set_up(&self, skeleton: &Gd<Skeleton2D>) {
        let mut skeleton = skeleton.clone();
        if let Ok(parent) = self.parent.clone().try_cast::<CanvasItem>() {
            skeleton.set_y_sort_enabled(parent.is_y_sort_enabled());
            skeleton.set_use_parent_material(parent.get_use_parent_material());
            skeleton.set_material(parent.get_material().as_ref());
        }
        let behind = |top: &Gd<Node>| top.get("show_behind_parent") == true.to_variant();
        skeleton.set_draw_behind_parent(self.tops.iter().all(behind));
    }

    /// Takes the parts out, puts them together anew, and puts the skeleton in their place.
    fn restructure(
        &self,
        root: &Gd<Node>,
        parts: &[CutOutPart],
        moves: &Moves,
        step: &mut CallStep,
    ) {
        let variant = |node: &Gd<Node>| [node.to_variant()];
        let add = |node: &Gd<Node>| [node.to_variant(), true.to_variant()];
        for top in &self.tops {
            step.when_done(&self.parent, "remove_child", &variant(top));
        }
        step.when_undone(&self.parent, "remove_child", &variant(root));
        for top in &self.tops {
            step.when_undone(root, "remove_child", &variant(&moves.mover(top)));
        }
        parts.iter().for_each(|part| part.take_apart(moves, step));
        parts.iter().for_each(|part| part.put_together(moves, step));
        for top in &self.tops {
            step.when_done(root, "add_child", &add(&moves.mover(top)));
            step.when_undone(&self.parent, "add_child", &add(top));
            let place = [top.to_variant(), top.get_index().to_variant()];
            step.when_undone(&self.parent, "move_child", &place);
        }
        step.when_done(&self.parent, "add_child", &add(root));
        if let Some(first) = self.tops.first() {
            let place = [root.to_variant(), first.get_index().to_variant()];
            step.when_done(&self.parent, "move_child", &place);
        }
        let bones = parts.iter().map(|part| part.bone.clone().upcast());
        for node in bones.chain([root.clone()]) {
            step.when_done(&node, "set_owner", &[self.scene.to_variant()]);
            step.new.push(node);
        }
    }

    /// Refuses lines whose points have keys: these bend a limb as no bone does.
    fn refuse_points(&self) -> Result<(), Refusal> {
        let bent = self.tracks.iter().find(|track| {
            let is_points = track.property() == "points" && track.node.is_class("Line2D");
            is_points
                && self
                    .tops
                    .iter()
                    .any(|top| *top == track.node || top.is_ancestor_of(&track.node))
        });
        match bent {
            None => Ok(()),
            Some(track) => Err(format!(
                "The animation \"{}\" has keys for the points of the Line2D \"{}\" (Line2D.points). Bones cannot move \
                 these as it does. Make a part of each piece of the line, or delete that track.",
                track.name,
                track.node.get_name()
            )
            .into()),
        }
    }
}

/// Returns `true` if parts are selected that have others below them.
pub(super) fn are_selected() -> bool {
    edited_scene().is_ok_and(|scene| {
        let nodes = selected_nodes();
        nodes.iter().any(|node| kinds::is_cut_out(node, &scene))
    })
}

/// The window that asks. It calls a method of `plugin`.
pub(super) fn new_window(plugin: &Gd<Node>) -> Gd<ConfirmationDialog> {
    let confirmed = Callable::from_object_method(plugin, "on_parts_confirmed");
    let mut window = controls::new_window("Parts to Bones", "Make Bones", &confirmed);
    window.set_autowrap(true);
    let scale = EditorInterface::singleton().get_editor_scale();
    window.set_min_size(Vector2i::new((480.0 * scale) as i32, 0));
    window
}

const SCRIPTS: &str = "Scripts are not changed. Paths of parts lead elsewhere now, and what the script of a part moves has \
    to be its bone, the parent.";

/// The result of a conversion.
struct Converted {
    skeleton: Gd<Skeleton2D>,
    step: CallStep,
    notes: Vec<String>,
}

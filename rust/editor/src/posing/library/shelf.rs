//! Changes of a library, as undo steps that save it.

use godot::classes::{Bone2D, ResourceLoader, ResourceSaver, Texture2D};
use godot::prelude::*;
use tendon_nodes::engine::optional::BoneList;
use tendon_nodes::nodes::new_names::first_free;
use tendon_nodes::nodes::pose_library::TendonPoseLibrary;

use crate::action::Action;
use crate::posing::exchange::bones_with_rest;
use crate::refusal::Refusal;
use crate::selection::Selection;

/// A library that is changed while the scene `scene` is edited, in whose history the steps are.
pub(super) struct Shelf {
    library: Gd<TendonPoseLibrary>,
    scene: Gd<Node>,
}

/// Returns `true` if `library` has a file of its own.
pub(super) fn is_saved(library: &Gd<TendonPoseLibrary>) -> bool {
    let path = library.get_path().to_string();
    !path.is_empty() && !path.contains("::")
}

impl Shelf {
    /// Gives the library a file if it has none.
    pub(super) fn of(library: &Gd<TendonPoseLibrary>, scene: &Gd<Node>) -> Self {
        let library = library.clone();
        if library.get_path().is_empty() {
            let mut loader = ResourceLoader::singleton();
            let file = |stem: &str| format!("{stem}.tres");
            let free = first_free("res://poses", "_", |stem| !loader.exists(&file(stem)));
            library.clone().take_over_path(&file(&free));
        }
        Self {
            library,
            scene: scene.clone(),
        }
    }

    /// Stores the pose of the selected bones, or of all, under `name`.
    ///
    /// # Errors
    /// Why that is not possible, in words.
    pub(super) fn store(
        &self,
        name: &str,
        selection: &Selection,
        thumbnail: Option<&Gd<Texture2D>>,
    ) -> Result<(), Refusal> {
        let bones = bones_with_rest(selection)?;
        self.change(&format!("Store Pose \"{name}\""), |library| {
            let skeleton = Some(selection.skeleton.clone());
            let bones: Array<Gd<Bone2D>> = bones.iter().cloned().collect();
            let bones = BoneList(bones.upcast_any_array());
            let is_stored =
                TendonPoseLibrary::store_bones(library.clone(), skeleton, name.into(), bones);
            if is_stored && thumbnail.is_some() {
                TendonPoseLibrary::set_thumbnail(library, name.into(), thumbnail.cloned());
            }
            is_stored
        })
    }

    /// # Errors
    /// Why that is not possible, in words.
    pub(super) fn rename(&self, name: &str, new_name: &str) -> Result<(), Refusal> {
        if new_name.is_empty() || self.library.bind().has_pose(new_name.into()) {
            return Err("Type a name that no other pose has.".into());
        }
        self.change(&format!("Rename Pose \"{name}\""), |library| {
            TendonPoseLibrary::rename_pose(library, name.into(), new_name.into())
        })
    }

    /// # Errors
    /// Why that is not possible, in words.
    pub(super) fn remove(&self, name: &str) -> Result<(), Refusal> {
        self.change(&format!("Remove Pose \"{name}\""), |library| {
            TendonPoseLibrary::remove_pose(library, name.into())
        })
    }

    /// Has `act` change a copy, so that the history keeps what there was.
    fn change(
        &self,
        title: &str,
        act: impl FnOnce(Gd<TendonPoseLibrary>) -> bool,
    ) -> Result<(), Refusal> {
        let before = self.library.get(POSES);
        let poses = before.to::<VarDictionary>().duplicate_shallow();
        let mut copy = TendonPoseLibrary::new_gd();
        copy.set(POSES, &poses.to_variant());
        if !act(copy.clone()) {
            return Err("The library is as it was.".into());
        }
        let mut action = Action::begin(title, &self.scene)?;
        // Undone in the opposite order: saved last, both ways.
        let saver = ResourceSaver::singleton();
        let library = [self.library.to_variant()];
        action.when_undone(&saver, "save", &library);
        action.when_undone(&self.library, "emit_changed", &[]);
        action.set(&self.library, POSES, &before, &copy.get(POSES));
        action.when_done(&self.library, "emit_changed", &[]);
        action.when_done(&saver, "save", &library);
        action.commit();
        Ok(())
    }
}

const POSES: &str = "poses";

//! Where a node is: the bone of the plan that carries it, and its frame there. Targets, poles, tips,
//! paths, sources and obstacles are all found here, both when a plan is made and in each pass.
//!
//! Only local transforms are read of a node that bones carry. Global transforms contain the solved
//! pose of the last frame, and removing that again would change the last bits from frame to frame: a
//! rig at rest would not stay at rest. A top-level bone does not move with the bones above it, and no
//! modifier turns it. What it carries is therefore read by its global transform, as what is outside of
//! the skeleton is.

use std::cell::OnceCell;

use godot::classes::{Bone2D, Skeleton2D};
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::math::rotation::Rotation;
use tendon_solver::{Bone, Direction, Local, Point};

use crate::base_pose::tracked_bones::TrackedBones;
use crate::engine::frame_calls::Live;
use crate::engine::skeleton::skeleton_of_bone;
use crate::engine::space::{frame_of, to_solver};

/// A plan no longer describes the tree; a new one is needed.
pub(crate) struct Stale;

/// The attachment of a node to the skeleton, by the tree alone.
pub(super) struct Attachment {
    /// The bone that carries the node; `None` for one that the skeleton itself carries.
    pub(super) bone: Option<Gd<Bone2D>>,
    /// The nodes between them, upwards.
    between: Vec<Gd<Node2D>>,
    /// `true` if the node itself is one of the skeleton's bones.
    is_bone: bool,
}

impl Attachment {
    /// Climbs from `node` to the first bone of `skeleton` or to the skeleton itself. `None` if the
    /// skeleton does not carry the node.
    pub(super) fn find(node: &Gd<Node2D>, skeleton: &Gd<Skeleton2D>) -> Option<Self> {
        if !skeleton.is_ancestor_of(node) {
            return None;
        }
        let mut between = Vec::new();
        let mut below = node.clone();
        while !below.is_set_as_top_level() {
            let parent = below.get_parent()?;
            let is_skeleton = parent.instance_id() == skeleton.instance_id();
            let parent = parent.try_cast::<Node2D>().ok()?;
            let bone = parent.clone().try_cast::<Bone2D>().ok();
            let bone = bone.filter(|bone| skeleton_of_bone(bone).as_ref() == Some(skeleton));
            if is_skeleton || bone.is_some() {
                return Some(Self {
                    bone,
                    between,
                    is_bone: below == *node && node.clone().try_cast::<Bone2D>().is_ok(),
                });
            }
            between.push(parent.clone());
            below = parent;
        }
        None
    }
}

/// A node that a modifier reads and must not move: a target, pole, path, source or obstacle, or the tip
/// of a chain.
pub struct Input {
    pub node: Live<Node2D>,
    /// The first bone of the modifier that reads it, if that must not carry it.
    root: Option<usize>,
    /// `true` if it is below the skeleton. If it or a node above it gets another parent, it enters the tree
    /// again, and a new plan is made.
    is_below_skeleton: bool,
    /// The way from there up to the bone that carries it, from the first pass on: to look it up takes longer
    /// than to solve a limb.
    way_up: OnceCell<WayUp>,
    /// `true` if it is drawn on another canvas than the skeleton, in the same viewport.
    is_on_other_canvas: bool,
}

impl Input {
    pub(super) fn new(node: Gd<Node2D>, skeleton: &Gd<Skeleton2D>, root: Option<usize>) -> Self {
        Self {
            root,
            is_below_skeleton: skeleton.is_ancestor_of(&node),
            is_on_other_canvas: is_on_other_canvas(&node, skeleton),
            node: Live::new(node),
            way_up: OnceCell::new(),
        }
    }

    /// The node, unless it is below the skeleton or was freed.
    pub(super) fn node_outside(&self) -> Option<&Gd<Node2D>> {
        self.node.alive().filter(|_| !self.is_below_skeleton)
    }

    /// # Errors
    /// [`Stale`] if the node was freed.
    pub(crate) fn is_inside_tree(&self) -> Result<bool, Stale> {
        self.node.is_inside_tree().ok_or(Stale)
    }

    /// Its own transform, in its parent's frame.
    ///
    /// # Errors
    /// [`Stale`] if the node was freed.
    pub(crate) fn local(&self) -> Result<Local, Stale> {
        let parts = || {
            Some(Local {
                position: to_solver(self.node.get_position()?),
                rotation: self.node.get_rotation()?,
                scale: to_solver(self.node.get_scale()?),
            })
        };
        parts().ok_or(Stale)
    }
}

/// The way from a node up to the bone that carries it, or to the skeleton.
struct WayUp {
    /// Index of the bone.
    bone: Option<usize>,
    /// Index of the node itself, if it is a bone of the plan.
    own: Option<usize>,
    /// The nodes between them, upwards.
    between: Box<[Live<Node2D>]>,
}

impl WayUp {
    /// The transform of `node` in the bone's frame, or in the skeleton's. `None` if it is to be read by its
    /// global transform: it or a node above it is top-level.
    fn frame(&self, node: &Live<Node2D>) -> Result<Option<Transform2D>, Stale> {
        let mut frame = None;
        for each in std::iter::once(node).chain(&self.between) {
            if each.is_set_as_top_level().ok_or(Stale)? {
                return Ok(None);
            }
            let above = each.get_transform().ok_or(Stale)?;
            frame = Some(frame.map_or(above, |frame| above * frame));
        }
        Ok(frame)
    }
}

/// Returns `true` if `node` is drawn on another canvas than the skeleton, in the same viewport.
fn is_on_other_canvas(node: &Gd<Node2D>, skeleton: &Gd<Skeleton2D>) -> bool {
    skeleton.is_inside_tree()
        && node.is_inside_tree()
        && node.get_canvas() != skeleton.get_canvas()
        && node.get_viewport() == skeleton.get_viewport()
}

/// The place of a node: the bone that carries it, and its frame there.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Place {
    /// Index of the bone that carries it; `None` for one that no bone of the rig moves.
    pub(crate) bone: Option<usize>,
    /// Its frame in the bone's, or in skeleton space.
    pub(crate) frame: Affine2,
}

impl Place {
    /// A place in skeleton space.
    pub(super) fn at(place: Vec2) -> Self {
        Self {
            bone: None,
            frame: Affine2::from_translation(place),
        }
    }

    /// Its origin.
    pub(crate) fn point(self) -> Point {
        Point {
            bone: self.bone,
            position: self.frame.translation,
        }
    }

    /// The direction of its X axis.
    pub(crate) fn direction(self) -> Direction {
        Direction {
            bone: self.bone,
            vector: self.frame.matrix2.x_axis,
        }
    }
}

/// The sources that modifiers are read from in a pass, after the bones were read.
pub(crate) struct Gather<'a> {
    pub(crate) skeleton: &'a Live<Skeleton2D>,
    pub(crate) tracked: &'a TrackedBones,
    /// The base pose.
    pub(crate) bones: &'a [Bone],
    /// From global coordinates into skeleton space.
    pub(crate) from_global: Affine2,
    /// The place that the modifier reaches for if it has no target, in skeleton space.
    pub(crate) place: Option<Vec2>,
}

impl Gather<'_> {
    /// The same for a modifier that reaches for `place`, in global coordinates.
    pub(super) fn with_place(&self, place: Vector2) -> Self {
        let place = self.from_global.transform_point2(to_solver(place));
        Self {
            place: Some(place),
            ..*self
        }
    }

    /// The place of a node that the modifier must not move.
    ///
    /// # Errors
    /// [`Stale`] if the modifier moves it by now, or as [`place`](Self::place).
    pub(crate) fn locate(&self, input: &Input) -> Result<Place, Stale> {
        let place = self.place(input)?;
        match self.is_carried(place.bone, input.root) {
            true => Err(Stale),
            false => Ok(place),
        }
    }

    /// The place of a node. A bone of the plan has that of the working pose, since its node may hold
    /// what the rig wrote. Only the first bone of the modifier itself has that of the base pose.
    ///
    /// # Errors
    /// [`Stale`] if the node was freed, or hangs on a bone that is not part of the plan.
    pub(crate) fn place(&self, input: &Input) -> Result<Place, Stale> {
        let Some((bone, own, frame)) = self.attach(input)? else {
            let global = frame_of(input.node.get_global_transform().ok_or(Stale)?);
            let global = match input.is_on_other_canvas {
                true => self.canvas_of(input).ok_or(Stale)? * global,
                false => global,
            };
            return Ok(Place {
                bone: None,
                frame: self.from_global * global,
            });
        };
        Ok(match own {
            Some(own) if Some(own) == input.root => Place {
                bone,
                frame: local_frame(&self.bones[own]),
            },
            Some(own) => Place {
                bone: Some(own),
                frame: Affine2::IDENTITY,
            },
            None => Place {
                bone,
                frame: frame_of(frame),
            },
        })
    }

    /// The bone that carries a node, and with `as_itself` the node if it is a bone; `None` if no bone
    /// moves it.
    pub(super) fn carrier(&self, input: &Input, as_itself: bool) -> Option<usize> {
        let (bone, own, _) = self.attach(input).ok()??;
        own.filter(|_| as_itself).or(bone)
    }

    /// The bone that carries a node, which bone of the plan the node itself is, and its transform in the
    /// bone's frame or the skeleton's. `None` if it is to be read by its global transform.
    fn attach(&self, input: &Input) -> Result<Option<Attached>, Stale> {
        let node = input.node.alive().ok_or(Stale)?;
        if !input.is_below_skeleton {
            return Ok(None);
        }
        let way = match input.way_up.get() {
            Some(way) => way,
            None => match self.find_way_up(node)? {
                Some(way) => input.way_up.get_or_init(|| way),
                None => return Ok(None),
            },
        };
        let mut line = line_up(self.bones, way.bone);
        if line.any(|bone| self.tracked.get(bone).is_top_level()) {
            return Ok(None);
        }
        let frame = way.frame(&input.node)?;
        Ok(frame.map(|frame| (way.bone, way.own, frame)))
    }

    /// The way from `node` up to the bone or the skeleton that carries it. `None` if the skeleton does not carry it.
    fn find_way_up(&self, node: &Gd<Node2D>) -> Result<Option<WayUp>, Stale> {
        let skeleton = self.skeleton.alive().ok_or(Stale)?;
        let Some(attachment) = Attachment::find(node, skeleton) else {
            return Ok(None);
        };
        let index_of = |bone| self.tracked.index_of(bone);
        let bone = attachment.bone.as_ref();
        let bone = bone.map(|bone| index_of(bone.instance_id()).ok_or(Stale));
        let own = attachment.is_bone.then(|| node.instance_id());
        Ok(Some(WayUp {
            bone: bone.transpose()?,
            own: own.and_then(index_of),
            between: attachment.between.into_iter().map(Live::new).collect(),
        }))
    }

    /// Returns `true` if `bone` is `root` or hangs below it.
    pub(crate) fn is_carried(&self, bone: Option<usize>, root: Option<usize>) -> bool {
        root.is_some() && line_up(self.bones, bone).any(|bone| Some(bone) == root)
    }

    /// From the canvas that a node is drawn on to the skeleton's. `None` if one of them was freed.
    fn canvas_of(&self, input: &Input) -> Option<Affine2> {
        let skeleton = self.skeleton.alive()?.get_canvas_transform();
        let node = input.node.alive()?.get_canvas_transform();
        Some(frame_of(skeleton).inverse() * frame_of(node))
    }
}

/// A bone that carries a node, the bone that it is itself, and its transform.
type Attached = (Option<usize>, Option<usize>, Transform2D);

/// `bone` and the bones above it, upwards.
pub(super) fn line_up(bones: &[Bone], bone: Option<usize>) -> impl Iterator<Item = usize> {
    std::iter::successors(bone, |&bone| bones[bone].parent)
}

/// The frame of `bone` in its parent's: its origin, and the direction of its X axis.
fn local_frame(bone: &Bone) -> Affine2 {
    let axis = Rotation::from_angle(bone.rotation).direction() * bone.scale.x;
    Affine2::from_cols(axis, axis.perp(), bone.position)
}

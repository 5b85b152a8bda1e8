//! The end of a chain: where a plan finds it, and where it is in a pass.

use std::cell::{Cell, OnceCell};

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::glam::Vec2;
use tendon_solver::{Direction, End, Point};

use crate::engine::bone_lines::{end_of, own_end};
use crate::engine::frame_calls::Live;
use crate::engine::link::Link;
use crate::engine::skeleton::child_bones;
use crate::engine::space::to_solver;
use crate::plan::bones::Bones;
use crate::plan::locate::{Gather, Input, Stale};
use crate::plan::rest_bend::rest_of;
use crate::warnings::problem::Problem;

/// The end of a chain's last bone.
pub struct BoneTip {
    source: TipSource,
    /// Index of the last bone.
    pub(crate) last: usize,
    /// Index of the bone that the tip is, if that hangs on the last bone and is part of the plan: it may
    /// be moved. It is looked up in the first pass, when all bones of the plan are known.
    bone: OnceCell<Option<usize>>,
}

/// The source that a tip is read from.
enum TipSource {
    /// A node below the last bone.
    Node(Input),
    /// The first child of the last bone, whose length is automatic.
    Child {
        child: Live<Bone2D>,
        above: Live<Bone2D>,
    },
    /// The length and angle of the last bone.
    Axis {
        bone: Live<Bone2D>,
        /// `true` if it would end at a child bone if its length were automatic.
        has_child: bool,
        /// Its length and angle, by bits, and the end that they give.
        end: Cell<(Option<[u32; 2]>, Vec2)>,
    },
}

impl BoneTip {
    /// The tip of a chain whose last bone is `bone`, with the index `last`.
    pub(super) fn find(
        bones: &mut Bones,
        link: Option<&Link<Node2D>>,
        bone: &Gd<Bone2D>,
        last: usize,
    ) -> Result<Self, Problem> {
        let source = match link.and_then(|link| bones.linked(link)) {
            Some(node) => {
                let carrier = bones.carrier(&node);
                if !carrier.is_some_and(|carrier| bones.is_at_or_below(carrier, last)) {
                    return Err(Problem::TipElsewhere {
                        tip: node.get_name().to_string(),
                    });
                }
                TipSource::Node(Input::new(node, &bones.skeleton, None))
            }
            None => {
                if child_bones(bone).nth(1).is_some() {
                    bones.with_ordered_children.push(bone.clone().upcast());
                }
                TipSource::end_of(bone)
            }
        };
        Ok(Self {
            source,
            last,
            bone: OnceCell::new(),
        })
    }

    /// The bone that begins at the tip, as a child of the last bone, `last`.
    pub(super) fn bone_at(&self, last: &Gd<Bone2D>) -> Option<Gd<Bone2D>> {
        let bone = match &self.source {
            TipSource::Node(node) => node.node.alive()?.clone().try_cast::<Bone2D>().ok()?,
            TipSource::Child { child, .. } => child.alive()?.clone(),
            TipSource::Axis { .. } => return None,
        };
        let parent = bone.get_parent()?;
        (parent.instance_id() == last.instance_id()).then_some(bone)
    }

    /// The end of the chain in this pass.
    ///
    /// # Errors
    /// [`Stale`] if the chain no longer ends there.
    pub(crate) fn locate(&self, from: &Gather<'_>) -> Result<End, Stale> {
        if let TipSource::Child { above, .. } = &self.source
            && !ends_at_child(above)?
        {
            return Err(Stale);
        }
        if let Some(bone) = self.bone.get_or_init(|| self.find_bone(from)) {
            return Ok(End::Bone(*bone));
        }
        let position = match &self.source {
            TipSource::Node(node) => {
                let place = from.place(node)?;
                let is_below = from.is_carried(place.bone, Some(self.last));
                return is_below.then(|| End::Point(place.point())).ok_or(Stale);
            }
            TipSource::Child { child, .. } => to_solver(child.get_position().ok_or(Stale)?),
            TipSource::Axis {
                bone,
                has_child,
                end,
            } => {
                let is_automatic = ends_at_child(bone)?;
                if *has_child && is_automatic {
                    return Err(Stale);
                }
                let angle = is_automatic.then_some(0.0);
                let angle = angle.or_else(|| bone.get_bone_angle());
                let (length, angle) = bone.get_length().zip(angle).ok_or(Stale)?;
                let own = Some([length, angle].map(f32::to_bits));
                if end.get().0 != own {
                    end.set((own, own_end(is_automatic, length, angle)));
                }
                end.get().1
            }
        };
        Ok(End::Point(Point {
            bone: Some(self.last),
            position,
        }))
    }

    /// Its position in the frame of `last`, the last bone, while all bones below that are at rest.
    pub(crate) fn at_rest(&self, last: &Gd<Bone2D>) -> Option<Vector2> {
        let mut next: Gd<Node2D> = match &self.source {
            TipSource::Node(node) => node.node.alive()?.clone(),
            TipSource::Child { child, .. } => child.alive()?.clone().upcast(),
            TipSource::Axis { .. } => return Some(end_of(last)),
        };
        let mut place = Vector2::ZERO;
        while next.instance_id() != last.instance_id() {
            let rest = next.clone().try_cast().ok().and_then(|bone| rest_of(&bone));
            place = rest.unwrap_or_else(|| next.get_transform()) * place;
            next = next.get_parent()?.try_cast().ok()?;
        }
        Some(place)
    }

    /// The X axis of the node that a property names as the tip, if there is one.
    ///
    /// # Errors
    /// [`Stale`] if the node is gone.
    pub(crate) fn direction(&self, from: &Gather<'_>) -> Result<Option<Direction>, Stale> {
        match &self.source {
            TipSource::Node(node) => Ok(Some(from.place(node)?.direction())),
            TipSource::Child { .. } | TipSource::Axis { .. } => Ok(None),
        }
    }

    /// The bone of the plan that the tip is: its node may hold what the rig wrote.
    fn find_bone(&self, from: &Gather<'_>) -> Option<usize> {
        let id = match &self.source {
            TipSource::Node(node) => node.node.id(),
            TipSource::Child { child, .. } => child.id(),
            TipSource::Axis { .. } => return None,
        };
        let bone = from.tracked.index_of(id)?;
        (from.bones[bone].parent == Some(self.last)).then_some(bone)
    }

    /// The node that a property names as the tip, unless that is a bone of the plan.
    pub fn node(&self) -> Option<InstanceId> {
        match &self.source {
            TipSource::Node(node) if !matches!(self.bone.get(), Some(Some(_))) => {
                Some(node.node.id())
            }
            _ => None,
        }
    }
}

impl TipSource {
    /// The end of `bone` itself.
    fn end_of(bone: &Gd<Bone2D>) -> Self {
        let child = child_bones(bone).next();
        let has_child = child.is_some();
        let is_automatic = bone.get_autocalculate_length_and_angle();
        let bone = Live::new(bone.clone());
        match child {
            Some(child) if is_automatic => Self::Child {
                child: Live::new(child),
                above: bone,
            },
            _ => Self::Axis {
                bone,
                has_child,
                end: Cell::default(),
            },
        }
    }
}

/// Returns `true` if the length and angle of `bone` are automatic, so that it ends at its first child bone.
fn ends_at_child(bone: &Live<Bone2D>) -> Result<bool, Stale> {
    bone.get_autocalculate_length_and_angle().ok_or(Stale)
}

/// The problems of the end of a chain that takes `tip` and whose last bone is `last`.
pub(super) fn flaws_of_end(tip: Option<&Link<Node2D>>, last: &Gd<Bone2D>) -> Vec<Problem> {
    if tip.and_then(Link::get).is_some() {
        return Vec::new();
    }
    let bone = last.get_name().to_string();
    let child = child_bones(last).next();
    // It would end at that child if it had no length of its own.
    let beside = child.filter(|child| tip.is_some() && ends_beside(last, child));
    let beside = beside.map(|child| Problem::EndBesideChild {
        bone: bone.clone(),
        child: child.get_name().to_string(),
    });
    let unknown = has_unknown_end(last).then_some(match tip {
        Some(_) => Problem::UnknownTip { bone },
        None => Problem::UnknownEnd { bone },
    });
    beside.into_iter().chain(unknown).collect()
}

/// Returns `true` if the length and angle of `bone` are automatic, and it has no child bone that they could
/// follow from: the engine then leaves a length and an angle that mean nothing.
pub fn has_unknown_end(bone: &Gd<Bone2D>) -> bool {
    child_bones(bone).next().is_none() && bone.get_autocalculate_length_and_angle()
}

/// Returns `true` if `bone` ends elsewhere than at its first `child`, by a length and an angle that were set
/// by hand.
pub fn ends_beside(bone: &Gd<Bone2D>, child: &Gd<Bone2D>) -> bool {
    let end = Vector2::from_angle(bone.get_bone_angle()) * bone.get_length();
    let gap = end.distance_to(child.get_position());
    !bone.get_autocalculate_length_and_angle() && gap > BESIDE * child.get_position().length()
}

/// The part of a bone's length by which it may end beside its child bone without a warning.
const BESIDE: f32 = 0.02;

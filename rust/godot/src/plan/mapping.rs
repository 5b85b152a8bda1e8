//! The source of a copied transform: from the node that a property names to the solver's data.

use godot::classes::Bone2D;
use godot::prelude::*;
use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::{Local, Mapping, Rest, Source};

use crate::engine::skeleton::{is_rest, skeleton_of_bone};
use crate::engine::space::frame_of;
use crate::plan::bones::Bones;
use crate::plan::input_node::InputNode;
use crate::plan::references::{References, SourceReference};
use crate::warnings::problem::Problem;

/// A mapping, and the node that a pass reads its source from.
type Found = (Option<Box<Mapping>>, Option<InputNode>);

/// What the bone with the index `root` copies, if `references` are those of a modifier that copies.
pub(super) fn find(
    bones: &mut Bones,
    references: &References<'_>,
    root: Option<usize>,
) -> Result<Found, Problem> {
    let Some(reference) = references.source else {
        return Ok((None, None));
    };
    bones.reads_rest |= reference.is_relative;
    let source = find_source(bones, reference, root)?;
    if source.is_none() && !reference.is_optional {
        return Err(Problem::NothingToCopy);
    }
    let driven = root.and_then(|root| bones.tracked.get(root).node().cloned());
    let rest = match driven.filter(|_| reference.is_relative) {
        Some(bone) => Some(rest_of(&bone)?),
        None => None,
    };
    let wanted = match &source {
        Some(node) => Some(source_of(bones, node, reference)?),
        None => None,
    };
    let input = source.map(|node| InputNode::new(node, &bones.skeleton));
    let mapping = Mapping {
        source: wanted,
        rest,
    };
    Ok((Some(Box::new(mapping)), input))
}

/// The source, if there is one that the bone with the index `root` does not carry.
fn find_source(
    bones: &mut Bones,
    reference: SourceReference<'_>,
    root: Option<usize>,
) -> Result<Option<Gd<Node2D>>, Problem> {
    let Some(node) = reference.link.get() else {
        return match reference.link.id() {
            Some(_) => Err(Problem::NoSource),
            None => Ok(None),
        };
    };
    let source = node.get_name().to_string();
    if !node.is_inside_tree() {
        return Err(Problem::SourceOutside { source });
    }
    let bone = own_bone(bones, &node);
    let is_below = bone.zip(root).is_some_and(|(bone, root)| {
        // A bone is carried by the one above it, and is none of its own.
        bones.is_at_or_below(bone, root)
    });
    if is_below || bones.is_carried(&node, root) {
        return Err(Problem::SourceOnBone { source });
    }
    Ok(Some(node))
}

/// The index of `node`, if it is a bone of the skeleton.
fn own_bone(bones: &mut Bones, node: &Gd<Node2D>) -> Option<usize> {
    let bone = node.clone().try_cast::<Bone2D>().ok()?;
    let is_own = skeleton_of_bone(&bone).as_ref() == Some(&bones.skeleton);
    bones.index(&bone).filter(|_| is_own)
}

/// The solver's source. A pass completes what is not a bone.
fn source_of(
    bones: &mut Bones,
    node: &Gd<Node2D>,
    reference: SourceReference<'_>,
) -> Result<Source, Problem> {
    let Some(index) = own_bone(bones, node) else {
        return Ok(Source::Node {
            carrier: None,
            frame: Affine2::IDENTITY,
            local: Local {
                position: Vec2::ZERO,
                rotation: 0.0,
                scale: Vec2::ONE,
            },
        });
    };
    let bone = node.clone().try_cast::<Bone2D>().ok();
    let rest = match bone.filter(|_| reference.is_relative) {
        Some(bone) => Some(rest_of(&bone)?),
        None => None,
    };
    Ok(Source::Bone { bone: index, rest })
}

/// The rest pose of `bone` and of what carries it.
fn rest_of(bone: &Gd<Bone2D>) -> Result<Rest, Problem> {
    let own = bone.get_rest();
    let parent = bone.get_parent();
    let parent = parent.and_then(|parent| parent.try_cast::<Bone2D>().ok());
    let mount = parent.map_or(Transform2D::IDENTITY, |parent| parent.get_skeleton_rest());
    if !is_rest(own) || !is_rest(mount) {
        return Err(Problem::CopyWithoutRest {
            bone: bone.get_name().to_string(),
        });
    }
    Ok(Rest {
        mount: frame_of(mount),
        frame: frame_of(own),
    })
}

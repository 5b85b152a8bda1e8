//! What one modifier works on, as lines and points of skeleton space: read from the plain data of
//! the last pass, so nothing is computed twice and no node is accessed.

use tendon_solver::glam::{Affine2, Mat2, Vec2};
use tendon_solver::nearest_distance;
use tendon_solver::{Footholds, LimbOutline, Modifier, Point, Rig, Solver};

use crate::gizmos::kinds::shapes::PlacedShape;

/// The lines and points of one modifier, all in skeleton space.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gizmos) struct Geometry {
    /// The lines from joint to joint, and from the last ones to their tips.
    pub(super) segments: Vec<[Vec2; 2]>,
    /// The tips and their targets: the modifier's own tip first, then those of its effectors.
    pub(in crate::gizmos) ends: Vec<TipEnd>,
    pub(in crate::gizmos) bend: Option<LimbBend>,
    pub(in crate::gizmos) path: Option<LaidPath>,
    /// Absent for a look-at, and for what reaches for nothing.
    pub(in crate::gizmos) extent: Option<ReachExtent>,
    /// The place of a body's root in the base pose, and its largest distance from there, in skeleton units.
    pub(in crate::gizmos) root_reach: Option<(Vec2, f32)>,
    pub(in crate::gizmos) obstacles: Vec<PlacedShape>,
    /// The footholds of a placement or a gait.
    pub(in crate::gizmos) footholds: Option<Footholds>,
    /// The limbs of a ragdoll.
    pub(in crate::gizmos) body: Option<Vec<LimbOutline>>,
}

/// A tip and its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gizmos) struct TipEnd {
    pub(in crate::gizmos) tip: Vec2,
    /// Absent for a tree's own tip that has none, and for what reaches for nothing.
    pub(super) target: Option<Vec2>,
    /// For an effector, how its bone is held.
    pub(super) hold: Option<EffectorHold>,
}

/// The hold of an effector on a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gizmos) struct EffectorHold {
    /// The joint of the bone.
    pub(super) joint: Vec2,
    pub(super) weight: f32,
    /// `true` if the angle is held, too.
    pub(super) turns: bool,
}

/// The bend of a limb of two bones, in skeleton space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gizmos) struct LimbBend {
    pub(in crate::gizmos) root: Vec2,
    pub(in crate::gizmos) middle: Vec2,
    /// The direction in which the middle joint is pushed, seen from the line between root and target. Not of any
    /// particular length.
    pub(super) towards: Vec2,
    pub(in crate::gizmos) pole: Option<Vec2>,
}

/// The path of a chain that lies along one.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::gizmos) struct LaidPath {
    /// The place where the chain begins.
    pub(super) entry: Vec2,
    pub(in crate::gizmos) progress: f32,
    /// Places along the path, with the progress of each.
    pub(in crate::gizmos) places: Vec<(Vec2, f32)>,
}

/// The reach of a chain; of a tree, that of the line to its own tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gizmos) struct ReachExtent {
    /// From chain space to skeleton space. Its origin is the root joint.
    pub(super) mount: Affine2,
    /// The length of the chain, in chain units: an estimate where bones inside it are scaled.
    pub(in crate::gizmos) reach: f32,
    /// The least distance of the tip from the root.
    pub(in crate::gizmos) nearest: f32,
    /// The factor by which stretching lengthens the reach at most.
    pub(super) stretch: f32,
    pub(super) softness: f32,
    /// Least and greatest distance of a limb's target, in skeleton units; 0 is off.
    pub(super) distances: Option<[f32; 2]>,
}

impl Geometry {
    /// The geometry that modifier `index` of `rig` works on. The rig must have taken a pose.
    pub(in crate::gizmos) fn of(rig: &Rig, index: usize) -> Self {
        let modifier = &rig.modifiers[index];
        let parts = modifier.parts();
        // A script has no chain that could end somewhere.
        let own = (!parts.joints().is_empty()).then(|| TipEnd {
            tip: rig.locate(parts.tip()),
            target: target_of(modifier).map(|target| rig.locate(target)),
            hold: None,
        });
        let others = parts.effectors().iter().map(|effector| TipEnd {
            tip: rig.locate(effector.end.point()),
            target: Some(rig.locate(effector.target)),
            hold: Some(EffectorHold {
                joint: rig.locate(Point::origin_of(effector.end.point().bone)),
                weight: effector.weight,
                turns: effector.heading.is_some(),
            }),
        });
        Self {
            segments: segments(rig, modifier),
            ends: own.into_iter().chain(others).collect(),
            bend: LimbBend::of(rig, modifier),
            path: LaidPath::of(rig, modifier),
            extent: ReachExtent::of(rig, modifier),
            root_reach: root_reach(rig, modifier),
            obstacles: obstacles(rig, modifier),
            footholds: rig.shown(index).footholds(),
            body: rig.shown(index).limbs_of_body(),
        }
    }
}

/// The target of `modifier`. One that waits for a foot to set it has the skeleton's origin meanwhile.
fn target_of(modifier: &Modifier) -> Option<Point> {
    let waits = |target: &Point| modifier.awaits_goal && *target == Point::origin_of(None);
    modifier.parts().target().filter(|target| !waits(target))
}

/// The joint of `bone`, in skeleton space.
fn joint(rig: &Rig, bone: usize) -> Vec2 {
    rig.locate(Point::origin_of(Some(bone)))
}

/// The frame of `bone`, or of the skeleton, in skeleton space.
fn frame(rig: &Rig, bone: Option<usize>) -> Affine2 {
    let [origin, x, y] =
        [Vec2::ZERO, Vec2::X, Vec2::Y].map(|position| rig.locate(Point { bone, position }));
    Affine2::from_mat2_translation(Mat2::from_cols(x - origin, y - origin), origin)
}

/// The joint of `modifier` that is `bone` or the next one above it.
fn joint_above(rig: &Rig, modifier: &Modifier, bone: Option<usize>) -> Option<usize> {
    let mut line = std::iter::successors(bone, |&bone| rig.bones[bone].parent);
    line.find(|bone| modifier.parts().joints().contains(bone))
}

fn segments(rig: &Rig, modifier: &Modifier) -> Vec<[Vec2; 2]> {
    let mut segments = Vec::new();
    for &bone in modifier.parts().joints() {
        if let Some(above) = joint_above(rig, modifier, rig.bones[bone].parent) {
            segments.push([joint(rig, above), joint(rig, bone)]);
        }
    }
    let effectors = modifier.parts().effectors().iter();
    let tips = effectors.map(|effector| effector.end.point());
    for tip in std::iter::once(modifier.parts().tip()).chain(tips) {
        if let Some(last) = joint_above(rig, modifier, tip.bone) {
            let segment = [joint(rig, last), rig.locate(tip)];
            if segment[0] != segment[1] {
                segments.push(segment);
            }
        }
    }
    segments
}

/// The joints of the modifier's own line, root first, and the tip's place.
fn line(rig: &Rig, modifier: &Modifier) -> Vec<(usize, Vec2)> {
    let tip = modifier.parts().tip().bone;
    let above = |&bone: &usize| rig.carries(Some(bone), tip);
    let joints = modifier.parts().joints().iter().copied();
    let joints = joints.filter(above);
    joints.map(|bone| (bone, joint(rig, bone))).collect()
}

impl LimbBend {
    fn of(rig: &Rig, modifier: &Modifier) -> Option<Self> {
        let Solver::TwoBone(limb) = &modifier.solver else {
            return None;
        };
        let [root, middle] = limb.joints.map(|bone| joint(rig, bone));
        let mount = frame(rig, rig.bones[limb.joints[0]].parent).matrix2;
        let pole = limb.pole.map(|pole| rig.locate(pole));
        let into_chain = |point: Vec2| mount.inverse() * (point - root);
        let end = target_of(modifier).unwrap_or(modifier.parts().tip());
        let along = into_chain(rig.locate(end));
        let settings = limb.settings_from_straight();
        let normal = if settings.bends_positively(along, pole.map(into_chain)) {
            along.perp()
        } else {
            -along.perp()
        };
        Some(Self {
            root,
            middle,
            towards: mount * normal,
            pole,
        })
    }
}

/// Places of a path that are looked up for its handle.
const PLACES: u16 = 256;

impl LaidPath {
    fn of(rig: &Rig, modifier: &Modifier) -> Option<Self> {
        let Solver::Spline(spline) = &modifier.solver else {
            return None;
        };
        let path = &spline.path;
        let to_skeleton = frame(rig, path.bone) * path.frame;
        let length = path.curve.length();
        let place = |progress| to_skeleton.transform_point2(path.curve.position_at(progress));
        let steps = (0..=PLACES).map(|step| length * f64::from(step) / f64::from(PLACES));
        (length > 0.0).then(|| Self {
            entry: place(spline.settings.progress.into()),
            progress: spline.settings.progress,
            places: steps
                .map(|progress| (place(progress), progress as f32))
                .collect(),
        })
    }
}

impl ReachExtent {
    fn of(rig: &Rig, modifier: &Modifier) -> Option<Self> {
        let elasticity = modifier.parts().elasticity()?;
        let distances = match &modifier.solver {
            Solver::TwoBone(limb) => Some([limb.settings.min_distance, limb.settings.max_distance]),
            _ => None,
        };
        let line = line(rig, modifier);
        let &(first, root) = line.first()?;
        let mut mount = frame(rig, rig.bones[first].parent);
        mount.translation = root;
        let into_chain = mount.inverse();
        let seen = |point: Vec2| into_chain.transform_point2(point);
        let tip = modifier.parts().tip();
        let tip_bone = tip
            .bone
            .filter(|bone| line.iter().all(|(joint, _)| joint != bone));
        let tip = (tip_bone, rig.locate(tip));
        let ends = line.iter().skip(1);
        let ends = ends.map(|&(bone, place)| (Some(bone), place)).chain([tip]);
        let lengths: Vec<f32> = line
            .iter()
            .zip(ends)
            .map(|(&(_, start), (bone, end))| seen(start).distance(seen(end)) / growth(rig, bone))
            .collect();
        let reach: f32 = lengths.iter().sum();
        let longest = lengths.iter().copied().fold(0.0, f32::max);
        Some(Self {
            mount,
            reach,
            nearest: nearest_distance(longest.into(), reach.into()) as f32,
            stretch: elasticity.stretch.max(1.0),
            softness: elasticity.softness,
            distances,
        })
    }
}

fn root_reach(rig: &Rig, modifier: &Modifier) -> Option<(Vec2, f32)> {
    let Solver::FullBody(body) = &modifier.solver else {
        return None;
    };
    let root = &rig.bones[*body.joints.first()?];
    let centre = frame(rig, root.parent).transform_point2(root.position);
    let radius = body.settings.max_root_distance;
    (radius > 0.0).then_some((centre, radius))
}

/// The factor by which a bone is farther from its parent than in its base pose.
fn growth(rig: &Rig, bone: Option<usize>) -> f32 {
    let factor = bone.map_or(1.0, |bone| {
        rig.position(bone).length() / rig.bones[bone].position.length()
    });
    if factor.is_normal() { factor } else { 1.0 }
}

fn obstacles(rig: &Rig, modifier: &Modifier) -> Vec<PlacedShape> {
    let obstacles = modifier.parts().obstacles().iter();
    let placed = obstacles.map(|obstacle| PlacedShape {
        shape: obstacle.shape,
        frame: frame(rig, obstacle.bone) * obstacle.frame,
    });
    placed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tendon_solver::{
        Aimed, Algorithm, Bone, Chain, ChainIk, Effector, End as ChainEnd, SolverKind, TwoBone,
    };

    fn bone(parent: Option<usize>, x: f32, rotation: f32) -> Bone {
        Bone {
            position: Vec2::new(x, 0.0),
            rotation,
            ..Bone::below(parent)
        }
    }

    /// Bones of 50, 40 and 30, of which the last two are a limb that reaches for `target`.
    fn arm(target: Vec2, scale: Vec2) -> Rig {
        let mut bones = vec![
            bone(None, 0.0, 0.0),
            bone(Some(0), 50.0, 0.2),
            bone(Some(1), 40.0, 0.4),
        ];
        bones[0].scale = scale;
        let target = Point {
            bone: None,
            position: target,
        };
        let limb = TwoBone::new([1, 2], end_of(2, 30.0), target);
        Rig::new(bones, vec![Modifier::new(limb)])
    }

    /// The end of a bone that is as long as this.
    fn end_of(bone: usize, length: f32) -> ChainEnd {
        ChainEnd::Point(Point {
            bone: Some(bone),
            position: Vec2::new(length, 0.0),
        })
    }

    /// The first modifier, which is a limb.
    fn limb(rig: &mut Rig) -> &mut TwoBone {
        TwoBone::of(&mut rig.modifiers[0].solver).unwrap()
    }

    #[test]
    fn a_limb_is_one_line_from_root_to_tip() {
        let mut rig = arm(Vec2::new(80.0, 30.0), Vec2::ONE);
        rig.solve(&mut tendon_solver::Workspace::default());
        let geometry = Geometry::of(&rig, 0);
        let [upper, lower] = geometry.segments[..] else {
            panic!("{:?}", geometry.segments);
        };
        assert_eq!(upper[0], Vec2::new(50.0, 0.0));
        assert_eq!(upper[1], lower[0]);
        assert_eq!(lower[1], geometry.ends[0].tip);
        assert!(geometry.ends[0].tip.distance(Vec2::new(80.0, 30.0)) < 1e-3);
        assert!((upper[0].distance(upper[1]) - 40.0).abs() < 1e-3);
    }

    #[test]
    fn a_limb_that_waits_for_a_foot_has_no_target() {
        let mut rig = arm(Vec2::ZERO, Vec2::ONE);
        rig.modifiers[0].awaits_goal = true;
        rig.solve(&mut tendon_solver::Workspace::default());
        let geometry = Geometry::of(&rig, 0);
        assert_eq!(geometry.ends[0].target, None);
        assert!(geometry.bend.is_some());
    }

    #[test]
    fn the_bend_points_at_the_middle_joint_mirrored_or_not() {
        for scale in [Vec2::ONE, Vec2::new(-1.0, 1.0), Vec2::new(1.5, -0.5)] {
            for target in [Vec2::new(90.0, 20.0), Vec2::new(20.0, -20.0)] {
                let target = target * scale;
                let mut rig = arm(target, scale);
                rig.solve(&mut tendon_solver::Workspace::default());
                let bend = Geometry::of(&rig, 0).bend.unwrap();
                let along = target - bend.root;
                let side = along.perp_dot(bend.middle - bend.root);
                assert!(
                    side * along.perp_dot(bend.towards) > 0.0,
                    "{scale} {target}"
                );
            }
        }
    }

    #[test]
    fn the_pole_decides_the_bend() {
        for side in [-1.0, 1.0] {
            let mut rig = arm(Vec2::new(100.0, 0.0), Vec2::ONE);
            let pole = Vec2::new(70.0, 40.0 * side);
            limb(&mut rig).pole = Some(Point {
                bone: None,
                position: pole,
            });
            rig.solve(&mut tendon_solver::Workspace::default());
            let bend = Geometry::of(&rig, 0).bend.unwrap();
            assert_eq!(bend.pole, Some(pole));
            assert!(bend.towards.y * side > 0.0);
            assert!((bend.middle - bend.root).y * side > 0.0);
        }
    }

    #[test]
    fn a_pole_that_is_not_finite_does_not_decide_the_bend() {
        let mut rig = arm(Vec2::new(100.0, 0.0), Vec2::ONE);
        rig.take_base_pose();
        let plain = Geometry::of(&rig, 0).bend.unwrap().towards;
        limb(&mut rig).settings.flip_bend_direction = true;
        limb(&mut rig).pole = Some(Point {
            bone: None,
            position: Vec2::NAN,
        });
        assert_eq!(Geometry::of(&rig, 0).bend.unwrap().towards, -plain);
    }

    #[test]
    fn the_reach_is_that_of_the_base_pose_however_far_it_is_stretched() {
        let mut rig = arm(Vec2::new(400.0, 0.0), Vec2::new(-2.0, 0.5));
        limb(&mut rig).elasticity.stretch = 1.5;
        rig.solve(&mut tendon_solver::Workspace::default());
        let extent = Geometry::of(&rig, 0).extent.unwrap();
        assert!((extent.reach - 70.0).abs() < 1e-2, "{extent:?}");
        assert!((extent.nearest - 10.0).abs() < 1e-2);
        assert_eq!(extent.stretch, 1.5);
        // In the mirrored and stretched frame of the bone above.
        let end = extent.mount.transform_point2(Vec2::X);
        assert!((end - Vec2::new(-102.0, 0.0)).length() < 1e-3, "{end}");
    }

    #[test]
    fn a_tree_has_a_line_for_each_bone_and_an_end_for_each_tip() {
        let bones = vec![
            bone(None, 0.0, 0.0),
            bone(Some(0), 50.0, 0.5),
            bone(Some(0), 50.0, -0.5),
        ];
        let chain = Chain::new(vec![0, 1, 2], end_of(1, 20.0));
        let mut tree = ChainIk::new(Algorithm::Fabrik, chain, Point::default());
        tree.effectors
            .push(Effector::new(end_of(2, 20.0), Point::default()));
        let mut rig = Rig::new(bones, vec![Modifier::new(tree)]);
        rig.take_base_pose();
        let geometry = Geometry::of(&rig, 0);
        assert_eq!(geometry.segments.len(), 4);
        assert_eq!(geometry.ends.len(), 2);
        let extent = geometry.extent.unwrap();
        assert!((extent.reach - 70.0).abs() < 1e-3);
        assert!(geometry.ends[0].target.is_some());
        ChainIk::of(&mut rig.modifiers[0].solver).unwrap().target = Aimed::NOWHERE;
        assert_eq!(Geometry::of(&rig, 0).ends[0].target, None);
    }
}

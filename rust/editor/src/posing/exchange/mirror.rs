//! Which bone is on the other side of which, and how its pose is there.
//!
//! In a character that faces the viewer, the sides are images of each other at the skeleton's Y axis. In one
//! that is seen from the side, both look the same way: there, the sides only change places.

use tendon_nodes::nodes::pose_library::deviation::Deviation;
use tendon_solver::glam::{Affine2, Mat2, Vec2};

use crate::posing::exchange::sides::SideNames;

/// The largest distance of a bone without a side in its name from its image, as a part of the skeleton's extent.
const NEAR: f32 = 0.02;

/// A bone at rest. Its parent comes before it.
pub(super) struct RestBone {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    /// In the frame of its parent.
    pub(super) rest: Affine2,
    /// Its end, in its own frame.
    pub(super) end: Vec2,
}

/// The two sides of a skeleton.
pub(super) struct SkeletonSides {
    /// For each bone the one on the other side, which may be the bone itself.
    others: Vec<Option<usize>>,
    /// The reflection of directions in the skeleton.
    pub(super) reflection: Mat2,
    /// The frames of the bones in the skeleton, at rest, and those of their parents.
    frames: Vec<Affine2>,
    parents: Vec<Mat2>,
}

impl SkeletonSides {
    pub(super) fn of(bones: &[RestBone], names: &SideNames) -> Self {
        let (mut frames, mut parents) = (Vec::<Affine2>::new(), Vec::new());
        for bone in bones {
            let parent = bone.parent.and_then(|parent| frames.get(parent));
            let parent = parent.copied().unwrap_or_default();
            frames.push(parent * bone.rest);
            parents.push(parent.matrix2);
        }
        let lines = frames.iter().zip(bones);
        let lines =
            lines.map(|(frame, bone)| [frame.translation, frame.transform_point2(bone.end)]);
        let lines: Vec<_> = lines.collect();
        let by_name: Vec<_> = (0..bones.len())
            .map(|bone| named(bones, bone, names))
            .collect();
        let reflection = reflection_of(&by_name, &lines);
        Self {
            others: with_images(by_name, bones, &lines, names),
            reflection,
            frames,
            parents,
        }
    }

    /// The bone on the other side of `bone`.
    pub(super) fn other(&self, bone: usize) -> Option<usize> {
        self.others[bone]
    }

    /// Returns the frame of `bone` in the skeleton, at rest.
    pub(super) fn frame(&self, bone: usize) -> Affine2 {
        self.frames[bone]
    }

    /// The angle of the X axis of `bone` in the skeleton, at rest.
    pub(super) fn rest_angle(&self, bone: usize) -> f32 {
        self.frames[bone].matrix2.x_axis.to_angle()
    }

    /// The bone on the other side of `bone`, and the pose that it has there.
    pub(super) fn mirrored(&self, bone: usize, pose: &Deviation) -> Option<(usize, Deviation)> {
        let other = self.others[bone]?;
        let (from, to) = (self.parents[bone], self.parents[other]);
        let map = to.inverse() * self.reflection * from;
        // Also if the parent is mirrored on one side only.
        let sense = map.determinant().signum();
        let position = map * Vec2::from(pose.position);
        let mirrored = Deviation {
            rotation: sense * pose.rotation,
            position: position.into(),
            scale: pose.scale,
            skew: sense * pose.skew,
        };
        position.is_finite().then_some((other, mirrored))
    }
}

/// The bone with the name of the other side.
fn named(bones: &[RestBone], bone: usize, names: &SideNames) -> Option<usize> {
    let names = names.other_side(&bones[bone].name).into_iter();
    let mut found = names.filter_map(|name| bones.iter().position(|other| other.name == name));
    found.next()
}

fn image(point: Vec2) -> Vec2 {
    Vec2::new(-point.x, point.y)
}

/// A reflection, unless the sides lie on each other rather than on each other's image.
fn reflection_of(others: &[Option<usize>], lines: &[[Vec2; 2]]) -> Mat2 {
    let (mut as_images, mut as_they_are) = (0.0, 0.0);
    for (line, other) in lines.iter().zip(others) {
        let Some(other) = other.map(|other| &lines[other]) else {
            continue;
        };
        for (point, other) in line.iter().zip(other) {
            as_images += image(*point).distance(*other);
            as_they_are += point.distance(*other);
        }
    }
    match as_they_are < as_images {
        true => Mat2::IDENTITY,
        false => Mat2::from_diagonal(Vec2::new(-1.0, 1.0)),
    }
}

/// Adds pairs to `others` whose names say nothing: those that are images of each other. What has no image
/// is its own, as bones in the middle are.
fn with_images(
    mut others: Vec<Option<usize>>,
    bones: &[RestBone],
    lines: &[[Vec2; 2]],
    names: &SideNames,
) -> Vec<Option<usize>> {
    let extents = lines.iter().flatten().map(|point| point.length());
    let near = NEAR * extents.fold(0.0, f32::max);
    let is_nameless = |bone: usize| names.other_side(&bones[bone].name).is_empty();
    for bone in 0..bones.len() {
        if others[bone].is_some() || !is_nameless(bone) {
            continue;
        }
        let gaps = |other: usize| {
            let pairs = lines[bone].iter().zip(&lines[other]);
            pairs.map(|(point, other)| image(*point).distance(*other))
        };
        let free = (bone..bones.len()).filter(|&it| others[it].is_none() && is_nameless(it));
        let images = free.filter(|&it| gaps(it).all(|gap| gap <= near));
        let nearest = images.min_by(|&a, &b| gaps(a).sum::<f32>().total_cmp(&gaps(b).sum()));
        let other = nearest.unwrap_or(bone);
        (others[bone], others[other]) = (Some(other), Some(bone));
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bone(name: &str, parent: Option<usize>, rest: Affine2) -> RestBone {
        RestBone {
            name: name.into(),
            parent,
            rest,
            end: Vec2::new(20.0, 0.0),
        }
    }

    fn at(x: f32, y: f32, angle: f32) -> Affine2 {
        Affine2::from_angle_translation(angle, Vec2::new(x, y))
    }

    const UP: f32 = -std::f32::consts::FRAC_PI_2;
    const BACK: f32 = std::f32::consts::PI;

    /// Hips, a left arm, and a right one of other frames: turned at rest, or mirrored by its scale.
    fn character(names: [&str; 5], is_scaled: bool) -> Vec<RestBone> {
        let right = match is_scaled {
            true => Affine2::from_scale_angle_translation(Vec2::new(1.0, -1.0), BACK, Vec2::ZERO),
            false => at(0.0, 0.0, BACK + 0.4),
        };
        let hips = at(0.0, -50.0, UP);
        let in_skeleton = |frame: Affine2| hips.inverse() * frame;
        let upper = Affine2::from_translation(Vec2::new(-10.0, -80.0)) * right;
        let lower = at(-40.0, -90.0, 2.9);
        let mut bones = vec![
            bone(names[0], None, hips),
            bone(names[1], Some(0), in_skeleton(at(10.0, -80.0, -0.3))),
            bone(
                names[2],
                Some(1),
                at(10.0, -80.0, -0.3).inverse() * at(40.0, -90.0, 0.7),
            ),
            bone(names[3], Some(0), in_skeleton(upper)),
            bone(names[4], Some(3), upper.inverse() * lower),
        ];
        // The ends are images, whatever the frames are.
        let frames = frames_of(&bones, &[Deviation::NONE; 5]);
        for (left, right) in [(1, 3), (2, 4)] {
            let end = frames[left].transform_point2(bones[left].end);
            bones[right].end = frames[right].inverse().transform_point2(image(end));
        }
        let end = frames[0].inverse().transform_point2(Vec2::new(0.0, -80.0));
        bones[0].end = end;
        bones
    }

    const NAMED: [&str; 5] = ["Hips", "Arm_L", "Hand_L", "Arm_R", "Hand_R"];
    const NAMELESS: [&str; 5] = ["A", "B", "C", "D", "E"];

    fn frames_of(bones: &[RestBone], pose: &[Deviation]) -> Vec<Affine2> {
        let mut frames: Vec<Affine2> = Vec::new();
        for (bone, pose) in bones.iter().zip(pose) {
            let parent = bone.parent.map_or(Affine2::IDENTITY, |it| frames[it]);
            let offset = bone.rest.translation + Vec2::from(pose.position);
            let turn = Mat2::from_angle(pose.rotation);
            let local = Affine2::from_mat2_translation(turn * bone.rest.matrix2, offset);
            frames.push(parent * local);
        }
        frames
    }

    fn pose() -> Vec<Deviation> {
        let numbers = [0.3_f32, -1.1, 2.7, 0.8, -0.45];
        let poses = numbers.iter().map(|&number| Deviation {
            rotation: number,
            position: [4.0 * number, 3.0 - number],
            scale: [1.0, 1.0 + 0.1 * number],
            skew: 0.2 * number,
        });
        poses.collect()
    }

    fn mirrored(mirror: &SkeletonSides, pose: &[Deviation]) -> Vec<Deviation> {
        let mut after = vec![Deviation::NONE; pose.len()];
        for (bone, pose) in pose.iter().enumerate() {
            let (other, mirrored) = mirror.mirrored(bone, pose).expect("has another side");
            after[other] = mirrored;
        }
        after
    }

    #[test]
    fn a_mirrored_pose_is_the_image_of_the_pose() {
        for names in [NAMED, NAMELESS] {
            for is_scaled in [false, true] {
                let bones = character(names, is_scaled);
                let mirror = SkeletonSides::of(&bones, &SideNames::default());
                let before = frames_of(&bones, &pose());
                let after = frames_of(&bones, &mirrored(&mirror, &pose()));
                for (bone, other) in [(0, 0), (1, 3), (2, 4), (3, 1), (4, 2)] {
                    for point in [Vec2::ZERO, bones[bone].end] {
                        let at_rest = frames_of(&bones, &[Deviation::NONE; 5]);
                        let same = at_rest[other]
                            .inverse()
                            .transform_point2(image(at_rest[bone].transform_point2(point)));
                        let expected = image(before[bone].transform_point2(point));
                        let gap = expected.distance(after[other].transform_point2(same));
                        assert!(gap < 1e-3, "{names:?}, {is_scaled}, {bone}: {gap}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_pose_that_is_mirrored_twice_comes_back() {
        for is_scaled in [false, true] {
            let mirror = SkeletonSides::of(&character(NAMED, is_scaled), &SideNames::default());
            let twice = mirrored(&mirror, &mirrored(&mirror, &pose()));
            for (pose, twice) in pose().iter().zip(&twice) {
                assert_eq!(pose.rotation, twice.rotation);
                assert_eq!((pose.scale, pose.skew), (twice.scale, twice.skew));
                let gap = Vec2::from(pose.position).distance(Vec2::from(twice.position));
                assert!(gap < 1e-5, "{gap}");
            }
        }
    }

    #[test]
    fn seen_from_the_side_legs_change_places() {
        let names = ["Hips", "Leg_L", "Foot_L", "Leg_R", "Foot_R"];
        let foot = at(20.0, 0.0, UP);
        let bones = [
            bone(names[0], None, at(0.0, -50.0, UP)),
            bone(names[1], Some(0), at(-1.0, 2.0, BACK)),
            bone(names[2], Some(1), foot),
            bone(names[3], Some(0), at(-1.0, -2.0, BACK)),
            bone(names[4], Some(3), foot),
        ];
        let (mirror, pose) = (SkeletonSides::of(&bones, &SideNames::default()), pose());
        let after = mirrored(&mirror, &pose);
        let expected = [&pose[0], &pose[3], &pose[4], &pose[1], &pose[2]];
        for (after, expected) in after.iter().zip(expected) {
            assert_eq!(after.rotation, expected.rotation);
        }
    }

    #[test]
    fn a_side_without_another_has_no_image() {
        let bones = [
            bone("Hips", None, at(0.0, 0.0, 0.0)),
            bone("Arm_L", Some(0), at(9.0, 0.0, 0.0)),
        ];
        assert!(
            SkeletonSides::of(&bones, &SideNames::default())
                .mirrored(1, &pose()[1])
                .is_none()
        );
    }
}

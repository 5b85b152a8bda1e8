//! A foot of what stands on ground: its limb, which is a modifier of its own that comes later.

use glam::{Affine2, Vec2};
use serde::{Deserialize, Serialize};

use crate::math::rotation::Rotation;
use crate::rig::goal::Goal;
use crate::rig::kind::{Peer, line_of};
use crate::rig::pose::Pose;
use crate::rig::standing::AtRest;
use crate::skeleton::bone::Point;
use crate::solvers::stance::leg::{FootSettings, Knee, Leg, Sole};
use crate::solvers::stance::shown::ShownFoot;
use crate::solvers::stance::world::PosedFoot;

/// A foot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Foot {
    /// Index of the limb among the modifiers of the rig: it comes later. Without one the foot is ignored.
    pub limb: Option<usize>,
    /// Index of the bone that is turned to the ground.
    pub bone: Option<usize>,
    /// Index of the bone of the toes, below that one: it begins at the ball of the foot.
    pub toes: Option<usize>,
    /// The end of the last of these bones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Point>,
    /// Settings of its placement.
    pub settings: FootSettings,
}

/// A foot that the animation has pitched by less than this, as the cosine of the angle, lies flat.
const FLAT: f32 = 0.98;

/// A heel is drawn so far behind the end of the leg, as a part of the height of that.
const HEEL: f32 = 0.6;

/// The rest pose in skeleton space.
#[derive(Clone, Copy)]
pub(super) struct RestPose<'a> {
    /// The frames of all bones.
    pub(super) frames: &'a [Affine2],
    /// Away from the ground, of length 1.
    pub(super) up: Vec2,
}

impl RestPose<'_> {
    /// Returns the place of a point of a bone.
    fn locate(self, point: Point) -> Option<Vec2> {
        let frame = self.frames.get(point.bone?)?;
        Some(frame.transform_point2(point.position))
    }
}

impl Foot {
    /// Its leg in the rest pose, of which `at_rest` is known.
    pub(super) fn leg(
        &self,
        limb: Peer<'_>,
        rest: RestPose<'_>,
        at_rest: &mut AtRest,
    ) -> Option<Leg> {
        let (tip, height) = (limb.parts.tip(), self.settings.sole_height);
        let stretch = limb.parts.elasticity().map_or(1.0, |it| it.stretch);
        let [x, y] = tip.position.to_array();
        let up = rest.up;
        let numbers = [up.x, up.y, x, y, stretch, height].map(f32::to_bits);
        let measured = Some((numbers, tip.bone));
        if at_rest.0 != measured {
            *at_rest = (measured, self.measured_leg(limb, rest, stretch));
        }
        let (leg, settings) = (at_rest.1?, self.settings);
        limb.is_active.then_some(Leg { settings, ..leg })
    }

    /// Its leg in the rest pose, which may be longer by `stretch`.
    fn measured_leg(&self, limb: Peer<'_>, rest: RestPose<'_>, stretch: f32) -> Option<Leg> {
        let mut places = line_of(limb.parts).map(|point| rest.locate(point).unwrap_or(Vec2::NAN));
        let hip = places.next()?;
        let mut joints = places.clone();
        let knee = match [joints.next(), joints.next(), joints.next()] {
            [Some(knee), Some(tip), None] => Knee::of([hip, knee, tip], rest.up),
            _ => None,
        };
        let (mut last, mut length, mut longest) = (hip, 0.0, 0.0_f32);
        for place in places {
            let bone = place.distance(std::mem::replace(&mut last, place));
            length += bone;
            longest = longest.max(bone);
        }
        let above = rest.up * self.settings.sole_height;
        let leg = Leg {
            home: last - above,
            hip,
            above,
            reach: length * stretch.max(1.0),
            carried: Vec2::ZERO,
            least: (2.0 * longest - length).max(0.0),
            knee,
            sole: None,
            toes: None,
            settings: self.settings,
        };
        leg.is_finite().then_some(leg)
    }

    /// Notes its whole foot, of which `posed` is what the animation has. Feet that step stand on their heels.
    pub(super) fn add_foot(
        &self,
        leg: &mut Leg,
        limb: Peer<'_>,
        rest: RestPose<'_>,
        posed: Option<&PosedFoot>,
    ) {
        let (Some(_), Some(heel)) = (self.bone, rest.locate(limb.parts.tip())) else {
            return;
        };
        let end = self.end.and_then(|end| rest.locate(end));
        let ball = rest.locate(Point::origin_of(self.toes));
        let along = |place: Vec2| (place - heel).dot(rest.up.perp());
        let Some(front) = ball.or(end).map(along) else {
            return;
        };
        let is_on_ball = posed.is_some_and(|posed| posed.is_on_ball);
        let place = if is_on_ball { front } else { 0.0 };
        if let (Some(_), Some(end)) = (ball, end) {
            leg.toes = Some([front, along(end)].map(|toe| toe - place));
        }
        let is_flat = |posed: &PosedFoot| {
            let direction = posed.direction.unwrap_or(posed.rest);
            direction.dot(posed.rest) >= FLAT * direction.length() * posed.rest.length()
        };
        let other = if is_on_ball { -front } else { front };
        let is_flat = posed.is_none_or(is_flat);
        let has_length = other != 0.0 && other.is_finite();
        let behind = (HEEL * self.settings.sole_height.max(0.0)).min(0.5 * front.abs());
        let ends = [-behind.copysign(front), end.map_or(front, along)].map(|end| end - place);
        let span = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        leg.sole = has_length.then_some(Sole {
            other,
            span,
            is_flat,
        });
    }

    /// Returns the foot and its leg as the animation has them, in skeleton space.
    pub(super) fn posed(
        &self,
        limb: Peer<'_>,
        rest: RestPose<'_>,
        pose: &Pose,
    ) -> Option<PosedFoot> {
        let &root = limb.parts.joints().first()?;
        let tip = pose.locate(limb.animated()?);
        let sole = self.sole(limb, tip, rest, pose)?;
        let bone = self.bone.filter(|_| limb.awaits_goal);
        let of_rest = self.bone.and_then(|bone| rest.frames.get(bone));
        let posed = PosedFoot {
            hip: pose.locate(pose.bone(root).origin()),
            sole,
            above: tip - sole,
            direction: bone.map(|bone| pose.frame(Some(bone)).matrix2.x_axis),
            rest: of_rest.map_or(Vec2::ZERO, |rest| rest.matrix2.x_axis),
            is_on_ball: bone.is_some() && self.toes.is_some(),
            miss: limb.miss,
        };
        (posed.hip.is_finite() && tip.is_finite() && sole.is_finite()).then_some(posed)
    }

    /// The place of the sole that is put on the ground: below the ball of the foot, if it has one, or else below
    /// the tip of its limb, which is at `tip`. The toes of a limb with a target of its own are not known before it is
    /// solved.
    fn sole(&self, limb: Peer<'_>, tip: Vec2, rest: RestPose<'_>, pose: &Pose) -> Option<Vec2> {
        let (up, sole_height) = (rest.up, self.settings.sole_height);
        let Some(toes) = self.toes.filter(|_| limb.awaits_goal) else {
            return Some(tip - up * sole_height);
        };
        let ball = Point::origin_of(Some(toes));
        let above_tip = (rest.locate(ball)? - rest.locate(limb.parts.tip())?).dot(up);
        Some(pose.locate(ball) - up * (above_tip + sole_height))
    }

    /// Returns the goal of its limb, for a `part` of the result, 0 to 1.
    pub(super) fn goal(
        &self,
        posed: &PosedFoot,
        shown: Option<ShownFoot>,
        part: f32,
        [fastest, tick]: [f32; 2],
    ) -> Goal {
        let shown = shown.filter(|_| part > 0.0);
        let turn = shown.map_or(0.0, |shown| shown.turn * part);
        let way = shown.and_then(|shown| shown.direction);
        let direction = match (posed.direction, way) {
            (Some(own), Some((way, hold))) => {
                let way = Rotation::between(own, way).map_or(0.0, Rotation::angle);
                Some((Rotation::from_angle(part * hold * way).apply(own), 1.0))
            }
            (Some(own), None) => Some((Rotation::from_angle(turn).apply(own), 1.0)),
            (None, way) => way.map(|(way, hold)| (way, hold * part)),
        };
        Goal {
            point: shown.map(|shown| Point {
                bone: None,
                position: posed.tip().lerp(shown.tip, part),
            }),
            foot: self.bone,
            fastest,
            tick,
            turn,
            toes: self.toes.zip(shown.map(|shown| shown.bend * part)),
            direction,
        }
    }
}

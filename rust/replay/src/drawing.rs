//! The pass as a picture: the bones before and after it, their limits, what they reach for and
//! what they stay out of, as they are on the screen.

use tendon_solver::glam::{Affine2, Vec2};
use tendon_solver::math::rotation::Rotation;
use tendon_solver::{Capture, Limit, LimitSpace, Modifier, Parts, Path, Status};

use crate::figure::Figure;
use crate::svg::Sheet;
use crate::table::{short, title};
use crate::view::View;

/// Corners of the polygon for something round.
const CORNERS: usize = 64;

/// The part of the sheet that the bones are drawn on.
const PICTURE: Vec2 = Vec2::new(960.0, 640.0);

/// What is left free around them.
const MARGIN: Vec2 = Vec2::new(70.0, 60.0);

/// The height of a line of text.
const LINE: f32 = 24.0;

/// The columns of the legend.
const COLUMNS: [f32; 6] = [50.0, 320.0, 420.0, 540.0, 690.0, 810.0];

/// How many colours there are for modifiers.
const COLOURS: usize = 5;

const STYLE: &str = "
text { font: 14px system-ui, 'DejaVu Sans', sans-serif; fill: #33414e }
.head { font-size: 12px; fill: #7d8a96 }
.key { font-size: 12px; fill: #7d8a96; text-anchor: end }
.title { font-size: 17px; font-weight: 600 }
.paper { fill: #fbfaf6 }
.legend { fill: #f0ede5 }
.before { fill: #fff; stroke: #a0988b; stroke-width: 1.2; stroke-dasharray: 3 2.5; fill-opacity: .55 }
.still { fill: #c3c8cc; stroke: #76818b; stroke-width: 1.3 }
.m0 { fill: #9fd0c9; stroke: #1f7a70 } .m1 { fill: #f4b9a3; stroke: #bd5232 }
.m2 { fill: #bdbbea; stroke: #5350ad } .m3 { fill: #f2d58c; stroke: #a17a10 }
.m4 { fill: #e7b3d2; stroke: #a03e78 }
.bone { stroke-width: 1.6; stroke-linejoin: round; fill-opacity: .92 }
.joint { fill: #fff; stroke-width: 1.8 }
.still.joint { stroke-width: 1.3 }
.limit { fill: #3f6ea8; fill-opacity: .13; stroke: #3f6ea8; stroke-opacity: .55; stroke-width: 1 }
.obstacle { fill: #33414e; fill-opacity: .16; stroke: #33414e; stroke-opacity: .6; stroke-width: 1.5 }
.target { fill: none; stroke-width: 2.2 }
.dot { stroke: none }
.gap { fill: none; stroke-width: 1.4; stroke-dasharray: 5 4 }
.arrow, .pole { fill: none; stroke: #33414e; stroke-width: 1.5 }
.pole.gap { stroke-opacity: .5 }
.path { fill: none; stroke: #33414e; stroke-opacity: .6; stroke-width: 1.5 }
.reached { stroke: #1d8a4a } .late { stroke: #d98a00 } .bad { stroke: #d02f2f } .idle { stroke: #8b949c }
.dot.reached { fill: #1d8a4a } .dot.late { fill: #d98a00 } .dot.bad { fill: #d02f2f } .dot.idle { fill: #8b949c }
";

/// The drawing of a capture that has been solved again.
pub fn of(capture: &Capture) -> String {
    let before = Figure::before(&capture.rig);
    let after = Figure::after(&capture.rig);
    let bones: Vec<_> = before.points().chain(after.points()).collect();
    let view = View::new(
        &capture.ancestors,
        &bones,
        &aims(capture, &after),
        PICTURE - 2.0 * MARGIN,
    );
    let view = View {
        to_sheet: Affine2::from_translation(MARGIN) * view.to_sheet,
    };
    let drawing = Drawing {
        capture,
        after,
        view,
    };
    let mut sheet = Sheet::default();
    sheet.clipped(PICTURE, |sheet| {
        sheet.polygon("paper", &rectangle(Vec2::ZERO, PICTURE));
        drawing.obstacles(sheet);
        drawing.bones(sheet, &before, |_| "before".into());
        drawing.limits(sheet);
        drawing.bones(sheet, &drawing.after, |bone| drawing.bone_class(bone));
        drawing.modifiers(sheet);
    });
    sheet.text("title", Vec2::new(24.0, 34.0), &title(capture));
    let corner = PICTURE - Vec2::new(24.0, 16.0);
    sheet.text("key", corner, "dashed: before the pass");
    let size = drawing.legend(&mut sheet);
    sheet.finish(size, STYLE)
}

/// What the modifiers reach for or stay out of, in skeleton space.
fn aims(capture: &Capture, after: &Figure) -> Vec<Vec2> {
    let mut aims = Vec::new();
    for modifier in &capture.rig.modifiers {
        let parts = modifier.parts();
        let targets = parts.effectors().iter().map(|effector| effector.target);
        let points = targets.chain(parts.target()).chain(parts.pole());
        aims.extend(points.map(|point| after.locate(point)));
        let obstacles = parts.obstacles().iter();
        let frames = obstacles.map(|obstacle| after.frame(obstacle.bone) * obstacle.frame);
        aims.extend(frames.map(|frame| frame.translation));
        if let Some(path) = parts.path() {
            aims.extend(places_along(path, after.frame(path.bone) * path.frame));
        }
    }
    aims
}

/// Places along a path, through `frame`.
fn places_along(path: &Path, frame: Affine2) -> impl Iterator<Item = Vec2> {
    let length = path.curve.length();
    let steps = (0..=CORNERS).map(move |step| length * step as f64 / CORNERS as f64);
    steps.map(move |progress| frame.transform_point2(path.curve.position_at(progress)))
}

struct Drawing<'a> {
    capture: &'a Capture,
    after: Figure,
    view: View,
}

impl Drawing<'_> {
    fn obstacles(&self, sheet: &mut Sheet) {
        let modifiers = self.capture.rig.modifiers.iter();
        let mut drawn = Vec::new();
        for obstacle in modifiers.flat_map(|modifier| modifier.parts().obstacles()) {
            // Several modifiers may keep out of the same one.
            if !drawn.contains(&obstacle) {
                let frame = self.after.frame(obstacle.bone) * obstacle.frame;
                let seen = self.view.to_sheet * frame;
                let outline = obstacle.shape.outline(CORNERS).into_iter();
                let outline: Vec<_> = outline.map(|point| seen.transform_point2(point)).collect();
                sheet.polygon("obstacle", &outline);
                drawn.push(obstacle);
            }
        }
    }

    fn bones(&self, sheet: &mut Sheet, figure: &Figure, class: impl Fn(usize) -> String) {
        for (index, (frame, ends)) in figure.frames.iter().zip(&figure.ends).enumerate() {
            let class = class(index);
            let from = self.view.at(frame.translation);
            for end in ends {
                let to = self.view.at(frame.transform_point2(*end));
                sheet.polygon(&format!("{class} bone"), &kite(from, to));
            }
            sheet.circle(&format!("{class} joint"), from, 4.0);
        }
    }

    /// A bone has the colour of the last modifier that turns it.
    fn bone_class(&self, bone: usize) -> String {
        let modifiers = self.capture.rig.modifiers.iter();
        let turns = |modifier: &Modifier| modifier.parts().turns(bone);
        match modifiers.rev().position(turns) {
            Some(place) => colour_of(self.capture.rig.modifiers.len() - 1 - place),
            None => "still".into(),
        }
    }

    fn limits(&self, sheet: &mut Sheet) {
        for (index, bone) in self.capture.rig.bones.iter().enumerate() {
            if let Some(limit) = &bone.limit {
                sheet.polygon("limit", &self.sector(index, limit));
            }
        }
    }

    /// Where the first segment of a bone may be, within its limit and in the frame that the pass
    /// has left it in.
    fn sector(&self, bone: usize, limit: &Limit) -> Vec<Vec2> {
        let rig = &self.capture.rig;
        let above = self.after.frame(rig.bones[bone].parent);
        let own = self.after.frames[bone];
        let lever = self.after.ends[bone].first().copied().unwrap_or(Vec2::X);
        let lever = rig.bones[bone].shape() * lever;
        // From the limit's angles to rotations in the parent's frame.
        let from = match limit.space {
            LimitSpace::Parent => limit.rest,
            LimitSpace::Skeleton => {
                let turn = Rotation::from_angle(rig.rotation(bone));
                let heading = Rotation::towards(above.matrix2 * turn.direction());
                rig.rotation(bone) + limit.rest - heading.map_or(0.0, Rotation::angle)
            }
        };
        let sense = match limit.space {
            LimitSpace::Skeleton if above.matrix2.determinant() < 0.0 => -1.0,
            _ => 1.0,
        };
        let centre = self.view.at(own.translation);
        let mut corners = vec![centre];
        let steps = 32;
        for step in 0..=steps {
            let part = step as f32 / steps as f32;
            let angle = from + sense * (limit.min + part * (limit.max - limit.min));
            let way = above.matrix2 * Rotation::from_angle(angle).apply(lever);
            let seen = self.view.to_sheet.matrix2 * way;
            corners.push(centre + 0.62 * seen.clamp_length(24.0, 150.0));
        }
        corners
    }

    fn modifiers(&self, sheet: &mut Sheet) {
        for (index, modifier) in self.capture.rig.modifiers.iter().enumerate() {
            let class = status_class(modifier.report.status);
            for pair in self.capture.rig.goal_line(index).windows(2) {
                sheet.line("gap idle", self.view.at(pair[0]), self.view.at(pair[1]));
            }
            let parts = modifier.parts();
            if let Some(pole) = parts.pole() {
                self.pole(sheet, parts, self.after.locate(pole));
            }
            if let (Some(target), Some(direction)) = (parts.target(), parts.heading()) {
                let way = self.after.frame(direction.bone).matrix2 * direction.vector;
                self.arrow(sheet, self.after.locate(target), way);
            }
            if let Some(path) = parts.path() {
                self.path(sheet, class, parts, path);
            }
            let wanted = parts.target().map(|target| (parts.tip(), target));
            let further = parts.effectors().iter();
            let further = further.map(|effector| (effector.end.point(), effector.target));
            for (tip, target) in wanted.into_iter().chain(further) {
                self.target(
                    sheet,
                    class,
                    self.after.locate(tip),
                    self.after.locate(target),
                );
            }
        }
    }

    fn target(&self, sheet: &mut Sheet, class: &str, tip: Vec2, target: Vec2) {
        let (tip, target) = (self.view.at(tip), self.view.at(target));
        let reach = PICTURE.length();
        sheet.line(
            &format!("gap {class}"),
            tip,
            tip + (target - tip).clamp_length_max(reach),
        );
        sheet.circle(&format!("dot {class}"), tip, 3.5);
        sheet.circle(&format!("target {class}"), target, 9.0);
        for way in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
            let class = format!("target {class}");
            sheet.line(&class, target + 5.0 * way, target + 14.0 * way);
        }
    }

    fn pole(&self, sheet: &mut Sheet, parts: &dyn Parts, pole: Vec2) {
        let pole = self.view.at(pole);
        let corners = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y].map(|way| pole + 7.0 * way);
        sheet.polygon("pole", &corners);
        if let Some(&middle) = parts.joints().last() {
            let middle = self.view.at(self.after.frames[middle].translation);
            sheet.line("pole gap", middle, pole);
        }
    }

    /// A path, with the end of the chain that lies along it.
    fn path(&self, sheet: &mut Sheet, class: &str, parts: &dyn Parts, path: &Path) {
        let frame = self.view.to_sheet * self.after.frame(path.bone) * path.frame;
        let places: Vec<_> = places_along(path, frame).collect();
        for ends in places.windows(2) {
            sheet.line("path", ends[0], ends[1]);
        }
        let tip = self.after.locate(parts.tip());
        sheet.circle(&format!("dot {class}"), self.view.at(tip), 3.5);
    }

    fn arrow(&self, sheet: &mut Sheet, from: Vec2, way: Vec2) {
        let from = self.view.at(from);
        let way = (self.view.to_sheet.matrix2 * way).normalize_or_zero();
        let end = from + 34.0 * way;
        sheet.line("arrow", from + 14.0 * way, end);
        for side in [way.perp(), -way.perp()] {
            sheet.line("arrow", end, end - 8.0 * way + 4.0 * side);
        }
    }

    /// What each modifier did. Returns the size of the whole sheet.
    fn legend(&self, sheet: &mut Sheet) -> Vec2 {
        let scene = &self.capture.scene;
        let modifiers = &self.capture.rig.modifiers;
        let rows = (modifiers.len() + scene.problems.len()) as f32 + 1.8;
        let size = PICTURE + Vec2::Y * LINE * rows;
        let corner = Vec2::Y * PICTURE;
        sheet.polygon("legend", &rectangle(corner, size - corner));
        let mut line = PICTURE.y + 0.9 * LINE;
        let heads = [
            "modifier",
            "solver",
            "status",
            "distance",
            "iterations",
            "penetration",
        ];
        push_row(sheet, "head", line, heads.map(String::from));
        for (index, modifier) in modifiers.iter().enumerate() {
            line += LINE;
            let class = format!("{} joint", colour_of(index));
            sheet.circle(&class, Vec2::new(32.0, line - 5.0), 6.0);
            push_row(sheet, "", line, self.row(index, modifier));
        }
        for problem in &scene.problems {
            line += LINE;
            sheet.text("", Vec2::new(COLUMNS[0], line), problem);
        }
        size
    }

    fn row(&self, index: usize, modifier: &Modifier) -> [String; COLUMNS.len()] {
        let report = modifier.report;
        let name = self.capture.scene.modifiers.get(index);
        [
            name.map_or(format!("modifier {index}"), String::clone),
            modifier.solver.name().into(),
            report.status.to_string(),
            short(report.distance),
            report.iterations.to_string(),
            short(report.penetration),
        ]
    }
}

fn push_row(sheet: &mut Sheet, class: &str, line: f32, cells: [String; COLUMNS.len()]) {
    for (cell, column) in cells.iter().zip(COLUMNS) {
        sheet.text(class, Vec2::new(column, line), cell);
    }
}

/// A bone as it is usually drawn: broad near its joint, and pointed at its end.
fn kite(from: Vec2, to: Vec2) -> [Vec2; 4] {
    let along = to - from;
    let across = along.perp().clamp_length_max(9.0 / 0.12) * 0.12;
    let broadest = from + 0.18 * along;
    [from, broadest + across, to, broadest - across]
}

fn rectangle(corner: Vec2, size: Vec2) -> [Vec2; 4] {
    let (x, y) = (Vec2::X * size, Vec2::Y * size);
    [corner, corner + x, corner + x + y, corner + y]
}

fn colour_of(modifier: usize) -> String {
    format!("m{}", modifier % COLOURS)
}

fn status_class(status: Status) -> &'static str {
    match status {
        Status::Idle => "idle",
        Status::Reached => "reached",
        Status::OutOfReach => "late",
        Status::Invalid => "bad",
    }
}

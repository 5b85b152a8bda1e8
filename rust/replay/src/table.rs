//! What each modifier did, and what differs, in words.

use std::fmt::Write as _;

use tendon_solver::capture::Difference;
use tendon_solver::{Capture, Modifier};

/// More differences than this are only counted.
const SHOWN: usize = 12;

/// The heads of the table's columns.
const COLUMNS: [&str; 8] = [
    "modifier",
    "solver",
    "joints",
    "influence",
    "status",
    "distance",
    "iterations",
    "penetration",
];

/// All that is to be said of `capture`, which has been solved again.
pub fn of(capture: &Capture, differences: &[Difference]) -> String {
    let mut text = format!("{}\n", title(capture));
    let modifiers = capture.rig.modifiers.iter().enumerate();
    let rows = modifiers.map(|(index, modifier)| row(capture, index, modifier));
    push_table(&mut text, rows.collect());
    for problem in &capture.scene.problems {
        text += &format!("Not solved: {problem}\n");
    }
    push_verdict(&mut text, differences);
    text + "\n"
}

/// Returns a line that names the capture, and counts its bones and modifiers.
pub fn title(capture: &Capture) -> String {
    let bones = counted(capture.rig.bones.len(), "bone");
    let modifiers = counted(capture.rig.modifiers.len(), "modifier");
    if !capture.name.is_empty() {
        return format!("{}: {bones}, {modifiers}", capture.name);
    }
    let Capture {
        tendon, platform, ..
    } = capture;
    format!("Tendon {tendon} on {platform}: {bones}, {modifiers}")
}

fn counted(count: usize, thing: &str) -> String {
    match count {
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

fn row(capture: &Capture, index: usize, modifier: &Modifier) -> [String; COLUMNS.len()] {
    let name = capture.scene.modifiers.get(index);
    let report = modifier.report;
    [
        name.map_or(index.to_string(), |name| format!("{index} {name}")),
        modifier.solver.name().into(),
        modifier.parts().joints().len().to_string(),
        modifier.influence.to_string(),
        report.status.to_string(),
        short(report.distance),
        report.iterations.to_string(),
        short(report.penetration),
    ]
}

/// A number, rounded to be read.
pub fn short(value: f32) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e6).contains(&size) => format!("{value:.2e}"),
        _ => format!("{value:.4}"),
    }
}

fn push_table(text: &mut String, rows: Vec<[String; COLUMNS.len()]>) {
    let mut table = vec![COLUMNS.map(String::from)];
    table.extend(rows);
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max();
    let widths: [_; COLUMNS.len()] = std::array::from_fn(|column| width(column).unwrap_or(0));
    for row in &table {
        let cells = row.iter().zip(widths);
        let cells: Vec<_> = cells
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        *text += &format!("  {}\n", cells.join("  ").trim_end());
    }
}

fn push_verdict(text: &mut String, differences: &[Difference]) {
    if differences.is_empty() {
        *text += "Every bit is as it was.\n";
        return;
    }
    let most = differences.iter().map(|difference| difference.size);
    let most = most.fold(0.0, f32::max);
    let count = counted(differences.len(), "difference");
    writeln!(text, "{count}, of {most} at most:").expect("a string takes any text");
    for difference in differences.iter().take(SHOWN) {
        *text += &format!("  {difference}\n");
    }
    if differences.len() > SHOWN {
        *text += &format!("  and {} more\n", differences.len() - SHOWN);
    }
}

//! The golden table: rigs, targets and the results that Rust and the engine must agree on.
//!
//! `golden/cases.json` holds one case a line. The in-engine tests build each as a real
//! `Skeleton2D` below its `ancestors` and compare the bones with the same numbers. After a
//! deliberate change of a solver, `TENDON_BLESS=1 cargo test --test golden` writes the
//! results anew; look at the difference before committing it.

use std::fmt::Write as _;
use std::path::Path;

use glam::Vec2;
use serde::{Deserialize, Serialize};
use tendon_solver::turn::shortest_way;
use tendon_solver::{Rig, Status};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/cases.json");

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    about: String,
    /// Transforms of the nodes above the skeleton, outermost first, as six numbers each: X
    /// axis, Y axis, origin. The result must not depend on them.
    ancestors: Vec<[f32; 6]>,
    rig: Rig,
    expected: Expected,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// Radians, one for each bone.
    rotations: Vec<f32>,
    /// Positions in the parents' frames, one for each bone; none if no bone has moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    positions: Vec<Vec2>,
    modifiers: Vec<ExpectedModifier>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedModifier {
    status: Status,
    /// Skeleton space.
    tip: Vec2,
    /// Skeleton units.
    distance: f32,
    /// Skeleton units.
    #[serde(default, skip_serializing_if = "is_zero")]
    penetration: f32,
}

fn is_zero(value: &f32) -> bool {
    *value == 0.0
}

#[test]
fn the_golden_cases_hold() {
    let text = std::fs::read_to_string(TABLE).expect("the table is there");
    let mut cases: Vec<Case> = serde_json::from_str(&text).expect("the table is sound");
    for case in &mut cases {
        case.rig.validate().expect(&case.name);
        case.rig.solve();
    }
    if std::env::var_os("TENDON_BLESS").is_some() {
        write(&mut cases, Path::new(TABLE));
    }
    for case in &cases {
        compare(case, &outcome(&case.rig));
    }
}

fn outcome(rig: &Rig) -> Expected {
    let modifiers = rig.modifiers.iter().map(|modifier| ExpectedModifier {
        status: modifier.report.status,
        tip: modifier.report.tip,
        distance: modifier.report.distance,
        penetration: modifier.report.penetration,
    });
    let mut positions: Vec<Vec2> = (0..rig.bones.len())
        .map(|bone| rig.position(bone))
        .collect();
    if positions
        .iter()
        .zip(&rig.bones)
        .all(|(now, bone)| *now == bone.position)
    {
        positions.clear();
    }
    Expected {
        positions,
        rotations: (0..rig.bones.len())
            .map(|bone| rig.rotation(bone))
            .collect(),
        modifiers: modifiers.collect(),
    }
}

fn compare(case: &Case, found: &Expected) {
    let (name, expected) = (&case.name, &case.expected);
    assert_eq!(expected.rotations.len(), found.rotations.len(), "{name}");
    assert_eq!(expected.modifiers.len(), found.modifiers.len(), "{name}");
    for (bone, (expected, found)) in expected.rotations.iter().zip(&found.rotations).enumerate() {
        let off = shortest_way(*expected, *found).abs();
        assert!(off < 1e-3, "{name}: bone {bone} is off by {off} rad");
    }
    assert_eq!(expected.positions.len(), found.positions.len(), "{name}");
    for (expected, found) in expected.positions.iter().zip(&found.positions) {
        assert!(
            expected.distance(*found) < 1e-3 * (1.0 + expected.length()),
            "{name}"
        );
    }
    for (expected, found) in expected.modifiers.iter().zip(&found.modifiers) {
        assert_eq!(expected.status, found.status, "{name}");
        let scale = 1.0 + expected.tip.length();
        assert!(expected.tip.distance(found.tip) < 1e-3 * scale, "{name}");
        assert!(
            (expected.distance - found.distance).abs() < 1e-3 * scale,
            "{name}"
        );
        let off = (expected.penetration - found.penetration).abs();
        assert!(off < 1e-3 * scale, "{name}");
    }
}

fn write(cases: &mut [Case], path: &Path) {
    let mut text = String::from("[\n");
    let last = cases.len() - 1;
    for (index, case) in cases.iter_mut().enumerate() {
        case.expected = outcome(&case.rig);
        let line = serde_json::to_string(case).expect("a case can be written");
        let comma = if index < last { "," } else { "" };
        writeln!(text, "{line}{comma}").expect("a string takes any text");
    }
    text.push_str("]\n");
    std::fs::write(path, text).expect("the table can be written");
}

//! The golden table: rigs, targets and the results that Rust and the engine must agree on.
//!
//! `golden/cases.jsonl` holds one [capture](tendon_solver::capture) a line, with a name.
//! `tendon-replay --golden NAME` makes such a line of a captured pass. The in-engine tests build
//! each as a real `Skeleton2D` below its `ancestors` and compare the bones with the same numbers.
//! After a deliberate change of a solver, `TENDON_BLESS=1 cargo test --test golden` writes the
//! results anew; look at the difference before committing it.

use tendon_solver::capture::Answer;
use tendon_solver::math::angle::shortest_way;
use tendon_solver::{Capture, Workspace};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/cases.jsonl");

#[test]
fn the_golden_cases_hold() {
    let text = std::fs::read_to_string(TABLE).expect("the table is there");
    let mut cases = Capture::read_all(&text).expect("the table is sound");
    let is_blessed = std::env::var_os("TENDON_BLESS").is_some();
    for case in &mut cases {
        case.rig.solve(&mut Workspace::default());
        if is_blessed {
            case.result = Answer::of(&case.rig);
        }
    }
    if is_blessed {
        let lines: String = cases.iter().map(|case| case.to_json() + "\n").collect();
        std::fs::write(TABLE, lines).expect("the table can be written");
    }
    for case in &cases {
        assert!(!case.name.is_empty() && !case.about.is_empty());
        compare(case, &Answer::of(&case.rig));
    }
}

/// Every platform has sines of its own, so these are not compared by their bits.
fn compare(case: &Capture, found: &Answer) {
    let (name, expected) = (&case.name, &case.result);
    for (bone, (expected, found)) in expected.rotations.iter().zip(&found.rotations).enumerate() {
        let off = shortest_way(*expected, *found).abs();
        let is_close = off < 1e-3 || expected.is_nan() && found.is_nan();
        assert!(is_close, "{name}: bone {bone} is off by {off} rad");
    }
    assert_eq!(expected.positions.len(), found.positions.len(), "{name}");
    for (expected, found) in expected.positions.iter().zip(&found.positions) {
        close(name, expected.x, found.x, expected.length());
        close(name, expected.y, found.y, expected.length());
    }
    assert_eq!(expected.scales.len(), found.scales.len(), "{name}");
    for (expected, found) in expected.scales.iter().zip(&found.scales) {
        close(name, expected.x, found.x, expected.length());
        close(name, expected.y, found.y, expected.length());
    }
    for (expected, found) in expected.modifiers.iter().zip(&found.modifiers) {
        assert_eq!(expected.status, found.status, "{name}");
        let scale = expected.tip.length();
        close(name, expected.tip.x, found.tip.x, scale);
        close(name, expected.tip.y, found.tip.y, scale);
        close(name, expected.distance, found.distance, scale);
        close(name, expected.penetration, found.penetration, scale);
    }
}

/// The same to a thousandth of `scale`. What is not finite is what it was.
fn close(name: &str, expected: f32, found: f32, scale: f32) {
    let is_same = expected == found || expected.is_nan() && found.is_nan();
    assert!(
        is_same || (expected - found).abs() < 1e-3 * (1.0 + scale),
        "{name}: {found}, not {expected}"
    );
}

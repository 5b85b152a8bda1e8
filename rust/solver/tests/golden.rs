//! The golden table: rigs, targets and the results that Rust and the engine must agree on.
//!
//! `golden/cases.jsonl` holds one [capture](tendon_solver::capture) a line, with a name.
//! `tendon-replay --golden NAME` makes such a line of a captured pass. The in-engine tests build
//! each as a real `Skeleton2D` below its `ancestors` and compare the bones with the same numbers.
//! After a deliberate change of a solver, `TENDON_BLESS=1 cargo test --test golden` writes the
//! results again; look at the difference before committing it.

use tendon_solver::capture::Answer;
use tendon_solver::{Capture, Workspace};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/cases.jsonl");

/// To the last bit, on every platform.
#[test]
fn the_golden_cases_hold() {
    let text = std::fs::read_to_string(TABLE).expect("the table is there");
    let mut cases = Capture::read_all(&text).expect("the table is sound");
    if std::env::var_os("TENDON_BLESS").is_some() {
        bless(&mut cases);
    }
    for case in &mut cases {
        assert!(!case.name.is_empty() && !case.about.is_empty());
        assert_eq!(case.replay(), [], "{}", case.name);
    }
}

fn bless(cases: &mut [Capture]) {
    for case in &mut *cases {
        case.rig.solve(&mut Workspace::default());
        case.result = Answer::of(&case.rig);
    }
    let lines: String = cases.iter().map(|case| case.to_json() + "\n").collect();
    std::fs::write(TABLE, lines).expect("the table can be written");
}

//! The bits of every golden case, and of thousands of passes that go on from each, must be those
//! of the table: on every platform, with every compiler.
//!
//! After a deliberate change of a solver, `TENDON_BLESS=1 cargo test` writes the table again.

use std::process::Command;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../solver/golden/cases.jsonl");
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../solver/golden/bits.txt");

/// Of each case.
const FRAMES: &str = "500";

/// Of a limb that follows its target over folds and within limits.
const LONG_CASE: &str = "\"name\":\"limits, fabrik within a mirror\"";
const LONG: &str = "10000";

const ADVICE: &str = "if a solver or the golden cases were changed on purpose: \
    TENDON_BLESS=1 cargo test --package tendon-replay --test bits";

fn bits(frames: &str, file: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tendon-replay"))
        .args(["--bits", frames, file])
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// The golden case for the long run, in a file of its own.
fn long_run() -> String {
    let cases = std::fs::read_to_string(CASES).expect("the cases are there");
    let case = cases.lines().find(|line| line.contains(LONG_CASE));
    let file = std::env::temp_dir().join(format!("tendon-bits-{}.jsonl", std::process::id()));
    std::fs::write(&file, case.expect("the case is there")).expect("it can be written");
    let line = bits(LONG, file.to_str().expect("a path"));
    std::fs::remove_file(file).expect("it can be removed");
    line
}

#[test]
fn all_bits_are_those_of_the_table() {
    let found = bits(FRAMES, CASES) + &long_run();
    if std::env::var_os("TENDON_BLESS").is_some() {
        std::fs::write(TABLE, &found).expect("the table can be written");
    }
    let table = std::fs::read_to_string(TABLE).expect("the table is there");
    for (line, expected) in found.lines().zip(table.lines()) {
        assert_eq!(line, expected, "{ADVICE}");
    }
    assert_eq!(found.lines().count(), table.lines().count(), "{ADVICE}");
}

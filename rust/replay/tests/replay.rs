//! `tendon-replay`, the command: what it says and returns.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use tendon_solver::{Capture, Workspace};

const TABLE: &str = include_str!("../../solver/golden/cases.jsonl");

/// Runs the command with `arguments`, and `input` on its standard input.
fn replay(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tendon-replay"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("it has an input");
    // It may end without reading all of it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("it is text")
}

/// The only line on the standard error.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("it is text");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn first_case() -> &'static str {
    TABLE.lines().next().expect("a case")
}

#[test]
fn an_unchanged_result_passes() {
    // On the platform that it was made on, that is.
    let mut capture = Capture::read_all(first_case()).expect("a case").remove(0);
    capture.rig.solve(&mut Workspace::default());
    let text = Capture::of(&capture.rig).to_json();
    let output = replay(&["-"], &format!("{text}\n\n{text}"));
    let said = said(&output);
    assert_eq!(code(&output), Some(0), "{said}");
    assert_eq!(said.matches("Every bit is as it was.").count(), 2, "{said}");
    assert!(said.contains("look-at  1"), "{said}");
    assert!(said.contains("2 captures"), "{said}");
}

#[test]
fn a_changed_bit_is_reported() {
    let mut capture = Capture::read_all(first_case()).expect("a case").remove(0);
    capture.rig.solve(&mut Workspace::default());
    let mut capture = Capture::of(&capture.rig);
    let rotation = &mut capture.result.rotations[0];
    *rotation = f32::from_bits(rotation.to_bits() + 1);
    let output = replay(&["-"], &capture.to_json());
    let said = said(&output);
    assert_eq!(code(&output), Some(1), "{said}");
    assert!(said.contains("1 difference"), "{said}");
    assert!(said.contains("bone 0, rotation: was"), "{said}");
}

#[test]
fn unreadable_input_is_one_clear_error() {
    let case = first_case();
    for (text, expected) in [
        ("", "there is no capture in it"),
        (&case[..case.len() / 2], "capture 1 is damaged"),
        ("[1, 2]", "capture 1 is damaged"),
        ("{}", "capture 1 has no version"),
        (
            &case.replacen("\"version\":6", "\"version\":7", 1),
            "capture 1 is of version 7, and only version 6 can be read",
        ),
        (
            &case.replacen("\"version\":6", "\"version\":6,\"colour\":2", 1),
            "unknown field `colour`",
        ),
        (
            &case.replacen("\"parent\":null", "\"parent\":0", 1),
            "capture 1 has an unsound rig: bone 0",
        ),
        (
            &case.replacen("\"rotations\":[", "\"rotations\":[1,", 1),
            "capture 1 has a result or names that are not those of its rig",
        ),
        (&format!("{case}\n{{\"a\""), "capture 2 is damaged"),
    ] {
        let output = replay(&["-"], text);
        assert_eq!(code(&output), Some(2), "{expected}");
        let complaint = complaint(&output);
        assert!(complaint.contains(expected), "{complaint}");
    }
    let output = replay(&["/no/such/file"], "");
    assert_eq!(code(&output), Some(2));
    assert!(complaint(&output).starts_with("/no/such/file: "));
}

#[test]
fn a_capture_becomes_a_golden_case() {
    let mut rig = Capture::read_all(first_case())
        .expect("a case")
        .remove(0)
        .rig;
    rig.solve(&mut Workspace::default());
    let mut capture = Capture::of(&rig);
    capture.scene.bones = vec!["SecretHero".into(); rig.bones.len()];
    capture.result.rotations[0] += 1.0;
    let output = replay(
        &["--golden", "the one with \"the head\"", "-"],
        &capture.to_json(),
    );
    let line = said(&output);
    assert_eq!(code(&output), Some(0), "{line}");
    assert_eq!(line.lines().count(), 1);
    assert!(!line.contains("SecretHero"), "{line}");
    let mut case = Capture::read_all(&line).expect("a case").remove(0);
    assert_eq!(case.name, "the one with \"the head\"");
    assert!(!case.about.is_empty());
    assert_eq!(case.replay(), [], "it has been solved again");
}

#[test]
fn wrong_arguments_print_the_usage() {
    for arguments in [
        &[][..],
        &["--golden"],
        &["--frob", "-"],
        &["a", "b"],
        &["--bits", "1", "--golden", "b", "-"],
    ] {
        let output = replay(arguments, "");
        assert_eq!(code(&output), Some(2), "{arguments:?}");
        let usage = String::from_utf8(output.stderr).expect("it is text");
        assert!(usage.contains("Usage: tendon-replay"), "{usage}");
    }
    let help = replay(&["--help"], "");
    assert_eq!(code(&help), Some(0));
    assert!(said(&help).contains("Usage: tendon-replay"));
    let output = replay(&["--golden", "a", "-"], TABLE);
    assert!(complaint(&output).contains("captures, not one"));
}

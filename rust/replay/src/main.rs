//! Solves captured passes again, outside the engine, and compares every bit.
//!
//! | file | what is in it |
//! |---|---|
//! | `main.rs` | the command |
//! | `table.rs` | the results of each modifier, and the differences, in words |
//! | `bits.rs` | all bits as two numbers, to compare platforms |

#![forbid(unsafe_code)]

mod bits;
mod table;

use std::io::Read;
use std::process::ExitCode;

use tendon_solver::capture::{Answer, Unreadable};
use tendon_solver::{Capture, Workspace};
use thiserror::Error;

const USAGE: &str = "\
Solves captured passes of Tendon again and compares every bit.

Usage: tendon-replay FILE
       tendon-replay --golden NAME FILE
       tendon-replay --bits FRAMES FILE

FILE holds what TendonRig2D.capture() returned, once or several times; - is the
standard input. Prints what each modifier did, and what is not as it was.

  --golden NAME  prints the pass, solved again, as a line for the golden cases
  --bits FRAMES  prints two numbers for each pass: one made of all bits of its
                 result, and one of those of a number of passes that go on from it
                 while bones and targets move. They are the same on every platform

The exit code is 0 if all is as it was, 1 if anything differs, and 2 if there is
nothing that could be solved.
";

/// The arguments of the command.
#[derive(Default)]
struct Request {
    file: String,
    golden: Option<String>,
    bits: Option<u32>,
}

/// Why there is nothing that could be solved.
#[derive(Debug, Error)]
enum NotReplayed {
    #[error(transparent)]
    Unopened(#[from] std::io::Error),
    #[error(transparent)]
    Unsound(#[from] Unreadable),
    #[error("it has {0} captures, not one")]
    Several(usize),
}

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help") {
        print!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let Some(request) = parse(arguments) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(&request) {
        Ok(is_same) => ExitCode::from(u8::from(!is_same)),
        Err(problem) => {
            eprintln!("{}: {problem}", request.file);
            ExitCode::from(2)
        }
    }
}

fn parse(arguments: Vec<String>) -> Option<Request> {
    let mut request = Request::default();
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--golden" => request.golden = Some(rest.next()?),
            "--bits" => request.bits = Some(rest.next()?.parse().ok()?),
            "-" => request.file = argument,
            _ if argument.starts_with('-') || !request.file.is_empty() => return None,
            _ => request.file = argument,
        }
    }
    let is_clear = request.golden.is_none() || request.bits.is_none();
    (is_clear && !request.file.is_empty()).then_some(request)
}

/// Prints what was requested. Returns `true` if every bit is as it was captured, or if nothing was compared.
fn run(request: &Request) -> Result<bool, NotReplayed> {
    let mut captures = Capture::read_all(&read(&request.file)?)?;
    if let Some(name) = &request.golden {
        if captures.len() > 1 {
            return Err(NotReplayed::Several(captures.len()));
        }
        println!("{}", golden(captures.remove(0), name).to_json());
        return Ok(true);
    }
    if let Some(frames) = request.bits {
        for capture in &mut captures {
            let title = table::title(capture);
            println!("{}", bits::line(capture, frames, &title));
        }
        return Ok(true);
    }
    let mut is_same = true;
    for capture in &mut captures {
        let differences = capture.replay();
        print!("{}", table::of(capture, &differences));
        is_same &= differences.is_empty();
    }
    if captures.len() > 1 {
        println!("{} captures", captures.len());
    }
    Ok(is_same)
}

fn read(file: &str) -> std::io::Result<String> {
    let mut text = String::new();
    match file {
        "-" => std::io::stdin().read_to_string(&mut text).map(|_| text),
        _ => std::fs::read_to_string(file),
    }
}

/// The golden case that `capture` becomes: as the solver has it now, without the names that its
/// author gave things.
fn golden(mut capture: Capture, name: &str) -> Capture {
    capture.rig.solve(&mut Workspace::default());
    Capture {
        name: name.into(),
        about: format!("Captured with Tendon {}.", capture.tendon),
        tendon: String::new(),
        platform: String::new(),
        scene: Default::default(),
        result: Answer::of(&capture.rig),
        ..capture
    }
}

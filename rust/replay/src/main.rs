//! Solves captured passes again, outside the engine, and compares every bit.
//!
//! | file | what is in it |
//! |---|---|
//! | `main.rs` | the command |
//! | `table.rs` | what each modifier did, and what differs, in words |
//! | `bits.rs` | all bits as two numbers, to compare platforms |
//! | `drawing.rs` | the pass as a picture |
//! | `figure.rs` | where bones are |
//! | `view.rs`, `svg.rs` | how it fits on the sheet, and the sheet |

#![forbid(unsafe_code)]

mod bits;
mod drawing;
mod figure;
mod svg;
mod table;
mod view;

use std::io::Read;
use std::process::ExitCode;

use tendon_solver::capture::Answer;
use tendon_solver::{Capture, Workspace};

const USAGE: &str = "\
Solves captured passes of Tendon again and compares every bit.

Usage: tendon-replay [--svg OUT] FILE
       tendon-replay --golden NAME FILE
       tendon-replay --bits FRAMES FILE

FILE holds what TendonRig2D.capture() returned, once or several times; - is the
standard input. Prints what each modifier did, and what is not as it was.

  --svg OUT      draws the pass to the file OUT
  --golden NAME  prints the pass, solved again, as a line for the golden cases
  --bits FRAMES  prints two numbers for each pass: one made of all bits of its
                 result, and one of those of a number of passes that go on from it
                 while bones and targets move. They are the same on every platform

The exit code is 0 if all is as it was, 1 if anything differs, and 2 if there is
nothing that could be solved.
";

/// What was asked for.
#[derive(Default)]
struct Request {
    file: String,
    svg: Option<String>,
    golden: Option<String>,
    bits: Option<u32>,
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
            "--svg" => request.svg = Some(rest.next()?),
            "--golden" => request.golden = Some(rest.next()?),
            "--bits" => request.bits = Some(rest.next()?.parse().ok()?),
            "-" => request.file = argument,
            _ if argument.starts_with('-') || !request.file.is_empty() => return None,
            _ => request.file = argument,
        }
    }
    let options = [
        request.svg.is_some(),
        request.golden.is_some(),
        request.bits.is_some(),
    ];
    let given = options.into_iter().filter(|is_given| *is_given).count();
    (given <= 1 && !request.file.is_empty()).then_some(request)
}

/// Whether everything is as it was.
fn run(request: &Request) -> Result<bool, String> {
    let mut captures =
        Capture::read_all(&read(&request.file)?).map_err(|cause| cause.to_string())?;
    let asks_for_one = request.svg.is_some() || request.golden.is_some();
    if asks_for_one && captures.len() > 1 {
        return Err(format!("it has {} captures, not one", captures.len()));
    }
    if let Some(name) = &request.golden {
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
        if let Some(path) = &request.svg {
            let cannot = |cause| format!("cannot write {path}: {cause}");
            std::fs::write(path, drawing::of(capture)).map_err(cannot)?;
        }
    }
    if captures.len() > 1 {
        println!("{} captures", captures.len());
    }
    Ok(is_same)
}

fn read(file: &str) -> Result<String, String> {
    let mut text = String::new();
    let read = match file {
        "-" => std::io::stdin().read_to_string(&mut text).map(|_| text),
        _ => std::fs::read_to_string(file),
    };
    read.map_err(|cause| cause.to_string())
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

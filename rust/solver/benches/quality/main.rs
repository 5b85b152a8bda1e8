//! How reliably Tendon's solvers arrive, and after how many iterations, beside FABRIK and CCD
//! from the textbook.
//!
//! `scripts/bench --quality` runs it. With `--quick` there are fewer tasks; `--table FILE` and
//! `--json FILE` keep what is printed and all that was counted.

mod cases;
mod measure;
mod ours;
mod table;
#[path = "../textbook/mod.rs"]
mod textbook;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use serde::Serialize;

use crate::cases::Case;
use crate::measure::Measure;
use crate::table::Table;
use crate::textbook::task::{Answer, Task};
use crate::textbook::{ccd, fabrik};

/// Somebody who solves tasks, or not yet.
struct Contender {
    name: &'static str,
    is_ours: bool,
    /// Whether its algorithm knows more than one effector.
    does_trees: bool,
    solve: fn(&Task) -> Option<Answer>,
}

const CONTENDERS: [Contender; 6] = [
    Contender {
        name: "Tendon FABRIK",
        is_ours: true,
        does_trees: true,
        solve: ours::fabrik,
    },
    Contender {
        name: "Tendon CCD",
        is_ours: true,
        does_trees: false,
        solve: ours::ccd_tip_first,
    },
    Contender {
        name: "Tendon CCD, root first",
        is_ours: true,
        does_trees: false,
        solve: ours::ccd_root_first,
    },
    Contender {
        name: "textbook FABRIK",
        is_ours: false,
        does_trees: true,
        solve: |task| Some(fabrik::solve(task)),
    },
    Contender {
        name: "textbook CCD",
        is_ours: false,
        does_trees: false,
        solve: |task| Some(ccd::solve_tip_first(task)),
    },
    Contender {
        name: "textbook CCD, root first",
        is_ours: false,
        does_trees: false,
        solve: |task| Some(ccd::solve_root_first(task)),
    },
];

const LEGEND: &str = "\
Each cell: how many arrive, and the median and (95th percentile) of the iterations of all.
Blank: the algorithm has no such thing. cap: stopped at 1000 iterations in a
and b, 100 in c, 200 in d and e. Tendon counts its sweeps and its steps to the target, those
that it undoes and those of further attempts included. What then brings the pose to the nearest
one to the base pose is not counted: the textbook has no such thing.
";

/// One case as it went for all.
#[derive(Serialize)]
struct Row {
    group: &'static str,
    case: String,
    cap: u32,
    solvers: BTreeMap<&'static str, Option<Measure>>,
}

#[derive(Default)]
struct Options {
    quick: bool,
    table: Option<PathBuf>,
    json: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    let count = if options.quick { 100 } else { 2000 };
    let rows: Vec<Row> = cases::all().iter().map(|case| run(case, count)).collect();
    let text = format!(
        "{}\n{count} tasks in each row. {LEGEND}",
        tabulate(&rows).print()
    );
    print!("{text}");
    if let Some(path) = options.table {
        std::fs::write(path, text)?;
    }
    if let Some(path) = options.json {
        std::fs::write(path, serde_json::to_string_pretty(&rows)? + "\n")?;
    }
    Ok(())
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--table" => options.table = arguments.next().map(PathBuf::from),
            "--json" => options.json = arguments.next().map(PathBuf::from),
            // Cargo says so to every benchmark.
            "--bench" => {}
            _ => return Err(format!("no such option: {argument}").into()),
        }
    }
    Ok(options)
}

/// Gives the tasks of a case to everyone whose job they are.
fn run(case: &Case, count: usize) -> Row {
    let tasks = case.tasks(count);
    let contenders = CONTENDERS.iter();
    let able = contenders.filter(|contender| contender.does_trees || !case.is_tree);
    let measure = |contender: &Contender| {
        let answers: Option<Vec<Answer>> = tasks.iter().map(contender.solve).collect();
        let measure = answers.map(|answers| Measure::of(&tasks, &answers));
        (contender.name, measure)
    };
    Row {
        group: case.group,
        case: case.name.clone(),
        cap: tasks[0].cap,
        solvers: able.map(measure).collect(),
    }
}

fn tabulate(rows: &[Row]) -> Table {
    let mut table = Table::default();
    let names = CONTENDERS.iter().map(|contender| contender.name.to_owned());
    table.push(std::iter::once(String::new()).chain(names).collect());
    let mut group = "";
    for row in rows {
        if row.group != group {
            group = row.group;
            table.push(vec![format!("**{group}**")]);
        }
        table.push(cells(row, &row.case, |contender, measure| {
            table::outcome(measure, (!contender.is_ours).then_some(row.cap))
        }));
        if has_missed(row) {
            table.push(cells(
                row,
                "… farthest off, of the reach",
                |_, measure| table::part(measure.left.worst),
            ));
        }
        if row
            .solvers
            .values()
            .flatten()
            .any(|measure| measure.depth.worst > 0.0)
        {
            table.push(cells(
                row,
                "… deepest inside, of the reach",
                |_, measure| table::part(measure.depth.worst),
            ));
        }
    }
    table
}

/// Whether one of ours was not near enough every time: then the table says by how much.
fn has_missed(row: &Row) -> bool {
    let ours = CONTENDERS.iter().filter(|contender| contender.is_ours);
    let mut measures = ours.filter_map(|contender| row.solvers.get(contender.name)?.as_ref());
    measures.any(|measure| measure.success < 100.0)
}

/// A row with what `describe` makes of each contender's measure.
fn cells(row: &Row, name: &str, describe: impl Fn(&Contender, &Measure) -> String) -> Vec<String> {
    let cell = |contender: &Contender| match row.solvers.get(contender.name) {
        Some(Some(measure)) => describe(contender, measure),
        Some(None) => "-".to_owned(),
        None => String::new(),
    };
    let cells = CONTENDERS.iter().map(cell);
    std::iter::once(name.to_owned()).chain(cells).collect()
}

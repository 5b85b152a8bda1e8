//! The table: a row for each case, a column for each solver, readable as it stands and as
//! Markdown.

use crate::measure::Measure;

/// Rows of cells, the first of which is the header.
#[derive(Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Appends a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The rows with their columns aligned. Cells that a row lacks are blank.
    pub fn print(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            for (column, &width) in widths.iter().enumerate() {
                let cell = row.get(column).map_or("", String::as_str);
                text += &format!("| {cell:width$} ");
            }
            text += "|\n";
            if index == 0 {
                for width in &widths {
                    text += &format!("|{}", "-".repeat(width + 2));
                }
                text += "|\n";
            }
        }
        text
    }
}

/// How often a solver arrived, and its iterations: the median and the 95th percentile.
pub fn outcome(measure: &Measure, cap: Option<u32>) -> String {
    let number = |value: f64| {
        if cap.is_some_and(|cap| value >= cap.into()) {
            "cap".to_owned()
        } else {
            format!("{value}")
        }
    };
    let (median, p95) = (measure.iterations.median, measure.iterations.p95);
    format!(
        "{} {} ({})",
        percent(measure.success),
        number(median),
        number(p95)
    )
}

/// Percent, never rounded up to all of them.
fn percent(value: f64) -> String {
    if value >= 100.0 {
        "100 %".to_owned()
    } else {
        format!("{:.1} %", (value * 10.0).floor() / 10.0)
    }
}

/// A small part of something.
pub fn part(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else {
        format!("{value:.1e}")
    }
}

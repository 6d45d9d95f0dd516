//! A summary as text for a terminal.

use std::fmt;

use comfy_table::{Cell, CellAlignment, Table, presets};

use super::summary::{ColumnSummary, QualitySummary, WorstFrame};

impl fmt::Display for QualitySummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames = if self.frames == 1 { "1 frame".to_owned() } else { format!("{} frames", self.frames) };
        writeln!(f, "{frames}, {}\n", self.format)?;
        let head = [""].into_iter().chain(ColumnSummary::FIGURES).map(str::to_owned).collect();
        let rows =
            self.columns.iter().map(|column| [column.name.clone()].into_iter().chain(column.figures()).collect());
        writeln!(f, "{}", table(head, rows))?;
        // Two metrics beside each other fit into 80 columns.
        self.worst.chunks(2).try_for_each(|metrics| self.write_worst(f, metrics))
    }
}

impl QualitySummary {
    /// The worst frames of some metrics, beside each other.
    fn write_worst(&self, f: &mut fmt::Formatter<'_>, metrics: &[(String, Vec<WorstFrame>)]) -> fmt::Result {
        let most = metrics.iter().map(|(_, frames)| frames.len()).max().unwrap_or_default();
        if most == 0 {
            return Ok(());
        }
        let head = metrics.iter().flat_map(|(name, _)| [name.clone(), "frame".to_owned(), "time".to_owned()]);
        let rows = (0..most).map(|place| {
            let cells = metrics.iter().flat_map(|(name, frames)| match frames.get(place).zip(self.column(name)) {
                Some((frame, column)) => frame.words(column),
                None => Default::default(),
            });
            [(place + 1).to_string()].into_iter().chain(cells).collect()
        });
        let head = ["worst".to_owned()].into_iter().chain(head).collect();
        writeln!(f, "\n{}", table(head, rows))
    }
}

/// Names at the left, figures at the right.
fn table(head: Vec<String>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    let cells = |row: Vec<String>| {
        row.into_iter().enumerate().map(|(index, text)| {
            let align = if index == 0 { CellAlignment::Left } else { CellAlignment::Right };
            Cell::new(text).set_alignment(align)
        })
    };
    table.load_style(presets::NOTHING).set_header(cells(head));
    rows.for_each(|row| {
        table.add_row(cells(row));
    });
    table.trim_fmt().lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

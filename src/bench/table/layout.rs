//! Layout of tables and sentences on a terminal.

use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, presets};

pub(super) fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head);
    table
}

/// Adds a row; what is a number stands on the right.
pub(super) fn add(table: &mut Table, row: Vec<String>) {
    let starts_as_number = |text: &str| text == "–" || text.starts_with(|first: char| first.is_ascii_digit());
    table.add_row(row.into_iter().enumerate().map(|(index, text)| {
        let align = if index > 0 && starts_as_number(&text) { CellAlignment::Right } else { CellAlignment::Left };
        Cell::new(text).set_alignment(align)
    }));
}

/// Columns at the left of everything that belongs to a run.
const INDENT: u16 = 2;

/// Leaves out columns, in this order, until the table fits on the terminal; does nothing where there is none.
pub(super) fn fit(table: &mut Table, spare: &[&str]) {
    for name in spare {
        let widest = table.trim_fmt().lines().map(|line| line.chars().count()).max().unwrap_or(0);
        if table.width().is_none_or(|width| widest + usize::from(INDENT) <= usize::from(width)) {
            return;
        }
        let head = table.header().map(|row| row.cell_iter().map(Cell::content).collect::<Vec<_>>()).unwrap_or_default();
        if let Some(column) = head.iter().position(|head| head == name).and_then(|index| table.column_mut(index)) {
            column.set_constraint(ColumnConstraint::Hidden);
        }
    }
}

/// Lets long cells go on in the next line where the terminal ends.
pub(super) fn arrange(table: &mut Table) {
    if let Some(width) = table.width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width.saturating_sub(INDENT));
    }
}

/// A sentence, indented, in as many lines as the terminal needs.
pub(super) fn wrapped(text: &str) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).add_row([text]);
    arrange(&mut table);
    let trimmed = table.trim_fmt();
    trimmed.lines().map(|line| format!("  {}", line.trim())).collect::<Vec<_>>().join("\n")
}

/// A table in Markdown, with all its columns.
pub(super) fn marked(table: &Table) -> String {
    let columns = table.header().map_or(0, |head| head.cell_iter().count());
    let line = |row: &Row| {
        let missing = columns.saturating_sub(row.cell_iter().count());
        let cells = row.cell_iter().map(|cell| cell.content().replace('|', "\\|").replace('\n', " "));
        cells.fold("|".to_owned(), |line, cell| line + " " + &cell + " |") + &"  |".repeat(missing)
    };
    let head = table.header().map(line).into_iter().chain([format!("|{}", "---|".repeat(columns))]);
    head.chain(table.row_iter().map(line)).collect::<Vec<_>>().join("\n")
}

pub(super) fn indented(table: &Table) -> String {
    table.trim_fmt().lines().map(|line| format!("  {}", line.trim_end())).collect::<Vec<_>>().join("\n")
}

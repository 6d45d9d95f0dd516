//! Values of frames as a page that needs nothing else: a plot of each metric over time, and the tables.

use std::fmt::Write;

use warpreel_metric::{ColumnSummary, QualitySeries, QualitySummary, WorstFrame};

use crate::bench::html::STYLE;

/// Width of a plot.
const WIDTH: f64 = 1000.0;
/// Height of a plot.
const HEIGHT: f64 = 220.0;
/// Width of the labels at its left.
const LABELS: f64 = 80.0;
/// Most points of a line; several frames share a point beyond that.
const POINTS: usize = 2000;

/// The page; `names` are those of the reference and the other clip.
pub fn page(series: &QualitySeries, summary: &QualitySummary, names: &[String; 2]) -> String {
    let [a, b] = names.each_ref().map(|name| escaped(name));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>warpreel metrics</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <section class=\"card\"><h1>{b}</h1><p class=\"soft\">compared with {a}: {} frames, {}</p>{}</section>\n",
        summary.frames,
        escaped(&summary.format),
        figures(&summary.columns)
    );
    for (name, worst) in &summary.worst {
        let index = series.columns().iter().position(|column| column.name == *name);
        let Some((index, column)) = index.zip(summary.column(name)) else { continue };
        let (plot, table) = (plot(series, index, column, worst), worst_table(worst, column));
        page += &format!("<section class=\"card\"><h2>{name}</h2>{plot}{table}</section>\n");
    }
    page + "</main>\n</body>\n</html>\n"
}

/// A line of the values of a column over time, the smallest of frames that share a point, and a dot for each of the worst
/// frames. Infinite values are at the top.
fn plot(series: &QualitySeries, index: usize, column: &ColumnSummary, worst: &[WorstFrame]) -> String {
    let values: Vec<Option<f64>> = series.rows().iter().map(|row| row.values[index]).collect();
    let finite = || values.iter().flatten().copied().filter(|value| value.is_finite());
    let (Some(low), Some(high)) = (finite().reduce(f64::min), finite().reduce(f64::max)) else {
        return "<p class=\"soft\">No frame differs.</p>".to_owned();
    };
    let span = if high > low { high - low } else { 1.0 };
    let top = 10.0;
    let floor = HEIGHT - 30.0;
    let y = |value: f64| if value.is_finite() { floor - (value - low) / span * (floor - top) } else { top };
    let x = |index: usize| LABELS + index as f64 / (values.len().max(2) - 1) as f64 * (WIDTH - LABELS);
    let share = values.len().div_ceil(POINTS);
    let mut line = String::new();
    let mut is_drawing = false;
    for (point, some) in values.chunks(share).enumerate() {
        match some.iter().flatten().copied().reduce(f64::min) {
            Some(least) => {
                let command = if is_drawing { 'L' } else { 'M' };
                // Text never fails to grow.
                write!(line, "{command}{:.1} {:.1}", x(point * share), y(least)).ok();
                is_drawing = true;
            }
            None => is_drawing = false,
        }
    }
    let mut dots = String::new();
    for frame in worst {
        let Some(index) = series.rows().iter().position(|row| row.frame == frame.frame) else { continue };
        let place = format!("cx=\"{:.1}\" cy=\"{:.1}\"", x(index), y(frame.value));
        let words = frame.words(column).join(", ");
        write!(dots, "<circle {place} r=\"4\" fill=\"var(--b)\"><title>{words}</title></circle>").ok();
    }
    let text = |x: f64, y: f64, anchor: &str, words: String| {
        format!("<text class=\"soft\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>")
    };
    let time = |index: usize| series.rows().get(index).map_or(String::new(), |row| format!("{:.2} s", row.time_s));
    let labels = [
        text(LABELS - 8.0, top + 6.0, "end", column.words(high)),
        text(LABELS - 8.0, floor, "end", column.words(low)),
        text(LABELS, HEIGHT - 8.0, "start", time(0)),
        text(WIDTH, HEIGHT - 8.0, "end", time(values.len() - 1)),
    ];
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{} over time\">\
         <line class=\"axis\" x1=\"{LABELS}\" x2=\"{WIDTH}\" y1=\"{floor}\" y2=\"{floor}\"/>\
         <path d=\"{line}\" fill=\"none\" stroke=\"var(--a)\" stroke-width=\"1.5\"/>{dots}{}</svg>",
        column.name,
        labels.concat()
    )
}

/// The figures of all columns.
fn figures(columns: &[ColumnSummary]) -> String {
    let rows = columns.iter().map(|column| [column.name.clone()].into_iter().chain(column.figures()).collect());
    table([""].into_iter().chain(ColumnSummary::FIGURES), rows)
}

/// The worst frames of a metric.
fn worst_table(worst: &[WorstFrame], column: &ColumnSummary) -> String {
    if worst.is_empty() {
        return String::new();
    }
    table(["value", "frame", "time"].into_iter(), worst.iter().map(|frame| frame.words(column).to_vec()))
}

fn table<'a>(head: impl Iterator<Item = &'a str>, rows: impl Iterator<Item = Vec<String>>) -> String {
    let row = |cell: &str, words: Vec<String>| {
        let cells: String = words.iter().map(|words| format!("<{cell}>{words}</{cell}>")).collect();
        format!("<tr>{cells}</tr>")
    };
    let head = row("th", head.map(str::to_owned).collect());
    let rows: String = rows.map(|words| row("td", words)).collect();
    format!("<table><thead>{head}</thead><tbody>{rows}</tbody></table>")
}

/// Text as HTML shows it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

//! Help made from the table: the list of filters, and the page of one.

use std::fmt::Write as _;

use comfy_table::Table;
use textwrap::{Options, WordSeparator, WordSplitter};

use crate::frame::Pixel;
use crate::pass::{Combine, Op};

use super::chain::{Filter, parse};
use super::choice::{Defaults, letter};
use super::cookbook::{self, NamedRecipe};
use super::curve::Curve;
use super::parameter::{Kind, Parameter};
use super::pick::Pick;
use super::spec::{DcGain, Group, Spec, Terms};
use super::steady::Steady;
use super::stencil::{Matrix, Row, Shape, Stencil};
use super::syntax::SyntaxError;
use super::table::FILTERS;
use super::want::Want;

/// The text of `warpreel filters`: every filter with its summary, by group.
pub fn list() -> String {
    let mut text = String::new();
    for group in Group::ALL {
        let _ = writeln!(text, "{}", group.title());
        summaries(&mut text, FILTERS.iter().copied().filter(|spec| spec.group == group));
        text.push('\n');
    }
    text + "Describe one:      warpreel filters NAME\n\
            Find by purpose:   warpreel filters remove noise\n\
            Common parameters: warpreel filters common\n"
        + &format!("Recipes: {}\n", cookbook::names())
}

/// A line for each filter: its name and its summary.
pub(super) fn summaries(text: &mut String, specs: impl Iterator<Item = &'static Spec>) {
    for spec in specs {
        let _ = writeln!(text, "{}", paragraph(spec.summary, &format!("  {:12} ", spec.name), &" ".repeat(15)));
    }
}

/// The text of `warpreel filters NAME`: what it does, its parameters, and the taps for the values given.
///
/// # Errors
/// If `call` is no filter, or its values are wrong.
pub fn describe(call: &str) -> Result<String, SyntaxError> {
    if call.trim() == "common" {
        return Ok(common());
    }
    if ["recipes", "recipe"].contains(&call.trim()) {
        return Ok(cookbook::listed());
    }
    let mut text = call.trim().strip_prefix('@').and_then(cookbook::known).map_or_else(String::new, recipe);
    let filters = parse(worked(call), &Defaults::default());
    // The file of an example is not everywhere.
    if let (Err(_), Some(spec)) = (&filters, super::table::find(call.trim())) {
        page(&mut text, spec);
        return Ok(text);
    }
    for filter in filters? {
        page(&mut text, filter.spec);
        // One that changes whole frames says nothing of single planes.
        if filter.spec.change.is_some() || filter.changes_rate() {
            continue;
        }
        let _ = writeln!(text, "\n{filter} in yuv420p");
        kernels(&mut text, &filter);
    }
    Ok(text)
}

/// The text of `warpreel filters common`: the parameters that filters have beside their own.
fn common() -> String {
    let (general, some): (Vec<&Parameter>, Vec<&Parameter>) = shared().into_iter().partition(|known| is_general(known));
    let mut text = "Parameters of every filter:\n\n".to_owned();
    parameters(&mut text, &general);
    text.push_str("\nParameters of filters that look at neighbours:\n\n");
    parameters(&mut text, &some);
    text + "\nExample: warpreel in.mp4 out.mp4 -f \"gaussian=sigma=8:roi=640x360+0+90:enable='between(t,1,3)'\"\n"
}

/// The parameters that filters have beside their own, each once, with the default that filters in our terms have.
pub(super) fn shared() -> Vec<&'static Parameter> {
    let mut shared: Vec<&Parameter> = Vec::new();
    for spec in FILTERS.iter().filter(|spec| spec.terms == Terms::Own) {
        for parameter in spec.parameters().skip(spec.own.len()) {
            if shared.iter().all(|known| known.name != parameter.name) {
                shared.push(parameter);
            }
        }
    }
    shared
}

/// Whether every filter has this parameter.
pub(super) fn is_general(known: &Parameter) -> bool {
    FILTERS.iter().all(|spec| spec.parameters().any(|parameter| parameter.name == known.name))
}

/// The call itself, or the filter's example where a bare name has no taps, so that it shows what it can do.
pub(super) fn worked(call: &str) -> &str {
    let bare = super::table::find(call.trim()).filter(|spec| spec.gain == DcGain::Any);
    bare.map_or(call, |spec| spec.example)
}

/// The head of `warpreel filters @NAME`: the recipe, before its filters.
fn recipe(recipe: &NamedRecipe) -> String {
    let NamedRecipe { name, summary, text } = recipe;
    format!("@{name}: {summary}\n\nExample: warpreel in.mp4 out.mp4 -f @{name}\n\n{text}\n")
}

fn page(text: &mut String, spec: &Spec) {
    let title = paragraph(spec.summary, &format!("{}: ", spec.name), "");
    let example = format!("Example: warpreel in.mp4 out.mp4 -f \"{}\"", spec.example);
    let _ = writeln!(text, "{title}\n\n{example}\n\n{}\n", paragraph(spec.description, "", ""));
    if !spec.own.is_empty() {
        parameters(text, &spec.own.iter().collect::<Vec<_>>());
        text.push('\n');
    }
    let others: Vec<&str> = spec.parameters().skip(spec.own.len()).map(|parameter| parameter.name).collect();
    let others = format!("Common parameters (warpreel filters common): {}", others.join(", "));
    let _ = writeln!(text, "{}", paragraph(&others, "", "  "));
}

/// Parameters in columns: name, range and unit, default; below each a sentence, and its other names. Neighbours that differ
/// in their name alone share a row.
fn parameters(text: &mut String, parameters: &[&Parameter]) {
    const WIDEST: usize = 42;
    let facts = |parameter: &Parameter| (parameter.kind, parameter.unit, parameter.preset, parameter.help);
    let groups = parameters.chunk_by(|one, other| facts(one) == facts(other));
    let rows: Vec<[String; 4]> = groups
        .map(|group| {
            let names: Vec<&str> = group.iter().map(|parameter| parameter.name).collect();
            let aliases: Vec<&str> = group.iter().flat_map(|parameter| parameter.aliases.iter().copied()).collect();
            let also = if aliases.is_empty() { String::new() } else { format!(" (also {})", aliases.join(", ")) };
            [names.join(", "), range(group[0]), group[0].preset_text(), format!("{}{also}", group[0].help)]
        })
        .collect();
    let longest = |column: usize, most: usize| {
        rows.iter().map(|row| row[column].chars().count()).filter(|length| *length <= most).max().unwrap_or_default()
    };
    let name = longest(0, WIDEST).max("PARAMETER".len());
    let room = width().saturating_sub(name + 4 + "DEFAULT".len());
    let values = longest(1, WIDEST.min(room)).max("RANGE".len());
    let _ = writeln!(text, "{:name$}  {:values$}  DEFAULT", "PARAMETER", "RANGE");
    let indent = " ".repeat(name + 2);
    for [names, range, preset, help] in rows {
        let fits = range.chars().count() <= values;
        let shown = if fits { range.as_str() } else { "" };
        let line = format!("{names:name$}  {shown:values$}  {preset}");
        let (line, default) = match line.chars().count() <= width() {
            true => (line, None),
            false => (format!("{names:name$}  {shown}"), Some(format!("default: {preset}"))),
        };
        let _ = writeln!(text, "{}", line.trim_end());
        for line in [Some(help), (!fits).then(|| format!("range: {range}")), default].into_iter().flatten() {
            let _ = writeln!(text, "{}", paragraph(&line, &indent, &indent));
        }
    }
}

/// The range of a parameter and its unit: `0 to 1000 luma pixels`.
fn range(parameter: &Parameter) -> String {
    let unit = if parameter.unit.is_empty() { String::new() } else { format!(" {}", parameter.unit) };
    let bound = |bound: f64| if bound.abs() >= 1e6 { format!("{bound:e}") } else { bound.to_string() };
    match parameter.kind {
        Kind::Number(low, high) if low == high => format!("{} only", bound(low)),
        Kind::Number(low, high) => format!("{} to {}{unit}", bound(low), bound(high)),
        Kind::Strength(low, high) => format!("{} to {}{unit}, or auto", bound(low), bound(high)),
        Kind::Count(low, high) => format!("{low} to {high}{unit}, whole"),
        kind => kind.range(),
    }
}

/// The width of lines where neither a terminal nor `COLUMNS` says otherwise.
const MOST: usize = 80;

/// The width of the terminal within what reads well, of `COLUMNS` without one, or [`MOST`].
fn width() -> usize {
    let typed = || std::env::var("COLUMNS").ok()?.parse().ok();
    Table::new().width().map(usize::from).or_else(typed).map_or(MOST, |width| width.clamp(40, 98))
}

/// Lines of at most [`width`] characters, the first behind `first` and the others behind `rest`; no word is split.
fn paragraph(text: &str, first: &str, rest: &str) -> String {
    let options = Options::new(width()).break_words(false).initial_indent(first).subsequent_indent(rest);
    textwrap::fill(text, options.word_separator(WordSeparator::AsciiSpace).word_splitter(WordSplitter::NoHyphenation))
}

/// The taps of the luma plane, and of chroma where they are others.
fn kernels(text: &mut String, filter: &Filter) {
    let pixel = Pixel::yuv420p(8);
    let mut shown: Vec<Want> = Vec::new();
    for plane in 0..pixel.planes() {
        let Ok(wanted) = filter.wanted(pixel, plane) else { continue };
        if shown.contains(&wanted.want) {
            continue;
        }
        let mut said = format!("plane {}: ", letter(pixel, plane));
        match &wanted.want {
            Want::Copy => said.push_str("copied\n"),
            Want::Stencil(stencil) => stencil_text(&mut said, stencil),
            Want::Points(curve) => curve_text(&mut said, curve, pixel.peak()),
            Want::Steady(steady) => steady_text(&mut said, steady),
            Want::Picks(picks) => picks.iter().for_each(|pick| pick_text(&mut said, pick)),
            Want::Operation(op) => operation_text(&mut said, op),
            Want::OperationThen(op, curve) => {
                operation_text(&mut said, op);
                curve_text(&mut said, curve, pixel.peak());
            }
        }
        for line in said.lines() {
            // Rows of taps stand in columns.
            let line = if line.starts_with(' ') { line.to_owned() } else { paragraph(line, "", "  ") };
            let _ = writeln!(text, "{line}");
        }
        if wanted.mix != 1.0 {
            let _ = writeln!(text, "  times {}, mixed with the sample", short(wanted.mix));
        }
        shown.push(wanted.want);
    }
}

/// The most kernels of a plane that are printed.
const MOST_KERNELS: usize = 3;

fn stencil_text(text: &mut String, stencil: &Stencil) {
    match &stencil.shape {
        Shape::Product { t, y, x } => {
            let rows = [("t", t), ("x", x), ("y", y)];
            let parts = rows.iter().filter(|(_, row)| **row != Row::identity());
            let parts: Vec<String> =
                parts.map(|(axis, row)| format!("along {axis}: {}", numbers(&row.weights))).collect();
            let _ = writeln!(text, "{}", parts.join("; "));
        }
        Shape::Kernels(kernels, combine) => {
            let _ = writeln!(text, "{}", described(*combine, kernels.len()));
            kernels.iter().take(MOST_KERNELS).for_each(|kernel| matrix_text(text, kernel));
            if kernels.len() > MOST_KERNELS {
                let _ = writeln!(text, "  … and {} more", kernels.len() - MOST_KERNELS);
            }
        }
    }
    let mut last = format!("  times {}", short(stencil.scale));
    if stencil.dry != 0.0 {
        let _ = write!(last, ", plus {} times the sample", short(stencil.dry));
    }
    if stencil.bias != 0.0 {
        let _ = write!(last, ", plus {}", short(stencil.bias));
    }
    let _ = writeln!(text, "{last}");
}

/// What becomes of nine levels.
fn curve_text(text: &mut String, curve: &Curve, peak: f32) {
    let levels = (0..9).map(|step| f64::from(peak) * f64::from(step) / 8.0);
    let tones: Vec<String> = levels
        .map(|level| format!("{} -> {}", short(level), short(curve.value(level).clamp(0.0, peak.into()))))
        .collect();
    let _ = writeln!(text, "{}", tones.join(", "));
}

fn pick_text(text: &mut String, pick: &Pick) {
    let [t, y, x] = pick.size;
    let mixed =
        if pick.mix == 1.0 { String::new() } else { format!(", times {}, mixed with the sample", short(pick.mix)) };
    let _ = writeln!(text, "number {} of {x}x{y}x{t} samples (x, y, t), ascending{mixed}", pick.rank + 1);
}

fn operation_text(text: &mut String, op: &Op) {
    let [t, y, x] = op.facts().reach().size();
    let _ = writeln!(text, "{}, of {x}x{y}x{t} samples (x, y, t)", op.facts().words());
}

fn steady_text(text: &mut String, steady: &Steady) {
    let above = if steady.black > 0.0 { format!("levels above {} of 255", steady.black) } else { "samples".to_owned() };
    let mean = format!("{:?}", steady.mean).to_lowercase();
    let _ = writeln!(
        text,
        "{above} times the {mean} mean of the brightness of {} frames, over that of this one",
        steady.size
    );
}

/// How so many kernels become one value.
pub(super) fn described(combine: Combine, kernels: usize) -> String {
    match (combine, kernels) {
        (Combine::Sum, 1) => "one kernel".to_owned(),
        (Combine::Max, 1) => "one kernel, the absolute value of its sum".to_owned(),
        (Combine::Sum, n) => format!("the sum of {n} kernels"),
        (Combine::Magnitude, n) => format!("the root of the squares of {n} kernels"),
        (Combine::Max, n) => format!("the largest absolute value of {n} kernels"),
        (Combine::Largest, n) => format!("the largest of {n} kernels"),
    }
}

fn matrix_text(text: &mut String, matrix: &Matrix) {
    const TALLEST: usize = 25;
    const WIDEST: usize = 11;
    let [frames, rows, columns] = matrix.size;
    if rows > TALLEST || columns > WIDEST || frames > TALLEST {
        let _ = writeln!(text, "  {columns}x{rows}x{frames} taps (x, y, t), which sum to {}", short(matrix.sum()));
        return;
    }
    let width = (MOST / columns - 1).min(9);
    for (t, frame) in matrix.weights.chunks(rows * columns).enumerate() {
        if frames > 1 {
            let _ = writeln!(text, "  frame {:+}", t as isize - matrix.anchor[0] as isize);
        }
        for row in frame.chunks(columns) {
            let row: Vec<String> = row.iter().map(|tap| format!(" {:>width$}", within(*tap, width))).collect();
            let _ = writeln!(text, "{}", row.concat());
        }
    }
}

/// A number in so many letters, with as many decimals as there is room for.
fn within(number: f64, width: usize) -> String {
    let exact = short(number);
    let rounded = || (0..width).rev().map(|decimals| format!("{number:.decimals$}")).find(|text| text.len() <= width);
    if exact.len() <= width { exact } else { rounded().unwrap_or(exact) }
}

fn numbers(weights: &[f64]) -> String {
    const MOST: usize = 33;
    let words: Vec<String> = weights.iter().take(MOST).map(|weight| short(*weight)).collect();
    let rest = weights.len().saturating_sub(MOST);
    words.join(" ") + &if rest > 0 { format!(" … and {rest} more") } else { String::new() }
}

/// A number in at most nine characters or so, without zeros that say nothing.
fn short(number: f64) -> String {
    let text = if number != 0.0 && number.abs() < 1e-4 { format!("{number:.2e}") } else { format!("{number:.6}") };
    match text.contains('e') {
        true => text,
        false => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

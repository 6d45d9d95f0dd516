//! The page `docs/filters.md`, made from the table.

use std::fmt::Write as _;

use super::listing::{is_general, shared};
use super::parameter::Parameter;
use super::spec::Group;
use super::table::FILTERS;

/// The page `docs/filters.md`.
pub fn markdown() -> String {
    let mut text = String::from(
        "# Filters\n\n\
         Every filter with its parameters, units, ranges and defaults, as `warpreel filters NAME` prints them. This page is made from \
         the program's table, and a test keeps it up to date (`UPDATE_DOCS=1 cargo test docs`). [choosing.md](choosing.md) lists filters by \
         purpose.\n\n\
         A chain is `name=value:key=value,name2=…`. Values without a name are assigned in the order of the filter's table. `'…'` and `\\` \
         protect commas and colons as in FFmpeg's `-vf`: a comma needs one level of protection, a colon two (`\\\\:`). Numbers may be \
         fractions such as `1/16`.\n\n\
         Lengths are in luma pixels, and are scaled down for subsampled chroma. Offsets and levels are fractions of full \
         scale and leave chroma unchanged; parameters of FFmpeg's filters keep FFmpeg's units. Kernels that do not sum to 1 \
         treat chroma as centred on mid-grey, so that colourless areas stay colourless; only `convolution` does what FFmpeg \
         does. Alpha passes through unless `planes` selects it.\n\n\
         Every filter can be limited to a part of the clip:\n\n\
         - `enable='between(t,1,3)'` is FFmpeg's timeline editing, parsed and evaluated by FFmpeg: `t` is the frame's time in \
         seconds, `n` its number from 0, `w` and `h` its size. The filter acts where the value is at least 0.5 away \
         from 0, and not where it is NAN. The other frames pass unchanged, in order, and cost next to \
         nothing; filters that read other frames still see them. FFmpeg's `pos` is not supported. Functions that keep \
         values or draw numbers (`st`, `ld`, `random`) are evaluated once a frame, which FFmpeg does not promise.\n\
         - `roi=640x360+0+90` (width, height, x, y) or `roi='0 90 640 360'` (x, y, width, height; FFmpeg's colons work with \
         both levels of protection: `roi=0\\\\:90\\\\:640\\\\:360`) is a rectangle of luma pixels within the displayed frame. \
         Filters read neighbours beyond it. In subsampled planes it holds the samples whose first pixel is inside.\n\
         - `mask=FILE.png` has the size of the frame, in grey or colour (its luma counts: 0.2126 R + 0.7152 G + \
         0.0722 B), 1 to 16 bits; transparent pixels count as black. A subsampled plane uses the mean of the pixels \
         of each sample.\n\
         - `mix=0.5`, the mask and the rectangle are multiplied. Where the product is 1, the result is exactly the filter's, and where \
         it is 0, exactly the original.\n",
    );
    let shared = shared();
    let (general, some): (Vec<&Parameter>, Vec<&Parameter>) = shared.iter().partition(|known| is_general(known));
    let _ = writeln!(
        text,
        "\n## Shared parameters\n\nEvery filter takes {}. The others are listed with each filter.\n",
        named(general.iter().copied())
    );
    rows(&mut text, shared.iter().copied());
    for group in Group::ALL {
        let _ = writeln!(text, "\n## {}", group.title());
        for spec in FILTERS.iter().filter(|spec| spec.group == group) {
            let _ =
                writeln!(text, "\n### {}\n\n{}.\n\n{}\n", spec.name, capital(spec.summary), escaped(spec.description));
            if !spec.own.is_empty() {
                rows(&mut text, spec.own.iter());
                text.push('\n');
            }
            let mine: Vec<&Parameter> = spec.parameters().skip(spec.own.len()).collect();
            let taken = some.iter().copied().filter(|known| mine.iter().any(|p| p.name == known.name));
            let also = named(taken);
            let also = if also.is_empty() { "as of every filter".to_owned() } else { format!("also {also}") };
            let _ = write!(text, "Shared parameters: {also}.");
            let is_other =
                |p: &&&Parameter| shared.iter().any(|known| known.name == p.name && known.preset != p.preset);
            for parameter in mine.iter().filter(is_other) {
                let _ = write!(text, " Here the default of `{}` is {}.", parameter.name, parameter.preset_text());
            }
            let _ = writeln!(text, "\n\n    warpreel in.mp4 out.mp4 -f \"{}\"", spec.example);
        }
    }
    text
}

/// Names in a sentence: `` `border`, `scene` ``.
fn named<'a>(parameters: impl Iterator<Item = &'a Parameter>) -> String {
    parameters.map(|parameter| format!("`{}`", parameter.name)).collect::<Vec<_>>().join(", ")
}

/// A table of parameters.
fn rows<'a>(text: &mut String, parameters: impl Iterator<Item = &'a Parameter>) {
    text.push_str("| parameter | values | unit | default | |\n|---|---|---|---|---|\n");
    for parameter in parameters {
        let cells = cells(parameter).map(|cell| escaped(&cell));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
}

/// Text that may stand in a cell of Markdown.
fn escaped(cell: &str) -> String {
    cell.replace('|', "\\|")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn cells(parameter: &Parameter) -> [String; 5] {
    let names = std::iter::once(parameter.name).chain(parameter.aliases.iter().copied());
    [
        names.collect::<Vec<_>>().join(", "),
        parameter.kind.range(),
        parameter.unit.to_owned(),
        parameter.preset_text(),
        parameter.help.to_owned(),
    ]
}

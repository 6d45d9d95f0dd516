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
         Made by `warpreel filters`'s own table; a test keeps it up to date (`UPDATE_DOCS=1 cargo test docs`).\n\n\
         A chain is `name=value:key=value,name2=…`. Values without a name follow the order of the filter's own table. `'…'` and `\\` \
         protect commas and colons as in FFmpeg's `-vf`: a comma needs one protection, a colon two (`\\\\:`). Numbers may be \
         fractions such as `1/16`.\n\n\
         Lengths are luma pixels and shrink with the subsampling of chroma. Offsets and levels are fractions of full \
         scale and leave chroma alone; parameters of FFmpeg's filters keep FFmpeg's units. Kernels that do not sum to 1 \
         treat chroma as centred on mid-grey, so that no colour stays no colour; only `convolution` does as FFmpeg \
         does. Alpha passes through unless `planes` selects it.\n\n\
         Every filter can be held to a part of the clip:\n\n\
         - `enable='between(t,1,3)'` is FFmpeg's timeline editing, read and evaluated by FFmpeg: `t` is the frame's time in \
         seconds, `n` its number from 0, `w` and `h` its size. The filter acts where the value is at least one half away \
         from 0, and not where it is NAN. The other frames are copied, at next to no cost; filters that look at other frames still see them. FFmpeg's `pos` is not supported. Functions that keep \
         values or draw numbers (`st`, `ld`, `random`) are evaluated once a frame, which FFmpeg does not promise.\n\
         - `roi=640x360+0+90` (width, height, x, y) or `roi='0 90 640 360'` (x, y, width, height; FFmpeg's colons work where \
         both steps are protected: `roi=0\\\\:90\\\\:640\\\\:360`) is a rectangle of luma pixels within the frame as it is shown. What \
         looks around sees beyond it. In subsampled planes it holds the samples whose first pixel lies inside.\n\
         - `mask=FILE.png` has the size of the frame, in grey or colour (of which the luma counts: 0.2126 R + 0.7152 G + \
         0.0722 B), 1 to 16 bits; what is transparent counts as black. A subsampled plane takes the mean of the pixels \
         that a sample stands for.\n\
         - `mix=0.5`, the mask and the rectangle multiply. Where the product is 1, the result is kept to the bit, and where \
         it is 0, the original.\n",
    );
    let shared = shared();
    let (general, some): (Vec<&Parameter>, Vec<&Parameter>) = shared.iter().partition(|known| is_general(known));
    let _ = writeln!(
        text,
        "\n## Shared parameters\n\nEvery filter takes {}. Which of the others it takes is said with it.\n",
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

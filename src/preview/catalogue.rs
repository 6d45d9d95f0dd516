//! The table of filters, as the page wants it.

use serde::Serialize;

use crate::filter::{AcceptedNumbers, FILTERS, Group, Kind, Parameter, Preset, Spec, names_elsewhere, purposes};

/// All filters under their headings.
#[derive(Serialize)]
pub(super) struct Catalogue {
    groups: Vec<CatalogueGroup>,
    purposes: Vec<CataloguePurpose>,
}

/// Words for a task, and the filters that do it, the usual choice first.
#[derive(Serialize)]
struct CataloguePurpose {
    words: &'static [&'static str],
    filters: &'static [&'static str],
}

#[derive(Serialize)]
struct CatalogueGroup {
    title: &'static str,
    filters: Vec<CatalogueFilter>,
}

#[derive(Serialize)]
struct CatalogueFilter {
    name: &'static str,
    summary: &'static str,
    description: &'static str,
    /// What other programs call it, or filters that it comes near to.
    elsewhere: Vec<&'static str>,
    example: &'static str,
    parameters: Vec<CatalogueParameter>,
}

#[derive(Serialize)]
struct CatalogueParameter {
    name: &'static str,
    aliases: &'static [&'static str],
    /// How it is chosen.
    kind: &'static str,
    /// Of numbers, both included.
    low: Option<f64>,
    high: Option<f64>,
    /// Accepted numbers: `all`, `odd` (and 0 if it is the lowest), `powers` of two, or `multiples` of `unit_step`.
    steps: &'static str,
    unit_step: Option<u16>,
    /// All that may be typed; with kind `text` what is usual, of numbers what may be typed instead.
    words: Vec<String>,
    unit: &'static str,
    /// The default as it would be typed, or in words what it depends on.
    preset: Option<&'static str>,
    derived: Option<&'static str>,
    /// What may be typed, in words.
    range: String,
    help: &'static str,
    /// Whether all filters have it.
    shared: bool,
}

impl Catalogue {
    /// What the table has.
    pub(super) fn new() -> Self {
        let group = |group: Group| CatalogueGroup {
            title: group.title(),
            filters: FILTERS.iter().filter(|spec| spec.group == group).map(|spec| filter(spec)).collect(),
        };
        let purposes = purposes().iter().map(|known| CataloguePurpose { words: known.words, filters: known.filters });
        Self { groups: Group::ALL.into_iter().map(group).collect(), purposes: purposes.collect() }
    }
}

fn filter(spec: &Spec) -> CatalogueFilter {
    let Spec { name, summary, description, example, own, .. } = *spec;
    let parameters = spec.parameters().enumerate().map(|(at, known)| parameter(known, at >= own.len()));
    let elsewhere = names_elsewhere(spec);
    CatalogueFilter { name, summary, description, elsewhere, example, parameters: parameters.collect() }
}

fn parameter(parameter: &Parameter, shared: bool) -> CatalogueParameter {
    let Parameter { name, aliases, kind, unit, preset, help, steps, .. } = *parameter;
    let (chosen, ends, words) = choice(kind);
    let (low, high) = ends.unzip();
    let (preset, derived) = match preset {
        Preset::Is(value) => (Some(value), None),
        Preset::Derived(text) => (None, Some(text)),
    };
    let range = kind.range();
    let (steps, unit_step) = match steps {
        AcceptedNumbers::All => ("all", None),
        AcceptedNumbers::Odd => ("odd", None),
        AcceptedNumbers::PowersOfTwo => ("powers", None),
        AcceptedNumbers::Multiples(unit) => ("multiples", Some(unit)),
    };
    CatalogueParameter {
        name,
        aliases,
        kind: chosen,
        low,
        high,
        steps,
        unit_step,
        words,
        unit,
        preset,
        derived,
        range,
        help,
        shared,
    }
}

/// How a value is chosen: by what, between which numbers, out of which words.
fn choice(kind: Kind) -> (&'static str, Option<(f64, f64)>, Vec<String>) {
    let listed = |text: &str| text.split(", ").map(str::to_owned).collect();
    match kind {
        Kind::Number(low, high) => ("number", Some((low, high)), Vec::new()),
        Kind::Strength(low, high) => ("number", Some((low, high)), vec!["auto".to_owned()]),
        Kind::Count(low, high) => ("count", Some((low as f64, high as f64)), Vec::new()),
        Kind::Switch => ("switch", None, Vec::new()),
        Kind::Word(_) | Kind::Name(_) | Kind::Numbered(..) | Kind::TimeBorder => ("word", None, listed(&kind.range())),
        Kind::Border => ("text", None, listed("reflect101, clamp, reflect, wrap, lopsided, zero")),
        Kind::Planes => ("text", None, listed("y, uv, u, v, yuv")),
        Kind::Numbers
        | Kind::Kernel
        | Kind::Tones
        | Kind::File
        | Kind::Cube
        | Kind::ToneCube
        | Kind::Knots
        | Kind::Condition
        | Kind::Region
        | Kind::Mask
        | Kind::Picture
        | Kind::Clip
        | Kind::Written
        | Kind::Expression(_)
        | Kind::Colour
        | Kind::Size => ("text", None, Vec::new()),
    }
}

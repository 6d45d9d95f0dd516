//! Any call of any filter: the defaults, the examples, and random values that keep kernels small.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use warpreel::filter::{Defaults, FILTERS, Kind, Spec, parse};

/// A value of a kind that keeps kernels small enough for many pictures; `None` for kinds that each property sets itself:
/// borders, and the frames and samples that a filter acts on.
fn value(kind: Kind) -> Option<BoxedStrategy<String>> {
    Some(match kind {
        Kind::Number(low, high) | Kind::Strength(low, high) => {
            let high = if low > 3.0 { low + 6.0 } else { high.min(3.0) };
            let (low, high) = ((low.max(-3.0) * 8.0) as i32, (high * 8.0) as i32);
            (low..=high).prop_map(|eighths| (f64::from(eighths) / 8.0).to_string()).boxed()
        }
        Kind::Count(low, high) => (low..=high.min(low + 3)).prop_map(|number| number.to_string()).boxed(),
        Kind::Switch => select(&["0", "1"][..]).prop_map(str::to_owned).boxed(),
        Kind::Word(words) | Kind::Name(words) | Kind::Numbered(_, words) => {
            select(words).prop_map(str::to_owned).boxed()
        }
        Kind::Numbers => select(&["1 2 1", "0.5", "1 2 3", "3"][..]).prop_map(str::to_owned).boxed(),
        Kind::Kernel | Kind::Tones => {
            select(&["1 2 -1; 0 3 1", "1 1", "0.1 0.3 0.2", "1 | 2 | 1", "0 0.4 1"][..]).prop_map(str::to_owned).boxed()
        }
        Kind::Planes => select(&["luma", "chroma", "all"][..]).prop_map(str::to_owned).boxed(),
        Kind::Border
        | Kind::TimeBorder
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
        | Kind::Size => return None,
    })
}

/// Whether frames keep their size, and depend on their own clip alone.
fn is_of_one_clip(spec: &&'static Spec) -> bool {
    spec.change.is_none() && spec.own.iter().all(|own| own.kind != Kind::Clip)
}

/// Calls with up to three values of their own; borders are left to the properties.
fn call() -> impl Strategy<Value = (&'static Spec, String)> {
    let stays: Vec<&'static Spec> = FILTERS.iter().copied().filter(is_of_one_clip).collect();
    select(stays).prop_flat_map(|spec: &'static Spec| {
        let parameters: Vec<_> = spec.parameters().filter(|parameter| value(parameter.kind).is_some()).collect();
        let most = parameters.len().min(3);
        prop::sample::subsequence(parameters, 0..=most).prop_flat_map(move |chosen| {
            let values: Vec<_> = chosen.iter().filter_map(|parameter| value(parameter.kind)).collect();
            values.prop_map(move |values| {
                let typed =
                    std::iter::zip(&chosen, values).map(|(parameter, value)| format!("{}='{value}'", parameter.name));
                let typed = typed.collect::<Vec<_>>().join(":");
                (spec, if typed.is_empty() { spec.name.to_owned() } else { format!("{}={typed}", spec.name) })
            })
        })
    })
}

/// `text` with one more value.
fn with(text: &str, more: &str) -> String {
    format!("{text}{}{more}", if text.contains('=') { ':' } else { '=' })
}

/// The borders of a filter as values: `space` where it has one, `time` where it has one.
pub fn bordered(spec: &Spec, text: &str, space: &str, time: &str) -> String {
    let mut text = text.to_owned();
    for (name, border) in [("border", space), ("border_t", time)] {
        if spec.parameters().any(|parameter| parameter.name == name) {
            text = with(&text, &format!("{name}={border}"));
        }
    }
    text
}

/// Runs a check on the default of every filter that keeps the size of frames, its example, and many random calls that the
/// filters accept.
pub fn for_all(cases: usize, check: impl Fn(&'static Spec, &str)) {
    for spec in FILTERS.iter().filter(|spec| is_of_one_clip(spec)) {
        for text in [spec.name, spec.example] {
            if parse(text, &Defaults::default()).is_ok() {
                check(spec, text);
            }
        }
    }
    let mut runner = TestRunner::new_with_rng(
        Config { failure_persistence: None, ..Config::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let mut accepted = 0;
    for _ in 0..cases {
        let (spec, text) = call().new_tree(&mut runner).expect("a call").current();
        if parse(&text, &Defaults::default()).is_ok() {
            accepted += 1;
            check(spec, &text);
        }
    }
    assert!(2 * accepted > cases, "only {accepted} of {cases} calls are accepted: the property says little");
}

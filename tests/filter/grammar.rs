//! The chain grammar: what is read, what is printed, and that nothing makes the parser panic.

use proptest::prelude::*;
use proptest::sample::select;
use warpreel::filter::{Defaults, Edge, FILTERS, Kind, Planes, Spec, SyntaxError, parse};
use warpreel::frame::Pixel;
use warpreel::pass::Border;

use super::{chain, matrix, only};

#[test]
fn chains_are_read_as_in_ffmpeg() {
    assert!(chain(" ").is_empty());
    let names: Vec<&str> = chain("tmix=frames=5 , unsharp,box=2:1").iter().map(|filter| filter.spec.name).collect();
    assert_eq!(names, ["tmix", "unsharp", "box"]);
    // Positions, names, aliases and quotes are four ways to say the same.
    for text in
        ["unsharp=7:5:1.5", "unsharp=lx=7:ly=5:la=1.5", "unsharp='7:5':amount=3/2", "unsharp=luma_msize_x=7:la=1.5"]
    {
        assert_eq!(only(text), only("unsharp=luma_msize_x=7:luma_amount=1.5"), "{text}");
    }
    // Both of FFmpeg's ways to protect a comma, and a colon's two steps.
    assert_eq!(only("kernel='1, 2, 1'").text, "kernel='1, 2, 1'");
    assert_eq!(matrix(&only(r"kernel=1\, 2\, 1"), Pixel::gray(8)).weights, [1.0, 2.0, 1.0]);
    assert_eq!(matrix(&only("convolution='1 2 1|2 4 2|1 2 1'"), Pixel::gray(8)).size, [1, 3, 3]);
    let two = only("convolution='0 -1 0 -1 5 -1 0 -1 0:1 1 1 1 1 1 1 1 1'");
    assert_eq!(two, only("convolution=0m=0 -1 0 -1 5 -1 0 -1 0:1m=1 1 1 1 1 1 1 1 1"));
    // FFmpeg's numbers for words.
    assert_eq!(only("convolution=1 2 1:0mode=1"), only("convolution=1 2 1:0mode=row"));
}

#[test]
fn text_of_a_filter_is_kept_as_typed() {
    let texts: Vec<String> = chain("tmix = 5 ,\n unsharp=la='1' , box").iter().map(|f| f.text.clone()).collect();
    assert_eq!(texts, ["tmix = 5", "unsharp=la='1'", "box"]);
}

#[test]
fn defaults_hold_where_nothing_is_typed() {
    let defaults = Defaults { border: Edge::parse("zero"), planes: Planes::parse("y"), ..Defaults::default() };
    let filters =
        parse("gaussian,gaussian=border=wrap:planes=uv,convolution=1 1 1 1 1 1 1 1 1", &defaults).expect("chain");
    let pixel = Pixel::yuv420p(8);
    let border = |filter: usize, plane| filters[filter].wanted(pixel, plane).expect("wanted").border;
    assert_eq!(border(0, 0), Border::Constant(0.0));
    assert_eq!(border(1, 1), Border::Wrap);
    assert_eq!(border(2, 0), Border::Constant(0.0));
    for taps in ["1 1 1 1 1 1 1 1 1", "1 1 1:0mode=row"] {
        let border =
            |options: &str| only(&format!("convolution={taps}{options}")).wanted(pixel, 0).expect("wanted").border;
        assert_eq!(border(""), Border::Reflect101, "{taps}");
        assert_eq!(border(":border=lopsided"), Border::Lopsided, "{taps}");
    }
    assert_eq!(only("box=border=0.5").wanted(pixel, 0).expect("wanted").border, Border::Constant(128.0));
    assert_eq!(only("box=border=1").wanted(pixel, 1).expect("wanted").border, Border::Constant(128.0));
}

#[test]
fn planes_are_chosen_by_word_letter_and_bit() {
    let pixel = Pixel { alpha: true, ..Pixel::yuv420p(8) };
    for (text, expected) in [
        ("colour", [true, true, true, false]),
        ("all", [true; 4]),
        ("luma", [true, false, false, false]),
        ("chroma", [false, true, true, false]),
        ("va", [false, false, true, true]),
        ("5", [true, false, true, false]),
        ("0", [false; 4]),
    ] {
        let planes = Planes::parse(text).expect(text);
        assert_eq!([0, 1, 2, 3].map(|plane| planes.contains(pixel, plane)), expected, "{text}");
    }
    for text in ["", "16", "-1", "x", "Y"] {
        assert_eq!(Planes::parse(text), None, "{text:?}");
    }
}

#[test]
fn alpha_is_filtered_only_where_that_is_asked_for() {
    let pixel = Pixel { alpha: true, ..Pixel::yuv420p(8) };
    let copied = |text: &str| only(text).wanted(pixel, 3).expect("wanted").want == warpreel::filter::Want::Copy;
    for text in ["box", "convolution=1 1 1 1 1 1 1 1 1", "unsharp", "convolution=3m=1 1 1:3mode=row:planes=colour"] {
        assert!(copied(text), "{text}");
    }
    for text in ["box=planes=all", "box=planes=a", "convolution=3m=1 1 1:3mode=row", "unsharp=aa=1"] {
        assert!(!copied(text), "{text}");
    }
}

/// A value of a kind, as it would be typed.
fn value(kind: Kind) -> BoxedStrategy<String> {
    match kind {
        Kind::Number(low, high) => (low.max(-1e3)..=high.min(1e3)).prop_map(|number| number.to_string()).boxed(),
        Kind::Strength(low, high) => {
            prop_oneof![Just("auto".to_owned()), (low..=high).prop_map(|number| number.to_string())].boxed()
        }
        Kind::Count(low, high) => (low..=high.min(40)).prop_map(|number| number.to_string()).boxed(),
        Kind::Switch => select(&["0", "1"][..]).prop_map(str::to_owned).boxed(),
        Kind::Word(words) | Kind::Name(words) | Kind::Numbered(_, words) => {
            select(words).prop_map(str::to_owned).boxed()
        }
        Kind::Numbers => prop::collection::vec(-9..9i32, 9)
            .prop_map(|taps| taps.iter().map(i32::to_string).collect::<Vec<_>>().join(" "))
            .boxed(),
        Kind::Kernel | Kind::Tones => {
            select(&["1, 2; 3 4", "1 -1", "1/9 'x", "1 : 2", "5 | 6\n\n7"][..]).prop_map(str::to_owned).boxed()
        }
        Kind::File => Just("no, 'such': file\\.txt ".to_owned()).boxed(),
        Kind::Cube => Just(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/warm.cube").to_owned()).boxed(),
        Kind::ToneCube => Just(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/fade.cube").to_owned()).boxed(),
        Kind::Knots => select(&["0/0 1/1", "0/0,0.5/0.25 1/1", "0.5;1"][..]).prop_map(str::to_owned).boxed(),
        Kind::Planes => select(&["y", "uv", "all", "7"][..]).prop_map(str::to_owned).boxed(),
        Kind::Border => select(&["wrap", "zero", "0.25"][..]).prop_map(str::to_owned).boxed(),
        Kind::TimeBorder => select(&["clamp", "zero"][..]).prop_map(str::to_owned).boxed(),
        Kind::Condition => {
            select(&["between(t,1,3)", "not(mod(n,7)) + gt(w, h)", "1;0"][..]).prop_map(str::to_owned).boxed()
        }
        Kind::Region => select(&["10:20:30:40", "30x40+10+20", "1 2 3 4"][..]).prop_map(str::to_owned).boxed(),
        Kind::Written => Just("no, 'such': file\\.txt ".to_owned()).boxed(),
        Kind::Expression(names) if names.contains(&"film") => {
            select(&["25", "30000/1001", "min(ntsc, film)"][..]).prop_map(str::to_owned).boxed()
        }
        Kind::Expression(names) if names.contains(&"overlay_w") => {
            select(&["W-w-16", "-1", "(H-h)/2", "640"][..]).prop_map(str::to_owned).boxed()
        }
        Kind::Expression(_) => select(&["iw/2", "-1", "min(iw, 20)", "640"][..]).prop_map(str::to_owned).boxed(),
        Kind::Colour => select(&["black", "#102030", "0x102030@0.5"][..]).prop_map(str::to_owned).boxed(),
        Kind::Size => Just("1280x720".to_owned()).boxed(),
        Kind::Picture => Just(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/logo.png").to_owned()).boxed(),
        Kind::Clip => Just(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/ten-bit.mp4").to_owned()).boxed(),
        Kind::Mask => Just(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/mask.png").to_owned()).boxed(),
    }
}

/// Backslashes before everything that either step of the grammar could take for its own.
fn escaped(value: &str) -> String {
    let once = |text: &str| text.chars().flat_map(|c| ['\\', c]).collect::<String>();
    once(&once(value))
}

fn call() -> impl Strategy<Value = String> {
    select(FILTERS).prop_flat_map(|spec: &'static Spec| {
        let parameters: Vec<_> = spec.parameters().collect();
        let count = parameters.len();
        prop::sample::subsequence(parameters, 0..=count.min(4)).prop_shuffle().prop_flat_map(move |chosen| {
            let values: Vec<_> = chosen.iter().map(|parameter| value(parameter.kind)).collect();
            values.prop_map(move |values| {
                let arguments: Vec<String> = std::iter::zip(&chosen, values)
                    .map(|(parameter, value)| format!("{}={}", parameter.name, escaped(&value)))
                    .collect();
                let mark = if arguments.is_empty() { "" } else { "=" };
                format!("{}{mark}{}", spec.name, arguments.join(":"))
            })
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back_as_the_same(calls in prop::collection::vec(call(), 1..4)) {
        let text = calls.join(",");
        if let Ok(first) = parse(&text, &Defaults::default()) {
            let printed = first.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            let second = parse(&printed, &Defaults::default()).expect("a printed chain is a chain");
            prop_assert!(first == second, "{} was printed as {}", text, printed);
            let again = second.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            prop_assert_eq!(printed, again);
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,40}") {
        check_error(&text);
    }

    #[test]
    fn no_mangled_chain_makes_the_parser_panic(call in call(), noise in "[=:,'\\\\ \n|;/0-9a-zü.-]{0,6}", at in 0..60usize) {
        let at = (0..=at.min(call.len())).rev().find(|at| call.is_char_boundary(*at)).unwrap_or(0);
        check_error(&format!("{}{noise}{}", &call[..at], &call[at..]));
    }
}

/// An error is one line, and its carets stand below the text.
fn check_error(text: &str) {
    if let Err(err) = parse(text, &Defaults::default()) {
        assert_eq!(err.to_string().lines().count(), 1, "{err}");
        let caret = err.caret();
        let (line, marks) = caret.split_once('\n').expect("two lines");
        let most = SyntaxError::EXCERPT;
        assert!(line.chars().count() == text.chars().count() || line.chars().count() <= most + 2, "{caret}");
        assert!(marks.chars().count() <= line.chars().count() + 1, "{caret}");
        assert!(text.get(err.span.clone()).is_some(), "{:?} of {text:?}", err.span);
    }
}

#[test]
fn most_generated_chains_are_right() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let count = 300;
    let tree = |runner: &mut _| call().new_tree(runner).expect("a call").current();
    let right = (0..count).filter(|_| parse(&tree(&mut runner), &Defaults::default()).is_ok()).count();
    assert!(right * 2 > count, "only {right} of {count} generated calls are read: the property above says little");
}

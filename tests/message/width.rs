//! Eighty columns: lines that fit, words that stay whole.

use super::bench;

fn text(arguments: &[&str]) -> String {
    String::from_utf8(bench().pass(arguments)).unwrap()
}

#[test]
fn explanations_fit() {
    for chain in [
        "tmix=5,box=2,sobel,gaussian=3",
        "kirsch,unsharp",
        "kernel='1 2 1; 2 4 2; 1 2 1':normalize=1:border=zero:planes=y:roi=640x360+0+90:enable='between(t,1,3)',gamma=1.2",
        "deflicker=size=9:scene=0.3,tmix=frames=5:scene=0.3,median=radius=3,levels=in_low=0.1,gain=1.1,offset=0.1,invert",
    ] {
        let told = text(&["explain", "-f", chain]);
        let long: Vec<&str> = told.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:?}");
        // All of it is there, line breaks aside.
        let plain: String = told.split_whitespace().collect();
        let filters = warpreel::filter::parse(chain, &Default::default()).unwrap();
        let typed = filters.iter().map(|filter| filter.text.split_whitespace().collect::<String>());
        for words in typed.chain(["astyped", "integer", "Mop", "latencyinframes:"].map(str::to_owned)) {
            assert!(plain.contains(&words), "{words}: {told}");
        }
    }
}

#[test]
fn filters_fit() {
    let list = text(&["filters"]);
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
    for spec in warpreel::filter::FILTERS {
        let page = warpreel::filter::describe(spec.name).unwrap();
        let (help, _taps) = page.split_once("\nExample: ").unwrap();
        // What is to be copied stands on one line.
        let lines = page.lines().filter(|line| !line.starts_with("Example: "));
        let long: Vec<&str> = lines.filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{}: {long:?}", spec.name);
        // Every word of the help is whole.
        for parameter in spec.parameters() {
            let words = parameter.help.split_whitespace().filter(|word| word.chars().count() < 40);
            words.for_each(|word| assert!(help.contains(word), "{word} of {} is split:\n{help}", spec.name));
        }
    }
}

#[test]
fn the_progress_line_fits_a_terminal_of_any_width() {
    // Its bar takes what the words leave.
    assert!(include_str!("../../src/progress.rs").contains("{wide_bar}"));
}

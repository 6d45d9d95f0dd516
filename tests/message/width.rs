//! Eighty columns: lines that fit, words that stay whole.

use crate::program::binary;

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
        // What is to be copied stays on one line.
        let lines = page.lines().filter(|line| !line.starts_with("Example: "));
        let long: Vec<&str> = lines.filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{}: {long:?}", spec.name);
        // Every word of the help is whole.
        for parameter in spec.own {
            let words = parameter.help.split_whitespace().filter(|word| word.chars().count() < 40);
            words.for_each(|word| assert!(page.contains(word), "{word} of {} is split:\n{page}", spec.name));
        }
    }
}

/// The program run with `COLUMNS`, and without a terminal.
fn at(columns: &str, arguments: &[&str]) -> String {
    let output = std::process::Command::new(binary()).args(arguments).env("COLUMNS", columns).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn help_fits_a_screen_of_any_width() {
    for (columns, widest) in [("60", 60), ("80", 80), ("120", 98)] {
        for arguments in
            [&["-h"][..], &["--help"], &["filters"], &["filters", "common"], &["filters", "remove", "noise"]]
        {
            let text = at(columns, arguments);
            let is_copied =
                |line: &&str| ["warpreel ", "Example", "ffmpeg ", "Usage"].iter().any(|word| line.contains(word));
            let lines = text.lines().filter(|line| !is_copied(line));
            let long: Vec<&str> = lines.filter(|line| line.chars().count() > widest).collect();
            assert!(long.is_empty(), "{arguments:?} at {columns}: {long:?}");
        }
    }
    let brief = at("80", &["-h"]);
    assert!(brief.lines().count() <= 50, "{}:\n{brief}", brief.lines().count());
    assert!(brief.lines().all(|line| line.chars().count() <= 80), "{brief}");
    for option in ["-f, --filter", "--start", "-y, --overwrite", "--quality", "-o, --into", "--backend", "--help"] {
        assert!(brief.contains(option), "{option}: {brief}");
    }
    // All options are in the long help, with their values.
    let full = at("80", &["--help"]);
    for words in ["--encoder-option", "--decode-lanes", "Possible values:", "Exit codes:"] {
        assert!(full.contains(words) && !brief.contains(words), "{words}");
    }
}

#[test]
fn the_program_alone_says_what_it_is_in_ten_lines() {
    let output = bench().warpreel(&[]);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.stdout.is_empty() && text.trim_end().lines().count() <= 10, "{text}");
    for words in ["filters video", "warpreel in.mp4 out.mp4 -f ", "warpreel filters", "warpreel --help"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn the_progress_line_fits_a_terminal_of_any_width() {
    // Its bar takes what the words leave.
    assert!(include_str!("../../src/progress.rs").contains("{wide_bar}"));
}

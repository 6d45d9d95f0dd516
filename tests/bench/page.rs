//! The pages: HTML that a browser draws without a network, and Markdown. The browser is Chromium, which nothing here
//! installs; without one its tests say so and pass, and `REQUIRE_CHROMIUM=1` makes that a failure.

use std::fs;
use std::process::Command;

use warpreel::bench::html;
use warpreel::bench::markdown;
use warpreel::bench::schema::{Record, Repetition};
use warpreel::bench::statistic::Estimate;
use warpreel::bench::verdict;

use crate::program::Bench;

const STAGE: [&str; 8] = ["--size", "160x90", "--frames", "20", "--repetitions", "2", "--backend", "cpu"];

/// The document that Chromium makes of a page without an error of its script; `None` where there is no Chromium.
fn drawn(folder: &Bench, name: &str) -> Option<String> {
    let page = format!("file://{}", folder.path(name).display());
    let profile = format!("--user-data-dir={}", folder.path("profile").display());
    let quiet = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
                 --disable-component-update --disable-sync --enable-logging=stderr --dump-dom";
    let run = |program: &&str| Command::new(program).args(quiet.split_whitespace()).args([&profile, &page]).output();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
    match names.iter().map(run).find(Result::is_ok).unwrap_or(Err(missing)) {
        Ok(output) => {
            let told = String::from_utf8_lossy(&output.stderr);
            let errors: Vec<_> = told.lines().filter(|line| line.contains("CONSOLE")).collect();
            assert!(errors.is_empty(), "{name}: {errors:#?}");
            Some(String::from_utf8(output.stdout).expect("text"))
        }
        Err(error) => {
            assert!(std::env::var_os("REQUIRE_CHROMIUM").is_none(), "REQUIRE_CHROMIUM is set, but {error}");
            println!("skipped: no chromium: {error}");
            None
        }
    }
}

#[test]
fn a_browser_draws_every_picture() {
    let folder = Bench::new();
    folder.pass(&[&["bench", "-f", "box=radius=1,sobel", "--html", "run.html"], &STAGE[..]].concat());
    folder.pass(&[&["bench", "compare", "sobel", "box=radius=2", "--html", "two.html"], &STAGE[..]].concat());
    folder.pass(&["bench", "ladder", "--sizes", "64x64", "--html", "ladder.html"]);
    for (name, wanted) in [
        (
            "run.html",
            &[
                "limits of the run",
                "CPU time",
                "Overlap",
                "The slowest second",
                "histogram of filter",
                "histogram of sobel",
                "roofline",
            ][..],
        ),
        ("two.html", &["comparison", "limits of the run", "Overlap", "roofline"]),
        ("ladder.html", &["ladder", "roofline"]),
    ] {
        let Some(document) = drawn(&folder, name) else { return };
        assert!(document.contains("data-state=\"drawn\""), "the script of {name} stopped half-way:\n{document}");
        for label in wanted {
            let label = format!("aria-label=\"{label}\"");
            let (_, picture) = document.split_once(&label).unwrap_or_else(|| panic!("{name} has no {label}"));
            let picture = picture.split("</svg>").next().expect("an end");
            let (bars, points) = (picture.matches("<rect").count(), picture.matches("<circle").count());
            assert!(bars + points > 0 && picture.contains("<text"), "{name}: {label} is empty: {picture}");
        }
        assert!(name != "run.html" || document.matches("<circle").count() == 2, "a point for each pass");
        for word in ["NaN", "undefined", "Infinity"] {
            let body = document.split("<main").nth(1).and_then(|rest| rest.split("</main>").next()).expect("a body");
            assert!(!body.contains(word), "{name} shows {word}");
        }
    }
}

#[test]
fn a_page_needs_nothing_else_and_no_name_can_break_it() {
    let folder = Bench::new();
    folder.pass(&[&["bench", "-f", "sobel", "--json", "out.json"], &STAGE[..]].concat());
    let mut record = Record::parse(&fs::read_to_string(folder.path("out.json")).expect("a file")).expect("a result");
    record.runs[0].input = "</script><b>\"name\" & more|".to_owned();
    let page = html::page(&record, &[], &[], None).expect("a page");
    assert_eq!(page.matches("</script>").count(), 2, "only the two scripts end");
    for sign in ["src=", "@import", "fetch(", "url("] {
        assert!(!page.contains(sign), "the page asks for more: {sign}");
    }
    let links: Vec<_> = page.match_indices("http").map(|(at, _)| &page[at..at + 26]).collect();
    assert_eq!(links, ["http://www.w3.org/2000/svg"], "a name space is no address");
    fs::write(folder.path("odd.html"), page).expect("a file");
    if let Some(document) = drawn(&folder, "odd.html") {
        assert!(document.contains("&lt;/script&gt;&lt;b&gt;\"name\" &amp; more|"), "{document}");
    }

    // Whatever else this machine did meanwhile.
    record.runs[0].remarks = vec!["repetition 2 is an outlier: 1.10 times the usual rate".to_owned()];
    let table = markdown::page(&[("folder/out.json".to_owned(), record.clone())]);
    assert!(table.contains("\nout: repetition 2 is an outlier"), "a remark names its run:\n{table}");
    assert!(table.contains("more\\|"), "a bar in a name ends no cell:\n{table}");
    for word in ["| out | `sobel` |", "### Limits", "`folder/out.json`", "bench -f sobel"] {
        assert!(table.contains(word), "{word:?} is missing:\n{table}");
    }
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let mut lines = table.lines().filter(|line| line.starts_with('|')).map(cells);
    let first = lines.next().expect("a table");
    assert!(lines.all(|count| count == first), "all rows are of one length:\n{table}");

    let mut loud = record.clone();
    let steady =
        |fps| Repetition { frames: 100, seconds: 100.0 / fps, open_s: 0.0, cores: None, others: None, usage: None };
    let shaken = [100.0, 130.0, 100.0].map(steady);
    let calm = [100.0, 101.0, 100.0].map(steady);
    for (repetitions, others) in [(shaken, None), (calm, Some(1e3))] {
        let rates = repetitions.map(|repetition| repetition.frames as f64 / repetition.seconds);
        loud.runs[0].remarks = verdict::remarks(&repetitions, &Estimate::of(&rates), others);
        assert!(!verdict::is_quiet(&loud.runs[0]), "{:?}", loud.runs[0].remarks);
        let both = [("quiet.json".to_owned(), record.clone()), ("loud.json".to_owned(), loud.clone())];
        let table = markdown::page(&both);
        assert!(table.contains("| quiet | `sobel` |") && !table.contains("loud"), "{table}");
    }
    loud.runs[0].remarks = verdict::remarks(&calm, &Estimate::of(&[100.0, 101.0, 100.0]), Some(0.0));
    assert!(verdict::is_quiet(&loud.runs[0]) && loud.runs[0].remarks.is_empty(), "{:?}", loud.runs[0].remarks);
}

//! The pages: HTML that a browser draws without a network, and Markdown. The browser is Chromium; without one its test
//! says so and passes, and `REQUIRE_CHROMIUM=1` makes that a failure.

use std::fs;
use std::process::Command;

use warpreel::bench::html;
use warpreel::bench::markdown;
use warpreel::bench::schema::Record;

use crate::program::Bench;

const STAGE: [&str; 8] = ["--size", "160x90", "--frames", "20", "--repetitions", "2", "--backend", "cpu"];

/// The document that Chromium makes of a page; `None` where there is no Chromium.
fn drawn(folder: &Bench, name: &str) -> Option<String> {
    let page = format!("file://{}", folder.path(name).display());
    let profile = format!("--user-data-dir={}", folder.path("profile").display());
    let quiet = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
                 --disable-component-update --disable-sync --dump-dom";
    let output = Command::new("chromium").args(quiet.split_whitespace()).args([&profile, &page]).output();
    match output {
        Ok(output) => Some(String::from_utf8(output.stdout).expect("text")),
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
        ("run.html", &["timeline", "histogram of filter", "histogram of sobel", "roofline"][..]),
        ("two.html", &["comparison", "timeline", "roofline"]),
        ("ladder.html", &["roofline"]),
    ] {
        let Some(document) = drawn(&folder, name) else { return };
        assert!(document.contains("data-state=\"drawn\""), "the script of {name} stopped half-way:\n{document}");
        for label in wanted {
            assert!(document.contains(&format!("aria-label=\"{label}\"")), "{name} has no {label}");
        }
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
    let page = html::page(&record, None).expect("a page");
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

    let table = markdown::page(&[("out.json".to_owned(), record)]);
    assert!(table.contains("more\\|"), "a bar in a name ends no cell:\n{table}");
    for word in ["| `sobel` |", "### Limits", "`out.json`", "bench -f sobel"] {
        assert!(table.contains(word), "{word:?} is missing:\n{table}");
    }
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let mut lines = table.lines().filter(|line| line.starts_with('|')).map(cells);
    let first = lines.next().expect("a table");
    assert!(lines.all(|count| count == first), "all rows are of one length:\n{table}");
}

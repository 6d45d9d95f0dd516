//! The results that are kept, and the page that is made of them.

use std::fs;
use std::path::Path;

use warpreel::bench::schema::Record;
use warpreel::bench::{bound, markdown, verdict};

#[test]
fn the_page_of_benchmarks_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let is_update = std::env::var_os("UPDATE_DOCS").is_some();
    let entries = fs::read_dir(root.join("benches/results")).expect("a folder").flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let mut records = Vec::new();
    for name in names {
        let path = format!("benches/results/{name}");
        let text = fs::read_to_string(root.join(&path)).expect("a file");
        let mut record = Record::parse(&text).unwrap_or_else(|error| panic!("{path}: {error:#}"));
        let written = record.print().expect("text");
        if is_update {
            fs::write(root.join(&path), &written).expect("write a result");
        }
        assert!(is_update || written == text, "{path} has an older layout; type: UPDATE_DOCS=1 cargo test the_page_of");
        for run in &record.runs {
            assert!(verdict::is_quiet(run), "{path} is no result to keep: {:?}", run.remarks);
        }
        bound::remember(&mut record);
        records.push((path, record));
    }
    let (path, page) = (root.join("docs/benchmarks.md"), markdown::page(&records));
    if is_update {
        fs::write(&path, &page).expect("write docs/benchmarks.md");
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    assert!(found == page, "docs/benchmarks.md is out of date; type: UPDATE_DOCS=1 cargo test the_page_of_benchmarks");
}

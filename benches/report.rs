//! Turns result files into `docs/benchmarks.md`, so that no figure there is typed by hand:
//!
//! `cargo run --example report -- benches/results/*.json > docs/benchmarks.md`

use anyhow::{Context, Result, ensure};
use warpreel::bench::bound;
use warpreel::bench::markdown;
use warpreel::bench::schema::Record;

fn main() -> Result<()> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    ensure!(!paths.is_empty(), "name result files of warpreel bench --json");
    let mut records = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).with_context(|| format!("read {path:?}"))?;
        let mut record = Record::parse(&text).with_context(|| format!("read {path:?}"))?;
        bound::remember(&mut record);
        records.push((path, record));
    }
    print!("{}", markdown::page(&records));
    Ok(())
}

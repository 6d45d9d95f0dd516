//! Results that are compared with those of a name.

use std::fs;

use warpreel::bench::schema::Record;
use warpreel::bench::statistic::Estimate;

use crate::program::Bench;

const STAGE: &str = "bench --size 64x48 --frames 20 --repetitions 3 --backend cpu";

fn words(more: &str) -> Vec<&str> {
    STAGE.split(' ').chain(more.split(' ')).collect()
}

#[test]
fn a_baseline_is_kept_compared_with_and_held_to() {
    let folder = Bench::new();
    folder.pass(&words("-f sobel --save-baseline base.json"));
    let text = fs::read_to_string(folder.path("base.json")).expect("a baseline");
    let record = Record::parse(&text).expect("a result");

    // As fast as nothing is, and as slow.
    let scaled = |times: f64| {
        let mut record = record.clone();
        let Estimate { count, mean, deviation, min, median, max } = record.runs[0].fps;
        let [mean, deviation, min, median, max] = [mean, deviation / 1e6, min, median, max].map(|value| value * times);
        record.runs[0].fps = Estimate { count, mean, deviation, min, median, max };
        fs::write(folder.path("base.json"), record.print().expect("text")).expect("a file");
    };
    scaled(1e-6);
    let text = folder.pass(&words("-f sobel --baseline base.json --fail-above 5%"));
    let text = String::from_utf8(text).expect("text");
    assert!(text.contains("B (now) is") && text.contains("as fast as A (base.json)"), "{text}");
    assert!(!text.contains("differ:"), "{text}");
    scaled(1e6);
    let error = folder.fail(&words("-f sobel --baseline base.json --fail-above 5%"));
    assert!(error.contains("slower than the baseline by more than 5 %"), "{error}");
    let text = folder.pass(&words("-f sobel --baseline base.json"));
    assert!(String::from_utf8_lossy(&text).contains("B (now) is"), "without a limit it is only said");

    // Whatever else differs is named.
    let other = "bench --size 64x48 --frames 30 --repetitions 2 --backend cpu -f box=radius=1 --baseline base.json";
    let text = String::from_utf8(folder.pass(&other.split(' ').collect::<Vec<_>>())).expect("text");
    for what in ["the chains differ: sobel and box=radius=1", "the numbers of frames differ: 20 and 30"] {
        assert!(text.contains(what), "{what:?} is missing:\n{text}");
    }
}

#[test]
fn baselines_that_are_none() {
    let folder = Bench::new();
    let error = folder.fail(&words("-f sobel --baseline none.json"));
    assert!(error.contains("--save-baseline none.json"), "{error}");
    for (more, hint) in [
        ("--baseline .hidden", "letters, digits"),
        ("--save-baseline a:b", "letters, digits"),
        ("--fail-above 5%", "--baseline"),
        ("--baseline a.json --fail-above fast", "5%"),
        ("--baseline a.json --fail-above=-1", "5%"),
    ] {
        let error = folder.refuse(&words(more));
        assert!(error.contains(hint), "{more}: {error}");
    }
    folder.pass(&words("-f sobel --save-baseline a.json"));
    let once = "bench --size 64x48 --frames 20 --repetitions 1 --backend cpu -f sobel --baseline a.json --fail-above 5";
    let error = folder.refuse(&once.split(' ').collect::<Vec<_>>());
    assert!(error.contains("--repetitions 5"), "{error}");
}

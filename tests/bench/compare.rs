//! Two chains in turns, and two results side by side.

use std::fs;

use warpreel::bench::schema::Record;

use crate::program::Bench;

#[test]
fn two_chains_and_their_results() {
    let folder = Bench::new();
    let stage = ["--size", "320x180", "--frames", "20", "--repetitions", "3", "--backend", "cpu"];
    let (light, heavy) = (
        "convolution=0 0 0 0 2 0 0 0 0",
        "convolution=1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 \
                          19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49.5",
    );
    let text = folder.pass(&[&["bench", "compare", heavy, light, "--json", "both.json"], &stage[..]].concat());
    let text = String::from_utf8(text).expect("text");
    let both = Record::parse(&fs::read_to_string(folder.path("both.json")).expect("a file")).expect("a result");
    assert_eq!(both.runs.iter().map(|run| run.chain.as_str()).collect::<Vec<_>>(), [heavy, light]);
    let ratio = both.runs[1].fps.mean / both.runs[0].fps.mean;
    assert!(text.contains(&format!("{ratio:.3} ±")), "{ratio} is missing:\n{text}");
    assert!(text.contains("times as fast as A") && text.contains("B / A"), "{text}");

    for (run, name) in both.runs.iter().zip(["a.json", "b.json"]) {
        let alone = Record { runs: vec![run.clone()], ..both.clone() };
        fs::write(folder.path(name), alone.print().expect("text")).expect("a file");
    }
    let text = String::from_utf8(folder.pass(&["bench", "compare", "a.json", "b.json"])).expect("text");
    assert!(text.contains("B (b.json) is"), "{text}");
    assert!(!text.contains("machines differ"), "{text}");
    let mut other = both.clone();
    other.machine.cores += 1;
    fs::write(folder.path("b.json"), other.print().expect("text")).expect("a file");
    let text = String::from_utf8(folder.pass(&["bench", "compare", "a.json", "b.json"])).expect("text");
    assert!(text.contains("the machines differ"), "{text}");

    fs::write(folder.path("none.json"), Record { runs: Vec::new(), ..both }.print().expect("text")).expect("a file");
    let error = folder.fail(&["bench", "compare", "a.json", "none.json"]);
    assert!(error.contains("neither a job nor a filter stage"), "{error}");
}

//! Several GPUs that are named wrongly, or are not there: one clear line each.

use super::bench;

#[test]
fn what_names_no_gpus() {
    let bench = bench();
    for (typed, wanted) in [
        ("none", "--gpus \"none\" names no GPUs; type --gpus all, or numbers that doctor prints, as --gpus 0,1"),
        ("", "names no GPUs"),
        ("0,", "names no GPUs"),
        ("-1", "names no GPUs"),
        ("0;1", "names no GPUs"),
        ("99999999999999999999999", "names no GPUs"),
        ("0,0", "--gpus \"0,0\" names GPU 0 twice; name each once"),
        ("2,1,02", "names GPU 2 twice"),
    ] {
        let option = format!("--gpus={typed}");
        for command in [&["in.y4m", "null:"][..], &["explain", "in.y4m"], &["bench", "in.y4m"]] {
            let said = bench.refuse(&[command, &["-f", "box", &option]].concat());
            assert!(said.contains(wanted) && said.lines().count() == 1, "{command:?} {typed}: {said}");
        }
    }
}

#[test]
fn what_does_not_go_with_several_gpus() {
    let bench = bench();
    let job = ["in.y4m", "null:", "-f", "box", "--gpus", "all"];
    let said = bench.refuse(&[&job[..], &["--backend", "cpu"]].concat());
    assert!(said.contains("--gpus cannot be used with --backend cpu; leave out one of them"), "{said}");
    let said = bench.refuse(&[&job[..], &["--device", "1"]].concat());
    assert!(said.contains("'--gpus <LIST>' cannot be used with '--device <N>'"), "{said}");
}

/// Without a GPU, and for one that is not there, with and without something to filter.
#[test]
fn gpus_that_are_not_there() {
    let bench = bench();
    for typed in ["4711", "4711,4712", "all"] {
        for chain in [&["-f", "box"][..], &[]] {
            let output = bench.warpreel(&[&["in.y4m", "null:", "-q", "--gpus", typed], chain].concat());
            if typed == "all" && output.status.success() {
                println!("skipped: there is a GPU, so that --gpus all is right");
                continue;
            }
            let said = String::from_utf8(output.stderr).unwrap();
            let is_told = said.contains("there is no GPU 4711") || said.contains("type --backend cpu");
            assert!(is_told && said.lines().count() == 1, "{typed}: {said}");
            assert_eq!(output.status.code(), Some(1), "{said}");
        }
    }
}

/// How a clip would be shared out is told without a GPU too.
#[test]
fn sharing_is_explained() {
    let bench = bench();
    let told = |chain: &str| {
        let told = bench.pass(&["explain", "in.y4m", "-f", chain, "--gpus", "0,1", "--json"]);
        let told: serde_json::Value = serde_json::from_slice(&told).unwrap();
        told["sharing"].as_str().unwrap().to_owned()
    };
    assert_eq!(told("box"), "each idle GPU takes the next run of 8 frames, no frame is uploaded twice");
    let text = told(r"tmix=5:enable='st(0\,ld(0)+1)',deflicker=size=3:scene=0.2");
    for words in [
        "run of 320 frames, with 5 frames before and 3 after each run, 2.5 % more",
        "evaluated once",
        "each GPU measures",
    ] {
        assert!(text.contains(words), "{words:?} is missing: {text}");
    }
    let plain = String::from_utf8(bench.pass(&["explain", "in.y4m", "-f", "box", "--gpus", "all"])).unwrap();
    assert!(plain.contains("--gpus: each idle GPU"), "{plain}");
    let plain = String::from_utf8(bench.pass(&["explain", "in.y4m", "-f", "box"])).unwrap();
    assert!(!plain.contains("idle GPU"), "{plain}");
}

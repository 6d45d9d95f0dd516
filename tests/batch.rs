//! Several inputs into a folder.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Bench, signalled};

/// So many frames of 8 by 8 pixels, the first of which is so bright.
pub fn clip(frames: u8, first: u8) -> Vec<u8> {
    let mut clip = b"YUV4MPEG2 W8 H8 F25:1 Ip A1:1 Cmono\n".to_vec();
    for frame in 0..frames {
        clip.extend(b"FRAME\n");
        clip.extend([first + frame; 64]);
    }
    clip
}

/// A folder with clips of these names, each of another brightness.
fn bench(names: &[&str]) -> Bench {
    let bench = Bench::new();
    for (name, first) in names.iter().zip((10..).step_by(20)) {
        let path = bench.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, clip(5, first)).unwrap();
    }
    bench
}

/// The names in a folder, sorted.
fn names(bench: &Bench, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(bench.path(folder)).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn names_stay_and_an_error_does_not_stop_the_others() {
    let bench = bench(&["a.y4m", "b.y4m", "c d.y4m", "more/e.y4m"]);
    fs::write(bench.path("bad.y4m"), "YUV4MPEG2 W8 H8 F25:1\nFRA").unwrap();
    let typed = ["a.y4m", "bad.y4m", "c d.y4m", "nosuch.y4m", "more/e.y4m", "-o", "new/out", "-f", "invert,tmix=3"];
    let output = bench.warpreel(&typed);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(names(&bench, "new/out"), ["a.y4m", "c d.y4m", "e.y4m"]);
    assert!(said.starts_with("created folder \"new/out\"\n"), "{said}");
    for line in ["new/out/a.y4m: 5 frames in ", "new/out/c d.y4m: 5 frames in ", "new/out/e.y4m: 5 frames in "] {
        assert_eq!(said.lines().filter(|said| said.starts_with(line)).count(), 1, "{line} {said}");
    }
    assert!(
        said.contains("\nerror: bad.y4m: ") && said.contains("\nerror: nosuch.y4m: open \"nosuch.y4m\": "),
        "{said}"
    );
    assert!(said.ends_with("error: 2 of 5 failed: \"bad.y4m\", \"nosuch.y4m\"\n"), "{said}");
    // Each is what a job by itself gives.
    for name in ["a.y4m", "c d.y4m"] {
        let alone = bench.pass(&[name, "-", "-f", "invert,tmix=3"]);
        assert_eq!(fs::read(bench.path(&format!("new/out/{name}"))).unwrap(), alone, "{name}");
    }
}

/// What holds for all is said once.
#[test]
fn remarks_on_the_chain_are_made_once() {
    let bench = bench(&["a.y4m", "b.y4m", "c.y4m"]);
    let kernel = "kernel=1 2 1 2 4 2 1 2 1";
    let said = bench.warpreel(&["a.y4m", "b.y4m", "c.y4m", "-o", "out", "-f", kernel, "--jobs", "2"]).stderr;
    let said = String::from_utf8(said).unwrap();
    let count = |words: &str| said.matches(words).count();
    assert_eq!([count("9 taps in one row"), count("filtered by "), count("3 of 3 done")], [1; 3], "{said}");
}

#[test]
fn what_is_wrong_is_said_before_anything_is_run() {
    let bench = bench(&["a.y4m", "b.y4m", "more/a.y4m", "odd.dav"]);
    let before = bench.names();
    for (typed, line) in [
        (&["a.y4m", "more/a.y4m", "-o", "out"][..], "\"a.y4m\" and \"more/a.y4m\" have the same output \"out/a.y4m\""),
        (&["a.y4m", "a.y4m", "-o", "out"], "have the same output"),
        (&["b.y4m", "a.y4m", "-o", "."], "\"./b.y4m\" would replace an input; name another folder with -o"),
        (&["b.y4m", "more/a.y4m", "a.y4m", "-o", "more"], "\"more/a.y4m\" would replace an input"),
        (&["b.y4m", "a.y4m", "more/a.y4m", "-o", "more", "--container", "nosuch"], "cannot write the container"),
        (&["a.y4m", "-", "-o", "out"], "stdin has no file name"),
        (&["a.y4m", "*.mp4", "-o", "out"], "no file matches \"*.mp4\""),
        (&["a.y4m", "b.y4m", "-o", "odd.dav"], "-o takes a folder, and \"odd.dav\" is a file"),
        (&["a.y4m", "b.y4m", "-o", "-"], "-o takes a folder, not \"-\""),
        (&["a.y4m", "b.y4m", "-o", "null:"], "-o takes a folder, not \"null:\""),
        (&["a.y4m", "-o", "b.mp4"], "type warpreel a.y4m b.mp4 for one output, or -o b.mp4/ for a folder"),
        (&["a.y4m", "odd.dav", "-o", "out"], "the name \"odd.dav\" does not imply a container; add --container mkv"),
        (&["a.y4m", "b.y4m", "-o", "out", "-f", "gausian"], "did you mean \"gaussian\"?"),
        (&["a.y4m", "b.y4m", "-o", "out", "-f", "kernel=more/a.y4m"], "more/a.y4m"),
    ] {
        let said = bench.refuse(typed);
        assert!(said.contains(line), "{typed:?}: {said}");
        assert_eq!(bench.names(), before, "{typed:?}");
    }
    // A mistake that only a job finds is told once too, and the folder goes with it.
    let said = bench.refuse(&["a.y4m", "b.y4m", "-o", "out", "--start", "nan"]);
    assert!(said.starts_with("error: --start"), "{said}");
    assert_eq!(bench.names(), before);
    for typed in [
        &["a.y4m", "b.y4m", "c.y4m"][..],
        &["a.y4m", "b.y4m", "--jobs", "2"],
        &["a.y4m", "b.y4m", "--skip-existing"],
        &["a.y4m", "b.y4m", "-o", "out", "--stats", "s.json"],
        &["a.y4m", "b.y4m", "-o", "out", "--jobs", "0"],
        &["a.y4m", "b.y4m", "-o", "out", "-y", "--skip-existing"],
        &["-o", "out"],
    ] {
        assert_eq!(bench.warpreel(typed).status.code(), Some(2), "{typed:?}");
    }
    let said = String::from_utf8(bench.warpreel(&["a.y4m", "b.y4m", "c.y4m"]).stderr).unwrap();
    assert!(said.contains("for several inputs, name a folder: -o DIR"), "{said}");
    let said = String::from_utf8(bench.warpreel(&["a.y4m", "b.y4m", "filtered/"]).stderr).unwrap();
    assert!(said.contains("type -o filtered/"), "{said}");
    let said = bench.warpreel(&["a.y4m", "out.mkv", "-f", "gaussian", "5"]);
    assert_eq!(said.status.code(), Some(2));
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("type warpreel a.y4m out.mkv -f gaussian=5\n"), "{said}");
    let said = String::from_utf8(bench.warpreel(&["a.y4m", "out.mkv", "-f", "tmix=weights='1", "2'"]).stderr).unwrap();
    assert!(said.contains("unexpected argument \"2'\"; quote a chain") && said.contains("-f \"tmix="), "{said}");
}

#[test]
fn outputs_that_exist_are_skipped_replaced_or_refused() {
    let bench = bench(&["a.y4m", "b.y4m", "out/a.y4m"]);
    fs::write(bench.path("out/a.y4m"), "precious").unwrap();
    let typed = ["a.y4m", "b.y4m", "-o", "out", "-f", "invert"];
    let line = bench.fail(&typed);
    assert!(line.contains("\"out/a.y4m\" exists; add --skip-existing"), "{line}");
    assert_eq!(names(&bench, "out"), ["a.y4m"], "nothing was begun");
    let output = bench.warpreel(&[&typed[..], &["--skip-existing"]].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.contains("out/a.y4m exists, skipped\n"), "{said}");
    assert!(said.ends_with("1 of 2 done, 1 skipped\n"), "{said}");
    assert_eq!(fs::read(bench.path("out/a.y4m")).unwrap(), b"precious");
    let line = bench.fail(&typed);
    assert!(line.contains("\"out/a.y4m\" exists, and 1 more; add"), "{line}");
    bench.pass(&[&typed[..], &["-y"]].concat());
    assert_eq!(fs::read(bench.path("out/a.y4m")).unwrap(), bench.pass(&["a.y4m", "-", "-f", "invert"]));
}

#[test]
fn several_at_a_time_give_the_same_and_each_line_names_its_input() {
    let inputs: Vec<String> = (0..7).map(|number| format!("{number}.y4m")).collect();
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let bench = bench(&inputs);
    let chain = ["-f", "gaussian=1,tmix=3"];
    bench.pass(&[&inputs[..], &["-o", "one"], &chain].concat());
    let options = ["-o", "many", "--jobs", "3", "--threads", "4", "-q", "--progress", "json"];
    let output = bench.warpreel(&[&inputs[..], &options, &chain].concat());
    assert!(output.status.success());
    for name in &inputs {
        let [one, many] = ["one", "many"].map(|folder| fs::read(bench.path(&format!("{folder}/{name}"))).unwrap());
        assert_eq!(one, many, "{name}");
    }
    let said = String::from_utf8(output.stderr).unwrap();
    let mut named: Vec<String> = Vec::new();
    for line in said.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        named.push(line["input"].as_str().unwrap().to_owned());
    }
    named.sort();
    named.dedup();
    assert_eq!(named, inputs);
}

#[test]
fn sequences_raw_frames_and_other_containers() {
    let bench = bench(&["a.y4m", "b.y4m"]);
    for folder in ["one", "two"] {
        fs::create_dir(bench.path(folder)).unwrap();
    }
    bench.pass(&["a.y4m", "one/%03d.png"]);
    bench.pass(&["b.y4m", "two/take_%03d.png"]);
    let sequences = ["one/%03d.png", "two/take_%03d.png", "-o", "out", "-f", "invert"];
    bench.pass(&sequences);
    assert_eq!(names(&bench, "out").len(), 10);
    assert!(bench.fail(&sequences).contains("\"out/%03d.png\" exists, and 1 more"));
    bench.pass(&[&sequences[..], &["--container", "matroska", "--codec", "ffv1", "--fps", "24"]].concat());
    let rate = |name: &str| {
        let probe = ["-v", "error", "-show_entries", "stream=r_frame_rate", "-of", "csv=p=0", name];
        String::from_utf8(bench.run("ffprobe", &probe, b"").stdout).unwrap().trim().to_owned()
    };
    assert_eq!([rate("out/one.mkv"), rate("out/take.mkv")], ["24/1", "24/1"]);
    // One output would have no name of its own.
    let line = bench.refuse(&["one/%03d.png", "two/%03d.png", "-o", "out"]);
    assert!(line.contains("have the same output"), "{line}");
    for name in ["a.raw", "b.raw"] {
        fs::write(bench.path(name), [7; 320]).unwrap();
    }
    let raw = ["a.raw", "b.raw", "-o", "raw", "--raw", "gray:8x8", "--fps", "30", "--jobs", "2", "-f", "invert"];
    bench.pass(&raw);
    assert_eq!(fs::read(bench.path("raw/b.raw")).unwrap(), [248; 320]);
    bench.pass(&[&raw[..], &["--container", "nut", "--codec", "ffv1"]].concat());
    assert_eq!(names(&bench, "raw"), ["a.nut", "a.raw", "b.nut", "b.raw"]);
    assert_eq!(rate("raw/a.nut"), "30/1");
}

/// What is under way is kept, what is not begun is not begun, and who started the program learns of it.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_stops_all_of_it() {
    let bench = bench(&["b.y4m"]);
    assert!(Command::new("mkfifo").arg(bench.path("a.y4m")).status().unwrap().success());
    let mut program = signalled();
    program.args(["a.y4m", "b.y4m", "-o", "out", "-f", "invert,invert"]).current_dir(bench.path(""));
    let child = program.stderr(Stdio::piped()).spawn().unwrap();
    // Open for both, it waits for nobody.
    let mut pipe = fs::OpenOptions::new().read(true).write(true).open(bench.path("a.y4m")).unwrap();
    pipe.write_all(&clip(3, 1)).unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    let written = || -> u64 {
        let parts = fs::read_dir(bench.path("out")).into_iter().flatten().flatten();
        parts.map(|entry| entry.metadata().map_or(0, |found| found.len())).sum()
    };
    while written() < clip(3, 1).len() as u64 {
        assert!(Instant::now() < patience, "the frames are not written");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.signal(), Some(2), "{said}");
    assert!(said.contains("a.y4m: interrupted at frame 3; the first 3 are in out/a.partial.y4m"), "{said}");
    assert!(said.contains("interrupted: 0 of 2 done, 1 kept as partial files"), "{said}");
    assert_eq!(names(&bench, "out"), ["a.partial.y4m"]);
    assert_eq!(fs::read(bench.path("out/a.partial.y4m")).unwrap(), clip(3, 1));
}

/// Through patterns, and by files that the chain writes.
#[test]
fn nothing_of_a_batch_replaces_another() {
    let bench = Bench::new();
    for folder in ["x", "y"] {
        fs::create_dir(bench.path(folder)).unwrap();
        bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=32x18:d=0.12", &format!("{folder}/f%02d.png")]);
    }
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=32x18:d=0.12", "-c:v", "ffv1", "a.mkv"]);
    fs::copy(bench.path("a.mkv"), bench.path("b.mkv")).unwrap();
    let before = fs::read(bench.path("y/f01.png")).unwrap();
    let line = bench.refuse(&["y/f01.png", "x/f%02d.png", "-o", "y", "-y"]);
    assert!(line.contains("would replace"), "{line}");
    let line = bench.refuse(&["x/f%02d.png", "y/f02.png", "-o", "y/", "-y"]);
    assert!(line.contains("would replace"), "{line}");
    let line = bench.refuse(&["x/f01.png", "y/f%02d.png", "-o", "z", "-y"]);
    assert!(line.contains("would both write into \"z\""), "{line}");
    let line = bench.refuse(&["a.mkv", "b.mkv", "-o", "z", "-f", "degrain=vectors=v.json"]);
    assert!(line.contains("\"v.json\" is one file"), "{line}");
    assert_eq!(fs::read(bench.path("y/f01.png")).unwrap(), before);
    assert!(!bench.path("z").exists() && !bench.path("v.json").exists());
    bench.pass(&["a.mkv", "-o", "z", "-f", "degrain=vectors=v.json"]);
    assert!(bench.path("v.json").exists());
}

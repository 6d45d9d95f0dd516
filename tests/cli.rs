//! The command line as a user meets it: exit codes, one-line errors, pipes, interrupts, statistics.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use clap::CommandFactory;
use warpreel::cli::Cli;

use crate::program::{Bench, binary, checksums, sample};

/// A tiny y4m clip of `frames` grey frames, all samples of a frame alike.
fn y4m(frames: u8) -> Vec<u8> {
    let mut clip = b"YUV4MPEG2 W8 H4 F25:1 Ip A1:1 Cmono\n".to_vec();
    for frame in 0..frames {
        clip.extend(b"FRAME\n");
        clip.extend([frame * 10; 32]);
    }
    clip
}

#[test]
fn every_argument_has_help() {
    fn check(command: &clap::Command) {
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{} {} has no help", command.get_name(), argument.get_id());
        }
        command.get_subcommands().for_each(check);
    }
    let mut command = Cli::command();
    command.build();
    check(&command);
}

#[test]
fn wrong_usage_exits_with_2() {
    let bench = Bench::new();
    for arguments in
        [&[][..], &["a.mp4", "-y"], &["a", "b", "--no-such"], &["a", "b", "--frames", "x"], &["filters", "a", "b"]]
    {
        assert_eq!(bench.warpreel(arguments).status.code(), Some(2), "{arguments:?}");
    }
    for arguments in [&["--help"][..], &["--version"], &["doctor"], &["filters"], &["filters", "gaussian"]] {
        assert!(!bench.pass(arguments).is_empty(), "{arguments:?}");
    }
}

#[test]
fn what_stands_before_a_subcommand_is_refused() {
    let bench = Bench::new();
    for (arguments, option, command) in [
        (&["-f", "sobel", "bench", "v.mp4"][..], "--filter <CHAIN>", "bench"),
        (&["v.mp4", "null:", "bench"], "INPUT", "bench"),
        (&["v.mp4", "doctor"], "INPUT", "doctor"),
        (&["--threads", "0", "explain"], "--threads <N>", "explain"),
        (&["-y", "filters", "box"], "--overwrite", "filters"),
        (&["bench", "-f", "sobel", "copy"], "--filter <CHAIN>", "copy"),
        (&["bench", "v.mp4", "ladder"], "INPUT", "ladder"),
    ] {
        let output = bench.warpreel(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        let line = stderr.lines().next().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(line.contains(option) && line.ends_with(&format!("; type it behind {command}")), "{line}");
    }
    // How much is said may be said anywhere.
    for arguments in [["-q", "doctor"], ["doctor", "-q"], ["-v", "filters"]] {
        assert!(!bench.pass(&arguments).is_empty(), "{arguments:?}");
    }
    for arguments in [&["--help"][..], &["bench", "--help"]] {
        let help = String::from_utf8(bench.pass(arguments)).unwrap();
        let mut usage = help.lines().skip_while(|line| !line.starts_with("Usage: "));
        assert!(!usage.nth(1).unwrap().contains('['), "nothing may stand before a subcommand: {help}");
    }
}

#[test]
fn names_that_look_like_options_and_those_that_are_no_text() {
    let bench = Bench::new();
    std::fs::write(bench.path("-dash.y4m"), y4m(1)).unwrap();
    let output = bench.warpreel(&["-dash.y4m", "null:"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(2) && stderr.contains("type './-dash.y4m' for a file of that name"),
        "{stderr}"
    );
    bench.pass(&["./-dash.y4m", "null:"]);
    let name = OsStr::from_bytes(b"caf\xe9.mp4");
    let output = Command::new(binary()).args([name, "null:".as_ref()]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("error: \"caf\\xE9.mp4\" is not UTF-8; rename the file"), "{stderr}");
}

#[test]
fn the_number_of_threads_has_a_limit() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), y4m(2)).unwrap();
    for count in ["1025", "8000", "100000", "-1", "all"] {
        let output = bench.warpreel(&["in.y4m", "null:", "--threads", count]);
        assert_eq!(output.status.code(), Some(2), "{count}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let output = bench.warpreel(&["in.y4m", "null:", "-f", "box", "--backend", "cpu", "--threads", "1024"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && stderr.contains("cpu, 4 threads"), "one a row and no more: {stderr}");
}

#[test]
fn mistakes_in_what_was_typed_exit_with_2() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), y4m(2)).unwrap();
    for option in [
        ["-f", "gausian"],
        ["-f", "gaussian=sigma=-1"],
        ["-f", "kernel=missing.txt"],
        ["--border", "foo"],
        ["--planes", "q"],
        ["--start", "nan"],
        ["--duration", "1:99"],
        ["--raw", "10x10"],
        ["--raw", "yuv999p:10x10"],
        ["--encoder-option", "foo"],
        ["--codec", "libx264"],
    ] {
        bench.refuse(&[&["in.y4m", "null:"], &option[..]].concat());
    }
    let error = bench.refuse(&["missing.y4m", "out.mkv", "--encoder-option", "foo"]);
    assert!(error.contains("--encoder-option \"foo\" does not have the form KEY=VALUE; type"), "{error}");
    for arguments in [
        &["filters", "gausian"][..],
        &["filters", "box,box", "--svg", "-"],
        &["explain", "-f", "gausian"],
        &["explain", "--size", "10"],
        &["bench", "compare", "gausian", "box"],
        &["bench", "ladder", "--sizes", "10"],
    ] {
        bench.refuse(arguments);
    }
    // What another input would make right is no mistake in what was typed.
    for option in [["-f", "box=planes=u"], ["-f", "box=roi=99x99+0+0"], ["--start", "9"]] {
        bench.fail(&[&["in.y4m", "null:"], &option[..]].concat());
    }
}

#[test]
fn pipes_with_a_name_are_quoted_once() {
    let output = Bench::new().run(binary(), &["/dev/stdin", "null:"], b"this is no video");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && stderr.starts_with("error: open \"/dev/stdin\": "), "{stderr}");
}

#[test]
fn explanations_end_with_their_line() {
    let bench = Bench::new();
    for arguments in [
        &["explain", "-f", "sobel"][..],
        &["explain", "-f", "box", "--size", "64x64"],
        &["explain", "-f", "sobel", "--json"],
    ] {
        let text = String::from_utf8(bench.pass(arguments)).unwrap();
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{text:?}");
    }
}

#[test]
fn pictures_of_filters_are_written() {
    let bench = Bench::new();
    assert!(bench.pass(&["filters", "box=2", "--svg", "box.svg"]).is_empty());
    let picture = std::fs::read(bench.path("box.svg")).expect("a picture");
    assert!(picture.starts_with(b"<svg ") && picture.ends_with(b"</svg>\n"));
    assert_eq!(bench.pass(&["filters", "box=2", "--svg", "-"]), picture);
    let error = bench.refuse(&["filters", "box,gaussian", "--svg", "none.svg"]);
    assert!(error.contains("a picture shows one filter") && error.contains("gaussian=sigma=2"), "{error}");
    let error = bench.fail(&["filters", "box", "--svg", "no/such/folder.svg"]);
    assert!(error.contains("\"no/such/folder.svg\"") && error.contains("mkdir -p"), "{error}");
    assert_eq!(bench.names(), ["box.svg"]);
    assert_eq!(bench.warpreel(&["filters", "--svg", "box.svg"]).status.code(), Some(2));
}

#[test]
fn a_pipe_without_filters_is_the_identity() {
    let bench = Bench::new();
    let clip = y4m(5);
    let output = bench.run(binary(), &["-", "-"], &clip);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout, clip);
}

#[test]
fn a_chain_is_the_same_as_two_runs_with_a_file_between() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), y4m(7)).unwrap();
    let both = bench.pass(&["in.y4m", "hash:", "-f", "tmix=frames=3", "-f", "gaussian=sigma=1"]);
    let joined = bench.pass(&["in.y4m", "hash:", "-f", "tmix=frames=3,gaussian=sigma=1"]);
    bench.pass(&["in.y4m", "between.y4m", "-f", "tmix=frames=3"]);
    let apart = bench.pass(&["between.y4m", "hash:", "-f", "gaussian=sigma=1"]);
    assert_eq!(checksums(&both), checksums(&apart));
    assert_eq!(checksums(&both), checksums(&joined));
    assert_eq!(checksums(&both).len(), 7);
}

#[test]
fn the_number_of_threads_does_not_change_the_bytes() {
    let bench = Bench::new();
    let clip = sample("odd-size.mkv");
    let chain = "gaussian=sigma=1.7,unsharp=amount=0.5,tmix=frames=4,sobel";
    let run = |threads| bench.pass(&[clip.to_str().unwrap(), "hash:", "-f", chain, "--threads", threads]);
    let one = run("1");
    assert_eq!(checksums(&one).len(), 10);
    for threads in ["2", "3", "8"] {
        assert_eq!(one, run(threads), "{threads} threads");
    }
}

#[test]
fn an_output_is_never_destroyed_by_a_run_that_fails() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), y4m(3)).unwrap();
    std::fs::write(bench.path("out.y4m"), "precious").unwrap();
    assert!(bench.fail(&["in.y4m", "out.y4m"]).contains("-y"));
    assert_eq!(std::fs::read(bench.path("out.y4m")).unwrap(), b"precious");

    let cut = y4m(3);
    std::fs::write(bench.path("cut.y4m"), &cut[..cut.len() - 5]).unwrap();
    let error = bench.fail(&["cut.y4m", "out.y4m", "-y"]);
    assert!(error.contains("frame 2") && error.contains("--salvage") && error.contains("cut.y4m"), "{error}");
    assert_eq!(std::fs::read(bench.path("out.y4m")).unwrap(), b"precious");
    assert_eq!(bench.names(), ["cut.y4m", "in.y4m", "out.y4m"]);

    bench.pass(&["cut.y4m", "out.y4m", "-y", "--salvage"]);
    assert_eq!(std::fs::read(bench.path("out.y4m")).unwrap(), y4m(2));

    let error = bench.fail(&["in.y4m", "in.y4m", "-y"]);
    assert!(error.contains("in.y4m"), "{error}");
    assert_eq!(std::fs::read(bench.path("in.y4m")).unwrap(), y4m(3));
}

#[test]
fn errors_say_what_where_and_what_to_type() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), y4m(3)).unwrap();
    std::fs::write(bench.path("text.mp4"), "this is no video").unwrap();
    std::fs::write(bench.path("empty.mp4"), "").unwrap();
    std::fs::create_dir(bench.path("folder")).unwrap();
    let failures: [(&[&str], &[&str]); 8] = [
        (&["missing.mp4", "null:"], &["missing.mp4"]),
        (&["folder", "null:"], &["folder", "name a clip"]),
        (&["text.mp4", "null:"], &["text.mp4"]),
        (&["empty.mp4", "null:"], &["empty.mp4"]),
        (&["in.y4m", "folder/none/out.mp4"], &["folder/none"]),
        (&["in.y4m", "folder", "-y"], &["folder"]),
        (&["in.y4m", "out.xyz"], &["out.xyz"]),
        (&["in.y4m", "out.webm", "--codec", "libx264"], &["webm"]),
    ];
    let mistakes: [(&[&str], &[&str]); 5] = [
        (&["in.y4m", "null:", "-f", "gausian"], &["gausian", "gaussian"]),
        (&["in.y4m", "null:", "-f", "gaussian=sigmo=2"], &["sigmo", "sigma"]),
        (&["in.y4m", "null:", "-f", "gaussian=sigma=-1"], &["sigma", "-1"]),
        (&["in.y4m", "null:", "--start", "soon"], &["--start", "soon"]),
        (&["in.y4m", "null:", "--raw", "yuv420p"], &["--raw"]),
    ];
    let failures = failures.map(|(arguments, words)| (bench.fail(arguments), words));
    let mistakes = mistakes.map(|(arguments, words)| (bench.refuse(arguments), words));
    for (error, words) in failures.iter().chain(&mistakes) {
        assert!(words.iter().all(|word| error.contains(word)), "{error} should name {words:?}");
    }
    assert_eq!(bench.names(), ["empty.mp4", "folder", "in.y4m", "text.mp4"], "nothing was left behind");
}

#[test]
fn no_gpu_is_an_error_only_where_one_was_asked_for() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), y4m(2)).unwrap();
    let quiet = bench.warpreel(&["in.y4m", "null:", "-f", "box=radius=1", "-q"]);
    assert!(quiet.status.success() && quiet.stderr.is_empty());
    let cpu = bench.warpreel(&["in.y4m", "null:", "-f", "box=radius=1", "--backend", "cpu"]);
    assert!(String::from_utf8_lossy(&cpu.stderr).contains("cpu"));
}

#[test]
fn a_reader_that_has_had_enough_ends_the_run_quietly() {
    let clip = sample("bigbuckbunny-720p.mp4");
    let mut child = Command::new(binary())
        .args([clip.to_str().unwrap(), "-", "-q"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut head = [0; 9];
    child.stdout.take().unwrap().read_exact(&mut head).unwrap();
    assert_eq!(&head, b"YUV4MPEG2");
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn scenes_are_told_by_the_numbers_of_the_input() {
    let bench = Bench::new();
    let mut clip = b"YUV4MPEG2 W8 H4 F25:1 Ip A1:1 Cmono\n".to_vec();
    for frame in 0..20 {
        clip.extend(b"FRAME\n");
        clip.extend([if frame < 10 { 10 } else { 200 }; 32]);
    }
    std::fs::write(bench.path("in.y4m"), clip).unwrap();
    for start in [&[][..], &["--start", "0.2"]] {
        let arguments =
            [&["in.y4m", "null:", "-v", "--backend", "cpu", "-f", "tmix=frames=3:scene=0.3"], start].concat();
        let output = bench.warpreel(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("begins at frame 10,"), "{start:?}: {said}");
    }
}

#[test]
fn statistics_tell_what_ran_and_who_waited() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), y4m(20)).unwrap();
    bench.pass(&["in.y4m", "out.y4m", "-f", "tmix=frames=3", "--stats", "stats.json"]);
    let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(bench.path("stats.json")).unwrap()).unwrap();
    assert_eq!(stats["frames"], 20);
    assert_eq!(stats["passes"][0], "tmix=frames=3");
    for stage in ["decode", "filter", "encode"] {
        assert_eq!(stats["stages"][stage]["frames"], 20, "{stage}");
        assert!(stats["stages"][stage]["busy_s"].as_f64().unwrap() > 0.0);
    }
    assert!(stats["fps"].as_f64().unwrap() > 0.0);
    assert_eq!(stats["defects"]["damaged_packets"], 0);
}

#[test]
fn recipes_run() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), y4m(5)).unwrap();
    let recipes = std::fs::read_dir(sample("recipes")).unwrap();
    let mut count = 0;
    for recipe in recipes {
        let chain = format!("@{}", recipe.unwrap().path().display());
        assert_eq!(checksums(&bench.pass(&["in.y4m", "hash:", "-f", &chain])).len(), 5, "{chain}");
        count += 1;
    }
    assert!(count >= 5);
}

#[test]
fn kernel_files_run() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), y4m(5)).unwrap();
    let mut endings = Vec::new();
    for file in std::fs::read_dir(sample("kernels")).unwrap() {
        let file = file.unwrap().path();
        let listing = bench.pass(&["in.y4m", "hash:", "-f", &format!("kernel={}", file.display())]);
        assert_eq!(checksums(&listing).len(), 5, "{file:?}");
        endings.push(file.extension().unwrap().to_str().unwrap().to_owned());
    }
    endings.sort();
    assert_eq!(endings, ["json", "npy", "txt"]);
}

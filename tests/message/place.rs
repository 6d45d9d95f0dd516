//! Inputs and outputs that cannot be meant: terminals, `/dev/null`, raw frames, files that do not stream, pictures.

use std::process::Stdio;

use crate::program::{binary, sample};

use super::bench;

#[test]
fn dev_null_is_answered() {
    let bench = bench();
    let line = bench.fail(&["/dev/null", "null:"]);
    assert_eq!(line, "error: \"/dev/null\" is empty; name a clip, or pipe one in");
    let line = bench.refuse(&["in.y4m", "/dev/null"]);
    assert!(line.contains("type null: for /dev/null"), "{line}");
    bench.pass(&["in.y4m", "/dev/null", "--container", "raw"]);
}

#[test]
fn a_clip_that_is_not_there_leads_to_one_that_is() {
    let bench = bench();
    let line = bench.fail(&["im.y4m", "null:"]);
    assert_eq!(line, "error: open \"im.y4m\": there is no such file; did you mean \"in.y4m\"?");
    let line = bench.fail(&["holiday.mov", "null:"]);
    assert!(line.starts_with("error: open \"holiday.mov\": No such file"), "{line}");
}

#[test]
fn a_folder_as_output_leads_to_the_option_for_it() {
    let bench = bench();
    std::fs::create_dir(bench.path("there")).unwrap();
    for folder in ["there", "there/", "nowhere/"] {
        let line = bench.fail(&["in.y4m", folder]);
        assert!(line.ends_with(&format!("is a folder; to keep the input's name in it, type -o {folder}")), "{line}");
    }
}

#[test]
fn raw_frames_without_their_format_are_asked_for_it() {
    let bench = bench();
    std::fs::write(bench.path("frames.yuv"), [0; 4096]).unwrap();
    let line = bench.refuse(&["frames.yuv", "null:"]);
    assert!(line.contains("raw frames need --raw FORMAT:WxH@FPS, as --raw yuv420p:1280x720@25"), "{line}");
    bench.pass(&["frames.yuv", "null:", "--raw", "gray:64x64@25"]);
    std::fs::copy(bench.path("in.y4m"), bench.path("in.yuv")).unwrap();
    bench.pass(&["in.yuv", "null:"]);
    let output = bench.run(binary(), &["-", "null:"], &[7; 4096]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("raw frames need --raw FORMAT:WxH@FPS"), "{stderr}");
}

#[test]
fn an_mp4_with_its_index_at_the_end_is_told_from_raw_frames() {
    let bench = bench();
    let clip = sample("bigbuckbunny-720p.mp4");
    bench.ffmpeg(&["-i", clip.to_str().unwrap(), "-c", "copy", "late.mp4"]);
    let bytes = std::fs::read(bench.path("late.mp4")).unwrap();
    let output = bench.run(binary(), &["-", "null:", "--frames", "1"], &bytes);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("with its index at the end cannot be read from a pipe: name the file"), "{stderr}");
}

#[test]
fn a_terminal_is_no_clip() {
    let Ok(program) = std::process::Command::new("script").arg("--version").stdout(Stdio::null()).status() else {
        return;
    };
    assert!(program.success());
    let command = format!("{} - null:", binary().display());
    // Where the terminal is waited for, the time runs out.
    let output = bench().run("timeout", &["20", "script", "-qec", &command, "/dev/null"], b"");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("stdin is a terminal; name a clip, or pipe one in"), "{told}");
    assert_eq!(output.status.code(), Some(2), "{told}");
}

#[test]
fn a_picture_of_another_kind_is_refused() {
    let bench = bench();
    let line = bench.refuse(&["filters", "gaussian", "--svg", "k.png"]);
    assert_eq!(
        line,
        "error: --svg does not write png files; type --svg k.svg, then convert it: rsvg-convert k.svg -o k.png"
    );
    assert!(!bench.path("k.png").exists());
    bench.pass(&["filters", "gaussian", "--svg", "k.svg"]);
}

/// The full reason stands in `doctor` and with `-v`.
#[test]
fn the_reason_for_the_cpu_takes_four_words() {
    let bench = bench();
    let told = |arguments: &[&str]| {
        let stderr = String::from_utf8(bench.warpreel(arguments).stderr).unwrap();
        stderr.lines().find(|line| line.contains("filtered by")).unwrap().to_owned()
    };
    let (brief, full) = (told(&["in.y4m", "null:", "-f", "box"]), told(&["in.y4m", "null:", "-f", "box", "-v"]));
    if brief.contains("filtered by cpu") {
        assert!(brief.ends_with(" (no GPU; see -v)") && brief.len() <= 80, "{brief}");
        assert!(full.len() > brief.len() && !full.contains("see -v"), "{full}");
        let doctor = String::from_utf8(bench.pass(&["doctor"])).unwrap();
        assert!(doctor.contains("; install it"), "{doctor}");
    }
    assert!(told(&["in.y4m", "null:"]).ends_with("(nothing to filter)"));
    assert!(told(&["in.y4m", "null:", "-f", "scale=-1:0"]).ends_with("(scale=-1:0 changes nothing)"));
}

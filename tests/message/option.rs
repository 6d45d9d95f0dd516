//! Options and subcommands: those of FFmpeg's program, and names that are nearly right.

use super::bench;

/// The first line of what clap says, which exits with 2.
fn refusal(arguments: &[&str]) -> String {
    let output = bench().warpreel(arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
    assert!(!stderr.contains("as a value"), "{stderr}");
    assert!(!stderr.contains("Usage:") || !stderr.contains("; type "), "no usage behind what to type: {stderr}");
    stderr.lines().next().unwrap().to_owned()
}

#[test]
fn options_of_ffmpeg_come_as_they_are_here() {
    for (typed, line) in [
        (&["-ss", "10"][..], "-ss is --start here; type --start 10"),
        (&["-ss"], "-ss is --start here; type --start TIME"),
        (&["-t", "0:05"], "-t is --duration here; type --duration 0:05"),
        (&["-to", "20"], "-to is --end here; type --end 20"),
        (&["-r", "24"], "-r is --fps here; type --fps 24"),
        (&["-c:v", "libx264"], "-c:v is --codec here; type --codec libx264"),
        (&["-vcodec", "libx264"], "-vcodec is --codec here; type --codec libx264"),
        (&["-crf", "20"], "-crf is --crf here; type --crf 20"),
        (&["-b:v", "5M"], "-b:v is --bitrate here; type --bitrate 5M"),
        (&["-pix_fmt", "yuv420p"], "-pix_fmt is --pix-fmt here; type --pix-fmt yuv420p"),
        (&["-preset", "slow"], "-preset is --preset here; type --preset slow"),
        (&["-vf", "gaussian=sigma=2, box"], "-vf is -f here; type -f \"gaussian=sigma=2, box\""),
        (&["-frames:v", "5"], "-frames:v is --frames here; type --frames 5"),
        (&["-an"], "-an is an option of ffmpeg: type --no-audio"),
        (&["-map", "0"], "-map is an option of ffmpeg: all streams are kept; choose some with --audio"),
        (&["-c:a", "copy"], "-c:a is an option of ffmpeg: sound is copied"),
        (&["-f", "mp4"], "-f takes filters, and mp4 is a container; type --container mp4"),
        (&["-f", "rawvideo"], "-f takes filters, and rawvideo is a container; type --container rawvideo"),
    ] {
        let line = format!("error: {line}");
        assert!(refusal(&[&["in.y4m", "null:"], typed].concat()).starts_with(&line), "{typed:?} {line}");
        assert!(refusal(&[typed, &["in.y4m", "null:"]].concat()).starts_with(&line[..12]), "{typed:?}");
    }
    let line = refusal(&["bench", "-i", "in.y4m"]);
    assert_eq!(line, "error: -i is an option of ffmpeg: name the input without it: warpreel INPUT OUTPUT");
}

#[test]
fn a_command_line_of_ffmpeg_comes_back_whole() {
    for (typed, line) in [
        ("-i in.y4m null:", "warpreel in.y4m null:"),
        (
            "-y -i in.mp4 -vf gblur=2,unsharp -c:v libx264 -crf 20 -preset slow -c:a copy out.mp4",
            "warpreel in.mp4 out.mp4 -y -f \"gblur=2,unsharp\" --codec libx264 --crf 20 --preset slow",
        ),
        (
            "-ss 10 -t 5 -i in.mp4 -an -tune grain -pix_fmt yuv420p10le -f matroska -",
            "warpreel in.mp4 - --start 10 --duration 5 --no-audio --encoder-option tune=grain --pix-fmt yuv420p10le \
             --container matroska",
        ),
    ] {
        let typed: Vec<&str> = typed.split(' ').collect();
        assert_eq!(refusal(&typed), format!("error: these are options of ffmpeg; type {line}"));
    }
    // A part without a counterpart: the first option is answered.
    assert!(
        refusal(&["-i", "in.y4m", "-filter_threads", "2", "o.mp4"]).starts_with("error: -i is an option of ffmpeg")
    );
}

/// What is ours stays ours, also behind `--`.
#[test]
fn our_options_are_not_taken_for_others() {
    let bench = bench();
    bench.pass(&["in.y4m", "null:", "-q", "-y", "-f", "box"]);
    bench.pass(&["-vy", "-fbox", "in.y4m", "null:"]);
    std::fs::copy(bench.path("in.y4m"), bench.path("-ss")).unwrap();
    bench.pass(&["-f", "box", "--", "-ss", "null:"]);
}

#[test]
fn subcommands_that_are_nearly_right_are_asked_about() {
    for (typed, meant) in
        [("explian", "explain"), ("bnech", "bench"), ("filtres", "filters"), ("docter", "doctor"), ("info", "explain")]
    {
        let line = refusal(&[typed, "-f", "box"]);
        assert_eq!(line, format!("error: no file is called \"{typed}\"; did you mean: warpreel {meant}"));
        assert_eq!(refusal(&[typed]), line);
    }
    let bench = bench();
    std::fs::copy(bench.path("in.y4m"), bench.path("beach")).unwrap();
    bench.pass(&["beach", "null:"]);
    for arguments in [&["help"][..], &["help", "bench"], &["--help"], &["-h"]] {
        assert!(!bench.pass(arguments).is_empty(), "{arguments:?}");
    }
}

/// Each answer is one line, without the usage behind it.
#[test]
fn options_that_are_none_are_answered() {
    for (typed, line) in [
        (&["--size", "640x360"][..], "there is no option --size; type a filter behind -f: -f scale=1280:-2"),
        (&["--scale=0.5"], "there is no option --scale; type a filter behind -f: -f scale=1280:-2"),
        (&["--qp", "20"], "there is no option --qp; type --quality N"),
        (&["--info"], "there is no option --info; type warpreel explain INPUT"),
        (&["--resume"], "there is no option --resume; a stopped job cannot be continued"),
        (&["--start", "-1"], "--start -1 is negative; type --start with a number from 0"),
        (&["--threads", "-1"], "--threads -1 is negative; type --threads with a number from 0"),
        (&["--gpu"], "there is no option --gpu; type --backend cuda"),
    ] {
        let output = bench().warpreel(&[&["in.y4m", "null:"], typed].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{typed:?}: {said}");
        assert!(said.starts_with(&format!("error: {line}")) && said.lines().count() == 1, "{typed:?}: {said}");
    }
    let line = refusal(&["in.y4m"]);
    assert_eq!(
        line,
        "error: \"in.y4m\" has no output; type warpreel in.y4m OUTPUT -f FILTER, or warpreel explain in.y4m"
    );
}

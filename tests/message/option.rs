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
        (
            &["-r", "24"],
            "-r is an option of ffmpeg: for another rate type -f fps=30, and for images and raw frames --fps 30",
        ),
        (&["-c:v", "libx264"], "-c:v is --codec here; type --codec libx264"),
        (&["-vcodec", "libx264"], "-vcodec is --codec here; type --codec libx264"),
        (&["-crf", "20"], "-crf is --crf here; type --crf 20"),
        (&["-b:v", "5M"], "-b:v is --bitrate here; type --bitrate 5M"),
        (&["-pix_fmt", "yuv420p"], "-pix_fmt is --pix-fmt here; type --pix-fmt yuv420p"),
        (&["-preset", "slow"], "-preset is --preset here; type --preset slow"),
        (&["-vf", "gaussian=sigma=2, box"], "-vf is -f here; type -f \"gaussian=sigma=2, box\""),
        (&["-frames:v", "5"], "-frames:v is --frames here; type --frames 5"),
        (&["-an"], "-an is an option of ffmpeg: type --no-audio"),
        (&["-pass", "1"], "-pass is an option of ffmpeg: videos are encoded in one pass; type --quality N"),
        (&["-vn"], "-vn is an option of ffmpeg: outputs hold video; take the sound alone with"),
        (&["-ar", "48000"], "-ar is an option of ffmpeg: sound is copied or converted"),
        (&["-metadata", "title=x"], "-metadata is an option of ffmpeg: the tags of the input are kept"),
        (&["-aspect", "16:9"], "-aspect is an option of ffmpeg: pixels keep their shape"),
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
            "warpreel in.mp4 out.mp4 -f \"gaussian=2,unsharp\" -y --codec libx264 --crf 20 --preset slow",
        ),
        (
            "-i in.mp4 -vf hqdn3d -c:v libx264 -crf 20 out.mp4",
            "warpreel in.mp4 out.mp4 -f denoise --codec libx264 --crf 20",
        ),
        ("-i in.mp4 -s 640x360 -c copy out.mp4", "warpreel in.mp4 out.mp4 -f scale=640:360"),
        ("-i f%03d.png -r 30 out.mp4", "warpreel f%03d.png out.mp4 --fps 30"),
        ("-i in.mkv -vf fps=24,hqdn3d out.mp4", "warpreel in.mkv out.mp4 -f \"fps=24,denoise\""),
        (
            "-i in.mkv -vf vignette=0.5,hqdn3d -movflags +faststart out.mp4",
            "ffmpeg -i in.mkv -filter:v:0 vignette=0.5 -map 0 -map -0:d -c copy -c:v:0 ffv1 -f matroska - | warpreel - out.mp4 \
             -f denoise",
        ),
        ("-i in.mkv -r 30 out.mkv", "warpreel in.mkv out.mkv -f fps=30"),
        (
            "-ss 10 -t 5 -i in.mp4 -an -tune grain -pix_fmt yuv420p10le -f matroska -",
            "warpreel in.mp4 - --start 10 --duration 5 --no-audio --encoder-option tune=grain --pix-fmt yuv420p10le \
             --container matroska",
        ),
    ] {
        let typed: Vec<&str> = typed.split(' ').collect();
        assert_eq!(refusal(&typed), format!("error: these are options of ffmpeg; type {line}"));
    }
    // What no filter here does is said at once too.
    let line = refusal(&["-i", "in.y4m", "-vf", "xfade=1", "o.mp4"]);
    assert!(line.contains("-f xfade=1; but unknown filter \"xfade\"") && line.contains("-i SECOND"), "{line}");
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
        [("explian", "explain"), ("bnech", "bench"), ("filtres", "filters"), ("docter", "doctor"), ("plan", "explain")]
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
        (&["--filters", "gaussian=2"], "there is no option --filters; type -f CHAIN, or list the filters with"),
        (&["--two-pass"], "there is no option --two-pass; videos are encoded in one pass; type --quality N"),
        (&["--rotate", "90"], "there is no option --rotate; type a filter behind -f: -f transpose=clock"),
        (&["--flip"], "there is no option --flip; type a filter behind -f: -f hflip"),
        (&["--crop", "640:360"], "there is no option --crop; type a filter behind -f: -f crop=1280:720"),
        (&["--deinterlace"], "there is no option --deinterlace; type a filter behind -f: -f bwdif"),
        (&["--info"], "there is no option --info; type warpreel INPUT, which describes a clip"),
        (&["--continue"], "there is no option --continue; type --resume"),
        (&["--start", "-1"], "--start -1 is negative; type --start with a number from 0"),
        (&["--threads", "-1"], "--threads -1 is negative; type --threads with a number from 0"),
        (&["--threads", "2000"], "--threads \"2000\" is wrong: \"2000\" is no number of threads from 0"),
        (&["--threads", "decode=2,all=1"], "--threads \"decode=2,all=1\" is wrong: \"all=1\" is no stage with its"),
        (&["--threads", "filter=1,filter=2"], "--threads \"filter=1,filter=2\" is wrong: filter has its threads twice"),
        (&["--gpu"], "there is no option --gpu; type --backend cuda"),
        (&["--from", "1"], "there is no option --from; type --start TIME"),
        (&["--to", "3"], "there is no option --to; type --end TIME"),
        (
            &["--metadata", "title=a"],
            "there is no option --metadata; the tags of the input are kept; write others with",
        ),
        (&["--10bit"], "there is no option --10bit; type --pix-fmt yuv420p10"),
    ] {
        let output = bench().warpreel(&[&["in.y4m", "null:"], typed].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{typed:?}: {said}");
        assert!(said.starts_with(&format!("error: {line}")) && said.lines().count() == 1, "{typed:?}: {said}");
    }
}

/// Mistakes that clap finds are one line too, without the usage behind it.
#[test]
fn every_mistake_in_options_is_one_line() {
    for (typed, line) in [
        (
            &["in.y4m", "-f", "box"][..],
            "\"in.y4m\" has no output, which --filter <CHAIN> needs; type warpreel in.y4m OUTPUT -f box",
        ),
        (&["-f", "box"], "INPUT and OUTPUT are missing; type warpreel INPUT OUTPUT -f …"),
        (&["in.y4m", "o.mp4", "--quality"], "--quality has no value; type --quality N (constant quality from 1 to 100"),
        (&["in.y4m", "o.mp4", "--quality", "high"], "--quality \"high\" is not a number; type --quality N (constant"),
        (&["in.y4m", "o.mp4", "--quality", "101"], "--quality \"101\" is not from 1 to 100; type --quality N"),
        (&["in.y4m", "o.mp4", "--frames", "3.5"], "--frames \"3.5\" is not a whole number from 0; type --frames N"),
        (&["in.y4m", "o.mp4", "--crf", "x"], "--crf \"x\" is not a number; type --crf N"),
        (&["in.y4m", "o.mp4", "--backend", "gpu"], "--backend \"gpu\" is unknown; type --backend auto, cpu or cuda"),
        (&["in.y4m", "o.mp4", "--no-audio=1"], "--no-audio takes no value, and has \"1\"; type --no-audio"),
        (
            &["in.y4m", "o.mp4", "--quality", "9", "--crf", "3"],
            "'--quality <N>' cannot be used with '--crf <N>'; leave one",
        ),
        (
            &["in.y4m", "o.mp4", "--crf", "9", "--crf", "3"],
            "'--crf <N>' cannot be used multiple times; leave one of them out",
        ),
        (&["in.y4m", "o.mp4", "--jobs", "4"], "--jobs is for several inputs; name a folder for their outputs: -o DIR"),
        (&["in.y4m", "o.mp4", "--fooo"], "there is no option --fooo; list them with warpreel --help"),
        (
            &["in.y4m", "o.mp4", "--frame", "3"],
            "there is no option --frame; did you mean --frames? All options: warpreel --help",
        ),
        (&["bench", "--foo"], "there is no option --foo; list them with warpreel bench --help"),
        (&["help", "gaussian"], "gaussian is a filter and no command; type warpreel filters gaussian"),
        (&["bench", "box", "--size", "64x64"], "no file is called \"box\"; put the chain behind -f: -f box"),
        (&["box=2", "o.mp4"], "filters follow -f; type warpreel INPUT o.mp4 -f box=2"),
        (
            &["in.y4m", "o.mp4", "--fps", "30"],
            "\"in.y4m\" has its own timestamps; --fps is for image sequences and --raw; to change the rate, type -f fps=30",
        ),
        (&["bench", "compare"], "A and B are missing; type warpreel bench compare A B"),
        (&["preview"], "INPUT is missing; type warpreel preview INPUT"),
        (&["completions", "foo"], "SHELL \"foo\" is unknown; type bash, elvish, fish, powershell or zsh"),
        (
            &["explain", "a", "b", "c"],
            "unexpected argument \"c\"; quote what contains blanks, or see warpreel explain --help",
        ),
        (&["filters", "--svg"], "--svg has no value; type --svg FILE (draw its kernel"),
    ] {
        let output = bench().warpreel(typed);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{typed:?}: {said}");
        assert!(said.starts_with(&format!("error: {line}")) && said.lines().count() == 1, "{typed:?}: {said}");
    }
}

#[test]
fn streams_are_named_by_number_and_language() {
    let bench = bench();
    let sound = ["-f", "lavfi", "-i", "sine=d=0.2"];
    let tags =
        ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=ger", "-map", "0", "-map", "1", "-map", "2"];
    let picture = ["-f", "lavfi", "-i", "testsrc=s=64x48:d=0.2"];
    bench.ffmpeg(&[&picture[..], &sound, &sound, &tags, &["-c:a", "flac", "in.mkv"]].concat());
    let kept = |typed: &[&str]| {
        bench.pass(&[&["in.mkv", "out.mkv", "-y"], typed].concat());
        let probe = [
            "-v",
            "error",
            "-select_streams",
            "a",
            "-show_entries",
            "stream_tags=language",
            "-of",
            "csv=p=0",
            "out.mkv",
        ];
        String::from_utf8(bench.run("ffprobe", &probe, b"").stdout)
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    for (typed, languages) in [
        (&[][..], "eng ger"),
        (&["--audio", "eng"], "eng"),
        (&["--audio", "de"], "ger"),
        (&["--audio", "2"], "ger"),
        (&["--audio", "2,english"], "eng ger"),
        (&["--drop", "german"], "eng"),
        (&["--drop", "audio:1"], "ger"),
        (&["--drop", "audio:1", "--drop", "audio:2"], ""),
        (&["--drop", "2", "--drop", "data"], "eng"),
    ] {
        assert_eq!(kept(typed), languages, "{typed:?}");
    }
    for (typed, line) in [
        (["--audio", "fre"], "--audio fre: the input has 2 streams of sound; type 1 (eng, flac) or 2 (ger, flac)"),
        (["--audio", "3"], "--audio 3: the input has 2 streams of sound"),
        (["--drop", "audio:3"], "--drop audio:3: the input has 2 streams of sound"),
        (["--drop", "swe"], "--drop swe: no stream is tagged with that language"),
        (["--subtitles", "eng"], "--subtitles eng: the input has no subtitles"),
    ] {
        let said = bench.fail(&["in.mkv", "none.mkv", typed[0], typed[1]]);
        assert!(said.contains(line), "{typed:?}: {said}");
    }
    assert!(bench.refuse(&["in.mkv", "none.mkv", "--audio", "0"]).contains("or languages such as eng"));
}

/// One run with `-y` added is enough: other faults are said first.
#[test]
fn what_fails_is_said_before_an_output_that_exists() {
    let bench = bench();
    std::fs::write(bench.path("out.mkv"), "precious").unwrap();
    let picture = ["-f", "lavfi", "-i", "testsrc=s=64x48:d=0.2"];
    bench.ffmpeg(&[&picture[..], &["-f", "lavfi", "-i", "sine=d=0.2", "sound.mkv"]].concat());
    for (typed, line) in [
        (&["--codec", "nosuch"][..], "nosuch"),
        (&["--audio", "7"], "--audio 7"),
        (&["--crf", "99"], "--crf 0 to 51"),
        (&["--preset", "foo"], "--preset foo"),
        (&["--pix-fmt", "foo"], "unknown pixel format"),
        (&["--encoder-option", "foo=1"], "has no option \"foo\""),
    ] {
        let output = bench.warpreel(&[&["sound.mkv", "out.mkv"], typed].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(line) && !said.contains("it exists"), "{typed:?}: {said}");
    }
    assert!(bench.fail(&["sound.mkv", "out.mkv"]).contains("it exists; add -y to replace it"));
    assert_eq!(std::fs::read(bench.path("out.mkv")).unwrap(), b"precious");
}

/// The help that is named is that of the command that was typed, also where it is one of another.
#[test]
fn the_help_of_the_command_is_named() {
    for (words, help) in [
        (&["a.mkv", "b.mkv", "--nonsense"][..], "list them with warpreel --help"),
        (&["bench", "--nonsense"], "list them with warpreel bench --help"),
        (&["bench", "copy", "--nonsense"], "list them with warpreel bench copy --help"),
    ] {
        let told = refusal(words);
        assert!(told.ends_with(help), "{words:?}: {told}");
    }
}

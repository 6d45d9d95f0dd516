//! Mistakes of people who know FFmpeg, VapourSynth, OpenCV or HandBrake, and the answer to each.

use super::bench;
use crate::program::sample;

#[test]
fn chains_of_other_programs_are_answered() {
    let bench = bench();
    for (typed, wanted) in [
        ("[0:v]box=2[v]", "streams have no labels here: type \"box=2\""),
        ("[in]box=2,unsharp[out]", "type \"box=2,unsharp\""),
        ("split[a][b]", "a chain makes one video of one"),
        ("[0:v]split[a][b];[a]box[c];[b][c]blend", "run a graph in FFmpeg first"),
        ("scale=50%", "type scale=iw*0.5:-2"),
        ("scale=-2:50%", "type scale=-2:ih*0.5"),
        ("saturation=140%", "type saturation=factor=1.4"),
        ("sharpen=amount=50%", "type sharpen=amount=0.5"),
        ("crop=4:2:center", "leave x out: the rectangle is in the middle"),
        ("pad=32:32:center", "pad=…:x=(ow-iw)/2"),
        ("transpose=90", "type transpose=clock"),
        ("transpose=right", "type transpose=clock"),
        ("transpose=270", "type transpose=cclock"),
        ("transpose=-90", "type transpose=cclock"),
        ("transpose=180", "type hflip,vflip"),
        ("scale=32:24:force_original_aspect_ratio=decrease", "type scale=fit=1280x720"),
        ("GAUSSIAN=2", "did you mean \"gaussian\"?"),
        ("Turn180", "type \"hflip,vflip\""),
        ("turn90", "type \"transpose=clock\""),
        ("FFT3DFilter", "type \"denoise\""),
        ("znedi3", "type \"bwdif=mode=send_frame\""),
        ("decomb", "type \"bwdif=mode=send_frame\""),
        ("LSFmod", "type \"cas=0.5\""),
        ("aWarpSharp2", "type \"cas=0.5\""),
        ("lapsharp=medium", "type \"sharpen=amount=0.3\""),
        ("StackVertical", "type pad=iw:2*ih,overlay=BELOW.mp4:y=H/2"),
        ("invert:enable=gt(t,1)", "type invert=enable='gt(t,1)'"),
        ("gaussian:2:enable=between(t,1,2),invert", "type gaussian=2:enable='between(t,1,2)'"),
        ("hstack", "type pad=2*iw:ih,overlay=RIGHT.mp4:x=W/2"),
        ("fastNlMeansDenoisingColored", "type \"nlmeans=s=auto\""),
        ("cvtColor", "type --pix-fmt FORMAT"),
        ("morphologyEx", "type \"open=radius=1\""),
        ("pyrDown", "type \"scale=iw/2:-2\""),
        ("tpad=stop_duration=2", "tpad=stop_duration=2"),
        ("loop=3", "-stream_loop 3"),
        ("concat", "-f concat"),
        ("showinfo", "type warpreel INPUT, which describes a clip"),
        ("idet", "type warpreel INPUT, which describes a clip"),
        ("cropdetect", "then type -f crop=W:H:X:Y"),
        ("blackdetect", "-vf blackdetect -f null -"),
        ("ssim", "type --metrics psnr,ssim"),
        ("libvmaf", "type --metrics ssimulacra2"),
        ("histogram", "-filter:v:0 histogram"),
        ("setpts=0.5*PTS", "--no-audio"),
    ] {
        let line = bench.refuse(&["in.y4m", "null:", "-f", typed]);
        assert!(line.contains(wanted), "{typed}: {line}");
    }
}

/// What FFmpeg cuts off to 0, the size of the input, is no silent copy.
#[test]
fn shares_and_rows_are_no_sizes() {
    let bench = bench();
    for (typed, wanted) in [
        ("scale=720p", "type scale=-2:720 for 720 rows"),
        ("scale=-2:1080p", "type scale=-2:1080 for 1080 rows"),
        ("scale=0.5", "type scale=iw*0.5:-2"),
        ("scale=-2:0.25", "type scale=-2:ih*0.25"),
    ] {
        let line = bench.fail(&["in.y4m", "null:", "-f", typed]);
        assert!(line.contains("less than one pixel") && line.contains(wanted), "{typed}: {line}");
    }
    // 0 is still the size of the input.
    bench.pass(&["in.y4m", "null:", "-q", "-f", "scale=16:0"]);
}

#[test]
fn options_and_commands_are_answered() {
    let bench = bench();
    for (typed, wanted) in [
        (&["in.y4m", "null:", "--start", "1m"][..], "type --start 00:01:00"),
        (&["in.y4m", "null:", "--duration", "1h30m"], "type --duration 01:30:00"),
        (&["in.y4m", "null:", "--in-place"], "outputs are new files"),
        (&["in.y4m", "null:", "--recipe", "vhs"], "type -f @vhs"),
        (&["version"], "did you mean: warpreel --version"),
        (&["help", "resume"], "resume is an option and no command; type --resume"),
        (&["help", "--quality"], "is an option and no command; type --quality N"),
        (&["help", "@vhs"], "type warpreel filters @vhs"),
        (&["help", "recipes"], "type warpreel filters recipes"),
        (&["help", "box"], "box is a filter and no command; type warpreel filters box"),
        (&["help", "nosuch"], "there is no command \"nosuch\"; list them with warpreel --help"),
    ] {
        let line = bench.refuse(typed);
        assert!(line.contains(wanted) && line.lines().count() == 1, "{typed:?}: {line}");
    }
}

/// Values of another program, or in words, and the call that is meant.
#[test]
fn values_in_words_are_answered() {
    let bench = bench();
    std::fs::copy(sample("logo.png"), bench.path("logo.png")).unwrap();
    for (typed, wanted) in [
        ("look.cube", "type lut3d=look.cube"),
        ("look.3dl,box", "type lut3d=look.3dl"),
        ("lut=look.cube", "type lut3d=look.cube"),
        ("logo.png", "type overlay=logo.png:x=W-w-16:y=16"),
        ("overlay=logo.png:top-right", "type overlay=…:x=W-w-16:y=16"),
        ("overlay=logo.png:position=bottomleft", "type overlay=…:x=16:y=H-h-16"),
        ("overlay=logo.png:center", "type overlay=…:x=(W-w)/2:y=(H-h)/2"),
        ("overlay=logo.png:10%:20%", "type x=W*0.1"),
        ("overlay=logo.png:10:20%", "type y=H*0.2"),
        ("rotate=right", "type transpose=clock"),
        ("rotate=counterclockwise", "type transpose=cclock"),
        ("flip=horizontal", "type \"hflip\""),
        ("flip=vertical", "type \"vflip\""),
        ("flip", "type \"vflip\""),
        ("scale=2x", "type scale=iw*2:-2"),
        ("scale=1920x1080", "type scale=w=1920:h=1080"),
        ("crop=top=10", "type crop=iw:ih-10:0:10"),
        ("crop=right=10", "type crop=iw-10:ih:0:0"),
        ("\"box=2\"", "type -f \"box=2\""),
        ("fps=29,97", "a decimal has a point: type fps=29.97"),
        ("box=1,gamma=2,2", "type gamma=2.2"),
        ("scale=1280,720", "type scale=1280:720"),
        ("scale=hd1080", "type scale=1920:1080"),
        ("scale=auto:720", "type scale=-2:720"),
        ("pad=left=10", "type pad=iw+10:ih:10:0"),
        ("roi=8x8+0+0", "type \"gaussian=2:roi=8x8+0+0\""),
        ("planes=y", "planes is a parameter of a filter"),
        ("gaussian=2:start=1:end=2", "type enable='between(t,1,3)'"),
        ("unsharp=strong", "as in unsharp=lx=7:ly=7:la=0.8"),
        ("grain=film", "as in grain=6"),
        ("colortemperature=warm", "(kelvin), as in colortemperature=4500"),
    ] {
        let line = bench.refuse(&["in.y4m", "null:", "-f", typed]);
        assert!(line.contains(wanted), "{typed}: {line}");
    }
    // What is allowed, and hardly meant.
    for (typed, wanted) in [
        ("scale=2", "2 pixels wide; for 2 times that size type scale=iw*2:-2"),
        ("crop=16/9", "1.78 pixels wide; for that shape type crop=iw:iw*9/16"),
        ("scale=4k", "4k is 4000 pixels; for UHD type scale=3840:-2"),
        ("box=enable=1-2", "for seconds type enable='between(t,1,2)'"),
    ] {
        let output = bench.warpreel(&["in.y4m", "null:", "-f", typed]);
        let said = String::from_utf8(output.stderr).unwrap();
        let warning = said.lines().find(|line| line.starts_with(&format!("warning: {typed}: "))).unwrap_or_default();
        assert!(output.status.success() && warning.contains(wanted), "{said}");
    }
    // A table of colours and its strength.
    std::fs::copy(sample("warm.cube"), bench.path("warm.cube")).unwrap();
    let line = bench.refuse(&["in.y4m", "null:", "-f", "lut3d=warm.cube:0.5"]);
    assert!(line.contains("type strength=0.5 for strength, or tetrahedral, trilinear, nearest for interp"), "{line}");
    assert!(bench.fail(&["in.y4m", "null:", "-f", "pad=2:2"]).contains("or scale it first: scale=fit=2x2"));
    assert!(bench.refuse(&["in.y4m", "null:", "--profile", "high"]).contains("--encoder-option"));
    bench.pass(&["in.y4m", "null:", "-q", "-f", "scale=16:0,crop=iw/2"]);
}

/// Filters, values and small words in a place of their own are answered with the whole command, which runs.
#[test]
fn misplaced_words_are_answered() {
    let bench = bench();
    std::fs::copy(bench.path("in.y4m"), bench.path("my clip.y4m")).unwrap();
    for (typed, wanted) in [
        (&["in.y4m", "null:", "-f", "gaussian", "2"][..], "warpreel in.y4m null: -f gaussian=2"),
        (&["in.y4m", "null:", "gaussian=2", "-q"], "warpreel in.y4m null: -q -f gaussian=2"),
        (&["gaussian=2", "in.y4m", "null:"], "warpreel in.y4m null: -f gaussian=2"),
        (&["box", "my clip.y4m", "null:"], "warpreel \"my clip.y4m\" null: -f box"),
        (&["-q", "box", "in.y4m"], "warpreel -q in.y4m OUTPUT -f box"),
        (&["in.y4m", "box,invert"], "warpreel in.y4m OUTPUT -f \"box,invert\""),
        (&["convert", "in.y4m", "null:"], "warpreel in.y4m null:"),
        (&["in.y4m", "to", "null:"], "warpreel in.y4m null:"),
        (&["in.y4m", "null:", "--gaussian", "2"], "type -f gaussian=2"),
        (&["in.y4m", "null:", "-gaussian=2"], "type -f gaussian=2"),
        (&["in.y4m", "null:", "--box"], "type -f box"),
        (&["info", "in.y4m"], "warpreel in.y4m, which describes a clip"),
        (&["probe"], "warpreel INPUT, which describes a clip"),
        (&["explain"], "warpreel explain INPUT OUTPUT, or warpreel explain -f CHAIN"),
        (&["in.y4m", "null:", "--metrics-file", "m.csv"], "--metrics psnr,ssim --metrics-file"),
        (&["in.y4m", "null:", "--start", "25f"], "type --start=#25"),
        (&["in.y4m", "null:", "--start", "00:00:01:12"], "type --start 00:00:01.5"),
        (&["in.y4m", "-o", "in.y4m"], "type warpreel in.y4m in.y4m -y to replace it"),
    ] {
        let line = bench.refuse(typed);
        assert!(line.contains(&format!("type {wanted}")) || line.contains(wanted), "{typed:?}: {line}");
        let Some((_, command)) = line.split_once("type warpreel ") else { continue };
        if command.ends_with("null:") || command.contains("null: ") {
            let program = crate::program::binary();
            let output = bench.run("sh", &["-c", &format!("{} {command}", program.to_str().unwrap())], b"");
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
    // An output may be called as a filter is.
    bench.pass(&["in.y4m", "box", "--container", "nut", "-q"]);
    bench.pass(&["filters", "all"]);
}

/// Names of files that are none, and files of another kind.
#[test]
fn names_of_files_are_answered() {
    let bench = bench();
    bench.ffmpeg(&["-f", "lavfi", "-i", "sine=d=0.1", "tone.wav"]);
    std::fs::write(bench.path("s.srt"), "1\n00:00:00,000 --> 00:00:01,000\nWords\n").unwrap();
    for (typed, wanted) in [
        (&["in.y4m null:"][..], "type warpreel in.y4m null:"),
        (&["in", "null:"], "did you mean \"in.y4m\"?"),
        (&["tone.wav", "null:"], "found audio: change sound with ffmpeg -i"),
        (&["s.srt", "null:"], "found subtitle: add it to a clip with ffmpeg -i"),
        (&["file:///a/b.mp4", "null:"], "type warpreel /a/b.mp4 …"),
        (&["https://youtu.be/abc", "null:"], "yt-dlp -o - https://youtu.be/abc | warpreel - …"),
    ] {
        let line = bench.fail(typed);
        assert!(line.contains(wanted), "{typed:?}: {line}");
    }
    for (option, file) in [("--subtitles", "s.srt"), ("--audio", "tone.wav")] {
        let line = bench.refuse(&["in.y4m", "out.mkv", option, file]);
        assert!(line.contains(&format!("ffmpeg -i OUTPUT -i {file} -map 0 -map 1 -c copy")), "{line}");
    }
    // Names of encoders are read in any case.
    bench.pass(&["in.y4m", "out.mkv", "--codec", "FFV1", "-q"]);
}

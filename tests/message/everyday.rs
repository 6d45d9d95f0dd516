//! Mistakes of people who know FFmpeg, VapourSynth, OpenCV or HandBrake, and the answer to each.

use super::bench;

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
        ("StackVertical", "-filter_complex vstack"),
        ("vstack", "-filter_complex vstack"),
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

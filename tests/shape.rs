//! Filters that change the size or the shape of frames, through the program: FFmpeg's bytes, sizes, tags, `--compare`, and
//! what is refused.

use crate::program::Bench;

/// Calls that mean the same to FFmpeg, on frames of whole chroma samples.
#[test]
fn ffmpeg_gives_the_same() {
    let bench = Bench::new();
    for format in ["yuv420p", "yuv422p", "yuv444p", "gbrp", "yuv420p10le"] {
        bench.ffmpeg(&[
            "-f",
            "lavfi",
            "-i",
            "testsrc2=s=98x54:r=25:d=0.2",
            "-pix_fmt",
            format,
            "-c:v",
            "rawvideo",
            "in.nut",
        ]);
        for chain in [
            "crop=40:30",
            "crop=iw/2:ih/2:3:5",
            "crop=w=ih:h=ow/2:exact=1",
            "crop=iw-7:ih-3:1:2",
            "hflip",
            "vflip",
            "hflip,vflip,crop=20:20:0:0",
            "pad=120:80",
            "pad=iw*2:ih+6:-1:4",
            "pad=120:80:50:50",
            "transpose=clock",
            "transpose=2",
            "transpose=passthrough=landscape",
            "crop=64:32,transpose=clock_flip,hflip",
        ] {
            // FFmpeg turns no 4:2:2, and rounds the middle of chroma above 8 bits to another number.
            let differs = format == "yuv422p" && chain.contains("transpose");
            if differs || format == "yuv420p10le" && chain.contains("pad") {
                continue;
            }
            let wanted = bench.ffmpeg(&["-i", "in.nut", "-vf", chain, "-f", "rawvideo", "-pix_fmt", format, "-"]);
            let got = bench.pass(&["in.nut", "-", "--container", "raw", "-q", "--backend", "cpu", "-f", chain]);
            assert!(got == wanted, "{chain} of {format}: {} bytes of {}", got.len(), wanted.len());
        }
    }
}

/// Turned and seen in perspective: FFmpeg's bytes, at even sizes and odd ones.
#[test]
fn ffmpeg_turns_and_sees_the_same() {
    let bench = Bench::new();
    for (format, size) in
        [("yuv420p", "98x54"), ("yuv420p", "97x53"), ("yuv444p", "61x33"), ("gbrp", "50x40"), ("yuv420p10le", "98x54")]
    {
        let source = format!("testsrc2=s={size}:r=25:d=0.12");
        bench.ffmpeg(&["-f", "lavfi", "-i", &source, "-pix_fmt", format, "-c:v", "rawvideo", "-y", "in.nut"]);
        for (ours, theirs) in [
            ("rotate=0.1", "rotate=0.1"),
            ("rotate=-0.3", "rotate=-0.3"),
            ("rotate=PI/4:ow=iw/2:oh=ih*2", "rotate=PI/4:ow=iw/2:oh=ih*2"),
            ("rotate=3", "rotate=3"),
            ("rotate=PI", "rotate=PI"),
            ("rotate=7.77:interpolation=point", "rotate=7.77:bilinear=0"),
            ("rotate=PI/2:ow=ih:oh=iw", "rotate=PI/2:ow=ih:oh=iw"),
            ("rotate=3*PI/2:ow=ih:oh=iw", "rotate=3*PI/2:ow=ih:oh=iw"),
            ("rotate=0.5:expand=1", "rotate=0.5:ow=rotw(0.5):oh=roth(0.5)"),
            ("rotate=PI/7:ow=rotw(PI/7)+4:oh=roth(PI/7)", "rotate=PI/7:ow=rotw(PI/7)+4:oh=roth(PI/7)"),
            ("rotate=0.001:c=0x2040ff", "rotate=0.001:c=0x2040ff"),
            ("perspective=10:5:W-8:2:3:H-9:W:H", "perspective=10:5:W-8:2:3:H-9:W:H"),
            ("perspective=-20:-10:W+5:0:0:H+30:W-30:H-20", "perspective=-20:-10:W+5:0:0:H+30:W-30:H-20"),
            (
                "perspective=x0=4:y0=3:x3=W-9:y3=H-2:sense=destination",
                "perspective=x0=4:y0=3:x3=W-9:y3=H-2:sense=destination",
            ),
            ("perspective", "perspective"),
        ] {
            let is_deep = format == "yuv420p10le";
            // FFmpeg's perspective takes 8 bits alone.
            if is_deep && ours.contains("perspective") {
                continue;
            }
            // The middle of chroma above 8 bits is another number there, so what lies outside is cut off.
            let within = |chain: &str| if is_deep { format!("{chain},crop=40:20") } else { chain.to_owned() };
            let filters = within(theirs);
            let wanted = bench.ffmpeg(&["-i", "in.nut", "-vf", &filters, "-f", "rawvideo", "-pix_fmt", format, "-"]);
            let filters = within(ours);
            let got = bench.pass(&["in.nut", "-", "--container", "raw", "-q", "--backend", "cpu", "-f", &filters]);
            let different = got.iter().zip(&wanted).filter(|(ours, theirs)| ours != theirs).count();
            assert!(
                got == wanted,
                "{ours} of {format} {size}: {} bytes of {}, {different} differ",
                got.len(),
                wanted.len()
            );
        }
    }
}

/// The size and the shape of pixels of a file's frames.
fn probed(bench: &Bench, name: &str) -> String {
    let entries = "stream=width,height,sample_aspect_ratio";
    let arguments = ["-v", "error", "-select_streams", "v", "-show_entries", entries, "-of", "csv=p=0", name];
    let printed = bench.run("ffprobe", &arguments, &[]).stdout;
    String::from_utf8(printed).expect("text").trim().to_owned()
}

#[test]
fn sizes_and_pixels_follow() {
    let bench = Bench::new();
    let source = "testsrc2=s=720x576:r=25:d=0.12,setsar=16/15";
    bench.ffmpeg(&["-f", "lavfi", "-i", source, "-c:v", "ffv1", "-pix_fmt", "yuv420p", "pal.mkv"]);
    for (chain, wanted) in [
        ("scale=360:288", "360,288,16:15"),
        ("scale=-2:288", "360,288,16:15"),
        ("scale=1024:576", "1024,576,3:4"),
        ("scale=square=1", "768,576,1:1"),
        ("scale=fit=1280x720", "960,720,1:1"),
        ("transpose=clock", "576,720,15:16"),
        ("crop=700:500,pad=720:576:-1:-1,hflip", "720,576,16:15"),
        ("scale=64:48,gaussian=1,transpose=clock,invert", "48,64,1:1"),
        ("scale=64:48:enable=0,invert", "720,576,16:15"),
    ] {
        bench.pass(&["pal.mkv", "out.mkv", "-y", "-q", "--codec", "ffv1", "-f", chain]);
        assert_eq!(probed(&bench, "out.mkv").trim_end_matches(','), wanted, "{chain}");
    }
}

#[test]
fn comparing_scales_the_original() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.12", "-c:v", "ffv1", "in.mkv"]);
    bench.pass(&["in.mkv", "out.mkv", "-y", "-q", "--codec", "ffv1", "--compare", "side", "-f", "scale=48:32"]);
    assert!(probed(&bench, "out.mkv").starts_with("96,32"), "two pictures side by side");
    let both = bench.pass(&["out.mkv", "-", "--container", "raw", "-q", "-f", "crop=48:32:0:0"]);
    let scaled = bench.pass(&["in.mkv", "-", "--container", "raw", "-q", "-f", "scale=48:32:bilinear"]);
    assert!(both == scaled, "the left half is the original, scaled");
}

#[test]
fn what_does_not_fit_is_refused() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.12", "-c:v", "ffv1", "in.mkv"]);
    let interlaced = ["-vf", "setfield=tff", "-flags", "+ildct+ilme", "-c:v", "mpeg2video"];
    bench.ffmpeg(&[&["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.2"][..], &interlaced, &["field.ts"]].concat());
    for (arguments, fault) in [
        (&["in.mkv", "null:", "-f", "crop=200:10"][..], "a part of 200x10 does not fit into 96x64"),
        (&["in.mkv", "null:", "-f", "pad=50:64"], "the picture, 96x64, does not fit into 50x64; type a larger size"),
        (
            &["in.mkv", "null:", "-f", "scale=20000:10"],
            "the picture would become 20000x10; type a size from 1 to 16384",
        ),
        (&["in.mkv", "null:", "-f", "scale=iw/0:10"], "type one within the size of frames"),
        (&["in.mkv", "null:", "-f", "scale=48:32:enable=lt(n\\,2)"], "enable would mix frames of"),
        (&["in.mkv", "null:", "-f", "pad=w=iw+8:color=blurple"], "color=blurple of pad is no colour"),
        (&["in.mkv", "null:", "-f", "scale=wide"], "is not an expression"),
        (&["in.mkv", "null:", "-f", "rotate=t"], "a=t is not a number here; type one that depends on the frames alone"),
        (&["in.mkv", "null:", "-f", "rotate=5000"], "type an angle within a turn"),
        (&["in.mkv", "null:", "-f", "perspective=0:0:1:1:2:2:3:3"], "the corners lie on a line"),
        (&["field.ts", "null:", "-f", "scale=48:32"], "a change of size of scale=48:32 cannot be applied to fields"),
    ] {
        let output = bench.warpreel(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {said}");
        assert!(said.contains(fault), "{arguments:?}: {said}");
    }
}

/// A value that does not suit the clip has carets below it, as a wrong one has; kernels' names lead to scale.
#[test]
fn what_does_not_fit_is_marked() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=0.12", "-c:v", "ffv1", "in.mkv"]);
    for (chain, marked) in [
        ("gaussian=1,crop=200:10,invert", "crop=200:10\n     ^^^^^^\n"),
        ("scale=w=20000:h=ih:filter=lanczos", "scale=w=20000:h=ih:filter=lanczos\n        ^^^^^^^^^^\n"),
        ("scale=48:32:c=9", "scale=48:32:c=9\n      ^^^^^\n"),
        ("scale=fit=1x1", "scale=fit=1x1\n          ^^^\n"),
        ("scale=square=1,pad=50:64", "pad=50:64\n    ^^^^^\n"),
        ("scale=48:32:enable='lt(n,2)'", "scale=48:32:enable='lt(n,2)'\n                    ^^^^^^^\n"),
        ("invert=roi=20x20+90+0", "invert=roi=20x20+90+0\n           ^^^^^^^^^^\n"),
    ] {
        let output = bench.warpreel(&["in.mkv", "null:", "-q", "-f", chain]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(marked) && said.contains("; "), "{chain}: {said}");
    }
    for (name, call) in [
        ("bicubic", "scale=1280:-2:bicubic"),
        ("Lanczos4", "scale=1280:-2:lanczos"),
        ("nearest", "scale=1280:-2:point"),
        ("spline16=640:480", "scale=1280:-2:spline16"),
        ("resize", "scale=iw/2:-2:lanczos"),
        ("zscale=w=640", "scale=iw/2:-2:lanczos"),
    ] {
        let said = bench.refuse(&["in.mkv", "null:", "-f", name]);
        assert!(said.contains(call), "{name}: {said}");
    }
}

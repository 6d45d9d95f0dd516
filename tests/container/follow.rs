//! Codec, profile, tag, fields and timecode follow the input where nothing else is asked for.

use crate::program::Bench;

/// One entry of a file's video stream, or of its first frame.
fn probe(bench: &Bench, name: &str, entry: &str) -> String {
    let arguments =
        ["-v", "error", "-select_streams", "v:0", "-show_entries", entry, "-read_intervals", "%+#1", "-of", "csv=p=0"];
    let text = bench.run("ffprobe", &[&arguments[..], &[name]].concat(), b"").stdout;
    let text = String::from_utf8(text).unwrap();
    text.lines().next().unwrap_or_default().trim_end_matches(',').to_owned()
}

fn said(bench: &Bench, arguments: &[&str]) -> String {
    let output = bench.warpreel(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

/// Half a second of fields of 50 a second.
fn fields<'a>(size: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let source: &[&str] = match size {
        "720x576" => &["-f", "lavfi", "-i", "testsrc2=s=720x576:r=50:d=0.3"],
        _ => &["-f", "lavfi", "-i", "testsrc2=s=320x240:r=50:d=0.3"],
    };
    let woven = ["-vf", "tinterlace=interleave_top,setfield=tff,setsar=4/3", "-flags", "+ildct+ilme", "-top", "1"];
    [source, &woven, more].concat()
}

#[test]
fn interlaced_frames_stay_so() {
    let bench = Bench::new();
    bench.ffmpeg(&fields("320x240", &["-c:v", "mpeg2video", "-q:v", "2", "mpeg2.mpg"]));
    bench.ffmpeg(&fields("320x240", &["-c:v", "libx264", "-x264-params", "interlaced=1", "avc.mkv"]));
    let tff = "frame=interlaced_frame,top_field_first";
    assert_eq!(probe(&bench, "mpeg2.mpg", tff), "1,1");
    for (from, to, codec, more) in [
        ("mpeg2.mpg", "a.mpg", "mpeg2video", &[][..]),
        ("mpeg2.mpg", "a.vob", "mpeg2video", &[]),
        ("mpeg2.mpg", "a.m2v", "mpeg2video", &[]),
        ("mpeg2.mpg", "a.mxf", "mpeg2video", &[]),
        ("mpeg2.mpg", "a.ts", "mpeg2video", &[]),
        ("mpeg2.mpg", "a.mp4", "h264", &[]),
        ("avc.mkv", "b.mpg", "mpeg2video", &[]),
        ("avc.mkv", "d.mkv", "mpeg4", &["--codec", "mpeg4"]),
        ("avc.mkv", "b.mov", "prores", &["--codec", "prores_ks"]),
        ("avc.mkv", "b.mkv", "h264", &[]),
        ("avc.mkv", "b.avi", "mpeg4", &[]),
    ] {
        for filter in [&[][..], &["-f", "gaussian=1"]] {
            let all = [&[from, to, "-y"], more, filter].concat();
            let text = said(&bench, &all);
            assert!(!text.contains("not fields"), "{text}");
            assert_eq!(probe(&bench, to, "stream=codec_name"), codec, "{all:?}");
            assert_eq!(probe(&bench, to, tff), "1,1", "{all:?}");
        }
        if !to.ends_with(".mxf") {
            let aspect = probe(&bench, to, "stream=sample_aspect_ratio");
            assert_eq!(aspect, probe(&bench, from, "stream=sample_aspect_ratio"), "{to}");
        }
    }
    for encoder in ["libx265", "mjpeg", "mpeg1video"] {
        let text = said(&bench, &["avc.mkv", "c.mkv", "-y", "--codec", encoder]);
        let line = format!("the encoder {encoder} codes whole frames, not fields; take --codec libx264");
        assert_eq!(text.matches(&line).count(), 1, "{text}");
    }
}

#[test]
fn dv_stays_dv() {
    let bench = Bench::new();
    bench.ffmpeg(&[&fields("720x576", &[])[..], &["-pix_fmt", "yuv420p", "-target", "pal-dv", "in.dv"]].concat());
    bench.pass(&["in.dv", "out.dv", "-f", "gaussian=1"]);
    bench.pass(&["in.dv", "out.avi", "-f", "gaussian=1"]);
    for name in ["out.dv", "out.avi"] {
        assert_eq!(probe(&bench, name, "stream=codec_name"), "dvvideo");
        assert_eq!(probe(&bench, name, "frame=interlaced_frame"), "1");
    }
}

/// DV codes fields where frames have them, as FFmpeg does when it is told so; what it has no tag for is said.
#[test]
fn dv_codes_fields() {
    let bench = Bench::new();
    let film = "testsrc2=s=720x576:r=50:d=0.2,setsar=16/15";
    let woven = format!("{film},tinterlace=interleave_bottom,setfield=bff");
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        &woven,
        "-pix_fmt",
        "yuv420p",
        "-c:v",
        "ffv1",
        "-field_order",
        "bb",
        "bff.mkv",
    ]);
    let flags = ["-i", "bff.mkv", "-c:v", "dvvideo", "-flags", "+ildct+ilme"];
    bench.ffmpeg(&[&flags[..], &["peer.dv"]].concat());
    let decoded =
        |name: &str| crate::program::checksums(&bench.ffmpeg(&["-i", name, "-map", "0:v", "-f", "framemd5", "-"]));
    for name in ["out.dv", "out.avi", "out.mov"] {
        let text = said(&bench, &["bff.mkv", name, "--codec", "dvvideo"]);
        assert!(!text.contains("interlaced: the encoder") && !text.contains("aspect"), "{text}");
        let sums = |name: &str| -> Vec<String> {
            decoded(name).iter().map(|row| row.rsplit(' ').next().unwrap().to_owned()).collect()
        };
        assert_eq!(sums(name), sums("peer.dv"), "{name}");
        assert_eq!(probe(&bench, name, "frame=interlaced_frame,top_field_first"), "1,0", "{name}");
        assert_eq!(probe(&bench, name, "frame=sample_aspect_ratio"), "16:15", "{name}");
    }
    for (filter, fault) in [
        ("setfield=tff,setsar=64/45", "the field order, top first, becomes bottom first, the only one of DV"),
        ("setfield=prog,setsar=16/15", "progressive frames are marked interlaced: DV has no other tag"),
        ("setfield=bff,setsar=1", "the pixel aspect ratio 1:1 becomes that of a picture of 4:3: DV has 4:3 and 16:9"),
    ] {
        bench.ffmpeg(&["-i", "bff.mkv", "-vf", filter, "-c:v", "ffv1", "other.mkv", "-y"]);
        let text = said(&bench, &["other.mkv", "other.dv", "-y"]);
        assert_eq!(text.matches(fault).count(), 1, "{filter}: {text}");
        assert_eq!(text.matches("DV has").count() + text.matches("one of DV").count(), 1, "{filter}: {text}");
    }
}

/// FFmpeg does not decode the fields that its encoder of VC-2 would code, which high rates of them abort.
#[test]
fn vc2_codes_frames() {
    let bench = Bench::new();
    let woven = "testsrc2=s=320x240:r=50:d=0.4,tinterlace=interleave_top,setfield=tff";
    let coding = ["-pix_fmt", "yuv422p10le", "-c:v", "ffv1", "-field_order", "tt", "in.mkv"];
    bench.ffmpeg(&[&["-f", "lavfi", "-i", woven][..], &coding].concat());
    for rate in [&[][..], &["--bitrate", "20M"]] {
        let text = said(&bench, &[&["in.mkv", "out.mov", "-y", "--codec", "vc2"][..], rate].concat());
        assert!(text.contains("the encoder vc2 codes whole frames, not fields"), "{text}");
        let decoded = bench.ffmpeg(&["-i", "out.mov", "-f", "framemd5", "-"]);
        assert_eq!(crate::program::checksums(&decoded).len(), 10);
    }
}

#[test]
fn tags_and_profiles_follow() {
    let bench = Bench::new();
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=256x128:r=25:d=0.2"];
    bench.ffmpeg(&[&picture[..], &["-c:v", "libx265", "-tag:v", "hev1", "hevc.mp4"]].concat());
    for to in ["a.mp4", "a.mov"] {
        bench.pass(&["hevc.mp4", to]);
        assert_eq!(probe(&bench, to, "stream=codec_tag_string"), "hvc1", "{to}");
        // Its headers are enough to decode it.
        let decoded = bench.ffmpeg(&["-i", to, "-map", "0:v", "-f", "framemd5", "-"]);
        assert_eq!(crate::program::checksums(&decoded).len(), 5, "{to}");
    }
    for (profile, wanted) in [("proxy", "Proxy"), ("lt", "LT"), ("standard", "Standard"), ("hq", "HQ")] {
        let name = format!("{profile}.mov");
        bench.ffmpeg(&[&picture[..], &["-c:v", "prores_ks", "-profile:v", profile, &name]].concat());
        let text = said(&bench, &[&name, "b.mov", "-y"]);
        assert!(text.contains(&format!("b.mov: prores profile {profile}, ")), "{text}");
        assert_eq!(probe(&bench, "b.mov", "stream=profile"), wanted);
    }
    for (profile, pixel, wanted) in [
        ("dnxhr_lb", "yuv422p", "DNXHR LB"),
        ("dnxhr_sq", "yuv422p", "DNXHR SQ"),
        ("dnxhr_hq", "yuv422p", "DNXHR HQ"),
        ("dnxhr_hqx", "yuv422p10le", "DNXHR HQX"),
        ("dnxhr_444", "yuv444p10le", "DNXHR 444"),
    ] {
        let name = format!("{profile}.mov");
        bench.ffmpeg(&[&picture[..], &["-c:v", "dnxhd", "-profile:v", profile, "-pix_fmt", pixel, &name]].concat());
        bench.pass(&[&name, "c.mov", "-y"]);
        assert_eq!(probe(&bench, "c.mov", "stream=codec_name,profile"), format!("dnxhd,{wanted}"), "{profile}");
    }
}

#[test]
fn lossless_inputs_stay_lossless_or_it_is_said() {
    let bench = Bench::new();
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=0.2"];
    let frames = |name: &str| bench.ffmpeg(&["-i", name, "-pix_fmt", "yuv422p", "-f", "framemd5", "-"]);
    let sums = |name: &str| crate::program::checksums(&frames(name));
    let only = |name: &str| -> Vec<String> {
        sums(name).iter().map(|line| line.rsplit(',').next().unwrap().trim().to_owned()).collect()
    };
    for (codec, from, to, kept) in [
        ("ffv1", "a.mkv", "b.mkv", "ffv1"),
        ("ffv1", "a.mkv", "b.avi", "ffv1"),
        ("huffyuv", "a.avi", "c.avi", "huffyuv"),
        ("huffyuv", "a.avi", "c.mkv", "ffv1"),
        ("utvideo", "u.avi", "d.avi", "utvideo"),
        ("utvideo", "u.avi", "d.mkv", "ffv1"),
        ("magicyuv", "m.mkv", "e.avi", "magicyuv"),
    ] {
        bench.ffmpeg(&[&picture[..], &["-c:v", codec, "-pix_fmt", "yuv422p", from]].concat());
        let text = said(&bench, &[from, to, "-y"]);
        assert!(text.contains(&format!("{to}: {kept} lossless")) && !text.contains("--lossless"), "{text}");
        assert_eq!(only(to), only(from), "{from} to {to}");
    }
    let text = said(&bench, &["a.mkv", "f.mp4"]);
    assert!(text.contains("the input is lossless (ffv1), and libx264 is not; --lossless keeps every sample"), "{text}");
}

#[test]
fn old_containers_get_codecs_that_belong_there() {
    let bench = Bench::new();
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=0.2", "-f", "lavfi", "-i", "sine=d=0.2"];
    bench.ffmpeg(&[&picture[..], &["-c:v", "libx264", "-c:a", "flac", "in.mkv"]].concat());
    for (to, codec) in [("a.avi", "mpeg4"), ("a.wmv", "wmv2"), ("a.flv", "h264"), ("a.mpg", "mpeg1video")] {
        bench.pass(&["in.mkv", to]);
        assert_eq!(probe(&bench, to, "stream=codec_name"), codec, "{to}");
    }
    for name in ["a.mp3", "a.flac", "a.m4a", "a.wma", "a.wav", "a.opus", "a.mka"] {
        let line = bench.fail(&["in.mkv", name]);
        assert!(line.contains("holds no video") && line.contains(&format!("-vn {name}")), "{line}");
        assert!(!bench.path(name).exists());
    }
}

#[test]
fn timecodes_move_with_the_start() {
    let bench = Bench::new();
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=3", "-timecode", "10:00:00:00"];
    bench.ffmpeg(&[&picture[..], &["-c:v", "libx264", "in.mov"]].concat());
    bench.ffmpeg(&[&picture[..], &["-c:v", "mpeg2video", "-q:v", "2", "in.mxf"]].concat());
    for (from, to) in [("in.mov", "a.mov"), ("in.mov", "a.mxf"), ("in.mxf", "b.mxf"), ("in.mxf", "b.mov")] {
        for (start, wanted) in [(None, "10:00:00:00"), (Some("1.2"), "10:00:01:05")] {
            let start = start.map_or_else(Vec::new, |start| vec!["--start", start]);
            bench.pass(&[&[from, to, "-y"], &start[..]].concat());
            let arguments =
                ["-v", "error", "-show_entries", "format_tags=timecode:stream_tags=timecode", "-of", "csv=p=0"];
            let found = bench.run("ffprobe", &[&arguments[..], &[to]].concat(), b"").stdout;
            let found = String::from_utf8(found).unwrap();
            assert!(found.contains(wanted), "{from} to {to} {start:?}: {found}");
            assert!(start.is_empty() || !found.contains("10:00:00:00"), "{from} to {to}: {found}");
        }
    }
}

/// The timecode of the first group of pictures of an MPEG stream.
fn timecode_of_groups(bench: &Bench, name: &str) -> String {
    let bytes = std::fs::read(bench.path(name)).unwrap();
    let at = bytes.windows(4).position(|four| four == [0, 0, 1, 0xb8]).unwrap();
    let bits = u32::from_be_bytes(bytes[at + 4..at + 8].try_into().unwrap()) >> 7;
    let point = if bits >> 24 == 1 { ';' } else { ':' };
    format!("{:02}:{:02}:{:02}{point}{:02}", bits >> 19 & 31, bits >> 13 & 63, bits >> 6 & 63, bits & 63)
}

#[test]
fn timecodes_of_groups_of_pictures_move_with_the_start() {
    let bench = Bench::new();
    let timecode = |name: &str| {
        let arguments = ["-v", "error", "-show_entries", "format_tags=timecode:stream_tags=timecode", "-of", "csv=p=0"];
        String::from_utf8(bench.run("ffprobe", &[&arguments[..], &[name]].concat(), b"").stdout).unwrap()
    };
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=3"];
    let coding = ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "2", "-timecode", "10:00:00:00"];
    for from in ["in.mpg", "in.ts"] {
        bench.ffmpeg(&[&picture[..], &coding, &[from]].concat());
        for (start, wanted) in [(&[][..], "10:00:00:00"), (&["--start", "1.2"], "10:00:01:05")] {
            for to in ["a.mpg", "a.ts", "a.vob"] {
                bench.pass(&[&[from, to, "-y", "-f", "gaussian=1", "--codec", "mpeg2video"], start].concat());
                assert_eq!(timecode_of_groups(&bench, to), wanted, "{from} to {to} {start:?}");
            }
            for to in ["a.mov", "a.mxf"] {
                bench.pass(&[&[from, to, "-y", "-f", "gaussian=1"], start].concat());
                let found = timecode(to);
                assert!(found.contains(wanted), "{from} to {to} {start:?}: {found}");
            }
        }
    }
    bench.ffmpeg(&[&picture[..], &["-timecode", "10:00:00:00", "-c:v", "libx264", "in.mov"]].concat());
    bench.pass(&["in.mov", "b.mpg", "--codec", "mpeg2video", "--start", "1.2"]);
    assert_eq!(timecode_of_groups(&bench, "b.mpg"), "10:00:01:05");
    let text = said(&bench, &["in.mov", "b.ts"]);
    assert_eq!(text.matches("the timecode 10:00:00:00 is dropped").count(), 1, "{text}");
    // A clip whose own clock does not begin at 0 keeps its timecode.
    bench.ffmpeg(&[
        "-itsoffset",
        "2",
        "-i",
        "in.mov",
        "-map",
        "0:v",
        "-c",
        "copy",
        "-timecode",
        "10:00:00:00",
        "late.mkv",
    ]);
    bench.pass(&["late.mkv", "late.mov"]);
    assert!(timecode("late.mov").contains("10:00:00:00"), "{}", timecode("late.mov"));
    // Encoders that know no timecode count from 0, which is none.
    bench.ffmpeg(&[&picture[..], &["-c:v", "mpeg2video", "-q:v", "2", "plain.mpg"]].concat());
    bench.pass(&["plain.mpg", "c.mov", "--start", "1.2"]);
    assert_eq!(timecode("c.mov").trim(), "");
    let film = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=30000/1001:d=3", "-timecode", "01:00:00;00"];
    bench.ffmpeg(&[&film[..], &["-c:v", "mpeg2video", "-q:v", "2", "ntsc.mpg"]].concat());
    bench.pass(&["ntsc.mpg", "d.mpg", "--codec", "mpeg2video", "--start", "1.001"]);
    assert_eq!(timecode_of_groups(&bench, "d.mpg"), "01:00:01;00");
}

#[test]
fn a_second_video_is_copied_with_a_line() {
    let bench = Bench::new();
    let two = ["-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=0.2", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.2"];
    bench.ffmpeg(&[&two[..], &["-map", "0", "-map", "1", "-c:v", "libx264", "in.mkv"]].concat());
    let text = said(&bench, &["in.mkv", "out.mkv", "-f", "gaussian=1"]);
    assert_eq!(text.matches("stream 1 (video, h264) is copied unfiltered").count(), 1, "{text}");
    let text = said(&bench, &["in.mkv", "out.mkv", "-y", "--drop", "1"]);
    assert!(!text.contains("unfiltered"), "{text}");
}

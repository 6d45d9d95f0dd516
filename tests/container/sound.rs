//! Sound and subtitles that a container cannot hold as they are: converted, in step, or refused before anything is written.

use crate::program::Bench;

/// When the clicks of a clip are heard, in seconds after its first picture is shown.
fn clicks(bench: &Bench, name: &str) -> Vec<f64> {
    let start = |stream: &str| {
        let arguments =
            ["-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0"];
        let text = bench.run("ffprobe", &[&arguments[..], &[name]].concat(), b"").stdout;
        let text = String::from_utf8(text).unwrap();
        text.lines().filter_map(|line| line.trim_end_matches(',').parse::<f64>().ok()).fold(f64::INFINITY, f64::min)
    };
    let (video, earliest) = (start("v"), start("v").min(start("a")));
    let filter = "aresample=48000:first_pts=0,aformat=flt:48000:mono";
    let bytes = bench.ffmpeg(&["-i", name, "-map", "0:a:0", "-af", filter, "-f", "f32le", "-"]);
    let samples = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let loud: Vec<_> = samples.enumerate().filter(|(_, sample)| sample.abs() > 0.15).map(|(index, _)| index).collect();
    let begins = (0..loud.len()).filter(|&index| index == 0 || loud[index] - loud[index - 1] > 4800);
    // What comes before the file's beginning is counted from there.
    let shift = if earliest < 0.0 { 0.0 } else { video - earliest };
    begins.map(|index| loud[index] as f64 / 48_000.0 - shift).collect()
}

fn assert_near(found: &[f64], wanted: &[f64], what: &str) {
    let is_near = found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.022);
    assert!(is_near, "{what}: {found:?}, not {wanted:?}");
}

/// The codecs of a file's streams.
fn codecs(bench: &Bench, name: &str) -> Vec<String> {
    let arguments = ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", name];
    let text = String::from_utf8(bench.run("ffprobe", &arguments, b"").stdout).unwrap();
    text.lines().map(|line| line.trim_end_matches(',').to_owned()).collect()
}

/// Six clicks, one a second, in a codec; `more` are arguments for the output.
fn clip(bench: &Bench, codec: &str, more: &[&str], name: &str) {
    let sound = "aevalsrc='if(lt(mod(t,1),0.01),0.8*sin(2*PI*1000*t),0)':s=44100:d=6";
    let video = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=6", "-f", "lavfi", "-i", sound];
    let coding = ["-c:v", "libx264", "-g", "25", "-c:a", codec];
    bench.ffmpeg(&[&video[..], &coding, more, &[name]].concat());
}

const CLICKS: [f64; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];

#[test]
fn sound_becomes_what_the_container_holds_and_stays_in_step() {
    let bench = Bench::new();
    clip(&bench, "pcm_s16le", &[], "pcm.mkv");
    clip(&bench, "aac", &[], "aac.mp4");
    clip(&bench, "flac", &["-ac", "2"], "flac.mkv");
    for (from, to, codec) in [
        ("pcm.mkv", "a.mp4", "aac"),
        ("pcm.mkv", "a.webm", "opus"),
        ("pcm.mkv", "a.ts", "aac"),
        ("pcm.mkv", "a.ogv", "vorbis"),
        ("aac.mp4", "b.webm", "opus"),
        ("aac.mp4", "b.mpg", "mp2"),
        ("flac.mkv", "c.mov", "aac"),
        ("flac.mkv", "c.webm", "opus"),
        // Nothing is converted without need.
        ("pcm.mkv", "d.mov", "pcm_s16le"),
        ("pcm.mkv", "d.mkv", "pcm_s16le"),
        ("flac.mkv", "d.mp4", "flac"),
    ] {
        let quick: &[&str] = if to.ends_with("webm") { &["--preset", "8"] } else { &[] };
        let output = bench.warpreel(&[&[from, to], quick].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{from} to {to}: {said}");
        let source = from.split('.').next().unwrap().replace("pcm", "pcm_s16le");
        let line = format!("audio 1: {source} becomes {codec}");
        assert_eq!(
            said.lines().filter(|found| found.starts_with(&line)).count(),
            usize::from(source != codec),
            "{said}"
        );
        assert_eq!(codecs(&bench, to).last().map(String::as_str), Some(codec), "{to}");
        assert_near(&clicks(&bench, to), &CLICKS, &format!("{from} to {to}"));
    }
}

#[test]
fn parts_begin_and_end_with_their_sound() {
    let bench = Bench::new();
    clip(&bench, "pcm_s16le", &[], "in.mkv");
    for to in ["a.mp4", "a.webm"] {
        bench.pass(&["in.mkv", to, "--start", "1.52", "--duration", "3"]);
        assert_near(&clicks(&bench, to), &[0.48, 1.48, 2.48], to);
        let frames = ["-v", "error", "-i", to, "-map", "0:a", "-f", "s16le", "-ac", "1", "-ar", "48000", "-"];
        let seconds = bench.ffmpeg(&frames).len() as f64 / 2.0 / 48_000.0;
        assert!((seconds - 3.0).abs() < 0.05, "{to}: {seconds} s of sound");
    }
}

#[test]
fn sound_that_begins_late_or_pauses_keeps_its_times() {
    let bench = Bench::new();
    clip(&bench, "pcm_s16le", &[], "whole.mkv");
    // The first two seconds of sound are missing, and the fourth.
    let gap = "asetpts=PTS,aselect='between(t,1.9,2.9)+gte(t,3.9)'";
    bench.ffmpeg(&["-i", "whole.mkv", "-c:v", "copy", "-af", gap, "-c:a", "pcm_s16le", "in.mkv"]);
    for to in ["a.mp4", "a.webm", "a.ogv"] {
        bench.pass(&["in.mkv", to]);
        assert_near(&clicks(&bench, to), &[2.0, 4.0, 5.0], to);
    }
}

#[test]
fn many_channels_and_odd_rates_are_kept_where_the_encoder_can() {
    let bench = Bench::new();
    let video = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=1", "-f", "lavfi", "-i"];
    for (sound, to, wanted) in [
        ("anoisesrc=d=1:r=48000,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0", "a.mp4", "48000,6"),
        ("anoisesrc=d=1:r=48000,pan=5.1(side)|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0", "a.webm", "48000,6"),
        ("anoisesrc=d=1:r=22050", "b.mp4", "22050,1"),
        ("anoisesrc=d=1:r=8000", "b.webm", "8000|48000,1"),
        ("anoisesrc=d=1:r=192000", "c.mp4", "96000,1"),
        ("anoisesrc=d=1:r=44100,aformat=u8", "d.mp4", "44100,1"),
    ] {
        let codec = if sound.ends_with("u8") { "pcm_u8" } else { "pcm_f32le" };
        bench.ffmpeg(&[&video[..], &[sound, "-c:v", "libx264", "-c:a", codec, "in.mkv"]].concat());
        bench.pass(&["in.mkv", to]);
        let entries = ["-v", "error", "-select_streams", "a", "-show_entries", "stream=sample_rate,channels"];
        let text = bench.run("ffprobe", &[&entries[..], &["-of", "csv=p=0", to]].concat(), b"").stdout;
        let found = String::from_utf8(text).unwrap();
        let (rates, channels) = wanted.split_once(',').unwrap();
        let is_right = rates.split('|').any(|rate| found.trim().trim_end_matches(',') == format!("{rate},{channels}"));
        assert!(is_right, "{sound} to {to}: {found}");
    }
}

#[test]
fn subtitles_become_the_text_that_the_container_holds() {
    let bench = Bench::new();
    let text = "1\n00:00:00,500 --> 00:00:01,300\nhi <i>there</i>\n\n2\n00:00:02,000 --> 00:00:02,500\nyou\n";
    std::fs::write(bench.path("s.srt"), text).unwrap();
    let clip = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=3", "-i", "s.srt", "-map", "0", "-map", "1"];
    for (name, codec) in [("srt.mkv", "subrip"), ("ass.mkv", "ass"), ("text.mp4", "mov_text"), ("vtt.webm", "webvtt")] {
        let video = if name.ends_with("webm") { "libvpx" } else { "libx264" };
        bench.ffmpeg(&[&clip[..], &["-c:v", video, "-c:s", codec, name]].concat());
    }
    for (from, to, codec) in [
        ("srt.mkv", "a.mp4", "mov_text"),
        ("srt.mkv", "a.mov", "mov_text"),
        ("srt.mkv", "a.webm", "webvtt"),
        ("ass.mkv", "b.mp4", "mov_text"),
        ("ass.mkv", "b.webm", "webvtt"),
        ("text.mp4", "c.mkv", "subrip"),
        ("text.mp4", "c.webm", "webvtt"),
        ("vtt.webm", "d.mp4", "mov_text"),
        ("srt.mkv", "e.mkv", "subrip"),
    ] {
        bench.pass(&[from, to]);
        assert_eq!(codecs(&bench, to)[1], codec, "{from} to {to}");
        let read = String::from_utf8(bench.ffmpeg(&["-i", to, "-map", "0:s", "-f", "srt", "-"])).unwrap();
        let lines: Vec<_> = read.lines().collect();
        assert_eq!((lines[1], lines[5]), ("00:00:00,500 --> 00:00:01,300", "00:00:02,000 --> 00:00:02,500"), "{read}");
        assert!(lines[2].contains("hi ") && lines[2].contains("there") && lines[6] == "you", "{from} to {to}: {read}");
    }
}

#[test]
fn what_has_no_place_is_refused_before_anything_is_written() {
    let bench = Bench::new();
    clip(&bench, "pcm_s16le", &[], "in.mkv");
    // Subtitles that are pictures.
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=1", "-i", "s.srt", "-map", "0", "-map", "1"];
    std::fs::write(bench.path("s.srt"), "1\n00:00:00,100 --> 00:00:00,300\nhi\n").unwrap();
    bench.ffmpeg(&[&picture[..], &["-c:v", "libx264", "-c:s", "subrip", "text.mkv"]].concat());
    for (arguments, words) in [
        (&["in.mkv", "a.mp4", "--audio", "copy"][..], &["stream 1 (audio, pcm_s16le)", "--audio all", "--drop 1"][..]),
        (&["text.mkv", "a.avi"], &["stream 1 (subtitle, subrip)", "avi", ".mkv", "--drop 1"]),
        (&["in.mkv", "a.mp4", "--audio", "2"], &["--audio 2", "1 stream of sound"]),
        (&["in.mkv", "a.mp4", "--drop", "5"], &["--drop 5", "2 streams"]),
        (&["in.mkv", "a.mp4", "--drop", "0"], &["--drop 0", "video"]),
    ] {
        let error = bench.fail(arguments);
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    for arguments in [["--audio", "some"], ["--audio", "0"], ["--subtitles", "x"], ["--drop", "sound"]] {
        let error = bench.refuse(&[&["in.mkv", "a.mp4"][..], &arguments].concat());
        assert!(error.contains(arguments[0]) && error.contains(arguments[1]), "{error}");
    }
    assert_eq!(bench.names(), ["in.mkv", "s.srt", "text.mkv"]);
    for (arguments, count) in [
        (&["in.mkv", "a.mp4", "--no-audio"][..], 1),
        (&["in.mkv", "b.mp4", "--audio", "none"], 1),
        (&["in.mkv", "c.mp4", "--drop", "audio,data"], 1),
        (&["in.mkv", "d.mp4", "--audio", "1"], 2),
        (&["in.mkv", "e.mkv", "--audio", "copy", "--strict"], 2),
        (&["text.mkv", "f.avi", "--drop", "1"], 1),
        (&["text.mkv", "g.mkv", "--subtitles", "none"], 1),
        (&["text.mkv", "h.mkv", "--drop", "subtitles"], 1),
    ] {
        bench.pass(arguments);
        assert_eq!(codecs(&bench, arguments[1]).len(), count, "{arguments:?}");
    }
}

/// The sound of a file as FFmpeg plays it at 48 kHz.
fn played(bench: &Bench, name: &str) -> Vec<f32> {
    let filter = "aresample=48000,aformat=flt:48000:mono";
    let bytes = bench.ffmpeg(&["-i", name, "-map", "0:a:0", "-af", filter, "-f", "f32le", "-"]);
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

/// MXF holds sound at 48 kHz alone: other sound is resampled, which a line says, and plays as before, as long and as high.
#[test]
fn sound_gets_the_rate_of_the_container() {
    let bench = Bench::new();
    for rate in ["44100", "32000", "48000"] {
        // A tone that rises, and a click a second.
        let sound = format!("aevalsrc='0.3*sin(2*PI*(400+150*t)*t)+if(lt(mod(t,1),0.005),0.5,0)':s={rate}:d=3");
        let video = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=3", "-f", "lavfi", "-i", &sound];
        bench.ffmpeg(&[&video[..], &["-c:v", "libx264", "-c:a", "pcm_s16le", "pcm.mkv", "-y"]].concat());
        bench.ffmpeg(&[&video[..], &["-c:v", "libx264", "-c:a", "flac", "flac.mkv", "-y"]].concat());
        for (from, codec) in [("pcm.mkv", "pcm_s16le"), ("flac.mkv", "flac")] {
            let said = String::from_utf8(bench.warpreel(&[from, "out.mxf", "-y"]).stderr).unwrap();
            let line = format!("audio 1: {codec} becomes pcm_s16le at 48 kHz, which mxf holds");
            let expected = usize::from(rate != "48000");
            assert_eq!(said.lines().filter(|found| *found == line).count(), expected, "{rate}, {from}: {said}");
            assert_eq!(codecs(&bench, "out.mxf").last().map(String::as_str), Some("pcm_s16le"));
            let (wanted, found) = (played(&bench, from), played(&bench, "out.mxf"));
            assert!(wanted.len().abs_diff(found.len()) < 48, "{rate}: {} samples, not {}", found.len(), wanted.len());
            let worst = wanted.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 0.002, "{rate}, {from}: {worst}");
        }
    }
    // Who wants it as it is hears what to do.
    let output = bench.warpreel(&["flac.mkv", "copied.mxf", "--audio", "copy"]);
    assert!(!output.status.success() && !bench.path("copied.mxf").exists());
}

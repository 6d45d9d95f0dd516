//! `explain INPUT OUTPUT`: what would become of every stream is what becomes of it.

use std::fs;

use serde_json::Value;

use crate::container::turn::clip as turned_clip;
use crate::program::Bench;

/// A clip with sound of two kinds, subtitles, an attachment, chapters and tags.
fn bench() -> Bench {
    let bench = Bench::new();
    let chapter = |start, end, name| format!("[CHAPTER]\nTIMEBASE=1/1000\nSTART={start}\nEND={end}\ntitle={name}\n");
    let tags = [";FFMETADATA1\ntitle=All\nartist=Us\n".to_owned(), chapter(0, 200, "one"), chapter(200, 400, "two")];
    fs::write(bench.path("tags.txt"), tags.concat()).unwrap();
    fs::write(bench.path("words.srt"), "1\n00:00:00,000 --> 00:00:00,300\nwords\n").unwrap();
    fs::write(bench.path("note.txt"), "a note").unwrap();
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4"];
    let beside = ["-i", "words.srt", "-i", "tags.txt", "-map", "0", "-map", "1", "-map", "1", "-map", "2"];
    let coded = ["-c:v", "libx264", "-c:a:0", "pcm_s16le", "-c:a:1", "aac", "-c:s", "subrip", "-map_metadata", "3"];
    let attached = ["-attach", "note.txt", "-metadata:s:t", "mimetype=text/plain", "in.mkv"];
    bench.ffmpeg(&[&picture[..], &beside, &coded, &attached].concat());
    for name in ["tags.txt", "words.srt", "note.txt"] {
        fs::remove_file(bench.path(name)).unwrap();
    }
    bench
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

/// What is said of a stream, by the beginning of its name.
fn fate<'a>(streams: &'a Value, name: &str) -> &'a str {
    let found = streams.as_array().unwrap().iter().find(|stream| stream["name"].as_str().unwrap().starts_with(name));
    found.unwrap_or_else(|| panic!("{name}: {streams}"))["fate"].as_str().unwrap()
}

#[test]
fn what_is_explained_is_what_is_done() {
    let bench = bench();
    for arguments in [
        &["out.mkv", "-f", "box"][..],
        &["out.mp4", "--crf", "30"],
        &["out.mov", "--audio", "2", "--drop", "subtitles"],
        &["out.webm", "--codec", "libvpx-vp9", "--no-audio"],
        &["out.ts", "--drop", "subtitles"],
        &["out.avi", "--drop", "subtitles", "--codec", "ffv1"],
        &["out.nut", "--drop", "subtitles", "--lossless"],
        &["out.y4m"],
        &["out.yuv", "--drop", "audio,subtitles"],
        &["out%02d.png"],
        &["out.gif"],
        &["null:"],
        &["hash:out.md5"],
    ] {
        let output = bench.warpreel(&[&["explain", "in.mkv", "--json"], arguments].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {told}");
        let is_warned = told.contains("warning: chapters are dropped: the container");
        assert_eq!(is_warned, ["out.ts", "out.avi"].contains(&arguments[0]), "{arguments:?}: {told}");
        let explained = json(&output.stdout);
        assert_eq!(bench.names(), ["in.mkv"], "{arguments:?}: nothing is made");

        let run = bench.warpreel(&[&["in.mkv"], arguments, &["--stats", "stats.json"]].concat());
        let said = String::from_utf8(run.stderr).unwrap();
        assert!(run.status.success(), "{arguments:?}: {said}");
        let stats = json(&fs::read(bench.path("stats.json")).unwrap());
        let streams = &explained["streams"];
        assert_eq!(*streams, stats["streams"], "{arguments:?}");
        assert_eq!(explained["backend"], stats["backend"]);
        // The last line says the same of what comes along.
        for stored in stats["stored"].as_array().unwrap() {
            let stored = stored.as_str().unwrap();
            let (codec, rest) = stored.split_once(" as ").unwrap_or((stored, ""));
            let is_told = |stream: &Value| {
                let (name, fate) = (stream["name"].as_str().unwrap(), stream["fate"].as_str().unwrap());
                fate.starts_with(&format!("becomes {stored}, "))
                    || (fate == "copied"
                        && stored.ends_with(" copied")
                        && name.contains(codec.trim_end_matches(" copied").to_lowercase().as_str()))
                    || (fate == format!("becomes {rest}") && name.contains(codec))
            };
            assert!(streams.as_array().unwrap().iter().any(is_told), "{stored}: {streams}");
        }
        // What is lost unasked is warned of in the same words, before and while it is done.
        for stream in streams.as_array().unwrap() {
            let (name, fate) = (stream["name"].as_str().unwrap(), stream["fate"].as_str().unwrap());
            if fate.starts_with("dropped: the container") && name.starts_with("stream") {
                let words = format!("{name} is {fate}");
                assert!(told.contains(&words) && said.contains(&words), "{words}: {told} {said}");
            }
        }
        // And FFmpeg finds what was promised.
        let Some(name) = arguments
            .first()
            .filter(|name| ["mkv", "mp4", "mov", "webm", "ts", "avi", "nut"].iter().any(|end| name.ends_with(end)))
        else {
            clean(&bench);
            continue;
        };
        let probe = ["-v", "error", "-show_streams", "-show_chapters", "-show_format", "-of", "json", name];
        let found = json(&bench.run("ffprobe", &probe, b"").stdout);
        let titled: Vec<_> =
            streams.as_array().unwrap().iter().filter(|s| s["name"].as_str().unwrap().starts_with("stream")).collect();
        let coming = titled.iter().filter(|stream| !stream["fate"].as_str().unwrap().starts_with("dropped")).count();
        // Of mp4 and mov FFmpeg shows a track of chapters too.
        let real = found["streams"].as_array().unwrap().iter().filter(|stream| stream["codec_tag_string"] != "text");
        assert_eq!(real.count(), coming, "{arguments:?}: {streams}");
        let chapters = found["chapters"].as_array().unwrap().len();
        assert_eq!(fate(streams, "chapters").contains("dropped"), chapters == 0, "{arguments:?}: {streams}");
        assert_eq!(
            fate(streams, "tags"),
            match *name {
                "out.mkv" | "out.webm" | "out.nut" => "2 copied".to_owned(),
                _ => format!("2 copied if the container {} can hold them", container(name)),
            }
        );
        clean(&bench);
    }
}

fn container(name: &str) -> &str {
    match name.rsplit('.').next().unwrap() {
        "ts" => "mpegts",
        other => other,
    }
}

fn clean(bench: &Bench) {
    bench.names().iter().filter(|name| *name != "in.mkv").for_each(|name| fs::remove_file(bench.path(name)).unwrap());
}

#[test]
fn the_page_is_for_people() {
    let bench = bench();
    let text = String::from_utf8(bench.pass(&["explain", "in.mkv", "out.mp4", "-f", "gaussian=2,sobel"])).unwrap();
    for line in [
        "in.mkv to out.mp4: about 1",
        "  stream 0 (video, h264): becomes h264 crf 18, yuv420p 64x48",
        "  stream 1 (audio, pcm_s16le): becomes aac ",
        "  stream 2 (audio, aac): copied",
        "  stream 3 (subtitle, subrip): becomes mov_text",
        "  stream 4 (attachment, ",
        "  chapters: 2 copied",
        "pass 1: gaussian=2",
    ] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{line}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let pair = ["explain", "in.mkv", "out.mp4", "-f", "box", "--compare", "side"];
    let text = String::from_utf8(bench.pass(&pair)).unwrap();
    assert!(text.contains("becomes h264 crf 18, yuv420p 128x48"), "{text}");
    assert!(text.contains("\n  compared: before on the left, after on the right\n"), "{text}");
    turned_clip(&bench, "64x48", "yuv420p", [0, 1, -1, 0], "turned.mp4");
    let text = String::from_utf8(bench.pass(&["explain", "turned.mp4", "out.mkv"])).unwrap();
    assert!(text.contains("turned, becomes h264 crf 18, yuv420p 48x64"), "{text}");
    let text = String::from_utf8(bench.pass(&["explain", "turned.mp4", "out.mp4"])).unwrap();
    assert!(text.contains(": becomes h264 crf 18, yuv420p 64x48"), "{text}");
}

#[test]
fn an_output_that_is_there_is_told_of_and_left_alone() {
    let bench = bench();
    fs::write(bench.path("out.mp4"), "precious").unwrap();
    let modified = || bench.path("out.mp4").metadata().unwrap().modified().unwrap();
    let before = modified();
    for (more, is_free) in [(&[][..], false), (&["-y"], true)] {
        let text = String::from_utf8(bench.pass(&[&["explain", "in.mkv", "out.mp4"], more].concat())).unwrap();
        assert_ne!(text.contains("it exists; add -y to replace it"), is_free, "{text}");
    }
    assert_eq!((fs::read(bench.path("out.mp4")).unwrap(), modified()), (b"precious".to_vec(), before));
    let text = String::from_utf8(bench.pass(&["explain", "in.mkv", "no/out.mkv"])).unwrap();
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(plain.contains("make it with: mkdir -p \"no\""), "{text}");
    // What a run refuses, this refuses in the same words.
    for arguments in [&["out.mp4", "--audio", "copy", "-y"][..], &["in.mkv", "-y"], &["new.mp4", "--codec", "copy"]] {
        let run = bench.fail(&[&["in.mkv"], arguments].concat());
        assert_eq!(bench.fail(&[&["explain", "in.mkv"], arguments].concat()), run, "{arguments:?}");
    }
    assert_eq!(bench.names(), ["in.mkv", "out.mp4"]);
    for option in [&["--crf", "20"][..], &["--compare", "side"]] {
        let line = bench.refuse(&[&["explain", "in.mkv"], option].concat());
        assert!(line.ends_with("needs an output; type warpreel explain INPUT OUTPUT"), "{line}");
    }
}

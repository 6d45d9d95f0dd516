//! Bad input: each kind gives a clear error or a warning, and what is sound is never called damaged.

use super::*;
use warpreel::libav::Strictness;

/// The error, all of it, of reading a file to its end.
fn error(path: &Path) -> String {
    format!(
        "{:#}",
        frames(path, Options::default()).err().unwrap_or_else(|| panic!("{path:?} is read without an error"))
    )
}

fn salvage() -> Options {
    Options { salvage: Salvage::On, ..Options::default() }
}

/// A file cut off after some of its bytes.
fn cut(path: &Path, percent: u64) -> PathBuf {
    let bytes = std::fs::read(path).unwrap();
    let cut = path.with_file_name(format!("cut-{percent}-{}", path.file_name().unwrap().to_str().unwrap()));
    std::fs::write(&cut, &bytes[..bytes.len() * percent as usize / 100]).unwrap();
    cut
}

#[test]
fn what_is_no_video_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    assert!(error(&path("missing.mp4")).contains("No such file"), "{}", error(&path("missing.mp4")));
    assert!(error(folder.path()).contains("folder"), "{}", error(folder.path()));
    std::fs::write(path("empty.mp4"), "").unwrap();
    assert!(error(&path("empty.mp4")).contains("empty"));
    std::fs::write(path("text.mp4"), "This is not a video.\n".repeat(50)).unwrap();
    assert!(error(&path("text.mp4")).contains("invalid data"), "{}", error(&path("text.mp4")));
    std::fs::write(path("list.mp4"), "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n")
        .unwrap();
    assert!(error(&path("list.mp4")).contains("playlist"));
    ffmpeg(folder.path(), "-f lavfi -i sine=d=0.2 sound.m4a");
    assert!(error(&path("sound.m4a")).contains("no video; found audio"), "{}", error(&path("sound.m4a")));
}

#[test]
fn early_ends_are_errors_that_name_the_frame() {
    let folder = tempfile::tempdir().unwrap();
    let clip = "-f lavfi -i testsrc2=s=192x108:r=25:d=4 -f lavfi -i sine=d=4 -c:v libx264 -g 25 -c:a aac";
    for (name, options) in [
        ("start.mp4", "-movflags faststart"),
        ("a.mpg", "-c:v mpeg2video -c:a mp2"),
        ("parts.mp4", "-movflags frag_keyframe+empty_moov"),
        ("a.mkv", ""),
        ("a.ts", ""),
        ("a.mov", "-movflags faststart"),
        ("a.avi", "-bf 0"),
    ] {
        ffmpeg(folder.path(), &format!("{clip} {options} {name}"));
        let whole = folder.path().join(name);
        assert_eq!(frames(&whole, Options::default()).unwrap_or_else(|e| panic!("{name}: {e:#}")).len(), 100, "{name}");
        for percent in [11, 37, 60, 93] {
            let part = cut(&whole, percent);
            let message = error(&part);
            assert!(message.contains("ends early, after ") && message.contains("--salvage"), "{name}: {message}");
            let kept = frames(&part, salvage()).unwrap().len();
            assert!((if percent == 11 { 1 } else { 10 }..=100).contains(&kept), "{name} cut to {percent} %: {kept}");
            let mut source = open(&part, salvage()).unwrap();
            let pool = Pool::heap();
            while source.next_frame(&pool).unwrap().is_some() {}
            assert!(source.defects().truncated);
        }
    }
    // Without its index, which comes last, nothing can be read.
    ffmpeg(folder.path(), &format!("{clip} plain.mp4"));
    let message = error(&cut(&folder.path().join("plain.mp4"), 60));
    assert!(message.contains("moov"), "{message}");
}

/// As a receiver gives it.
#[test]
fn a_transport_stream_begins_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=192x108:r=25:d=2 -c:v mpeg2video -g 12 a.ts");
    let bytes = std::fs::read(folder.path().join("a.ts")).unwrap();
    let path = folder.path().join("late.ts");
    for (end, is_whole) in [(bytes.len(), true), (bytes.len() - 50, false)] {
        std::fs::write(&path, &bytes[100..end]).unwrap();
        for medium in [
            Medium::Path(path.clone()),
            Medium::Stream(Box::new(std::fs::File::open(&path).unwrap()), "stdin".to_owned()),
        ] {
            let pool = Pool::heap();
            let mut source = In::open(medium, Options::default()).unwrap();
            let mut count = 0;
            let outcome = loop {
                match source.next_frame(&pool) {
                    Ok(Some(_)) => count += 1,
                    Ok(None) => break Ok(()),
                    Err(error) => break Err(format!("{error:#}")),
                }
            };
            assert!(count > 20 && outcome.is_ok() == is_whole, "{count} frames, {outcome:?}");
        }
    }
}

#[test]
fn sound_files_are_never_called_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let clip = "-f lavfi -i testsrc2=s=192x108:r=25:d=3 -f lavfi -i sine=d=2";
    ffmpeg(folder.path(), &format!("{clip} -c:v libx264 -g 20 -bf 3 -c:a aac base.mp4"));
    // Edit lists that begin late and end early, odd ends, other containers and codecs.
    ffmpeg(folder.path(), "-ss 0.5 -i base.mp4 -t 1.3 -c copy late.mp4");
    ffmpeg(folder.path(), "-i base.mp4 -c copy -movflags frag_keyframe+empty_moov parts.mp4");
    for name in ["a.mkv", "a.mov", "a.ts", "a.nut"] {
        ffmpeg(folder.path(), &format!("-i base.mp4 -c copy {name}"));
    }
    for (name, options) in [
        ("b.webm", "-c:v libvpx-vp9 -deadline realtime -c:a libopus"),
        ("b.avi", "-c:v mpeg4 -c:a mp3"),
        ("b.mpg", "-c:v mpeg2video -c:a mp2"),
        ("h.mkv", "-c:v libx265 -x265-params log-level=none -c:a flac"),
        ("f.mkv", "-c:v ffv1"),
        ("p.mov", "-c:v prores_ks"),
        ("m.mov", "-c:v mjpeg"),
        ("q.mov", "-c:v qtrle"),
        ("a.gif", "-an"),
        ("a.h264", "-an -c:v libx264"),
    ] {
        ffmpeg(folder.path(), &format!("{clip} {options} {name}"));
    }
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        for options in [
            Options { strict: Strictness::Strict, ..Options::default() },
            Options { start: Some(std::time::Duration::from_millis(700)), ..Options::default() },
        ] {
            let is_whole = options.start.is_none();
            let found = frames(&path, options).unwrap_or_else(|error| panic!("{name}: {error:#}"));
            if is_whole {
                let expected = framemd5(folder.path(), &format!("-i {name} -map 0:v -fps_mode passthrough"));
                assert_eq!(found.len(), expected.len(), "{name}");
            }
            assert!(!found.is_empty(), "{name}");
        }
    }
}

#[test]
fn damage_in_the_middle_is_counted_or_with_strict_an_error() {
    let folder = tempfile::tempdir().unwrap();
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=320x180:r=25:d=4 -c:v libx264 -g 25 whole.mkv");
    let path = folder.path().join("whole.mkv");
    let mut bytes = std::fs::read(&path).unwrap();
    // In several places, because a decoder cannot tell all damage from a picture.
    for place in [3, 5, 7].map(|tenth| bytes.len() * tenth / 10) {
        bytes[place..place + 400].iter_mut().for_each(|byte| *byte ^= 0x5a);
    }
    std::fs::write(&path, bytes).unwrap();
    let pool = Pool::heap();
    let mut source = open(&path, Options::default()).unwrap();
    let mut count = 0;
    while source.next_frame(&pool).unwrap().is_some() {
        count += 1;
    }
    let defects = source.defects();
    assert!((40..=100).contains(&count), "{count}");
    assert!(defects.damaged_packets + defects.concealed_frames > 0 && !defects.truncated, "{defects:?}");
    assert!(defects.warnings[0].contains("frame"), "{defects:?}");
    let strict = Options { strict: Strictness::Strict, ..Options::default() };
    let message = format!("{:#}", frames(&path, strict).expect_err("an error"));
    assert!(message.contains("damaged") && message.contains("--strict"), "{message}");
}

#[test]
fn another_size_in_the_middle_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=192x108:r=25:d=1 -c:v libx264 a.ts");
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=320x180:r=25:d=1 -c:v libx264 b.ts");
    let both = [std::fs::read(folder.path().join("a.ts")).unwrap(), std::fs::read(folder.path().join("b.ts")).unwrap()];
    std::fs::write(folder.path().join("c.ts"), both.concat()).unwrap();
    let message = error(&folder.path().join("c.ts"));
    assert!(message.contains("frame 25 of") && message.contains("320x180"), "{message}");
}

#[test]
fn images_that_are_missing_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=32x18:r=25:d=0.4 -start_number 1001 f%04d.png");
    let pattern = folder.path().join("f%04d.png");
    assert_eq!(frames(&pattern, Options::default()).unwrap().len(), 10);
    std::fs::remove_file(folder.path().join("f1004.png")).unwrap();
    let message = error(&pattern);
    assert!(message.contains("image 1004 is missing"), "{message}");
    assert_eq!(frames(&pattern, salvage()).unwrap().len(), 3);
    assert!(error(&folder.path().join("g%04d.png")).contains("matches"));
}

#[test]
fn a_full_disk_is_an_error_and_a_broken_pipe_is_found() {
    let pool = Pool::heap();
    let mut source = open(sample(), Options { frames: Some(40), ..Options::default() }).unwrap();
    let full = Place::File { write_to: "/dev/full".into(), named: "out.mkv".into() };
    let raw = Encoding { codec: Some("rawvideo".into()), ..Encoding::default() };
    let mut sink = Box::new(Out::create(full, source.format(), None, &raw).unwrap());
    let mut failed = None;
    while let (None, Some(frame)) = (&failed, source.next_frame(&pool).unwrap()) {
        failed = sink.put(frame).err();
    }
    let failed = failed.or_else(|| sink.finish(None).err()).expect("an error");
    let message = format!("{failed:#}");
    assert!(message.contains("out.mkv") && message.contains("frame") && message.contains("No space"), "{message}");

    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut source = open(sample(), Options { frames: Some(40), ..Options::default() }).unwrap();
    let place = Place::Stream(Box::new(Closed), "stdout".into());
    let encoding = Encoding { container: Some("mkv".into()), ..raw };
    let mut failed = None;
    match Out::create(place, source.format(), None, &encoding) {
        Err(error) => failed = Some(error),
        Ok(mut sink) => {
            while let (None, Some(frame)) = (&failed, source.next_frame(&pool).unwrap()) {
                failed = sink.put(frame).err();
            }
        }
    }
    let failed = failed.expect("an error");
    let kind = failed.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>()).map(std::io::Error::kind);
    assert_eq!(kind, Some(std::io::ErrorKind::BrokenPipe), "{failed:#}");
}

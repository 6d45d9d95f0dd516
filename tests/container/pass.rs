//! A clip through source and sink: every frame, every time, every sample.

use super::*;

#[test]
fn the_sample_comes_through() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.mp4");
    let (count, defects) = pass(&sample(), Options::default(), &out, &quick()).unwrap();
    assert_eq!(count, 132);
    assert_eq!((defects.damaged_packets, defects.concealed_frames, defects.truncated), (0, 0, false));
    assert_eq!(times(&sample(), "v"), times(&out, "v"));
    let sample = sample().display().to_string();
    let audio = |name: &str| framemd5(folder.path(), &format!("-i {name} -map 0:a -c copy"));
    assert_eq!(audio(&sample), audio("out.mp4"));
    let tags = |name: &str| {
        let entries = "stream=time_base,r_frame_rate,avg_frame_rate,sample_aspect_ratio,display_aspect_ratio,color_range,\
            color_space,color_transfer,color_primaries,chroma_location,field_order,pix_fmt,nb_frames,start_pts,width,height\
            :stream_tags:format_tags:stream_disposition";
        let text = ffprobe(folder.path(), &format!("-show_entries {entries} -of json {name}"));
        let differs = ["encoder", "creation_time", "compatible_brands"];
        let lines = text.lines().filter(|line| !differs.iter().any(|key| line.contains(key)));
        lines.map(|line| line.trim_end_matches(',').to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(tags(&sample), tags("out.mp4"));
}

#[test]
fn decoded_frames_are_ffmpegs() {
    let sample = sample().display().to_string();
    let expected = sums(&framemd5(Path::new("/"), &format!("-i {sample} -map 0:v")));
    let folder = tempfile::tempdir().unwrap();
    pass(Path::new(&sample), Options::default(), &folder.path().join("a.mkv"), &lossless()).unwrap();
    assert_eq!(expected, sums(&framemd5(folder.path(), "-i a.mkv -map 0:v")));
}

#[test]
fn lossless_is_lossless_for_every_planar_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut tried = 0;
    for (pixels, outs) in [
        (
            "gray gray10le gray12le gray16le yuv411p yuv440p yuv410p yuva420p yuva422p10le yuva444p16le yuv420p9le yuv422p12le yuv444p14le yuv420p16le gbrp9le gbrp14le gbrap gbrap10le gbrap12le gbrap16le ya8",
            &["a.mkv"][..],
        ),
        ("yuv420p yuv422p yuv444p yuv420p10le yuv422p10le yuv444p10le", &["a.mkv", "b.mp4", "c.mov", "d.avi"]),
        ("yuv420p yuv444p12le gbrp gbrp10le", &["e.webm", "a.mkv"]),
        ("gbrp", &["b.mp4"]),
        ("gbrp16le", &["a.mkv", "f%02d.png"]),
        ("gbrp gbrap gbrap16le gray gray16le ya8 rgb48be", &["f%02d.png"]),
    ] {
        for (pixel, out) in pixels.split(' ').flat_map(|pixel| outs.iter().map(move |out| (pixel, out))) {
            ffmpeg(
                folder.path(),
                &format!(
                    "-f lavfi -i testsrc2=s=67x35:r=25:d=0.2,noise=alls=40 -pix_fmt {pixel} -c:v rawvideo -map 0 in.nut"
                ),
            );
            pass(&path("in.nut"), Options::default(), &path(out), &lossless())
                .unwrap_or_else(|error| panic!("{pixel} {out}: {error:#}"));
            let planes = |name: &str| -> Vec<Vec<u8>> {
                let frames =
                    frames(path(name), Options::default()).unwrap_or_else(|error| panic!("{pixel} {out}: {error:#}"));
                let bytes = |frame: &Frame| {
                    (0..frame.plane_count())
                        .flat_map(|p| {
                            frame.host().expect("a frame on the host").rows(p).flatten().copied().collect::<Vec<_>>()
                        })
                        .collect()
                };
                frames.iter().map(bytes).collect()
            };
            assert!(planes("in.nut") == planes(out), "{pixel} through {out}");
            assert_eq!(planes(out).len(), 5);
            tried += 1;
        }
    }
    assert!(tried > 50, "{tried}");
}

#[test]
fn asked_for_encoders_are_lossless_too() {
    let folder = tempfile::tempdir().unwrap();
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=66x34:r=25:d=0.4,noise=alls=40 -pix_fmt yuv420p -c:v ffv1 in.mkv");
    let expected = sums(&framemd5(folder.path(), "-i in.mkv"));
    for codec in ["libx264", "libx265", "libvpx-vp9", "libaom-av1", "ffv1"] {
        let preset = matches!(codec, "libaom-av1" | "libvpx-vp9").then(|| "8".to_owned());
        let encoding = Encoding { codec: Some(codec.into()), preset, ..lossless() };
        pass(&folder.path().join("in.mkv"), Options::default(), &folder.path().join("out.mkv"), &encoding).unwrap();
        assert_eq!(expected, sums(&framemd5(folder.path(), "-i out.mkv")), "{codec}");
    }
    for codec in ["prores_ks", "libsvtav1"] {
        let encoding = Encoding { codec: Some(codec.into()), ..lossless() };
        let error = pass(&folder.path().join("in.mkv"), Options::default(), &folder.path().join("out.mkv"), &encoding);
        assert!(format!("{:#}", error.unwrap_err()).contains("cannot be lossless"));
    }
}

#[test]
fn every_encoder_writes_what_ffmpeg_reads() {
    let folder = tempfile::tempdir().unwrap();
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=128x72:r=25:d=1 -f lavfi -i sine=d=1 -c:v libx264 -c:a aac in.mp4");
    for (out, codec) in [
        ("a.mp4", ""),
        ("b.mov", ""),
        ("c.mkv", ""),
        ("d.ts", ""),
        ("e.avi", ""),
        ("f.nut", ""),
        ("g.gif", ""),
        ("h%03d.png", ""),
        ("i.webm", ""),
        ("j.mkv", "libaom-av1"),
        ("k.mp4", "libsvtav1"),
        ("l.mp4", "libx265"),
        ("m.mov", "prores_ks"),
        ("n.mkv", "mjpeg"),
        ("o.mkv", "h264"),
        ("p%d.jpg", ""),
    ] {
        let codec = (!codec.is_empty()).then(|| codec.to_owned());
        let preset = matches!(codec.as_deref(), Some("libaom-av1")).then(|| "8".to_owned());
        let encoding = Encoding { codec, preset, ..Encoding::default() };
        let count = pass(&folder.path().join("in.mp4"), Options::default(), &folder.path().join(out), &encoding);
        assert_eq!(count.unwrap_or_else(|error| panic!("{out}: {error:#}")).0, 25, "{out}");
        assert_eq!(framemd5(folder.path(), &format!("-i {out} -map 0:v")).len(), 25, "{out}");
    }
}

#[test]
fn wrong_choices_say_what_to_choose() {
    let folder = tempfile::tempdir().unwrap();
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=64x36:r=25:d=0.2 -c:v libx264 in.mp4");
    let refused = |out: &str, encoding: Encoding| {
        format!(
            "{:#}",
            pass(&folder.path().join("in.mp4"), Options::default(), &folder.path().join(out), &encoding).unwrap_err()
        )
    };
    let codec = |name: &str| Encoding { codec: Some(name.into()), ..Encoding::default() };
    let with = |key: &str, value: &str| Encoding { options: vec![(key.into(), value.into())], ..Encoding::default() };
    for (message, wanted) in [
        (refused("a.webm", codec("libx264")), "cannot hold libx264; it can hold libvpx-vp9"),
        (refused("a.mp4", codec("libx246")), "did you mean \"libx264\""),
        (refused("a.wav", Encoding::default()), "holds no video"),
        (refused("a", Encoding::default()), "--container"),
        (refused("a.mp4", with("no_such_option", "1")), "no option \"no_such_option\""),
        (refused("a.mp4", Encoding { pix_fmt: Some("bgra".into()), ..Encoding::default() }), "it supports yuv420p"),
        (refused("a.mp4", Encoding { bitrate: Some("fast".into()), ..Encoding::default() }), "libx264"),
        (refused("a.mp4", Encoding { container: Some("mkw".into()), ..Encoding::default() }), "mkw"),
        (refused("a.mkv", Encoding { crf: Some(5.0), ..codec("ffv1") }), "no --crf"),
        (refused("a.png", Encoding::default()), "out%04d.png"),
        (refused("no/such/folder/a.mp4", Encoding::default()), "No such file"),
    ] {
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn small_and_single_frames_and_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for size in ["1x1", "3x2", "2x1", "1919x3", "17x31"] {
        ffmpeg(
            folder.path(),
            &format!(
                "-f lavfi -i testsrc2=s=64x64:r=25:d=0.04,scale={}:flags=neighbor,format=yuv420p -c:v ffv1 -level 1 in.mkv",
                size.replace('x', ":")
            ),
        );
        let expected = sums(&framemd5(folder.path(), "-i in.mkv"));
        assert_eq!(pass(&path("in.mkv"), Options::default(), &path("out.mkv"), &lossless()).unwrap().0, 1);
        assert_eq!(expected, sums(&framemd5(folder.path(), "-i out.mkv")), "{size}");
    }
    let pool = Pool::heap();
    for container in ["mp4", "mkv", "ts"] {
        ffmpeg(folder.path(), &format!("-i {} -c copy -f matroska piped", sample().display()));
        let medium = Medium::Stream(Box::new(std::fs::File::open(path("piped")).unwrap()), "stdin".into());
        let mut source = In::open(medium, Options::default()).unwrap();
        let out = std::fs::File::create(path("out")).unwrap();
        let encoding = Encoding { container: Some(container.into()), ..quick() };
        let place = Place::Stream(Box::new(out), "stdout".into());
        let mut sink = Box::new(Out::create(place, source.format(), Some(source.source_info()), &encoding).unwrap());
        while let Some(frame) = source.next_frame(&pool).unwrap() {
            sink.put(frame).unwrap();
        }
        sink.finish(source.trailer()).unwrap();
        assert_eq!(framemd5(folder.path(), "-i out -map 0:v").len(), 132, "{container}");
    }
}

#[test]
fn memory_is_used_again() {
    let pool = Pool::heap();
    let mut source = open(sample(), Options::default()).unwrap();
    let mut at_half = 0;
    let mut direct = 0;
    while let Some(frame) = source.next_frame(&pool).unwrap() {
        if frame.timing.number == 66 {
            at_half = pool.allocated_bytes();
        }
        // Pictures that were copied would lie in rows as the pool pads them, and begin where their block does not end.
        direct += u32::from(frame.layout().planes[1].offset_bytes > frame.layout().planes[0].bytes(1).end + 1000);
    }
    assert!(at_half > 0 && pool.allocated_bytes() == at_half, "{at_half} {}", pool.allocated_bytes());
    assert!(direct > 100, "only {direct} frames were decoded in place");
}

#[test]
fn frames_of_another_kind_are_refused() {
    use std::sync::Arc;
    use warpreel::frame::{Format, Pixel, Rational, Timing};

    let folder = tempfile::tempdir().unwrap();
    let pool = Pool::heap();
    let rate = Rational::new(25, 1);
    let wanted = Format::new(warpreel::libav::Stored::parse("yuv420p").unwrap().pixel(), 64, 36, rate);
    let frame = |format: &Format| pool.frame(&Arc::new(format.clone())).unwrap().freeze(Timing::default());
    // One takes frames as they are, the other converts them.
    for (name, pix_fmt) in [("direct.mkv", None), ("converted.mkv", Some("yuv444p".to_owned()))] {
        let encoding = Encoding { codec: Some("ffv1".into()), pix_fmt, ..Encoding::default() };
        let out = folder.path().join(name);
        let mut sink = Out::create(file(&out), &Arc::new(wanted.clone()), None, &encoding).unwrap();
        sink.put(frame(&wanted)).unwrap();
        for other in [
            Format::new(Pixel::gray(8), 64, 36, rate),
            Format::new(wanted.pixel, 64, 34, rate),
            Format::new(wanted.pixel, 32, 36, rate),
        ] {
            let message = format!("{:#}", sink.put(frame(&other)).expect_err("another kind of frame"));
            assert!(message.contains(name) && message.contains("the frame is"), "{message}");
        }
    }
}

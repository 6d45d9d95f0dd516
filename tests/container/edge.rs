//! The ends of what can be asked for: nothing left, everything at once, covers, crops, a stop in the middle.

use std::sync::atomic::Ordering;
use std::time::Duration;

use warpreel::source::Salvage;

use super::*;

#[test]
fn a_start_beyond_the_end_is_an_error() {
    let start = Some(Duration::from_secs(100));
    for salvage in [Salvage::Off, Salvage::On] {
        let error = frames(sample(), Options { start, salvage, ..Options::default() }).err().unwrap();
        assert_eq!(format!("{error:#}"), format!("{:?} ends before --start; name an earlier time", sample()));
    }
    let options = Options { start, frames: Some(0), ..Options::default() };
    assert!(frames(sample(), options).unwrap().is_empty());
    // Between two frames there is none.
    let (start, duration) = (Some(Duration::from_millis(110)), Some(Duration::from_millis(5)));
    let options = Options { start, duration, ..Options::default() };
    assert!(frames(sample(), options).unwrap().is_empty());
}

#[test]
fn an_interrupt_ends_the_clip_after_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.mp4");
    let options = Options::default();
    let interrupt = options.interrupt.clone();
    let pool = Pool::heap();
    let mut source = open(sample(), options).unwrap();
    let mut sink = Box::new(Out::create(file(&out), source.format(), Some(source.heritage()), &quick()).unwrap());
    let mut count = 0;
    while let Some(frame) = source.next(&pool).unwrap() {
        count += 1;
        sink.put(frame).unwrap();
        interrupt.store(count == 50, Ordering::Relaxed);
    }
    sink.finish(source.trailer()).unwrap();
    assert_eq!((count, times(&out, "v").len()), (50, 50));
    let last = |stream: &str| times(&out, stream).last().map(|(pts, duration)| pts + duration).unwrap();
    assert!((last("a") - last("v")).abs() < 0.1, "{} {}", last("a"), last("v"));
}

#[test]
fn covers_stay_covers() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    ffmpeg(folder.path(), "-f lavfi -i testsrc2=s=48x48 -frames:v 1 cover.png");
    ffmpeg(
        folder.path(),
        "-f lavfi -i testsrc2=s=64x36:r=25:d=1 -i cover.png -map 0 -map 1 -c:v:0 libx264 -c:v:1 copy -disposition:v:1 attached_pic in.mp4",
    );
    for name in ["a.mp4", "b.mkv", "c.mp4"] {
        let from = if name == "c.mp4" { "b.mkv" } else { "in.mp4" };
        assert_eq!(pass(&path(from), Options::default(), &path(name), &quick()).unwrap().0, 25);
        let shown = ffprobe(
            folder.path(),
            &format!(
                "-select_streams v -show_entries stream=codec_name:stream_disposition=attached_pic -of csv=p=0 {name}"
            ),
        );
        assert_eq!(shown.split_whitespace().collect::<Vec<_>>(), ["h264,0", "png,1"], "{name}");
        let cover = |name: &str| framemd5(folder.path(), &format!("-i {name} -map 0:v:1 -c copy"));
        assert_eq!(sums(&cover("in.mp4")), sums(&cover(name)), "{name}");
    }
}

#[test]
fn crops_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    ffmpeg(
        folder.path(),
        "-f lavfi -i testsrc2=s=96x64:r=25:d=0.2 -c:v libx264 -qp 0 -bsf:v h264_metadata=crop_left=6:crop_top=2:crop_right=4:crop_bottom=10 in.mp4",
    );
    pass(&folder.path().join("in.mp4"), Options::default(), &folder.path().join("out.mkv"), &lossless()).unwrap();
    let expected = framemd5(folder.path(), "-flags unaligned -i in.mp4 -pix_fmt yuv420p");
    assert_eq!(sums(&expected), sums(&framemd5(folder.path(), "-i out.mkv")));
}

#[test]
fn sound_that_lies_before_all_pictures_is_no_burden() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    ffmpeg(
        folder.path(),
        "-f lavfi -i sine=d=20 -f lavfi -i testsrc2=s=64x36:r=25:d=20 -c:v libx264 -c:a aac -max_interleave_delta 0 -map 0 -map 1 in.mp4",
    );
    pass(&path("in.mp4"), Options::default(), &path("out.mp4"), &quick()).unwrap();
    let packets = |name: &str| framemd5(folder.path(), &format!("-i {name} -map 0:a -c copy"));
    assert_eq!(packets("in.mp4"), packets("out.mp4"));
}

#[test]
fn packed_and_partial_pixels_come_in() {
    let folder = tempfile::tempdir().unwrap();
    for (pixel, codec, planar) in [
        ("nv12", "rawvideo", "yuv420p"),
        ("yuyv422", "rawvideo", "yuv422p"),
        ("rgb24", "rawvideo", "gbrp"),
        ("bgra", "rawvideo", "gbrap"),
        ("rgb48be", "rawvideo", "gbrp16"),
        ("pal8", "png", "gbrap"),
        ("monob", "png", "gray"),
        ("yuvj420p", "mjpeg", "yuv420p"),
    ] {
        ffmpeg(folder.path(), &format!("-f lavfi -i testsrc2=s=50x30:r=25:d=0.2 -pix_fmt {pixel} -c:v {codec} in.nut"));
        let source = open(folder.path().join("in.nut"), Options::default()).unwrap();
        assert_eq!(source.format().pixel.name(), planar, "{pixel}");
        let frames = frames(folder.path().join("in.nut"), Options::default()).unwrap();
        assert_eq!(frames.len(), 5, "{pixel}");
    }
}

/// Decoders that work on top of their last picture must not change a frame that is still in use.
#[test]
fn frames_that_are_kept_stay_what_they_were() {
    let folder = tempfile::tempdir().unwrap();
    for (name, codec) in [
        ("a.mov", "qtrle"),
        ("b.gif", "gif"),
        ("c.apng", "apng"),
        ("d.avi", "cinepak"),
        ("e.avi", "zmbv"),
        ("f.flv", "flashsv"),
        ("g.mpg", "mpeg2video"),
        ("h.avi", "mpeg4"),
        ("i.webm", "libvpx"),
        ("j.webm", "libvpx-vp9"),
        ("k.mkv", "libx265"),
        ("l.mkv", "libx264"),
        ("m.mkv", "libtheora"),
        ("n.mkv", "libaom-av1 -cpu-used 8"),
        ("o.mkv", "huffyuv"),
        ("p.mkv", "snow -strict -2"),
        ("q.avi", "msvideo1 -pix_fmt rgb555le"),
    ] {
        ffmpeg(folder.path(), &format!("-f lavfi -i testsrc2=s=176x144:r=25:d=0.6 -c:v {codec} {name}"));
        let frames = frames(folder.path().join(name), Options::default()).unwrap_or_else(|e| panic!("{name}: {e:#}"));
        let format = &frames[0].format;
        let pixel = warpreel::libav::Stored::planar(format.pixel).unwrap().name();
        ffmpeg(
            folder.path(),
            &format!(
                "-i {name} -fps_mode passthrough -sws_flags accurate_rnd+bitexact+full_chroma_int+full_chroma_inp -pix_fmt {pixel} -f rawvideo out.raw"
            ),
        );
        let bytes = |frame: &Frame| {
            (0..frame.plane_count())
                .flat_map(|p| frame.rows(p).flatten().copied().collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        let found: Vec<u8> = frames.iter().flat_map(bytes).collect();
        let expected = std::fs::read(folder.path().join("out.raw")).unwrap();
        assert_eq!(found.len(), expected.len(), "{name} as {pixel}");
        let wrong = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert!(wrong == 0, "{name} as {pixel}: {wrong} samples of {} differ", found.len());
    }
}

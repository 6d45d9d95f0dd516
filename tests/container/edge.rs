//! The ends of what can be asked for: nothing left, everything at once, covers, crops, a stop in the middle.

use std::io::Read;
use std::time::Duration;

use warpreel::backend::Cpu;
use warpreel::frame::Attachment;
use warpreel::libav::Strictness;
use warpreel::pipeline::Pipeline;
use warpreel::plan::Plan;
use warpreel::source::{CancelToken, Salvage};

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
    let mut sink = Box::new(Out::create(file(&out), source.format(), Some(source.source_info()), &quick()).unwrap());
    let mut count = 0;
    while let Some(frame) = source.next_frame(&pool).unwrap() {
        count += 1;
        sink.put(frame).unwrap();
        if count == 50 {
            interrupt.cancel();
        }
    }
    sink.finish(source.trailer()).unwrap();
    assert_eq!((count, times(&out, "v").len()), (50, 50));
    let last = |stream: &str| times(&out, stream).last().map(|(pts, duration)| pts + duration).unwrap();
    assert!((last("a") - last("v")).abs() < 0.1, "{} {}", last("a"), last("v"));
}

/// Asks to stop once it has some frames.
struct Impatient {
    to: Box<Out>,
    frames: u64,
    interrupt: CancelToken,
}

impl Sink for Impatient {
    fn put(&mut self, frame: Frame) -> Result<()> {
        if frame.timing.number >= self.frames {
            self.interrupt.cancel();
        }
        self.to.put(frame)
    }

    fn finish(self: Box<Self>, trailer: Option<Attachment>) -> Result<()> {
        self.to.finish(trailer)
    }

    fn finish_partial(self: Box<Self>, rest: &[Attachment]) -> Result<Option<PathBuf>> {
        self.to.finish_partial(rest)
    }
}

/// Seconds at which audio and video end after an interrupt in the middle of a clip.
fn ends_of_interrupted(medium: Medium, out: &Path) -> (f64, f64) {
    let options = Options::default();
    let interrupt = options.interrupt.clone();
    let mut source = In::open(medium, options).unwrap();
    let (format, pool) = (source.format().clone(), Pool::heap());
    let to = Box::new(Out::create(file(out), &format, Some(source.source_info()), &quick()).unwrap());
    let sink = Box::new(Impatient { to, frames: 60, interrupt: interrupt.clone() });
    let plan = Plan::from_passes(&format, Vec::new()).unwrap();
    let mut cpu = Cpu::new(plan.passes(), format, pool.clone(), 1).unwrap();
    Pipeline::new(&plan, &pool).cancel(&interrupt).run(&mut source, &mut cpu, sink).unwrap();
    // The last packet may have no duration.
    let last = |stream: &str| times(out, stream).last().map(|(pts, duration)| pts + duration.max(0.0)).unwrap();
    (last("a"), last("v"))
}

/// However far apart audio and video lie in the input, and whichever comes first.
#[test]
fn an_interrupt_ends_audio_with_the_video() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, order) in [("audio.mov", "-map 1 -map 0"), ("video.mov", "-map 0 -map 1")] {
        ffmpeg(
            folder.path(),
            &format!(
                "-f lavfi -i testsrc2=s=64x36:r=25:d=16 -f lavfi -i sine=d=16 {order} -c:v libx264 -g 25 -c:a aac -movflags empty_moov+default_base_moof -frag_duration 8000000 {name}"
            ),
        );
        let stream = Medium::Stream(Box::new(std::fs::File::open(path(name)).unwrap()), name.to_owned());
        for medium in [Medium::Path(path(name)), stream] {
            let kind = if matches!(medium, Medium::Path(_)) { "file" } else { "stream" };
            let (audio, video) = ends_of_interrupted(medium, &path("out.mov"));
            assert!(video < 8.0, "{name} as a {kind}: the interrupt came in the middle: {video}");
            assert!((audio - video).abs() < 0.1, "{name} as a {kind}: audio ends at {audio}, video at {video}");
        }
    }
}

/// Bytes of a pipe that stays open without saying more, until the user has had enough.
struct Stalled {
    bytes: std::io::Cursor<Vec<u8>>,
    interrupt: CancelToken,
}

impl Read for Stalled {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let count = self.bytes.read(to)?;
        if count == 0 {
            self.interrupt.cancel();
        }
        Ok(count)
    }
}

#[test]
fn an_interrupt_before_the_first_frame_is_an_error() {
    let options = Options::default();
    options.interrupt.cancel();
    let error = open(sample(), options).err().expect("an error").to_string();
    assert!(error.contains("interrupted") && error.contains("bigbuckbunny"), "{error}");
}

#[test]
fn an_interrupt_within_a_packet_is_no_early_end() {
    let folder = tempfile::tempdir().unwrap();
    for (name, options) in [("a.mkv", ""), ("a.ts", ""), ("a.mov", "-movflags frag_keyframe+empty_moov")] {
        ffmpeg(
            folder.path(),
            &format!(
                "-f lavfi -i testsrc2=s=320x180:r=25:d=4 -f lavfi -i sine=d=4 -c:v libx264 -g 25 {options} {name}"
            ),
        );
        let mut bytes = std::fs::read(folder.path().join(name)).unwrap();
        bytes.truncate(bytes.len() * 7 / 10 + 11);
        let options = Options { strict: Strictness::Strict, ..Options::default() };
        let interrupt = options.interrupt.clone();
        let stream = Stalled { bytes: std::io::Cursor::new(bytes), interrupt };
        let mut source = In::open(Medium::Stream(Box::new(stream), name.to_owned()), options).unwrap();
        let (pool, mut count) = (Pool::heap(), 0);
        while source.next_frame(&pool).unwrap_or_else(|error| panic!("{name}: {error:#}")).is_some() {
            count += 1;
        }
        assert!((10..100).contains(&count) && source.defects().warnings.is_empty(), "{name}: {count}");
    }
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
        let format = frames[0].format();
        let pixel = warpreel::libav::Stored::planar(format.pixel).unwrap().name();
        // On the way to planes FFmpeg would take colours of few bits through YUV.
        let middle = if name == "q.avi" { "-vf format=rgb24" } else { "" };
        ffmpeg(
            folder.path(),
            &format!(
                "-i {name} {middle} -fps_mode passthrough -sws_flags accurate_rnd+bitexact+full_chroma_int+full_chroma_inp -pix_fmt {pixel} -f rawvideo out.raw"
            ),
        );
        let bytes = |frame: &Frame| {
            (0..frame.plane_count())
                .flat_map(|p| frame.host().expect("a frame on the host").rows(p).flatten().copied().collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        let found: Vec<u8> = frames.iter().flat_map(bytes).collect();
        let expected = std::fs::read(folder.path().join("out.raw")).unwrap();
        assert_eq!(found.len(), expected.len(), "{name} as {pixel}");
        let wrong = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
        assert!(wrong == 0, "{name} as {pixel}: {wrong} samples of {} differ", found.len());
    }
}

//! Damage in every container that FFmpeg writes here: none is silent, and what is sound is never called damaged.

use super::*;
use warpreel::libav::Strictness;

/// A clip of each container, by its name, its encoder and the codec's own means to find damage.
struct Clip {
    name: &'static str,
    options: &'static str,
    /// Whether a part that is lost at the end is told.
    finds_cut: bool,
    /// Whether zeros in the middle are told.
    finds_zeros: bool,
    /// Whether a single byte is told, as where all data has a checksum.
    finds_byte: bool,
}

const CLIPS: &[Clip] = &[
    clip("h264.mkv", "-c:v libx264 -g 12 -bf 2", true, true).checked(),
    clip("ffv1.mkv", "-c:v ffv1 -level 3 -slicecrc 1 -g 10", true, true).checked(),
    clip("mjpeg.mkv", "-c:v mjpeg", true, true).checked(),
    clip("mpeg4.mkv", "-c:v mpeg4 -g 12", true, true).checked(),
    clip("ffvhuff.mkv", "-c:v ffvhuff", true, true).checked(),
    clip("raw.mkv", "-c:v rawvideo", true, true).checked(),
    clip("h264.mp4", "-c:v libx264 -g 12 -bf 2 -movflags faststart", true, true),
    clip("parts.mp4", "-c:v libx264 -g 12 -movflags frag_keyframe+empty_moov", true, true),
    clip("mpeg4.avi", "-c:v mpeg4 -g 12", true, true),
    clip("ffv1.avi", "-c:v ffv1 -level 3 -slicecrc 1", true, true).checked(),
    clip("mjpeg.avi", "-c:v mjpeg", true, true),
    clip("ffv1.nut", "-c:v ffv1 -level 3 -slicecrc 1 -g 1", true, true).checked(),
    clip("ffvhuff.nut", "-c:v ffvhuff", true, true),
    clip("raw.nut", "-c:v rawvideo", true, true),
    clip("h264.ts", "-c:v libx264 -g 12", true, true),
    clip("mpeg2.ts", "-c:v mpeg2video -g 12", true, true),
    clip("mpeg2.mpg", "-c:v mpeg2video -g 12", true, true),
    clip("mpeg1.mpg", "-c:v mpeg1video -g 12 -f mpeg", true, true),
    clip("mpeg2.vob", "-c:v mpeg2video -g 12", true, true),
    clip("mpeg2.mxf", "-c:v mpeg2video -g 12 -an", true, true),
    clip("flv1.flv", "-c:v flv -g 12 -an", true, true),
    clip("vp8.ivf", "-c:v libvpx -deadline realtime -cpu-used 8 -g 12 -an", true, false),
    clip("theora.ogv", "-c:v libtheora -g 12 -an", true, true),
    clip("wmv2.asf", "-c:v wmv2 -g 12", true, true),
    clip("a.gif", "-an", true, true),
    clip("mjpeg.mjpeg", "-c:v mjpeg -an", false, false),
];

const fn clip(name: &'static str, options: &'static str, finds_cut: bool, finds_zeros: bool) -> Clip {
    Clip { name, options, finds_cut, finds_zeros, finds_byte: false }
}

impl Clip {
    const fn checked(self) -> Self {
        Self { finds_byte: true, ..self }
    }
}

fn file(path: &Path) -> Medium {
    Medium::Path(path.to_owned())
}

/// The file as it comes through a pipe.
fn stream(path: &Path) -> Medium {
    Medium::Stream(Box::new(std::fs::File::open(path).unwrap()), "stdin".to_owned())
}

/// The samples of all frames, and what was wrong; an error of reading is one too.
fn read(medium: Medium, strict: Strictness) -> (Vec<Vec<u8>>, Result<Defects, String>) {
    let mut found = Vec::new();
    let look = || -> Result<Defects> {
        let mut source = In::open(medium, Options { strict, ..Options::default() })?;
        let pool = Pool::heap();
        while let Some(frame) = source.next_frame(&pool)? {
            found.push(frame.host()?.pieces().flatten().copied().collect());
        }
        Ok(source.defects())
    };
    let outcome = look().map_err(|error| format!("{error:#}"));
    (found, outcome)
}

fn is_told(outcome: &Result<Defects, String>) -> bool {
    outcome.as_ref().map_or(true, |defects| !defects.warnings.is_empty())
}

#[test]
fn damage_is_told_in_every_container() {
    let folder = tempfile::tempdir().unwrap();
    let mut silent = Vec::new();
    for Clip { name, options, finds_cut, finds_zeros, finds_byte } in CLIPS {
        let source = "-f lavfi -i testsrc2=s=160x90:r=25:d=3,noise=alls=8:allf=t -f lavfi -i sine=d=3";
        let pixel = if name.ends_with("gif") { "" } else { "-pix_fmt yuv420p" };
        ffmpeg(folder.path(), &format!("{source} {options} {pixel} {name}"));
        let whole = folder.path().join(name);
        let sound = |medium: Medium| {
            let (frames, outcome) = read(medium, Strictness::Strict);
            let defects = outcome.unwrap_or_else(|error| panic!("{name} is sound: {error}"));
            assert!(defects.warnings.is_empty() && frames.len() == 75, "{name}: {} frames, {defects:?}", frames.len());
            frames
        };
        let frames = sound(file(&whole));
        // FFmpeg's reader of GIF goes back to the beginning, which a pipe has for small files alone.
        let comes_through_pipes = !name.ends_with("gif");
        assert!(!comes_through_pipes || sound(stream(&whole)) == frames, "{name} through a pipe");
        let bytes = std::fs::read(&whole).unwrap();
        let spoilt = |kind: &str, change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = bytes.clone();
            change(&mut bytes);
            let path = folder.path().join(format!("{kind}-{name}"));
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let length = bytes.len();
        let (cut, early) = (length * 7 / 10 + 37, length / 9 + 37);
        let cases = [
            (*finds_cut, spoilt("cut", &|bytes| bytes.truncate(cut))),
            // All of it is read while the streams are found.
            (*finds_cut, spoilt("early", &|bytes| bytes.truncate(early))),
            (*finds_zeros, spoilt("zeros", &|bytes| bytes[length / 2..][..length / 50].fill(0))),
            (*finds_zeros, spoilt("many-zeros", &|bytes| bytes[length / 2..][..length / 6].fill(0))),
            (*finds_byte, spoilt("byte", &|bytes| bytes[length * 52 / 100] ^= 0x40)),
        ];
        for (number, (is_found, path)) in cases.into_iter().enumerate() {
            // A cut is told of files and of pipes.
            let media: &[fn(&Path) -> Medium] =
                if number < 2 && comes_through_pipes { &[file, stream] } else { &[file] };
            for (pipe, medium) in media.iter().enumerate() {
                let (got, outcome) = read(medium(&path), Strictness::Lenient);
                if got == frames || !is_found {
                    continue;
                }
                if !is_told(&outcome) || read(medium(&path), Strictness::Strict).1.is_ok() {
                    let pipe = if pipe == 1 { ", through a pipe" } else { "" };
                    silent.push(format!("{path:?}{pipe}: {} of {} frames", got.len(), frames.len()));
                }
            }
        }
    }
    assert!(silent.is_empty(), "damage that is not told: {silent:#?}");
}

/// Files that begin late, that were written live, and of other muxers' options: all of them are sound.
#[test]
fn sound_files_give_no_alarm() {
    let folder = tempfile::tempdir().unwrap();
    for (name, options) in [
        ("late.mkv", "-c:v libx264 -output_ts_offset 5"),
        ("late.mp4", "-c:v libx264 -output_ts_offset 5"),
        ("late.mov", "-c:v mpeg4 -output_ts_offset 5"),
        ("late.nut", "-c:v ffvhuff -output_ts_offset 5"),
        ("late.flv", "-c:v libx264 -c:a aac -output_ts_offset 5"),
        ("late.asf", "-c:v wmv2 -output_ts_offset 5"),
        ("live.mkv", "-c:v libx264 -live 1"),
        ("sound.webm", "-c:v libvpx -deadline realtime -cpu-used 8 -c:a libopus"),
        ("no-sums.mkv", "-c:v mjpeg -write_crc32 0"),
        ("long.mkv", "-c:v rawvideo -cluster_time_limit 30000"),
        ("space.mkv", "-c:v mpeg4 -reserve_index_space 4096 -cues_to_front 1"),
        ("both.flv", "-c:v flv -c:a mp3 -ar 44100"),
        ("sound.mxf", "-c:v mpeg2video -g 12 -c:a pcm_s16le -ar 48000"),
        ("sound.asf", "-c:v mpeg4 -c:a mp3"),
    ] {
        let source = "-f lavfi -i testsrc2=s=160x90:r=25:d=3 -f lavfi -i sine=d=3";
        ffmpeg(folder.path(), &format!("{source} -pix_fmt yuv420p {options} {name}"));
        let path = folder.path().join(name);
        let (frames, outcome) = read(file(&path), Strictness::Strict);
        let defects = outcome.unwrap_or_else(|error| panic!("{name} is sound: {error}"));
        assert!(defects.warnings.is_empty() && frames.len() == 75, "{name}: {} frames, {defects:?}", frames.len());
        // From the middle on too, where FFmpeg's reader seeks.
        let start = Some(std::time::Duration::from_millis(1700));
        let options = Options { strict: Strictness::Strict, start, ..Options::default() };
        let mut source = open(&path, options).unwrap_or_else(|error| panic!("{name} from 1.7 s: {error:#}"));
        let pool = Pool::heap();
        while source.next_frame(&pool).unwrap_or_else(|error| panic!("{name} from 1.7 s: {error:#}")).is_some() {}
        assert!(source.defects().warnings.is_empty(), "{name} from 1.7 s: {:?}", source.defects());
    }
}

#[test]
fn lost_frames_are_repeated_where_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    for (name, options) in [
        ("a.mkv", "-c:v libx264 -g 12 -bf 2"),
        ("a.mp4", "-c:v mpeg4 -g 12 -movflags faststart"),
        ("a.ts", "-c:v libx264 -g 12 -bf 2"),
        ("a.nut", "-c:v ffvhuff"),
        ("a.mov", "-c:v mpeg4 -g 12 -movflags faststart"),
    ] {
        let source = "-f lavfi -i testsrc2=s=160x90:r=25:d=3,noise=alls=8:allf=t -f lavfi -i sine=d=3";
        ffmpeg(folder.path(), &format!("{source} {options} -pix_fmt yuv420p {name}"));
        let path = folder.path().join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let length = bytes.len();
        bytes[length / 2..][..length / 5].fill(0);
        std::fs::write(&path, bytes).unwrap();
        let read = |conceal| {
            let options = Options { conceal, salvage: Salvage::On, ..Options::default() };
            let mut source = open(&path, options).unwrap();
            let pool = Pool::heap();
            let mut times = Vec::new();
            while let Some(frame) = source.next_frame(&pool).unwrap() {
                assert_eq!(frame.timing.number, times.len() as u64, "{name}");
                times.push(frame.timing.pts as f64 * source.format().time_base.value().unwrap());
            }
            (times, source.defects())
        };
        let (times, defects) = read(Concealing::Off);
        assert!(defects.lost_frames > 0 && defects.repeated_frames == 0, "{name}: {defects:?}");
        assert!(defects.warnings.iter().any(|line| line.contains("are lost") && line.contains(" s:")), "{defects:?}");
        let gap = |times: &[f64]| times.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        assert!(gap(&times) > 0.06, "{name}: {times:?}");
        let (filled, defects) = read(Concealing::On);
        assert!(defects.repeated_frames > 0, "{name}: {defects:?}");
        assert!(gap(&filled) < 0.06, "{name}: {filled:?}");
        assert_eq!(filled.len() as u64, times.len() as u64 + defects.repeated_frames, "{name}");
        assert!(times.iter().all(|time| filled.contains(time)), "{name}");
    }
}

/// A cluster of Matroska whose time is damaged, hours ahead: its frames follow the frame before where the header says how long
/// the clip is, and else a minute is filled.
#[test]
fn a_damaged_time_is_not_filled_for_hours() {
    let folder = tempfile::tempdir().unwrap();
    for (name, options) in [("a.mkv", ""), ("live.mkv", "-live 1")] {
        let source = "-f lavfi -i testsrc2=s=160x90:r=25:d=3 -f lavfi -i sine=d=3 -output_ts_offset 70";
        ffmpeg(
            folder.path(),
            &format!("{source} -c:v mjpeg -pix_fmt yuvj420p -cluster_time_limit 500 {options} {name}"),
        );
        let path = folder.path().join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let clusters: Vec<usize> =
            bytes.windows(4).enumerate().filter(|(_, id)| id == b"\x1f\x43\xb6\x75").map(|(at, _)| at).collect();
        let middle = clusters[clusters.len() / 2];
        // Element E7 of three bytes: the time of the cluster in milliseconds.
        let time = middle + bytes[middle..].windows(2).position(|id| id == [0xe7, 0x83]).unwrap() + 2;
        bytes[time] = 0x70;
        std::fs::write(&path, bytes).unwrap();
        let options = Options { conceal: Concealing::On, salvage: Salvage::On, ..Options::default() };
        let (times, defects) = count(&path, options).unwrap();
        assert!(defects.warnings.iter().all(|line| line.len() < 250), "{defects:?}");
        let line = |part: &str| defects.warnings.iter().any(|line| line.contains(part));
        if name == "a.mkv" {
            assert!(times.len() < 85 && *times.last().unwrap() < 4_000, "{} frames, {defects:?}", times.len());
            assert!(line("behind the end of the clip; it is shown after the frame before"), "{defects:?}");
        } else {
            assert!((1500..1600).contains(&defects.repeated_frames), "{defects:?}");
            assert!(line(" s after them stay a gap"), "{defects:?}");
        }
    }
}

/// Images of a sequence, of which one is replaced.
fn images(folder: &Path, ending: &str) -> PathBuf {
    ffmpeg(folder, &format!("-f lavfi -i testsrc2=s=64x36:r=25:d=0.48 -start_number 1 f%02d.{ending}"));
    folder.join(format!("f%02d.{ending}"))
}

fn count(pattern: &Path, options: Options) -> Result<(Vec<i64>, Defects), String> {
    let look = || -> Result<(Vec<i64>, Defects)> {
        let mut source = open(pattern, options)?;
        let pool = Pool::heap();
        let mut times = Vec::new();
        while let Some(frame) = source.next_frame(&pool)? {
            times.push(frame.timing.pts);
        }
        Ok((times, source.defects()))
    };
    look().map_err(|error| format!("{error:#}"))
}

/// An image that cannot be read is an error that names it. With `--salvage` it is left out, with `--conceal` the image before
/// it is repeated.
#[test]
fn images_that_cannot_be_read_do_not_end_the_clip() {
    let strict = Options { strict: Strictness::Strict, ..Options::default() };
    let salvage = Options { salvage: Salvage::On, ..Options::default() };
    let conceal = Options { conceal: Concealing::On, ..Options::default() };
    for ending in ["png", "jpg", "bmp", "tiff", "ppm", "dpx", "tga", "exr", "jp2", "sgi", "pgm"] {
        let folder = tempfile::tempdir().unwrap();
        let pattern = images(folder.path(), ending);
        let whole = count(&pattern, strict.clone()).unwrap_or_else(|error| panic!("{ending}: {error}"));
        assert_eq!((whole.0.len(), whole.1.warnings.len()), (12, 0), "{ending}");
        let path = |number: usize| folder.path().join(format!("f{number:02}.{ending}"));
        let sound = std::fs::read(path(7)).unwrap();
        let wrong: [(&str, &[u8]); 3] =
            [("empty", &[]), ("text", b"no image"), ("short", &sound[..sound.len() * 2 / 5])];
        for (kind, bytes) in wrong {
            std::fs::write(path(7), bytes).unwrap();
            // What is missing of an OpenEXR image is black, and its decoder says nothing.
            if (ending, kind) == ("exr", "short") {
                continue;
            }
            for options in [Options::default(), strict.clone()] {
                let error = count(&pattern, options).expect_err(&format!("{ending} {kind} is read"));
                assert!(error.contains(&format!("f07.{ending}")), "{ending} {kind}: {error}");
            }
            let (times, defects) = count(&pattern, salvage.clone()).unwrap_or_else(|e| panic!("{ending} {kind}: {e}"));
            assert!(times.len() >= 11 && times.last() == Some(&11), "{ending} {kind}: {times:?}");
            assert!(!defects.warnings.is_empty(), "{ending} {kind}");
            let (times, _) = count(&pattern, conceal.clone()).unwrap_or_else(|e| panic!("{ending} {kind}: {e}"));
            assert_eq!(times, (0..12).collect::<Vec<i64>>(), "{ending} {kind}");
        }
        // Two at once, and the last.
        for number in [7, 8, 12] {
            std::fs::write(path(number), "").unwrap();
        }
        let (times, _) = count(&pattern, salvage.clone()).unwrap();
        assert_eq!(times, [0, 1, 2, 3, 4, 5, 8, 9, 10], "{ending}");
        let (times, defects) = count(&pattern, conceal.clone()).unwrap();
        assert_eq!((times, defects.repeated_frames), ((0..11).collect::<Vec<i64>>(), 2), "{ending}");
        // A number that is missing, and the first image.
        std::fs::remove_file(path(7)).unwrap();
        std::fs::remove_file(path(8)).unwrap();
        let (times, _) = count(&pattern, conceal.clone()).unwrap();
        assert_eq!(times, (0..11).collect::<Vec<i64>>(), "{ending}");
        std::fs::write(path(1), "").unwrap();
        let error = count(&pattern, strict.clone()).expect_err("an error");
        assert!(error.contains("image number 1") || error.contains("f01"), "{ending}: {error}");
        assert!(count(&pattern, conceal.clone()).unwrap().0.len() >= 9, "{ending}");
        // Another size is an error that names the file, whatever is asked for.
        std::fs::write(path(1), &sound).unwrap();
        ffmpeg(folder.path(), &format!("-f lavfi -i testsrc2=s=32x18:r=25:d=0.04 -update 1 f03.{ending}"));
        let error = count(&pattern, salvage.clone()).expect_err("an error");
        assert!(error.contains(&format!("f03.{ending}")) && error.contains("32x18"), "{ending}: {error}");
    }
}

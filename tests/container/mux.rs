//! What containers refuse, and what then becomes of it: streams, times, opacity, odd sides, several files.

use super::*;
use crate::program::Bench;
use warpreel::job::{StreamSelection, Wishes};
use warpreel::libav::Strictness;

fn strict() -> Encoding {
    Encoding { strict: Strictness::Strict, ..Encoding::default() }
}

fn failure(from: &Path, to: &Path, encoding: &Encoding) -> String {
    format!("{:#}", pass(from, Options::default(), to, encoding).map(|_| ()).unwrap_err())
}

fn probe(folder: &Path, entries: &str, name: &str) -> String {
    ffprobe(folder, &format!("-show_entries {entries} -of csv=p=0 {name}")).trim().replace('\n', " ")
}

const CLIP: &str = "-f lavfi -i testsrc2=s=64x36:r=25:d=0.4";

#[test]
fn sound_that_a_container_refuses_is_converted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let clip = format!("{CLIP} -f lavfi -i sine=d=0.4 -c:v libx264");
    ffmpeg(folder.path(), &format!("{clip} -c:a aac aac.mp4"));
    ffmpeg(folder.path(), &format!("{clip} -c:a flac flac.mkv"));
    for (from, to, codec) in [
        ("aac.mp4", "a.ogv", "vorbis"),
        ("aac.mp4", "a.ogg", "vorbis"),
        ("aac.mp4", "a.mpg", "mp2"),
        ("aac.mp4", "a.mpeg", "mp2"),
        ("aac.mp4", "a.vob", "mp2"),
        ("flac.mkv", "a.mov", "aac"),
    ] {
        let (count, _) = pass(&path(from), Options::default(), &path(to), &strict())
            .unwrap_or_else(|error| panic!("{from} to {to}: {error:#}"));
        // libtheora writes nothing for a picture that stays what it was.
        let is_theora = to.starts_with("a.og");
        assert!(count == 10 && (is_theora || times(&path(to), "v").len() == 10), "{to}");
        assert_eq!(
            probe(folder.path(), "stream=codec_name -select_streams a", to).split(' ').next(),
            Some(codec),
            "{to}"
        );
        let copy = Wishes { audio: StreamSelection::Copy, ..Wishes::default() };
        let message = failure(&path(from), &path(to), &Encoding { wishes: copy, ..Encoding::default() });
        let wanted = format!("stream 1 (audio, {}) cannot be written", from.split('.').next().unwrap());
        assert!(message.contains(&wanted) && message.contains("take .mkv, or convert it"), "{to}: {message}");
    }
    for to in ["b.mp4", "b.ogv"] {
        pass(&path("flac.mkv"), Options::default(), &path(to), &strict()).unwrap();
        let packets = |name: &str| sums(&framemd5(folder.path(), &format!("-i {name} -map 0:a -c copy")));
        assert_eq!(packets("flac.mkv"), packets(to), "{to}");
    }
}

#[test]
fn subtitles_without_a_place_have_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("s.srt"), "1\n00:00:00,000 --> 00:00:00,300\nhi\n").unwrap();
    ffmpeg(folder.path(), &format!("{CLIP} -i s.srt -map 0 -map 1 -c:v libx264 -c:s subrip in.mkv"));
    ffmpeg(folder.path(), &format!("{CLIP} -i s.srt -map 0 -map 1 -c:v libx264 -c:s mov_text in.mp4"));
    for (from, to, able) in [("in.mkv", "a.avi", "take .mkv"), ("in.mp4", "a.ts", "take .mp4")] {
        let message = failure(&path(from), &path(to), &Encoding::default());
        assert!(message.contains(able) && message.contains("--drop 1"), "{message}");
    }
}

#[test]
fn containers_of_several_files_are_refused() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2", "in.mkv"]);
    for (name, arguments) in [
        ("hls", &["in.mkv", "a.m3u8"][..]),
        ("dash", &["in.mkv", "a.mpd"]),
        ("segment", &["in.mkv", "a%d.ts", "--container", "segment"]),
        ("tee", &["in.mkv", "a.mp4", "--container", "tee"]),
    ] {
        let error = bench.fail(arguments);
        for word in [name, ".mp4 or .ts", "--container nut - | ffmpeg -i - "] {
            assert!(error.contains(word), "{error}");
        }
    }
    assert_eq!(bench.names(), ["in.mkv"]);
}

#[test]
fn mxf_has_the_nominal_rate() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (rate, wanted) in [("25", "25/1"), ("30000/1001", "30000/1001"), ("12", "12/1")] {
        ffmpeg(folder.path(), &format!("-f lavfi -i testsrc2=s=64x36:r={rate}:d=1 -c:v libx264 -bf 2 in.mp4"));
        let (count, _) = pass(&path("in.mp4"), Options::default(), &path("out.mxf"), &strict()).unwrap();
        let read = probe(folder.path(), "stream=r_frame_rate,nb_read_frames -count_frames", "out.mxf");
        assert!(read.contains(&format!("{wanted},{count}")), "{read}");
    }
}

#[test]
fn times_that_are_not_kept_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    ffmpeg(
        folder.path(),
        "-f lavfi -i testsrc2=s=64x36:r=25:d=1 -vf settb=1/90000,setpts=N*N*40+N*1200,format=rgb24 -fps_mode passthrough -enc_time_base 1:90000 -c:v ffv1 -level 1 vfr.mkv",
    );
    ffmpeg(
        folder.path(),
        "-itsoffset 0.013 -f lavfi -i testsrc2=s=64x36:r=30000/1001:d=1 -f lavfi -i sine=d=1 -vf format=bgr0 -c:v ffv1 -level 1 -c:a mp3 cfr.mkv",
    );
    for (out, codec) in [("a.avi", "ffv1"), ("%03d.png", "png"), ("a.mxf", "jpeg2000")] {
        let encoding = Encoding { codec: Some(codec.into()), ..Encoding::default() };
        pass(&path("vfr.mkv"), Options::default(), &path(out), &encoding).unwrap();
        // Some versions find a rate of 1000 frames a second in such a clip, at which avi and lists keep every time.
        let times = |name| probe(folder.path(), "packet=pts_time", name);
        if out == "a.avi" && times(out) == times("vfr.mkv") {
            continue;
        }
        let message = failure(&path("vfr.mkv"), &path(out), &Encoding { strict: Strictness::Strict, ..encoding });
        assert!(message.contains("which keep times, or leave out --strict"), "{out}: {message}");
    }
    let encoding = Encoding { codec: Some("ffv1".into()), ..strict() };
    pass(&path("cfr.mkv"), Options::default(), &path("b.avi"), &encoding).unwrap();
    pass(&path("vfr.mkv"), Options::default(), &path("b.mkv"), &encoding).unwrap();

    let bench = Bench::new();
    let clip = path("vfr.mkv").display().to_string();
    for out in ["a.raw", "hash:a", "hash:"] {
        let warned = String::from_utf8(bench.warpreel(&[&clip, out, "-y"]).stderr).unwrap();
        if out.starts_with("hash:") && warned.contains("at 1000 fps") {
            continue;
        }
        assert!(warned.contains("warning: ") && warned.contains("which keep times"), "{out}: {warned}");
        assert!(bench.fail(&[&clip, out, "-y", "--strict"]).contains("or leave out --strict"), "{out}");
    }
    bench.ffmpeg(&[
        "-i",
        &clip,
        "-fps_mode",
        "passthrough",
        "-pix_fmt",
        "yuv420p",
        "-c:v",
        "ffv1",
        "-level",
        "1",
        "a.mkv",
    ]);
    assert!(bench.fail(&["a.mkv", "a.y4m", "--strict"]).contains("or leave out --strict"));
    bench.pass(&["a.mkv", "a.y4m"]);
}

#[test]
fn opacity_beside_the_packets_comes_along() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let picture = "testsrc2=s=64x36:r=25:d=0.4,format=yuva420p,geq=lum=X*3:cb=128:cr=Y*5:a=X*4";
    ffmpeg(folder.path(), &format!("-f lavfi -i {picture} -c:v libvpx-vp9 -lossless 1 vp9.webm"));
    ffmpeg(folder.path(), &format!("-f lavfi -i {picture} -c:v libvpx -b:v 1M -auto-alt-ref 0 vp8.webm"));
    for (name, codec) in [("vp9.webm", "libvpx-vp9"), ("vp8.webm", "libvpx")] {
        let wanted = sums(&framemd5(folder.path(), &format!("-c:v {codec} -i {name}")));
        pass(&path(name), Options::default(), &path("a.mkv"), &lossless()).unwrap();
        assert_eq!(wanted, sums(&framemd5(folder.path(), "-i a.mkv")), "{name}");
        let encoding = Encoding { codec: Some(codec.into()), ..Encoding::default() };
        pass(&path(name), Options::default(), &path("b.webm"), &encoding).unwrap();
        let again = frames(path("b.webm"), Options::default()).unwrap();
        assert!(again.len() == 10 && again.iter().all(|frame| frame.format().pixel.name() == "yuva420p"), "{name}");
    }
    pass(&path("vp9.webm"), Options::default(), &path("c.webm"), &lossless()).unwrap();
    let sums = |name: &str| sums(&framemd5(folder.path(), &format!("-c:v libvpx-vp9 -i {name}")));
    assert_eq!(sums("vp9.webm"), sums("c.webm"));
    // What keeps no opacity does not say that it does.
    for (name, codec) in [("d.mp4", "libvpx-vp9"), ("d.mkv", "libx264"), ("e.webm", "libvpx-vp9")] {
        let pix_fmt = (name == "e.webm").then(|| "yuv420p".to_owned());
        let encoding = Encoding { codec: Some(codec.into()), pix_fmt, ..Encoding::default() };
        pass(&path("vp9.webm"), Options::default(), &path(name), &encoding).unwrap();
        let tags = probe(folder.path(), "stream_tags", name).to_lowercase();
        let pixel = frames(path(name), Options::default()).unwrap()[0].format().pixel.name();
        assert!(pixel == "yuv420p" && !tags.contains("alpha"), "{name}: {pixel}, {tags}");
        assert!(!probe(folder.path(), "stream_tags=alpha_mode", name).contains('1'), "{name}");
    }
    let message = failure(&path("vp9.webm"), &path("f.mp4"), &Encoding { codec: Some("vp9".into()), ..strict() });
    assert!(message.contains("loses opacity"), "{message}");
}

#[test]
fn odd_sides_have_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for pixel in ["yuv420p", "yuv420p10le"] {
        let picture = "testsrc2=s=134x126:r=25:d=0.12,scale=133:127";
        ffmpeg(folder.path(), &format!("-f lavfi -i {picture} -pix_fmt {pixel} -c:v ffv1 in.mkv"));
        for (out, codec) in [
            ("a.mp4", "libx264"),
            ("a.mp4", "libx265"),
            ("a.mkv", "libx264"),
            ("a.mov", "libx264"),
            ("a.ts", "libx264"),
        ] {
            let base = Encoding { codec: Some(codec.into()), strict: Strictness::Strict, ..quick() };
            let message = failure(&path("in.mkv"), &path(out), &base);
            let (_, ways) = message.rsplit_once("for odd sides add ").unwrap_or_else(|| panic!("{out}: {message}"));
            for way in ways.split(" or ") {
                let encoding = match way.rsplit_once(' ').unwrap() {
                    ("--pix-fmt", name) => Encoding { pix_fmt: Some(name.into()), ..base.clone() },
                    ("--codec", name) => Encoding { codec: Some(name.into()), ..Encoding::default() },
                    _ => panic!("{message}"),
                };
                let passed = pass(&path("in.mkv"), Options::default(), &path(out), &encoding);
                assert_eq!(passed.unwrap_or_else(|error| panic!("{out} {way}: {error:#}")).0, 3);
                assert_eq!(
                    probe(folder.path(), "stream=width,height -select_streams v", out).split_whitespace().next(),
                    Some("133,127")
                );
            }
            assert_eq!(ways.contains("--codec ffv1"), out == "a.mkv", "{message}");
        }
    }
}

#[test]
fn numbered_webp_files_are_stills() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    ffmpeg(folder.path(), &format!("{CLIP} -c:v libx264 in.mp4"));
    pass(&path("in.mp4"), Options::default(), &path("%02d.webp"), &Encoding::default()).unwrap();
    for number in 1..=10 {
        assert_eq!(frames(path(&format!("{number:02}.webp")), Options::default()).unwrap().len(), 1);
    }
    pass(&path("in.mp4"), Options::default(), &path("film.webp"), &Encoding::default()).unwrap();
    assert!(std::fs::read(path("film.webp")).unwrap().windows(4).any(|word| word == b"ANIM"));
}

#[test]
fn a_rate_of_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    ffmpeg(folder.path(), &format!("{CLIP} -c:v libx264 in.mp4"));
    for rate in ["0", "0k", "0.0M", "-5M"] {
        let message = failure(&path("in.mp4"), &path("a.mp4"), &Encoding { bitrate: Some(rate.into()), ..quick() });
        assert!(message.contains(&format!("--bitrate {rate} is not a bit rate; type --bitrate 5M")), "{message}");
    }
    pass(&path("in.mp4"), Options::default(), &path("a.mp4"), &Encoding { bitrate: Some("0.5M".into()), ..quick() })
        .unwrap();
}

#[test]
fn addresses_of_other_schemes_are_left_to_ffmpeg() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), "YUV4MPEG2 W1 H1 F25:1 Cmono\nFRAME\nz").unwrap();
    let error = bench.fail(&["gopher://localhost/a.mp4", "null:"]);
    assert!(error.contains("ffmpeg -i gopher://localhost/a.mp4 -c copy -f nut - | warpreel -"), "{error}");
    let error = bench.fail(&["in.y4m", "icecast://localhost/live"]);
    assert!(error.contains("is none of http,") && error.contains("--container nut - | ffmpeg -i -"), "{error}");
    let error = bench.refuse(&["in.y4m", "hash:http://localhost/a"]);
    assert!(error.contains("type hash:FILE"), "{error}");
    // A name is only a name where it stands for something.
    std::fs::create_dir_all(bench.path("a:/b")).unwrap();
    std::fs::copy(bench.path("in.y4m"), bench.path("a:/b/in.y4m")).unwrap();
    bench.pass(&["a://b/in.y4m", "null:"]);
}

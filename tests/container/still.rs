//! Outputs that are pictures: GIF with colours of its own, one still, pictures one after the other through a pipe.

use crate::program::{Bench, checksums};

/// The first frame of a clip as packed RGB.
fn first(bench: &Bench, name: &str, pixel: &str) -> Vec<u8> {
    bench.ffmpeg(&["-i", name, "-frames:v", "1", "-pix_fmt", pixel, "-f", "rawvideo", "-"])
}

/// The mean squared difference of two pictures.
fn error(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum::<f64>() / one.len() as f64
}

#[test]
fn gif_has_colours_of_its_own() {
    let bench = Bench::new();
    let slope = "gradients=s=128x96:r=10:d=0.3:n=3:c0=navy:c1=teal:c2=olive:seed=3";
    bench.ffmpeg(&["-f", "lavfi", "-i", slope, "-c:v", "ffv1", "-pix_fmt", "bgr0", "-level", "1", "slope.mkv"]);
    bench.pass(&["slope.mkv", "own.gif"]);
    bench.pass(&["slope.mkv", "fixed.gif", "--pix-fmt", "bgr8"]);
    let wanted = first(&bench, "slope.mkv", "rgb24");
    let (own, fixed) =
        (error(&first(&bench, "own.gif", "rgb24"), &wanted), error(&first(&bench, "fixed.gif", "rgb24"), &wanted));
    assert!(own < fixed / 5.0 && own < 60.0, "{own}, with fixed colours {fixed}");
    let count = ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", "own.gif"];
    assert_eq!(bench.run("ffprobe", &count, b"").stdout.trim_ascii(), b"3");
}

#[test]
fn gif_keeps_few_colours_and_holes() {
    let bench = Bench::new();
    // Other colours in the middle.
    let scenes = "color=red:s=32x32:r=10:d=0.2,split[a][c];smptehdbars=s=32x32:r=10:d=0.2[b];\
                  [a][b][c]concat=n=3,format=rgb24";
    bench.ffmpeg(&["-f", "lavfi", "-i", scenes, "p%d.png"]);
    bench.pass(&["p%d.png", "a.gif"]);
    let frames = |name: &str| {
        let listing = bench.ffmpeg(&["-i", name, "-pix_fmt", "rgb24", "-f", "framemd5", "-"]);
        checksums(&listing).iter().map(|line| line.rsplit(',').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(frames("a.gif"), frames("p%d.png"));
    let hole = "color=red:s=32x32:r=10:d=0.1,format=rgba,geq=r='r(X,Y)':g=0:b=0:a='if(lt(X,16),0,255)'";
    bench.ffmpeg(&["-f", "lavfi", "-i", hole, "hole%d.png"]);
    bench.pass(&["hole%d.png", "b.gif"]);
    let found = first(&bench, "b.gif", "rgba");
    assert_eq!((found[3], &found[4 * 31..4 * 32]), (0, &[255, 0, 0, 255][..]));
}

#[test]
fn one_still_holds_one_frame() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2", "-c:v", "libx264", "in.mp4"]);
    bench.pass(&["in.mp4", "out.png", "--frames", "1"]);
    bench.pass(&["in.mp4", "out.jpg", "--start", "0.16"]);
    assert_eq!(first(&bench, "out.png", "gray").len(), 64 * 36);
    let error = bench.fail(&["in.mp4", "more.png"]);
    assert!(error.contains("--frames 1") && error.contains("%04d.png"), "{error}");
    assert_eq!(bench.names(), ["in.mp4", "out.jpg", "out.png"]);
}

#[test]
fn pictures_go_through_a_pipe_one_after_the_other() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.2", "-c:v", "libx264", "in.mp4"]);
    for (codec, demuxer) in [(&["--codec", "png"][..], "png_pipe"), (&[], "jpeg_pipe")] {
        let bytes = bench.pass(&[&["in.mp4", "-", "--container", "image2pipe"], codec].concat());
        let listing = bench.run("ffmpeg", &["-v", "error", "-f", demuxer, "-i", "-", "-f", "framemd5", "-"], &bytes);
        assert_eq!(checksums(&listing.stdout).len(), 5, "{demuxer}");
    }
}

/// Players show delays of a hundredth for a tenth.
#[test]
fn gif_of_a_high_rate_keeps_its_times() {
    let bench = crate::program::Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x48:r=60:d=1", "-c:v", "ffv1", "in.mkv"]);
    let output = bench.warpreel(&["in.mkv", "out.gif"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && said.matches("GIF shows at most 50 frames a second").count() == 1, "{said}");
    let entries = ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", "-min_delay", "0", "out.gif"];
    let times = String::from_utf8(bench.run("ffprobe", &entries, b"").stdout).unwrap();
    let times: Vec<f64> = times.lines().map(|line| line.trim_end_matches(',').parse().unwrap()).collect();
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] > 0.0199), "{times:?}");
    assert!(times.len() > 35 && *times.last().unwrap() > 0.94, "{times:?}");
    // Each picture is that of its time.
    let sum = |name: &str, time: f64| {
        let at = format!("{time}");
        let picture =
            ["-ss", &at, "-i", name, "-frames:v", "1", "-vf", "scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo", "-"];
        bench.ffmpeg(&picture)[0]
    };
    assert!(sum("out.gif", 0.5).abs_diff(sum("in.mkv", 0.5)) < 4);
}

/// A block of EXIF in big-endian order: a camera, an orientation, 300 x 300 pixels an inch, an artist, and a time of exposure.
fn exif(orientation: u16) -> Vec<u8> {
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value.to_be_bytes()].concat()
    };
    let mut block = b"MM\0*\0\0\0\x08\0\x07".to_vec();
    block.extend(entry(271, 2, 6, 98));
    block.extend(entry(274, 3, 1, u32::from(orientation) << 16));
    block.extend(entry(282, 5, 1, 104));
    block.extend(entry(283, 5, 1, 104));
    block.extend(entry(296, 3, 1, 2 << 16));
    block.extend(entry(315, 2, 8, 112));
    block.extend(entry(0x8769, 4, 1, 120));
    block.extend([0; 4]);
    assert_eq!(block.len(), 98);
    block.extend(b"Canon\0\0\0\x01\x2C\0\0\0\x01A. Nobo\0");
    block.extend(b"\0\x01");
    block.extend(entry(0x829A, 5, 1, 138));
    block.extend(b"\0\0\0\0\0\0\0\x01\0\0\0\xC8");
    block
}

/// A JPEG with a block of EXIF.
fn write_photo(bench: &Bench, name: &str, orientation: u16) {
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.04", "-pix_fmt", "yuvj444p", "-q:v", "1", name]);
    let jpeg = std::fs::read(bench.path(name)).unwrap();
    let block = [b"Exif\0\0".to_vec(), exif(orientation)].concat();
    let length = u16::try_from(block.len() + 2).unwrap().to_be_bytes();
    let photo = [&jpeg[..2], &[0xFF, 0xE1], &length, &block, &jpeg[2..]].concat();
    std::fs::write(bench.path(name), photo).unwrap();
}

/// What FFmpeg reads of a still's camera data.
fn camera(bench: &Bench, name: &str) -> String {
    let entries = ["-v", "error", "-show_entries", "frame_tags", "-of", "default", name];
    String::from_utf8(bench.run("ffprobe", &entries, b"").stdout).unwrap()
}

/// Camera data and resolution go through every format that holds them, and the orientation is applied once.
#[test]
fn camera_data_stay() {
    let bench = Bench::new();
    write_photo(&bench, "in.jpg", 6);
    let wanted = bench.ffmpeg(&["-i", "in.jpg", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]);
    for (from, to) in [("in.jpg", "a.png"), ("a.png", "b.tif"), ("b.tif", "c.webp"), ("c.webp", "d.jpg")] {
        bench.pass(&[from, to]);
    }
    bench.pass(&["in.jpg", "e.jpg"]);
    for name in ["c.webp", "d.jpg", "e.jpg"] {
        let found = camera(&bench, name);
        for fact in ["Make=Canon", "Artist=A. Nobo", "XResolution=    300:1", "ExposureTime=      1:200"] {
            assert!(found.contains(fact), "{name}: {found}");
        }
        let turned = found.matches("Orientation=").count() - found.matches("Orientation=    1").count();
        assert_eq!(turned, 0, "{name}: {found}");
    }
    assert!(camera(&bench, "b.tif").contains("artist=A. Nobo"));
    // The block is that of the input but for the orientation.
    let png = std::fs::read(bench.path("a.png")).unwrap();
    let (upright, block) = (exif(1), b"eXIf");
    let at = png.windows(4).position(|kind| kind == block).unwrap() + 4;
    assert_eq!(&png[at..at + upright.len()], upright);
    // 300 pixels an inch are 11811 a metre.
    let at = png.windows(4).position(|kind| kind == b"pHYs").unwrap() + 4;
    assert_eq!(&png[at..at + 9], [&11811u32.to_be_bytes()[..], &11811u32.to_be_bytes(), &[1]].concat());
    let jpeg = std::fs::read(bench.path("e.jpg")).unwrap();
    assert_eq!(&jpeg[..18], b"\xFF\xD8\xFF\xE0\0\x10JFIF\0\x01\x02\x01\x01\x2C\x01\x2C");
    for name in ["a.png", "b.tif", "e.jpg"] {
        let size = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", name];
        assert_eq!(bench.run("ffprobe", &size, b"").stdout.trim_ascii(), b"36,64", "{name}");
        assert!(error(&first(&bench, name, "rgb24"), &wanted) < 20.0, "{name}");
    }
}

/// FFmpeg 5.1 turns JPEG alone; viewers turn the others too.
#[test]
fn every_orientation_of_every_format_is_applied() {
    let bench = Bench::new();
    let filters = ["null", "hflip", "hflip,vflip", "vflip", "transpose=0", "transpose=1", "transpose=3", "transpose=2"];
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=0.04,format=rgb24", "plain.png"]);
    let png = std::fs::read(bench.path("plain.png")).unwrap();
    for (filter, orientation) in filters.iter().zip(1..) {
        let block = exif(orientation);
        let length = u32::try_from(block.len()).unwrap().to_be_bytes();
        let check = crc32(&[&b"eXIf"[..], &block].concat()).to_be_bytes();
        let photo = [&png[..33], &length, b"eXIf", &block, &check, &png[33..]].concat();
        std::fs::write(bench.path("in.png"), photo).unwrap();
        bench.pass(&["in.png", "out.png", "-y"]);
        let wanted = bench.ffmpeg(&["-i", "plain.png", "-vf", filter, "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]);
        assert_eq!(first(&bench, "out.png", "rgb24"), wanted, "orientation {orientation}");
    }
}

/// The checksum of PNG's chunks.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & 0u32.wrapping_sub(crc & 1)))
    })
}

/// Each image of a sequence has its own; a format without a place for it loses it with one line.
#[test]
fn camera_data_of_sequences_and_losses() {
    let bench = Bench::new();
    for (number, artist) in [(1, b"Nobody"), (2, b"Another"[..6].try_into().unwrap())] {
        let name = format!("in{number}.jpg");
        write_photo(&bench, &name, 1);
        let photo = std::fs::read(bench.path(&name)).unwrap();
        let at = photo.windows(7).position(|part| part == b"A. Nobo").unwrap();
        std::fs::write(bench.path(&name), [&photo[..at], &artist[..], &photo[at + 6..]].concat()).unwrap();
    }
    bench.pass(&["in%d.jpg", "out%d.jpg", "-f", "tmix=3"]);
    assert!(camera(&bench, "out1.jpg").contains("Artist=Nobody"));
    assert!(camera(&bench, "out2.jpg").contains("Artist=Anothe"));
    let said = String::from_utf8(bench.warpreel(&["in%d.jpg", "out%d.bmp"]).stderr).unwrap();
    assert_eq!(said.matches("EXIF of the image is dropped: bmp").count(), 1, "{said}");
    let bmp = std::fs::read(bench.path("out1.bmp")).unwrap();
    assert_eq!(&bmp[38..42], &11811u32.to_le_bytes());
    let said = String::from_utf8(bench.warpreel(&["in1.jpg", "out.gif"]).stderr).unwrap();
    assert!(said.contains("EXIF, 300 dpi of the image are dropped: gif"), "{said}");
    let plan = String::from_utf8(bench.pass(&["explain", "in1.jpg", "new.png"])).unwrap();
    assert!(plan.contains("image (EXIF, 300 dpi): copied"), "{plan}");
}

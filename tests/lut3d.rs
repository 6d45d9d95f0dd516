//! Tables of colours from files, through the program: FFmpeg's bytes, what YUV clips keep, parts of clips, and files that are none.

use std::fs;

use crate::agreement::Random;
use crate::program::Bench;

/// A random table of some points a side, as a .cube file.
fn cube(random: &mut Random, size: usize, head: &str, low: f32, high: f32) -> String {
    let mut text = format!("# made up\nTITLE \"any\"\nLUT_3D_SIZE {size}\n{head}\n");
    for _ in 0..size * size * size {
        let [r, g, b] = [(); 3].map(|()| random.real(low, high));
        text += &format!("{r:.6} {g:.6} {b:.6}\n");
    }
    text
}

/// A table that changes nothing.
fn identity(size: usize) -> String {
    let mut text = format!("LUT_3D_SIZE {size}\n");
    let part = |place: usize| place as f64 / (size - 1) as f64;
    for place in 0..size * size * size {
        let [r, g, b] = [place % size, place / size % size, place / size / size].map(part);
        text += &format!("{r:.9} {g:.9} {b:.9}\n");
    }
    text
}

fn filtered(bench: &Bench, input: &str, chain: &str) -> Vec<u8> {
    let arguments = [input, "-", "--container", "raw", "-q", "--backend", "cpu", "-f", chain];
    bench.pass(&arguments[..if chain.is_empty() { 7 } else { 9 }])
}

fn differing<T: PartialEq>(got: &[T], wanted: &[T]) -> usize {
    assert_eq!(got.len(), wanted.len());
    got.iter().zip(wanted).filter(|(got, wanted)| got != wanted).count()
}

/// At 8 bits FFmpeg as it is, above that without instructions whose results depend on the processor.
#[test]
fn ffmpeg_gives_the_same() {
    let bench = Bench::new();
    let mut random = Random::new(77);
    for (format, width, height, size) in [
        ("gbrp", 98, 54, 17),
        ("gbrp", 61, 7, 2),
        ("gbrp", 2, 33, 5),
        ("gbrp", 131, 20, 33),
        ("gbrap", 50, 20, 3),
        ("gbrp10le", 97, 11, 9),
        ("gbrp12le", 64, 16, 4),
        ("gbrp16le", 77, 31, 17),
    ] {
        let source = format!("testsrc2=s={width}x{height}:r=25:d=0.12");
        let mixed = "noise=alls=60:allf=t:all_seed=3";
        let into = ["-pix_fmt", format, "-c:v", "rawvideo", "-y", "in.nut"];
        bench.ffmpeg(&[&["-f", "lavfi", "-i", &source, "-vf", mixed][..], &into].concat());
        let head = *random.one_of(&["", "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1", "DOMAIN_MAX 2 2 2"]);
        fs::write(bench.path("look.cube"), cube(&mut random, size, head, -0.1, 1.2)).unwrap();
        for interp in ["tetrahedral", "trilinear", "nearest"] {
            let chain = format!("lut3d=look.cube:interp={interp}");
            let from = ["-cpuflags", "0", "-i", "in.nut", "-vf", &chain];
            let wanted = bench.ffmpeg(&[&from[..], &["-f", "rawvideo", "-pix_fmt", format, "-"]].concat());
            let got = filtered(&bench, "in.nut", &chain);
            let different = differing(&got, &wanted);
            assert!(different == 0, "{chain} of {format} {width}x{height}: {different} of {} bytes differ", got.len());
        }
    }
}

/// What changes nothing leaves every sample of luma and chroma, wherever chroma lies.
#[test]
fn yuv_keeps_its_detail() {
    let bench = Bench::new();
    fs::write(bench.path("same.cube"), identity(9)).unwrap();
    for (format, size, tags) in [
        ("yuv420p", "98x54", &[][..]),
        ("yuv420p", "97x53", &["-chroma_sample_location", "center"]),
        ("yuv422p10le", "66x20", &["-colorspace", "bt709"]),
        ("yuv444p", "40x31", &["-color_range", "pc"]),
        ("yuv410p", "81x43", &[]),
        ("gray", "30x30", &[]),
    ] {
        let source = format!("testsrc2=s={size}:r=25:d=0.12,eq=saturation=0.2:contrast=0.5");
        let into = ["-c:v", "ffv1", "-y", "in.mkv"];
        bench.ffmpeg(&[&["-f", "lavfi", "-i", &source, "-pix_fmt", format][..], tags, &into].concat());
        let wanted = filtered(&bench, "in.mkv", "");
        for interp in ["tetrahedral", "trilinear"] {
            let got = filtered(&bench, "in.mkv", &format!("lut3d=same.cube:interp={interp}"));
            assert_eq!(differing(&got, &wanted), 0, "{format} {size} {interp}");
        }
        let none = filtered(&bench, "in.mkv", "lut3d=same.cube:strength=0");
        assert!(none == wanted);
    }
}

/// One colour all over, which 4:2:0 holds exactly, comes out as the definition in `f64` has it, by the clip's matrix and range.
#[test]
fn yuv_follows_the_matrix_and_the_range() {
    let bench = Bench::new();
    // Red and blue change places, and green is halved.
    let size = 5;
    let mut text = format!("LUT_3D_SIZE {size}\n");
    for place in 0..size * size * size {
        let [r, g, b] = [place % size, place / size % size, place / size / size].map(|place| place as f64 / 4.0);
        text += &format!("{b} {} {r}\n", g / 2.0);
    }
    fs::write(bench.path("swap.cube"), text).unwrap();
    for (tag, matrix, range, weights) in [
        ("bt709", "bt709", "tv", [0.2126, 0.0722]),
        ("smpte170m", "bt601", "tv", [0.299, 0.114]),
        ("bt709", "bt709", "pc", [0.2126, 0.0722]),
        ("bt2020nc", "bt2020", "tv", [0.2627, 0.0593]),
    ] {
        let samples = [130u8, 112, 150];
        let raw: Vec<u8> = [(16 * 8, samples[0]), (8 * 4, samples[1]), (8 * 4, samples[2])]
            .into_iter()
            .flat_map(|(n, v)| vec![v; n])
            .collect();
        fs::write(bench.path("one.yuv"), raw).unwrap();
        let from = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "16x8", "-i", "one.yuv"];
        let into = ["-colorspace", tag, "-color_range", range, "-c:v", "ffv1", "-y", "in.mkv"];
        bench.ffmpeg(&[&from[..], &into].concat());
        let got = filtered(&bench, "in.mkv", "lut3d=swap.cube");
        let (black, span, chroma_span) = if range == "tv" { (16.0, 219.0, 224.0) } else { (0.0, 255.0, 255.0) };
        let [kr, kb] = weights;
        let kg = 1.0 - kr - kb;
        let y = (f64::from(samples[0]) - black) / span;
        let [u, v] = [1, 2].map(|plane| (f64::from(samples[plane]) - 128.0) / chroma_span);
        let (r, b) = (y + 2.0 * (1.0 - kr) * v, y + 2.0 * (1.0 - kb) * u);
        let g = (y - kr * r - kb * b) / kg;
        let (r, g, b) = (b, g / 2.0, r);
        let luma = kr * r + kg * g + kb * b;
        let wanted = [
            luma * span + black,
            (b - luma) / (2.0 * (1.0 - kb)) * chroma_span + 128.0,
            (r - luma) / (2.0 * (1.0 - kr)) * chroma_span + 128.0,
        ];
        for (plane, (place, wanted)) in
            [(0, wanted[0]), (16 * 8, wanted[1]), (16 * 8 + 32, wanted[2])].into_iter().enumerate()
        {
            let count = if plane == 0 { 16 * 8 } else { 32 };
            let found = &got[place..place + count];
            assert!(found.iter().all(|sample| *sample == found[0]), "{tag}, plane {plane}: {found:?}");
            assert!(
                (f64::from(found[0]) - wanted).abs() <= 0.501,
                "{tag} {range}, plane {plane}: {} {wanted}",
                found[0]
            );
        }
        // A matrix that is typed is that of a clip tagged so.
        let typed = filtered(&bench, "in.mkv", &format!("lut3d=swap.cube:matrix={matrix}"));
        assert!(typed == got);
    }
}

/// Chains, masks, parts and chunks: a part of the result is the result of a part.
#[test]
fn parts_and_chains_are_the_same() {
    let bench = Bench::new();
    let mut random = Random::new(5);
    fs::write(bench.path("look.cube"), cube(&mut random, 9, "", 0.0, 1.0)).unwrap();
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=64x48:r=25:d=0.4",
        "-c:v",
        "ffv1",
        "-pix_fmt",
        "yuv420p",
        "in.mkv",
    ]);
    let frame = 64 * 48 * 3 / 2;
    for chain in [
        "lut3d=look.cube",
        "gaussian=1,lut3d=look.cube,tmix=3",
        "invert=planes=u,lut3d=look.cube:planes=y,invert",
        "lut3d=look.cube:roi=20x20+4+4:strength=0.5",
        "lut3d=look.cube:enable='gt(n,3)':mix=0.5",
        "scale=32:24,lut3d=look.cube,gamma=1.2",
    ] {
        let whole = filtered(&bench, "in.mkv", chain);
        let part = |arguments: &[&str]| {
            let all =
                [&["in.mkv", "-", "--container", "raw", "-q", "--backend", "cpu", "-f", chain][..], arguments].concat();
            bench.pass(&all)
        };
        let bytes = if chain.starts_with("scale") { frame / 4 } else { frame };
        assert_eq!(whole.len(), 10 * bytes, "{chain}");
        let one = part(&["--start", "#3", "--frames", "4"]);
        assert!(one == whole[3 * bytes..7 * bytes], "{chain}");
        assert!(part(&["--threads", "3"]) == whole, "{chain}");
    }
    // What the planes are before the table is what it reads, also where a neighbour leaves its own plane alone.
    bench.pass(&["in.mkv", "a.mkv", "-q", "--codec", "ffv1", "-f", "invert=planes=u"]);
    bench.pass(&["a.mkv", "b.mkv", "-q", "--codec", "ffv1", "-f", "lut3d=look.cube:planes=y"]);
    let apart = filtered(&bench, "b.mkv", "invert");
    assert!(apart == filtered(&bench, "in.mkv", "invert=planes=u,lut3d=look.cube:planes=y,invert"));
}

/// A .3dl file: blue runs fastest, and the largest number is white.
#[test]
fn lustre_files_are_read() {
    let bench = Bench::new();
    let mut text = "# Lustre\n0 512 1023\n".to_owned();
    for (r, g, b) in (0..27).map(|place| (place / 9, place / 3 % 3, place % 3)) {
        let level = |place: usize| [0, 2048, 4095][place];
        text += &format!("{} {} {}\n", level(r), level(g), level(b));
    }
    fs::write(bench.path("same.3dl"), text).unwrap();
    bench.ffmpeg(&[
        "-f",
        "lavfi",
        "-i",
        "testsrc2=s=64x48:r=25:d=0.08,eq=saturation=0.2:contrast=0.5",
        "-c:v",
        "ffv1",
        "-pix_fmt",
        "yuv444p",
        "in.mkv",
    ]);
    let (got, wanted) = (filtered(&bench, "in.mkv", "lut3d=same.3dl"), filtered(&bench, "in.mkv", ""));
    assert!(got.iter().zip(&wanted).all(|(got, wanted)| got.abs_diff(*wanted) <= 1));
}

/// A file that is missing, cut short, or holds something else: one line that says which line of it.
#[test]
fn faulty_files_are_refused() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.08", "-c:v", "ffv1", "in.mkv"]);
    let body = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n";
    let files = [
        ("short.cube", format!("LUT_3D_SIZE 2\n{body}"), "ends at line 8 with 7 colours, where 2 points a side have 8"),
        (
            "long.cube",
            format!("LUT_3D_SIZE 2\n{body}1 1 1\n1 1 1\n"),
            "has more than the 8 colours of its size, from line 10",
        ),
        ("long.cube", format!("TITLE \"{}\"\n", "x".repeat(5000)), "has more than 4096 bytes in line 1"),
        ("two.cube", "LUT_3D_SIZE 2\n0 0 0\n\n# here\n1 0\n".to_owned(), "has 2 numbers in line 5, not 3"),
        ("nan.cube", format!("LUT_3D_SIZE 2\n{body}1 nan 1\n"), "has \"nan\", which is no number, in line 9"),
        ("word.cube", format!("LUT_3D_SIZE 2\n{body}1 x 1\n"), "has \"x\", which is no number, in line 9"),
        ("size.cube", "LUT_3D_SIZE 300\n0 0 0\n".to_owned(), "has the size \"300\" in line 1, not 2 to 256"),
        ("none.cube", "TITLE \"x\"\n".to_owned(), "has no LUT_3D_SIZE"),
        ("domain.cube", format!("LUT_3D_SIZE 2\nDOMAIN_MAX 0 1 1\n{body}1 1 1\n"), "its domain is empty"),
        ("one.cube", "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".to_owned(), "holds a table of one dimension, which lut1d reads"),
        ("huge.cube", format!("LUT_3D_SIZE 2\n{body}1 1e30 1\n"), "is no table of colours"),
        ("look.txt", "0 1".to_owned(), "ends neither in .cube nor in .3dl"),
        (
            "short.3dl",
            "0 512 1023 \n0 0 0\n".to_owned(),
            "ends at line 2 with 1 colours, where 3 points a side have 27",
        ),
        ("none.3dl", "# none\n".to_owned(), "has no row of inputs"),
        (
            "cut.3dl",
            "0 341 682 1023 \n0 0 0\n".to_owned(),
            "ends at line 2 with 1 colours, where 4 points a side have 64",
        ),
    ];
    for (name, text, fault) in &files {
        fs::write(bench.path(name), text).unwrap();
        let said = bench.refuse(&["in.mkv", "null:", "-f", &format!("lut3d={name}")]);
        assert!(said.contains(fault) && said.contains(name), "{name}: {said}");
    }
    for (chain, fault) in [
        ("lut3d=missing.cube", "file=missing.cube of lut3d cannot be read: no such file or directory"),
        ("lut3d", "lut3d: there is no table at character 1 of the chain; type lut3d=look.cube"),
        ("lut3d=interp=cubic", "interp=cubic of lut3d is unknown"),
    ] {
        let said = bench.refuse(&["in.mkv", "null:", "-f", chain]);
        assert!(said.contains(fault), "{chain}: {said}");
    }
    let tones = [
        ("short.cube", "LUT_1D_SIZE 3\n0 0 0\n1 1 1\n", "ends at line 3 with 2 colours, where 3 points a side have 3"),
        (
            "long.cube",
            "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1\n",
            "has more than the 2 colours of its size, from line 4 on",
        ),
        ("size.cube", "LUT_1D_SIZE 65537\n0 0 0\n", "has the size \"65537\" in line 1, not 2 to 65536"),
        ("domain.cube", "LUT_1D_SIZE 2\nDOMAIN_MAX 0 1 1\n0 0 0\n1 1 1\n", "has an empty domain"),
        ("huge.cube", "LUT_1D_SIZE 2\n0 0 0\n1 1e30 1\n", "which is not below 1e9"),
        ("three.cube", "LUT_3D_SIZE 2\n0 0 0\n", "holds a table of three dimensions, which lut3d reads"),
        ("look.3dl", "0 1", "does not end in .cube"),
    ];
    for (name, text, fault) in tones {
        fs::write(bench.path(name), text).unwrap();
        let said = bench.refuse(&["in.mkv", "null:", "-f", &format!("lut1d={name}")]);
        assert!(said.contains(fault) && said.contains(name), "{name}: {said}");
    }
    for (points, fault) in [
        ("0/0 0.5", "is no list of points"),
        ("0/0 0.5/1.5", "has 0.5/1.5, which is not within 0/0 and 1/1"),
        ("0/0 0.5/0.5 0.5/1", "has 0.5/1, which is not a step of 1/255 to the right of the point before"),
        (" ", "has no points"),
    ] {
        let said = bench.refuse(&["in.mkv", "null:", "-f", &format!("curves=master='{points}'")]);
        assert!(said.contains(fault) && said.contains("master"), "{points}: {said}");
    }
    fs::write(bench.path("bytes.cube"), [0xffu8, 0xfe, 0x00]).unwrap();
    let said = bench.refuse(&["in.mkv", "null:", "-f", "lut3d=bytes.cube"]);
    assert!(said.contains("bytes.cube of lut3d is not text"), "{said}");
}

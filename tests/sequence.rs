//! Names with percent signs: sequences of images, and files that only look like them.

use std::fs;

use crate::program::{Bench, checksums, sample};

/// Three numbered images of noise and what they decode to.
fn images(bench: &Bench, pattern: &str) -> Vec<String> {
    let clip = sample("odd-size.mkv");
    bench.pass(&[clip.to_str().unwrap(), pattern, "--frames", "3"]);
    sums(bench, pattern)
}

/// The checksums of a clip's pictures alone.
fn sums(bench: &Bench, name: &str) -> Vec<String> {
    let rows = checksums(&bench.pass(&[name, "hash:"]));
    rows.iter().map(|row| row.rsplit(", ").next().unwrap().to_owned()).collect()
}

#[test]
fn numbers_are_put_where_the_pattern_says() {
    let bench = Bench::new();
    let expected = images(&bench, "%03d.png");
    assert_eq!((expected.len(), bench.names()), (3, vec!["001.png".into(), "002.png".into(), "003.png".into()]));
    for (folder, pattern, first) in [
        ("d%1", "out%d.png", "out1.png"),
        ("d%d", "out%4d.png", "out0001.png"),
        ("100%", "50%%_%02d%%d.png", "50%_01%d.png"),
        ("%%", "%d%%%%.png", "1%%.png"),
    ] {
        fs::create_dir(bench.path(folder)).unwrap();
        let path = format!("{folder}/{pattern}");
        assert_eq!(images(&bench, &path), expected, "{path}");
        assert!(bench.path(folder).join(first).exists(), "{path}");
        assert_eq!(fs::read_dir(bench.path(folder)).unwrap().count(), 3, "{path}");
        let error = bench.fail(&[sample("odd-size.mkv").to_str().unwrap(), &path]);
        assert!(error.contains("exists; add -y"), "{error}");
    }
}

#[test]
fn other_names_mean_themselves() {
    let bench = Bench::new();
    let clip = sample("odd-size.mkv");
    let clip = clip.to_str().unwrap();
    let lossless = sums(&bench, clip);
    for folder in ["d%1", "d%d", "%"] {
        fs::create_dir(bench.path(folder)).unwrap();
    }
    for name in [
        "50% off.mkv",
        "x%20y.mkv",
        "my%20dog.mkv",
        "100%.y4m",
        "out%d%d.mkv",
        "out%04d.y4m",
        "frame%4.mkv",
        "d%1/out.mkv",
        "d%d/out.mkv",
        "%/%.mkv",
    ] {
        bench.pass(&[clip, name, "--lossless", "-q"]);
        assert!(bench.path(name).is_file(), "{name}");
        assert_eq!(sums(&bench, name), lossless, "{name}");
    }
    bench.pass(&[clip, "hash:sums%d.txt"]);
    assert_eq!(checksums(&fs::read(bench.path("sums%d.txt")).unwrap()).len(), 10);
}

#[test]
fn one_image_means_itself() {
    let bench = Bench::new();
    let clip = sample("odd-size.mkv");
    let clip = clip.to_str().unwrap();
    let first = images(&bench, "%d.png").swap_remove(0);
    fs::create_dir(bench.path("d%d")).unwrap();
    for name in ["50% off.png", "x%20y.png", "a%%d.png", "d%d/out.png"] {
        bench.pass(&[clip, name, "--frames", "1"]);
        assert_eq!(sums(&bench, name), [&*first], "{name}");
    }
    let error = bench.fail(&[clip, "50% more.png"]);
    assert!(error.contains("number the images as in out%04d.png"), "{error}");
    // What exists is meant itself.
    fs::copy(bench.path("1.png"), bench.path("z%d.png")).unwrap();
    fs::copy(bench.path("2.png"), bench.path("z2.png")).unwrap();
    assert_eq!(sums(&bench, "z%d.png"), [first]);
}

#[test]
fn a_mistyped_place_is_named() {
    let bench = Bench::new();
    let clip = sample("odd-size.mkv");
    let clip = clip.to_str().unwrap();
    for name in ["frame%4.png", "out%d%d.png", "out%+4d.png", "out%99d.png", "50% %d.png"] {
        for arguments in [[clip, name], [name, "null:"]] {
            let error = bench.fail(&arguments);
            assert!(
                error.contains(name) && error.contains("as in frame%04d.png; type %% for a percent sign"),
                "{error}"
            );
        }
    }
    assert!(bench.names().is_empty());
    let error = bench.fail(&["frame%04d.png", "null:"]);
    assert!(error.contains("no file in \".\" matches \"frame%04d.png\""), "{error}");
    let error = bench.fail(&["x%20y.png", "null:"]);
    assert!(error.contains("open \"x%20y.png\": there is no such file"), "{error}");
}

#[test]
fn the_rate_is_what_is_typed() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=32x16:r=10", "-frames:v", "5", "in%02d.png"]);
    std::fs::write(bench.path("in.raw"), vec![7; 5 * 64]).unwrap();
    let raw = ["in.raw", "raw.mkv", "--raw", "gray:8x8", "--lossless"];
    for (arguments, typed, rate) in [
        (&["in%02d.png", "out.mkv", "--lossless"][..], "24", "24/1"),
        (&["in%02d.png", "out.mkv", "--lossless"], "29.97", "30000/1001"),
        (&["in%02d.png", "out.mkv", "--lossless"], "", "25/1"),
        (&raw, "50", "50/1"),
    ] {
        let fps: &[&str] = if typed.is_empty() { &[] } else { &["--fps", typed] };
        bench.pass(&[arguments, &["-y"], fps].concat());
        let probe = ["-v", "error", "-show_entries", "stream=r_frame_rate", "-of", "csv=p=0", arguments[1]];
        let said = String::from_utf8(bench.run("ffprobe", &probe, b"").stdout).unwrap();
        assert_eq!(said.trim(), rate, "{arguments:?} {typed}");
    }
    // Numbers of frames are those of images, whatever the rate.
    bench.pass(&["in%02d.png", "part%d.png", "--fps", "24", "--start=#2", "--end=#4"]);
    let names: Vec<String> = bench.names().into_iter().filter(|name| name.starts_with("part")).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    for (part, image) in names.iter().zip(["in03.png", "in04.png"]) {
        let sum = |name: &str| bench.ffmpeg(&["-i", name, "-f", "framemd5", "-"]);
        assert_eq!(sum(part), sum(image), "{part}");
    }
    let error = bench.refuse(&["out.mkv", "null:", "--fps", "24"]);
    assert!(error.contains("has its own timestamps; --fps is for image sequences"), "{error}");
    let error = bench.refuse(&["in%02d.png", "null:", "--fps", "fast"]);
    assert!(error.contains("--fps: rate \"fast\": expected a number above 0"), "{error}");
}

/// Also under other names of the same file, with `-y`.
#[test]
fn a_pattern_never_replaces_what_is_read() {
    let bench = Bench::new();
    images(&bench, "f%02d.png");
    std::os::unix::fs::symlink("f03.png", bench.path("soft.png")).unwrap();
    fs::hard_link(bench.path("f02.png"), bench.path("hard.png")).unwrap();
    fs::create_dir(bench.path("d")).unwrap();
    std::os::unix::fs::symlink(bench.path(""), bench.path("d/here")).unwrap();
    let state = |bench: &Bench| ["f01.png", "f02.png", "f03.png"].map(|name| fs::read(bench.path(name)).unwrap());
    let before = state(&bench);
    for (input, output) in [
        ("f01.png", "f%02d.png"),
        ("hard.png", "f%02d.png"),
        ("soft.png", "f%02d.png"),
        ("soft.png", "d/here/f%02d.png"),
        ("f%02d.png", "f02.png"),
        ("f%02d.png", "hard.png"),
        ("f%02d.png", "d/here/f%02d.png"),
        ("f%1d.png", "f%02d.png"),
    ] {
        let error = bench.fail(&[input, output, "-y", "-f", "invert"]);
        assert!(
            ["would replace", "no file", "the same file"].iter().any(|words| error.contains(words)),
            "{input} {output}: {error}"
        );
        assert_eq!(state(&bench), before, "{input} {output}");
    }
    // Some are found when the line is read, others when the input is.
    let refused = |arguments: &[&str]| {
        let output = bench.warpreel(arguments);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    for report in ["--stats", "--trace"] {
        let error = refused(&["f%02d.png", "null:", report, "hard.png", "-y"]);
        assert!(error.contains("would replace"), "{error}");
    }
    for chain in ["degrain=vectors=f02.png", "degrain=vectors=hard.png"] {
        assert!(refused(&["f%02d.png", "out.mkv", "-f", chain, "-y"]).contains("would replace"), "{chain}");
    }
    let mask = ["hard.png", "g%02d.png", "-f", "invert=mask=f02.png"];
    bench.pass(&mask);
    assert!(refused(&["g01.png", "f%02d.png", "-y", "-f", "invert=mask=soft.png"]).contains("would replace"));
    assert_eq!(state(&bench), before);
    // Files of a pattern that are not read are replaced as ever.
    bench.pass(&["f01.png", "g%02d.png", "-y"]);
}

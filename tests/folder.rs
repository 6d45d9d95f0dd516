//! Folders as inputs: each video in one is filtered into another.

use std::fs;

use crate::batch::clip;
use crate::program::Bench;

/// A folder `in` with these clips.
fn bench(names: &[&str]) -> Bench {
    let bench = Bench::new();
    for (name, first) in names.iter().zip((10..).step_by(10)) {
        let path = bench.path("in").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, clip(5, first)).unwrap();
    }
    bench
}

/// The files below a folder, sorted.
fn below(bench: &Bench, folder: &str) -> Vec<String> {
    let (mut files, mut folders) = (Vec::new(), vec![bench.path(folder)]);
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(here).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(bench.path(folder)).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    files.sort();
    files
}

/// The exit code, and the lines on stderr.
fn told(bench: &Bench, typed: &[&str]) -> (Option<i32>, String) {
    let output = bench.warpreel(typed);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn each_video_is_filtered_under_its_name() {
    let bench = bench(&["a.y4m", "b c.Y4M", "100%d.y4m", "deep/d.y4m"]);
    for (name, text) in [("notes.txt", "text"), ("code.ts", "let x = 1;\n"), ("about", "text"), (".hidden.y4m", "none")]
    {
        fs::write(bench.path("in").join(name), text).unwrap();
    }
    fs::write(bench.path("in/noise.bin"), [0, 159, 3, 7, 255, 1, 0, 0, 9]).unwrap();
    fs::write(bench.path("in/frames.raw"), [7; 64]).unwrap();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=32x32", "-frames:v", "1", "in/cover.jpg"]);
    bench.ffmpeg(&["-f", "lavfi", "-i", "sine=d=0.1", "in/song.mp3"]);
    fs::copy(bench.path("in/cover.jpg"), bench.path("in/picture")).unwrap();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc=s=32x32:d=0.2", "-f", "matroska", "in/unnamed"]);
    let (code, said) = told(&bench, &["in", "out/", "-f", "invert"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(below(&bench, "out"), ["100%d.y4m", "a.y4m", "b c.Y4M", "unnamed.mkv"], "{said}");
    let line =
        |begin: &str| said.lines().find(|line| line.starts_with(begin)).unwrap_or_else(|| panic!("{begin}: {said}"));
    let others = line("no video, skipped: ");
    for name in ["notes.txt", "code.ts", "about", "noise.bin", "cover.jpg", "song.mp3", "picture"] {
        assert!(others.contains(name), "{name}: {said}");
    }
    assert!(!said.contains("hidden"), "{said}");
    assert!(line("raw frames, skipped: frames.raw; ").ends_with("add --raw FORMAT:WxH@FPS"));
    assert_eq!(line("1 folder in \"in\""), "1 folder in \"in\" not searched; add --recursive for the folders in it");
    assert!(said.ends_with("4 of 4 done\n"), "{said}");
    assert_eq!(fs::read(bench.path("out/b c.Y4M")).unwrap(), bench.pass(&["in/b c.Y4M", "-", "-f", "invert"]));
    // The same by the option, and into other containers.
    bench.pass(&["in", "-o", "again", "-f", "invert"]);
    assert_eq!(below(&bench, "again"), below(&bench, "out"));
    bench.pass(&["in", "new", "-f", "invert", "--container", "nut", "--codec", "ffv1", "--jobs", "3"]);
    assert_eq!(below(&bench, "new"), ["100%d.nut", "a.nut", "b c.nut", "unnamed.nut"]);
    let (_, said) = told(&bench, &["in", "raw", "--raw", "gray:8x8", "-f", "invert"]);
    assert_eq!(below(&bench, "raw"), ["frames.raw"], "{said}");
}

#[test]
fn folders_in_a_folder_are_searched_where_that_is_typed() {
    let bench = bench(&["a.y4m", "one/b.y4m", "one/two/a.y4m", "out/old.y4m"]);
    std::os::unix::fs::symlink("..", bench.path("in/one/back")).unwrap();
    fs::create_dir(bench.path("in/none")).unwrap();
    let old = fs::read(bench.path("in/out/old.y4m")).unwrap();
    // The outputs' folder lies among the inputs, and is none of them.
    let (code, said) = told(&bench, &["in/", "in/out", "--recursive", "-f", "invert"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(below(&bench, "in/out"), ["a.y4m", "old.y4m", "one/b.y4m", "one/two/a.y4m"], "{said}");
    assert_eq!(fs::read(bench.path("in/out/old.y4m")).unwrap(), old);
    assert!(said.ends_with("3 of 3 done\n"), "{said}");
}

#[test]
fn a_second_run_filters_what_is_new() {
    let bench = bench(&["a.y4m", "b.y4m"]);
    bench.pass(&["in", "out", "-f", "invert"]);
    let first = fs::read(bench.path("out/a.y4m")).unwrap();
    fs::write(bench.path("in/c.y4m"), clip(3, 50)).unwrap();
    let (code, said) = told(&bench, &["in", "out", "-f", "box"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("out/a.y4m exists, skipped; add -y to replace it\n"), "{said}");
    assert!(said.ends_with("1 of 3 done, 2 skipped\n"), "{said}");
    assert_eq!(fs::read(bench.path("out/a.y4m")).unwrap(), first);
    let (_, said) = told(&bench, &["in", "out", "-f", "box", "-y"]);
    assert!(said.ends_with("3 of 3 done\n"), "{said}");
    assert_ne!(fs::read(bench.path("out/a.y4m")).unwrap(), first);
    // An output of an input that was typed by itself is still refused.
    assert!(bench.fail(&["in/a.y4m", "-o", "out"]).contains("exists; add --skip-existing"));
}

#[test]
fn one_that_fails_is_named_and_the_others_are_filtered() {
    let bench = bench(&["a.y4m", "c.y4m"]);
    fs::write(bench.path("in/b.mp4"), "<html>not found</html>").unwrap();
    fs::write(bench.path("in/d.mkv"), "").unwrap();
    let (code, said) = told(&bench, &["in", "out", "-f", "invert"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("error: in/b.mp4: ") && said.contains("error: in/d.mkv: "), "{said}");
    assert!(said.ends_with("2 of 4 done\nerror: 2 of 4 failed: \"in/b.mp4\", \"in/d.mkv\"\n"), "{said}");
    assert_eq!(below(&bench, "out"), ["a.y4m", "c.y4m"]);
}

#[test]
fn nothing_is_replaced_and_mistakes_are_answered_before_the_first_clip() {
    let bench = bench(&["a.y4m", "deep/b.y4m"]);
    fs::create_dir(bench.path("empty")).unwrap();
    fs::create_dir(bench.path("images")).unwrap();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=32x18:d=0.12", "images/f%02d.png"]);
    let before = below(&bench, ".");
    for (typed, line) in [
        (&["in", "in"][..], "\"in/a.y4m\" would replace an input; name another folder"),
        (&["in", "in/", "-y"], "\"in/a.y4m\" would replace an input; name another folder"),
        (&["in", "-o", "out.mkv"], "\"out.mkv\" is the name of a file; type warpreel in/a.y4m out.mkv for one output"),
        (&["in", "out", "-f", "gausian"], "did you mean \"gaussian\"?"),
        (
            &["in", "out", "--stats", "s.json"],
            "'--stats <FILE.json>' is for one input; name a file instead of the folder \"out\"",
        ),
        (&["in/a.y4m", "out.y4m", "--recursive"], "--recursive is for several inputs; name a folder for their outputs"),
    ] {
        let output = bench.warpreel(typed);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{typed:?}: {said}");
        assert!(said.contains(line), "{typed:?}: {said}");
    }
    for (typed, line) in [
        (
            &["in", "out.mkv"][..],
            "\"in\" is a folder without numbered images; to filter each video in it, type warpreel in OUTDIR/",
        ),
        (&["in", "null:"], "type warpreel in OUTDIR/"),
        (&["empty", "out"], "\"empty\" is a folder without videos; name a clip"),
        // A sequence is named by its pattern, as everywhere.
        (
            &["images", "out"],
            "\"images\" is a folder of images; type warpreel images/f%02d.png out/f%02d.png (3 images, 1 to 3)",
        ),
        (&["images", "out.mkv"], "type warpreel images/f%02d.png out.mkv (3 images, 1 to 3)"),
    ] {
        let said = bench.fail(typed);
        assert!(said.contains(line), "{typed:?}: {said}");
    }
    assert_eq!(below(&bench, "."), before);
    // Beside a video, a sequence stays where it is.
    fs::copy(bench.path("in/a.y4m"), bench.path("images/a.y4m")).unwrap();
    let (code, said) = told(&bench, &["images", "out", "-f", "invert"]);
    assert_eq!((code, below(&bench, "out")), (Some(0), vec!["a.y4m".to_owned()]), "{said}");
    let line = "numbered images skipped; type warpreel images/f%02d.png OUTPUT (3 images, 1 to 3)\n";
    assert!(said.contains(line) && !said.contains("no video"), "{said}");
    // Two inputs of one name.
    fs::copy(bench.path("in/a.y4m"), bench.path("in/a.mkv")).unwrap();
    let said = bench.refuse(&["in", "other", "--container", "nut"]);
    assert!(said.contains("have the same output \"other/a.nut\""), "{said}");
    assert!(!bench.path("other").exists());
}

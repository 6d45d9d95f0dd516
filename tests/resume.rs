//! `--resume`: jobs that were stopped continue from the parts that are complete.

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Bench, signalled, timed_checksums};

/// Frames of the clip: three parts.
const FRAMES: usize = 700;

/// A clip with sound, subtitles and a title, `in.mkv`.
fn bench() -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("in.srt"), "1\n00:00:01,000 --> 00:00:20,000\nWords\n").unwrap();
    let frames = format!("testsrc2=s=96x64:r=30,trim=end_frame={FRAMES}");
    let inputs = ["-f", "lavfi", "-i", &frames, "-f", "lavfi", "-i", "sine=d=23.3", "-i", "in.srt"];
    let coding =
        ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "40", "-bf", "2", "-metadata", "title=Rabbit", "in.mkv"];
    bench.ffmpeg(&[&inputs[..], &coding].concat());
    bench
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let patience = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < patience, "{what} did not come about");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts a job, and ends it by a signal once so many parts are complete; how it ended, and what it said.
fn stopped(bench: &Bench, typed: &[&str], parts: usize, signal: &str) -> (ExitStatus, String) {
    let said = File::create(bench.path("said")).unwrap();
    let mut program = signalled();
    let mut child: Child =
        program.args(typed).current_dir(bench.path("")).stdin(Stdio::null()).stderr(said).spawn().unwrap();
    let folder = bench.path(&format!("{}.resume", typed[1]));
    // The part behind them is begun only when they are complete.
    let next = format!(".part{:05}.", parts + 1);
    let is_begun = || {
        let mut entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        entries.any(|entry| entry.file_name().to_string_lossy().starts_with(&next))
    };
    wait_until("a part", || is_begun() || child.try_wait().unwrap().is_some());
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let mut status = None;
    wait_until("the end", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    (status.unwrap(), fs::read_to_string(bench.path("said")).unwrap())
}

/// A chain slow enough to be stopped in.
const SLOW: [&str; 6] = ["-f", "tmix=5,nlmeans=s=2:p=3:r=9", "--backend", "cpu", "--threads", "1"];

/// Pictures with their times, and the packets of all other streams.
fn content(bench: &Bench, name: &str) -> (Vec<(f64, String)>, Vec<u8>) {
    let pictures = ["-i", name, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"];
    let others = ["-i", name, "-map", "0", "-map", "-0:v", "-c", "copy", "-f", "framemd5", "-"];
    (timed_checksums(&bench.ffmpeg(&pictures)), bench.ffmpeg(&others))
}

#[test]
fn a_job_that_was_killed_gives_what_an_uninterrupted_one_gives() {
    let bench = bench();
    for (output, options) in
        [("out.mkv", &[][..]), ("out.mp4", &["--crf", "30"]), ("out.mov", &["--codec", "prores_ks"])]
    {
        let typed = [&["in.mkv", output, "--resume"], &SLOW[..], options].concat();
        let (status, said) = stopped(&bench, &typed, 2, "-KILL");
        assert_eq!(status.signal(), Some(9), "{output}: {said}");
        assert!(!bench.path(output).exists());
        let done = bench.warpreel(&typed);
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.success() && said.contains("resuming: 2 of 3 parts are complete\n"), "{output}: {said}");
        assert!(!bench.path(&format!("{output}.resume")).exists());
        let whole = format!("whole.{}", &output[4..]);
        bench.pass(&[&["in.mkv", &whole, "--resume"], &SLOW[..], options].concat());
        let (resumed, whole) = (content(&bench, output), content(&bench, &whole));
        assert_eq!(resumed.0.len(), FRAMES, "{output}");
        assert!(resumed == whole, "{output}");
    }
    // Without loss, parts do not show at all; and sound, subtitles and times are those of a plain run in any case.
    bench.pass(&[&["in.mkv", "parts.mkv", "--resume", "--lossless"], &SLOW[..]].concat());
    bench.pass(&[&["in.mkv", "plain.mkv", "--lossless"], &SLOW[..]].concat());
    assert!(content(&bench, "parts.mkv") == content(&bench, "plain.mkv"));
    let times = |name: &str| content(&bench, name).0.into_iter().map(|(time, _)| time).collect::<Vec<_>>();
    assert_eq!(times("out.mkv"), times("plain.mkv"));
    assert!(content(&bench, "out.mkv").1 == content(&bench, "plain.mkv").1);
}

#[test]
fn a_signal_keeps_the_parts_and_says_how_to_continue() {
    let bench = bench();
    let typed = [&["in.mkv", "out.mkv", "--resume", "--start=#20"], &SLOW[..]].concat();
    let (status, said) = stopped(&bench, &typed, 1, "-INT");
    assert_eq!(status.signal(), Some(2), "{said}");
    let line = "error: interrupted: 1 of 3 parts are kept in \"out.mkv.resume\"; type the same command to continue\n";
    assert!(said.ends_with(line) && !said.contains("stopping"), "{said}");
    let mut kept: Vec<_> =
        fs::read_dir(bench.path("out.mkv.resume")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    kept.sort();
    assert_eq!(kept, ["job.json", "part00001.nut"]);
    // A part that is not what was stored is made again.
    let part = bench.path("out.mkv.resume/part00001.nut");
    let mut bytes = fs::read(&part).unwrap();
    bytes.truncate(bytes.len() / 2);
    fs::write(&part, bytes).unwrap();
    let said = String::from_utf8(bench.warpreel(&typed).stderr).unwrap();
    assert!(said.contains("filtering in 3 parts of about 250 frames"), "{said}");
    assert_eq!(content(&bench, "out.mkv").0.len(), FRAMES - 20);
}

/// A run without `--resume` says what is kept beside its output, and leaves it as it is.
#[test]
fn a_plain_run_says_that_parts_are_kept() {
    let bench = bench();
    fs::create_dir(bench.path("made")).unwrap();
    let typed = [&["in.mkv", "made/in.mkv", "--resume"], &SLOW[..]].concat();
    stopped(&bench, &typed, 1, "-INT");
    let folder = bench.path("made/in.mkv.resume");
    let kept = || {
        let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let mut all: Vec<_> = entries.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        all.sort();
        all
    };
    let before = kept();
    let line = "\"made/in.mkv.resume\" keeps 1 of 3 parts of an unfinished job; this run leaves them alone: to continue \
                that job, type its command with --resume, or remove them: rm -r made/in.mkv.resume\n";
    let plain = |output: &[&str], line: &str| {
        let done = bench.warpreel(&[&["in.mkv"], output, &["-y", "-f", "invert", "--frames", "5"]].concat());
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.success() && said.contains(line) && said.matches("resume").count() <= 3, "{said}");
        assert!(kept() == before);
    };
    plain(&["made/in.mkv"], line);
    plain(&["-o", "made"], line);
    let journal = File::open(folder.join("job.json")).unwrap();
    journal.lock().unwrap();
    plain(&["made/in.mkv"], "another warpreel makes the same output with --resume, in \"made/in.mkv.resume\"");
    drop(journal);
    // The job continues where it was.
    let done = bench.warpreel(&[&typed[..], &["-y"]].concat());
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success() && said.contains("resuming: 1 of 3 parts are complete\n"), "{said}");
    let said = bench.warpreel(&["in.mkv", "made/in.mkv", "-y", "-f", "invert", "--frames", "5"]).stderr;
    assert!(!String::from_utf8(said).unwrap().contains("resume"));
}

#[test]
fn another_job_does_not_continue_from_the_parts() {
    let bench = bench();
    fs::write(bench.path("blur.txt"), "1 2 1 2 4 2 1 2 1").unwrap();
    let typed = ["in.mkv", "out.mkv", "--resume", "-f", "kernel=blur.txt,nlmeans=s=2:p=3:r=9", "--threads", "1"];
    stopped(&bench, &typed, 1, "-INT");
    let part = bench.path("out.mkv.resume/part00001.nut");
    let before = fs::read(&part).unwrap();
    let refused = |typed: &[&str], words: &str| {
        let line = bench.fail(typed);
        assert!(line.contains("\"out.mkv.resume\" belongs to another job: ") && line.contains(words), "{line}");
        assert!(line.ends_with("; type what was typed then, or remove the folder to begin anew"), "{line}");
        assert_eq!(fs::read(&part).unwrap(), before);
    };
    refused(&[&typed[..], &["--crf", "20"]].concat(), "--crf was nothing, and is \"20\"");
    refused(&[&typed[..3], &["-f", "box"]].concat(), "-f was \"kernel");
    refused(&[&typed[..], &["--end=#600"]].concat(), "--end was nothing, and is \"#600\"");
    fs::write(bench.path("blur.txt"), "1 1 1 1 1 1 1 1 1 ").unwrap();
    refused(&typed, "\"blur.txt\" had 17 bytes, and has 18");
}

#[test]
fn what_cannot_be_continued_is_answered_in_one_line() {
    let bench = bench();
    for (typed, line) in [
        (&["in.mkv", "out.y4m"][..], "--resume: \"out.y4m\" is not encoded; name a file such as out.mkv"),
        (&["in.mkv", "hash:"], "--resume: \"hash:\" is not encoded"),
        (&["in.mkv", "-", "--container", "nut"], "--resume: a pipe cannot be continued; name a file"),
        (&["-", "out.mkv"], "--resume: a pipe is read once; name a file as input"),
        (&["in.mkv", "out%03d.png"], "--resume: numbered images are no parts of a film; continue with --start=#N"),
        (&["in.mkv", "out.mkv", "--compare", "side"], "--resume: --compare needs decoded frames"),
        (&["in.mkv", "out.mkv", "-f", "fps=10"], "--resume works in parts: "),
        (&["in.mkv", "-o", "out"], " cannot be used with '--"),
        (&["in.mkv", "out.mkv", "--stats", "s.json"], " cannot be used with '--"),
        (&["in.mkv", "out.mkv", "--encoder-option", "pass=1"], "--resume: two-pass encoding needs the whole clip"),
    ] {
        let output = bench.warpreel(&[typed, &["--resume"]].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{typed:?}: {said}");
        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{typed:?}: {said}");
        assert!(said.contains(line), "{typed:?}: {said}");
    }
    assert_eq!(bench.names(), ["in.mkv", "in.srt"]);
    fs::write(bench.path("out.mkv"), "precious").unwrap();
    let line = bench.fail(&["in.mkv", "out.mkv", "--resume", "-f", "invert"]);
    assert!(line.contains("exists; add -y"), "{line}");
    // What a plain run kept is no beginning, which is said.
    fs::write(bench.path("new.partial.mkv"), "").unwrap();
    let said =
        String::from_utf8(bench.warpreel(&["in.mkv", "new.mkv", "--resume", "-f", "invert", "--frames", "20"]).stderr)
            .unwrap();
    let line =
        "\"new.partial.mkv\" was written without --resume and cannot be continued; filtering from the first frame\n";
    assert!(said.contains(line) && bench.path("new.mkv").exists(), "{said}");
}

//! `--watch`: files in a folder are filtered as they come, each once.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::batch::clip;
use crate::program::{Bench, signalled};

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let patience = Instant::now() + Duration::from_secs(120);
    while !holds() {
        assert!(Instant::now() < patience, "{what} did not come about");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The program at work on the folder `in`, and what it says.
struct Watching<'a> {
    bench: &'a Bench,
    child: Child,
}

impl<'a> Watching<'a> {
    fn start(bench: &'a Bench, options: &[&str]) -> Self {
        let mut program = signalled();
        program.args(["--watch", "in", "out/", "--settle", "1"]).args(options).current_dir(bench.path(""));
        let said = File::create(bench.path("said")).unwrap();
        let child = program.stdin(Stdio::null()).stderr(said).spawn().unwrap();
        let watching = Self { bench, child };
        watching.wait_for("watching \"in\"");
        watching
    }

    fn said(&self) -> String {
        fs::read_to_string(self.bench.path("said")).unwrap()
    }

    fn wait_for(&self, words: &str) {
        wait_until(words, || self.said().contains(words));
    }

    /// Ends it by a signal; its status, and all that it said.
    fn stop(mut self) -> (ExitStatus, String) {
        assert!(Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap().success());
        let mut status = None;
        wait_until("the end", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        (status.unwrap(), self.said())
    }
}

impl Drop for Watching<'_> {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn outputs(bench: &Bench) -> Vec<String> {
    let entries = fs::read_dir(bench.path("out")).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
#[cfg(target_os = "linux")]
fn each_file_is_taken_once_it_is_complete() {
    let bench = Bench::new();
    fs::create_dir(bench.path("in")).unwrap();
    fs::write(bench.path("in/early.y4m"), clip(4, 10)).unwrap();
    let watching = Watching::start(&bench, &["-f", "invert"]);
    watching.wait_for("out/early.y4m: 4 frames");
    // A file that is held open is left alone, one that came later is not.
    let whole = clip(9, 60);
    let mut writer = File::create(bench.path("in/held.y4m")).unwrap();
    writer.write_all(&whole[..whole.len() / 2]).unwrap();
    fs::write(bench.path("in/notes.txt"), "text").unwrap();
    fs::write(bench.path("in/bad.mp4"), "no video").unwrap();
    fs::write(bench.path("in/empty.y4m"), "").unwrap();
    wait_until("two looks", || watching.said().contains("error: in/bad.mp4: "));
    fs::write(bench.path("in/late.y4m"), clip(3, 90)).unwrap();
    watching.wait_for("out/late.y4m: 3 frames");
    assert_eq!(outputs(&bench), ["early.y4m", "late.y4m"]);
    writer.write_all(&whole[whole.len() / 2..]).unwrap();
    drop(writer);
    watching.wait_for("out/held.y4m: 9 frames");
    assert_eq!(fs::read(bench.path("out/held.y4m")).unwrap(), bench.pass(&["in/held.y4m", "-", "-f", "invert"]));
    // What failed is tried again once it has changed, and not before.
    fs::write(bench.path("in/bad.mp4"), clip(2, 30)).unwrap();
    watching.wait_for("out/bad.mp4: ");
    let (status, said) = watching.stop();
    assert_eq!(status.signal(), Some(2), "{said}");
    for (words, times) in
        [("error: in/bad.mp4: ", 1), ("no video, skipped: in/notes.txt", 1), ("out/early.y4m: ", 1), ("empty", 0)]
    {
        assert_eq!(said.matches(words).count(), times, "{words}: {said}");
    }
    assert!(said.ends_with("4 done, 1 failed, 0 kept as partial files\n"), "{said}");
    assert_eq!(outputs(&bench), ["bad.mp4", "early.y4m", "held.y4m", "late.y4m"]);

    // Started again, it takes what is new.
    let before = fs::read(bench.path("out/early.y4m")).unwrap();
    fs::write(bench.path("in/next.y4m"), clip(5, 40)).unwrap();
    let watching = Watching::start(&bench, &["-f", "box"]);
    watching.wait_for("out/next.y4m: 5 frames");
    let (_, said) = watching.stop();
    assert!(said.contains("out/bad.mp4 and 3 more exist, skipped\n"), "{said}");
    assert!(said.ends_with("1 done, 0 failed, 0 kept as partial files\n"), "{said}");
    assert_eq!(fs::read(bench.path("out/early.y4m")).unwrap(), before);
}

#[test]
fn a_signal_while_nothing_runs_ends_it_without_a_word_of_outputs() {
    let bench = Bench::new();
    fs::create_dir(bench.path("in")).unwrap();
    let (status, said) = Watching::start(&bench, &["-f", "invert"]).stop();
    assert_eq!(status.signal(), Some(2), "{said}");
    assert!(said.ends_with("0 done, 0 failed, 0 kept as partial files\n") && !said.contains("stopping"), "{said}");
    assert!(!bench.path("out").exists());
}

#[test]
fn a_file_that_changes_is_filtered_again_where_that_is_typed() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("in/deep")).unwrap();
    fs::write(bench.path("in/deep/a.y4m"), clip(2, 10)).unwrap();
    let watching = Watching::start(&bench, &["-f", "invert", "--recursive"]);
    watching.wait_for("out/deep/a.y4m: 2 frames");
    fs::write(bench.path("in/deep/a.y4m"), clip(6, 10)).unwrap();
    watching.wait_for("warning: in/deep/a.y4m is newer than out/deep/a.y4m, which is kept; to filter it again, add -y");
    watching.stop();
    // As if it had changed in the same step of the clock in which its output was finished.
    let finished = fs::metadata(bench.path("out/deep/a.y4m")).unwrap().modified().unwrap();
    File::options().append(true).open(bench.path("in/deep/a.y4m")).unwrap().set_modified(finished).unwrap();
    let watching = Watching::start(&bench, &["-f", "invert", "--recursive", "-y", "--jobs", "2"]);
    watching.wait_for("out/deep/a.y4m: 6 frames");
    fs::write(bench.path("in/deep/a.y4m"), clip(7, 10)).unwrap();
    watching.wait_for("out/deep/a.y4m: 7 frames");
    // Each state once.
    let (_, said) = watching.stop();
    assert!(said.ends_with("2 done, 0 failed, 0 kept as partial files\n"), "{said}");
}

#[test]
fn a_signal_during_a_job_keeps_its_finished_part() {
    let bench = Bench::new();
    fs::create_dir(bench.path("in")).unwrap();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=320x180:d=20", "-pix_fmt", "yuv420p", "in/long.y4m"]);
    let watching = Watching::start(&bench, &["-f", "nlmeans=s=4:p=7:r=21", "--threads", "1", "--backend", "cpu"]);
    let written = || {
        let parts = fs::read_dir(bench.path("out")).into_iter().flatten().flatten();
        parts.map(|entry| entry.metadata().map_or(0, |found| found.len())).sum::<u64>()
    };
    wait_until("frames", || written() > 2 * 320 * 180);
    let (status, said) = watching.stop();
    assert_eq!(status.signal(), Some(2), "{said}");
    assert!(said.contains("warning: stopping: finishing the partial output"), "{said}");
    assert!(said.contains("are in out/long.partial.y4m") && said.contains("0 done, 0 failed, 1 kept"), "{said}");
    assert_eq!(outputs(&bench), ["long.partial.y4m"]);
    bench.pass(&["out/long.partial.y4m", "null:"]);
}

#[test]
fn mistakes_are_answered_at_once() {
    let bench = Bench::new();
    fs::create_dir(bench.path("in")).unwrap();
    fs::write(bench.path("in/a.y4m"), clip(2, 10)).unwrap();
    let needs = "--watch takes a folder that exists, and one for the outputs; type warpreel --watch DIR OUTDIR/";
    for (typed, line) in [
        (&["--watch", "in"][..], needs),
        (&["--watch", "nosuch", "out/"], needs),
        (&["--watch", "in", "out.mkv"], needs),
        (&["--watch", "in/a.y4m", "-o", "out"], "--watch takes a folder, and \"in/a.y4m\" is none"),
        (&["--watch", "in", "in", "-o", "out"], "--watch takes one folder, not 2"),
        (&["--watch", "in", "in/", "-f", "invert"], "\"in/\" is the folder that is watched; name another"),
        (&["--watch", "in", "out/", "-f", "gausian"], "did you mean \"gaussian\"?"),
        (
            &["--watch", "in", "out/", "-f", "degrain=vectors=v.json"],
            "\"v.json\" is one file, which each of several inputs",
        ),
        (
            &["in", "out/", "--settle", "3"],
            "--settle is for --watch; type warpreel --watch DIR OUTDIR/ --settle SECONDS",
        ),
        (&["--watch", "in", "out/", "--settle", "5000"], "--settle \"5000\" is not from 0 to 3600"),
    ] {
        let output = bench.watched(typed);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{typed:?}: {said}");
        assert!(said.contains(line), "{typed:?}: {said}");
    }
    assert!(!bench.path("out").exists());
}

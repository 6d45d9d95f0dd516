//! Signals: what is written is completed under another name, and who started the program learns that it was stopped.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::program::{Bench, binary, ended, signalled};

/// So many frames of 8 by 8 pixels, with what comes before them.
fn clip(frames: usize) -> Vec<u8> {
    let mut clip = b"YUV4MPEG2 W8 H8 F25:1 Ip A1:1 Cmono\n".to_vec();
    for frame in 0..frames {
        clip.extend(b"FRAME\n");
        clip.extend([10 * frame as u8; 64]);
    }
    clip
}

/// A program whose input stays open and says nothing after some frames.
struct Waiting {
    child: Child,
    stdin: ChildStdin,
}

impl Waiting {
    fn start(bench: &Bench, arguments: &[&str], frames: usize) -> Self {
        let mut program = signalled();
        program.args(arguments).current_dir(bench.path("")).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&clip(frames)).unwrap();
        stdin.flush().unwrap();
        Self { child, stdin }
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    fn end(self) -> Output {
        let output = ended(self.child, "the program that was signalled");
        drop(self.stdin);
        output
    }
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < patience, "{what} did not come about");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Bytes in files that stand under a name for the time being.
fn unfinished(bench: &Bench) -> u64 {
    let names = bench.names();
    let temporary = names.iter().filter(|name| name.ends_with(".part"));
    temporary.map(|name| bench.path(name).metadata().map_or(0, |file| file.len())).sum()
}

#[test]
fn a_signal_keeps_the_beginning_under_another_name() {
    for (signal, number, arguments) in [
        ("INT", 2, &["-", "out.y4m"][..]),
        ("TERM", 15, &["-", "out.y4m", "-y", "-q"]),
        ("HUP", 1, &["-", "out.y4m", "-y", "-f", "invert,invert"]),
    ] {
        let bench = Bench::new();
        let replaces = arguments.contains(&"-y");
        if replaces {
            fs::write(bench.path("out.y4m"), "precious").unwrap();
        }
        let waiting = Waiting::start(&bench, arguments, 4);
        wait_until("the frames", || unfinished(&bench) == clip(4).len() as u64);
        waiting.signal(signal);
        let output = waiting.end();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(number), "{arguments:?}: {said}");
        assert!(said.contains("interrupted at frame 4; the first 4 are in out.partial.y4m"), "{arguments:?}: {said}");
        assert_eq!(said.contains("stopping"), !arguments.contains(&"-q"), "{arguments:?}: {said}");
        assert_eq!(fs::read(bench.path("out.partial.y4m")).unwrap(), clip(4), "{arguments:?}");
        let names = if replaces { &["out.partial.y4m", "out.y4m"][..] } else { &["out.partial.y4m"] };
        assert_eq!(bench.names(), names, "{arguments:?}");
        if replaces {
            assert_eq!(fs::read(bench.path("out.y4m")).unwrap(), b"precious", "{arguments:?}");
        }
    }
}

/// Earlier beginnings stay.
#[test]
fn a_beginning_replaces_nothing() {
    let bench = Bench::new();
    fs::write(bench.path("out.partial.y4m"), "an earlier one").unwrap();
    let waiting = Waiting::start(&bench, &["-", "out.y4m"], 3);
    wait_until("the frames", || unfinished(&bench) == clip(3).len() as u64);
    waiting.signal("INT");
    let output = waiting.end();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the first 3 are in out.partial-2.y4m"), "{said}");
    assert_eq!(fs::read(bench.path("out.partial.y4m")).unwrap(), b"an earlier one");
    assert_eq!(fs::read(bench.path("out.partial-2.y4m")).unwrap(), clip(3));
}

/// A container is completed so that it plays; a sequence keeps its numbers.
#[test]
fn the_beginning_can_be_read() {
    for (name, partial, frames) in [("out.mkv", "out.partial.mkv", 4), ("out%03d.png", "out%03d.partial.png", 4)] {
        let bench = Bench::new();
        let waiting = Waiting::start(&bench, &["-", name, "--lossless"], frames);
        // What is written of the last frame tells nobody: an encoder holds frames back.
        wait_until("the output", || bench.names().iter().any(|name| name.ends_with(".part")));
        thread::sleep(Duration::from_millis(500));
        waiting.signal("INT");
        let output = waiting.end();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(&format!("the first {frames} are in {partial}")), "{said}");
        let read = bench.warpreel(&[partial, "hash:"]);
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        let hashes = String::from_utf8_lossy(&read.stdout).lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(hashes, frames);
        assert!(bench.names().iter().all(|name| name.contains("partial")), "{:?}", bench.names());
    }
}

/// What comes twice at once, as a Ctrl-C that a program passes on to its group, is one wish.
#[test]
fn two_signals_at_once_are_one() {
    let bench = Bench::new();
    let waiting = Waiting::start(&bench, &["-", "out.y4m"], 4);
    wait_until("the frames", || unfinished(&bench) == clip(4).len() as u64);
    // Stopped, the program cannot act on the first signal before the second is there.
    waiting.signal("STOP");
    waiting.signal("TERM");
    waiting.signal("INT");
    waiting.signal("CONT");
    let output = waiting.end();
    assert!(matches!(output.status.signal(), Some(2 | 15)), "{}", output.status);
    assert_eq!(fs::read(bench.path("out.partial.y4m")).unwrap(), clip(4));
    assert_eq!(bench.names(), ["out.partial.y4m"]);
}

/// A second signal, a second later, does not wait for the output to be completed.
#[test]
fn a_second_signal_leaves_nothing() {
    let bench = Bench::new();
    // A frame that takes minutes, for whose end a first signal waits.
    let frame = [b"YUV4MPEG2 W1600 H1200 F25:1 Ip A1:1 Cmono\nFRAME\n".to_vec(), noise(1600 * 1200)].concat();
    let chain = ["bm3d=sigma=40:block_step=1:bm_range=24"; 8].join(",");
    let mut program = signalled();
    program.args(["-", "out.y4m", "--threads", "1", "-f", &chain]).current_dir(bench.path(""));
    let mut child = program.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&frame).unwrap();
    stdin.flush().unwrap();
    let waiting = Waiting { child, stdin };
    wait_until("the output", || bench.names().iter().any(|name| name.ends_with(".part")));
    waiting.signal("TERM");
    thread::sleep(Duration::from_millis(1300));
    waiting.signal("INT");
    let output = waiting.end();
    assert!(matches!(output.status.signal(), Some(2 | 15)), "{}", output.status);
    assert!(bench.names().is_empty(), "{:?}", bench.names());
}

/// So many bytes that look like nothing.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 7u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..count).map(next).collect()
}

/// As `nohup` asks.
#[test]
#[cfg(target_os = "linux")]
fn what_is_to_be_ignored_is_ignored() {
    let bench = Bench::new();
    let command = format!("trap '' HUP; exec env --default-signal=INT,TERM {} - out.y4m", binary().display());
    let mut program = Command::new("sh");
    program.args(["-c", &command]).current_dir(bench.path("")).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&clip(2)).unwrap();
    wait_until("the frames", || unfinished(&bench) == clip(2).len() as u64);
    let waiting = Waiting { child, stdin };
    waiting.signal("HUP");
    let Waiting { child, stdin } = waiting;
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(bench.names(), ["out.y4m"]);
}

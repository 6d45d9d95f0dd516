//! Inputs that do not come, end too early, come back, or come too fast.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{bench, frames, port, said, send, send_and_wait, serve};
use crate::program::{Bench, checksums, ended, signalled};

/// The clip, and the first part of it.
fn parts(bench: &Bench) -> (Vec<u8>, Vec<u8>) {
    let whole = std::fs::read(bench.path("clip.ts")).unwrap();
    let half = whole[..whole.len() / 2 / 188 * 188].to_vec();
    (whole, half)
}

#[test]
fn an_input_that_never_answers_is_given_up() {
    let bench = bench();
    let accepting = serve(vec![send_and_wait(Vec::new()), send_and_wait(Vec::new())]);
    for address in [
        format!("udp://127.0.0.1:{}", port()),
        format!("tcp://127.0.0.1:{}?listen", port()),
        format!("rtsp://127.0.0.1:{}/a?listen", port()),
        format!("tcp://127.0.0.1:{accepting}"),
        format!("http://127.0.0.1:{accepting}/a.ts"),
    ] {
        let output = bench.watched(&[&address, "out.mkv", "--timeout", "500ms"]);
        assert_eq!(output.status.code(), Some(1), "{address}");
        let said = said(&output);
        assert!(said.contains("nothing came within 500ms; type a longer --timeout"), "{address}: {said}");
        assert!(!bench.names().iter().any(|name| name.contains("out")), "{address}");
    }
}

#[test]
fn what_came_of_an_input_that_falls_silent_is_completed() {
    let bench = bench();
    let port = serve(vec![send_and_wait(parts(&bench).1)]);
    let output =
        bench.watched(&[&format!("tcp://127.0.0.1:{port}"), "out.mkv", "--timeout", "1s", "--stats", "s.json"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let (count, ascend) = frames(&bench, "out.mkv");
    assert!((15..40).contains(&count) && ascend, "{count} frames");
    assert!(
        text.contains(&format!("was lost after {count} frames: nothing came for 1s; the output is complete")),
        "{text}"
    );
    let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(bench.path("s.json")).unwrap()).unwrap();
    assert!(stats["error"].as_str().unwrap().contains("was lost"), "{stats}");
    assert_eq!(stats["frames"].as_u64(), Some(count as u64));
    // Whoever expects it says so.
    let port = serve(vec![send_and_wait(parts(&bench).1)]);
    bench.pass(&[&format!("tcp://127.0.0.1:{port}"), "out.mkv", "-y", "--timeout", "1s", "--salvage"]);
    assert_eq!(frames(&bench, "out.mkv").0, count);
}

/// Its times begin again, and go on in the output.
#[test]
fn an_input_that_comes_back_goes_on() {
    let bench = bench();
    let (whole, half) = parts(&bench);
    let port = serve(vec![send(half), send(whole)]);
    let from = format!("tcp://127.0.0.1:{port}");
    let output = bench.watched(&[&from, "out.mkv", "--reconnect", "2", "--timeout", "5s", "--stats", "s.json"]);
    let text = said(&output);
    assert!(text.contains("reconnecting, 1 of 2") && text.contains("is back; its times go on with a gap of"), "{text}");
    // The port is closed by now: the third attempts fail, and the run with them.
    assert_eq!(output.status.code(), Some(1), "{text}");
    let (count, ascend) = frames(&bench, "out.mkv");
    assert!((65..90).contains(&count) && ascend, "{count} frames");
    assert!(text.contains(&format!("was lost after {count} frames")), "{text}");
    let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(bench.path("s.json")).unwrap()).unwrap();
    assert_eq!(stats["live"]["reconnects"].as_u64(), Some(1));
    // The frames behind the loss are those of the clip from its beginning.
    let port = serve(vec![send(parts(&bench).1), send(parts(&bench).0)]);
    let output = bench.watched(&[&format!("tcp://127.0.0.1:{port}"), "hash:", "--reconnect", "1", "--timeout", "5s"]);
    let sum = |line: &String| line.rsplit(',').next().unwrap().to_owned();
    let came: Vec<_> = checksums(&output.stdout).iter().map(sum).collect();
    let file: Vec<_> = checksums(&bench.pass(&["clip.ts", "hash:"])).iter().map(sum).collect();
    assert!(came.ends_with(&file) && came[..came.len() - file.len()] == file[..came.len() - file.len()]);
}

#[test]
fn an_input_that_comes_back_as_another_ends_the_job() {
    let bench = bench();
    let other =
        "-f lavfi -i testsrc=s=128x64:r=25:d=1 -f lavfi -i sine=d=1 -c:v mpeg2video -c:a mp2 -f mpegts other.ts";
    bench.ffmpeg(&other.split(' ').collect::<Vec<_>>());
    let port = serve(vec![send(parts(&bench).1), send(std::fs::read(bench.path("other.ts")).unwrap())]);
    let output = bench.watched(&[&format!("tcp://127.0.0.1:{port}"), "out.mkv", "--reconnect", "1"]);
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("its frames have another size or format than before"), "{text}");
    assert!(frames(&bench, "out.mkv").0 > 10);
}

#[test]
fn a_signal_completes_both_ends() {
    let bench = bench();
    let port = serve(vec![send_and_wait(parts(&bench).0)]);
    let mut program = signalled();
    program.args([&format!("tcp://127.0.0.1:{port}"), "out.mkv", "--lossless", "--timeout", "100s"]);
    let mut child = program.current_dir(bench.path("")).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // All frames but those that the decoder holds have come when the sender falls silent.
    thread::sleep(Duration::from_secs(2));
    assert!(child.try_wait().unwrap().is_none(), "it waits for more");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = ended(child, "the program that was signalled");
    let text = said(&output);
    assert!(text.contains("are in out.partial.mkv"), "{text}");
    assert_eq!(bench.names(), ["clip.ts", "out.partial.mkv"]);
    let (count, ascend) = frames(&bench, "out.partial.mkv");
    assert!(count > 30 && ascend, "{count} frames: {text}");
}

/// A job that is far slower than its input drops whole frames, and says how many.
#[test]
fn late_frames_are_dropped_where_that_is_asked_for() {
    let bench = Bench::new();
    let clip = "-f lavfi -i testsrc=s=640x360:r=50:d=3 -c:v mpeg2video -q:v 3 -bf 0 -f mpegts";
    bench.ffmpeg(&[&clip.split(' ').collect::<Vec<_>>()[..], &["fast.ts"]].concat());
    let port = port();
    let address = format!("tcp://127.0.0.1:{port}?listen");
    let _peer = super::Peer::ffmpeg(&bench, &["-re", "-i", "fast.ts", "-c", "copy", "-f", "mpegts", &address]);
    super::wait_for("tcp", port);
    let from = format!("tcp://127.0.0.1:{port}");
    let slow = ["--threads", "1", "--backend", "cpu", "-f", "nlmeans=s=6:r=21:p=9"];
    let output = bench.watched(&[&[&*from, "hash:", "--drop-late", "--stats", "s.json"], &slow[..]].concat());
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(bench.path("s.json")).unwrap()).unwrap();
    let dropped = stats["live"]["dropped"].as_u64().unwrap();
    let written = checksums(&output.stdout).len() as u64;
    assert!(dropped > 0 && written > 0, "{stats}");
    assert_eq!(dropped + written, 150);
    let noun = if dropped == 1 { "frame" } else { "frames" };
    assert!(text.contains(&format!("{dropped} late {noun} dropped")), "{text}");
}

/// A stream that is entered behind the only headers of its codec has no frames, which is said in time.
#[test]
fn a_stream_without_headers_ends_in_an_error() {
    let bench = bench();
    let clip = "-f lavfi -i testsrc=s=96x64:r=25:d=4 -c:v libx264 -g 1000 -sc_threshold 0 -f mpegts long.ts";
    bench.ffmpeg(&clip.split(' ').collect::<Vec<_>>());
    let bytes = std::fs::read(bench.path("long.ts")).unwrap();
    let rest = bytes[bytes.len() / 4 / 188 * 188..].to_vec();
    let port = serve(vec![Box::new(move |mut stream| {
        let end = Instant::now() + Duration::from_secs(60);
        while Instant::now() < end && stream.write_all(&rest).is_ok() {
            thread::sleep(Duration::from_millis(1));
        }
    })]);
    let output = bench.watched(&[&format!("tcp://127.0.0.1:{port}"), "hash:", "--timeout", "1s"]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let line = said.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
    assert!(line.contains("can be decoded; its sender has to repeat the codec's headers"), "{said}");
}

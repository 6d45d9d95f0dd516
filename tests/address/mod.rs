//! Streams from and into the network, over the loopback alone: FFmpeg or a few lines of this file at the other end.

mod input;
mod loss;
mod option;
mod output;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{Bench, binary, ended};

/// A folder with a clip of 50 frames and two seconds, `clip.ts`, with sound.
fn bench() -> Bench {
    let bench = Bench::new();
    let video =
        "-f lavfi -i testsrc=s=96x64:r=25:d=2 -f lavfi -i sine=d=2 -c:v mpeg2video -q:v 3 -bf 0 -c:a mp2 -f mpegts";
    bench.ffmpeg(&[&video.split(' ').collect::<Vec<_>>()[..], &["clip.ts"]].concat());
    bench
}

/// A port that is free.
fn port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// The other end, which is ended with the test.
struct Peer(Option<Child>);

impl Peer {
    fn ffmpeg(bench: &Bench, arguments: &[&str]) -> Self {
        let mut program = Command::new("ffmpeg");
        program.args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y"]).args(arguments);
        Self::start(bench, &mut program)
    }

    fn start(bench: &Bench, program: &mut Command) -> Self {
        let silent = program.current_dir(bench.path("")).stdin(Stdio::null()).stdout(Stdio::null());
        Self(Some(silent.stderr(Stdio::piped()).spawn().unwrap()))
    }

    /// Waits for its end.
    fn end(mut self) -> Output {
        ended(self.0.take().unwrap(), "the other end")
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            child.kill().ok();
            child.wait().ok();
        }
    }
}

/// The program, which may be waited for later.
fn start(bench: &Bench, arguments: &[&str]) -> Child {
    let mut program = Command::new(binary());
    program.args(arguments).current_dir(bench.path("")).stdin(Stdio::null());
    program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Waits until a port is listened to, without connecting to it. `protocol` is `tcp` or `udp`.
fn wait_for(protocol: &str, port: u16) {
    let end = Instant::now() + Duration::from_secs(60);
    let is_there = || {
        let table = std::fs::read_to_string(format!("/proc/net/{protocol}")).unwrap();
        table.lines().skip(1).any(|line| {
            let cells: Vec<&str> = line.split_whitespace().collect();
            // Sockets of UDP have no state of listening.
            cells[1].ends_with(&format!(":{port:04X}")) && (protocol == "udp" || cells[3] == "0A")
        })
    };
    while !is_there() {
        assert!(Instant::now() < end, "nobody listens to port {port}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Serves a port on a thread: each connection in turn is handed to one of `turns`, then closed.
fn serve(turns: Vec<Box<dyn FnOnce(TcpStream) + Send>>) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || turns.into_iter().for_each(|turn| turn(listener.accept().unwrap().0)));
    port
}

/// Sends bytes; a program that has seen enough closes the connection.
fn send(bytes: Vec<u8>) -> Box<dyn FnOnce(TcpStream) + Send> {
    Box::new(move |mut stream| {
        stream.write_all(&bytes).ok();
    })
}

/// Sends bytes, and then nothing until the program closes the connection.
fn send_and_wait(bytes: Vec<u8>) -> Box<dyn FnOnce(TcpStream) + Send> {
    Box::new(move |mut stream| {
        stream.write_all(&bytes).ok();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        while stream.read(&mut [0; 1000]).is_ok_and(|count| count > 0) {}
    })
}

/// Frames in a file, and whether their times ascend.
fn frames(bench: &Bench, name: &str) -> (usize, bool) {
    let listing = bench.ffmpeg(&["-i", name, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"]);
    let times: Vec<f64> = crate::program::timed_checksums(&listing).into_iter().map(|(time, _)| time).collect();
    (times.len(), times.is_sorted_by(|a, b| a < b))
}

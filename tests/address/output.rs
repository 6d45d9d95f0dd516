//! Outputs: what arrives is what the same job writes into a file.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use super::{Peer, bench, port, said, start, wait_for};
use crate::program::{Bench, checksums, ended};

/// Packets of a file, or of what came.
fn packets(bench: &Bench, name: &str) -> Vec<u8> {
    bench.ffmpeg(&["-i", name, "-map", "0", "-c", "copy", "-f", "framemd5", "-"])
}

#[test]
fn tcp_carries_the_packets_of_the_file() {
    let (bench, port) = (bench(), port());
    let to = format!("tcp://127.0.0.1:{port}");
    let peer =
        Peer::ffmpeg(&bench, &["-i", &format!("{to}?listen"), "-map", "0", "-c", "copy", "-f", "framemd5", "came.md5"]);
    wait_for("tcp", port);
    bench.pass(&["clip.ts", &to, "-f", "invert"]);
    assert!(peer.end().status.success());
    bench.pass(&["clip.ts", "file.ts", "-f", "invert"]);
    assert!(std::fs::read(bench.path("came.md5")).unwrap() == packets(&bench, "file.ts"));
    // No file has the name of an address.
    assert_eq!(bench.names(), ["came.md5", "clip.ts", "file.ts"]);
}

/// From the network and into it, at the pace of the sender.
#[test]
fn udp_carries_what_comes_from_udp() {
    let bench = bench();
    let (from, to) = (port(), port());
    let receiver = format!("udp://127.0.0.1:{to}?timeout=4000000");
    let peer = Peer::ffmpeg(&bench, &["-i", &receiver, "-map", "0", "-c", "copy", "came.nut"]);
    wait_for("udp", to);
    let [input, output] = [from, to].map(|port| format!("udp://127.0.0.1:{port}"));
    let child = start(&bench, &[&input, &output, "-f", "invert", "--timeout", "2s"]);
    wait_for("udp", from);
    bench.ffmpeg(&["-re", "-i", "clip.ts", "-c", "copy", "-f", "mpegts", &format!("{input}?pkt_size=1316")]);
    let ended = ended(child, "the filter");
    assert!(said(&ended).contains("was lost after 50 frames"), "{}", said(&ended));
    peer.end();
    let sums = |name: &str| {
        let listing = bench.ffmpeg(&["-i", name, "-map", "0:v", "-c", "copy", "-f", "framemd5", "-"]);
        crate::program::timed_checksums(&listing).into_iter().map(|(_, sum)| sum).collect::<Vec<_>>()
    };
    bench.pass(&["clip.ts", "file.ts", "-f", "invert"]);
    assert_eq!(sums("came.nut"), sums("file.ts"));
}

#[test]
fn rtmp_is_published() {
    let (bench, port) = (bench(), port());
    let to = format!("rtmp://127.0.0.1:{port}/live/x");
    let copy = ["-f", "flv", "-listen", "1", "-i", &to, "-map", "0:v", "-c", "copy", "-f", "framemd5", "came.md5"];
    let peer = Peer::ffmpeg(&bench, &copy);
    wait_for("tcp", port);
    let output = bench.watched(&["clip.ts", &to, "--codec", "libx264"]);
    assert!(output.status.success(), "{}", said(&output));
    peer.end();
    // What a viewer sees at once: no frame waits for a later one.
    bench.pass(&[
        "clip.ts",
        "file.flv",
        "--codec",
        "libx264",
        "--encoder-option",
        "tune=zerolatency",
        "--encoder-option",
        "g=50",
    ]);
    let sums = |listing: Vec<u8>| {
        checksums(&listing).iter().map(|line| line.split(',').nth(5).unwrap().trim().to_owned()).collect::<Vec<_>>()
    };
    let came = sums(std::fs::read(bench.path("came.md5")).unwrap());
    let file = sums(bench.ffmpeg(&["-i", "file.flv", "-map", "0:v", "-c", "copy", "-f", "framemd5", "-"]));
    assert_eq!(came.len(), 50);
    assert_eq!(came, file);
}

#[test]
fn rtsp_is_published() {
    let (bench, port) = (bench(), port());
    let to = format!("rtsp://127.0.0.1:{port}/live/x");
    let copy = ["-rtsp_flags", "listen", "-i", &to, "-map", "0", "-c", "copy", "-f", "framemd5", "came.md5"];
    let peer = Peer::ffmpeg(&bench, &copy);
    wait_for("tcp", port);
    let output = bench.watched(&["clip.ts", &to, "-f", "invert"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("50 frames, MP2 copied"), "{}", said(&output));
    peer.end();
    let came = std::fs::read(bench.path("came.md5")).unwrap();
    let count = |stream: char| checksums(&came).iter().filter(|line| line.starts_with(stream)).count();
    assert_eq!(count('0'), 50);
    assert!(count('1') > 0, "no sound came");
}

#[test]
fn publishing_over_rtsp_needs_a_server() {
    let bench = bench();
    let to = format!("rtsp://127.0.0.1:{}/x", port());
    let error = bench.fail(&["clip.ts", &to]);
    assert!(error.contains("Connection refused"), "{error}");
    let silent = super::serve(vec![Box::new(|_stream| thread::sleep(Duration::from_secs(20)))]);
    let error = bench.fail(&["clip.ts", &format!("rtsp://127.0.0.1:{silent}/x"), "--timeout", "500ms"]);
    assert!(error.contains("nobody took it within 500ms"), "{error}");
    for (arguments, wanted) in
        [(&["--container", "mpegts"][..], "leave --container out"), (&["--codec", "ffv1"], "rtsp cannot hold ffv1")]
    {
        let error = bench.fail(&[&["clip.ts", &to], arguments].concat());
        assert!(error.contains(wanted), "{error}");
    }
}

/// All that was sent has come before the connection is closed, though the receiver sees an end by the sender as a fault.
#[test]
fn srt_delivers_all_packets() {
    let (bench, port) = (bench(), port());
    let to = format!("srt://127.0.0.1:{port}");
    let listen = format!("{to}?mode=listener");
    let peer = Peer::ffmpeg(&bench, &["-i", &listen, "-map", "0", "-c", "copy", "-f", "framemd5", "came.md5"]);
    wait_for("udp", port);
    bench.pass(&["clip.ts", &to, "-f", "invert"]);
    peer.end();
    bench.pass(&["clip.ts", "file.ts", "-f", "invert"]);
    assert!(std::fs::read(bench.path("came.md5")).unwrap() == packets(&bench, "file.ts"));
}

/// A server of a few lines takes what is put there.
#[test]
fn http_puts_a_file() {
    let bench = bench();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let (mut came, mut piece) = (Vec::new(), [0; 4096]);
        while !came.ends_with(b"\r\n0\r\n\r\n") {
            match stream.read(&mut piece) {
                Ok(0) | Err(_) => break,
                Ok(count) => came.extend_from_slice(&piece[..count]),
            }
        }
        stream.write_all(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n").ok();
        came
    });
    bench.pass(&["clip.ts", &format!("http://127.0.0.1:{port}/a/x.ts"), "-f", "invert"]);
    let came = server.join().unwrap();
    let head = came.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    assert!(came.starts_with(b"PUT /a/x.ts HTTP/1.1\r\n"));
    let (mut body, mut rest) = (Vec::new(), &came[head..]);
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        body.extend_from_slice(&rest[end + 2..end + 2 + length]);
        rest = &rest[end + 2 + length + 2..];
    }
    std::fs::write(bench.path("came.ts"), body).unwrap();
    bench.pass(&["clip.ts", "file.ts", "-f", "invert"]);
    assert!(packets(&bench, "came.ts") == packets(&bench, "file.ts"));
}

#[test]
fn a_receiver_that_is_gone_or_takes_nothing_is_an_error() {
    let bench = bench();
    // More than the system keeps for a connection.
    let raw = ["-f", "lavfi", "-i", "testsrc=s=640x360:d=4", "-c:v", "rawvideo", "-pix_fmt", "yuv420p", "big.nut"];
    bench.ffmpeg(&raw);
    let gone = super::serve(vec![Box::new(|mut stream| drop(stream.read(&mut [0; 1000])))]);
    let send = ["--codec", "rawvideo", "--container", "nut", "--timeout", "1s"];
    let output = bench.watched(&[&["big.nut", &format!("tcp://127.0.0.1:{gone}")], &send[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("the receiver closed the connection"), "{}", said(&output));
    let stuck = super::serve(vec![Box::new(|_stream| thread::sleep(Duration::from_secs(20)))]);
    let output = bench.watched(&[&["big.nut", &format!("tcp://127.0.0.1:{stuck}")], &send[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("nobody took it within 1s; type a longer --timeout"), "{}", said(&output));
    let closed = port();
    let error = bench.fail(&["clip.ts", &format!("tcp://127.0.0.1:{closed}")]);
    assert!(error.contains("Connection refused"), "{error}");
    let error = bench.fail(&["clip.ts", &format!("tcp://127.0.0.1:{closed}?listen"), "--timeout", "500ms"]);
    assert!(error.contains("nobody took it within 500ms"), "{error}");
}

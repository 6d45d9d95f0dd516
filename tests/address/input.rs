//! Inputs: the frames of a stream are those of the file that was sent.

use std::process::Command;

use super::{Peer, bench, port, said, send, serve, start, wait_for};
use crate::program::{Bench, checksums, ended, succeeded};

/// Checksums of the clip as a file.
fn of_file(bench: &Bench) -> Vec<u8> {
    bench.pass(&["clip.ts", "hash:", "-f", "invert"])
}

/// Checksums of frames alone.
fn sums(listing: &[u8]) -> Vec<String> {
    checksums(listing).iter().map(|line| line.rsplit(',').next().unwrap().to_owned()).collect()
}

#[test]
fn tcp_brings_the_frames_of_the_file() {
    let (bench, port) = (bench(), port());
    let address = format!("tcp://127.0.0.1:{port}?listen");
    let _peer = Peer::ffmpeg(&bench, &["-i", "clip.ts", "-c", "copy", "-f", "mpegts", &address]);
    wait_for("tcp", port);
    let from = format!("tcp://127.0.0.1:{port}");
    let stream = bench.pass(&[&from, "hash:", "-f", "invert", "--stats", "stats.json"]);
    assert_eq!(stream, of_file(&bench));
    let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(bench.path("stats.json")).unwrap()).unwrap();
    let live = &stats["live"];
    let (mean, longest) = (live["delay_ms"].as_f64().unwrap(), live["longest_delay_ms"].as_f64().unwrap());
    assert!(mean > 0.0 && mean <= longest, "{live}");
    assert_eq!((live["dropped"].as_u64(), live["reconnects"].as_u64()), (Some(0), Some(0)));
}

/// The other way round: the program listens.
#[test]
fn an_address_may_listen() {
    let (bench, port) = (bench(), port());
    let address = format!("tcp://127.0.0.1:{port}?listen");
    let child = start(&bench, &[&address, "out.mkv", "--lossless", "--codec", "ffv1"]);
    wait_for("tcp", port);
    let to = format!("tcp://127.0.0.1:{port}");
    bench.ffmpeg(&["-i", "clip.ts", "-c", "copy", "-f", "mpegts", &to]);
    let output = ended(child, "the listener");
    assert!(output.status.success(), "{}", said(&output));
    assert!(said(&output).contains("; delay "), "{}", said(&output));
    // Sound comes along.
    let sound = |name: &str| bench.ffmpeg(&["-i", name, "-map", "0:a", "-c", "copy", "-f", "md5", "-"]);
    bench.pass(&["clip.ts", "file.mkv", "--lossless", "--codec", "ffv1"]);
    assert_eq!(sound("out.mkv"), sound("file.mkv"));
    let frames = |name: &str| bench.ffmpeg(&["-i", name, "-map", "0:v", "-f", "framemd5", "-"]);
    assert_eq!(frames("out.mkv"), frames("file.mkv"));
    assert_eq!(bench.names().iter().filter(|name| name.contains("out")).count(), 1);
}

/// Datagrams have no end: the program stops when none comes.
#[test]
fn udp_brings_the_frames_of_the_file_and_ends_in_time() {
    let (bench, port) = (bench(), port());
    let address = format!("udp://127.0.0.1:{port}");
    let child = start(&bench, &[&address, "hash:", "-f", "invert", "--timeout", "2s"]);
    wait_for("udp", port);
    let to = format!("{address}?pkt_size=1316");
    bench.ffmpeg(&["-re", "-i", "clip.ts", "-c", "copy", "-f", "mpegts", &to]);
    let output = ended(child, "the receiver");
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("was lost after 50 frames: nothing came for 2s; the output is complete"), "{said}");
    assert_eq!(checksums(&output.stdout), checksums(&of_file(&bench)));
}

#[test]
fn srt_brings_frames_of_the_file() {
    let known = Command::new("ffmpeg").args(["-hide_banner", "-protocols"]).output().unwrap().stdout;
    if !String::from_utf8_lossy(&known).lines().any(|line| line.trim() == "srt") {
        eprintln!("skipped: this FFmpeg has no srt");
        return;
    }
    let (bench, port) = (bench(), port());
    let child = start(&bench, &[&format!("srt://127.0.0.1:{port}?mode=listener"), "hash:", "-f", "invert"]);
    wait_for("udp", port);
    let to = format!("srt://127.0.0.1:{port}?mode=caller");
    bench.ffmpeg(&["-re", "-i", "clip.ts", "-c", "copy", "-f", "mpegts", &to]);
    let output = ended(child, "the receiver");
    let came = checksums(&succeeded(output, &["srt"]));
    // A sender that closes forgets what it has not sent.
    let file = checksums(&of_file(&bench));
    assert!(came.len() > 30 && file.starts_with(&came), "{} frames", came.len());
}

/// A file, and a list of segments.
#[test]
fn http_brings_the_frames_of_the_file() {
    let (bench, port) = (bench(), port());
    let list = ["-i", "clip.ts", "-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "list.m3u8"];
    bench.ffmpeg(&list);
    let arguments = ["-m", "http.server", &port.to_string(), "--bind", "127.0.0.1"];
    let _server = Peer::start(&bench, Command::new("python3").args(arguments));
    wait_for("tcp", port);
    let file = checksums(&of_file(&bench));
    for name in ["clip.ts", "list.m3u8"] {
        // All of it came by its size or its list: no attempt is made to open it again.
        let from = format!("http://127.0.0.1:{port}/{name}");
        let came = bench.pass(&[&from, "hash:", "-f", "invert", "--reconnect", "2"]);
        assert_eq!(checksums(&came), file, "{name}");
    }
    let error = bench.fail(&[&format!("http://127.0.0.1:{port}/none.ts"), "null:"]);
    assert!(error.contains("404"), "{error}");
}

/// A list opens what the web has, and nothing else: no file here, no other protocol.
#[test]
fn a_list_opens_neither_files_nor_other_protocols() {
    let bench = bench();
    let silent = port();
    for segment in [
        format!("file://{}", bench.path("clip.ts").display()),
        bench.path("clip.ts").display().to_string(),
        format!("udp://127.0.0.1:{silent}"),
        format!("concat:{}", bench.path("clip.ts").display()),
    ] {
        let list = format!("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{segment}\n#EXT-X-ENDLIST\n");
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apple.mpegurl\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            list.len()
        );
        let answer = |text: String| send(text.into_bytes());
        let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned();
        let port = serve((0..4).map(|n| answer(if n == 0 { head.clone() + &list } else { missing.clone() })).collect());
        let output = bench.watched(&[&format!("http://127.0.0.1:{port}/a.m3u8"), "hash:", "--timeout", "3s"]);
        assert_eq!(output.status.code(), Some(1), "{segment}: {}", said(&output));
        assert!(checksums(&output.stdout).is_empty(), "{segment}");
    }
    // A list of files is none that a stream may be.
    let port = serve(vec![send(format!("ffconcat version 1.0\nfile {}\n", bench.path("clip.ts").display()).into())]);
    let output = bench.watched(&[&format!("tcp://127.0.0.1:{port}"), "hash:", "--timeout", "3s"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
}

#[test]
fn rtsp_is_received() {
    let (bench, port) = (bench(), port());
    let address = format!("rtsp://127.0.0.1:{port}/live");
    let child = start(&bench, &[&format!("{address}?listen"), "hash:", "-f", "invert", "--timeout", "20s"]);
    wait_for("tcp", port);
    let copy = ["-re", "-i", "clip.ts", "-an", "-c", "copy", "-f", "rtsp", "-rtsp_transport", "tcp"];
    bench.ffmpeg(&[&copy[..], &[&address]].concat());
    let output = ended(child, "the receiver");
    let (came, file) = (sums(&output.stdout), sums(&of_file(&bench)));
    assert!(came.len() > 40 && came.iter().all(|sum| file.contains(sum)), "{}: {}", came.len(), said(&output));
}

/// Typed with `sdp:`, a description of streams is received; as a file it opens nothing, whatever its name is.
#[test]
fn an_sdp_file_is_received_where_that_is_typed() {
    let (bench, port) = (bench(), port());
    let text = format!("v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video {port} RTP/AVP 32\n");
    for name in ["a.sdp", "my clip.mp4"] {
        std::fs::write(bench.path(name), &text).unwrap();
    }
    for (name, typed) in [("a.sdp", "sdp:a.sdp"), ("my clip.mp4", "\"sdp:my clip.mp4\"")] {
        let line = bench.fail(&[name, "null:"]);
        let wanted = format!("it describes streams of other hosts; to receive them, type warpreel {typed} …");
        assert!(line.contains(&wanted), "{line}");
    }
    assert!(bench.fail(&["sdp:none.sdp", "null:"]).contains("No such file"));
    assert!(bench.fail(&["sdp:a.sdp", "a.sdp", "-y"]).contains("would replace \"a.sdp\", which is read"));
    assert!(bench.fail(&["sdp:a.sdp", "null:", "--timeout", "500ms"]).contains("nothing came within 500ms"));
    let child = start(&bench, &["sdp:a.sdp", "hash:", "-f", "invert", "--timeout", "3s"]);
    wait_for("udp", port);
    let to = format!("rtp://127.0.0.1:{port}");
    bench.ffmpeg(&["-re", "-i", "clip.ts", "-an", "-c", "copy", "-f", "rtp", &to]);
    let output = ended(child, "the receiver");
    let (came, file) = (sums(&output.stdout), sums(&of_file(&bench)));
    assert!(came.len() > 40 && came.iter().all(|sum| file.contains(sum)), "{}: {}", came.len(), said(&output));
}

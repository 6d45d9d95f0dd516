//! Requests that are too long, too many, or none.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;

use serde_json::json;

use super::*;

#[test]
fn requests_are_bounded() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    assert_eq!(page.post("chain", &json!({"text": "x".repeat(300 << 10)})).status, 413);
    assert_eq!(page.post("chain", &json!({"words": 1})).status, 400);
    assert_eq!(page.post("nothing", &json!({})).status, 404);
    assert_eq!(heard(page.send(&(page.head("PUT", "clip", "") + "\r\n"))).status, 405);
    let long = format!("GET /{} HTTP/1.1\r\n", "x".repeat(64 << 10));
    let mut stream = TcpStream::connect(("127.0.0.1", page.port)).unwrap();
    let _ = stream.write_all(long.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 4"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(page.get("clip").status, 200);
}

/// A thousand at once, some of which nobody reads the answer of.
#[test]
fn many_at_once() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    page.known();
    let silent: Vec<TcpStream> = (0..40)
        .map(|_| page.send(&page.posted("frames", r#"{"view":"deaf","first":0,"count":37,"chain":"gaussian=1"}"#)))
        .collect();
    let ask = |number: usize| {
        let text = format!(r#"{{"view":"v{number}","first":{},"count":1,"chain":null}}"#, number % FRAMES);
        let status = heard(page.send(&page.posted("frames", &text))).status;
        assert!([200, 409].contains(&status), "{status}");
        usize::from(status == 200)
    };
    let made: usize = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..100).map(|t| scope.spawn(move || (0..10).map(|n| ask(10 * t + n)).sum::<usize>())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert!(made > 100, "{made}");
    drop(silent);
    assert_eq!(page.frames("main", 3, 1, None).status, 200);
}

/// Connections that say nothing keep nobody out, however many they are.
#[test]
fn silence_keeps_nobody_out() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    let connect = || TcpStream::connect(("127.0.0.1", page.port)).unwrap();
    let silent: Vec<TcpStream> = (0..300).map(|_| connect()).collect();
    assert_eq!(page.get("clip").status, 200);
    // Who has begun to speak and stopped is as silent.
    let halting: Vec<TcpStream> = (0..200).map(|_| page.send("GET / HTTP/1.1\r\nHo")).collect();
    assert_eq!(page.get("clip").status, 200);
    drop((silent, halting));
}

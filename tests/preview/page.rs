//! A page that is served, and requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};
use warpreel::job::{Choice, Request};
use warpreel::preview::{Preview, PreviewOptions};
use warpreel::source::CancelToken;

use crate::program::Bench;

/// A page that is served.
pub struct Page {
    pub port: u16,
    pub token: String,
    interrupt: CancelToken,
    thread: Option<JoinHandle<()>>,
}

/// An answer.
pub struct Heard {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Page {
    pub fn of(bench: &Bench, clip: &str, chain: &[&str]) -> Self {
        Self::of_several(bench, &[clip], chain)
    }

    pub fn of_several(bench: &Bench, clips: &[&str], chain: &[&str]) -> Self {
        let mut inputs = clips.iter().map(|clip| bench.path(clip).to_str().unwrap().to_owned());
        let (input, others) = (inputs.next().unwrap(), inputs.collect());
        let chain = chain.iter().map(|text| (*text).to_owned()).collect();
        let request = Request { input, chain, backend: Choice::Cpu, ..Request::default() };
        let interrupt = CancelToken::default();
        let options = PreviewOptions {
            request,
            others,
            port: 0,
            memory_bytes: 1 << 20,
            output_dir: None,
            token_file: None,
            scratch_bytes: 64 << 20,
        };
        let preview = Preview::open(options, &interrupt).unwrap();
        let (port, address) = (preview.port(), preview.address());
        let token = address.trim_end_matches('/').rsplit('/').next().unwrap().to_owned();
        let thread = Some(thread::spawn(move || preview.serve().unwrap()));
        Self { port, token, interrupt, thread }
    }

    /// Sends a request head and body as they are.
    pub fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    pub fn head(&self, method: &str, path: &str, more: &str) -> String {
        format!(
            "{method} /{}/{path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n{more}",
            self.token, self.port
        )
    }

    pub fn get(&self, path: &str) -> Heard {
        heard(self.send(&(self.head("GET", path, "") + "\r\n")))
    }

    pub fn post(&self, path: &str, body: &Value) -> Heard {
        heard(self.send(&self.posted(path, &body.to_string())))
    }

    pub fn posted(&self, path: &str, body: &str) -> String {
        let more = format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        self.head("POST", path, &more)
    }

    pub fn frames(&self, view: &str, first: usize, count: usize, chain: Option<&str>) -> Heard {
        self.post("frames", &json!({"view": view, "first": first, "count": count, "chain": chain}))
    }

    /// Waits until the clip is looked through.
    pub fn known(&self) -> Value {
        loop {
            let clip = self.get("clip").json();
            if clip["known"] == true {
                return clip;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.interrupt.cancel();
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || ended.is_some_and(|ended| ended.is_ok()));
    }
}

impl Heard {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&self.body)))
    }

    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// The answer that comes on a connection.
pub fn heard(stream: TcpStream) -> Heard {
    let mut reader = BufReader::new(stream);
    let (mut head, mut body) = (String::new(), Vec::new());
    while reader.read_line(&mut head).unwrap() > 2 {}
    reader.read_to_end(&mut body).unwrap();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("{head:?}"));
    Heard { status, head, body }
}

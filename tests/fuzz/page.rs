//! Requests of the page, as a client sends them; `{}` stands for the token in the path.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use warpreel::job::{Choice, Request};
use warpreel::preview::{Preview, PreviewOptions};

/// A page that is served until the process ends.
struct Page {
    port: u16,
    token: String,
    _folder: tempfile::TempDir,
}

fn page() -> &'static Page {
    static PAGE: OnceLock<Page> = OnceLock::new();
    PAGE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let clip = folder.path().join("clip.y4m");
        let frames = [b"YUV4MPEG2 W8 H4 F25:1 Cmono\n".to_vec(), [&b"FRAME\n"[..], &[77; 32]].concat().repeat(4)];
        std::fs::write(&clip, frames.concat()).expect("a clip");
        let input = clip.to_str().expect("a name").to_owned();
        let request = Request { input, backend: Choice::Cpu, ..Request::default() };
        let options = PreviewOptions {
            request,
            others: Vec::new(),
            port: 0,
            memory_bytes: 1 << 20,
            output_dir: None,
            token_file: None,
            scratch_bytes: 0,
        };
        let preview = Preview::open(options, &Default::default()).expect("a page");
        let (port, address) = (preview.port(), preview.address());
        let token = address.trim_end_matches('/').rsplit('/').next().expect("a token").to_owned();
        thread::spawn(move || preview.serve().expect("a page"));
        Page { port, token, _folder: folder }
    })
}

pub fn run(bytes: &[u8]) {
    let Page { port, token, .. } = page();
    let mut text = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(2).position(|pair| pair == b"{}") {
        text.extend_from_slice(&rest[..at]);
        text.extend_from_slice(token.as_bytes());
        rest = &rest[at + 2..];
    }
    text.extend_from_slice(rest);
    // Paths on this machine, for outputs and the like, are nobody's to write.
    if text.windows(2).any(|pair| pair == b"/.") || text.windows(6).any(|word| word == b"output") {
        return;
    }
    let port_text = format!(":{port}");
    let text = String::from_utf8_lossy(&text).replace(":PORT", &port_text).into_bytes();
    let mut stream = TcpStream::connect(("127.0.0.1", *port)).expect("the page answers");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
    if stream.write_all(&text).is_err() || stream.shutdown(Shutdown::Write).is_err() {
        return;
    }
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {}
        Err(error) => panic!("no answer: {error}"),
    }
    let first = answer.split(|byte| *byte == b'\n').next().unwrap_or_default();
    assert!(!first.windows(5).any(|word| word == b" 500 "), "{}", String::from_utf8_lossy(&answer));
}

//! The server of `warpreel preview`: what it answers, and whom.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use warpreel::job::{Choice, Request};
use warpreel::preview::{Preview, PreviewOptions};
use warpreel::source::Interrupt;

use crate::chunk::{FRAMES, make};
use crate::program::Bench;

const FRAME_BYTES: usize = 32 * 20 * 3 / 2;

/// A page that is served.
struct Page {
    port: u16,
    token: String,
    interrupt: Interrupt,
    thread: Option<JoinHandle<()>>,
}

/// An answer.
struct Heard {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Page {
    fn of(bench: &Bench, clip: &str, chain: &[&str]) -> Self {
        let input = bench.path(clip).to_str().unwrap().to_owned();
        let chain = chain.iter().map(|text| (*text).to_owned()).collect();
        let request = Request { input, chain, backend: Choice::Cpu, ..Request::default() };
        let interrupt = Interrupt::default();
        let options = PreviewOptions { request, port: 0, memory_bytes: 1 << 20, scratch_bytes: 64 << 20 };
        let preview = Preview::open(options, &interrupt).unwrap();
        let (port, address) = (preview.port(), preview.address());
        let token = address.trim_end_matches('/').rsplit('/').next().unwrap().to_owned();
        let thread = Some(thread::spawn(move || preview.serve().unwrap()));
        Self { port, token, interrupt, thread }
    }

    /// Sends a request head and body as they are.
    fn send(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    fn head(&self, method: &str, path: &str, more: &str) -> String {
        format!(
            "{method} /{}/{path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n{more}",
            self.token, self.port
        )
    }

    fn get(&self, path: &str) -> Heard {
        heard(self.send(&(self.head("GET", path, "") + "\r\n")))
    }

    fn post(&self, path: &str, body: &Value) -> Heard {
        heard(self.send(&self.posted(path, &body.to_string())))
    }

    fn posted(&self, path: &str, body: &str) -> String {
        self.head("POST", path, &format!("Content-Length: {}\r\n\r\n{body}", body.len()))
    }

    fn frames(&self, view: &str, first: usize, count: usize, chain: Option<&str>) -> Heard {
        self.post("frames", &json!({"view": view, "first": first, "count": count, "chain": chain}))
    }

    /// Waits until the clip is looked through.
    fn known(&self) -> Value {
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
        self.interrupt.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || ended.is_some_and(|ended| ended.is_ok()));
    }
}

impl Heard {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&self.body)))
    }

    fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

fn heard(stream: TcpStream) -> Heard {
    let mut reader = BufReader::new(stream);
    let (mut head, mut body) = (String::new(), Vec::new());
    while reader.read_line(&mut head).unwrap() > 2 {}
    reader.read_to_end(&mut body).unwrap();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("{head:?}"));
    Heard { status, head, body }
}

fn clip(bench: &Bench) -> &'static str {
    make(bench, "in.mkv", FRAMES, "-c:v libx264 -qp 0 -g 6 -bf 2");
    "in.mkv"
}

/// What the program makes of the clip: the samples of all frames.
fn whole(bench: &Bench, chain: &str) -> Vec<u8> {
    bench.pass(&["in.mkv", "out.raw", "-y", "-q", "--backend", "cpu", "-f", chain]);
    std::fs::read(bench.path("out.raw")).unwrap()
}

#[test]
fn frames_are_those_of_the_program() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &["tmix=3", "gaussian=2"]);
    let about = page.known();
    assert_eq!(
        (&about["frames"], &about["chain"], &about["name"]),
        (&json!(37), &json!("tmix=3,gaussian=2"), &json!("in.mkv"))
    );
    let after = whole(&bench, "tmix=3,gaussian=2");
    for (first, count) in [(20, 1), (0, 3), (35, 8)] {
        let got = page.frames("main", first, count, Some("tmix=3,gaussian=2"));
        let here = count.min(FRAMES - first);
        assert_eq!((got.status, got.header("x-frames")), (200, Some(here.to_string().as_str())));
        assert!(got.body == after[first * FRAME_BYTES..(first + here) * FRAME_BYTES], "{first}");
        let costs: Value = serde_json::from_str(got.header("x-costs").unwrap()).unwrap();
        assert!((costs["time"].as_f64().unwrap() - first as f64 / 25.0).abs() < 1e-9, "{costs}");
        assert_eq!(costs["passes"].as_array().unwrap().len(), 2);
        assert!(costs["fps"].as_f64().is_some_and(|fps| fps > 0.0), "{costs}");
        assert_eq!(costs.get("remark"), Some(&Value::Null), "{costs}");
    }
    // The clip is far from smooth.
    let weak = page.frames("main", 3, 1, Some("nlmeans=s=1:p=3:r=3"));
    assert!(weak.header("x-costs").unwrap().contains("\"remark\":\"nlmeans: the noise measures "));
    let before = page.frames("before", 7, 1, None);
    let same = whole(&bench, "gaussian=enable=0");
    assert!(before.body == same[7 * FRAME_BYTES..8 * FRAME_BYTES]);
    // Planes come in the order in which they are wanted.
    let order = |planes: Value| json!({"view": "main", "first": 7, "count": 2, "chain": null, "planes": planes});
    let turned = page.post("frames", &order(json!([2, 0])));
    let plane = |frame: usize, from: usize, to: usize| same[frame * FRAME_BYTES..][from..to].to_vec();
    let wanted = [7, 8].map(|frame| [plane(frame, 32 * 25, 32 * 30), plane(frame, 0, 32 * 20)].concat()).concat();
    assert!(turned.body == wanted);
    for wrong in [json!([3]), json!([0, 1, 2, 0]), json!([-1])] {
        assert_eq!(page.post("frames", &order(wrong)).status, 400);
    }
    let beyond = page.frames("main", 37, 1, None);
    assert_eq!((beyond.status, beyond.json()["frames"].as_u64()), (416, Some(37)));
}

#[test]
fn only_who_may_is_answered() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    assert_eq!(page.get("").status, 200);
    let Page { port, token, .. } = &page;
    let ask = |path: &str, more: &str| {
        heard(page.send(&format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{more}\r\n\r\n")))
    };
    let own = format!("Host: 127.0.0.1:{port}");
    let clip = format!("/{token}/clip");
    assert_eq!(ask(&clip, &own).status, 200);
    assert_eq!(ask(&clip, &format!("{own}\r\nOrigin: http://127.0.0.1:{port}")).status, 200);
    for (path, more) in [
        (clip.as_str(), "Host: example.org".to_owned()),
        (&clip, format!("Host: example.org:{port}")),
        (&clip, format!("Host: 127.0.0.1:{}", port ^ 1)),
        (&clip, "X: Y".to_owned()),
        (&clip, format!("{own}\r\nOrigin: http://example.org")),
        (&clip, format!("{own}\r\nOrigin: null")),
        (&clip, format!("{own}\r\nOrigin: https://127.0.0.1:{port}")),
        ("/", own.clone()),
        ("/clip", own.clone()),
        (&format!("/{token}x/clip"), own.clone()),
        (&format!("/{}/clip", &token[1..]), own.clone()),
        (&format!("/{}/clip", token.to_uppercase()), own.clone()),
    ] {
        let answer = ask(path, &more);
        assert!([400, 403].contains(&answer.status), "{path} {more}: {}", answer.status);
        assert!(
            !answer.head.contains(token.as_str()) && !String::from_utf8_lossy(&answer.body).contains(token.as_str())
        );
    }
    for path in [
        "page/../main.js",
        "page/%2e%2e/Cargo.toml",
        "page//etc/passwd",
        "..",
        "thumbs/-1",
        "thumbs/99999999999999999999",
        "in.mkv",
    ] {
        assert_eq!(page.get(path).status, 404, "{path}");
    }
    let policy = page.get("").header("content-security-policy").unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{policy}");
}

#[test]
fn chains_are_read_and_changed() {
    let bench = Bench::new();
    std::fs::write(bench.path("taps.txt"), "1 2 1").unwrap();
    std::fs::write(bench.path("other.txt"), "1 2 1").unwrap();
    let taps = format!("kernel={}", bench.path("taps.txt").display());
    let page = Page::of(&bench, clip(&bench), &[&taps]);
    let read = |text: &str| page.post("chain", &json!({"text": text})).json();
    let good = read("gaussian=2, unsharp=la=1:lx=3");
    let calls = good["calls"].as_array().unwrap();
    assert_eq!((good["ok"].as_bool(), calls.len()), (Some(true), 2));
    assert_eq!(
        (&calls[1]["start"], &calls[1]["end"], &calls[0]["arguments"][0]["value"]),
        (&json!(12), &json!(29), &json!("2"))
    );
    assert!(good["explain"].as_str().unwrap().contains("pass 1"), "{good}");
    assert_eq!(read("")["ok"], true, "an empty chain does nothing");
    // Places are those of a script, in which the sign has two units.
    let wrong = read("drawtext=text=\u{1f3a5},gausian=2");
    assert_eq!(wrong["ok"], false);
    let wrong = read("gaussian=2,gausian=2");
    assert_eq!((&wrong["error"]["start"], &wrong["error"]["end"]), (&json!(11), &json!(18)));
    assert!(wrong["error"]["message"].as_str().unwrap().contains("did you mean \"gaussian\""), "{wrong}");
    assert!(wrong["error"]["caret"].as_str().unwrap().ends_with("           ^^^^^^^"), "{wrong}");
    let edit =
        |text: &str, change: Value| page.post("edit", &json!({"text": text, "edit": change})).json()["text"].clone();
    assert_eq!(
        edit("gaussian=2,unsharp", json!({"set": {"call": 0, "parameter": "sigma", "value": "3"}})),
        "gaussian=3,unsharp"
    );
    assert_eq!(edit("gaussian=2,unsharp", json!({"move": {"call": 1, "to": 0}})), "unsharp,gaussian=2");
    assert_eq!(edit("gaussian=2", json!({"insert": {"at": 1, "text": "median"}})), "gaussian=2,median");
    assert_eq!(edit("gaussian=2", json!({"remove": {"call": 5}})), "gaussian=2", "there is none");
    // Files are those of the command line.
    assert_eq!(read(&taps)["ok"], true);
    for text in [
        format!("kernel={}", bench.path("other.txt").display()),
        format!("@{}", bench.path("other.txt").display()),
        "invert=mask=/etc/passwd.png".to_owned(),
        "degrain=vectors=out.json".to_owned(),
    ] {
        let answer = read(&text);
        assert_eq!(answer["ok"], false, "{text}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("the page"), "{message}");
        assert_eq!(page.frames("main", 0, 1, Some(&text)).status, 422);
    }
    let drawn = page.post("drawing", &json!({"call": "gaussian=2"}));
    assert!(drawn.status == 200 && drawn.body.starts_with(b"<svg"));
    assert_eq!(page.post("drawing", &json!({"call": "copy"})).status, 422);
    let filters = page.get("filters").json();
    let count: usize =
        filters["groups"].as_array().unwrap().iter().map(|group| group["filters"].as_array().unwrap().len()).sum();
    assert_eq!(count, warpreel::filter::FILTERS.len());
}

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

/// Of one view the last request is answered; others are not held up.
#[test]
fn what_is_overtaken_is_dropped() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    page.known();
    let text = |first: usize| format!(r#"{{"view":"main","first":{first},"count":20,"chain":"nlmeans=s=3:frames=2"}}"#);
    let older: Vec<TcpStream> = (0..8).map(|first| page.send(&page.posted("frames", &text(first)))).collect();
    let statuses: Vec<u16> = older.into_iter().map(|stream| heard(stream).status).collect();
    assert!(statuses.contains(&200) && statuses.iter().filter(|status| **status == 409).count() >= 5, "{statuses:?}");
}

#[test]
fn a_clip_that_is_gone_is_told() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    page.known();
    std::fs::remove_file(bench.path("in.mkv")).unwrap();
    let mut faults = (0..FRAMES).map(|first| page.frames("main", first, 1, None)).filter(|answer| answer.status != 200);
    let fault = faults.next_back().expect("not all of it was kept");
    assert_eq!(fault.status, 500);
    assert!(fault.error().contains("in.mkv"), "{}", fault.error());
    assert_eq!(page.get("clip").status, 200);
}

#[test]
fn jobs_run_and_stop() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    let output = bench.path("done.mkv").to_str().unwrap().to_owned();
    assert_eq!(page.get("run").json()["state"], "idle");
    let order = json!({"chain": "gaussian=2", "output": output});
    assert_eq!(page.post("run", &order).status, 200);
    let end = |page: &Page| {
        let started = Instant::now();
        loop {
            let answer = page.get("run").json();
            if answer["state"] != "running" || started.elapsed() > Duration::from_secs(60) {
                return answer;
            }
            thread::sleep(Duration::from_millis(20));
        }
    };
    let done = end(&page);
    assert_eq!((&done["state"], &done["frames"]), (&json!("done"), &json!(37)), "{done}");
    let again = page.post("run", &order);
    assert!(again.status == 409 && again.error().contains("exists"), "{}", again.error());
    let wrong = page.post("run", &json!({"chain": "gausian", "output": "x.mkv"}));
    assert_eq!((wrong.status, wrong.json()["ok"].as_bool()), (422, Some(false)));
    let slow = json!({"chain": "nlmeans=s=3:r=31:frames=2", "output": bench.path("slow.mkv"), "overwrite": true});
    assert_eq!(page.post("run", &slow).status, 200);
    assert_eq!(page.post("run", &slow).status, 409, "one at a time");
    assert_eq!(page.post("stop", &json!({})).status, 200);
    assert!(["stopped", "failed"].contains(&end(&page)["state"].as_str().unwrap()));
    assert!(!bench.path("slow.mkv").exists());
}

/// Opening may take long, as that of a pipe without a reader.
#[test]
fn the_page_answers_while_a_job_is_opened() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    let pipe = bench.path("pipe.y4m");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let opening = page.send(&page.posted("run", &json!({"chain": "", "output": pipe}).to_string()));
    thread::sleep(Duration::from_millis(500));
    assert_eq!(page.get("run").status, 200);
    let reader = thread::spawn(move || std::fs::read(pipe).unwrap());
    assert_eq!(heard(opening).status, 200);
    assert!(!reader.join().unwrap().is_empty());
}

/// What lies in the page's folder is served as it is.
#[test]
fn all_files_of_the_page_are_served() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preview/page");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let place = if name == "index.html" { String::new() } else { format!("page/{name}") };
        let got = page.get(&place);
        assert!(got.status == 200 && got.body == std::fs::read(&path).unwrap(), "{name}");
    }
}

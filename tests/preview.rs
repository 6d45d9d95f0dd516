//! The server of `warpreel preview`: its answers, and to whom it gives them.

mod clip;
mod draft;
mod job;
mod list;
mod load;
mod page;

use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use self::page::{Page, heard};
use crate::chunk::{FRAMES, make};
use crate::program::Bench;

const FRAME_BYTES: usize = 32 * 20 * 3 / 2;

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
        assert_eq!((costs.get("fps"), &costs["provisional"]), (None, &json!(false)), "{costs}");
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
        (clip.as_str(), format!("{own}\r\nHost: example.org")),
        (&clip, format!("{own}\r\n{own}")),
        (&clip, "Host: example.org".to_owned()),
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
    // What another site may send without being asked is no order.
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
        let body = r#"{"text":""}"#;
        let more = format!("Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        assert_eq!(heard(page.send(&page.head("POST", "chain", &more))).status, 415, "{kind}");
    }
    let index = page.get("");
    for name in ["cross-origin-resource-policy", "cross-origin-opener-policy"] {
        assert_eq!(index.header(name), Some("same-origin"));
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

/// A clip whose second shot is noisier than its first.
#[test]
fn strengths_are_those_of_each_shot() {
    let bench = Bench::new();
    let shot = |colour: &str, noise: u8| {
        format!("color={colour}:s=64x48:r=25:d=2.4,format=yuv420p,noise=alls={noise}:allf=t:all_seed=7")
    };
    let both = format!("{}[a];{}[b];[a][b]concat", shot("0x303030", 6), shot("0xd0d0d0", 40));
    bench.ffmpeg(&["-filter_complex", &both, "-c:v", "ffv1", "in.mkv"]);
    let page = Page::of(&bench, "in.mkv", &[]);
    page.known();
    for chain in ["denoise", "tmix=3,denoise,gaussian=1"] {
        let wanted = whole(&bench, chain);
        let bytes = 64 * 48 * 3 / 2;
        // Where the chain changes, frames on either side are not mixed.
        for number in [0, 30, 58, 59, 60, 61, 100, 119] {
            let started = Instant::now();
            let got = loop {
                let got = page.frames("main", number, 1, Some(chain));
                let costs: Value = serde_json::from_str(got.header("x-costs").unwrap()).unwrap();
                if costs["provisional"] == false || started.elapsed() > Duration::from_secs(60) {
                    break got;
                }
                thread::sleep(Duration::from_millis(20));
            };
            assert!(got.body == wanted[number * bytes..(number + 1) * bytes], "{chain}: {number}");
        }
        let across = page.frames("main", 55, 10, Some(chain));
        assert!(across.body == wanted[55 * bytes..65 * bytes], "{chain}");
    }
}

/// Second clips are met at any frame, in any order.
#[test]
fn second_clips_are_met_at_every_frame() {
    let bench = Bench::new();
    for (name, source, frames) in
        [("in.mkv", "testsrc2=s=64x48:r=25", "60"), ("other.mkv", "mandelbrot=s=32x24:r=10", "15")]
    {
        let coded = ["-frames:v", frames, "-pix_fmt", "yuv420p", "-c:v", "ffv1", name];
        bench.ffmpeg(&[&["-f", "lavfi", "-i", source][..], &coded].concat());
    }
    for chain in ["overlay=OTHER:x=W-w-4:y=4:width=20,tmix=3", "blend=OTHER:mode=screen:opacity=0.4:eof_action=pass"] {
        let chain = chain.replace("OTHER", bench.path("other.mkv").to_str().unwrap());
        // The page reads the files that its command names.
        let page = Page::of(&bench, "in.mkv", &[&chain]);
        page.known();
        let (wanted, bytes) = (whole(&bench, &chain), 64 * 48 * 3 / 2);
        for (first, count) in [(0, 3), (41, 2), (7, 1), (30, 20), (59, 1), (2, 1)] {
            let got = page.frames("main", first, count, Some(&chain));
            assert_eq!(got.status, 200, "{chain}: {}", String::from_utf8_lossy(&got.body));
            assert!(got.body == wanted[first * bytes..(first + count) * bytes], "{chain}: {first}");
        }
    }
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

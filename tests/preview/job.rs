//! Jobs that are started on the page: how they run and stop, and where they may write.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::*;

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

#[test]
fn a_result_is_a_clip_of_the_list() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    let none = page.post("result", &json!({}));
    assert!(none.status == 409 && none.error().contains("run the whole clip"), "{}", none.error());
    let output = bench.path("done.mkv").to_str().unwrap().to_owned();
    let order = json!({"view": "main", "first": 3, "count": 1, "chain": null});
    // The second replaces the first, which is open then.
    for chain in ["gaussian=2", "invert"] {
        let job = json!({"chain": chain, "output": output, "codec": "ffv1", "overwrite": true});
        assert_eq!(page.post("run", &job).status, 200);
        while page.get("run").json()["state"] == "running" {
            thread::sleep(Duration::from_millis(20));
        }
        let place = page.post("result", &json!({})).json()["place"].as_str().unwrap().to_owned();
        let list = page.get("clips").json();
        assert_eq!((list["clips"].as_array().unwrap().len(), &list["clips"][1]["input"]), (2, &json!(output)));
        assert_eq!(list["clips"][1]["facts"]["fault"], json!(null));
        let filtered = json!({"view": "main", "first": 3, "count": 1, "chain": chain});
        let got = page.post(&format!("clips/{place}/frames"), &order);
        assert!(got.status == 200 && got.body == page.post("frames", &filtered).body, "{chain}");
    }
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

#[test]
fn jobs_write_beside_the_clip_alone() {
    let bench = Bench::new();
    let other = bench.path("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::create_dir(bench.path("clips")).unwrap();
    clip(&bench);
    std::fs::rename(bench.path("in.mkv"), bench.path("clips/in.mkv")).unwrap();
    std::os::unix::fs::symlink(bench.path("other/aim.mkv"), bench.path("clips/dangling.mkv")).unwrap();
    std::fs::write(bench.path("other/real.mkv"), b"precious").unwrap();
    std::os::unix::fs::symlink(bench.path("other/real.mkv"), bench.path("clips/link.mkv")).unwrap();
    let page = Page::of(&bench, "clips/in.mkv", &[]);
    let path = |name: &str| bench.path(name).to_str().unwrap().to_owned();
    for output in [
        path("other/out.mkv"),
        path("clips/../other/out.mkv"),
        path("clips/dangling.mkv"),
        path("clips/link.mkv"),
        format!("hash:{}", path("clips/out.txt")),
        "hash:".to_owned(),
        "null:".to_owned(),
        "/dev/stdout".to_owned(),
        path("clips/"),
        "-".to_owned(),
        String::new(),
    ] {
        let order = json!({"chain": "", "output": output, "overwrite": true});
        let refused = page.post("run", &order);
        assert_eq!(refused.status, 409, "{output}");
        let error = refused.error();
        assert!(error.contains("writes only in the folder") || error.contains("has no name"), "{output}: {error}");
        assert!(page.post("outlook", &order).json()["fault"].is_string(), "{output}");
        assert_eq!(page.post("speed", &order).status, 409, "{output}");
    }
    assert_eq!(std::fs::read(bench.path("other/real.mkv")).unwrap(), b"precious");
    assert_eq!(std::fs::read_dir(&other).unwrap().count(), 1);
    let order = json!({"chain": "", "output": path("clips/out.mkv")});
    assert_eq!(page.post("outlook", &order).json()["fault"], Value::Null);
    assert_eq!(page.post("run", &order).status, 200);
}

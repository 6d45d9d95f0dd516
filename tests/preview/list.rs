//! Several clips: the list, which are open, and what is not in it.

use super::*;

/// Clips of one shade each, gray.
fn shades(bench: &Bench, count: usize) -> Vec<String> {
    let name = |number: usize| format!("{number}.y4m");
    for number in 0..count {
        let frame = [&b"FRAME\n"[..], &[number as u8 * 10; 32]].concat();
        let clip = [b"YUV4MPEG2 W8 H4 F25:1 Cmono\n".to_vec(), frame.repeat(5 + number)].concat();
        std::fs::write(bench.path(&name(number)), clip).unwrap();
    }
    (0..count).map(|number| bench.path(&name(number)).to_str().unwrap().to_owned()).collect()
}

/// Where a clip is served.
fn place(page: &Page, index: usize) -> String {
    format!("clips/{}/", page.get("clips").json()["clips"][index]["place"].as_str().unwrap())
}

#[test]
fn more_clips_than_stay_open_are_served() {
    let bench = Bench::new();
    let inputs = shades(&bench, 7);
    let page = Page::of_several(&bench, &["0.y4m", "1.y4m", "2.y4m", "3.y4m", "4.y4m", "5.y4m", "6.y4m", "0.y4m"], &[]);
    let list = loop {
        let list = page.get("clips").json();
        if list["settled"] == true {
            break list;
        }
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(list["clips"].as_array().unwrap().len(), 7, "a name that is typed twice is one clip");
    assert_eq!((&list["current"], &list["clips"][3]["input"]), (&json!(0), &json!(inputs[3])));
    let facts = &list["clips"][3]["facts"];
    assert_eq!((&facts["width"], &facts["height"], &facts["rate"]), (&json!(8), &json!(4), &json!(25.0)));
    let order = json!({"view": "main", "first": 1, "count": 1, "chain": null});
    for index in (0..7).chain([3, 0, 6, 1, 1, 0]) {
        let place = place(&page, index);
        let clip = page.get(&format!("{place}clip")).json();
        assert_eq!((&clip["input"], &clip["frames"]), (&json!(inputs[index]), &json!(5 + index)));
        let got = page.post(&format!("{place}frames"), &order);
        assert!(got.status == 200 && got.body == [index as u8 * 10; 32], "{index}");
        assert_eq!(page.get(&format!("{place}clips")).json()["current"], index);
    }
    // At once, by several that ask for all of them.
    thread::scope(|scope| {
        for first in 0..6 {
            let (page, order) = (&page, json!({"view": first.to_string(), "first": 2, "count": 1, "chain": null}));
            scope.spawn(move || {
                for index in (0..14).map(|turn| (first + turn) % 7) {
                    let got = page.post(&format!("{}frames", place(page, index)), &order);
                    assert!(got.status == 200 && got.body == [index as u8 * 10; 32], "{index}: {}", got.status);
                }
            });
        }
    });
}

#[test]
fn the_page_of_several_clips_names_one() {
    let bench = Bench::new();
    shades(&bench, 2);
    let page = Page::of_several(&bench, &["0.y4m", "1.y4m"], &[]);
    let first = page.get("");
    assert_eq!((first.status, first.header("location")), (307, Some(place(&page, 0).as_str())));
    let second = place(&page, 1);
    assert!(page.get(&second).body.starts_with(b"<!doctype html>"));
    assert_eq!(page.get(&format!("{second}page/main.js")).status, 200);
    for path in ["clips/", "clips/0", "clips/1.y4m/", "clips/1.y4m/clip", "clips/../clip", "clips/%2e%2e/clip"] {
        assert_eq!(page.get(path).status, 404, "{path}");
    }
    assert_eq!(page.get(second.trim_end_matches('/')).status, 404);
    assert_eq!(heard(page.send(&(page.head("PUT", &second, "") + "\r\n"))).status, 405);
    // One alone is where it always was.
    let alone = Page::of(&bench, "0.y4m", &[]);
    assert_eq!((alone.get("").status, alone.get(&place(&alone, 0)).status), (200, 200));
}

#[test]
fn a_clip_that_cannot_be_opened_is_passed_over() {
    let bench = Bench::new();
    shades(&bench, 2);
    std::fs::write(bench.path("broken.y4m"), "YUV4MPEG2 W8\n").unwrap();
    let page = Page::of_several(&bench, &["broken.y4m", "0.y4m", "1.y4m"], &[]);
    let list = page.get("clips").json();
    assert_eq!(list["current"], 1, "{list}");
    let fault = page.get(&format!("{}clip", place(&page, 0)));
    assert!(fault.status == 422 && fault.error().contains("broken.y4m"), "{}", fault.error());
    assert_eq!(page.get(&format!("{}clip", place(&page, 2))).status, 200);
}

//! Drafts: chains for a picture of a quarter of the width and height.

use warpreel::filter::FILTERS;

use super::*;

#[test]
fn drafts_scale_lengths_and_keep_noise() {
    let bench = Bench::new();
    bench.ffmpeg(&["-f", "lavfi", "-i", "testsrc2=s=642x406:r=25:d=0.2", "-c:v", "ffv1", "large.mkv"]);
    let page = Page::of(&bench, "large.mkv", &[]);
    let draft = |text: &str| page.post("chain", &json!({"text": text})).json()["draft"].clone();
    let scaled = |rest: &str| json!(format!("scale=160:100:bilinear,{rest}"));
    assert_eq!(draft("gaussian=8:sigma_y=2"), scaled("gaussian=2:sigma_y=0.5"));
    assert_eq!(draft("median=radius=9"), scaled("median=radius=2"));
    assert_eq!(draft("median"), scaled("median"), "a radius of 1 is the least that does something");
    assert_eq!(draft("disk"), scaled("disk=radius=0.75"), "presets are lengths too");
    assert_eq!(draft("nlmeans=r=9,box=8"), scaled("nlmeans=r=9,box=2"), "noise is as large in a draft");
    assert_eq!(draft("bm3d,gaussian=4:enable='0*(1)'"), scaled("bm3d"), "what is off is left out");
    for text in
        ["", "bm3d,crop=100:100", "bm3d=roi=10:10:50:50", "rotate=0.1,bm3d", "bwdif", "framerate=50,bm3d", "gausian"]
    {
        assert_eq!(draft(text), Value::Null, "{text}");
    }
    // Whatever the filter, its draft is a chain that fits.
    let mut count = 0;
    for spec in FILTERS {
        let Some(draft) = draft(spec.example).as_str().map(str::to_owned) else { continue };
        let answer = page.post("chain", &json!({"text": draft})).json();
        let size = [&answer["output"]["width"], &answer["output"]["height"]];
        assert!(answer["ok"] == true && size == [160, 100], "{}: {answer}", spec.name);
        count += 1;
    }
    assert!(count > 50, "{count} filters have drafts");
}

#[test]
fn small_pictures_have_no_draft() {
    let bench = Bench::new();
    let page = Page::of(&bench, clip(&bench), &[]);
    assert_eq!(page.post("chain", &json!({"text": "bm3d"})).json()["draft"], Value::Null);
}

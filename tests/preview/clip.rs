//! Remarks on clips that are interlaced, rotated, HDR or VFR.

use super::*;
use crate::container::turn::clip as turned_clip;

#[test]
fn unusual_clips_have_remarks() {
    let bench = Bench::new();
    let source = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1"];
    let made = |more: &[&str]| bench.ffmpeg(&[&source, more].concat());
    made(&["-c:v", "ffv1", "plain.mkv"]);
    made(&["-vf", "setfield=tff", "-flags", "+ildct+ilme", "-c:v", "mpeg2video", "field.ts"]);
    made(&["-vf", "settb=1/1000,setpts=N*(40+10*mod(N\\,3))", "-fps_mode", "passthrough", "-c:v", "ffv1", "vfr.mkv"]);
    let light = ["-color_trc", "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc"];
    made(&[&["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"], &light[..], &["pq.mkv"]].concat());
    turned_clip(&bench, "64x48", "yuv420p", [0, 1, -1, 0], "turned.mp4");
    for (name, remark, size) in [
        ("plain.mkv", None, [64, 48]),
        ("field.ts", Some("interlaced, top field first"), [64, 48]),
        ("vfr.mkv", Some("variable frame rate"), [64, 48]),
        ("pq.mkv", Some("HDR (PQ)"), [64, 48]),
        ("turned.mp4", Some("; filters get it as it is stored"), [48, 64]),
    ] {
        let page = Page::of(&bench, name, &[]);
        page.known();
        let clip = page.get("clip").json();
        let notes: Vec<&str> = clip["notes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        match remark {
            None => assert!(notes.is_empty(), "{name}: {notes:?}"),
            Some(remark) => assert!(notes.len() == 1 && notes[0].ends_with(remark), "{name}: {notes:?}"),
        }
        assert_eq!([&clip["width"], &clip["height"]], size, "{name}");
    }
}

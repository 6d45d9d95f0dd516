//! `enable=` against FFmpeg's timeline editing: the same expressions, the same frames, the same bytes.

use crate::program::{Bench, checksums, sample, uneven};

const BOX: &str = "convolution=1 1 1 1 1 1 1 1 1:1m=1 2 1 2 4 2 1 2 1";

/// Our chain and FFmpeg's filter graph over a sample clip.
fn both(bench: &Bench, clip: &str, chain: &str) -> [Vec<String>; 2] {
    let path = sample(clip);
    let path = path.to_str().expect("a path in UTF-8");
    let output = ["-filter_threads", "1", "-fps_mode", "passthrough", "-f", "framemd5", "-"];
    let theirs = bench.ffmpeg(&[&["-i", path, "-map", "0:v", "-vf", chain][..], &output].concat());
    let ours = chain.replace(":enable", &format!("{}:enable", uneven().border(true)));
    [checksums(&bench.pass(&[path, "hash:", "-f", &ours])), checksums(&theirs)]
}

fn call(enable: &str) -> String {
    format!("{BOX}:enable='{enable}'")
}

#[test]
fn expressions_mean_what_they_mean_in_ffmpeg() {
    let bench = Bench::new();
    for enable in [
        "between(t,0.3,0.8)",
        "not(mod(n,3))",
        "gte(t,0.5)*lt(n,20)",
        "if(lt(n,4),0,ifnot(eq(n,6),1,0))",
        "eq(w,320)+eq(h,99)",
        "-t^2+0.3",
        "2^-1*1^2 - mod(-1.5,1)",
        "sgn(sin(2*PI*t))",
        "isnan(t) + isinf(1/0) - gt(clip(n,2,5),3)",
        "bitand(n,2)+bitor(n,4)",
        "0.5",
        "-0.49",
        "if(eq(n,1),NAN,hypot(E,PHI))",
        "max(floor(t*4),trunc(t))-ceil(0.2)+round(0.4)",
        "lte(pow(abs(n-9),2),exp(log(9)))-sqrt(0)",
        "ld(0);gt(t,0.25)",
    ] {
        for clip in ["variable-rate.mkv", "odd-size.mkv"] {
            let [ours, theirs] = both(&bench, clip, &call(enable));
            assert!(!theirs.is_empty());
            assert_eq!(ours, theirs, "{enable} on {clip}");
        }
    }
}

#[test]
fn both_kinds_of_frames_are_there() {
    let bench = Bench::new();
    let path = sample("variable-rate.mkv");
    let path = path.to_str().expect("a path in UTF-8");
    let [some, none, all] = [call("between(t,0.3,0.8)"), call("0"), call("1")]
        .map(|chain| checksums(&bench.pass(&[path, "hash:", "-f", &chain])));
    assert_eq!(none, checksums(&bench.pass(&[path, "hash:"])), "a filter that acts on no frame changes nothing");
    let of = |other: &[String]| some.iter().zip(other).filter(|(a, b)| a == b).count();
    assert!(of(&none) > 5 && of(&all) > 5 && of(&none) + of(&all) == some.len(), "{} and {}", of(&none), of(&all));
}

#[test]
fn two_filters_take_turns() {
    let bench = Bench::new();
    let chain = format!("{},{}", call("lt(t,0.7)"), call("gt(t,0.4)").replace("1 2 1 2 4", "1 0 1 0 4"));
    for clip in ["variable-rate.mkv", "ten-bit.mp4"] {
        let [ours, theirs] = both(&bench, clip, &chain);
        assert_eq!(ours, theirs, "{clip}");
    }
}

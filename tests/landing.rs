//! Decoding that begins in the middle of a clip, for `--start`, `--chunk` and `--decode-lanes`, against one plain run, over
//! codecs, kinds of groups of pictures, and containers. All of it runs with `WARPREEL_TESTS=all`, else a sample.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::extent;
use crate::program::{Bench, binary, checksums};

/// FFmpeg's options for a clip, and the containers it is written to; those of the sample come first.
struct Kind {
    name: &'static str,
    options: &'static str,
    sampled: &'static [&'static str],
    others: &'static [&'static str],
}

const KINDS: [Kind; 24] = [
    Kind {
        name: "h264-open-pyramid",
        options: "-c:v libx264 -preset veryfast -x264-params open-gop=1:keyint=12:b-pyramid=normal:bframes=3:b-adapt=0:scenecut=0",
        sampled: &["mp4", "ts"],
        others: &["mkv", "mov", "nut", "flv", "m2ts"],
    },
    Kind {
        name: "h264-refresh",
        options: "-c:v libx264 -preset veryfast -x264-params intra-refresh=1:keyint=50",
        sampled: &["mp4"],
        others: &["mkv", "ts", "nut"],
    },
    Kind {
        name: "h264-refresh-short",
        options: "-c:v libx264 -preset veryfast -x264-params intra-refresh=1:keyint=20:scenecut=0:bframes=2",
        sampled: &[],
        others: &["mp4", "mkv", "ts", "nut"],
    },
    Kind {
        name: "h264-closed",
        options: "-c:v libx264 -preset ultrafast -g 12 -bf 2 -x264-params scenecut=0",
        sampled: &[],
        others: &["mp4", "mkv", "mov", "ts", "flv", "nut", "avi"],
    },
    Kind {
        name: "h264-fields",
        options: "-flags +ildct+ilme -c:v libx264 -preset veryfast -x264-params tff=1:open-gop=1:keyint=12:bframes=3",
        sampled: &["ts"],
        others: &["mp4", "mkv"],
    },
    Kind {
        name: "hevc-open",
        options: "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=30:min-keyint=30:open-gop=1:bframes=4:scenecut=0",
        sampled: &["ts"],
        others: &["mp4", "mkv"],
    },
    Kind {
        name: "hevc-closed",
        options: "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=12:min-keyint=12:open-gop=0:bframes=3",
        sampled: &[],
        others: &["mp4", "mkv", "ts"],
    },
    Kind {
        name: "hevc-radl",
        options: "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=16:min-keyint=16:radl=2:bframes=3",
        sampled: &[],
        others: &["mp4", "ts"],
    },
    Kind {
        name: "hevc-refresh",
        options: "-c:v libx265 -preset ultrafast -x265-params log-level=none:intra-refresh=1:keyint=25:bframes=0",
        sampled: &[],
        others: &["mkv", "ts"],
    },
    Kind {
        name: "mpeg2-open",
        options: "-c:v mpeg2video -b:v 2M -g 12 -bf 2",
        sampled: &["ts"],
        others: &["mpg", "mkv", "mxf", "vob"],
    },
    Kind {
        name: "mpeg2-closed",
        options: "-c:v mpeg2video -b:v 2M -g 12 -bf 2 -flags +cgop -sc_threshold 1000000000",
        sampled: &[],
        others: &["ts", "mp4"],
    },
    Kind {
        name: "mpeg2-fields",
        options: "-flags +ildct+ilme -c:v mpeg2video -b:v 2M -g 12 -bf 2",
        sampled: &[],
        others: &["ts", "mpg", "mkv"],
    },
    Kind {
        name: "mpeg4",
        options: "-c:v mpeg4 -b:v 2M -g 12 -bf 2",
        sampled: &[],
        others: &["mp4", "mkv", "avi", "ts"],
    },
    Kind {
        name: "vp8",
        options: "-c:v libvpx -b:v 500k -g 20 -auto-alt-ref 1 -lag-in-frames 10 -cpu-used 8 -deadline realtime",
        sampled: &[],
        others: &["webm", "ivf"],
    },
    Kind {
        name: "vp9-hidden",
        options: "-c:v libvpx-vp9 -b:v 500k -g 25 -auto-alt-ref 1 -lag-in-frames 16 -cpu-used 8",
        sampled: &["webm"],
        others: &["mp4", "ivf"],
    },
    Kind { name: "av1", options: "-c:v libsvtav1 -preset 12 -g 30", sampled: &[], others: &["mp4", "mkv", "ivf"] },
    Kind { name: "theora", options: "-c:v libtheora -b:v 800k -g 16", sampled: &[], others: &["ogv", "mkv"] },
    Kind { name: "mjpeg", options: "-c:v mjpeg -q:v 4", sampled: &[], others: &["avi", "mov", "mkv"] },
    Kind { name: "ffv1", options: "-c:v ffv1 -g 10", sampled: &[], others: &["mkv", "avi", "nut"] },
    Kind { name: "prores", options: "-c:v prores_ks", sampled: &[], others: &["mov"] },
    Kind { name: "wmv2", options: "-c:v wmv2 -b:v 1M -g 12", sampled: &[], others: &["wmv"] },
    Kind { name: "flv1", options: "-c:v flv1 -b:v 1M -g 12", sampled: &[], others: &["flv"] },
    Kind { name: "edit-list", options: "edit", sampled: &[], others: &["mp4", "mov"] },
    Kind { name: "endless", options: "-c:v libx264 -g 999 -sc_threshold 0", sampled: &[], others: &["mp4", "ts"] },
];

/// Makes the clip of a kind; its name.
fn make(bench: &Bench, kind: &Kind, ending: &str) -> String {
    let name = format!("{}.{ending}", kind.name);
    let pixel = match kind.name {
        "prores" => "yuv422p10le",
        "mjpeg" => "yuvj420p",
        _ => "yuv420p",
    };
    let clip = format!("testsrc2=s=96x64:d=4.4:r=25,noise=alls=6:allf=t,format={pixel}");
    if kind.options == "edit" {
        let source = ["-f", "lavfi", "-i", &clip, "-c:v", "libx264", "-g", "12", "-bf", "3", "whole.mp4"];
        bench.ffmpeg(&source);
        // What lies before the cut stays in the file, and an edit list leaves it out.
        bench.ffmpeg(&["-ss", "0.7", "-i", "whole.mp4", "-c", "copy", &name]);
    } else {
        let options = kind.options.split(' ');
        let all: Vec<&str> = ["-f", "lavfi", "-i", &clip].into_iter().chain(options).chain([name.as_str()]).collect();
        bench.ffmpeg(&all);
    }
    name
}

/// Time and checksum of each frame, or what went wrong.
fn frames(bench: &Bench, clip: &str, chain: &[&str], more: &[&str]) -> Result<Vec<(i64, String)>, String> {
    let arguments = [&[clip, "hash:", "-q", "--strict", "--backend", "cpu", "--threads", "1"], chain, more].concat();
    let output = bench.run(binary(), &arguments, b"");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let row = |row: String| {
        let fields: Vec<&str> = row.split(',').map(str::trim).collect();
        (fields[2].parse().unwrap(), fields[5].to_owned())
    };
    Ok(checksums(&output.stdout).into_iter().map(row).collect())
}

/// Where frames are not those that are due.
fn difference(got: Result<Vec<(i64, String)>, String>, due: &[(i64, String)]) -> Option<String> {
    let got = match got {
        Ok(got) => got,
        Err(error) => return Some(error),
    };
    let first = got.iter().zip(due).position(|(got, due)| got != due);
    let place = first.map_or_else(String::new, |first| format!(", from frame {first} on others"));
    (got != due).then(|| format!("{} frames for {}{place}", got.len(), due.len()))
}

/// All parts of a clip against one run of it.
fn check(kind: &Kind, ending: &str) -> Vec<String> {
    let bench = Bench::new();
    let clip = make(&bench, kind, ending);
    let mut faults = Vec::new();
    for chain in [&[][..], &["-f", "tmix=5"]] {
        let whole = match frames(&bench, &clip, chain, &[]) {
            Ok(whole) => whole,
            Err(error) => return vec![format!("{clip}: {error}")],
        };
        let mut note = |what: String, got, due: &[_]| {
            faults.extend(difference(got, due).map(|fault| format!("{clip} {chain:?} {what}: {fault}")));
        };
        for lanes in ["2", "3"] {
            note(format!("{lanes} lanes"), frames(&bench, &clip, chain, &["--decode-lanes", lanes]), &whole);
        }
        for (count, more) in [(3, &[][..]), (7, &["--decode-lanes", "2"])] {
            let parts = (1..=count).map(|index| {
                let chunk = format!("{index}/{count}");
                frames(&bench, &clip, chain, &[more, &["--chunk", &chunk]].concat())
            });
            let all: Result<Vec<_>, _> = parts.collect();
            note(format!("{count} chunks"), all.map(|parts| parts.concat()), &whole);
        }
        // Beyond the end of a clip that was cut, a start is an error.
        for start in [31, 50, 64, 108].into_iter().filter(|start| *start < whole.len()) {
            let part = &whole[start..];
            let due: Vec<_> = part.iter().map(|(time, sum)| (time - part[0].0, sum.clone())).collect();
            note(format!("from {start}"), frames(&bench, &clip, chain, &[&format!("--start=#{start}")]), &due);
        }
    }
    faults
}

#[test]
fn every_landing_gives_the_frames_of_one_run() {
    let is_all = extent::is_whole();
    let cases: Vec<(&Kind, &str)> = KINDS
        .iter()
        .flat_map(|kind| {
            let others = if is_all { kind.others } else { &[] };
            kind.sampled.iter().chain(others).map(move |ending| (kind, *ending))
        })
        .collect();
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some((kind, ending)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    faults.lock().unwrap().extend(check(kind, ending));
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} clips:\n{}", cases.len(), faults.join("\n"));
}

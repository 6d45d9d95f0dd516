//! Another frame rate: frames that are repeated and dropped, and everything that came with them.

use crate::program::{Bench, timed_checksums};

/// A clip of 25 frames a second, of which every third is shown three times as long, with sound.
fn make(bench: &Bench, name: &str) {
    let source = "testsrc2=size=64x48:rate=25,noise=alls=30:allf=t,setpts='(N+floor(N/3)*2)/25/TB'";
    let sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=2.5", "-map", "0:v", "-map", "1:a"];
    let frames = ["-frames:v", "30", "-fps_mode", "passthrough", "-pix_fmt", "yuv420p"];
    let coded = ["-c:v", "ffv1", "-level", "3", "-c:a", "flac", name];
    bench.ffmpeg(&[&["-f", "lavfi", "-i", source][..], &sound, &frames, &coded].concat());
}

/// Times and checksums of what a chain makes of a clip.
fn rows(bench: &Bench, clip: &str, chain: &str, options: &[&str]) -> Vec<(f64, String)> {
    timed_checksums(&bench.pass(&[&[clip, "hash:", "-q", "--backend", "cpu", "-f", chain], options].concat()))
}

/// Rates above and below that of the clip.
const RATES: [&str; 5] =
    ["fps=60", "fps=10", "fps=30000/1001:round=down", "framerate=60000/1001", "framerate=20:interp_end=255"];

/// A part has the frames of the whole that are made of its own frames.
#[test]
fn parts_are_slices_of_the_whole() {
    let bench = Bench::new();
    make(&bench, "in.mkv");
    for chain in [
        "fps=60",
        "fps=10:round=up",
        "fps=24,tmix=3",
        "fps=7,invert=enable='mod(n,2)'",
        "yadif=1,fps=60",
        "framerate=60",
        "framerate=31:scene=2",
        "tmix=3,framerate=24,tmix=3",
        "framerate=21:scene=100,fps=50",
        "decimate",
        "decimate=cycle=3,tmix=3",
        "fps=60,decimate",
        "decimate,fps=60",
        "yadif=1,decimate=cycle=4,invert=enable='mod(n,2)'",
    ] {
        let whole = rows(&bench, "in.mkv", chain, &[]);
        let parts: Vec<Vec<(f64, String)>> = [(0, 7), (7, 1), (8, 13), (21, 9)]
            .map(|(start, count): (u32, u32)| {
                let (start, count) = (format!("--start=#{start}"), count.to_string());
                rows(&bench, "in.mkv", chain, &[&start, "--frames", &count])
            })
            .into();
        let sums = |rows: &[(f64, String)]| rows.iter().map(|(_, sum)| sum.clone()).collect::<Vec<_>>();
        assert_eq!(parts.iter().flat_map(|part| sums(part)).collect::<Vec<_>>(), sums(&whole), "{chain}");
        // Others keep times between frames of their rate, which a list of checksums rounds.
        if !chain.contains("fps=") && !chain.contains("framerate=") {
            continue;
        }
        let mut next = 0;
        for part in &parts {
            let spans = |rows: &[(f64, String)]| rows.windows(2).map(|two| two[1].0 - two[0].0).collect::<Vec<_>>();
            let pairs = spans(part).into_iter().zip(spans(&whole[next..]));
            pairs.for_each(|(got, wanted)| assert!((got - wanted).abs() < 1e-6, "{chain}: {got} for {wanted}"));
            next += part.len();
        }
    }
}

/// Filters behind see the new frames, with numbers, times and neighbours of their own: a chain is one run after the other.
#[test]
fn a_chain_sees_the_new_frames() {
    let bench = Bench::new();
    make(&bench, "in.mkv");
    for rate in RATES {
        bench.pass(&["in.mkv", "rated.mkv", "-y", "-q", "--backend", "cpu", "-f", rate, "--codec", "ffv1"]);
        for behind in
            ["tmix=3", "invert=enable='mod(n,2)'", "invert=enable='gt(t,0.33)*lt(t,1.02)'", "scale=32:24", "fps=12"]
        {
            let sums = |rows: Vec<(f64, String)>| rows.into_iter().map(|(_, sum)| sum).collect::<Vec<_>>();
            let once = sums(rows(&bench, "in.mkv", &format!("{rate},{behind}"), &[]));
            assert_eq!(once, sums(rows(&bench, "rated.mkv", behind, &[])), "{rate},{behind}");
        }
    }
}

#[test]
fn sound_stays_where_frames_are_dropped() {
    let bench = Bench::new();
    make(&bench, "in.mkv");
    let sound = |clip: &str| bench.ffmpeg(&["-i", clip, "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"]);
    let wanted = crate::program::checksums(&sound("in.mkv"));
    assert!(wanted.len() > 10, "{}", wanted.len());
    for rate in
        ["fps=1", "fps=0.3", "fps=100", "fps=5:start_time=1.5", "framerate=1", "framerate=100", "decimate=cycle=2"]
    {
        bench.pass(&["in.mkv", "out.mkv", "-y", "-q", "--backend", "cpu", "-f", rate, "--codec", "ffv1"]);
        assert_eq!(crate::program::checksums(&sound("out.mkv")), wanted, "{rate}");
    }
}

/// Where a strength is measured, each shot has a run of its own; the times are those of one run.
#[test]
fn shots_have_the_times_of_the_clip() {
    let bench = Bench::new();
    let noisy = |noise: u32| format!("color=gray:size=64x48:rate=50:duration=1,noise=alls={noise}:allf=t");
    let both = format!(
        "{}[a];{},negate[b];[a][b]concat,format=yuv420p,setpts='N/50/TB+gt(N,20)*0.013/TB'",
        noisy(4),
        noisy(40).replace("gray", "red")
    );
    let made = ["-f", "lavfi", "-i", &both, "-fps_mode", "passthrough", "-c:v", "ffv1", "-level", "3", "in.mkv"];
    bench.ffmpeg(&made);
    let times = |chain: &str| rows(&bench, "in.mkv", chain, &[]).iter().map(|(time, _)| *time).collect::<Vec<_>>();
    for rate in ["fps=60", "fps=7.3", "fps=24000/1001", "framerate=60"] {
        assert_eq!(times(&format!("denoise,{rate}")), times(rate), "{rate}");
    }
}

/// Where a strength changes within a cycle, that cycle loses no frame; all others have the frames and times of one run.
#[test]
fn cycles_go_on_in_the_next_shot() {
    let bench = Bench::new();
    let shot =
        |colour: &str, noise: u32| format!("color={colour}:size=64x48:rate=50:duration=1,noise=alls={noise}:allf=t");
    let both =
        format!("{}[a];{},negate[b];[a][b]concat,trim=end_frame=92,format=yuv420p", shot("gray", 4), shot("red", 40));
    let coded = ["-f", "lavfi", "-i", &both, "-c:v", "ffv1", "-level", "3", "in.mkv"];
    bench.ffmpeg(&coded);
    let times = |chain: &str| {
        bench.pass(&["in.mkv", "out.mkv", "-y", "-q", "--backend", "cpu", "-f", chain, "--codec", "ffv1"]);
        let listed = bench.ffmpeg(&["-i", "out.mkv", "-c", "copy", "-f", "framemd5", "-"]);
        timed_checksums(&listed).iter().map(|(time, _)| *time).collect::<Vec<_>>()
    };
    // The second shot begins with frame 50, so that cycles of 5 are whole, and those of 8 are not.
    assert_eq!(times("denoise,decimate"), times("decimate"));
    let (one, shots) = (times("decimate=cycle=8"), times("denoise,decimate=cycle=8"));
    assert_eq!((one.len(), shots.len()), (92 - 11, 92 - 10));
    assert!(shots.windows(2).all(|pair| pair[0] < pair[1]), "{shots:?}");
    assert_eq!((&one[..42], &one[49..]), (&shots[..42], &shots[50..]));
}

#[test]
fn an_original_is_beside_each_new_frame() {
    let bench = Bench::new();
    make(&bench, "in.mkv");
    for rate in RATES.into_iter().chain(["decimate=cycle=4"]) {
        let count = rows(&bench, "in.mkv", rate, &[]).len();
        let both = rows(&bench, "in.mkv", rate, &["--compare", "side"]);
        assert_eq!(both.len(), count, "{rate}");
    }
}

#[test]
fn what_is_not_offered_says_what_to_type() {
    let bench = Bench::new();
    make(&bench, "in.mkv");
    for (options, words) in [
        (&["-f", "fps=30", "--chunk", "1/2"][..], "\"fps=30\" repeats and drops frames, and a chunk takes one for one"),
        (
            &["-f", "framerate=30", "--chunk", "1/2"],
            "\"framerate=30\" blends frames of another rate, and a chunk takes one",
        ),
        (&["-f", "framerate=interp_start=256"], "interp_start=256"),
        (&["-f", "framerate=scene=101"], "scene=101"),
        (&["-f", "framerate=flags=0"], "flags"),
        (&["-f", "fps=sorce_fps"], "is not an expression"),
        (&["-f", "fps=25:round=sideways"], "round"),
    ] {
        let err = bench.refuse(&[&["in.mkv", "null:", "--backend", "cpu"], options].concat());
        assert!(err.contains(words), "{options:?}: {err}");
    }
    for (chain, words) in [
        ("fps=30:enable='gt(n,3)'", "enable would mix frame rates in one clip; leave enable out"),
        ("framerate=60:enable='gt(n,3)'", "enable would mix frame rates in one clip; leave enable out"),
        ("framerate=0", "0 frames per second are out of range; type a rate above 0, up to 1000000"),
        ("fps=0", "0 frames per second are out of range; type a rate above 0, up to 1000000"),
        ("fps=-5", "out of range"),
        ("fps=1/0", "out of range"),
    ] {
        let err = bench.fail(&["in.mkv", "null:", "--backend", "cpu", "-f", chain]);
        assert!(err.contains(words), "{chain}: {err}");
    }
    assert_eq!(rows(&bench, "in.mkv", "fps=30:enable=0", &[]).len(), 30, "left out");
}

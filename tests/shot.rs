//! `denoise`: the clip is measured, what was found can be typed instead, and again after a cut.

use crate::agreement::Random;
use crate::program::{Bench, succeeded};

const WIDTH: usize = 96;
const HEIGHT: usize = 64;
const FRAME_BYTES: usize = WIDTH * HEIGHT * 3 / 2;
const RAW: &str = "yuv420p:96x64@25";

/// A shot around a tone with so much noise, raw.
fn shot(frames: usize, tone: usize, noise: u32) -> Vec<u8> {
    let mut random = Random::new(u64::from(noise) + 1);
    let mut sample =
        |at: usize| (tone + at / 7 % 20) as i32 + random.below(2 * u64::from(noise) + 1) as i32 - noise as i32;
    (0..frames * FRAME_BYTES).map(|at| sample(at % FRAME_BYTES).clamp(0, 255) as u8).collect()
}

/// Filters raw frames; what came out, and what was said.
fn filtered(bench: &Bench, clip: &[u8], more: &[&str]) -> (Vec<u8>, String) {
    let all = [&["-", "-", "--container", "raw", "--raw", RAW, "--backend", "cpu"], more].concat();
    let output = bench.run(crate::program::binary(), &all, clip);
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    (succeeded(output, &all), said)
}

/// The filters that a run says its own stand for, in order.
fn chosen(said: &str) -> Vec<String> {
    let lines = said.lines().filter(|line| line.contains("noise from frame"));
    lines.map(|line| line.rsplit("; ").next().unwrap().trim().to_owned()).collect()
}

#[test]
fn what_was_found_can_be_typed_instead() {
    let bench = Bench::new();
    let clip = shot(30, 90, 9);
    let (got, said) = filtered(&bench, &clip, &["-f", "denoise"]);
    let [filter] = &chosen(&said)[..] else { panic!("{said}") };
    // Even noise of ±9 has a deviation of 5.5.
    assert!(filter.starts_with("denoise=luma=5.") && filter.contains(":chroma=5."), "{filter}");
    let (typed, said) = filtered(&bench, &clip, &["-f", filter]);
    assert!(got == typed && chosen(&said).is_empty(), "{said}");
    assert!(got != clip && got != filtered(&bench, &clip, &["-f", "denoise=light"]).0);
    // As a file, through `explain`, and with other filters and options around.
    std::fs::write(bench.path("in.yuv"), &clip).unwrap();
    let told = String::from_utf8(bench.pass(&["explain", "in.yuv", "--raw", RAW, "-f", "denoise"])).unwrap();
    assert!(told.split_whitespace().collect::<Vec<_>>().join(" ").contains(&format!("; {filter} ")), "{told}");
    let job = String::from_utf8(bench.pass(&["explain", "in.yuv", "out.mkv", "--raw", RAW, "-f", "denoise"])).unwrap();
    assert!(job.contains(filter.as_str()), "{job}");
    let json = bench.pass(&["explain", "in.yuv", "--raw", RAW, "-f", "denoise", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert!(json["noise"].as_str().unwrap().ends_with(filter.as_str()), "{json}");
    let (around, said) = filtered(&bench, &clip, &["-f", "gamma=1.1,denoise=planes=y:mix=0.5,invert"]);
    let [filter] = &chosen(&said)[..] else { panic!("{said}") };
    assert!(
        filter.ends_with(":planes=y:mix=0.5") || filter.starts_with("denoise=planes=y:mix=0.5:luma=5."),
        "{filter}"
    );
    assert!(around == filtered(&bench, &clip, &["-f", &format!("gamma=1.1,{filter},invert")]).0);
}

#[test]
fn each_shot_is_measured() {
    let bench = Bench::new();
    let shots =
        [shot(60, 40, 4), shot(17, 180, 14), shot(5, 60, 14), shot(40, 150, 0), shot(1, 200, 9), shot(9, 60, 2)];
    let clip = shots.concat();
    let (got, said) = filtered(&bench, &clip, &["-f", "denoise"]);
    assert_eq!(got.len(), clip.len());
    let filters = chosen(&said);
    assert_eq!(filters.len(), 4, "equal noise changes nothing, and a single frame says nothing: {said}");
    for (at, number) in [0, 60, 82, 123].iter().enumerate() {
        assert!(
            said.lines()
                .filter(|line| line.contains("noise from"))
                .nth(at)
                .unwrap()
                .contains(&format!("frame {number},")),
            "{said}"
        );
    }
    let alone = [
        filtered(&bench, &shots[0], &["-f", &filters[0]]).0,
        filtered(&bench, &shots[1..3].concat(), &["-f", &filters[1]]).0,
        filtered(&bench, &shots[3..5].concat(), &["-f", &filters[2]]).0,
        filtered(&bench, &shots[5], &["-f", &filters[3]]).0,
    ];
    assert!(got == alone.concat(), "each run of shots is a clip of its own");
    let (once, said) = filtered(&bench, &clip, &["-f", "denoise=scene=0"]);
    let [filter] = &chosen(&said)[..] else { panic!("{said}") };
    assert!(once == filtered(&bench, &clip, &["-f", &filter.replace("scene=0:", "")]).0);
}

/// What is said of a clip is said once, though its chain is planned several times.
#[test]
fn fields_are_told_once() {
    let bench = Bench::new();
    let clip = [shot(20, 40, 4), shot(20, 180, 14)].concat();
    let mut y4m = format!("YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 It A1:1 C420mpeg2\n").into_bytes();
    clip.chunks_exact(FRAME_BYTES).for_each(|frame| y4m.extend([&b"FRAME\n"[..], frame].concat()));
    std::fs::write(bench.path("in.y4m"), y4m).unwrap();
    let output = bench.warpreel(&["in.y4m", "null:", "-f", "denoise", "--backend", "cpu"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && chosen(&said).len() == 2, "{said}");
    assert_eq!(said.matches("interlaced:").count(), 1, "{said}");
}

/// Sound and times go on through a cut, and comparing, parts and statistics work as ever.
#[test]
fn a_cut_costs_nothing_else() {
    let bench = Bench::new();
    std::fs::write(bench.path("in.yuv"), [shot(50, 40, 4), shot(50, 180, 14)].concat()).unwrap();
    bench.ffmpeg(&[
        "-f",
        "rawvideo",
        "-pix_fmt",
        "yuv420p",
        "-s",
        "96x64",
        "-r",
        "25",
        "-i",
        "in.yuv",
        "-f",
        "lavfi",
        "-i",
        "sine=d=4",
        "-c:v",
        "ffv1",
        "-c:a",
        "pcm_s16le",
        "in.mkv",
    ]);
    bench.pass(&["in.mkv", "out.mkv", "-f", "denoise", "--codec", "ffv1", "-q", "--stats", "stats.json"]);
    bench.pass(&["in.mkv", "typed.mkv", "-f", "denoise=medium", "--codec", "ffv1", "-q"]);
    let listing =
        |name: &str, stream: &str| bench.ffmpeg(&["-i", name, "-map", stream, "-c", "copy", "-f", "framemd5", "-"]);
    assert!(listing("out.mkv", "0:a") == listing("in.mkv", "0:a"));
    let times = |name: &str| {
        let rows = crate::program::checksums(&listing(name, "0:v"));
        rows.iter().map(|row| row.split(',').nth(2).unwrap().trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(times("out.mkv"), times("typed.mkv"));
    assert_eq!(times("out.mkv").len(), 100);
    let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(bench.path("stats.json")).unwrap()).unwrap();
    assert_eq!(stats["frames"], 100);
    assert_eq!(stats["passes"].as_array().unwrap().len(), 2, "{stats}");
    let pair = bench.pass(&["in.mkv", "-", "--container", "raw", "-f", "denoise", "--compare", "side", "-q"]);
    assert_eq!(pair.len(), 200 * FRAME_BYTES);
    let part =
        bench.pass(&["in.mkv", "-", "--container", "raw", "-f", "denoise", "--start", "#45", "--frames", "10", "-q"]);
    assert_eq!(part.len(), 10 * FRAME_BYTES);
    assert!(bench.refuse(&["in.mkv", "null:", "-f", "denoise=heavy"]).contains("auto, light, medium, strong"));
    assert!(bench.refuse(&["in.mkv", "null:", "-f", "denoise=luma=51"]).contains("from 0 to 50"));
}

/// A part of a clip and a chunk have the shots of the whole, measured where the whole measures them.
#[test]
fn a_part_is_a_slice_of_the_whole() {
    let bench = Bench::new();
    let shots = [shot(60, 40, 4), shot(17, 180, 14), shot(5, 60, 14), shot(40, 150, 0), shot(9, 60, 2)];
    std::fs::write(bench.path("in.yuv"), shots.concat()).unwrap();
    let format = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "96x64", "-r", "25", "-i", "in.yuv"];
    bench.ffmpeg(&[&format[..], &["-c:v", "libx264", "-qp", "0", "-g", "12", "-bf", "2", "in.mkv"]].concat());
    let automatic = [
        "nlmeans=s=auto:p=3:r=3:frames=1,bilateral3d=sigma_r=auto:frames=2:sigma_t=0.4:radius=2",
        "degrain=thsad=auto:frames=1,atadenoise=auto:s=5,bilateral=sigma_r=auto:radius=2,bm3d=auto:block_step=8:group=2",
    ];
    let raw = &["--raw", RAW][..];
    let cases = [("in.yuv", raw, "denoise,tmix=3"), ("in.mkv", &[], "denoise,tmix=3")];
    for (clip, raw, chain) in cases.into_iter().chain(automatic.map(|chain| ("in.yuv", raw, chain))) {
        let sums = |more: &[&str]| {
            let all = [&[clip, "hash:", "-q", "--backend", "cpu", "-f", chain], raw, more].concat();
            let rows = crate::program::checksums(&bench.pass(&all));
            rows.iter().map(|row| row.rsplit(',').next().unwrap().trim().to_owned()).collect::<Vec<_>>()
        };
        let whole = sums(&[]);
        assert_eq!(whole.len(), 131);
        for (start, end) in [(0, 11), (3, 30), (45, 70), (59, 61), (60, 131), (75, 90), (121, 124), (130, 131)] {
            let (first, last) = (format!("--start=#{start}"), format!("--end=#{end}"));
            assert!(sums(&[&first, &last]) == whole[start..end], "{clip} from {start} to {end} through {chain}");
        }
        assert!(sums(&["--frames", "11"]) == whole[..11], "{clip}");
        for count in [2, 5] {
            let parts = (1..=count).flat_map(|index| sums(&["--chunk", &format!("{index}/{count}")]));
            assert!(parts.collect::<Vec<_>>() == whole, "{clip} in {count} chunks through {chain}");
        }
        let explained = bench.pass(&[&["explain", clip, "-f", chain, "--start=#70"], raw].concat());
        let explained = String::from_utf8(explained).unwrap();
        assert!(explained.contains("noise from frame 60"), "{explained}");
    }
    // A pipe is read once.
    let clip = shots.concat();
    let (_, said) = filtered(&bench, &clip, &["-f", "denoise", "--start=#70"]);
    assert!(said.contains("noise is measured in the part of stdin alone; name a file"), "{said}");
}

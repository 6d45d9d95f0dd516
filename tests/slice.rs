//! A part of a clip becomes a slice of what the whole clip becomes, byte for byte: filters see the frames around it, and
//! conditions its times and numbers.

use warpreel::filter::{Extent, FILTERS};

use crate::agreement::Random;
use crate::program::Bench;

const WIDTH: usize = 48;
const HEIGHT: usize = 32;
const FRAMES: usize = 60;
/// Of 4:2:0.
const FRAME_BYTES: usize = WIDTH * HEIGHT * 3 / 2;

/// A clip of noise over slow ramps whose brightness flickers, with two cuts, in y4m and as `name`, encoded without loss as
/// `codec` says.
fn make(bench: &Bench, name: &str, codec: &str) {
    let mut random = Random::new(7);
    let mut clip = format!("YUV4MPEG2 W{WIDTH} H{HEIGHT} F25:1 Ip A1:1 C420mpeg2\n").into_bytes();
    for frame in 0..FRAMES {
        let scene = [0, 22, 41].iter().filter(|cut| frame >= **cut).count();
        let base = [40, 150, 90][scene - 1] + 5 * (frame % 4);
        clip.extend(b"FRAME\n");
        clip.extend((0..FRAME_BYTES).map(|at| (base + at % 31 + random.below(20) as usize) as u8));
    }
    std::fs::write(bench.path("in.y4m"), clip).unwrap();
    if name != "in.y4m" {
        let arguments = format!("-nostdin -v error -y -i in.y4m {codec} {name}");
        bench.ffmpeg(&arguments.split_whitespace().collect::<Vec<_>>());
    }
}

/// What becomes of a clip, without its times.
fn made(bench: &Bench, clip: &str, chain: &str, cut: &[&str]) -> Vec<u8> {
    let all = [&[clip, "-", "--container", "raw", "-q", "--backend", "cpu", "-f", chain], cut].concat();
    bench.pass(&all)
}

/// Compares a few random parts of a clip with slices of the whole.
fn compare(bench: &Bench, clip: &str, chain: &str, random: &mut Random, parts: usize) {
    let whole = made(bench, clip, chain, &[]);
    assert_eq!(whole.len() % FRAMES, 0, "{chain}");
    // Of the frames as they come out, which may have another size.
    let bytes = whole.len() / FRAMES;
    for _ in 0..parts {
        let start = random.range(0..=FRAMES - 1);
        let frames = random.range(1..=12).min(FRAMES - start);
        let (from, count, to) = (format!("--start=#{start}"), frames.to_string(), format!("--end=#{}", start + frames));
        // Halfway between two frames, so that the time says the same for all clips.
        let time = format!("{}", (start as f64 - 0.5).max(0.0) / 25.0);
        let cuts: [&[&str]; 3] = [&[&from, "--frames", &count], &[&from, &to], &["--start", &time, "--frames", &count]];
        let cut = *random.one_of(&cuts);
        let wanted = &whole[start * bytes..(start + frames) * bytes];
        let got = made(bench, clip, chain, cut);
        assert!(got == wanted, "{clip} through {chain:?} with {cut:?}: {} bytes of {}", got.len(), wanted.len());
    }
}

#[test]
fn of_every_filter() {
    let bench = Bench::new();
    make(&bench, "in.y4m", "");
    std::os::unix::fs::symlink(crate::program::sample(""), bench.path("samples")).unwrap();
    let mut random = Random::new(1);
    for spec in FILTERS.iter().filter(|spec| spec.extent != Extent::Rate) {
        compare(&bench, "in.y4m", spec.example, &mut random, 2);
        let has_scenes = spec.parameters().any(|parameter| parameter.name == "scene");
        if has_scenes && !spec.example.contains("scene=") {
            compare(&bench, "in.y4m", &format!("{}:scene=0.2", spec.example), &mut random, 3);
        }
    }
}

/// Times, numbers, and what is kept from frame to frame.
#[test]
fn of_conditions_and_chains() {
    let bench = Bench::new();
    make(&bench, "in.y4m", "");
    let mut random = Random::new(2);
    for chain in [
        r"invert=enable='between(t\,0.5\,1.2)'",
        r"invert=enable='gt(mod(n\,3)\,0)'",
        r"invert=enable='st(0\,ld(0)+1);lt(mod(ld(0)\,5)\,2)'",
        r"tmix=frames=7:enable='gt(n\,20)':mix=0.4,deflicker=size=9",
        r"tmix=frames=5:scene=0.2,tmedian=2:scene=0.2,tdiff,deflicker=size=6:scene=0.2",
        "tmix=frames=33",
        "grain=9:chroma=1,tmix=frames=5,grain=3:seed=2",
    ] {
        compare(&bench, "in.y4m", chain, &mut random, 6);
    }
}

/// Key frames seldom, frames out of order, groups that lean on the one before, times that are not even, a pipe.
#[test]
fn of_containers() {
    let mut random = Random::new(3);
    for (name, codec) in [
        ("closed.mkv", "-c:v libx264 -qp 0 -g 12 -bf 3"),
        ("open.mp4", "-c:v libx264 -qp 0 -g 15 -bf 3 -x264-params open-gop=1:scenecut=0"),
        ("hevc.mp4", "-c:v libx265 -x265-params lossless=1:keyint=15:open-gop=1:log-level=none"),
        ("all.avi", "-c:v ffv1"),
        ("late.ts", "-c:v libx264 -qp 0 -g 20 -bf 2 -muxdelay 3"),
    ] {
        let bench = Bench::new();
        make(&bench, name, codec);
        for chain in
            ["tmix=frames=9", "gaussian=1", r"tmedian=1:scene=0.2:enable='gt(n\,25)'", r"invert=enable='gt(t\,1.1)'"]
        {
            compare(&bench, name, chain, &mut random, 4);
        }
    }
}

/// The grain of a frame depends on its number, which times do not tell where they are not even.
#[test]
fn of_grain_where_times_are_not_even() {
    let bench = Bench::new();
    let clip = crate::program::sample("variable-rate.mkv");
    let filtered = |cut: &[&str]| {
        let options =
            [clip.to_str().expect("text"), "-", "--container", "raw", "-q", "--backend", "cpu", "-f", "grain=9"];
        let output = bench.run(crate::program::binary(), &[&options, cut].concat(), &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let whole = filtered(&[]);
    let frame = whole.len() / 52;
    for start in ["0.4", "0.9", "1.2"] {
        let part = filtered(&["--start", start, "--frames", "5"]);
        assert_eq!(part.len(), 5 * frame);
        let place = whole.chunks_exact(frame).position(|whole| *whole == part[..frame]).expect("a frame of the whole");
        assert!(place > 0 && part == whole[place * frame..][..5 * frame], "from {start} on");
    }
}

#[test]
fn of_a_container_in_a_pipe() {
    let bench = Bench::new();
    make(&bench, "in.mkv", "-c:v libx264 -qp 0 -g 12 -bf 3");
    let clip = std::fs::read(bench.path("in.mkv")).unwrap();
    let piped = |cut: &[&str]| {
        let options = ["-", "-", "--container", "raw", "-q", "--backend", "cpu", "-f", "tmix=frames=9"];
        let output = bench.run(crate::program::binary(), &[&options, cut].concat(), &clip);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let whole = piped(&[]);
    assert_eq!(piped(&["--start", "0.99", "--frames", "7"]), whole[25 * FRAME_BYTES..32 * FRAME_BYTES]);
    let counted = bench.run(crate::program::binary(), &["-", "null:", "--start=#3"], &clip);
    let said = String::from_utf8_lossy(&counted.stderr);
    assert!(counted.status.code() == Some(2) && said.contains("type times, as in --start 2.5"), "{said}");
}

/// The sound of a part is what it was, and nothing of the frames around it.
#[test]
fn sound_and_times_are_those_of_the_part() {
    let bench = Bench::new();
    let clip = crate::program::sample("bigbuckbunny-720p.mp4");
    let clip = clip.to_str().unwrap();
    let part = |name: &str, chain: &[&str]| {
        bench.pass(
            &[&[clip, name, "-q", "--backend", "cpu", "--start", "2.1", "--frames", "20", "--lossless"], chain]
                .concat(),
        );
        let probe = |what: &str| {
            let arguments = [
                "-v",
                "error",
                "-select_streams",
                what,
                "-show_entries",
                "packet=pts_time,size",
                "-of",
                "csv=p=0",
                name,
            ];
            String::from_utf8(bench.run("ffprobe", &arguments, b"").stdout).unwrap()
        };
        let times =
            probe("v").lines().map(|line| line.split(',').next().unwrap_or_default().to_owned()).collect::<Vec<_>>();
        (times, probe("a"))
    };
    let (plain, wide) = (part("plain.mkv", &[]), part("wide.mkv", &["-f", "tmix=frames=31"]));
    assert_eq!(plain.0.len(), 20);
    assert_eq!(plain, wide);
    assert!(plain.1.lines().count() > 10, "there is sound: {}", plain.1);
}

#[test]
fn nonsense_is_told() {
    let bench = Bench::new();
    make(&bench, "in.y4m", "");
    for (cut, wanted) in [
        (&["--start", "2", "--end", "1"][..], "--end 1 is before --start 2; type a later end, or --duration"),
        (&["--start=#9", "--end=#9"], "--end #9 is before --start #9"),
        (&["--start=#x"], r##"--start "#x" is not a frame; type its number, as in --start=#250"##),
        (&["--end", "1", "--duration", "1"], "'--end <TIME>' cannot be used with '--duration <TIME>'"),
    ] {
        let output = bench.warpreel(&[&["in.y4m", "null:"], cut].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(wanted), "{cut:?}: {said}");
    }
}

//! Times that begin again or jump ahead within a file, against FFmpeg's program.

use super::*;
use crate::program::{Bench, binary, checksums};

/// A clip of so many seconds whose clock begins at `offset`, with what is said more.
fn part(bench: &Bench, name: &str, [seconds, offset]: [u32; 2], more: &str) {
    let clip = format!("-f lavfi -i testsrc2=s=64x36:r=25:d={seconds},noise=alls=40:allf=t:all_seed={offset}");
    ffmpeg(&bench.path(""), &format!("{clip} {more} -output_ts_offset {offset} {name}"));
}

const SOUND: &str = "-f lavfi -i sine=d=3 -c:v libx264 -qp 20 -g 10 -bf 2 -c:a mp2";
const PROGRAM: &str = "-f lavfi -i sine=d=3 -c:v mpeg2video -q:v 4 -g 12 -bf 2 -c:a mp2";
const SILENT: &str = "-c:v libx264 -qp 20 -g 10 -bf 2";

/// Files behind each other, as `cat` puts them.
fn join(bench: &Bench, names: &[&str], to: &str) {
    let bytes: Vec<u8> = names.iter().flat_map(|name| std::fs::read(bench.path(name)).unwrap()).collect();
    std::fs::write(bench.path(to), bytes).unwrap();
}

fn parts() -> Bench {
    let bench = Bench::new();
    part(&bench, "one.ts", [3, 0], SOUND);
    part(&bench, "late.ts", [3, 500], SOUND);
    part(&bench, "silent.ts", [2, 0], SILENT);
    bench
}

/// When the packets of a stream are shown, after the first of the video.
fn moments(bench: &Bench, name: &str, stream: &str) -> Vec<f64> {
    let first = times(&bench.path(name), "v")[0].0;
    times(&bench.path(name), stream).into_iter().map(|(pts, _)| pts - first).collect()
}

/// Asserts that times are equal but for the rounding of a container.
#[track_caller]
fn equal(got: &[f64], expected: &[f64], what: &str) {
    assert_eq!(got.len(), expected.len(), "{what}");
    let differ = got.iter().zip(expected).position(|(got, expected)| (got - expected).abs() > 0.0021);
    assert_eq!(differ, None, "{what}: {got:?} and {expected:?}");
}

/// Runs warpreel, which must succeed; what it says.
fn told(bench: &Bench, arguments: &[&str], input: &[u8]) -> String {
    let output = bench.run(binary(), &[arguments, &["-y", "--backend", "cpu"]].concat(), input);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    stderr
}

#[test]
fn video_and_sound_go_on_as_in_ffmpeg() {
    let bench = parts();
    part(&bench, "one.mpg", [3, 0], PROGRAM);
    // Over the end of the 33 bits in which MPEG-TS counts.
    part(&bench, "wrap.ts", [3, 95_442], SOUND);
    let again = "restart at frame 75; continued without a gap";
    for (names, line) in [
        (&["one.ts", "one.ts", "one.ts"][..], again),
        (&["late.ts", "one.ts"], again),
        (&["one.ts", "late.ts", "one.ts"], "s at frame 75; the gap is closed"),
        (&["one.ts", "silent.ts", "one.ts"], again),
        (&["one.mpg", "one.mpg"], again),
        (&["wrap.ts", "wrap.ts"], again),
    ] {
        let input = if names[0].ends_with("mpg") { "in.mpg" } else { "in.ts" };
        join(&bench, names, input);
        let said = told(&bench, &[input, "out.mkv", "--strict"], b"");
        assert_eq!(said.matches(line).count(), 1, "{names:?}: {said}");
        assert_eq!(said.matches("warning: ").count(), names.len() - 1, "{names:?}: {said}");
        ffmpeg(&bench.path(""), &format!("-i {input} -c copy ffmpeg.mkv"));
        for stream in ["v", "a"] {
            let [got, expected] = ["out.mkv", "ffmpeg.mkv"].map(|name| moments(&bench, name, stream));
            equal(&got, &expected, &format!("{names:?}, {stream}"));
        }
        let bytes = std::fs::read(bench.path(input)).unwrap();
        told(&bench, &["-", "piped.mkv"], &bytes);
        equal(&moments(&bench, "piped.mkv", "v"), &moments(&bench, "out.mkv", "v"), &format!("{names:?}, piped"));
    }
}

/// Where sound is longer than the pictures, these wait for it, in their order.
#[test]
fn pictures_wait_for_sound() {
    let bench = Bench::new();
    part(&bench, "one.ts", [3, 0], &SOUND.replace("d=3", "d=3.4"));
    join(&bench, &["one.ts", "one.ts"], "in.ts");
    let said = told(&bench, &["in.ts", "out.mkv"], b"");
    assert_eq!(said.matches("warning: ").count(), 1, "{said}");
    let steps = |stream: &str| -> Vec<f64> {
        let moments = moments(&bench, "out.mkv", stream);
        moments.windows(2).map(|pair| pair[1] - pair[0]).collect()
    };
    let (sound, pictures) = (steps("a"), steps("v"));
    assert!(sound.iter().all(|step| (0.025..0.028).contains(step)), "{sound:?}");
    let longer: Vec<_> = pictures.iter().filter(|step| **step > 0.0421).collect();
    assert!(pictures.iter().all(|step| *step > 0.0379) && longer.len() == 1, "{pictures:?}");
    assert!((0.3..0.6).contains(longer[0]), "{longer:?}");
}

#[test]
fn pictures_are_those_of_the_parts() {
    let bench = parts();
    join(&bench, &["one.ts", "one.ts"], "twice.ts");
    let sums = |name: &str| -> Vec<String> {
        let rows = checksums(&bench.pass(&[name, "hash:", "-q", "--backend", "cpu"]));
        rows.iter().map(|row| row.rsplit(',').next().unwrap().to_owned()).collect()
    };
    let once = sums("one.ts");
    assert_eq!(once.len(), 75);
    assert_eq!(sums("twice.ts"), [&once[..], &once].concat());
}

/// Sound that is encoded anew is as long as the pictures, without a hole.
#[test]
fn sound_that_is_converted_goes_on() {
    let bench = parts();
    join(&bench, &["one.ts", "late.ts", "one.ts"], "in.ts");
    let said = told(&bench, &["in.ts", "out.webm", "--preset", "8"], b"");
    assert!(said.contains("opus"), "{said}");
    let sound = times(&bench.path("out.webm"), "a");
    let longest = sound.windows(2).map(|pair| pair[1].0 - pair[0].0).fold(0.0, f64::max);
    let pictures = moments(&bench, "out.webm", "v");
    assert!(longest < 0.022, "{longest}");
    let (sound, pictures) = (sound.last().unwrap().0, pictures.last().unwrap());
    assert!((sound - pictures).abs() < 0.4 && sound > 8.9, "{sound} and {pictures}");
}

/// `--start` means times that go on, wherever it lies.
#[test]
fn parts_are_cut_by_times_that_go_on() {
    let bench = parts();
    join(&bench, &["one.ts", "late.ts", "one.ts"], "in.ts");
    // When frames are shown, in seconds rounded to whole frames, and their checksums.
    let rows = |name: &str, more: &[&str], input: &[u8]| -> (Vec<f64>, Vec<String>) {
        let all = [&[name, "hash:", "-q", "--backend", "cpu"], more].concat();
        let output = bench.run(binary(), &all, input);
        assert!(output.status.success(), "{more:?}: {output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        let (_, unit) = text.split_once("#tb 0: 1/").unwrap();
        let unit: f64 = unit.lines().next().unwrap().parse().unwrap();
        let row = |row: String| {
            let fields: Vec<_> = row.split(',').map(|field| field.trim().to_owned()).collect();
            (fields[2].parse::<f64>().unwrap() / unit, fields[5].clone())
        };
        checksums(&output.stdout).into_iter().map(row).unzip()
    };
    let bytes = std::fs::read(bench.path("in.ts")).unwrap();
    for chain in ["invert", "tmix=5"] {
        let (times, whole) = rows("in.ts", &["-f", chain], b"");
        assert_eq!(whole.len(), 225);
        for start in ["1", "3.04", "4", "6.59", "7.5"] {
            let cut = ["-f", chain, "--start", start, "--frames", "8"];
            let (_, got) = rows("in.ts", &cut, b"");
            let first = times.iter().position(|time| *time >= start.parse::<f64>().unwrap() - 1e-6).unwrap();
            assert_eq!(got, whole[first..first + 8], "{chain} from {start}");
            assert_eq!(rows("-", &cut, &bytes).1, got, "{chain} from {start}, piped");
        }
        let (_, numbered) = rows("in.ts", &["-f", chain, "--start=#160", "--frames", "8"], b"");
        assert_eq!(numbered, whole[160..168]);
    }
    assert!(bench.fail(&["in.ts", "null:", "--backend", "cpu", "--start", "11"]).contains("ends before --start"));
    for index in ["1/2", "2/2"] {
        let said = bench.fail(&["in.ts", "null:", "--chunk", index]);
        assert!(said.contains("jump ahead after 75 frames, so frames cannot be found by time"), "{said}");
    }
}

/// Adds to the times of the `number`th picture of a transport stream.
fn spoil(bytes: &mut [u8], number: usize, ticks: i64) {
    let mut seen = 0;
    for packet in bytes.chunks_exact_mut(188) {
        let begin = if packet[3] & 0x20 != 0 { 5 + usize::from(packet[4]) } else { 4 };
        let is_picture = packet[1] & 0x40 != 0 && begin < 170 && packet[begin..].starts_with(&[0, 0, 1, 0xe0]);
        seen += usize::from(is_picture);
        if !is_picture || seen != number {
            continue;
        }
        let count = if packet[begin + 7] >> 6 == 3 { 2 } else { 1 };
        for field in packet[begin + 9..].chunks_exact_mut(5).take(count) {
            let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|place| i64::from(field[place]));
            let time = (a >> 1 & 7) << 30 | b << 22 | (c >> 1) << 15 | d << 7 | e >> 1;
            let time = (time + ticks).rem_euclid(1 << 33);
            field[0] = field[0] & 0xf1 | (time >> 29) as u8 & 0x0e;
            field[1] = (time >> 22) as u8;
            field[2] = (time >> 14) as u8 | 1;
            field[3] = (time >> 7) as u8;
            field[4] = (time << 1) as u8 | 1;
        }
    }
    assert!(seen > number, "{seen} pictures");
}

/// A single time that is damaged moves neither what comes behind nor the sound.
#[test]
fn a_wrong_time_is_one() {
    let bench = parts();
    told(&bench, &["one.ts", "one.mkv"], b"");
    for seconds in [3000, -5, -3000] {
        let mut bytes = std::fs::read(bench.path("one.ts")).unwrap();
        spoil(&mut bytes, 40, 90_000 * seconds);
        std::fs::write(bench.path("wrong.ts"), bytes).unwrap();
        let said = told(&bench, &["wrong.ts", "wrong.mkv"], b"");
        assert_eq!(said.matches("warning: timestamps of").count(), 2, "there and back: {said}");
        equal(&moments(&bench, "wrong.mkv", "a"), &moments(&bench, "one.mkv", "a"), "sound");
        let [got, expected] = ["wrong.mkv", "one.mkv"].map(|name| moments(&bench, name, "v"));
        assert_eq!(got.len(), expected.len());
        let far = got.iter().zip(&expected).filter(|(got, expected)| (**got - **expected).abs() > 0.0021).count();
        assert!(far <= 4, "{seconds}: {got:?}");
    }
}

/// Segments that are put behind each other have packet counters that restart, which is no damage; lost packets are.
#[test]
fn segments_behind_each_other_are_sound() {
    let bench = Bench::new();
    for (name, options) in [("avc", SOUND), ("mpeg2", &SOUND.replace("libx264 -qp 20 -g 10", "mpeg2video -g 10"))] {
        part(&bench, &format!("{name}.ts"), [3, 0], options);
        ffmpeg(&bench.path(""), &format!("-i {name}.ts -map 0 -c copy -f segment -segment_time 1 {name}%d.ts"));
        let names = (0..).map(|number| format!("{name}{number}.ts"));
        let names: Vec<_> = names.take_while(|name| bench.path(name).exists()).collect();
        assert!(names.len() >= 3, "{names:?}");
        join(&bench, &names.iter().map(String::as_str).collect::<Vec<_>>(), "in.ts");
        let said = told(&bench, &["in.ts", "null:", "--strict"], b"");
        assert!(said.contains("75 frames in") && !said.contains("warning"), "{name}: {said}");
        let mut bytes = std::fs::read(bench.path("in.ts")).unwrap();
        let middle = bytes.len() / 188 / 2 * 188;
        bytes.drain(middle..middle + 5 * 188);
        std::fs::write(bench.path("lost.ts"), bytes).unwrap();
        let said = bench.fail(&["lost.ts", "null:", "--strict", "--backend", "cpu"]);
        assert!(said.contains("damaged") && said.contains(" s: "), "{name}: {said}");
    }
}

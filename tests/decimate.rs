//! One frame of each cycle dropped: film of NTSC video is film again, a part is a slice of the whole, sound stays in step.

use std::sync::Arc;

use warpreel::engine::Engine;
use warpreel::filter::{Defaults, parse};
use warpreel::frame::{FieldOrder, Format, Frame, FrameFields, Pixel, Pool, Rational, Sample, Timing};
use warpreel::pipeline::{Sharing, WhenLost};
use warpreel::plan::{Plan, plan};

use crate::agreement::Random;
use crate::oracle::{decimate, samples};
use crate::program::{Bench, timed_checksums};
use crate::stage::{Clip, clip, frames, shared, through, try_shared};

fn format_of(pixel: Pixel) -> Format {
    Format::new(pixel, 70, 41, Rational::new(30000, 1001))
}

fn planned(chain: &str, format: &Format) -> Plan {
    plan(&parse(chain, &Defaults::default()).unwrap(), &Arc::new(format.clone())).unwrap()
}

fn planes(frame: &Frame) -> Vec<Vec<f32>> {
    (0..frame.plane_count()).map(|plane| samples(frame, plane)).collect()
}

/// Where the samples of a frame lie.
fn address(frame: &Frame) -> usize {
    let host = frame.host().unwrap();
    match frame.format().pixel.sample {
        Sample::U8 => host.plane::<u8>(0).samples().as_ptr().addr(),
        Sample::U16 => host.plane::<u16>(0).samples().as_ptr().addr(),
        Sample::F32 => host.plane::<f32>(0).samples().as_ptr().addr(),
    }
}

/// Frames of which each repeats the one before, moves a little, has a little noise, or is another scene, at random.
fn video(format: &Format, count: usize, seed: u64) -> Vec<Frame> {
    let mut random = Random::new(seed);
    let levels: Vec<u64> = (0..89).map(|_| random.below(256)).collect();
    let peak = f32::from(u16::MAX).min(format.pixel.peak());
    let (mut shift, mut scene, mut noise) = (0, 0, 0);
    let mut all: Clip = Vec::new();
    for _ in 0..count {
        match random.below(8) {
            0..=2 => {}
            3..=5 => shift += 1,
            6 => noise = random.below(9),
            _ => scene += 17,
        }
        let mut picture = clip(format, 1, |_, plane, x, y| {
            let level = levels[(scene + (x + shift) / 5 + 11 * (y / 4) + 31 * plane) % 89];
            (level + random.below(noise + 1)).min(255) as f32 / 255.0 * peak
        });
        if format.pixel.sample != Sample::F32 {
            picture.iter_mut().flatten().flatten().for_each(|sample| *sample = sample.round());
        }
        all.append(&mut picture);
    }
    frames(format, &all, &Pool::heap())
}

/// The frames that stay are those of the oracle, with their samples, in all formats; none is copied.
#[test]
fn choices_are_those_of_the_oracle() {
    let float = Pixel::gray(8).float();
    let pixels = [Pixel::yuv420p(8), Pixel::yuv422p(10), Pixel::rgb(8), Pixel::yuv444p(16), float, Pixel::gray(8)];
    let mut seen = vec![0; 25];
    for (seed, pixel) in (0..60).zip(pixels.into_iter().cycle()) {
        let format = format_of(pixel);
        let mut random = Random::new(seed);
        let op = crate::agreement::decimate::op(&mut random);
        let count = random.range(0..=60);
        let video = video(&format, count, seed);
        let chain = format!(
            "decimate=cycle={}:dupthresh={}:scthresh={}:blockx={}:blocky={}:chroma={}",
            op.cycle,
            op.duplicate,
            op.scene,
            op.block[0],
            op.block[1],
            u8::from(op.chroma)
        );
        let plan = planned(&chain, &format);
        assert_eq!(plan.passes()[0].decimation, Some(op));
        let made = through(&plan, &video);
        let wanted = decimate::kept(&op, &format, &video);
        let cycle = op.cycle as usize;
        assert_eq!(plan.length(count as u64) as usize, count - count / cycle, "{chain}");
        assert_eq!(made.len(), count - count / cycle, "{chain}");
        for (number, (made, wanted)) in made.iter().zip(&wanted).enumerate() {
            assert_eq!(made.timing.origin(), *wanted as u64, "{chain}: frame {number} of {count}, seed {seed}");
            assert_eq!(made.timing.number, number as u64, "{chain}");
            assert!(planes(made) == planes(&video[*wanted]), "{chain}: frame {number}");
            assert_eq!(address(made), address(&video[*wanted]), "{chain}: frame {number} was copied");
            let place = number % (cycle - 1);
            seen[if number / (cycle - 1) < count / cycle { wanted % cycle - place } else { 2 }] += 1;
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}

/// Frames of a constant rate have a constant rate; those of others share the time of their cycle.
#[test]
fn times_are_even() {
    let format = format_of(Pixel::gray(8));
    for (cycle, count) in [(2, 9), (5, 20), (5, 23), (5, 21), (5, 4), (5, 1), (25, 24), (25, 76), (3, 0)] {
        let plan = planned(&format!("decimate=cycle={cycle}"), &format);
        let output = plan.output();
        let rate = Rational::reduced(30000 * (cycle - 1), 1001 * cycle).unwrap().unwrap();
        assert_eq!(output.rate, rate);
        let made = through(&plan, &video(&format, count, 3));
        for (number, frame) in made.iter().enumerate() {
            let unit = output.time_base.value().unwrap();
            let step = 1.0 / rate.value().unwrap();
            let Timing { pts, duration, .. } = frame.timing;
            assert!(
                (pts as f64 * unit - number as f64 * step).abs() < 1e-9,
                "{cycle}, {count}: frame {number} at {pts}"
            );
            assert!((duration as f64 * unit - step).abs() < 1e-9, "{cycle}, {count}: frame {number} for {duration}");
        }
    }
    // Pauses stay where they are.
    let times = [0i64, 1, 2, 3, 4, 15, 16, 18, 19, 20, 40, 41];
    let mut paused = video(&format, 12, 5);
    paused.iter_mut().zip(times).for_each(|(frame, time)| frame.timing.pts = time);
    let made = through(&planned("decimate", &format), &paused);
    let got: Vec<i64> = made.iter().map(|frame| frame.timing.pts).collect();
    assert_eq!(got, [0, 15, 30, 45, 60, 85, 110, 135, 160, 165]);
    let shown: Vec<i64> = made.iter().map(|frame| frame.timing.duration).collect();
    assert_eq!(shown, [15, 15, 15, 15, 25, 25, 25, 25, 5, 5]);
}

/// What a chain sees behind it: new numbers, new times, new neighbours.
#[test]
fn a_chain_sees_the_new_frames() {
    let format = format_of(Pixel::yuv420p(8));
    let given = video(&format, 33, 8);
    for behind in [
        "tmix=3",
        "invert=enable='mod(n,2)'",
        "invert=enable='gt(t,0.33)*lt(t,0.8)'",
        "decimate=cycle=3",
        "scale=32:24",
        "fps=12",
        "framerate=50",
        "tmix=3:scene=0.2",
        "yadif=1",
        "fieldmatch",
    ] {
        let once = through(&planned(&format!("decimate,{behind}"), &format), &given);
        let first = planned("decimate", &format);
        let between: Vec<Frame> = through(&first, &given)
            .into_iter()
            .map(|mut frame| {
                frame.timing.origin = None;
                frame
            })
            .collect();
        let twice = through(&planned(behind, &first.output()), &between);
        assert_eq!(once.len(), twice.len(), "{behind}");
        for (once, twice) in once.iter().zip(&twice) {
            assert!(planes(once) == planes(twice), "{behind}: frame {}", twice.timing.number);
            let facts = |timing: &Timing| (timing.number, timing.pts, timing.duration);
            assert_eq!(facts(&once.timing), facts(&twice.timing), "{behind}");
        }
    }
}

/// Film comes back of video, whichever field is first, marks of frames that are still combed with it.
#[test]
fn film_comes_back() {
    for top_first in [true, false] {
        let order = if top_first { FieldOrder::TopFirst } else { FieldOrder::BottomFirst };
        let format = Format { fields: order, ..Format::new(Pixel::yuv420p(8), 96, 64, Rational::new(30000, 1001)) };
        let mut random = Random::new(2);
        let levels: Vec<u64> = (0..97).map(|_| random.below(256)).collect();
        let film = clip(&format, 24, |number, plane, x, y| {
            levels[((x + 5 * number) / 6 + 11 * ((y + 3 * number) / 5) + 31 * plane) % 97] as f32
        });
        let fields: Vec<usize> =
            (0..film.len()).flat_map(|picture| std::iter::repeat_n(picture, 2 + picture % 2)).collect();
        let woven = |pair: &[usize]| {
            let mut planes = film[pair[0]].clone();
            for (plane, samples) in planes.iter_mut().enumerate() {
                let (width, _) = format.plane_size(plane);
                for (y, row) in samples.chunks_mut(width).enumerate().filter(|(y, _)| (y % 2 == 0) != top_first) {
                    row.copy_from_slice(&film[pair[1]][plane][y * width..][..width]);
                }
            }
            planes
        };
        let video: Clip = fields.chunks_exact(2).map(woven).collect();
        let video = frames(&format, &video, &Pool::heap());
        for chain in ["fieldmatch,decimate", "fieldmatch=combmatch=full,bwdif=send_frame:deint=1,decimate"] {
            let plan = planned(chain, &format);
            assert_eq!(
                (plan.output().rate, plan.output().fields),
                (Rational::new(24000, 1001), FieldOrder::Progressive)
            );
            let made = through(&plan, &video);
            assert_eq!(made.len(), 24);
            for (number, (made, film)) in made.iter().zip(&film).enumerate() {
                assert!(planes(made) == *film, "{chain}, {top_first}: frame {number}");
            }
        }
    }
}

/// Marks, and whatever else belongs to a frame, stay with it.
#[test]
fn marks_stay_with_their_frames() {
    let format = format_of(Pixel::gray(8));
    let mut given = video(&format, 22, 4);
    for frame in &mut given {
        let number = frame.timing.number;
        let is_interlaced = number % 3 == 0;
        frame.timing.fields = Some(FrameFields { is_interlaced, top_first: number % 2 == 0, repeats: false });
        frame.timing.attachment = Some(Arc::new(number));
    }
    let made = Engine::cpu("decimate", &Arc::new(format)).unwrap().clip(given.iter().cloned()).unwrap();
    for frame in &made {
        let own = &given[frame.timing.origin() as usize].timing;
        assert_eq!(frame.timing.fields, own.fields);
        let rides: &u64 = frame.timing.attachment.as_ref().unwrap().downcast_ref().unwrap();
        assert_eq!(*rides, own.number);
    }
}

/// Cycles before, behind and between filters that look at other frames, or change how many there are.
const CHAINS: [&str; 9] = [
    "decimate",
    "decimate=cycle=3,tmix=3",
    "tmix=3,decimate=cycle=7",
    "decimate=cycle=2,decimate=cycle=4,tmedian=1",
    "decimate,invert=enable='mod(n,2)'",
    "fieldmatch=combmatch=full,decimate,yadif=deint=1",
    "yadif=1,decimate=cycle=4",
    "decimate=cycle=25:blockx=8:blocky=4,tmix=5:scene=0.1",
    "tmix=3:scene=0.1,decimate=cycle=5,deflicker=size=3",
];

/// Runs of frames on several backends make what one makes.
#[test]
fn runs_are_slices() {
    let format = Format { fields: FieldOrder::TopFirst, ..format_of(Pixel::yuv420p(8)) };
    for (chain, count) in CHAINS.into_iter().flat_map(|chain| [(chain, 3), (chain, 57)]) {
        let (plan, given) = (planned(chain, &format), video(&format, count, 12));
        let wanted = through(&plan, &given);
        for (lanes, run_frames) in [(1, 1), (2, 3), (3, 5), (2, 16)] {
            let made = shared(&plan, &given, lanes, Sharing { run_frames, when_lost: WhenLost::Fail });
            let facts = |frames: &[Frame]| -> Vec<_> {
                frames.iter().map(|frame| (frame.timing.number, frame.timing.pts, frame.timing.duration)).collect()
            };
            assert_eq!(facts(&made), facts(&wanted), "{chain}: {count} frames in runs of {run_frames}");
            assert!(made.iter().zip(&wanted).all(|(a, b)| planes(a) == planes(b)), "{chain}, runs of {run_frames}");
        }
    }
}

/// A part with the frames around it that the plan asks for is a slice of the whole.
#[test]
fn margins_are_enough() {
    let format = Format { fields: FieldOrder::TopFirst, ..format_of(Pixel::yuv420p(8)) };
    for chain in CHAINS {
        let (plan, given) = (planned(chain, &format), video(&format, 70, 7));
        let (whole, margin) = (through(&plan, &given), plan.margin());
        assert!(margin.counts, "{chain}");
        for (start, end) in [(0, 9), (9, 10), (10, 11), (11, 31), (31, 70), (60, 70)] {
            let first = (start as u64).saturating_sub(margin.before) as usize;
            let last = (end as u64).saturating_add(margin.after).min(70) as usize;
            let mut part = given[first..last].to_vec();
            part.iter_mut().for_each(|frame| {
                frame.timing.is_margin = !(start as u64..end as u64).contains(&frame.timing.number);
                // Times of a part are counted from its start.
                (frame.timing.offset, frame.timing.pts) = (start as i64, frame.timing.pts - start as i64);
            });
            let made = Engine::cpu(chain, plan.format()).unwrap().clip(part).unwrap();
            let is_own = |frame: &&Frame| (start as u64..end as u64).contains(&frame.timing.origin());
            let wanted: Vec<&Frame> = whole.iter().filter(is_own).collect();
            let numbers = |frames: &[&Frame]| -> Vec<_> {
                frames.iter().map(|frame| (frame.timing.number, frame.timing.pts + frame.timing.offset)).collect()
            };
            assert_eq!(numbers(&made.iter().collect::<Vec<_>>()), numbers(&wanted), "{chain}: {start} to {end}");
            assert!(made.iter().zip(wanted).all(|(a, b)| planes(a) == planes(b)), "{chain}: {start} to {end}");
        }
    }
}

/// Where only who sees the whole clip knows where cycles begin, a part reads it from the beginning, and several GPUs do not share it.
#[test]
fn cycles_are_counted_from_the_beginning() {
    let format = Format { fields: FieldOrder::TopFirst, ..format_of(Pixel::yuv420p(8)) };
    for (chain, said) in [
        ("fps=60,decimate", "\"decimate\" counts frames behind a filter that changes how many there are"),
        ("yadif=1:deint=1,decimate=cycle=4", "\"decimate=cycle=4\" counts frames behind a filter"),
        ("decimate,yadif=1:deint=1,tmix=3,decimate", "\"decimate\" counts frames behind a filter"),
    ] {
        let plan = planned(chain, &format);
        assert_eq!(plan.margin().before, u64::MAX, "{chain}");
        let sharing = Sharing { run_frames: 8, when_lost: WhenLost::Fail };
        let error = try_shared(&plan, &video(&format, 9, 1), 2, sharing).expect_err(chain).to_string();
        assert!(error.contains(said) && error.contains("leave out --gpus"), "{chain}: {error}");
    }
    for chain in ["yadif=1,decimate", "decimate,yadif=1:deint=1", "decimate,decimate", "fieldmatch,decimate"] {
        assert!(planned(chain, &format).margin().before < 100, "{chain}");
    }
}

/// A live clip is not held back: what is known goes on where no frame comes.
#[test]
fn what_is_complete_goes_on() {
    let format = format_of(Pixel::gray(8));
    let mut engine = Engine::cpu("decimate", &Arc::new(format.clone())).unwrap();
    let mut out: Vec<Frame> = Vec::new();
    for frame in video(&format, 6, 1) {
        engine.push(frame, &mut out).unwrap();
    }
    while engine.advance(&mut out).unwrap() {}
    assert_eq!(out.len(), 4);
    engine.finish(&mut out).unwrap();
    assert_eq!(out.len(), 5);
}

#[test]
fn what_is_wrong_is_said() {
    let format = Arc::new(format_of(Pixel::yuv420p(8)));
    for (chain, said) in [
        ("decimate=blockx=12", "blockx is 12; type a power of two from 4 to 512, as blockx=16"),
        ("decimate=cycle=1", "cycle"),
        ("decimate=cycle=26", "cycle"),
        ("decimate=dupthresh=101", "dupthresh"),
        ("decimate=ppsrc=1", "ppsrc"),
        ("decimate=enable='gt(n,3)'", "enable would mix frame rates in one clip; leave enable out"),
        ("decimate=planes=y", "planes"),
        ("ivtc", "fieldmatch,decimate"),
    ] {
        let error = match parse(chain, &Defaults::default()) {
            Ok(filters) => format!("{:#}", plan(&filters, &format).expect_err(chain)),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(said), "{chain}: {error}");
    }
    let odd = Format { time_base: Rational::new(1, i32::MAX), ..Format::clone(&format) };
    let error = plan(&parse("decimate", &Defaults::default()).unwrap(), &Arc::new(odd)).expect_err("out of range");
    assert!(format!("{error:#}").contains("out of range"), "{error:#}");
    let bench = Bench::new();
    let mut y4m = b"YUV4MPEG2 W16 H16 F25:1 It C420jpeg\nFRAME\n".to_vec();
    y4m.extend([9; 384]);
    std::fs::write(bench.path("in.y4m"), y4m).unwrap();
    for (options, said) in [
        (
            &["--fields", "separate"][..],
            "a comparison of frames of decimate cannot be applied to fields; type --fields frame",
        ),
        (&["--fields", "frame", "--chunk", "1/1"], "\"decimate\" drops one frame of 5, and a chunk takes one for one"),
    ] {
        let err = bench.refuse(&[&["in.y4m", "null:", "--backend", "cpu", "-f", "decimate"], options].concat());
        assert!(err.contains(said), "{err}");
    }
    assert!(bench.refuse(&["in.y4m", "null:", "-f", "decimate"]).contains("type --fields frame"));
    bench.pass(&["in.y4m", "null:", "--backend", "cpu", "-q", "--fields", "frame", "-f", "decimate"]);
}

/// Parts of files are slices of the whole, times are even also where a container rounds them, and sound stays.
#[cfg(feature = "libav")]
#[test]
fn files_become_film() {
    let bench = Bench::new();
    let source = "testsrc2=size=96x64:rate=24000/1001,noise=alls=8:allf=t,telecine,setfield=tff";
    let sound = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1", "-map", "0:v", "-map", "1:a"];
    let coded = ["-frames:v", "31", "-pix_fmt", "yuv420p", "-c:v", "ffv1", "-level", "3", "-c:a", "flac", "in.mkv"];
    bench.ffmpeg(&[&["-f", "lavfi", "-i", source][..], &sound, &coded].concat());
    let run = |options: &[&str]| {
        let call = ["in.mkv", "hash:", "-q", "--backend", "cpu", "-f", "fieldmatch,decimate"];
        timed_checksums(&bench.pass(&[&call[..], options].concat()))
    };
    let whole = run(&[]);
    assert_eq!(whole.len(), 25);
    for (number, (time, _)) in whole.iter().enumerate() {
        assert!((time - number as f64 * 1001.0 / 24000.0).abs() < 1.5e-3, "frame {number} at {time}");
    }
    let sums = |rows: &[(f64, String)]| rows.iter().map(|(_, sum)| sum.clone()).collect::<Vec<_>>();
    let starts = [0, 3, 6, 7, 20, 31];
    let parts = starts.windows(2).flat_map(|pair| {
        let (start, count) = (format!("--start=#{}", pair[0]), (pair[1] - pair[0]).to_string());
        sums(&run(&[&start, "--frames", &count]))
    });
    assert_eq!(parts.collect::<Vec<_>>(), sums(&whole));
    // Neither a pipe nor a container says that times are uneven.
    for name in ["out.y4m", "out.mkv", "out.mp4", "out.avi"] {
        let call = ["in.mkv", name, "-y", "--strict", "--no-audio", "--backend", "cpu", "-f", "fieldmatch,decimate"];
        bench.pass(&call);
        let counted = ["-i", name, "-map", "0:v", "-c", "copy", "-f", "framemd5", "-"];
        assert_eq!(crate::program::checksums(&bench.ffmpeg(&counted)).len(), 25, "{name}");
    }
}

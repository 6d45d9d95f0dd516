//! Fields matched in clips: film comes back, what is still combed is marked, a part is a slice of the whole.

use std::sync::Arc;

use warpreel::engine::Engine;
use warpreel::filter::{Defaults, parse};
use warpreel::frame::{FieldOrder, Format, Frame, FrameFields, Pixel, Pool, Rational, Timing};
use warpreel::pipeline::{Sharing, WhenLost};
use warpreel::plan::{Plan, plan};

use crate::agreement::Random;
use crate::oracle::fieldmatch::Window;
use crate::oracle::samples;
use crate::program::{Bench, timed_checksums};
use crate::stage::{Clip, clip, frames, shared, through};

/// Film of so many pictures, blocks that move, the same for a seed.
fn film(format: &Format, pictures: usize, seed: u64) -> Clip {
    let mut random = Random::new(seed);
    let levels: Vec<u64> = (0..97).map(|_| random.below(256)).collect();
    let depth = format.pixel.depth;
    clip(format, pictures, |number, plane, x, y| {
        let block = (x + 5 * number) / 6 + 11 * ((y + 3 * number) / 5) + 31 * plane;
        (levels[block % 97] << (depth - 8)) as f32
    })
}

/// Film as video: of four pictures ten fields, of which the first one of a frame is the top one or the bottom one. The second
/// and third frame of five have fields of two pictures.
fn telecine(format: &Format, film: &Clip, top_first: bool) -> Clip {
    let fields: Vec<usize> = (0..film.len())
        .flat_map(|picture| std::iter::repeat_n(picture, if picture % 2 == 0 { 2 } else { 3 }))
        .collect();
    fields.chunks_exact(2).map(|pair| woven(format, film, [pair[0], pair[1]], top_first)).collect()
}

/// A frame of the fields of two pictures.
fn woven(format: &Format, film: &Clip, pair: [usize; 2], top_first: bool) -> Vec<Vec<f32>> {
    let mut planes = film[pair[0]].clone();
    for (plane, samples) in planes.iter_mut().enumerate() {
        let (width, _) = format.plane_size(plane);
        for (y, row) in samples.chunks_mut(width).enumerate().filter(|(y, _)| (y % 2 == 0) != top_first) {
            row.copy_from_slice(&film[pair[1]][plane][y * width..][..width]);
        }
    }
    planes
}

fn format_of(pixel: Pixel, fields: FieldOrder) -> Format {
    Format { fields, ..Format::new(pixel, 96, 64, Rational::new(30000, 1001)) }
}

fn planned(chain: &str, format: &Format) -> Plan {
    plan(&parse(chain, &Defaults::default()).unwrap(), &Arc::new(format.clone())).unwrap()
}

fn planes(frame: &Frame) -> Vec<Vec<f32>> {
    (0..frame.plane_count()).map(|plane| samples(frame, plane)).collect()
}

/// Every frame that comes out is a picture of the film, in all formats, whichever field is first.
#[test]
fn film_comes_back() {
    let pixels = [Pixel::gray(8), Pixel::yuv420p(8), Pixel::yuv422p(10), Pixel::yuv444p(16), Pixel::rgb(8)];
    for (pixel, top_first) in pixels.into_iter().flat_map(|pixel| [(pixel, true), (pixel, false)]) {
        let order = if top_first { FieldOrder::TopFirst } else { FieldOrder::BottomFirst };
        let format = format_of(pixel, order);
        let film = film(&format, 16, 5);
        let video = frames(&format, &telecine(&format, &film, top_first), &Pool::heap());
        let mixed = video.iter().filter(|frame| !film.contains(&planes(frame))).count();
        assert!(mixed >= 6, "{mixed}");
        for chain in ["fieldmatch", "fieldmatch=combmatch=full", "fieldmatch=mode=pcn:field=auto"] {
            let made = through(&planned(chain, &format), &video);
            assert_eq!(made.len(), video.len());
            for (number, frame) in made.iter().enumerate() {
                assert!(film.contains(&planes(frame)), "{chain} of {format}: frame {number} is none of the film");
            }
        }
    }
}

/// What an engine makes is what the oracle chooses, frame by frame, with marks; samples are rows of the window.
#[test]
fn choices_are_those_of_the_oracle() {
    let format = format_of(Pixel::yuv420p(8), FieldOrder::TopFirst);
    let film = film(&format, 8, 9);
    let video = telecine(&format, &film, true);
    let mut random = Random::new(4);
    // Some frames are of no film, and the scene changes; others fit the wrong field of the next frame or of the one before.
    let odd = [[0, 1], [2, 3], [3, 5], [7, 3], [6, 1]].map(|pair| woven(&format, &film, pair, true));
    let noise = clip(&format, 3, |_, _, _, _| random.below(256) as f32);
    let video = frames(&format, &[video, noise, odd.to_vec()].concat(), &Pool::heap());
    let mut seen = Vec::new();
    for chain in [
        "fieldmatch=mode=pc_n_ub:combmatch=full",
        "fieldmatch",
        "fieldmatch=mode=pcn_ub:combmatch=full:combpel=10",
        "fieldmatch=order=bff:mode=pcn",
        "fieldmatch=order=bff:mode=pc_n_ub:combmatch=full",
        "fieldmatch=order=bff:field=top:mode=pcn_ub:combmatch=full",
        "fieldmatch=field=bottom:mode=pc_u:combmatch=full",
    ] {
        let plan = planned(chain, &format);
        let op = *plan.steps()[0].pass.matching().unwrap();
        let made = through(&plan, &video);
        for (number, frame) in made.iter().enumerate() {
            let around = [number.saturating_sub(1), number, (number + 1).min(video.len() - 1)];
            let window = Window {
                op: &op,
                format: &format,
                frames: around.map(|at| &video[at]),
                fields: FrameFields::from(format.fields),
            };
            let (pair, is_combed) = window.choice();
            let [top, _] = op.fields(window.fields);
            let mut wanted = planes(&video[number]);
            if let Some(weave) = pair.weave(top) {
                let other = planes(&video[around[if weave.from_next { 2 } else { 0 }]]);
                for (plane, samples) in wanted.iter_mut().enumerate() {
                    let (width, _) = format.plane_size(plane);
                    for (y, row) in samples.chunks_mut(width).enumerate().filter(|(y, _)| y % 2 == weave.rows) {
                        row.copy_from_slice(&other[plane][y * width..][..width]);
                    }
                }
            }
            assert!(planes(frame) == wanted, "{chain}: frame {number}, {pair:?}");
            let fields = frame.timing.fields.expect("all are marked");
            assert_eq!(fields.is_interlaced, is_combed, "{chain}: frame {number}");
            assert_eq!(frame.format().fields, FieldOrder::Progressive);
            assert_eq!((frame.timing.number, frame.timing.pts), (number as u64, number as i64));
            seen.push((pair as usize, is_combed));
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert!((0..5).all(|pair| seen.iter().any(|(known, _)| *known == pair)), "{seen:?}");
    assert!([true, false].iter().all(|is_combed| seen.iter().any(|(_, known)| known == is_combed)), "{seen:?}");
}

/// A deinterlacer behind it works on frames that are marked, and on no other; conditions behind it see its frames.
#[test]
fn what_is_still_combed_is_deinterlaced() {
    let format = format_of(Pixel::yuv420p(8), FieldOrder::TopFirst);
    let mut random = Random::new(8);
    let mut video = telecine(&format, &film(&format, 8, 2), true);
    video[4] = clip(&format, 1, |_, _, _, _| random.below(256) as f32).remove(0);
    let video = frames(&format, &video, &Pool::heap());
    let matched = through(&planned("fieldmatch=combmatch=full", &format), &video);
    let marked: Vec<bool> = matched.iter().map(|frame| frame.timing.fields.unwrap().is_interlaced).collect();
    assert!(marked.contains(&true) && marked.contains(&false), "{marked:?}");
    for behind in ["yadif=deint=interlaced", "bwdif=send_frame:deint=interlaced", "bwdif=send_field:deint=interlaced"] {
        let chain = format!("fieldmatch=combmatch=full,{behind}");
        let once = through(&planned(&chain, &format), &video);
        // The same with the frames of a run before, which have their marks.
        let between = Arc::new(Format { fields: FieldOrder::Progressive, ..format.clone() });
        let twice = Engine::cpu(behind, &between).unwrap();
        let mut twice = twice;
        let given = matched.iter().map(|frame| frame.clone().tagged(&between).unwrap());
        let twice = twice.clip(given).unwrap();
        assert_eq!(once.len(), twice.len(), "{chain}");
        for (number, (once, twice)) in once.iter().zip(&twice).enumerate() {
            assert!(planes(once) == planes(twice), "{chain}: frame {number}");
        }
    }
    // Behind a chain without marks all frames would be deinterlaced.
    let all = through(&planned("fieldmatch=combmatch=none,yadif=deint=interlaced", &format), &video);
    let none = through(&planned("fieldmatch=combmatch=none", &format), &video);
    assert!(all.iter().zip(&none).all(|(all, none)| planes(all) == planes(none)));
}

/// Parts of the picture, and conditions.
#[test]
fn a_part_is_matched() {
    let format = format_of(Pixel::yuv420p(8), FieldOrder::TopFirst);
    let video = frames(&format, &telecine(&format, &film(&format, 12, 3), true), &Pool::heap());
    let whole = through(&planned("fieldmatch", &format), &video);
    let luma = through(&planned("fieldmatch=planes=y", &format), &video);
    let some = through(&planned("fieldmatch=enable='lt(n,7)'", &format), &video);
    let half = through(&planned("fieldmatch=mix=0.5", &format), &video);
    let with = through(&planned("invert=planes=u,fieldmatch=planes=y,invert=planes=u", &format), &video);
    let mut differs = 0;
    for number in 0..video.len() {
        let [given, whole, luma, some, half, with] =
            [&video, &whole, &luma, &some, &half, &with].map(|clip| planes(&clip[number]));
        assert!(luma[0] == whole[0] && luma[1..] == given[1..], "frame {number}");
        assert!(some == if number < 7 { whole.clone() } else { given.clone() }, "frame {number}");
        assert_eq!(with[0], luma[0], "frame {number}");
        differs += usize::from(whole != given);
        let between = |half: f32, a: f32, b: f32| (half - (a + b) / 2.0).abs() <= 0.5;
        assert!((0..half[0].len()).all(|at| between(half[0][at], whole[0][at], given[0][at])), "frame {number}");
    }
    assert!(differs > 3);
    for (chain, fields) in [
        ("fieldmatch", FieldOrder::Progressive),
        ("fieldmatch=planes=y", FieldOrder::TopFirst),
        ("fieldmatch=mix=0.5", FieldOrder::TopFirst),
        ("fieldmatch=enable='lt(n,7)'", FieldOrder::TopFirst),
        ("fieldmatch,bwdif=mode=send_frame:deint=interlaced", FieldOrder::Progressive),
    ] {
        assert_eq!(planned(chain, &format).output().fields, fields, "{chain}");
    }
}

/// Runs of frames on several backends make what one makes, marks and what follows from them too.
#[test]
fn runs_are_slices() {
    let format = format_of(Pixel::yuv420p(8), FieldOrder::TopFirst);
    let mut random = Random::new(6);
    let mut video = telecine(&format, &film(&format, 16, 12), true);
    video[7] = clip(&format, 1, |_, _, _, _| random.below(256) as f32).remove(0);
    let video = frames(&format, &video, &Pool::heap());
    for chain in [
        "fieldmatch=combmatch=full:mode=pcn_ub",
        "tmix=3,fieldmatch,tmix=3",
        "fieldmatch=combmatch=full,bwdif=deint=interlaced",
        "fieldmatch,invert=enable='mod(n,2)'",
        "fieldmatch=enable='mod(n,3)':scene=0.2,yadif=deint=interlaced",
        "fieldmatch,fieldmatch=order=bff",
    ] {
        let plan = planned(chain, &format);
        let wanted = through(&plan, &video);
        for (lanes, run_frames) in [(1, 1), (2, 3), (3, 5)] {
            let made = shared(&plan, &video, lanes, Sharing { run_frames, when_lost: WhenLost::Fail });
            assert_eq!(made.len(), wanted.len(), "{chain}");
            for (made, wanted) in made.iter().zip(&wanted) {
                assert!(planes(made) == planes(wanted), "{chain}: frame {}", wanted.timing.number);
                // Numbers of frames of fields are those of the run where not all frames are deinterlaced.
                let facts = |timing: &Timing| (timing.pts, timing.fields);
                assert_eq!(facts(&made.timing), facts(&wanted.timing), "{chain}");
            }
        }
    }
}

/// Frames of every size, also such that nothing is compared.
#[test]
fn small_frames_are_matched() {
    for (width, height) in [(1, 1), (1, 9), (9, 1), (16, 4), (17, 5), (2, 2), (31, 3)] {
        let format = Format::new(Pixel::yuv420p(8), width, height, Rational::new(25, 1));
        let mut random = Random::new(1);
        let noise = clip(&format, 4, |_, _, _, _| random.below(256) as f32);
        let video = frames(&format, &noise, &Pool::heap());
        for mode in ["pc", "pcn_ub"] {
            for options in ["combmatch=full:chroma=1", "combmatch=full:cthresh=-1:blockx=512:blocky=4", "y0=1:y1=2"] {
                let chain = format!("fieldmatch=mode={mode}:{options}");
                assert_eq!(through(&planned(&chain, &format), &video).len(), 4, "{chain}");
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (chain, said) in [
        (
            "fieldmatch=blockx=12",
            "blockx is 12 at character 1 of the chain; type a power of two from 4 to 512, as blockx=16",
        ),
        ("fieldmatch=cthresh=256", "cthresh"),
        ("fieldmatch=mode=pp", "mode"),
    ] {
        let format = format_of(Pixel::yuv420p(8), FieldOrder::TopFirst);
        let error = match parse(chain, &Defaults::default()) {
            Ok(filters) => format!("{:#}", plan(&filters, &Arc::new(format)).expect_err(chain)),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(said), "{chain}: {error}");
    }
    let bench = Bench::new();
    std::fs::write(bench.path("in.y4m"), b"YUV4MPEG2 W16 H16 F25:1 It C420jpeg\n").unwrap();
    let err = bench.refuse(&["in.y4m", "null:", "-f", "gaussian=1,fieldmatch"]);
    assert!(err.contains("gaussian before fieldmatch would mix"), "{err}");
    let err = bench.refuse(&["in.y4m", "null:", "--fields", "separate", "-f", "fieldmatch"]);
    assert!(err.contains("leave out --fields separate"), "{err}");
}

/// A clip that says nothing of its fields is remarked on.
#[test]
fn an_order_that_is_assumed_is_said() {
    let bench = Bench::new();
    let mut y4m = b"YUV4MPEG2 W16 H16 F25:1 Ip C420jpeg\nFRAME\n".to_vec();
    y4m.extend([9; 384]);
    std::fs::write(bench.path("in.y4m"), y4m).unwrap();
    for (chain, warns) in [("fieldmatch", true), ("fieldmatch=order=bff", false)] {
        let output = bench.warpreel(&["in.y4m", "null:", "--backend", "cpu", "-f", chain]);
        let said = String::from_utf8_lossy(&output.stderr).contains("type order=bff if motion judders");
        assert_eq!(said, warns, "{chain}");
    }
}

/// Parts of a file are slices of the whole, and frames keep their times.
#[cfg(feature = "libav")]
#[test]
fn parts_of_files_are_slices() {
    let bench = Bench::new();
    let source = "testsrc2=size=96x64:rate=24000/1001,noise=alls=8:allf=t,telecine,setfield=tff";
    let input = ["-f", "lavfi", "-i", source, "-frames:v", "15", "-pix_fmt", "yuv420p", "-c:v", "ffv1", "-level", "3"];
    bench.ffmpeg(&[&input[..], &["in.mkv"]].concat());
    let run = |options: &[&str]| {
        let call =
            ["in.mkv", "hash:", "-q", "--backend", "cpu", "-f", "fieldmatch=combmatch=full,bwdif=send_frame:deint=1"];
        timed_checksums(&bench.pass(&[&call[..], options].concat()))
    };
    let whole = run(&[]);
    assert_eq!(whole.len(), 15);
    for start in [1, 6, 14] {
        let place = format!("#{start}");
        let part = run(&["--start", &place, "--frames", "4"]);
        let wanted: Vec<_> = whole.iter().skip(start).take(4).map(|(_, sum)| sum).collect();
        assert_eq!(part.iter().map(|(_, sum)| sum).collect::<Vec<_>>(), wanted, "from {start}");
    }
}

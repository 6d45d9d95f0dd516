//! Whatever a program passes to the constructors in its reach: an answer or an error, and never a panic.

use std::fmt::Debug;
use std::sync::Arc;

use warpreel::Error;
use warpreel::backend::{Backend, Cpu, Inputs};
use warpreel::engine::{AdjustableEngine, Engine, EngineBuilder, Session, SessionInput, SessionOutput};
use warpreel::frame::{
    Block, Family, FieldOrder, Format, Frame, FrameMut, Host, Layout, Pixel, Plane, PlaneLayout, Pool, Rational,
    Sample, Storage, Timing,
};
use warpreel::pass::{Arithmetic, Border, Combine, Dense, Finish, Kernel, Op, Pass, Rank, Separable, Taps, TimeBorder};
use warpreel::plan::{Bypass, Guard, Plan};
use warpreel::source::CancelToken;

const SIDES: [usize; 9] = [0, 1, 2, 7, 16384, 16385, 1 << 40, usize::MAX / 2, usize::MAX];
const NUMBERS: [f32; 6] = [0.0, 1.0, -3.5, f32::MAX, f32::INFINITY, f32::NAN];

fn gray(width: usize, height: usize) -> Arc<Format> {
    Arc::new(Format::try_new(Pixel::gray(8), width, height, Rational::new(25, 1)).expect("a format"))
}

/// Runs whatever can be run of a plan.
fn run(plan: Plan, format: &Arc<Format>) {
    let Ok(cpu) = Cpu::new(plan.passes(), format.clone(), Pool::heap(), 1) else { return };
    let mut engine = Engine::new(cpu, plan).expect("an engine for what the stage took");
    let frame = Frame::from_samples(format, Timing::at(0), vec![9u8; format.samples()]).expect("a frame");
    let _ = engine.clip([frame]).expect("a clip");
}

#[test]
fn formats_of_any_pixel_and_size() {
    let mut taken = 0;
    for family in [Family::Gray, Family::Yuv, Family::Rgb] {
        for (sample, depths) in
            [(Sample::U8, [0, 7, 8, 9, 255]), (Sample::U16, [0, 8, 9, 16, 17]), (Sample::F32, [0, 1, 16, 32, 64])]
        {
            for depth in depths {
                for [log2_chroma_w, log2_chroma_h] in [[0, 0], [1, 1], [2, 0], [100, 0], [255, 255]] {
                    let pixel = Pixel { family, alpha: depth == 9, log2_chroma_w, log2_chroma_h, sample, depth };
                    let _ = (pixel.name(), pixel.peak(), pixel.highest(), pixel.neutral(1), pixel.measured_depth());
                    for width in SIDES {
                        taken += usize::from(try_format(pixel, width, 5) | try_format(pixel, 3, width));
                    }
                }
            }
        }
    }
    assert!(taken > 100, "{taken} of them are formats");
}

/// Whether it is a format; everything is asked of it that can be, whether it is or not.
fn try_format(pixel: Pixel, width: usize, height: usize) -> bool {
    let format = Arc::new(Format::new(pixel, width, height, Rational::new(25, 1)));
    let _ =
        (format.samples(), format.packed_bytes(), format.brightness_samples(), format.to_string(), format.of_fields());
    let layouts = [Layout::aligned(&format), Layout::packed(&format)];
    let _ = layouts.map(|layout| (layout.total_bytes(4), layout.span(4), layout.packed_range(&format)));
    let _ = Layout::semi_planar(&format, usize::MAX, usize::MAX).map(|layout| layout.check(&format, 0, usize::MAX));
    let (is_format, is_small) = (format.check().is_ok(), format.packed_bytes() < 1 << 20);
    let samples = if is_small { vec![0u8; format.packed_bytes()] } else { Vec::new() };
    let frame = Frame::from_samples(&format, Timing::at(0), samples);
    assert!(is_format || frame.is_err(), "a frame of {format}");
    if !is_format || is_small {
        assert_eq!(Pool::heap().frame(&format).is_ok(), is_format, "{format}");
        assert_eq!(Engine::cpu("box=1,tmix=3", &format).is_ok(), is_format, "{format}");
        assert_eq!(Plan::kernel(&format, [1, 1, 1], &[1.0]).is_ok(), is_format, "{format}");
        assert!(
            is_format
                || Cpu::new(
                    Plan::from_passes(&gray(1, 1), vec![pass(Op::Copy)]).expect("a copy").passes(),
                    format,
                    Pool::heap(),
                    1
                )
                .is_err()
        );
    }
    is_format
}

fn pass(op: Op) -> Pass {
    Pass::new("any", vec![op], TimeBorder::Clamp)
}

#[test]
fn every_pixel_has_a_name_that_is_read() {
    let all: Vec<Pixel> = Pixel::all().collect();
    assert_eq!(all.len(), 8 * 10 * 2);
    for pixel in all {
        pixel.check().expect("a pixel");
        assert_eq!(Pixel::parse(&pixel.name()).expect("its name"), pixel);
        assert_eq!(pixel.to_string().parse::<Pixel>().expect("its name"), pixel);
    }
    for name in ["", "le", "gray7", "gray17", "gray010", "yuv420", "yuv4xxp", "rgb24", "yuv420p10be", "Gray"] {
        let error = Pixel::parse(name).expect_err(name).to_string();
        assert!(error.contains(&format!("{name:?}")) && error.contains("gray10"), "{error}");
    }
}

#[test]
fn planes_of_another_type_or_place() {
    let frame = Frame::from_samples(&gray(4, 3), Timing::at(0), vec![1u8; 12]).expect("a frame");
    let host = frame.host().expect("on the host");
    for index in [0, 1, usize::MAX] {
        assert_eq!(host.try_plane::<u8>(index).is_ok(), index == 0);
        assert!(host.try_plane::<i8>(index).is_err() && host.try_plane::<u16>(index).is_err());
    }
    let floats = Arc::new(Format::try_new(Pixel::gray(8).float(), 4, 3, Rational::new(25, 1)).expect("a format"));
    let mut written = Pool::heap().frame(&floats).expect("a frame");
    assert!(written.try_planes_mut::<u32>().is_err() && written.try_planes_mut::<u8>().is_err());
    written.try_planes_mut::<f32>().expect("floats").iter_mut().for_each(|plane| plane.row_mut(0).fill(1.0));
    let error = written
        .freeze(Timing::at(0))
        .host()
        .expect("on the host")
        .try_plane::<u32>(0)
        .expect_err("no integers")
        .to_string();
    assert!(error.contains("grayf32") && error.contains("u32"), "{error}");
}

#[test]
fn slices_of_any_length_and_stride() {
    let (samples, format) = (vec![7u16; 40], Arc::new(Format::new(Pixel::yuv420p(10), 5, 4, Rational::new(25, 1))));
    for length in [0, 1, 39, 40] {
        for stride in [0, 3, 5, 10, 1 << 62, usize::MAX] {
            let plane = (&samples[..length], stride);
            let luma = stride >= 5 && stride.checked_mul(3).is_some_and(|rows| rows + 5 <= length);
            let chroma = luma && stride + 3 <= length;
            assert_eq!(
                Frame::from_planes(&format, Timing::at(0), &[plane; 3]).is_ok(),
                luma && chroma,
                "{length} {stride}"
            );
            assert!(Frame::from_planes(&format, Timing::at(0), &[plane; 2]).is_err());
            let rgb = Arc::new(Format::new(Pixel::rgb(16), 2, 4, Rational::new(25, 1)));
            let fits = stride >= 6 && stride.checked_mul(3).is_some_and(|rows| rows + 6 <= length);
            assert_eq!(Frame::from_pixels(&rgb, Timing::at(0), &samples[..length], stride).is_ok(), fits);
            assert!(Frame::from_pixels(&format, Timing::at(0), &samples[..length], stride).is_err());
        }
    }
    assert!(Frame::from_planes(&format, Timing::at(0), &[(&[0u8; 40][..], 5); 3]).is_err(), "bytes for 10 bits");
    for pixel in [Pixel::rgb(16), Pixel::rgb(16).with_alpha(), Pixel::gray(16), Pixel::gray(16).with_alpha()] {
        let format = Arc::new(Format::new(pixel, 3, 2, Rational::new(25, 1)));
        let pixels: Vec<u16> = (0..format.samples() as u16).collect();
        let row = pixels.len() / 2;
        let frame = Frame::from_pixels(&format, Timing::at(0), &pixels, row).expect("pixels");
        assert_eq!(frame.to_pixels::<u16>().expect("pixels"), pixels);
        assert!(frame.to_pixels::<u8>().is_err());
    }
}

#[test]
fn layouts_that_no_memory_holds() {
    let format = gray(4, 3);
    for offset in SIDES {
        for stride in SIDES {
            for side in SIDES {
                let plane = PlaneLayout { step: stride, ..PlaneLayout::new(offset, stride, (side, 3)) };
                let layout = Layout::new(vec![plane.clone(), plane]);
                let _ = (
                    layout.total_bytes(2),
                    layout.span(2),
                    layout.packed_range(&format),
                    layout.check(&format, 1, 100),
                );
                let one = Layout::new(vec![PlaneLayout::new(offset, stride, (4, 3))]);
                // What a machine might have is not asked of it.
                if offset.max(stride) > usize::MAX / 4 {
                    assert!(Pool::heap().frame_in(&format, one).is_err(), "{offset} {stride}");
                }
            }
        }
    }
}

#[test]
fn kernels_of_any_size_anchor_and_taps() {
    let format = gray(9, 5);
    for t in SIDES {
        for y in [0, 1, 3, usize::MAX] {
            for x in [0, 1, 3, 9, 16385, usize::MAX] {
                for anchor in [0, 1, usize::MAX] {
                    for weights in [vec![], vec![1.0], vec![f32::NAN], vec![0.5; 9]] {
                        let kernel = Kernel { size: [t, y, x], anchor: [anchor; 3], weights: weights.clone() };
                        let _ = (kernel.reach().size(), kernel.reach().frames());
                        let kernels = vec![kernel];
                        let (combine, border, finish) = (Combine::Sum, Border::Wrap, Finish::PLAIN);
                        let dense = Dense { kernels, combine, arithmetic: Arithmetic::Real, border, finish };
                        let _ = Plan::from_passes(&format, vec![pass(Op::Dense(dense))]).map(|plan| run(plan, &format));
                        let made = Plan::kernel(&format, [t, y, x], &weights);
                        let finite = weights.iter().all(|weight| weight.is_finite());
                        let fits = t.checked_mul(y).and_then(|taps| taps.checked_mul(x)) == Some(weights.len());
                        assert_eq!(made.is_ok(), fits && finite && !weights.is_empty(), "{t}x{y}x{x} {weights:?}");
                        let _ = made.map(|plan| run(plan, &format));
                        let rank = Rank { size: [t, y, x], anchor: [anchor; 3], rank: anchor, border, finish };
                        let _ = Plan::from_passes(&format, vec![pass(Op::Rank(rank))]).map(|plan| run(plan, &format));
                    }
                }
            }
        }
    }
}

#[test]
fn taps_and_last_steps_of_any_numbers() {
    let format = gray(9, 5);
    for number in NUMBERS {
        for anchor in [0, 1, usize::MAX] {
            for weights in [vec![], vec![number], vec![number; 4]] {
                for arithmetic in [Arithmetic::Integer, Arithmetic::Real] {
                    let taps = Taps { weights: weights.clone(), anchor };
                    let _ = (taps.reach(), taps.is_identity());
                    let finish = Finish { scale: number, dry: number, bias: number };
                    for finish in [Finish::PLAIN, finish] {
                        for border in [Border::Lopsided, Border::Constant(number)] {
                            let (t, y, x) = (taps.clone(), Taps::identity(), taps.clone());
                            let op = Op::Separable(Separable { t, y, x, arithmetic, border, finish });
                            let plan = Plan::from_passes(&format, vec![pass(op)]);
                            let is_finite = number.is_finite();
                            assert!(is_finite || weights.is_empty() || plan.is_err(), "{number} {weights:?}");
                            let _ = plan.map(|plan| run(plan, &format));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn plans_with_ways_round_passes_that_they_lack() {
    let format = gray(9, 5);
    let plan = Engine::builder("gaussian=1:roi=3x3+1+1,tmix=3", &format).plan().expect("a plan");
    let count = plan.steps().len();
    let around = |steps, blend| Bypass { steps, enable: None, blend };
    for (steps, blend) in [(0..0, None), (0..count + 1, None), (count..count + 1, None), (0..1, Some(count))] {
        assert!(plan.clone().with_bypasses(vec![around(steps, blend)]).is_err());
    }
    let overlapping = vec![around(0..2, None), around(1..2, None)];
    assert!(plan.clone().with_bypasses(overlapping).is_err());
    assert!(plan.clone().with_guard(count, Guard::default()).is_err());
    assert!(plan.clone().with_bypasses(vec![around(0..1, None), around(1..2, None)]).is_ok());
    // A stage whose passes are fewer than the plan's is told so when it runs.
    let cpu =
        Cpu::new(Plan::from_passes(&format, Vec::new()).expect("no pass").passes(), format.clone(), Pool::heap(), 1);
    let mut engine = Engine::new(cpu.expect("a stage"), plan).expect("an engine");
    assert!(engine.clip(super::noise(&format, 3)).is_err());
}

#[test]
fn stages_that_are_asked_for_what_there_is_not() {
    let format = gray(9, 5);
    let plan = Engine::builder("tmix=3", &format).plan().expect("a plan");
    let mut cpu = Cpu::new(plan.passes(), format.clone(), Pool::heap(), 1).expect("a stage");
    let frame = super::noise(&format, 1).remove(0);
    for pass in [0, 1, usize::MAX] {
        for window in [&[][..], &[Some(&frame)], &[None, Some(&frame), None], &[None; 3]] {
            let made = cpu.run(pass, &Inputs::new(window));
            assert_eq!(made.is_ok(), pass == 0 && window.len() == 3 && window[1].is_some());
        }
    }
    for chain in ["", ",", "gaussian=", "gaussian=nan", "tmix=0", "median=99999999999999999999", "\0", "x@y"] {
        assert!(chain.is_empty() || Engine::cpu(chain, &format).is_err(), "{chain:?}");
    }
    for (border, planes) in [("nowhere", "y"), ("2", "y"), ("nan", "y"), ("clamp", "q"), ("clamp", "")] {
        assert!(Engine::builder("box=1", &format).border(border).planes(planes).build().is_err(), "{border} {planes}");
    }
}

#[test]
fn times_of_any_number() {
    let format = gray(9, 6);
    let fields = Arc::new(Format {
        fields: FieldOrder::TopFirst,
        time_base: Rational::new(1, i32::MAX),
        ..Format::clone(&format)
    });
    for chain in ["tmix=3", "bwdif=mode=send_field,gaussian=1", "tmix=3:scene=10"] {
        for format in [&format, &fields] {
            let Ok(mut engine) = Engine::cpu(chain, format) else { continue };
            for number in [0, 1, u64::MAX / 2, u64::MAX] {
                for pts in [0, i64::MIN, i64::MAX] {
                    let timing = Timing { number, pts, duration: pts, offset: pts, ..Timing::at(0) };
                    let frame = Frame::from_samples(format, timing, vec![5u8; 54]).expect("a frame");
                    let _ = engine.clip([frame.clone(), frame.clone(), frame]);
                }
            }
        }
    }
}

#[test]
fn what_goes_to_other_threads() {
    fn all<T: Send + Sync + Debug>() {}
    fn send<T: Send>() {}
    all::<(Format, Pixel, Rational, Timing, Layout, Storage)>();
    all::<(Frame, FrameMut, Block, Pool)>();
    all::<(Host<'_>, Plane<'_, u8>, Plan, Pass)>();
    all::<(EngineBuilder, SessionInput, Error, CancelToken)>();
    send::<(Engine<Cpu>, AdjustableEngine<Cpu>, Cpu, Session, SessionInput, SessionOutput)>();
    let format = gray(9, 5);
    let frame = super::noise(&format, 1).remove(0);
    let said = format!("{frame:?} {:?} {:?}", frame.host().expect("on the host"), Pool::heap());
    assert!(said.contains("width: 9") && said.len() < 4000, "no samples: {said}");
}

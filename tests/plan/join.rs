//! Joined neighbours give the bytes of one after the other.

use std::sync::{Arc, OnceLock};

use tempfile::TempDir;
use warpreel::backend::cpu::simd::Level;
use warpreel::filter::{FILTERS, Filter, Group, Kind, Parameter, Spec, parse};
use warpreel::frame::{Format, Frame, Pixel, Pool, Rational, Sample};
use warpreel::pass::{Op, PlaneOp, PointStep, Pointwise};
use warpreel::plan::{Plan, plan};

use super::super::agreement::Random;
use super::super::companion;
use super::super::filter::chain;
use super::super::oracle::samples;
use super::super::stage::through_at;
use super::planned;

fn bits(frame: &Frame) -> Vec<Vec<u32>> {
    let plane = |plane| samples(frame, plane).iter().map(|sample| sample.to_bits()).collect();
    (0..frame.format().pixel.planes()).map(plane).collect()
}

/// A clip of such frames.
fn clip(seed: u64, format: &Format, length: usize) -> Vec<Frame> {
    let case = Random::new(seed).finished(seed, format.clone(), vec![Op::Copy; format.pixel.planes()]);
    let pool = Pool::heap();
    (0..length).map(|number| case.frame(number, &pool)).collect()
}

/// Fails unless a chain at once gives what its filters give one after another. Returns the plan; `None` where a size that
/// a filter gives does not suit it or another.
fn check(filters: &[Filter], format: &Format, seed: u64, length: usize) -> Option<Plan> {
    check_at(Level::best(), filters, format, seed, length)
}

/// The same with instructions of a level.
pub(super) fn check_at(level: Level, filters: &[Filter], format: &Format, seed: u64, length: usize) -> Option<Plan> {
    let (format, input) = (Arc::new(format.clone()), clip(seed, format, length));
    let text = filters.iter().map(|filter| filter.text.as_str()).collect::<Vec<_>>().join(",");
    let changes = filters.iter().any(|filter| filter.spec.change.is_some());
    let of = |filters: &[Filter], format: &Arc<Format>| {
        plan(filters, format).unwrap_or_else(|error| panic!("{text}: {error:#}"))
    };
    let at_once = match plan(filters, &format) {
        Err(_) if changes => return None,
        _ => of(filters, &format),
    };
    let alone = |(frames, format): (Vec<Frame>, Arc<Format>), filter| {
        let plan = of(std::slice::from_ref(filter), &format);
        (through_at(level, &plan, &frames), plan.output())
    };
    let (one_by_one, _) = filters.iter().fold((input.clone(), format.clone()), alone);
    for (number, (got, wanted)) in through_at(level, &at_once, &input).iter().zip(&one_by_one).enumerate() {
        let passes: Vec<_> = at_once.steps().iter().map(|step| &step.pass.name).collect();
        assert_eq!(
            bits(got),
            bits(wanted),
            "{text} as {passes:?}, {level}, seed {seed}, {format}, frame {number} of {length}"
        );
    }
    Some(at_once)
}

const BORDERS: [&str; 7] = ["reflect101", "clamp", "reflect", "wrap", "lopsided", "zero", "0.4"];

/// A kernel and a mask in files, for the kinds of parameters that name one.
struct Files {
    _folder: TempDir,
    kernel: String,
    mask: String,
    written: String,
}

fn files() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name).to_str().expect("a name in UTF-8").to_owned();
        let (kernel, mask, written) = (path("kernel.txt"), path("mask.png"), path("vectors.json"));
        std::fs::write(&kernel, "0 1 0\n1 2 1\n0 1 0\n").expect("a kernel");
        let mut png = png::Encoder::new(std::fs::File::create(&mask).expect("a mask"), ROOMY.0 as u32, ROOMY.1 as u32);
        png.set_color(png::ColorType::Grayscale);
        let samples: Vec<u8> = (0..ROOMY.0 * ROOMY.1).map(|i| [0, 255, 128, 64, 255][i / 7 % 5]).collect();
        png.write_header().and_then(|mut writer| writer.write_image_data(&samples)).expect("a mask");
        Files { _folder: folder, kernel, mask, written }
    })
}

/// Frames that regions and masks fit.
pub(super) const ROOMY: (usize, usize) = (41, 27);

/// Any value that may be typed; more often than not a small one where there is a choice. Regions and masks are for frames
/// of [`ROOMY`] alone.
fn value(random: &mut Random, parameter: &Parameter, is_roomy: bool) -> Option<String> {
    Some(match parameter.kind {
        Kind::Number(low, high) | Kind::Strength(low, high) => {
            let low = low.max(-2.0) as f32;
            // Strengths and radii beyond these make other stages, such as the boxes of a wide Gaussian.
            let span = *random.one_of(&[3.0, 3.0, 12.0]);
            random.real(low, (high as f32).min(low + span)).to_string()
        }
        Kind::Count(low, high) => (low + random.below((high - low).min(2) as u64 + 1) as usize).to_string(),
        Kind::Switch => random.below(2).to_string(),
        Kind::Word(words) | Kind::Name(words) | Kind::Numbered(_, words) => (*random.one_of(words)).to_owned(),
        Kind::Numbers => (*random.one_of(&["'1 2 1'", "'0 1 0.3'", "'1 0 0.5 0.2 0.9'"])).to_owned(),
        Kind::Kernel | Kind::Tones => {
            let kernels = ["0 0 1", "'1 0 0'", "'0;0;1'", "'0 0 0;0 0 0;1 0 0'", "'1|0|0'", "'1 2 1;0 0 0;-1 -2 -1'"];
            (*random.one_of(&kernels)).to_owned()
        }
        Kind::File => format!("'{}'", files().kernel),
        Kind::Cube => concat!("'", env!("CARGO_MANIFEST_DIR"), "/samples/warm.cube'").to_owned(),
        Kind::ToneCube => concat!("'", env!("CARGO_MANIFEST_DIR"), "/samples/fade.cube'").to_owned(),
        Kind::Knots => (*random.one_of(&["'0/0 0.4/0.6 1/1'", "'0/1 1/0'", "'0.2/0.5'"])).to_owned(),
        Kind::Picture => concat!("'", env!("CARGO_MANIFEST_DIR"), "/samples/logo.png'").to_owned(),
        Kind::Clip => concat!("'", env!("CARGO_MANIFEST_DIR"), "/samples/ten-bit.mp4'").to_owned(),
        Kind::Mask | Kind::Region if !is_roomy => return None,
        Kind::Mask => format!("'{}'", files().mask),
        Kind::Written => format!("'{}'", files().written),
        Kind::Region => (*random.one_of(&["3x2+0+0", "20x5+1+1", "9x9+14+13", "41x27+0+0"])).to_owned(),
        Kind::Condition => (*random.one_of(&["1", "0", "'mod(n,2)'", "'gt(n,1)'"])).to_owned(),
        Kind::Planes => (*random.one_of(&["all", "luma", "chroma", "colour", "1", "6"])).to_owned(),
        Kind::Border => (*random.one_of(&BORDERS)).to_owned(),
        Kind::TimeBorder => (*random.one_of(&["clamp", "reflect101", "zero", "lopsided"])).to_owned(),
        Kind::Expression(names) if names.contains(&"film") => {
            (*random.one_of(&["25", "source_fps*2", "7.3"])).to_owned()
        }
        Kind::Expression(names) if names.contains(&"n") && random.below(2) == 0 => {
            (*random.one_of(&["n*3-4", "W-60*t", "'if(mod(n,2),y,-2)'", "H-n*n"])).to_owned()
        }
        Kind::Expression(names) if names.contains(&"overlay_w") => {
            (*random.one_of(&["0", "W-w", "'-w/2'", "3", "H-h"])).to_owned()
        }
        Kind::Expression(_) => (*random.one_of(&["iw", "ih", "9", "iw/2", "ih*2", "iw+5"])).to_owned(),
        Kind::Size => (*random.one_of(&["20x20", "7x30"])).to_owned(),
        Kind::Colour => (*random.one_of(&["white", "#20f060"])).to_owned(),
    })
}

/// A call of a filter with values for about half of its parameters.
pub(super) fn call(random: &mut Random, spec: &'static Spec, is_roomy: bool) -> Filter {
    for _ in 0..100 {
        let mut values = Vec::new();
        for parameter in spec.parameters() {
            let rarely = matches!(parameter.name, "mix" | "anchor" | "enable" | "scene" | "roi" | "mask");
            let wanted = matches!(
                parameter.kind,
                Kind::Kernel | Kind::Tones | Kind::Cube | Kind::ToneCube | Kind::Picture | Kind::Clip
            ) || random.below(if rarely { 8 } else { 2 }) == 0;
            values.extend(
                if wanted { value(random, parameter, is_roomy) } else { None }
                    .map(|v| format!("{}={v}", parameter.name)),
            );
        }
        let mark = if values.is_empty() { "" } else { "=" };
        let text = format!("{}{mark}{}", spec.name, values.join(":"));
        if let Ok(mut filters) = parse(&text, &companion::defaults()) {
            return filters.remove(0);
        }
    }
    chain(spec.example).remove(0)
}

/// Two to four filters, more often than not such as may be joined.
fn anything(random: &mut Random) -> Vec<Filter> {
    let of = |group: &[&'static Spec], random: &mut Random| *random.one_of(group);
    // What makes a sample of all colours is joined to nothing.
    let mixes = [
        "lut1d",
        "lut3d",
        "curves",
        "vibrance",
        "hue",
        "colorchannelmixer",
        "colortemperature",
        "colorspace",
        "tonemap",
        "sdr",
    ];
    let is_point = |spec: &&Spec| spec.group == Group::Point && !mixes.contains(&spec.name);
    let points: Vec<_> = FILTERS.iter().copied().filter(is_point).collect();
    let extremes: Vec<_> =
        FILTERS.iter().copied().filter(|spec| ["erode", "dilate", "close"].contains(&spec.name)).collect();
    let mut filters: Vec<Filter> = Vec::new();
    for _ in 0..random.range(2..=4) {
        let again = filters.last().filter(|_| random.below(4) == 0).cloned();
        let spec = match random.below(7) {
            0..=2 => of(&points, random),
            3 => of(&extremes, random),
            4 => *FILTERS.iter().find(|spec| spec.name == "kernel").expect("a filter"),
            _ => of(FILTERS, random),
        };
        filters.push(again.unwrap_or_else(|| call(random, spec, false)));
    }
    filters
}

/// Chroma of another subsampling that has the same planes, which are handed on as they are.
#[test]
fn planes_of_one_sample_go_on_after_another_subsampling() {
    for (pixel, text) in
        [(Pixel::yuv420p(8), "scale=chroma=422,gaussian"), (Pixel::yuv444p(10), "scale=chroma=420,box")]
    {
        let format = Format::new(pixel, 1, 1, Rational::new(25, 1));
        assert!(check(&chain(text), &format, 7, 3).is_some(), "{text}");
    }
}

#[test]
fn any_chain_gives_the_bytes_of_its_filters() {
    let mut told = String::new();
    let (mut joined, mut chains, mut changed) = (0, 0, 0);
    for seed in 0..1200 {
        let mut random = Random::new(50_000 + seed);
        let pixel = random.pixel();
        let side = *random.one_of(&[1, 2, 3, 9, 20]);
        let format = Format::new(pixel, random.range(1..=side), random.range(1..=side), Rational::new(25, 1));
        let filters = anything(&mut random);
        let Some(plan) = check(&filters, &format, seed, random.range(1..=5)) else { continue };
        chains += 1;
        changed += usize::from(plan.output() != *plan.format());
        joined += usize::from(plan.steps().iter().any(|step| !step.joins.is_empty()));
        told.extend(plan.steps().iter().flat_map(|step| step.joins.clone()));
    }
    assert!(3 * joined > chains, "only {joined} of {chains} chains had anything to join");
    assert!(100 * changed > chains, "only {changed} of {chains} chains changed the format");
    for kind in
        ["as they are written", "two tables", "steps on", "smallest", "largest", "two shifts", "different planes"]
    {
        assert!(told.contains(kind), "no chain had {kind}");
    }
}

/// Every border in space and time, on frames and clips smaller than the boxes.
#[test]
fn extremes_join_at_every_border() {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    for border in BORDERS {
        for (step, (first, second)) in [
            ("1", "1"),
            ("2:radius_v=0", "1"),
            ("1:radius_t=1", "2:radius_t=1"),
            ("0:radius_t=2", "1"),
            ("1", "0:radius_t=1"),
        ]
        .into_iter()
        .enumerate()
        {
            for border_t in ["clamp", "reflect101", "zero"] {
                for name in ["erode", "dilate"] {
                    let call = |radius| format!("{name}={radius}:border={border}:border_t={border_t}");
                    let text = format!("{},{}", call(first), call(second));
                    for (index, (width, height)) in
                        [(1, 1), (2, 1), (1, 3), (3, 2), (4, 5), (9, 7)].into_iter().enumerate()
                    {
                        let pixel = [Pixel::gray(8), Pixel::yuv420p(10), float][(index + step) % 3];
                        let format = Format::new(pixel, width, height, Rational::new(25, 1));
                        let seed = (100 * index + step) as u64;
                        let plan = check(&chain(&text), &format, seed, 1 + (index + step) % 4).expect("a plan");
                        assert_eq!(plan.steps().len(), 1, "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn shifts_join_where_the_border_allows() {
    let kernels = ["0 0 1", "1 0 0", "0 0 0 0 1", "0;0;1", "1|0|0", "0|0|1", "0 0 0;0 0 0;1 0 0"];
    let mut joined = 0;
    for border in BORDERS {
        for border_t in ["clamp", "reflect101", "zero", "lopsided"] {
            for (index, first) in kernels.into_iter().enumerate() {
                for second in kernels {
                    let call = |kernel| format!("kernel='{kernel}':border={border}:border_t={border_t}");
                    let (width, height) = [(1, 1), (2, 3), (5, 4)][index % 3];
                    let format = Format::new(Pixel::gray(8), width, height, Rational::new(25, 1));
                    let filters = chain(&format!("{},{}", call(first), call(second)));
                    let plan = check(&filters, &format, index as u64, 3).expect("a plan");
                    joined += usize::from(plan.steps().len() < 2);
                    let opposed = border == "wrap" && (first, second) == ("0 0 1", "1 0 0");
                    assert!(!opposed || plan.steps().is_empty(), "there and back again");
                }
            }
        }
    }
    assert!(joined > 300, "{joined} were joined");
}

/// The names of the passes of a chain.
fn passes(text: &str, pixel: Pixel) -> Vec<String> {
    planned(text, pixel).passes().iter().map(|pass| pass.name.clone()).collect()
}

#[test]
fn what_joins_and_what_does_not() {
    let (gray, colour) = (Pixel::gray(8), Pixel::yuv420p(8));
    let float = Pixel { sample: Sample::F32, depth: 32, ..gray };
    assert_eq!(passes("gaussian=2,levels=0.1,gamma=1.2", colour), ["gaussian=2 + levels=0.1 + gamma=1.2"]);
    assert_eq!(passes("median,invert=planes=luma", colour).len(), 1);
    assert_eq!(passes("invert,gaussian", gray).len(), 2, "points before a pass are another one");
    assert_eq!(passes("invert=mix=0.3,gain=0.5:mix=0.2", gray).len(), 1, "tables hold whatever was mixed");
    assert_eq!(passes("gamma=2,gain=0.5", float).len(), 1);
    assert_eq!(passes("gamma=2:mix=0.5,gain=0.5", float).len(), 2);
    assert_eq!(passes("gamma=2,gain=0.5:mix=0.5", float).len(), 2, "the dry part is the sample in between");
    assert_eq!(passes("gaussian,gain=0.5:mix=0.5", float).len(), 1, "the dry part is the finished sample");
    assert_eq!(passes("erode,erode", colour).len(), 1);
    assert_eq!(passes("erode,erode=mix=0.5", gray).len(), 2);
    assert_eq!(passes("erode=mix=0.5,erode", gray).len(), 2);
    assert_eq!(passes("erode,dilate", gray).len(), 2);
    assert_eq!(passes("erode,invert,erode", gray).len(), 2, "not across what was done to the samples");
    assert_eq!(passes("erode=border=clamp,erode=border=wrap", gray).len(), 2);
    assert_eq!(passes("erode=radius=100,erode=radius=100", gray).len(), 2, "too long for one box");
    assert_eq!(passes("close=1,open=2", gray), ["close=1", "close=1 + open=2", "open=2"]);
    assert_eq!(passes("sobel=planes=luma,gaussian=planes=chroma", colour).len(), 1);
    assert_eq!(passes("sobel=planes=luma,gaussian=planes=all", colour).len(), 2);
    assert_eq!(passes("tmix=planes=luma,median=planes=chroma", colour).len(), 1);
    let joint = "bilateral=joint=1:planes=chroma";
    assert_eq!(passes(&format!("tmix=planes=luma,{joint}"), colour).len(), 2, "the guide is what the first makes");
    assert_eq!(passes(&format!("{joint},tmix=planes=luma"), colour).len(), 1, "the guide is what both see");
    let filters = chain(&format!("{joint},gaussian=planes=luma,{joint},invert=planes=luma"));
    let plan = check(&filters, &Format::new(colour, 21, 9, Rational::new(25, 1)), 1, 2).expect("a plan");
    assert_eq!(plan.steps().len(), 2);
    assert_eq!(passes("tmix=planes=luma,tmedian=planes=chroma", colour).len(), 1);
    assert_eq!(passes("tmix=planes=luma,tmedian=planes=chroma:border_t=zero", colour).len(), 2);
    let lopsided = "tmix=planes=luma:border_t=lopsided,tmedian=planes=chroma:border_t=lopsided";
    assert_eq!(passes(lopsided, colour).len(), 2, "a longer window would repeat another frame");
    assert_eq!(passes("tmix=planes=luma:border_t=lopsided,gaussian=planes=chroma", colour).len(), 1);
    assert_eq!(planned("tmix=frames=5:planes=luma,tmedian=planes=chroma", colour).latency(), 2);
    assert_eq!(planned("invert,invert", gray).dropped(), ["invert + invert"]);
    assert_eq!(passes("gaussian,invert,invert", gray).len(), 1);
    assert_eq!(planned("gaussian,invert,invert", gray).steps()[0].pass.planes[0].after, None);
    assert_eq!(passes("invert,invert", Pixel::gray(10)).len(), 1, "samples above the peak are brought back to it");
}

#[test]
fn what_is_joined_is_composed() {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    let plan = planned("invert,gain=0.5,gamma=2:mix=0.25", float);
    let [Op::Pointwise(Pointwise::Steps { steps, wet, dry })] = plan.steps()[0].pass.ops().collect::<Vec<_>>()[..]
    else {
        panic!("no steps")
    };
    let expected = [PointStep::Multiply(-1.0), PointStep::Add(1.0), PointStep::Multiply(0.5)];
    assert_eq!((&steps[..], *wet, *dry), (&expected[..], 1.0, 0.0));
    assert_eq!(plan.steps().len(), 2);
    let plan = planned("box=1,invert,gain=0.5", Pixel::gray(8));
    let [PlaneOp { after: Some(Pointwise::Table(table)), .. }] = &plan.steps()[0].pass.planes[..] else {
        panic!("no table")
    };
    assert_eq!([0, 100, 255].map(|sample| table[sample]), [128, 78, 0], "rounded in between");
    let told = plan.explain(None);
    let planned = &told.passes[0];
    assert_eq!((planned.planes[0].shape.as_str(), planned.planes[0].after.as_str()), ("3 x + 3 y", "table of 256"));
    let joins = [
        "\"invert\" joins \"box=1\": single samples, changed as they are written (y)",
        "\"gain=0.5\" joins \"box=1 + invert\": two tables are one (y)",
    ];
    assert_eq!(planned.joins, joins);
    assert!(joins.iter().all(|sentence| told.to_string().contains(sentence)));
}

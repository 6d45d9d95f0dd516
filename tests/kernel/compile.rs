//! Every kernel in every specialisation, compiled for every generation of GPUs. Needs NVRTC but no GPU; without one
//! the test says so and passes, and `REQUIRE_NVRTC=1` makes that a failure.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use warpreel::backend::cuda::compile::{Cache, Compiler};
use warpreel::backend::cuda::library::Nvrtc;
use warpreel::backend::cuda::program::Program;
use warpreel::filter::{Defaults, FILTERS, parse};
use warpreel::frame::{Family, Format, Pixel, Rational, Sample};
use warpreel::pass::{
    Arithmetic, Blend, Border, Bwdif, Combine, Crossfade, Deinterlacing, Op, Pass, PlaneOp, VectorPart, W3fdif, Yadif,
};
use warpreel::plan::plan;

use crate::extent;

use super::op::{
    LIMITS, atadenoise, bilateral, bm3d, boxes, cas, deband, degrain, dense, following, gain, joint, nlmeans, over,
    pass, pointwise, rank, separable, shown,
};

/// The compiler; `None` where there is none.
pub fn nvrtc() -> Option<Nvrtc> {
    match Nvrtc::find(None, None) {
        Ok(nvrtc) => Some(nvrtc),
        Err(error) => {
            assert!(std::env::var_os("REQUIRE_NVRTC").is_none(), "REQUIRE_NVRTC is set, but {error:#}");
            println!("skipped: {error:#}");
            None
        }
    }
}

/// Kernels that have compiled before: an entry is found by the sources, the options and the version of NVRTC. After a week it is
/// made anew.
static COMPILED: LazyLock<Cache> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels");
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        if age.is_some_and(|age| age > Duration::from_secs(7 * 24 * 3600)) {
            // Another run of the tests may have removed it.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    Cache::at(&folder)
});

/// A compiler for GPUs of a generation, which finds what has compiled before.
fn compiler(nvrtc: &Nvrtc, arch: i32) -> Compiler<'_> {
    Compiler::new(nvrtc, arch, Some(COMPILED.clone()))
}

const BORDERS: [Border; 6] =
    [Border::Reflect101, Border::Clamp, Border::Reflect, Border::Wrap, Border::Constant(16.0), Border::Lopsided];

/// Passes of four planes with an op of their own each, which together take every way there is. `both` steps of bm3d are
/// compiled, or one of them: the second, and at 10 bits the first.
fn programs(depth: u8, border: Border, mapped_too: bool, both: bool) -> Vec<Program> {
    let mut pixel = Pixel { alpha: true, ..Pixel::integer(Family::Yuv, 1, 1, depth.min(16)) };
    let (mut whole, mut weight) = (Arithmetic::Integer, 1.0);
    if depth == 32 {
        (pixel.sample, pixel.depth, whole, weight) = (Sample::F32, 32, Arithmetic::Real, 0.5);
    }
    let real = Arithmetic::Real;
    let inside = Blend::Inside { columns: 3..9, rows: 1..7, weight: 0.5 };
    let passes: [[Op; 4]; 10] = [
        [
            dense([1, 3, 3], weight, whole, border, Combine::Sum),
            dense([3, 3, 3], 0.1, real, border, Combine::Sum),
            dense([1, 3, 3], weight, whole, border, Combine::Magnitude),
            Op::Copy,
        ],
        [
            dense([1, 21, 21], weight, whole, border, Combine::Max),
            dense([1, 21, 21], 0.1, real, border, Combine::Sum),
            dense([1, 3, 3], 150.0 * weight, whole, border, Combine::Sum),
            dense([1, 3, 3], 8000.0 * weight, whole, border, Combine::Sum),
        ],
        [
            separable([5, 1, 1], weight, whole, border),
            separable([1, 5, 5], weight, whole, border),
            separable([3, 5, 5], 0.2, real, border),
            separable([1, 1, 5], weight, whole, border),
        ],
        [
            separable([1, 5, 1], weight, whole, border),
            separable([40, 3, 3], 0.2, real, border),
            separable([1, 901, 901], weight, whole, border),
            dense([1, 301, 301], weight, whole, border, Combine::Sum),
        ],
        [rank([1, 3, 3], 4, border), rank([1, 5, 5], 12, border), rank([3, 3, 3], 13, border), pointwise(pixel)],
        [
            rank([1, 31, 31], 0, border),
            rank([3, 1, 9], 26, border),
            rank([1, 31, 31], 480, border),
            dense([1, 3, 3], 0.1, real, border, Combine::Largest),
        ],
        [
            Op::Blend(Blend::Even(0.5)),
            Op::Blend(inside),
            Op::Blend(Blend::Each { width: 11, weights: [0.25; 11 * 8].into() }),
            Op::Copy,
        ],
        [gain(0.0, 0.0), gain(0.0625, 0.5), cas(0.4, border), pointwise(pixel)],
        [deband(1, 1, true, border), deband(4096, 1, false, border), deband(64, 4, true, border), Op::Copy],
        [
            nlmeans(7, 15, 0, 555, border),
            nlmeans(9, 5, 1, 555, border),
            nlmeans(11, 7, 0, 50_000, border),
            nlmeans(99, 99, 0, 555, border),
        ],
    ];
    let weighed = [
        bilateral(5, 0, 100, pixel, border),
        bilateral(2, 2, 256, pixel, border),
        bilateral(13, 0, 64, pixel, border),
        bilateral(32, 8, 4096, pixel, border),
    ];
    let moved = [
        degrain(3, 8, 8, true, border),
        degrain(1, 16, 16, true, border),
        degrain(6, 8, 3, false, border),
        degrain(2, 16, 0, true, border),
    ];
    // Boxes, which are of whole numbers.
    let slid = [
        boxes(&[38, 38, 43], &[38, 38, 43], border),
        boxes(&[], &[3, 4, 4, 5, 5], border),
        boxes(&[3333, 3334, 3334], &[8192], border),
        separable([1, 5, 5], weight, whole, border),
    ];
    let slid = (mapped_too && depth < 32).then_some(slid);
    // Ranks of larger boxes, which are the same for every border but for how they read samples.
    let larger = [
        rank([1, 7, 7], 24, border),
        rank([3, 9, 9], 80, border),
        rank([1, 20, 40], 400, border),
        rank([1, 99, 99], 4900, border),
    ];
    let grouped = |last| {
        [bm3d([16, 9, 4], last, border), bm3d([1, 0, 8], last, border), bm3d([32, 32, 1], last, border), Op::Copy]
    };
    // What meets no border at all.
    let averages = [
        atadenoise(4, [5.0 * weight, 9.0 * weight], true, false),
        atadenoise(6, [5.0 * weight, 9.0 * weight], false, false),
        atadenoise(64, [80.0 * weight, 300.0 * weight], true, false),
        atadenoise(1, [0.0, 300.0 * weight], true, false),
    ];
    let weighted = [
        atadenoise(4, [5.0, 9.0], true, true),
        atadenoise(7, [65536.0, 300_000.0], false, true),
        atadenoise(3, [300.0, 900.0], false, false),
        Op::Crossfade(Crossfade),
    ];
    let fields = Deinterlacing::default();
    let deinterlaced = [
        Op::Bwdif(Bwdif { fields }),
        Op::Yadif(Yadif { fields, spatial: true }),
        Op::W3fdif(W3fdif { fields, complex: false }),
        Op::W3fdif(W3fdif { fields, complex: true }),
    ];
    // What takes longest, and is the same for 10 bits and for 16.
    let steps = [false, true].into_iter().filter(|last| both || *last == (depth != 10));
    let longest = steps.map(grouped).chain([moved]).filter(|_| depth != 16);
    let larger = [larger, weighed, averages, weighted, deinterlaced].into_iter().chain(longest).filter(|_| mapped_too);
    // Some of them with something after each op, which meets no border and so need not be compiled with every one.
    let Op::Pointwise(points) = pointwise(pixel) else { unreachable!("an op on single samples") };
    let mapped = [
        [passes[0][0].clone(), passes[0][1].clone(), passes[0][2].clone(), passes[3][0].clone()],
        [passes[2][0].clone(), passes[2][1].clone(), passes[2][2].clone(), passes[4][0].clone()],
        [passes[5][0].clone(), passes[5][2].clone(), passes[3][2].clone(), passes[3][3].clone()],
    ];
    let mapped = mapped.into_iter().filter(|_| mapped_too);
    let after = Some(points);
    let planes = |ops: [Op; 4]| ops.map(|op| PlaneOp { op, after: after.clone() }).to_vec();
    let mapped = mapped.map(|ops| Pass { planes: planes(ops), ..pass(vec![]) });
    let passes = passes.into_iter().chain(larger).chain(slid).map(|ops| pass(ops.to_vec())).chain(mapped);
    passes.map(|pass| Program::new(&pass, pixel, LIMITS)).collect()
}

/// Every program for every type of samples, and a sample of the borders and generations; with `WARPREEL_TESTS=all` each with each.
#[test]
fn everything_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    let whole = extent::is_whole();
    let mut work = Vec::new();
    let generations = if whole { &[90, 70, 80, 100][..] } else { &[90, 70] };
    for &arch in generations {
        if nvrtc.target(arch) != Some(arch) {
            println!("NVRTC {}.{} does not compile for sm_{arch}", nvrtc.version.0, nvrtc.version.1);
            continue;
        }
        for (index, depth) in [8, 10, 32, 16].into_iter().enumerate() {
            for (place, &border) in BORDERS.iter().enumerate() {
                // The oldest generation meets each program with one type, and each other border one program in nine.
                let takes_turn = |number: usize| match (arch, border == BORDERS[index]) {
                    // 10 bits and 16 are the same type.
                    (90, true) => depth != 16 || number.is_multiple_of(3),
                    (90, false) => depth != 16 && (number + 3 * index + 9 - place).is_multiple_of(9),
                    (_, is_first) => is_first && number % 3 == index,
                };
                let programs = programs(depth, border, whole || border == BORDERS[index], whole || arch == 90);
                let programs = programs.into_iter().enumerate().filter(|(number, _)| whole || takes_turn(*number));
                work.extend(programs.map(|(_, program)| (arch, program)));
            }
        }
    }
    compile(&nvrtc, &work);
}

/// Blocks of other frames, in small groups and in the largest.
#[test]
fn blocks_along_time_compile() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut work = Vec::new();
    for (arch, depth, last) in [(90, 8, true), (90, 32, false), (70, 10, true)] {
        if nvrtc.target(arch) != Some(arch) {
            continue;
        }
        let (mut pixel, border) = (Pixel::gray(depth.min(16)), Border::Reflect101);
        if depth == 32 {
            (pixel.sample, pixel.depth) = (Sample::F32, 32);
        }
        for (sizes, frames, near) in [([16, 9, 4], 2, 4), ([32, 32, 1], 4, 8)] {
            let op = over(bm3d(sizes, last, border), frames, near);
            work.push((arch, Program::new(&pass(vec![op]), pixel, LIMITS)));
        }
    }
    compile(&nvrtc, &work);
}

/// Ops that look at the first plane beside their own, in blocks of every width.
#[test]
fn what_looks_at_two_planes_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut work = Vec::new();
    for (index, depth) in [8, 10, 32].into_iter().enumerate() {
        let mut pixel = Pixel { alpha: true, ..Pixel::integer(Family::Yuv, 1, 1, depth.min(16)) };
        if depth == 32 {
            (pixel.sample, pixel.depth) = (Sample::F32, 32);
        }
        let border = BORDERS[2 * index];
        let quarter = Pixel::integer(Family::Yuv, 2, 2, 8);
        let joined = [5, 2, 32].into_iter().enumerate().map(|(n, radius)| joint(radius, n, 1 + n, pixel, border));
        let joined = [Op::Copy].into_iter().chain(joined).collect();
        let led = [degrain(3, 8, 8, true, border), degrain(1, 16, 0, false, border)].map(|op| {
            let (half, whole) = (following(&op, 1, pixel), following(&op, 3, pixel));
            vec![op.clone(), half, shown(whole, VectorPart::Down), following(&op, 1, quarter)]
        });
        for ops in led.into_iter().chain([joined]) {
            let program = Program::new(&pass(ops), pixel, LIMITS);
            let archs = [70, 90].into_iter().filter(|&arch| nvrtc.target(arch) == Some(arch));
            work.extend(archs.map(|arch| (arch, program.clone())));
        }
    }
    compile(&nvrtc, &work);
}

/// What the filters of the table become, as in their examples.
#[test]
fn every_filter_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    let format = Arc::new(Format::new(Pixel::yuv420p(8), 640, 360, Rational::new(25, 1)));
    let mut work: Vec<(i32, Program)> = Vec::new();
    for spec in FILTERS {
        let chain = parse(spec.example, &Defaults::default()).expect("an example");
        for pass in plan(&chain, &format).expect("a plan").passes().iter() {
            let program = Program::new(pass, format.pixel, LIMITS);
            if work.iter().all(|(_, known)| known.defines != program.defines) {
                work.push((90, program));
            }
        }
    }
    assert!(work.len() > 20, "{} programs are different", work.len());
    compile(&nvrtc, &work);
}

/// Chains of long, round and many taps, of which the programs are the largest. How long one takes to compile goes with
/// how large it becomes, and can be told without a clock: 65,000 bytes take 0.4 s.
#[test]
fn programs_stay_small() {
    const CHAINS: [&str; 14] = [
        "gaussian=sigma=2",
        "gaussian=sigma=5",
        "gaussian=sigma=10",
        "gaussian=sigma=20",
        "gaussian3d=sigma=2",
        "box=radius=40",
        "disk=radius=6",
        "disk=radius=8",
        "gabor",
        "kirsch",
        "median=radius=4",
        "tmedian=radius=20",
        "bilateral=sigma_s=4.5",
        "bilateral3d=radius=10",
    ];
    let Some(nvrtc) = nvrtc() else { return };
    for depth in [8, 10] {
        let format = Arc::new(Format::new(Pixel::yuv420p(depth), 1920, 1080, Rational::new(25, 1)));
        for text in CHAINS {
            let chain = parse(text, &Defaults::default()).expect("a chain");
            for pass in plan(&chain, &format).expect("a plan").passes().iter() {
                let program = Program::new(pass, format.pixel, LIMITS);
                let cubin = compiler(&nvrtc, 90).cubin(&program).expect("machine code");
                assert!(cubin.len() < 70_000, "{text} at {depth} bits becomes {} bytes", cubin.len());
            }
        }
    }
}

/// Compiles each for its generation, on all cores.
pub fn compile(nvrtc: &Nvrtc, work: &[(i32, Program)]) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((arch, program)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let cubin = compiler(nvrtc, *arch).cubin(program);
                    let cubin = cubin.unwrap_or_else(|error| panic!("sm_{arch}: {error:#}\n{:#?}", program.defines));
                    assert!(cubin.starts_with(b"\x7fELF"), "machine code is an ELF file");
                    let begins = cubin.windows(b"pass_begin".len()).any(|name| name == b"pass_begin");
                    assert!(
                        begins || !program.takes_two_launches(),
                        "no pass_begin in sm_{arch}: {:#?}",
                        program.defines
                    );
                }
            });
        }
    });
}

#[test]
fn what_measures_sets_planes_apart_and_joins_them_compiles() {
    let Some(nvrtc) = nvrtc() else { return };
    for arch in [70, 80, 90, 100].into_iter().filter(|&arch| nvrtc.target(arch) == Some(arch)) {
        for sample in [Sample::U8, Sample::U16, Sample::F32] {
            let compiler = compiler(&nvrtc, arch);
            let pixel = match sample {
                Sample::U8 => Pixel::gray(8),
                Sample::U16 => Pixel::gray(10),
                Sample::F32 => Pixel::gray(8).float(),
            };
            for cubin in [
                compiler.measure(sample),
                compiler.survey(pixel),
                compiler.decimate(sample),
                compiler.split(sample),
                compiler.join(sample),
                compiler.metric(sample),
            ] {
                let cubin = cubin.unwrap_or_else(|error| panic!("sm_{arch}, {sample:?}: {error:#}"));
                assert!(cubin.starts_with(b"\x7fELF"), "machine code is an ELF file");
            }
        }
    }
}

#[test]
fn a_refusal_shows_the_compilers_words() {
    let Some(nvrtc) = nvrtc() else { return };
    let error = nvrtc.compile("odd.cu", "int odd( {", &[]).expect_err("no program");
    let text = format!("{error:#}");
    assert!(text.contains("odd.cu(1)") && text.contains("error"), "{text}");
}

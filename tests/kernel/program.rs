//! Which kernels serve a pass: the exact engine that is fastest, classes of planes, and what fits where.

use warpreel::backend::cuda::program::{BlockLimits, Program};
use warpreel::frame::{Pixel, Sample};
use warpreel::pass::{Arithmetic, Blend, BlockGrid, Border, Combine, Dense, Finish, Op, Separable, Taps};

use super::op::{
    LIMITS, atadenoise, bilateral, degrain, dense, following, gain, joint, nlmeans, pass, pointwise, rank, separable,
};

/// The template that runs an op.
fn run(text: &str) -> &str {
    text.split("typedef ").nth(1).and_then(|rest| rest.split('<').next()).expect("a template")
}

/// What a parameter is; the first of the name.
fn parameter<'a>(text: &'a str, name: &str) -> &'a str {
    let constant = text.split_once(&format!(" {name}=")).map(|(_, rest)| rest.split(';').next().expect("an end"));
    let kind =
        || text.split_once(&format!(" {name};")).map(|(rest, _)| rest.rsplit("typedef ").next().expect("a type"));
    constant.or_else(kind).unwrap_or_else(|| panic!("no {name} in {text}"))
}

/// What several are.
fn parameters<'a, const N: usize>(text: &'a str, names: [&str; N]) -> [&'a str; N] {
    names.map(|name| parameter(text, name))
}

fn op_of(op: Op, pixel: Pixel, limits: BlockLimits) -> (Program, String) {
    let program = Program::new(&pass(vec![op]), pixel, limits);
    let text = program.defines.iter().find_map(|define| define.strip_prefix("-DOP_0=")).expect("an op").to_owned();
    (program, text)
}

#[test]
fn engines_are_exact() {
    let engine = |weight, arithmetic, border, pixel| {
        let (_, text) = op_of(dense([1, 3, 3], weight, arithmetic, border, Combine::Sum), pixel, LIMITS);
        parameter(&text, "Engine").split('<').next().expect("an engine").to_owned()
    };
    let (gray, wide) = (Pixel::gray(8), Pixel::gray(16));
    assert_eq!(engine(1.0, Arithmetic::Integer, Border::Clamp, gray), "Dot4");
    assert_eq!(engine(1.0, Arithmetic::Integer, Border::Constant(255.0), gray), "Dot4");
    assert_eq!(engine(-129.0, Arithmetic::Integer, Border::Clamp, gray), "Float");
    assert_eq!(engine(9000.0, Arithmetic::Integer, Border::Clamp, gray), "Int");
    assert_eq!(engine(1.0, Arithmetic::Real, Border::Clamp, gray), "Float");
    assert_eq!(engine(127.0, Arithmetic::Integer, Border::Wrap, wide), "Dot2");
    assert_eq!(engine(-300.0, Arithmetic::Integer, Border::Wrap, wide), "Int");
    let float = Pixel { sample: Sample::F32, depth: 32, ..gray };
    assert_eq!(engine(1.0, Arithmetic::Real, Border::Wrap, float), "Float");
}

#[test]
fn bytes_in_small_patches_are_compared_in_words() {
    let way = |patch, search, weights, pixel, shared_bytes| {
        let op = nlmeans(patch, search, 0, weights, Border::Clamp);
        let (program, text) = op_of(op, pixel, BlockLimits { shared_bytes });
        assert!(program.shared_bytes <= shared_bytes);
        let copies = if run(&text) == "Columned" { parameter(&text, "COPIES").to_owned() } else { String::new() };
        (run(&text).to_owned(), copies)
    };
    let columned = |copies: &str| ("Columned".to_owned(), copies.to_owned());
    let alike = ("Alike".to_owned(), String::new());
    let (gray, large) = (Pixel::gray(8), LIMITS.shared_bytes);
    assert_eq!(way(7, 15, 555, gray, large), columned("32"));
    assert_eq!(way(7, 15, 555, gray, 99 << 10), columned("1"));
    assert_eq!(way(7, 15, 60_000, gray, large), columned("0"));
    assert_eq!(way(7, 15, 555, gray, 48 << 10), alike);
    assert_eq!(way(9, 15, 555, gray, large), alike);
    assert_eq!(way(99, 99, 555, gray, 48 << 10), alike);
}

#[test]
fn squares_above_8_bits_are_compared_in_steps() {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::gray(8) };
    for pixel in [Pixel::gray(10), Pixel::gray(16), float] {
        let way = |patch, search, weights, shared_bytes| {
            let (program, text) =
                op_of(nlmeans(patch, search, 0, weights, Border::Clamp), pixel, BlockLimits { shared_bytes });
            assert!(program.shared_bytes <= shared_bytes);
            let rows = if run(&text) == "Stepped" { parameter(&text, "R").to_owned() } else { String::new() };
            (program, rows)
        };
        let large = LIMITS.shared_bytes;
        assert_eq!(way(7, 15, 555, large).1, "17");
        assert_eq!(way(9, 15, 555, large).1, "17");
        assert_eq!(way(1, 1, 555, large).1, "17");
        assert_eq!(way(7, 15, 555, 99 << 10).1, "5");
        assert_eq!(way(11, 15, 555, large).1, "");
        assert_eq!(way(7, 99, 555, large).1, "");
        // One program serves all strengths: it is compiled once.
        let [weak, strong] = [555, 50_000].map(|weights| way(7, 15, weights, large).0);
        assert!(weak.defines == strong.defines && weak.lookups != strong.lookups);
    }
}

#[test]
fn bytes_of_small_distances_are_met_in_words() {
    let way = |limits, weighted, pixel| {
        let (program, text) = op_of(atadenoise(4, limits, true, weighted), pixel, LIMITS);
        assert_eq!((program.window, program.shared_bytes), (9, 0));
        let words = program.table.len();
        (run(&text).to_owned(), parameters(&text, ["SINGLE", "TOTAL"]).map(str::to_owned), words)
    };
    let of = |name: &str, limits: [&str; 2], words| (name.to_owned(), limits.map(str::to_owned), words);
    let gray = Pixel::gray(8);
    assert_eq!(way([5.0, 127.0], false, gray), of("Packed", ["5", "127"], 0));
    assert_eq!(way([5.0, 128.0], false, gray), of("Adaptive", ["0x40a00000u", "0x43000000u"], 0));
    assert_eq!(way([5.0, 9.0], true, gray), of("Adaptive", ["0x40a00000u", "0x41100000u"], 4));
    assert_eq!(way([5.0, 9.0], false, Pixel::gray(10)), of("Adaptive", ["0x40a00000u", "0x41100000u"], 0));
    let (_, text) = op_of(atadenoise(4, [0.0, 9.0], true, false), gray, LIMITS);
    assert_eq!(parameter(&text, "RADIUS"), "0", "nothing is taken");
}

#[test]
fn bytes_in_small_windows_are_weighed_by_words() {
    let way = |radius, frames, differences, pixel, shared_bytes| {
        let op = bilateral(radius, frames, differences, pixel, Border::Clamp);
        let (program, text) = op_of(op, pixel, BlockLimits { shared_bytes });
        assert!(program.shared_bytes <= shared_bytes);
        let paired = if run(&text) == "Bytes" { parameter(&text, "PAIRED").to_owned() } else { String::new() };
        (run(&text).to_owned(), paired)
    };
    let words = |paired: &str| ("Bytes".to_owned(), paired.to_owned());
    let any = ("Weighed".to_owned(), String::new());
    let (gray, large) = (Pixel::gray(8), LIMITS.shared_bytes);
    assert_eq!(way(5, 0, 100, gray, large), words("true"));
    assert_eq!(way(5, 0, 256, gray, large), words("false"), "twice 127 times 255 takes more than 15 bits");
    assert_eq!(way(10, 2, 100, gray, 113 << 10), words("true"), "two blocks of a multiprocessor");
    assert_eq!(way(11, 0, 100, gray, large), any);
    assert_eq!(way(5, 0, 100, gray, 48 << 10), any);
    assert_eq!(way(32, 8, 256, gray, 64 << 10), any);
}

/// What fits: rows of a thread, copies of the weights, and all samples.
#[test]
fn more_than_8_bits_are_weighed_by_steps() {
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::yuv420p(8) };
    let way = |radius, pixel: Pixel, shared_bytes| {
        let ops = (0..pixel.planes()).map(|plane| joint(radius, 1, plane, pixel, Border::Clamp)).collect();
        let program = Program::new(&pass(ops), pixel, BlockLimits { shared_bytes });
        assert!(program.shared_bytes <= shared_bytes);
        let last = format!("-DOP_{}=", pixel.planes().min(2) - 1);
        let text = program.defines.iter().find(|text| text.starts_with(&last)).expect("an op").clone();
        assert_eq!(run(&text), "SteppedMeans");
        ["R", "COPIES", "TILED", "GUIDED"].map(|name| parameter(&text, name).to_owned())
    };
    let (gray, large) = (Pixel::gray(16), LIMITS.shared_bytes);
    assert_eq!(way(9, gray, large), ["16", "32", "true", "false"]);
    assert_eq!(way(9, gray, 99 << 10), ["16", "32", "true", "false"]);
    assert_eq!(way(9, gray, 64 << 10), ["8", "32", "true", "false"]);
    assert_eq!(way(32, gray, large), ["16", "32", "true", "false"]);
    assert_eq!(way(32, gray, 99 << 10), ["1", "1", "false", "false"]);
    assert_eq!(way(32, float, large), ["16", "32", "true", "true"]);
    assert_eq!(way(20, float, 64 << 10), ["2", "1", "true", "true"]);
    assert_eq!(way(32, float, 48 << 10), ["1", "1", "false", "true"]);
}

#[test]
fn two_samples_share_a_word() {
    let way = |radius, pixel, shared_bytes| {
        let ops = (0..3).map(|plane| joint(radius, 0, plane, pixel, Border::Clamp)).collect();
        let program = Program::new(&pass(ops), pixel, BlockLimits { shared_bytes });
        assert!(program.shared_bytes <= shared_bytes);
        assert_eq!(program.class_of, [0, 1, 1]);
        let text = program.defines.iter().find(|text| text.starts_with("-DOP_1=")).expect("an op").clone();
        assert_eq!(run(&text), "Joint");
        ["TILED", "HELD", "GUIDE", "ACROSS", "DOWN"].map(|name| parameter(&text, name).to_owned())
    };
    let large = LIMITS.shared_bytes;
    assert_eq!(way(5, Pixel::yuv420p(8), large), ["true", "true", "0", "1", "1"]);
    assert_eq!(way(32, Pixel::yuv420p(8), 99 << 10), ["true", "true", "0", "1", "1"]);
}

#[test]
fn planes_with_one_op_are_one_class() {
    let luma = dense([1, 5, 5], 1.0, Arithmetic::Integer, Border::Clamp, Combine::Sum);
    let chroma = separable([1, 3, 3], 0.3, Arithmetic::Real, Border::Clamp);
    let program = Program::new(&pass(vec![luma, chroma.clone(), chroma]), Pixel::yuv420p(8), LIMITS);
    assert_eq!(program.class_of, [0, 1, 1]);
    assert_eq!(program.classes.len(), 2);
    assert!(program.defines.contains(&"-DOPS=2".to_owned()));
}

#[test]
fn what_does_not_fit_takes_another_way() {
    let real = |size| dense([1, size, size], 0.1, Arithmetic::Real, Border::Clamp, Combine::Sum);
    for (size, kernel, from) in [(3, "Dense", "Literal"), (31, "Dense", "Table"), (401, "Sparse", "Table")] {
        let (program, text) = op_of(real(size), Pixel::gray(8), LIMITS);
        assert_eq!((run(&text), parameter(&text, "From")), (kernel, from), "{size}: {text}");
        assert!(program.shared_bytes <= LIMITS.shared_bytes);
        assert_eq!(program.constant, size < 127, "{size}: 64 KiB of taps");
        assert_eq!(program.table.is_empty(), size == 3);
    }
    let (program, text) = op_of(real(101), Pixel::gray(8), BlockLimits { shared_bytes: 48 << 10 });
    assert_eq!(run(&text), "Sparse");
    assert_eq!(program.shared_bytes, 0);
    let (program, text) =
        op_of(separable([1, 501, 501], 1.0, Arithmetic::Integer, Border::Wrap), Pixel::gray(8), LIMITS);
    assert!(run(&text) == "Long" && program.classes[0].rows_before.is_some_and(|rows| rows.beyond == 500), "{text}");
}

/// Two words of each block and a byte of each group, against all frames, of planes of any shape.
#[test]
fn motion_has_room() {
    let lengths = [1, 2, 7, 8, 9, 29, 63, 64, 65, 127, 640, 1921, 5000];
    let sizes = lengths.into_iter().flat_map(|width| lengths.map(|height| (width, height)));
    for (width, height) in sizes {
        for (sample_bytes, depth) in [(1, 8), (2, 10), (4, 32)] {
            let mut pixel = Pixel::gray(u8::min(depth, 16));
            if depth == 32 {
                (pixel.sample, pixel.depth) = (Sample::F32, 32);
            }
            for (frames, block) in (1..=6).flat_map(|frames| [(frames, 8), (frames, 16)]) {
                let op = degrain(frames, block, 8, true, Border::Clamp);
                let program = Program::new(&pass(vec![op.clone()]), pixel, LIMITS);
                let Op::Degrain(op) = op else { continue };
                let BlockGrid { blocks, groups } = op.grid((width, height));
                let needed = 2 * frames * (8 * blocks[0] * blocks[1] + (groups[0] * groups[1]).next_multiple_of(4));
                let stride = (width * sample_bytes).next_multiple_of(64) / sample_bytes;
                let room = program.classes[0].rows_before.expect("vectors").bytes(stride, height);
                assert!(needed <= room, "{width}x{height}, {frames} frames, {block}: {needed} and {room}");
            }
        }
    }
}

/// What takes another plane's motion has no room of its own, and one class for what moves alike.
#[test]
fn motion_is_looked_for_once() {
    let (pixel, first) = (Pixel::yuv420p(8), degrain(3, 8, 8, true, Border::Clamp));
    let ops = vec![first.clone(), following(&first, 1, pixel), following(&first, 2, pixel)];
    let program = Program::new(&pass(ops), pixel, LIMITS);
    assert_eq!(program.class_of, [0, 1, 1]);
    assert!(program.takes_two_launches());
    assert_eq!(program.classes.iter().map(|class| class.rows_before.is_some()).collect::<Vec<_>>(), [true, false]);
    let text = program.defines.iter().find(|text| text.starts_with("-DOP_1=")).expect("an op");
    assert_eq!(parameters(text, ["FOLLOWS", "GUIDE", "ACROSS", "DOWN"]), ["true", "0", "1", "1"]);
}

#[test]
fn windows_that_fit_are_arguments() {
    for (planes, window, far) in [(1, 95, false), (1, 97, true), (3, 31, false), (3, 33, true)] {
        let op = separable([window, 1, 1], 1.0, Arithmetic::Integer, Border::Clamp);
        let pixel = if planes == 1 { Pixel::gray(8) } else { Pixel::yuv420p(8) };
        let program = Program::new(&pass(vec![op; planes]), pixel, LIMITS);
        assert_eq!(program.defines.contains(&"-DFAR".to_owned()), far, "{planes} planes of {window} frames");
    }
}

/// One shared memory serves all planes of a launch, so that all take two launches where one must.
#[test]
fn planes_are_long_together() {
    let real = |size| separable([1, size, size], 0.3, Arithmetic::Real, Border::Clamp);
    let program =
        |luma, chroma| Program::new(&pass(vec![real(luma), real(chroma), real(chroma)]), Pixel::yuv420p(8), LIMITS);
    let rows = |luma, chroma| {
        let classes = program(luma, chroma).classes;
        classes.iter().map(|class| class.rows_before.map(|rows| rows.beyond)).collect::<Vec<_>>()
    };
    assert_eq!(rows(31, 15), [None, None]);
    assert_eq!(rows(61, 31), [Some(60), Some(30)]);
    assert!(program(61, 31).shared_bytes < program(31, 15).shared_bytes);
}

/// Every word of a packed row is what a thread's four sums meet.
#[test]
fn packed_taps() {
    let taps = Taps { weights: vec![1.0, 2.0, 3.0], anchor: 1 };
    let op = Separable {
        t: Taps::identity(),
        x: taps,
        y: Taps::identity(),
        arithmetic: Arithmetic::Integer,
        border: Border::Clamp,
        finish: Finish::PLAIN,
    };
    let (program, text) = op_of(Op::Separable(op), Pixel::gray(8), LIMITS);
    let x = text.split_once("struct X{").expect("an axis").1;
    assert_eq!(parameters(x, ["USED", "N", "A", "TAPS", "From"]), ["true", "3", "1", "0", "Literal"]);
    // The thread's words start 4 samples before its own, of which the last meets the first tap of its first sum.
    let wanted = "0x1000000u,0x0u,0x0u,0x0u,0x302u,0x30201u,0x3020100u,0x2010000u,0x0u,0x0u,0x0u,0x3u";
    assert!(program.defines.contains(&format!("-DLITERALS={wanted}")), "{:?}", program.defines);
}

#[test]
fn ranks_take_the_way_that_their_box_allows() {
    let text = |size: [usize; 3], place| op_of(rank(size, place, Border::Clamp), Pixel::gray(8), LIMITS).1;
    let way = |size, place| run(&text(size, place)).to_owned();
    assert_eq!(way([1, 3, 3], 4), "Picked");
    let box_of = text([3, 1, 3], 4);
    assert_eq!(parameters(&box_of, ["FRAME", "NT", "NY", "AY", "NX", "AX"]), ["0", "3", "1", "0", "3", "1"]);
    assert_eq!(way([1, 5, 5], 12), "Picked");
    assert_eq!(way([1, 7, 7], 24), "Sliced");
    assert_eq!(way([5, 1, 1], 2), "Column");
    assert_eq!(way([1, 11, 11], 60), "Sliced");
    assert_eq!(parameter(&text([1, 11, 11], 60), "Border"), "Clamp");
    let sliced = |size, place| parameters(&text(size, place), ["RANK", "R"]).map(str::to_owned);
    assert_eq!(sliced([1, 15, 15], 112), ["0x70u", "4"], "four samples of a thread at a time");
    assert_eq!(sliced([1, 31, 31], 480), ["0x1e0u", "2"], "as far as registers hold them");
    assert_eq!(way([1, 101, 101], 5100), "Counted");
    assert_eq!(way([61, 1, 1], 30), "Counted", "a word would hold one sample");
    for (place, largest) in [(0, "false"), (960, "true")] {
        assert_eq!(parameters(&text([1, 31, 31], place), ["R", "LARGEST"]), ["4", largest]);
    }
    let small = BlockLimits { shared_bytes: 48 << 10 };
    assert_eq!(run(&op_of(rank([1, 255, 255], 0, Border::Clamp), Pixel::gray(8), small).1), "Counted");
}

/// Tables that threads read at places of their own lie in global memory, two entries in a word.
#[test]
fn tables_of_samples() {
    let (program, text) = op_of(pointwise(Pixel::gray(8)), Pixel::gray(8), LIMITS);
    assert_eq!(parameters(&text, ["AT", "ENTRIES", "NEAR"]), ["0", "256", "true"]);
    assert_eq!(run(&text), "Points");
    assert!(program.table.is_empty() && program.shared_bytes == 512);
    assert_eq!(program.lookups[2], 2 | 2 << 16, "entries 4 and 5");
    let (program, _) = op_of(pointwise(Pixel::gray(16)), Pixel::gray(16), LIMITS);
    assert_eq!((program.lookups.len(), program.shared_bytes), (32768, 0));
}

/// Planes of one op are of two classes if what comes after it differs, and its taps stay where they were.
#[test]
fn tables_after_other_ops() {
    let pixel = Pixel::yuv420p(8);
    let blur = dense([1, 31, 31], 0.1, Arithmetic::Real, Border::Clamp, Combine::Sum);
    let mut pass = pass(vec![blur; 3]);
    let plain = Program::new(&pass, pixel, LIMITS);
    let Op::Pointwise(points) = pointwise(pixel) else { panic!("no points") };
    pass.planes[1].after = Some(points);
    let program = Program::new(&pass, pixel, LIMITS);
    assert_eq!(program.class_of, [0, 1, 0]);
    assert!(program.constant && program.table.len() == 2 * plain.table.len().next_multiple_of(4) - 3);
    assert_eq!((program.lookups.len(), plain.lookups.len()), (128, 0));
    let op = |program: &Program, index| {
        let name = format!("-DOP_{index}=");
        program.defines.iter().find_map(|define| define.strip_prefix(&name)).expect("an op").to_owned()
    };
    assert_eq!(op(&program, 0), op(&plain, 0), "what has nothing after it is as if nothing had");
    let text = op(&program, 1);
    let found = parameters(&text, ["LOW", "HIGH", "AT", "ENTRIES", "After", "COMBINE"]);
    assert_eq!(found, ["true", "true", "0", "256", "Entry<After_>", "SUM"]);
}

/// The kernel that blends knows of no place and no weight, so that one serves them all.
#[test]
fn blends_read_their_weights() {
    let text = |op: Blend| {
        let (program, text) = op_of(Op::Blend(op), Pixel::gray(8), LIMITS);
        assert_eq!(run(&text), "Blend");
        if text.contains("Each") {
            assert_eq!(parameters(&text, ["AT", "STRIDE"]), ["0", "4"]);
        }
        let weights = parameter(&text, "Weights").to_owned();
        (weights, program.table, program.lookups, (program.window, program.reach))
    };
    let half = 0.5f32.to_bits();
    assert_eq!(text(Blend::Even(0.5)), ("Even<0>".to_owned(), vec![half], vec![], (2, 1)));
    let inside = Blend::Inside { columns: 3..7, rows: 1..9, weight: 0.5 };
    assert_eq!(text(inside), ("Inside<0>".to_owned(), vec![3, 7, 1, 9, half], vec![], (2, 1)));
    let each = Blend::Each { width: 3, weights: [0.0, 0.5, 0.0, 0.5, 0.0, 0.5].into() };
    let rows = vec![0, half, 0, 0, half, 0, half, 0];
    assert_eq!(text(each), ("Each<Weights_>".to_owned(), vec![], rows, (2, 1)));
}

/// Whether the last step clamps below and above.
fn clamps(op: Op, pixel: Pixel) -> [bool; 2] {
    let (_, text) = op_of(op, pixel, LIMITS);
    parameters(&text, ["LOW", "HIGH"]).map(|flag| flag == "true")
}

/// The factor is not known, so that what comes of it is always clamped.
#[test]
fn gains_are_clamped() {
    let (_, text) = op_of(gain(16.0, 0.25), Pixel::gray(8), LIMITS);
    assert_eq!((run(&text), parameter(&text, "BLACK")), ("Gain", "0x41800000u"));
    let last = parameters(&text, ["SCALE", "DRY", "ADDS", "LOW", "HIGH", "After"]);
    assert_eq!(last, ["0x3f800000u", "0x3e800000u", "false", "true", "true", "Nothing"]);
}

#[test]
fn only_what_can_leave_the_range_is_clamped() {
    let scaled = |op: Op, scale: f32, bias: f32| match op {
        Op::Dense(op) => Op::Dense(Dense { finish: Finish { scale, dry: 0.0, bias }, ..op }),
        other => other,
    };
    let boxed = |weight| dense([1, 3, 3], weight, Arithmetic::Integer, Border::Clamp, Combine::Sum);
    let gray = Pixel::gray(8);
    assert_eq!(clamps(scaled(boxed(1.0), 1.0 / 9.0, 0.0), gray), [false, false], "a mean");
    assert_eq!(clamps(scaled(boxed(1.0), 1.0 / 9.0, 0.0), Pixel::gray(16)), [false, false], "a mean of 16 bits");
    assert_eq!(clamps(scaled(boxed(1.0), 1.0 / 9.0, 1.0), gray), [false, true], "a brighter mean");
    assert_eq!(clamps(scaled(boxed(1.0), 1.0 / 9.0, -1.0), gray), [true, false], "a darker mean");
    assert_eq!(clamps(scaled(boxed(-1.0), 1.0 / 9.0, 0.0), gray), [true, false], "a negative");
    assert_eq!(clamps(scaled(boxed(1.0), f32::NAN, 0.0), gray), [true, true], "who knows");
    let wild = dense([1, 3, 3], 1e20, Arithmetic::Real, Border::Clamp, Combine::Sum);
    assert_eq!(clamps(scaled(wild, 1e-30, 0.0), gray), [true, true], "sums that may overflow");
    let magnitude = dense([1, 3, 3], -1.0, Arithmetic::Integer, Border::Clamp, Combine::Magnitude);
    assert_eq!(clamps(magnitude, gray), [false, true]);
}

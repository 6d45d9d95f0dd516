//! Kernels from text and files.

use npyz::WriterBuilder;
use proptest::prelude::*;
use warpreel::filter::{Defaults, parse};
use warpreel::frame::Pixel;

use super::{matrix, only};

/// A file in a folder that vanishes with the test.
fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("write a kernel");
    let path = path.to_str().expect("a name of plain letters").to_owned();
    (folder, path)
}

fn read(name: &str, bytes: &[u8]) -> ([usize; 3], Vec<f64>) {
    let (_folder, path) = file(name, bytes);
    let matrix = matrix(&only(&format!("kernel={path}")), Pixel::gray(8));
    (matrix.size, matrix.weights)
}

fn refusal(name: &str, bytes: &[u8]) -> String {
    let (_folder, path) = file(name, bytes);
    let err = parse(&format!("kernel=file={path}"), &Defaults::default()).expect_err("a broken kernel");
    let message = err.message.split_once(" of kernel ").expect("what is wrong").1.to_owned();
    assert_eq!(err.to_string().lines().count(), 1);
    message
}

#[test]
fn text_has_rows_and_frames() {
    let inline = |text: &str| {
        let matrix = matrix(&only(&format!("kernel='{text}'")), Pixel::gray(8));
        (matrix.size, matrix.weights)
    };
    assert_eq!(inline("1 2 1"), ([1, 1, 3], vec![1.0, 2.0, 1.0]));
    assert_eq!(inline("1;2;1"), ([1, 3, 1], vec![1.0, 2.0, 1.0]));
    assert_eq!(inline("1|2|1"), ([3, 1, 1], vec![1.0, 2.0, 1.0]));
    assert_eq!(inline("1 2; 3 4 | 5 6; 7 8"), ([2, 2, 2], (1..9).map(f64::from).collect()));
    assert_eq!(inline("1/4, 1/2, 1e-2"), ([1, 1, 3], vec![0.25, 0.5, 0.01]));
    let text = "# a comment\n\n1 2 # beside numbers\n3, 4\n# between rows\n\n\n5 6\r\n7 8\r\n";
    assert_eq!(read("taps.txt", text.as_bytes()), ([2, 2, 2], (1..9).map(f64::from).collect()));
}

#[test]
fn a_mark_of_the_byte_order_in_front_is_no_part_of_a_kernel() {
    let mark = "\u{feff}".as_bytes();
    assert_eq!(read("a.txt", &[mark, b"1 2 3"].concat()), ([1, 1, 3], vec![1.0, 2.0, 3.0]));
    assert_eq!(read("a.json", &[mark, b"[1, 2, 3]"].concat()), ([1, 1, 3], vec![1.0, 2.0, 3.0]));
}

#[test]
fn several_kernels_are_combined() {
    let stencil = |text: &str| match only(text).wanted(Pixel::gray(8), 0).expect("wanted").want {
        warpreel::filter::Want::Stencil(stencil) => stencil,
        want => panic!("{want:?}"),
    };
    let text = "-1 0 1; -2 0 2; -1 0 1 & # down &\n-1 -2 -1; 0 0 0; 1 2 1";
    assert_eq!(stencil(&format!("kernel='{text}':combine=magnitude")), stencil("sobel"));
    let (_folder, path) = file("two.txt", text.as_bytes());
    assert_eq!(stencil(&format!("kernel={path}:combine=magnitude")), stencil("sobel"));
    // Constant pictures become 3 · 1 and 4 · 1, whose root of squares is 5.
    assert_eq!(stencil("kernel=1 2 & 1 3:combine=magnitude:normalize=1").scale, 0.2);
    assert_eq!(stencil("kernel=1 2 & 1 3:combine=max:normalize=1").scale, 0.25);
    assert_eq!(stencil("kernel=1 2 & 1 4:normalize=1").scale, 0.125);
    assert_eq!(stencil("kernel=1 -2:abs=1"), stencil("kernel=1 -2:combine=max"));
    // As convolution does, unless there is a scale or the taps sum to 0, also by rounding.
    let scale = |text: &str| stencil(text).scale;
    assert_eq!(["1 2 1", "-1 -1", "1 2 & 1 4"].map(|taps| scale(&format!("kernel={taps}"))), [0.25, -0.5, 0.125]);
    assert_eq!(["-1 0 1", "0.1 0.2 -0.3", "0"].map(|taps| scale(&format!("kernel={taps}"))), [1.0; 3]);
    assert_eq!(["scale=1", "normalize=0"].map(|other| scale(&format!("kernel=1 2 1:{other}"))), [1.0; 2]);
    assert_eq!(stencil("kernel=1 2 1 2 4 2 1 2 1").scale, stencil("convolution=1 2 1 2 4 2 1 2 1").scale);
}

#[test]
fn json_has_arrays_and_objects() {
    assert_eq!(read("a.json", b"[1, 2.5, -1]"), ([1, 1, 3], vec![1.0, 2.5, -1.0]));
    assert_eq!(read("a.json", b"[[1, 2], [3, 4], [5, 6]]").0, [1, 3, 2]);
    assert_eq!(read("a.json", b"[[[1, 2]], [[3, 4]]]").0, [2, 1, 2]);
    let (_folder, path) = file("a.json", br#"{"kernel": [[1, 2, 3]], "scale": 0.5, "anchor": [2, 0]}"#);
    let filter = only(&format!("kernel={path}"));
    assert_eq!(matrix(&filter, Pixel::gray(8)).anchor, [0, 0, 2]);
    let scale = |text: &str| match only(text).wanted(Pixel::gray(8), 0).expect("wanted").want {
        warpreel::filter::Want::Stencil(stencil) => stencil.scale,
        want => panic!("{want:?}"),
    };
    assert_eq!(scale(&format!("kernel={path}")), 0.5);
    assert_eq!(scale(&format!("kernel={path}:scale=3")), 3.0);
    assert_eq!(scale(&format!("kernel={path}:scale=3:normalize=1")), 0.5);
}

/// The bytes of a NumPy file that holds 0, 1, 2, … as they are in memory.
fn npy<T: npyz::AutoSerialize>(shape: &[u64], order: npyz::Order, convert: impl Fn(u8) -> T) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer =
        npyz::WriteOptions::new().default_dtype().shape(shape).order(order).writer(&mut bytes).begin_nd().expect("npy");
    let count: u64 = shape.iter().product();
    writer.extend((0..count as u8).map(convert)).expect("npy");
    writer.finish().expect("npy");
    bytes
}

#[test]
fn numpy_files_have_any_type_and_order() {
    let counted: Vec<f64> = (0..6).map(f64::from).collect();
    let c = npyz::Order::C;
    for bytes in [
        npy(&[2, 3], c, |v| v),
        npy(&[2, 3], c, |v| v as i8),
        npy(&[2, 3], c, u16::from),
        npy(&[2, 3], c, i16::from),
        npy(&[2, 3], c, u32::from),
        npy(&[2, 3], c, i32::from),
        npy(&[2, 3], c, u64::from),
        npy(&[2, 3], c, i64::from),
        npy(&[2, 3], c, f32::from),
        npy(&[2, 3], c, f64::from),
    ] {
        assert_eq!(read("taps.npy", &bytes), ([1, 2, 3], counted.clone()));
    }
    assert_eq!(read("taps.npy", &npy(&[4], c, f64::from)).0, [1, 1, 4]);
    assert_eq!(read("taps.npy", &npy(&[2, 1, 3], c, f64::from)), ([2, 1, 3], counted));
    assert_eq!(
        read("taps.npy", &npy(&[2, 3], npyz::Order::Fortran, f64::from)),
        ([1, 2, 3], vec![0.0, 2.0, 4.0, 1.0, 3.0, 5.0])
    );
    let three = read("taps.npy", &npy(&[2, 3, 2], npyz::Order::Fortran, f64::from)).1;
    assert_eq!(three, [0.0, 6.0, 2.0, 8.0, 4.0, 10.0, 1.0, 7.0, 3.0, 9.0, 5.0, 11.0]);
}

#[test]
fn half_precision_and_the_other_byte_order_are_read() {
    let header = |descr: &str, shape: &str| {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        let padded = format!("{text:<117}\n");
        bytes.extend((padded.len() as u16).to_le_bytes());
        bytes.extend(padded.as_bytes());
        bytes
    };
    let half = [header("<f2", "(2,)"), vec![0x00, 0x3c, 0x00, 0xb8]].concat();
    assert_eq!(read("half.npy", &half), ([1, 1, 2], vec![1.0, -0.5]));
    let big = [header(">i4", "(1,)"), vec![0, 0, 1, 2]].concat();
    assert_eq!(read("big.npy", &big), ([1, 1, 1], vec![258.0]));
    let huge = header("<f8", "(99999, 99999)");
    assert_eq!(refusal("huge.npy", &huge), "has 9999800001 taps or more, where a kernel has at most 1000000");
    let complex = [header("<c16", "(1,)"), vec![0; 16]].concat();
    assert!(refusal("complex.npy", &complex).starts_with("is a NumPy file of '<c16', where a kernel has"));
}

#[test]
fn broken_kernels_are_refused() {
    for (name, bytes, message) in [
        ("a.txt", &b""[..], "holds no numbers"),
        ("a.txt", b"1 2\n3\n", "has 2 numbers in row 1 but 1 in row 2"),
        ("a.txt", b"1 2\n\n3 4\n5 6\n", "has 1 rows in frame 1 but 2 in frame 2"),
        ("a.txt", b"1 two 3", "holds a word in row 1 that is not a number"),
        ("a.txt", b"1 2\n1 inf", "holds a word in row 2 that is not a finite number"),
        ("a.txt", b"1 1/0", "holds a word in row 1 that is not a finite number"),
        ("a.txt", b"1 1e300", "holds a number that is too large or not finite"),
        ("a.txt", b"\xff\xfe", "is not text"),
        ("a.json", b"[[1, 2], [3]]", "has rows or frames of different sizes"),
        ("a.json", b"[]", "holds no numbers"),
        (
            "a.json",
            b"{\"taps\": [1]}",
            "is neither an array of 1, 2 or 3 dimensions nor an object of kernel, scale and anchor",
        ),
        ("a.json", b"{\"kernel\": [1], \"anchor\": [1]}", "has its anchor at 1, outside the 1 taps of axis 1"),
        ("a.json", b"[1", "is not JSON: EOF while parsing a list at line 1 column 2"),
        ("a.npy", b"1 2 1", "is not a NumPy file: magic not found for NPY file"),
    ] {
        assert_eq!(refusal(name, bytes), message, "{name}: {:?}", String::from_utf8_lossy(bytes));
    }
    let deep = refusal("a.npy", &npy(&[1, 1, 1, 2], npyz::Order::C, f64::from));
    assert_eq!(deep, "has 4 dimensions, where a kernel has 1, 2 or 3");
    let cut = npy(&[2, 3], npyz::Order::C, f64::from);
    assert!(refusal("a.npy", &cut[..cut.len() - 5]).starts_with("is not a NumPy file"));
    let long = "1 ".repeat(1_000_001);
    assert_eq!(refusal("a.txt", long.as_bytes()), "has 1000001 taps or more, where a kernel has at most 1000000");
    let err = parse("kernel=no/such/file.npy", &Defaults::default()).expect_err("no file");
    assert_eq!(err.message, "kernel=no/such/file.npy of kernel cannot be read: no such file or directory");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_makes_a_reader_panic(
        kind in 0..3usize,
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        length in any::<prop::sample::Index>(),
    ) {
        let whole = [
            ("a.npy", npy(&[2, 3, 1], npyz::Order::C, f32::from)),
            ("a.json", br#"{"kernel": [[1, 2.5], [-3, 1e3]], "scale": 0.5, "anchor": [1, 0]}"#.to_vec()),
            ("a.txt", b"1 2 3; 4 5/6 7\n\n-8 9e0, 0; 1 | 2 # end\n".to_vec()),
        ];
        let (name, mut bytes) = whole[kind].clone();
        for (place, byte) in &places {
            let place = place.index(bytes.len());
            bytes[place] = *byte;
        }
        bytes.truncate(length.index(2 * bytes.len()) + 1);
        let (_folder, path) = file(name, &bytes);
        if let Err(err) = parse(&format!("kernel=file={path}"), &Defaults::default()) {
            prop_assert_eq!(err.to_string().lines().count(), 1);
        }
    }
}

#[test]
fn endless_files_are_refused() {
    let err = parse("kernel=file=/dev/zero", &Defaults::default()).expect_err("an endless file");
    assert_eq!(err.message, "file=/dev/zero of kernel is longer than 32000000 bytes, the most that a kernel has");
}

#[test]
fn anchors_flips_and_planes_are_kept_apart() {
    let filter = only("kernel=1 2 3 4:anchor=1:flip=1:kernel1=5 6");
    let first = matrix(&filter, Pixel::gray(8));
    assert_eq!((first.anchor, first.weights), ([0, 0, 2], vec![4.0, 3.0, 2.0, 1.0]));
    assert_eq!(matrix(&only("kernel=1 2 3 4"), Pixel::gray(8)).anchor, [0, 0, 2]);
    let filter = only("kernel=kernel1=5 6");
    let wanted = |plane| filter.wanted(Pixel::yuv420p(8), plane).expect("wanted").want;
    assert_eq!(wanted(0), warpreel::filter::Want::Copy);
    assert_ne!(wanted(1), warpreel::filter::Want::Copy);
}

#[test]
fn brackets_of_other_languages_are_understood() {
    let sharp = |text: &str| {
        let found = matrix(&only(text), Pixel::gray(8));
        assert_eq!(found.size, [1, 3, 3], "{text}");
        assert_eq!(found.weights, [0.0, -1.0, 0.0, -1.0, 5.0, -1.0, 0.0, -1.0, 0.0], "{text}");
    };
    for text in [
        "[0 -1 0; -1 5 -1; 0 -1 0]",
        "[0, -1, 0; -1, 5, -1; 0, -1, 0]",
        "[0 -1 0;-1 5 -1;0 -1 0;]",
        "[0 -1 0\n -1 5 -1\n 0 -1 0]",
        "[[0,-1,0],[-1,5,-1],[0,-1,0]]",
        "[[ 0 -1  0]\n [-1  5 -1]\n [ 0 -1  0]]",
        "[[0, -1, 0], [-1, 5, -1], [0, -1, 0],]",
        "[[[0,-1,0],[-1,5,-1],[0,-1,0]]]",
    ] {
        sharp(&format!("kernel='{text}'"));
        // The shell may have taken the quotes.
        sharp(&format!("kernel={text}"));
        sharp(&format!("kernel=k={text}:border=zero"));
        let flat = text.contains("[[") || text.contains(';') || text.contains('\n');
        assert!(flat && matrix(&only(&format!("convolution={text}")), Pixel::gray(8)).weights.len() == 9, "{text}");
    }
    let size = |text: &str| matrix(&only(&format!("kernel={text}")), Pixel::gray(8)).size;
    assert_eq!(size("[1,2,1]"), [1, 1, 3]);
    assert_eq!(size("[[1],[2],[1]]"), [1, 3, 1]);
    assert_eq!(size("[[[1]],[[2]],[[1]]]"), [3, 1, 1]);
    assert_eq!(only("tmix=weights=[1,2,1]"), only("tmix=weights='1 2 1'"));
    let chain = parse("kernel=[[1,1],[1,1]],box=2", &Defaults::default()).expect("two filters");
    assert_eq!(chain.len(), 2);
    let read_back = parse(&chain[0].to_string(), &Defaults::default()).expect("printed");
    assert_eq!(read_back[0], chain[0]);
    for (text, fault) in [
        ("'[1 2 1'", "has a bracket without its partner"),
        ("'[1 2] 1'", "has a bracket without its partner"),
        ("[[[[1]]]]", "is 4 brackets deep"),
        ("[1,[2,3]]", "between its rows"),
        ("[[1,2],[3]]", "has 2 numbers in row 1 but 1 in row 2"),
        ("[]", "holds no numbers"),
    ] {
        let line = parse(&format!("kernel={text}"), &Defaults::default()).expect_err(text).to_string();
        assert!(line.contains(fault), "{line}");
    }
    assert_eq!(read("taps.txt", b"[[0, 1], [2, 3]]\n"), ([1, 2, 2], vec![0.0, 1.0, 2.0, 3.0]));
}

#[test]
fn spreadsheets_are_read() {
    for text in ["0,-1,0\n-1,5,-1\n0,-1,0\n", "0;-1;0\r\n-1;5;-1\r\n0;-1;0\r\n", "0, -1, 0\n-1, 5, -1\n0, -1, 0"] {
        assert_eq!(read("k.csv", text.as_bytes()).0, [1, 3, 3], "{text:?}");
    }
    assert!(refusal("k.csv", b"a,b\n1,2\n").contains("holds a word in row 1 that is not a number"));
    let (_folder, path) = file("k.dat", b"0 1 0");
    let line = parse(&format!("kernel={path}"), &Defaults::default()).expect_err("an ending").to_string();
    assert!(line.contains(&format!("names a file of another ending, which file={path} reads")), "{line}");
    only(&format!("kernel=file={path}"));
}

#[test]
fn kernels_that_may_not_be_meant_are_told_of_once() {
    let caution = |text: &str| only(text).caution();
    for text in [
        "kernel='1 2 1; 2 4 2; 1 2 1'",
        "kernel=-1 -1 -1; -1 4 -1; -1 -1 -1",
        "kernel='1 2 1; 2 4 2; 1 2 1':normalize=1",
        "kernel='1 2 1; 2 4 2; 1 2 1':scale=1/16",
        "kernel='1 2 1; 2 4 2; 1 2 1':scale=1",
        "kernel='1 2 1; 2 4 2; 1 2 1':normalize=0",
        "kernel='0 -1 0; -1 5 -1; 0 -1 0'",
        "kernel='-1 | 0 | 1':bias=0.5",
        "kernel='0.111 0.111 0.111; 0.111 0.111 0.111; 0.111 0.111 0.111'",
        "kernel=2",
        "kernel='-1':bias=1",
        "kernel=0",
        "kernel='1 0 -1; 2 0 -2; 1 0 -1 & 1 2 1; 0 0 0; -1 -2 -1':combine=magnitude",
        "kernel='1 8 28 56 70 56 28 8 1':normalize=1",
        "convolution=1 2 1 2 4 2 1 2 1",
        "lut=0 1 1",
        "gaussian=2",
        "rotate=PI*4",
        "rotate=-6",
        "crop=iw/2:9",
        "crop=640:360",
        "pad=16:9",
    ] {
        assert_eq!(caution(text), None, "{text}");
    }
    for (text, line) in [
        (
            "kernel=0 -1 0 -1 5 -1 0 -1 0",
            "kernel=0 -1 0 -1 5 -1 0 -1 0: 9 taps in one row; a square of 3x3 is typed kernel='0 -1 0; -1 5 -1; 0 -1 0'",
        ),
        (
            "kernel=1 2 1 2 4 2 1 2 1",
            "kernel=1 2 1 2 4 2 1 2 1: 9 taps in one row; a square of 3x3 is typed kernel='1 2 1; 2 4 2; 1 2 1'",
        ),
        ("rotate=90", "rotate=90: 90 radians are 14.32 turns; for degrees type rotate=90*PI/180"),
        ("crop=16:9", "crop=16:9: the picture becomes 16x9 pixels; for that shape type crop=iw:iw*9/16"),
    ] {
        assert_eq!(caution(text).as_deref(), Some(line), "{text}");
    }
    let row = ["1"; 25].join(" ");
    let line = caution(&format!("kernel={row}:normalize=1")).expect("a caution");
    assert!(line.ends_with("25 taps in one row; a square of 5x5 is typed with ; after each of its 5 rows"), "{line}");
}

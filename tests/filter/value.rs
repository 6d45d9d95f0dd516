//! Messages about values that are wrong: one line each, exactly.

use warpreel::filter::{Defaults, parse};

use super::error::error;

#[test]
fn comparisons_by_signs_come_as_functions() {
    for (text, advice) in [
        ("t>2", "type 'gt(t,2)'"),
        ("t >= 2.5", "type 'gte(t,2.5)'"),
        ("n<100", "type 'lt(n,100)'"),
        ("n==0", "type 'eq(n,0)'"),
        ("n!=0", "type 'not(eq(n,0))'"),
        ("t>1 && t<3", "FFmpeg compares with functions: gt(t,2) for t>2, lt, gte, lte, eq; * for and, + for or"),
    ] {
        let line = error(&format!("box=enable={text}"));
        assert!(line.contains("is not an expression") && line.ends_with(&format!("; {advice}")), "{line}");
        if let Some(call) = advice.strip_prefix("type ") {
            parse(&format!("box=enable={call}"), &Defaults::default()).expect(call);
        }
    }
}

#[test]
fn wrong_values_come_with_what_is_allowed() {
    for (text, line) in [
        (
            "lut=''",
            "table= of lut holds no numbers at character 5 of the chain; type tones such as '0 0.1 0.5 0.9 1', or a .txt, \
             .csv, .json or .npy file (fraction from black to white)",
        ),
        (
            "gaussian=-1",
            "sigma=-1 of gaussian is out of range at character 10 of the chain; type a number from 0 to 1000 (luma \
             pixels)",
        ),
        (
            "gaussian=two",
            "sigma=two of gaussian is not a number at character 10 of the chain; type a number from 0 to 1000 (luma \
             pixels), as in gaussian=sigma=2",
        ),
        (
            "gaussian=nan",
            "sigma=nan of gaussian is not a finite number at character 10 of the chain; type a number from 0 to 1000 \
             (luma pixels)",
        ),
        (
            "box=1.5",
            "radius=1.5 of box is not a whole number at character 5 of the chain; type a whole number from 0 to 1000 \
             (luma pixels)",
        ),
        (
            "atadenoise=0a=0.5",
            "0a=0.5 of atadenoise is out of range at character 15 of the chain; type a number from 0 to 0.3, or auto (full scale)",
        ),
        (
            "atadenoise=s=131",
            "s=131 of atadenoise is out of range at character 14 of the chain; type a whole number from 3 to 129 (frames)",
        ),
        (
            "degrain=frames=7",
            "frames=7 of degrain is out of range at character 16 of the chain; type a whole number from 1 to 6 (frames)",
        ),
        ("degrain=block=12", "block=12 of degrain is unknown at character 15 of the chain; type 8, 16 (samples)"),
        ("degrain=pel=4", "pel=4 of degrain is unknown at character 13 of the chain; type 1, 2"),
        (
            "degrain=search=65",
            "search=65 of degrain is out of range at character 16 of the chain; type a whole number from 0 to 64 (luma pixels)",
        ),
        (
            "degrain=thsad=-1",
            "thsad=-1 of degrain is out of range at character 15 of the chain; type a number from 0 to 16320, or auto (sum over 8x8 \
             samples of 8 bits)",
        ),
        ("atadenoise=a=2", "a=2 of atadenoise is unknown at character 14 of the chain; type p, s"),
        (
            "box=border=mirrored",
            "border=mirrored of box is not a border at character 12 of the chain; type reflect101, clamp, reflect, \
             wrap, lopsided, zero or a level from 0 to 1",
        ),
        (
            "tmix=planes=16",
            "planes=16 of tmix names no planes at character 13 of the chain; type colour, all, luma, chroma, letters \
             (y, uv, yuva, rgb, a) or FFmpeg's bits 0 to 15",
        ),
        (
            "box=enable='between(t,1'",
            "enable=between(t,1 of box is not an expression: missing ')' or too many args in 'between(t,1' at character 13 of \
             the chain; type an expression of t, n, w and h, as 'between(t,1,3)'",
        ),
        (
            "box=enable=T",
            "enable=T of box is not an expression: undefined constant or missing '(' in 'T' at character 12 of the chain; type \
             an expression of t, n, w and h, as 'between(t,1,3)'",
        ),
        (
            "box=roi=10:20:30:40",
            "roi=10 of box is not a rectangle at character 9 of the chain; type WxH+X+Y, as 640x360+0+90, or 'X Y W H' (luma \
             pixels)",
        ),
        (
            "box=mask=no/such.png",
            "mask=no/such.png of box cannot be read: no such file or directory at character 10 of the chain; type the \
             name of a PNG file",
        ),
        (
            "convolution=1 2 1:0mode=col",
            "0mode=col of convolution is unknown at character 25 of the chain; type square, row, column",
        ),
        (
            "convolution=1 x 1",
            "0m=1 x 1 of convolution holds a word that is not a number at character 13 of the chain; type numbers \
             between spaces",
        ),
        (
            "bilateral=radius=33",
            "radius=33 of bilateral is out of range at character 18 of the chain; type a whole number from 0 to 32 (samples)",
        ),
        (
            "bilateral=sigma_r=1.5",
            "sigma_r=1.5 of bilateral is out of range at character 19 of the chain; type a number from 0 to 1, or auto (fraction of full \
             scale)",
        ),
        (
            "bilateral3d=frames=9",
            "frames=9 of bilateral3d is out of range at character 20 of the chain; type a whole number from 0 to 8 (frames)",
        ),
    ] {
        assert_eq!(error(text), line);
    }
}

#[test]
fn values_that_do_not_go_together_are_refused() {
    for (text, line) in [
        (
            "convolution=1 2 3 4",
            "convolution: plane 0 has 4 taps at character 1 of the chain; type an odd number of them",
        ),
        (
            "convolution=1 2 1",
            "convolution: plane 0 has 3 taps, which is no square at character 1 of the chain; type 9, 25, 49, … or \
             0mode=row",
        ),
        ("unsharp=lx=4", "unsharp: luma_msize_x=4 is even at character 1 of the chain; type 3 or 5"),
        ("dog=2:1", "dog: sigma2=1 is not above sigma=2 at character 1 of the chain; type sigma2=3.2"),
        ("tmix=2:1 2 1", "tmix: 3 weights for 2 frames at character 1 of the chain; type frames=3"),
        ("emboss=50", "emboss: angle=50 is no multiple of 45 at character 1 of the chain; type 45"),
        ("emboss=44", "emboss: angle=44 is no multiple of 45 at character 1 of the chain; type 45"),
        ("emboss=22", "emboss: angle=22 is no multiple of 45 at character 1 of the chain; type 0"),
        ("emboss=314", "emboss: angle=314 is no multiple of 45 at character 1 of the chain; type 315"),
        (
            "kernel",
            "kernel: there is no kernel at character 1 of the chain; type kernel='0 -1 0; -1 5 -1; 0 -1 0' or kernel=taps.txt",
        ),
        (
            "kernel=1 -1:normalize=1",
            "kernel: the taps sum to 0, so they cannot be normalised at character 1 of the chain; leave normalize out",
        ),
        (
            "kernel=1 2 1:anchor=3",
            "kernel: anchor 3 in x is outside the kernel at character 1 of the chain; type a whole number from 0 to 2",
        ),
        (
            "tmix=weights=1e300",
            "tmix: a tap, factor or offset is too large at character 1 of the chain; type numbers below 1e38",
        ),
        (
            "kernel=1 -1 & 1;-1:abs=1",
            "kernel: abs is for one kernel, and there are 2 at character 1 of the chain; type combine=max or magnitude",
        ),
        (
            "kernel=1 2 &",
            "kernel=1 2 & of kernel holds no numbers at character 8 of the chain; type a kernel such as '0 -1 0; -1 5 -1; 0 -1 0', or a \
             .txt, .csv, .json or .npy file",
        ),
        ("atadenoise=s=8", "atadenoise: s is 8 at character 1 of the chain; type an odd number from 3 to 129, as s=9"),
        (
            "bilateral3d=sigma_s=1000:sigma_r=1:frames=8:sigma_t=100:radius=32",
            "bilateral3d: a window of radius 32 and 8 frames on either side holds too much for sums below 2^31 at character 1 of \
             the chain; type a smaller radius, sigma_r or frames",
        ),
        ("box=1000:passes=3", "box: radius times passes is 3000 at character 1 of the chain; type at most 2000"),
    ] {
        assert_eq!(error(text), line);
    }
}

/// FFmpeg's evaluator would run out of stack.
#[test]
fn endless_expressions_are_refused() {
    let sum = |terms: usize| format!("box=enable={}", vec!["1"; terms].join("+"));
    assert!(error(&sum(50_000)).contains("is not an expression: it is longer than 4096 bytes"));
    assert!(parse(&sum(90), &Defaults::default()).is_ok());
    if let Err(refusal) = parse(&sum(2000), &Defaults::default()) {
        assert!(refusal.to_string().contains("FFmpeg cannot parse it"), "{refusal}");
    }
    assert!(error(&format!("box=enable={}", "(".repeat(4000))).contains("is not an expression"));
    assert!(error("box=enable=1\0").contains("zero byte"));
}

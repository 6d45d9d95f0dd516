//! Messages about chains that are wrong: one line each, exactly.

use warpreel::filter::{Defaults, SyntaxError, parse};

/// The message about a chain that is wrong.
pub fn error(text: &str) -> String {
    parse(text, &Defaults::default()).expect_err(text).to_string()
}

#[test]
fn unknown_names_come_with_the_nearest() {
    for (text, line) in [
        (
            "gausian=sigma=2",
            "unknown filter \"gausian\" at character 1 of the chain; did you mean \"gaussian\"? list them with: \
             warpreel filters",
        ),
        (
            "box,gblur=2",
            "unknown filter \"gblur\" at character 5 of the chain; did you mean \"gaussian\"? as in \
             gaussian=sigma=2; list them with: warpreel filters",
        ),
        ("zzz", "unknown filter \"zzz\" at character 1 of the chain; list them with: warpreel filters"),
        (
            "gaussian=sigam=2",
            "unknown parameter \"sigam\" of gaussian at character 10 of the chain; did you mean \"sigma\"? list them \
             with: warpreel filters gaussian",
        ),
        (
            "gaussian=border_t=clamp",
            "unknown parameter \"border_t\" of gaussian at character 10 of the chain; did you mean \"border\"? list \
             them with: warpreel filters gaussian",
        ),
    ] {
        assert_eq!(error(text), line);
    }
}

#[test]
fn filters_of_other_programs_lead_to_ours_or_to_ffmpeg() {
    for (name, advice) in [
        ("hqdn3d", "type \"denoise\", the nearest filter here; see: warpreel filters denoise"),
        ("dfttest", "type \"denoise\", the nearest"),
        ("knlm=d=1", "type \"nlmeans=s=auto\", the nearest"),
        ("pp", "type \"deblock\", the nearest filter here; see: warpreel filters deblock"),
        ("gradfun", "use FFmpeg first: ffmpeg -i IN -filter:v:0 gradfun -map"),
        ("vdecimate", "did you mean \"decimate\"? as in decimate; list"),
        ("ivtc", "type \"fieldmatch,decimate\", the nearest chain here; see: warpreel filters fieldmatch"),
        ("pullup", "type \"fieldmatch,decimate\", the nearest chain"),
        ("chromashift=cbh=2", "use FFmpeg first: ffmpeg -i IN -filter:v:0 chromashift=cbh=2 -map"),
        ("select=1", "use FFmpeg first: ffmpeg -i IN -filter:v:0 select=1 -map"),
        ("subtitles=s.srt", "use FFmpeg first: ffmpeg -i IN -filter:v:0 subtitles=s.srt -map"),
        ("xfade", "use FFmpeg first: ffmpeg -i IN -i SECOND -filter_complex xfade=offset=4 -map"),
        ("watermark", "did you mean \"overlay\"? as in overlay=samples/logo.png"),
        ("vaguedenoiser=3", "type \"nlmeans=s=auto\", the nearest"),
        ("mdegrain=3", "did you mean \"degrain\"? as in degrain=frames=2:thsad=300; list"),
        ("fftdnoiz", "type \"atadenoise=auto:s=7\", the nearest filter here; see: warpreel filters atadenoise"),
        ("smartblur=1:2", "type \"bilateral=sigma_s=2:sigma_r=0.06\", the nearest"),
        ("despeckle", "type \"median=radius=1\", the nearest"),
        ("edgedetect", "type \"sobel\", the nearest filter here; see: warpreel filters sobel"),
        ("minimum", "type \"erode=radius=1\", the nearest"),
        ("EdgeDetect", "type \"sobel\", the nearest"),
        ("boxblur=2:1", "did you mean \"box\"? as in box=radius=3:passes=2; list"),
        (
            "vignette=0.5",
            "use FFmpeg first: ffmpeg -i IN -filter:v:0 vignette=0.5 -map 0 -map -0:d -c copy -c:v:0 ffv1 \
             -f matroska - | warpreel - OUT -f …",
        ),
        ("delogo=x=1", "use FFmpeg first: ffmpeg -i IN -filter:v:0 delogo=x=1 -map"),
        ("vignette='0.5',sobel", "use FFmpeg first: ffmpeg -i IN -filter:v:0 'vignette='\\''0.5'\\''' -map"),
        ("QTGMC", "type \"bwdif=mode=send_frame\""),
        ("kerndeint=order=1", "type \"bwdif=mode=send_frame\""),
        ("trim=1:2", "type --start TIME and --duration TIME"),
        ("negative", "did you mean \"invert\"?"),
        ("cv2.GaussianBlur(frame", "did you mean \"gaussian\"?"),
        ("QTGMC(Preset=1)", "type \"bwdif=mode=send_frame\""),
        ("vhs", "a recipe is read with @: type @vhs"),
        ("zoom=2", "type crop=iw/2:ih/2,scale=2*iw:2*ih"),
        ("contrast=2", "did you mean \"eq\"? as in eq=contrast="),
        ("sepia", "type \"colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131\""),
        ("glow", "type \"gaussian=8:mix=0.5\""),
        ("solarize", "type \"lut='0 0.5 0'\""),
        ("format=gray", "type --pix-fmt FORMAT"),
    ] {
        assert!(error(name).contains(&format!(" at character 1 of the chain; {advice}")), "{}", error(name));
    }
}

/// Expressions over time are FFmpeg's.
#[test]
fn expressions_are_left_to_ffmpeg() {
    let said = error("hue=H=2*PI*t");
    assert!(said.contains("type a number from -1000 to 1000, or let FFmpeg evaluate it: ffmpeg -i IN"), "{said}");
    assert!(said.contains("-filter:v:0 'hue=H=2*PI*t' -map"), "{said}");
    assert!(error("hue=h=90deg").contains("type hue=h=90"), "{}", error("hue=h=90deg"));
}

#[test]
fn calls_as_they_are_written_elsewhere_come_as_they_are_written_here() {
    for (text, call) in [
        ("gaussian:sigma=2", "gaussian=sigma=2"),
        ("gaussian:2,box", "gaussian=2"),
        ("gaussian(3)", "gaussian=3"),
        ("gaussian(sigma=3),box", "gaussian=sigma=3"),
        ("box(2, 3),sobel", "box=2:3"),
        ("sobel()", "sobel"),
        ("gaussian 3", "gaussian=3"),
        ("gaussian sigma=3", "gaussian=sigma=3"),
    ] {
        assert!(error(text).ends_with(&format!(" at character 1 of the chain; type {call}")), "{}", error(text));
        assert!(parse(call, &Defaults::default()).is_ok(), "{call}");
    }
}

#[test]
fn commas_that_were_not_quoted_are_asked_about() {
    let quoted =
        "; commas separate filters: quote a value that contains one, and quote the whole chain for the shell: -f ";
    for (text, fault, example) in [
        ("kernel=1,2,1", "unknown filter \"2\" at character 10 of", "\"kernel='1,2,1'\""),
        ("kernel=1,-2,1", "unknown filter \"-2\" at character 10 of", "\"kernel='1,2,1'\""),
        ("box=enable=between(t,1,3)", "enable=between(t of box is not an expression", "\"…:enable='between(t,1,3)'\""),
        ("kernel=[1,2,box", "kernel=[1 of kernel has a bracket without its partner", "\"…:kernel='1,2,1'\""),
    ] {
        let line = error(text);
        assert!(line.starts_with(fault) && line.ends_with(&format!("{quoted}{example}")), "{line}");
    }
}

#[test]
fn broken_grammar_is_pointed_at() {
    for (text, line) in [
        (
            "kernel='1 2 1",
            "quote without an end at character 8 of the chain; close it with ' or write \\' for the sign itself",
        ),
        (
            "gaussian,",
            "a filter's name is missing at character 10 of the chain; write name=key=value:key=value,name2=…",
        ),
        ("=2", "a filter's name is missing at character 1 of the chain; write name=key=value:key=value,name2=…"),
        (
            "gaussian=sigma=1:2",
            "the value \"2\" of gaussian has no name at character 18 of the chain; after the first name=value, name \
             every value",
        ),
        (
            "tdiff=0:1:0:0:5",
            "tdiff takes 4 values without a name at character 15 of the chain; leave the rest out or name them",
        ),
        (
            "gaussian=2:sigma_x=3",
            "sigma of gaussian is given twice at character 12 of the chain; leave one of them out",
        ),
    ] {
        assert_eq!(error(text), line);
    }
}

#[test]
fn carets_stand_below_what_is_wrong() {
    let err = parse("box=2,\tgaussian=sigma=ü3", &Defaults::default()).expect_err("no number");
    assert_eq!(err.caret(), "box=2, gaussian=sigma=ü3\n                      ^^");
    let err = parse("box=", &Defaults::default()).expect_err("empty value");
    assert_eq!(err.caret(), "box=\n    ^");
}

#[test]
fn of_long_chains_the_part_around_the_carets_is_shown() {
    let long = format!("{},gausian,{}", ["box=2"; 30].join(","), ["box=3"; 30].join(","));
    for text in [long.clone(), format!("gausian,{long}"), long.replace("gausian", "box") + ",gausian"] {
        let err = parse(&text, &Defaults::default()).expect_err("no such filter");
        let caret = err.caret();
        let (line, marks) = caret.split_once('\n').expect("two lines");
        assert!(line.chars().count() <= SyntaxError::EXCERPT + 2, "{caret}");
        let marked = line.chars().zip(marks.chars()).filter(|(_, mark)| *mark == '^');
        assert_eq!(marked.map(|(letter, _)| letter).collect::<String>(), "gausian", "{caret}");
    }
    let err = parse(&format!("box=,{long}"), &Defaults::default()).expect_err("empty value");
    assert!(err.caret().ends_with("…\n    ^"), "{}", err.caret());
}

/// Mistakes of those who come from other programs: the hint is what to type.
#[test]
fn slips_in_a_chain_are_answered_with_what_to_type() {
    for (text, hint) in [
        ("gaussian=2 unsharp", "filters are separated by commas: type \"gaussian=2,unsharp\""),
        ("gaussian=2;unsharp=5", "filters are separated by commas: type \"gaussian=2,unsharp=5\""),
        ("gaussian=2|unsharp", "filters are separated by commas: type \"gaussian=2,unsharp\""),
        ("sobel; invert", "filters are separated by commas: type \"sobel,invert\""),
        ("sobel invert", "filters are separated by commas: type \"sobel,invert\""),
        ("gaussian=sigma:2", "a value follows its name with =: type gaussian=sigma=2"),
        ("gaussian=sigma", "a value follows its name with =: type gaussian=sigma=1"),
        ("gaussian=size=5", "type gaussian=sigma=1.1, which is nearest to that size"),
        ("unsharp=0.5", "type unsharp=luma_amount=0.5 for luma_amount, or a whole number from "),
        ("invert:enable='gt(t,1)'", "the first value follows =: type \"invert=enable='gt(t,1)'\""),
        ("invert=enable='t>1s'", "type 'gt(t,1)'"),
        ("offset=20", "20 of 255 is 0.0784: type offset=level=0.0784, or a number from -1 to 1"),
        ("threshold=128", "128 of 255 is 0.502: type threshold=level=0.502, or "),
        ("gain=offset=20", "offset is a filter: type \"gain,offset=20\", or list them with"),
        ("denoise=6", "type auto, light, medium, strong; the standard deviation of the noise"),
        ("bad.txt", "a file of filters is read with @: type @bad.txt"),
        ("taps.npy", "a kernel from a file is a filter: type kernel=taps.npy"),
    ] {
        assert!(error(text).contains(hint), "{text:?}: {}", error(text));
    }
}

/// What a hint tells to type is a chain.
#[test]
fn hints_in_quotes_are_chains() {
    for text in ["gaussian=2 unsharp", "sobel|invert", "invert:enable='gt(t,1)'", "median=1+sobel"] {
        let said = error(text);
        let typed = said.split("type \"").nth(1).and_then(|rest| rest.strip_suffix('"'));
        parse(typed.unwrap_or_else(|| panic!("{said}")), &Defaults::default()).expect(text);
    }
}

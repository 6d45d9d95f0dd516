//! Hints for places, sizes and turns in words or in the syntax of other programs: `top-right`, `50x50`, `rotate=right`.

use super::expression::Formula;
use super::number::number;
use super::parameter::{Kind, Parameter};
use super::spec::Spec;

/// A place of a picture that is laid over the clip: a corner in words, a share in percent, or one of FFmpeg's `pos`; or a size of it that changes,
/// `width=10*t`.
pub(super) fn place(parameter: &Parameter, text: &str) -> Option<String> {
    let Kind::Expression(names) = parameter.kind else { return None };
    if !names.contains(&"overlay_w") {
        return None;
    }
    if let Some(place) = corner(text) {
        return Some(format!("a place is two numbers: type overlay=…:{place}"));
    }
    if let Some(share) = text.strip_suffix('%').and_then(|share| number(share).ok()) {
        let (name, side) = (parameter.name, if parameter.name == "y" { "H" } else { "W" });
        return Some(format!("a value has no unit: type {name}={side}*{}", share / 100.0));
    }
    if matches!(parameter.name, "width" | "height") {
        let changing = [names, &["n", "t"]].concat();
        Formula::parse(text, &changing).ok()?;
        return Some("the size is the same for all frames: type it without n and t".to_owned());
    }
    let known = [names, &["pos"]].concat();
    Formula::parse(text, &known).ok()?;
    Some("the place of a frame in its file is not known here: type a place of n or t".to_owned())
}

/// A place or a margin that a filter has by another name: `overlay=…:position=top`, `crop=top=10`.
pub(super) fn parameter(key: &str, value: &str, spec: &Spec) -> Option<String> {
    match (spec.name, key) {
        ("overlay", "position" | "pos" | "place" | "gravity") => {
            corner(value).map(|place| format!("a place is two numbers: type overlay=…:{place}"))
        }
        ("crop" | "pad", "top" | "bottom" | "left" | "right") => {
            number(value).ok()?;
            let (sign, what) = match spec.name {
                "crop" => ('-', "the size that is kept, and its place"),
                _ => ('+', "the new size, and the place of the picture"),
            };
            let (size, place) = match key {
                "top" => (format!("iw:ih{sign}{value}"), format!("0:{value}")),
                "bottom" => (format!("iw:ih{sign}{value}"), "0:0".to_owned()),
                "left" => (format!("iw{sign}{value}:ih"), format!("{value}:0")),
                _ => (format!("iw{sign}{value}:ih"), "0:0".to_owned()),
            };
            Some(format!("{0} takes {what}: type {0}={size}:{place}", spec.name))
        }
        _ => None,
    }
}

/// A corner in words, `top-right`, as two numbers.
fn corner(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let has = |words: [&str; 2]| words.iter().any(|word| text.contains(word));
    let x = match (text.contains("left"), text.contains("right")) {
        (true, _) => Some("16"),
        (_, true) => Some("W-w-16"),
        _ => None,
    };
    let y = match (has(["top", "upper"]), has(["bottom", "lower"])) {
        (true, _) => Some("16"),
        (_, true) => Some("H-h-16"),
        _ => None,
    };
    let is_middle = has(["center", "centre"]) || text == "middle";
    let (x, y) = (x.or(is_middle.then_some("(W-w)/2")), y.or(is_middle.then_some("(H-h)/2")));
    (x.is_some() || y.is_some()).then(|| format!("x={}:y={}", x.unwrap_or("(W-w)/2"), y.unwrap_or("(H-h)/2")))
}

/// Two sides with an x between them, `scale=1280x720`, `median=5x5`, as they are typed here.
pub(super) fn by_sides(spec: &Spec, text: &str) -> Option<String> {
    if let ("scale", Some((width, height))) = (spec.name, named_size(text)) {
        return Some(format!("type scale={width}:{height}"));
    }
    let factor = text.strip_suffix(['x', 'X']).filter(|factor| number(factor).is_ok());
    if let Some(factor) = factor.filter(|_| spec.name == "scale") {
        return Some(format!("type scale=iw*{factor}:-2 for that many times the size"));
    }
    let (width, height) = text.split_once(['x', 'X', '×'])?;
    let is_whole = |side: &str| side.parse::<u32>().is_ok();
    if !is_whole(width) || !is_whole(height) {
        return None;
    }
    let has = |name: &str| spec.own.iter().any(|own| own.name == name);
    if has("w") && has("h") {
        return Some(format!("type {}=w={width}:h={height}", spec.name));
    }
    let call = (width == height).then(|| sized("size", width, spec)).flatten()?;
    Some(format!("type {call}, which is nearest to that size"))
}

/// FFmpeg's names of sizes, and a side that follows from the other.
fn named_size(text: &str) -> Option<(&'static str, &'static str)> {
    Some(match text.to_ascii_lowercase().as_str() {
        "hd720" | "hd" | "720p" => ("1280", "720"),
        "hd1080" | "fullhd" | "fhd" | "1080p" => ("1920", "1080"),
        "uhd2160" | "uhd" | "2160p" => ("3840", "2160"),
        "pal" => ("720", "576"),
        "ntsc" => ("720", "480"),
        "vga" => ("640", "480"),
        "auto" | "?" | "keep" => ("-2", "720, where -2 keeps the shape"),
        _ => return None,
    })
}

/// A quarter turn in degrees or to a side, `transpose=90`, as it is typed here.
pub(super) fn turned(spec: &Spec, text: &str) -> Option<String> {
    let chain = match text.trim_end_matches("deg").trim_end_matches('°') {
        "right" | "cw" | "clockwise" if spec.name == "rotate" => "transpose=clock",
        "left" | "ccw" | "counterclockwise" if spec.name == "rotate" => "transpose=cclock",
        _ if spec.name != "transpose" => return None,
        "90" | "+90" | "right" | "cw" | "-270" => "transpose=clock",
        "270" | "-90" | "left" | "ccw" => "transpose=cclock",
        "180" | "-180" => "hflip,vflip",
        _ => return None,
    };
    Some(format!("type {chain}"))
}

/// A place in the middle, `crop=100:100:center`, as it is typed here.
pub(super) fn centred(spec: &Spec, parameter: &Parameter, text: &str) -> Option<String> {
    let is_middle = ["center", "centre", "middle", "centered"].contains(&text.to_ascii_lowercase().as_str());
    let (name, place) = (parameter.name, if parameter.name == "x" { "(ow-iw)/2" } else { "(oh-ih)/2" });
    match spec.name {
        "crop" if is_middle => Some(format!("leave {name} out: the rectangle is in the middle")),
        "pad" if is_middle => Some(format!("type pad=…:{name}={place} for the middle, or {name}=-1")),
        _ => None,
    }
}

/// A side of the kernel, as OpenCV and most editors have it, in terms of a filter: half of it as a radius, or the sigma that OpenCV
/// derives from it.
pub(super) fn sized(key: &str, value: &str, spec: &Spec) -> Option<String> {
    const SIDES: [&str; 6] = ["size", "ksize", "kernel", "kernel_size", "diameter", "width"];
    let side = number(value).ok().filter(|side| (3.0..=1000.0).contains(side) && SIDES.contains(&key))?;
    let has = |name: &str| spec.own.iter().any(|own| own.name == name);
    let sigma = 0.3 * ((side - 1.0) / 2.0 - 1.0) + 0.8;
    match (has("sigma"), has("radius")) {
        (true, _) => Some(format!("{}=sigma={}", spec.name, (sigma * 100.0).round() / 100.0)),
        (_, true) => Some(format!("{}=radius={}", spec.name, ((side - 1.0) / 2.0).floor())),
        _ => None,
    }
}

//! The stub file of the functions, for editors: made from the table, and kept beside the Python module.

use std::fmt::Write as _;
use std::{env, fs};

use crate::argument::Type;
use crate::{argument, function, name, option};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vswarpreel/functions.pyi");

const COMMON: &str = "backend: Literal[\"auto\", \"cpu\", \"cuda\"] = ..., device: int = ..., in_flight: int = ..., \
                      threads: int = ..., fields: Literal[\"auto\", \"frame\", \"separate\"] = ..., \
                      color_range: Literal[\"auto\", \"limited\", \"full\"] = ...";

/// A type as Python writes it.
fn annotation(kind: Type) -> &'static str {
    match kind {
        Type::Float => "float",
        Type::Int => "int",
        Type::Floats => "float | Sequence[float]",
        Type::Planes => "int | Sequence[int]",
        Type::Text => "str",
    }
}

fn stub() -> String {
    let mut text = "\"\"\"The functions of the plugin, `core.warpreel`. Made from the table of filters.\"\"\"\n\n\
                    from collections.abc import Sequence\n\
                    from typing import Any, Literal, Protocol\n\n\
                    from vapoursynth import VideoNode\n\n\
                    class Functions(Protocol):\n"
        .to_owned();
    let _ = writeln!(
        text,
        "    def Filter(self, clip: VideoNode, chain: str, {COMMON}, border: str = ..., planes: int | Sequence[int] = ...) -> VideoNode:\n        \"\"\"Any chain of filters.\"\"\"\n"
    );
    let _ = writeln!(
        text,
        "    def GaussBlur(self, clip: VideoNode, sigma: float | Sequence[float] = ..., num_streams: int = ..., {COMMON}) -> VideoNode:\n        \"\"\"Gaussian with a sigma for each plane; num_streams has no effect.\"\"\"\n"
    );
    for spec in name::offered() {
        let parameters: Vec<_> = argument::parameters(spec).collect();
        let each = parameters
            .iter()
            .map(|(parameter, kind)| format!("{}: {} = ..., ", name::argument(parameter.name), annotation(*kind)));
        let each: String = each.collect();
        let summary = format!("{}{}.", spec.summary[..1].to_uppercase(), &spec.summary[1..]);
        let _ = writeln!(
            text,
            "    def {}(self, clip: VideoNode, {each}{COMMON}) -> VideoNode:\n        \"\"\"{summary}\n",
            name::function(spec.name)
        );
        for (parameter, _) in &parameters {
            let (values, preset) = (parameter.kind.range(), parameter.preset_text());
            let line = format!("{}: {}; {values}; default {preset}", name::argument(parameter.name), parameter.help);
            let _ = writeln!(text, "        {}", line.replace('\\', "\\\\"));
        }
        text += "        \"\"\"\n\n";
    }
    text + "    def Version(self) -> dict[str, Any]:\n        \"\"\"The version, what the plugin runs on, and help.\"\"\"\n"
}

/// `UPDATE_DOCS=1` writes it.
#[test]
fn the_stub_is_that_of_the_table() {
    let stub = stub();
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(PATH, &stub).expect("the stub is written");
    }
    assert_eq!(fs::read_to_string(PATH).expect("the stub"), stub, "UPDATE_DOCS=1 writes it anew");
}

#[test]
fn names_are_what_vapoursynth_takes() {
    let fits = |name: &str| {
        name.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    let mut names: Vec<String> = function::all().into_iter().map(|function| function.name).collect();
    assert!(names.iter().all(|name| fits(name)), "{names:?}");
    names.sort();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    assert_eq!(count, name::offered().count() + 3);
    for spec in name::offered() {
        let own = argument::signature(spec);
        let all = format!("clip:vnode;{own}{}", option::SIGNATURE);
        let mut keys: Vec<&str> = all.split_terminator(';').filter_map(|part| part.split(':').next()).collect();
        assert!(keys.iter().all(|key| fits(key)), "{all}");
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count, "{}: {all}", spec.name);
    }
}

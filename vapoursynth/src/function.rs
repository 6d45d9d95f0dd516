//! The functions of the plugin: `Filter` for any chain, one for each filter of the table, and `Version`.

use anyhow::{Context, Result, anyhow, ensure};
use warpreel_cuda::Properties;
use warpreel_filter::filter::{Defaults, Edge, Planes, Spec, SyntaxError, parse};

use crate::argument;
use crate::ffi::{Arguments, Core, Function, Node, Results};
use crate::make::{Clip, nodes};
use crate::name;
use crate::option::{Options, SIGNATURE};
use crate::wording::reworded;

/// All of them.
pub fn all() -> Vec<Function> {
    let chain = Function {
        name: "Filter".to_owned(),
        arguments: format!("clip:vnode;chain:data;{SIGNATURE}border:data:opt;planes:int[]:opt;"),
        results: "clip:vnode;",
        call: Box::new(|arguments, results, core| scripted(filter(arguments, results, core))),
    };
    let version = Function {
        name: "Version".to_owned(),
        arguments: String::new(),
        results: "version:data;instructions:data;gpu:data;functions:data[];help:data;",
        call: Box::new(|_, results, _| {
            version(results);
            Ok(())
        }),
    };
    let blur = Function {
        name: "GaussBlur".to_owned(),
        arguments: format!("clip:vnode;sigma:float[]:opt;num_streams:int:opt;{SIGNATURE}"),
        results: "clip:vnode;",
        call: Box::new(|arguments, results, core| scripted(gauss_blur(arguments, results, core))),
    };
    let own = name::offered().map(|spec| Function {
        name: name::function(spec.name),
        arguments: format!("clip:vnode;{}{SIGNATURE}", argument::signature(spec)),
        results: "clip:vnode;",
        call: Box::new(move |arguments, results, core| scripted(one(spec, arguments, results, core))),
    });
    [chain, blur].into_iter().chain(own).chain([version]).collect()
}

fn clip(arguments: &Arguments<'_>, options: &Options) -> Result<Clip> {
    Clip::new(given(arguments)?, options)
}

fn given(arguments: &Arguments<'_>) -> Result<Node> {
    arguments.node("clip").context("clip is missing")
}

fn filter(arguments: &Arguments<'_>, results: &mut Results<'_>, core: Core<'_>) -> Result<()> {
    let options = Options::of(arguments)?;
    let chain = arguments.text("chain")?.context("chain is missing")?;
    let clip = clip(arguments, &options)?;
    let border = match arguments.text("border")? {
        None => None,
        Some(text) => {
            let edge = Edge::parse(&text);
            Some(edge.with_context(|| format!("border={text} is unknown; pass {}", Edge::HELP))?)
        }
    };
    let planes = match arguments.count("planes") {
        0 => None,
        _ => Some(Planes::Letters(argument::letters(&arguments.integers("planes"), clip.format.pixel)?)),
    };
    let filters = parse(&chain, &Defaults { border, planes, ..Defaults::default() })?;
    results.node("clip", nodes(core, "Filter", clip, filters, &options)?)
}

/// `Gaussian` with a sigma for each plane, as other plugins have it: the last one stands for those that are missing.
fn gauss_blur(arguments: &Arguments<'_>, results: &mut Results<'_>, core: Core<'_>) -> Result<()> {
    let options = Options::of(arguments)?;
    let clip = clip(arguments, &options)?;
    let (sigmas, pixel) = (arguments.numbers("sigma"), clip.format.pixel);
    ensure!(
        sigmas.len() <= pixel.planes(),
        "sigma has {} values; the clip has {} planes",
        sigmas.len(),
        pixel.planes()
    );
    let last = sigmas.last().copied().unwrap_or(0.5);
    // The values of planes, each with the letters of those that have them, which are one step.
    let mut each: Vec<(String, String)> = Vec::new();
    for plane in 0..pixel.planes() {
        let sigma = sigmas.get(plane).copied().unwrap_or(last);
        if sigma == 0.0 {
            continue;
        }
        let letter = argument::letters(&[plane as i64], pixel)?;
        // A sigma here counts samples of the plane, and in a chain pixels of luma. Only YUV has subsampled planes, whose
        // numbers are the same in VapourSynth.
        let (w, h) = pixel.subsampling(plane);
        let [sigma, sigma_y] = [w, h].map(|log2| sigma * f64::from(1u32 << log2));
        let values = format!("gaussian=sigma={sigma}:sigma_y={sigma_y}:planes=");
        match each.iter_mut().find(|(known, _)| *known == values) {
            Some((_, letters)) => letters.push_str(&letter),
            None => each.push((values, letter)),
        }
    }
    let each: Vec<String> = each.into_iter().map(|(values, letters)| values + &letters).collect();
    let plain = |SyntaxError { message, hint, .. }: SyntaxError| anyhow!("{message}; {hint}");
    let filters = parse(&each.join(","), &Defaults::default()).map_err(plain)?;
    results.node("clip", nodes(core, "GaussBlur", clip, filters, &options)?)
}

fn one(spec: &'static Spec, arguments: &Arguments<'_>, results: &mut Results<'_>, core: Core<'_>) -> Result<()> {
    let options = Options::of(arguments)?;
    let clip = clip(arguments, &options)?;
    let chain = argument::chain(spec, arguments, clip.format.pixel)?;
    // Where in the text of the chain it is wrong says nothing to who did not write it.
    let plain = |SyntaxError { message, hint, .. }: SyntaxError| anyhow!("{message}; {hint}");
    let filters = parse(&chain, &Defaults::default()).map_err(plain)?;
    results.node("clip", nodes(core, &name::function(spec.name), clip, filters, &options)?)
}

/// Errors of the library speak to who types a command.
fn scripted(outcome: Result<()>) -> Result<()> {
    outcome.map_err(|error| anyhow!(reworded(&format!("{error:#}"))))
}

fn version(results: &mut Results<'_>) {
    results.text("version", env!("CARGO_PKG_VERSION"));
    results.text("instructions", warpreel_cpu::simd::Level::best().name());
    let gpu = Properties::find(0).map_or_else(|error| format!("none: {error:#}"), |found| found.name);
    results.text("gpu", &reworded(&gpu));
    let mut help = "Filter(clip, chain): any chain of filters, as the program warpreel has them.\n".to_owned();
    help += "GaussBlur(clip, sigma, num_streams): Gaussian with a sigma for each plane; num_streams has no effect.\n";
    for spec in name::offered() {
        results.text("functions", &name::function(spec.name));
        let arguments = argument::parameters(spec).map(|(parameter, _)| name::argument(parameter.name));
        let arguments: Vec<_> = ["clip".to_owned()].into_iter().chain(arguments).collect();
        help += &format!("{}({}): {}\n", name::function(spec.name), arguments.join(", "), spec.summary);
    }
    help += "All have backend=\"auto|cpu|cuda\", device=, in_flight=, threads=, fields=\"auto|frame|separate\" and \
             color_range=\"auto|limited|full\".";
    results.text("help", &help);
}

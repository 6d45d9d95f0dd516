//! What a filter does as a picture: the kernel that results and its frequency response, or the box of samples, or the
//! curve of tones. One SVG file that needs nothing else and follows the reader's choice of light or dark.

mod chart;
mod panel;
mod response;
mod sampling;

use svg::Document;
use svg::node::element::{Style, Title};

use crate::frame::Pixel;
use crate::pass::Combine;

use super::chain::{Filter, parse};
use super::choice::{Defaults, letter};
use super::listing::{described, worked};
use super::shape::scale;
use super::stencil::Shape;
use super::syntax::SyntaxError;
use super::want::Want;
use chart::{Anchor, Area, figure, rectangle, text};
use panel::Panel;

pub use response::Response;

const STYLE: &str = include_str!("style.css");

const WIDTH: f64 = 1100.0;
const MARGIN: f64 = 28.0;
const GAP: f64 = 16.0;
const PANEL: f64 = 330.0;

/// What `warpreel filters NAME --svg FILE` writes: of one filter, for the luma of 8-bit 4:2:0 and for chroma where it
/// differs, each kernel with its response along x, y and t and in the picture, the last step's factor included.
///
/// # Errors
/// If `call` is not one filter, or its values are wrong, or it leaves every plane as it is, or has another factor for
/// each frame.
pub fn draw(call: &str) -> Result<String, SyntaxError> {
    let text = worked(call);
    let refuse = |message: &str, hint: &str| Err(SyntaxError::new(text, &(0..text.len()), message, hint));
    let filters = parse(text, &Defaults::default())?;
    let [filter] = &filters[..] else {
        return refuse("a picture shows one filter", "name one, such as gaussian=sigma=2");
    };
    if filter.spec.name == scale::SPEC.name {
        let curve = scale::curve(filter.values());
        let rows = vec![vec![Panel::Weights(curve.clone()), Panel::Waves(curve)]];
        return Ok(picture(
            filter,
            vec![("Planes y, u, v: a sum of samples, weighted by their distance".to_owned(), rows)],
        ));
    }
    if filter.spec.change.is_some() {
        return refuse(
            "it moves samples and changes none, so there is nothing to draw",
            "name another filter, such as scale",
        );
    }
    let wants = wants(filter);
    if wants.is_empty() {
        return refuse("it leaves every plane as it is, so there is nothing to draw", "give it other values");
    }
    if wants.iter().any(|(_, want)| matches!(want, Want::Steady(_))) {
        return refuse("its factor is another for each frame, so there is nothing to draw", "name another filter");
    }
    let responses = wants.iter().map(|(_, want)| match want {
        Want::Stencil(stencil) => Response::of(stencil),
        _ => Vec::new(),
    });
    let responses: Vec<Vec<Response<'_>>> = responses.collect();
    let parts = wants.iter().zip(&responses);
    let parts = parts.map(|((planes, want), responses)| (heading(planes, want), rows(want, responses)));
    Ok(picture(filter, parts.collect()))
}

/// What is wanted of each plane that is changed, and which planes have it in common.
fn wants(filter: &Filter) -> Vec<(String, Want)> {
    let pixel = Pixel::yuv420p(8);
    let mut wants: Vec<(String, Want)> = Vec::new();
    for plane in 0..pixel.planes() {
        let Ok(wanted) = filter.wanted(pixel, plane) else { continue };
        let name = letter(pixel, plane);
        match wants.iter_mut().find(|(_, want)| *want == wanted.want) {
            Some((names, _)) => *names += &format!(", {name}"),
            None if wanted.want == Want::Copy => {}
            None => wants.push((name.to_string(), wanted.want)),
        }
    }
    wants
}

/// Rows of panels below each other, those of one part under its heading.
fn picture(filter: &Filter, parts: Vec<(String, Vec<Vec<Panel<'_>>>)>) -> String {
    let title: String = filter.text.chars().filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).collect();
    let mut body = svg::node::element::Group::new();
    body = body.add(text(MARGIN, MARGIN + 20.0, excerpt(&title, 90), "name", Anchor::Start));
    body = body.add(text(MARGIN, MARGIN + 42.0, filter.spec.summary, "soft", Anchor::Start));
    let mut y = MARGIN + 60.0;
    for (heading, rows) in parts {
        body = body.add(text(MARGIN, y + 24.0, heading, "part", Anchor::Start));
        y += 40.0;
        for row in rows {
            let width = (WIDTH - 2.0 * MARGIN - 2.0 * GAP) / 3.0;
            // A card alone is no wider than two.
            let width = if row.len() < 3 { 1.5 * width + GAP / 2.0 } else { width };
            for (index, panel) in row.iter().enumerate() {
                let x = MARGIN + (width + GAP) * index as f64;
                body = body.add(panel.draw(Area { x, y, width, height: PANEL }));
            }
            y += PANEL + GAP;
        }
    }
    let (width, height) = (WIDTH, y + MARGIN - GAP);
    let document = Document::new().set("viewBox", (0, 0, WIDTH as i32, height as i32)).set("role", "img");
    let document = document.set("width", width).set("height", height).add(Title::new(title));
    let paper = Area { x: 0.0, y: 0.0, width, height };
    document.add(Style::new(STYLE)).add(rectangle(paper, "paper")).add(body).to_string() + "\n"
}

fn rows<'a>(want: &'a Want, responses: &'a [Response<'a>]) -> Vec<Vec<Panel<'a>>> {
    match want {
        Want::Copy | Want::Steady(_) => Vec::new(),
        Want::Stencil(_) => responses.iter().map(panel::of).collect(),
        Want::Points(curve) => vec![vec![Panel::Tones(curve, Pixel::yuv420p(8).peak().into())]],
        Want::Picks(picks) => picks.chunks(2).map(|pair| pair.iter().map(Panel::picked).collect()).collect(),
        Want::Operation(op) => vec![vec![Panel::looked_at(op.facts())]],
        Want::OperationThen(op, curve) => {
            vec![vec![Panel::looked_at(op.facts()), Panel::Tones(curve, Pixel::yuv420p(8).peak().into())]]
        }
    }
}

/// `Plane y: the sum of 2 kernels, plus 128`.
fn heading(planes: &str, want: &Want) -> String {
    let name = if planes.contains(',') { "Planes" } else { "Plane" };
    let about = match want {
        Want::Copy => "as it is".to_owned(),
        Want::Points(_) | Want::Steady(_) => "each sample by itself".to_owned(),
        Want::Picks(picks) if picks.len() > 1 => format!("{} steps", picks.len()),
        Want::Picks(_) => "one of the samples around".to_owned(),
        Want::Operation(op) => op.facts().words(),
        Want::OperationThen(op, _) => format!("{}, then each sample by itself", op.facts().words()),
        Want::Stencil(stencil) => {
            let kernels = match &stencil.shape {
                Shape::Product { .. } => described(Combine::Sum, 1),
                Shape::Kernels(kernels, combine) => described(*combine, kernels.len()),
            };
            let bias = if stencil.bias == 0.0 { String::new() } else { format!(", plus {}", figure(stencil.bias)) };
            kernels + &bias
        }
    };
    let chroma = if planes.contains('y') { "" } else { " (chroma, in samples of half the size)" };
    format!("{name} {planes}{chroma}: {about}")
}

/// At most so many characters.
fn excerpt(text: &str, most: usize) -> String {
    let start: String = text.chars().take(most).collect();
    if start.len() < text.len() { start + "…" } else { start }
}

//! The files of the page.

/// A file by its name: its type and what it holds.
pub(super) fn file(name: &str) -> Option<(&'static str, &'static str)> {
    FILES.iter().find(|(known, _)| *known == name).map(|(name, text)| (kind(name), *text))
}

/// The first page.
pub(super) const INDEX: &str = include_str!("page/index.html");

macro_rules! files {
    ($($name:literal),* $(,)?) => { [$(($name, include_str!(concat!("page/", $name)))),*] };
}

const FILES: &[(&str, &str)] = &files![
    "alive.js",
    "api.js",
    "axis.js",
    "card.css",
    "card.js",
    "chain.js",
    "clip.js",
    "colour.js",
    "control.js",
    "deck.js",
    "dom.js",
    "drag.js",
    "drop.js",
    "film.js",
    "focus.js",
    "gesture.js",
    "job.js",
    "key.js",
    "layout.js",
    "line.js",
    "loupe.js",
    "main.js",
    "mark.js",
    "memory.js",
    "out.js",
    "pair.js",
    "panel.css",
    "panel.js",
    "picker.js",
    "picture.js",
    "player.js",
    "probe.js",
    "quality.js",
    "raster.js",
    "region.js",
    "rough.js",
    "scope.js",
    "search.js",
    "shortcut.js",
    "stage.css",
    "stage.js",
    "style.css",
    "swipe.js",
    "text.js",
    "timeline.js",
    "tone.js",
];

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/html; charset=utf-8",
    }
}

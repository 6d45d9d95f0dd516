//! The text of a chain: parsed, printed, parsed again, edited and planned.

use std::sync::Arc;

use warpreel::filter::{Defaults, files, parse, places};
use warpreel::frame::{Format, Pixel, Rational};
use warpreel::plan::plan;

pub fn run(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    // Files elsewhere are nothing to read, and to wait for.
    if text.contains('/') {
        return;
    }
    let _ = (files(text), places(text, &Defaults::default()));
    let filters = match parse(text, &Defaults::default()) {
        Ok(filters) => filters,
        Err(error) => {
            let line = error.to_string();
            assert!(!line.contains('\n'), "{line:?}");
            return;
        }
    };
    let printed: Vec<String> = filters.iter().map(ToString::to_string).collect();
    let again = parse(&printed.join(","), &Defaults::default()).unwrap_or_else(|error| panic!("{printed:?}: {error}"));
    let again: Vec<String> = again.iter().map(ToString::to_string).collect();
    assert_eq!(printed, again, "{text:?}");
    for pixel in [Pixel::gray(8), Pixel::yuv420p(10)] {
        let format = Arc::new(Format::new(pixel, 24, 18, Rational::new(25, 1)));
        if let Ok(plan) = plan(&filters, &format) {
            let _ = (plan.latency(), plan.margin(), plan.explain(None).to_string());
        }
    }
}

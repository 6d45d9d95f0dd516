//! The table of filters: everything that is known about each, in one place. Parsing, help, documentation and errors
//! are made from it; adding a filter is adding a [`Spec`] to [`FILTERS`].

use super::spec::Spec;
use super::{any, deinterlace, denoise, edge, layer, point, rank, shape, sharpen, smooth, time};

/// All filters, by group.
pub static FILTERS: &[&Spec] = &[
    &any::convolution::SPEC,
    &any::kernel::SPEC,
    &smooth::gaussian::SPEC,
    &smooth::gaussian::IN_TIME,
    &smooth::lowpass::SPEC,
    &smooth::box_blur::SPEC,
    &smooth::box_blur::IN_TIME,
    &smooth::binomial::SPEC,
    &smooth::disk::SPEC,
    &smooth::motionblur::SPEC,
    &sharpen::unsharp::SPEC,
    &sharpen::sharpen::SPEC,
    &sharpen::highboost::SPEC,
    &sharpen::cas::SPEC,
    &sharpen::emboss::SPEC,
    &edge::gradient::SOBEL,
    &edge::gradient::PREWITT,
    &edge::gradient::SCHARR,
    &edge::gradient::ROBERTS,
    &edge::gradient::KIRSCH,
    &edge::gradient::MOTION,
    &edge::laplacian::SPEC,
    &edge::laplacian::OF_GAUSSIAN,
    &edge::dog::SPEC,
    &edge::gabor::SPEC,
    &time::tmix::SPEC,
    &time::taverage::SPEC,
    &time::tgaussian::SPEC,
    &time::tblend::SPEC,
    &time::tdiff::SPEC,
    &time::deflicker::SPEC,
    &time::stabilize::SPEC,
    &time::fps::SPEC,
    &time::framerate::SPEC,
    &time::decimate::SPEC,
    &denoise::measured::SPEC,
    &denoise::nlmeans::SPEC,
    &denoise::atadenoise::SPEC,
    &denoise::bilateral::SPEC,
    &denoise::bilateral::IN_TIME,
    &denoise::degrain::SPEC,
    &denoise::bm3d::SPEC,
    &denoise::deband::SPEC,
    &denoise::deblock::SPEC,
    &denoise::grain::SPEC,
    &deinterlace::bwdif::SPEC,
    &deinterlace::yadif::SPEC,
    &deinterlace::w3fdif::SPEC,
    &deinterlace::fieldmatch::SPEC,
    &rank::median::SPEC,
    &rank::median::IN_TIME,
    &rank::median::IN_SPACE_AND_TIME,
    &rank::morphology::ERODE,
    &rank::morphology::DILATE,
    &rank::morphology::OPEN,
    &rank::morphology::CLOSE,
    &point::levels::SPEC,
    &point::gain::GAIN,
    &point::gain::OFFSET,
    &point::gamma::SPEC,
    &point::invert::SPEC,
    &point::threshold::SPEC,
    &point::lut::SPEC,
    &point::lut1d::SPEC,
    &point::lut3d::SPEC,
    &point::curves::SPEC,
    &point::abs::SPEC,
    &point::eq::SPEC,
    &point::hue::SATURATION,
    &point::hue::HUE,
    &point::vibrance::SPEC,
    &point::mixer::SPEC,
    &point::temperature::SPEC,
    &point::exposure::SPEC,
    &point::colorspace::SPEC,
    &point::tonemap::SPEC,
    &point::tonemap::SDR,
    &shape::scale::SPEC,
    &shape::crop::SPEC,
    &shape::pad::SPEC,
    &shape::flip::HORIZONTAL,
    &shape::flip::VERTICAL,
    &shape::transpose::SPEC,
    &shape::rotate::SPEC,
    &shape::perspective::SPEC,
    &layer::overlay::SPEC,
    &layer::blend::SPEC,
];

/// The filter of that name.
pub fn find(name: &str) -> Option<&'static Spec> {
    FILTERS.iter().copied().find(|spec| spec.name == name)
}

/// The filter that other programs call `name`.
pub(super) fn known_elsewhere(name: &str) -> Option<&'static str> {
    FILTERS.iter().find(|spec| spec.elsewhere.contains(&name)).map(|spec| spec.name)
}

/// The filter whose name looks most like `name`, if any does.
pub(super) fn nearest_filter(name: &str) -> Option<&'static str> {
    nearest(name, FILTERS.iter().map(|spec| spec.name))
}

/// The candidate that looks most like `word`, if any does.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates.map(|name| (strsim::damerau_levenshtein(word, name), name));
    let (distance, name) = scored.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + name.len() / 4 || (word.len() >= 3 && name.starts_with(word))).then_some(name)
}

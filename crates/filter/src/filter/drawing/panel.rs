//! The panels of which a picture is made: taps, responses, tones, boxes.

use svg::node::element::{Group, Text};

use super::super::curve::Curve;
use super::super::pick::Pick;
use super::super::shape::SamplingCurve;
use super::chart::{Anchor, Area, Axes, HeatMap, card, figure, grid, inside, rectangle, text, ticks};
use super::response::Response;
use super::sampling;
use crate::pass::{Operation, Reach};

/// t, y and x, as axes and units are called.
const AXES: [(&str, &str); 3] = [("t", "frames"), ("y", "samples"), ("x", "samples")];

/// Points of a curve.
const POINTS: usize = 401;

/// Frequencies along each side of a map.
const SIDE: usize = 81;

/// The most cells of a map of taps along each axis.
const MAX_CELLS: usize = 64;

/// The most frames that are shown side by side.
const MAX_FRAMES: usize = 7;

/// What a panel shows.
pub(super) enum Panel<'a> {
    /// The taps of a kernel.
    Taps(&'a Response<'a>),
    /// Its response along each axis.
    Along(&'a Response<'a>),
    /// Its response in the picture.
    Flat(&'a Response<'a>),
    /// Output level for each input level, up to the largest.
    Tones(&'a Curve, f64),
    /// The samples that are looked at, and why.
    Box(Reach, String),
    /// The weights of old samples in a new one.
    Weights(SamplingCurve),
    /// The frequency response of these weights.
    Waves(SamplingCurve),
}

/// The panels that say most about a kernel.
pub(super) fn of<'a>(response: &'a Response<'a>) -> Vec<Panel<'a>> {
    let [_, height, width] = response.size();
    let mut panels = vec![Panel::Taps(response), Panel::Along(response)];
    if height > 1 && width > 1 {
        panels.push(Panel::Flat(response));
    }
    panels
}

impl Panel<'_> {
    /// The samples of which one is taken.
    pub(super) fn picked(pick: &Pick) -> Self {
        let words = match (pick.rank, pick.samples()) {
            (0, _) => "The smallest".to_owned(),
            (rank, samples) if rank + 1 == samples => "The largest".to_owned(),
            (rank, samples) if 2 * rank + 1 == samples => "The median".to_owned(),
            (rank, _) => format!("Number {}, ascending,", rank + 1),
        };
        Self::Box(Reach::of(pick.size, pick.anchor), words)
    }

    /// The samples that an operation looks at.
    pub(super) fn looked_at(facts: &dyn Operation) -> Self {
        Self::Box(facts.reach(), facts.words())
    }

    pub(super) fn draw(&self, area: Area) -> Group {
        match self {
            Self::Taps(response) => match (0..3).filter(|axis| response.size()[*axis] > 1).collect::<Vec<_>>()[..] {
                [axis] => stems(response, axis, area),
                _ => taps(response, area),
            },
            Self::Along(response) => along(response, area),
            Self::Flat(response) => flat(response, area),
            Self::Tones(curve, peak) => tones(curve, *peak, area),
            Self::Box(reach, words) => boxes(*reach, words, area),
            Self::Weights(curve) => sampling::weights(curve, area),
            Self::Waves(curve) => sampling::waves(curve, area),
        }
    }
}

/// A square, or whatever has `columns` to `rows`, in the middle of an area.
fn centred(area: Area, columns: f64, rows: f64) -> Area {
    let cell = (area.width / columns).min(area.height / rows);
    let (width, height) = (cell * columns, cell * rows);
    Area { x: area.x + (area.width - width) / 2.0, y: area.y + (area.height - height) / 2.0, width, height }
}

fn stems(response: &Response, axis: usize, area: Area) -> Group {
    let (length, anchor) = (response.size()[axis], response.anchor()[axis]);
    let values: Vec<f64> = (0..length)
        .map(|i| {
            let mut at = [0; 3];
            at[axis] = i;
            response.tap(at)
        })
        .collect();
    let (low, high) = values.iter().fold((0f64, 0f64), |(low, high), value| (low.min(*value), high.max(*value)));
    let room = if high > low { 0.08 * (high - low) } else { 1.0 };
    let low = if low < 0.0 { low - room } else { 0.0 };
    let ends = (-(anchor as f64) - 0.6, (length - 1 - anchor) as f64 + 0.6);
    let high = if high > 0.0 { high + room } else { room };
    let axes = Axes::new(inside(area), ends, (low, high));
    let whole: Vec<f64> = ticks(ends.0, ends.1, 8).into_iter().filter(|mark| mark.fract() == 0.0).collect();
    let (name, unit) = AXES[axis];
    let names = [format!("{name}, {unit}"), "tap".to_owned()];
    let group = card(area, &format!("{length} taps along {name}"));
    let mut group = axes.draw(group, [&names[0], &names[1]], [&whole, &ticks(low, high, 5)], true);
    let width = (0.6 * axes.area.width / length as f64).clamp(0.5, 18.0);
    for (i, &value) in values.iter().enumerate() {
        let at = i as f64 - anchor as f64;
        group = group.add(axes.stem(at, value, width));
        if length <= 9 {
            let y = if value < 0.0 { axes.y(value) + 13.0 } else { axes.y(value) - 5.0 };
            group = group.add(text(axes.x(at), y, figure(value), "", Anchor::Middle));
        }
    }
    group
}

/// The frames around the anchor that are shown.
fn frames(length: usize, anchor: usize) -> std::ops::Range<usize> {
    let first = anchor.saturating_sub(MAX_FRAMES / 2).min(length.saturating_sub(MAX_FRAMES));
    first..length.min(first + MAX_FRAMES)
}

fn taps(response: &Response, area: Area) -> Group {
    let ([depth, height, width], [t, y, x]) = (response.size(), response.anchor());
    // So many taps of each axis are one cell, which has their mean.
    let block = height.max(width).div_ceil(MAX_CELLS);
    let (rows, columns) = (height.div_ceil(block), width.div_ceil(block));
    let cell = |frame: usize, row: usize, column: usize| -> f64 {
        let down = row * block..height.min((row + 1) * block);
        let across = column * block..width.min((column + 1) * block);
        let count = (down.len() * across.len()) as f64;
        let sum: f64 = down.map(|y| across.clone().map(|x| response.tap([frame, y, x])).sum::<f64>()).sum();
        sum / count
    };
    // With the rest of the last cells, which holds no taps.
    let (whole_height, whole_width) = (rows * block, columns * block);
    let shown = frames(depth, t);
    let maps: Vec<Vec<f64>> = shown
        .clone()
        .map(|frame| (0..rows * columns).map(|i| cell(frame, i / columns, i % columns)).collect())
        .collect();
    let largest = maps.iter().flatten().fold(0f64, |largest, value| largest.max(value.abs()));
    let mut title = match depth {
        1 => format!("{width}\u{d7}{height} taps"),
        _ => format!("{width}\u{d7}{height}\u{d7}{depth} taps (x, y, t)"),
    };
    if block > 1 {
        title += &format!(", each cell the mean of {block}\u{d7}{block}");
    }
    if shown.len() < depth {
        title += &format!(", {} of the frames", shown.len());
    }
    let mut group = card(area, &title);
    let whole = inside(area);
    let rooms = tiles(whole, shown.len());
    for ((frame, values), room) in shown.zip(&maps).zip(rooms) {
        let place = centred(room, whole_width as f64, whole_height as f64);
        group =
            group.add(HeatMap { columns, values, largest, strongest: 0.6 }.draw(place)).add(rectangle(place, "frame"));
        let (dx, dy) = (place.width / whole_width as f64, place.height / whole_height as f64);
        if block == 1 {
            group = group.add(numbers(values, columns, place));
        }
        if frame == t && dx.min(dy) > 2.5 {
            let own = Area { x: place.x + x as f64 * dx, y: place.y + y as f64 * dy, width: dx, height: dy };
            group = group.add(rectangle(own, "anchor"));
        }
        if depth > 1 {
            group = group.add(number(frame, t, place));
            continue;
        }
        // Ticks at the middles of taps.
        let (across, down) = (ends(whole_width, x), ends(whole_height, y));
        let axes = Axes::new(place, across, (down.1, down.0));
        let marks = |(low, high): (f64, f64), room: f64| -> Vec<f64> {
            let marks = ticks(low, high, (room / 35.0).max(1.0) as usize);
            marks.into_iter().filter(|mark| mark.fract() == 0.0).collect()
        };
        let marks = [&marks(across, place.width)[..], &marks(down, place.height)];
        group = axes.draw(group, ["x, samples", "y, samples"], marks, false);
    }
    if depth > 1 { group.add(note(whole, "x and y in samples, t in frames")) } else { group }
}

/// Areas of the same size for so many frames, with room for a number above each; all of it for a single one.
fn tiles(area: Area, count: usize) -> Vec<Area> {
    if count == 1 {
        return vec![area];
    }
    const ABOVE: f64 = 20.0;
    const BESIDE: f64 = 10.0;
    let size = |columns: usize| {
        let width = (area.width - BESIDE * (columns - 1) as f64) / columns as f64;
        (width, area.height / count.div_ceil(columns) as f64 - ABOVE)
    };
    let side = |columns: &usize| size(*columns).0.min(size(*columns).1);
    let columns = (1..=count).max_by(|a, b| side(a).total_cmp(&side(b))).unwrap_or(1);
    let (width, height) = size(columns);
    let tile = |index: usize| Area {
        x: area.x + (width + BESIDE) * (index % columns) as f64,
        y: area.y + (height + ABOVE) * (index / columns) as f64 + ABOVE,
        width,
        height,
    };
    (0..count).map(tile).collect()
}

/// Which frame a tile shows, counted from the centre.
fn number(frame: usize, centre: usize, place: Area) -> Text {
    let words = format!("t {}", figure(frame as f64 - centre as f64));
    text(place.x + place.width / 2.0, place.y - 5.0, words, "soft", Anchor::Middle)
}

/// What stands below all tiles of a card.
fn note(inside: Area, words: &str) -> Text {
    text(inside.x + inside.width / 2.0, inside.y + inside.height + 35.0, words, "soft", Anchor::Middle)
}

fn ends(length: usize, anchor: usize) -> (f64, f64) {
    (-(anchor as f64) - 0.5, (length - anchor) as f64 - 0.5)
}

/// What the third digit of a number counts.
fn figure_unit(number: f64) -> f64 {
    if number > 0.0 { libm::pow(10.0, (libm::log10(number) - 2.0).floor()) } else { 1.0 }
}

/// The numbers in the cells of a map, if they are large enough to be read.
fn numbers(values: &[f64], columns: usize, place: Area) -> Group {
    let largest = values.iter().fold(0f64, |largest, value| largest.max(value.abs()));
    let unit = figure_unit(largest);
    let word = |value: f64| match (value / unit).round() * unit {
        rounded if rounded == 0.0 && value != 0.0 => "≈0".to_owned(),
        rounded => figure(rounded),
    };
    let words: Vec<String> = values.iter().map(|value| word(*value)).collect();
    let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(1);
    let cell = (place.width / columns as f64, place.height / (values.len() / columns) as f64);
    // A digit is about 0.6 of the size across.
    let size = (0.9 * cell.0 / (0.6 * longest as f64)).min(0.7 * cell.1).min(13.0);
    let mut group = Group::new();
    if size < 8.5 {
        return group;
    }
    for (i, word) in words.into_iter().enumerate() {
        let (column, row) = ((i % columns) as f64, (i / columns) as f64);
        let (x, y) = (place.x + (column + 0.5) * cell.0, place.y + (row + 0.5) * cell.1 + 0.35 * size);
        group = group.add(text(x, y, word, "", Anchor::Middle).set("style", format!("font-size: {size:.1}px")));
    }
    group
}

/// Up to which frequency, a half at most, a response is shown: halved as long as the upper half holds less than a 50th
/// of the largest magnitude, as that of a wide blur does.
fn interesting(response: &Response) -> f64 {
    let axes = || (0..3).filter(|axis| response.size()[*axis] > 1);
    let largest = |from: f64, to: f64| {
        let frequencies: Vec<f64> = (0..=128).map(|i| from + (to - from) * f64::from(i) / 128.0).collect();
        axes().flat_map(|axis| response.along(axis, &frequencies)).fold(0.0, f64::max)
    };
    let mut end = 0.5;
    while end > 1e-4 && 50.0 * largest(0.5 * end, end) < largest(0.0, 0.5 * end) {
        end *= 0.5;
    }
    end
}

fn along(response: &Response, area: Area) -> Group {
    let size = response.size();
    let end = interesting(response);
    let frequencies: Vec<f64> = (0..POINTS).map(|i| end * i as f64 / (POINTS - 1) as f64).collect();
    let mut curves: Vec<(String, Vec<f64>)> = Vec::new();
    // x first, as the map of taps is read.
    for axis in [2, 1, 0] {
        if size[axis] == 1 && size != [1, 1, 1] {
            continue;
        }
        let values = response.along(axis, &frequencies);
        let same = |known: &[f64]| known.iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-9);
        match curves.iter_mut().find(|(_, known)| same(known)) {
            Some((name, _)) => *name += &format!(", {}", AXES[axis].0),
            None => curves.push((AXES[axis].0.to_owned(), values)),
        }
    }
    let largest = curves.iter().flat_map(|(_, values)| values).fold(1f64, |largest, value| largest.max(*value));
    let top = 1.08 * largest;
    let axes = Axes::new(inside(area), (0.0, end), (0.0, top));
    let unit = match (size[0] > 1, size[1] > 1 || size[2] > 1) {
        (true, true) => "frequency, cycles per sample (x, y) or frame (t)",
        (true, false) => "frequency, cycles per frame",
        _ => "frequency, cycles per sample",
    };
    let marks = ticks(0.0, end, 5);
    let group = card(area, "Magnitude of the frequency response");
    let mut group = axes.draw(group, [unit, "output / input"], [&marks, &ticks(0.0, top, 5)], true);
    for (index, (name, values)) in curves.iter().enumerate() {
        let points: Vec<_> = frequencies.iter().copied().zip(values.iter().copied()).collect();
        group = group.add(axes.curve(&points, &format!("curve{index}")));
        let y = axes.area.y + 14.0 + 17.0 * index as f64;
        let right = axes.area.x + axes.area.width;
        let words = text(right - 16.0, y, format!("along {name}"), "", Anchor::End);
        let key = Area { x: right - 10.0, y: y - 9.0, width: 10.0, height: 10.0 };
        group = group.add(words).add(rectangle(key, &format!("key{index}")));
    }
    group
}

fn flat(response: &Response, area: Area) -> Group {
    let (half, end) = ((SIDE / 2) as f64, interesting(response));
    let frequencies: Vec<f64> = (0..SIDE).map(|i| end * (i as f64 - half) / half).collect();
    let values = response.flat(&frequencies, &frequencies);
    let largest = values.iter().fold(0f64, |largest, value| largest.max(*value));
    let map = HeatMap { columns: SIDE, values: &values, largest, strongest: 1.0 };
    let room = inside(area);
    let place = centred(Area { width: room.width - 40.0, ..room }, 1.0, 1.0);
    let group = card(area, "Magnitude in the picture").add(map.draw(place)).add(rectangle(place, "frame"));
    // As rows are, frequencies down are counted downwards.
    let axes = Axes::new(place, (-end, end), (end, -end));
    let marks = ticks(-end, end, 4);
    let group = axes.draw(group, ["x, cycles per sample", "y, cycles per sample"], [&marks, &marks], false);
    map.scale(group, Area { x: place.x + place.width + 14.0, width: 12.0, ..place })
}

fn tones(curve: &Curve, peak: f64, area: Area) -> Group {
    let room = inside(area);
    let axes = Axes::new(centred(room, 1.0, 1.0), (0.0, peak), (0.0, peak));
    let marks = ticks(0.0, peak, 5);
    let group = card(area, "Output level for each input level");
    let group = axes.draw(group, ["sample", "result"], [&marks, &marks], true);
    let points: Vec<_> =
        (0..=peak as usize).map(|sample| (sample as f64, curve.value(sample as f64).clamp(0.0, peak))).collect();
    group.add(axes.curve(&[(0.0, 0.0), (peak, peak)], "same")).add(axes.curve(&points, "curve0"))
}

fn boxes(reach: Reach, words: &str, area: Area) -> Group {
    let ([depth, height, width], [t, y, x]) = (reach.size(), reach.before);
    let size =
        if depth == 1 { format!("{width}\u{d7}{height}") } else { format!("{width}\u{d7}{height}\u{d7}{depth}") };
    let mut group = card(area, &format!("{words} of {size} samples"));
    let whole = inside(area);
    let shown = frames(depth, t);
    let rooms = tiles(whole, shown.len());
    for (frame, room) in shown.zip(rooms) {
        // A single sample fills no card.
        let cell = (room.width / width.max(3) as f64).min(room.height / height.max(3) as f64);
        let (columns, rows) = (width as f64, height as f64);
        let place = Area {
            x: room.x + (room.width - cell * columns) / 2.0,
            y: room.y + (room.height - cell * rows) / 2.0,
            width: cell * columns,
            height: cell * rows,
        };
        let values = vec![1.0; width * height];
        group = group.add(HeatMap { columns: width, values: &values, largest: 1.0, strongest: 0.35 }.draw(place));
        if cell > 5.0 {
            group = group.add(grid(place, width, height));
        }
        if frame == t {
            let own = Area { x: place.x + x as f64 * cell, y: place.y + y as f64 * cell, width: cell, height: cell };
            group = group.add(rectangle(own, "anchor"));
        }
        if depth > 1 {
            group = group.add(number(frame, t, place));
        }
    }
    group.add(note(whole, if depth > 1 { "x and y in samples, t in frames" } else { "x and y in samples" }))
}

//! Panels: axes with ticks, curves, stems, and maps of cells. Colours are classes, so that light and dark are one matter
//! of style.

use svg::node::element::{Group, Line, Path, Rectangle, Text};

/// A rectangle of the picture, in its units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Which end of a text, or its middle, is at the place that is given.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) fn text(x: f64, y: f64, words: impl Into<String>, class: &str, anchor: Anchor) -> Text {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    Text::new(words).set("x", place(x)).set("y", place(y)).set("class", class).set("text-anchor", anchor)
}

fn line(from: (f64, f64), to: (f64, f64), class: &str) -> Line {
    let line = Line::new().set("x1", place(from.0)).set("y1", place(from.1));
    line.set("x2", place(to.0)).set("y2", place(to.1)).set("class", class)
}

pub(super) fn rectangle(area: Area, class: &str) -> Rectangle {
    let shape = Rectangle::new().set("x", place(area.x)).set("y", place(area.y)).set("class", class);
    shape.set("width", place(area.width)).set("height", place(area.height))
}

/// Lines between the cells of an area, and around it.
pub(super) fn grid(area: Area, columns: usize, rows: usize) -> Group {
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    let group = (0..=columns).fold(Group::new(), |group, column| {
        let x = area.x + area.width * column as f64 / columns as f64;
        group.add(line((x, area.y), (x, bottom), "grid"))
    });
    (0..=rows).fold(group, |group, row| {
        let y = area.y + area.height * row as f64 / rows as f64;
        group.add(line((area.x, y), (right, y), "grid"))
    })
}

/// A coordinate to a hundredth of a unit.
fn place(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// A number in about three digits.
pub(super) fn figure(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let text = match number.abs() {
        size if size < 5e-5 => format!("{number:.0e}"),
        size if size >= 1e5 => format!("{number:.1e}"),
        size => {
            let digits = (2.0 - libm::log10(size).floor()).clamp(0.0, 6.0) as usize;
            let text = format!("{number:.digits$}");
            if digits > 0 { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
        }
    };
    text.replace('-', "\u{2212}")
}

/// Round numbers from `low` to `high`, about `count` of them.
pub(super) fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let rough = (high - low) / count as f64;
    let unit = libm::pow(10.0, libm::log10(rough).floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|part| part * unit).into_iter().find(|step| *step >= rough * 0.999);
    let step = step.unwrap_or(10.0 * unit);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

/// Where a number of either axis lies in the picture.
pub(super) struct Axes {
    pub(super) area: Area,
    across: (f64, f64),
    /// At the bottom, at the top.
    up: (f64, f64),
}

impl Axes {
    /// Axes with these ends around `area`, neither of them empty.
    pub(super) fn new(area: Area, across: (f64, f64), up: (f64, f64)) -> Self {
        Self { area, across, up }
    }

    pub(super) fn x(&self, value: f64) -> f64 {
        self.area.x + (value - self.across.0) / (self.across.1 - self.across.0) * self.area.width
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.area.y + (self.up.1 - value) / (self.up.1 - self.up.0) * self.area.height
    }

    /// The frame with ticks and names; lines across the area where `grid` says so.
    pub(super) fn draw(&self, group: Group, names: [&str; 2], marks: [&[f64]; 2], grid: bool) -> Group {
        let Area { x, y, width, height } = self.area;
        let mut group = group;
        for &mark in marks[0] {
            let at = self.x(mark);
            let top = if grid { y } else { y + height };
            group = group.add(line((at, top), (at, y + height + 4.0), "grid"));
            group = group.add(text(at, y + height + 17.0, figure(mark), "soft", Anchor::Middle));
        }
        for &mark in marks[1] {
            let at = self.y(mark);
            group = group.add(line((x - 4.0, at), (if grid { x + width } else { x }, at), "grid"));
            group = group.add(text(x - 7.0, at + 4.0, figure(mark), "soft", Anchor::End));
        }
        let turned = text(0.0, 0.0, names[1], "soft", Anchor::Middle)
            .set("transform", format!("translate({} {}) rotate(-90)", place(x - 52.0), place(y + height / 2.0)));
        group.add(text(x + width / 2.0, y + height + 35.0, names[0], "soft", Anchor::Middle)).add(turned)
    }

    /// A curve through points.
    pub(super) fn curve(&self, points: &[(f64, f64)], class: &str) -> Path {
        let mut data = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let mark = if index == 0 { 'M' } else { 'L' };
            data += &format!("{mark}{} {}", place(self.x(*x)), place(self.y(*y)));
        }
        Path::new().set("d", data).set("class", class)
    }

    /// A bar from 0 to `value`.
    pub(super) fn stem(&self, at: f64, value: f64, width: f64) -> Rectangle {
        let (zero, end) = (self.y(0.0), self.y(value));
        let area = Area { x: self.x(at) - width / 2.0, y: zero.min(end), width, height: (zero - end).abs().max(0.5) };
        rectangle(area, if value < 0.0 { "down" } else { "up" })
    }
}

/// Values side by side, row by row from the top, of a colour that is the stronger the further a value is from 0.
pub(super) struct HeatMap<'a> {
    pub(super) columns: usize,
    pub(super) values: &'a [f64],
    /// What has the strongest colour.
    pub(super) largest: f64,
    /// How opaque that is, 0 to 1.
    pub(super) strongest: f64,
}

impl HeatMap<'_> {
    /// Strengths that are told apart.
    const LEVELS: i32 = 48;

    pub(super) fn draw(&self, area: Area) -> Group {
        let rows = self.values.len() / self.columns;
        let level = |value: f64| {
            let part = if self.largest > 0.0 { (value / self.largest).clamp(-1.0, 1.0) } else { 0.0 };
            (part * f64::from(Self::LEVELS)).round() as i32
        };
        // The cells of each level as one path, neighbours of a row as one rectangle.
        let mut paths = std::collections::BTreeMap::<i32, String>::new();
        for (y, row) in self.values.chunks(self.columns).enumerate() {
            let mut x = 0;
            for run in row.chunk_by(|a, b| level(*a) == level(*b)) {
                let length = run.len();
                if level(run[0]) != 0 {
                    *paths.entry(level(run[0])).or_default() += &format!("M{x} {y}h{length}v1h-{length}z");
                }
                x += length;
            }
        }
        let scale = (area.width / self.columns as f64, area.height / rows as f64);
        let group = Group::new().set("shape-rendering", "crispEdges").set(
            "transform",
            format!("translate({} {}) scale({:.5} {:.5})", place(area.x), place(area.y), scale.0, scale.1),
        );
        paths.into_iter().fold(group, |group, (level, data)| {
            let opacity = self.strongest * f64::from(level.abs()) / f64::from(Self::LEVELS);
            let class = if level < 0 { "down" } else { "up" };
            group.add(Path::new().set("d", data).set("class", class).set("fill-opacity", place(opacity)))
        })
    }

    /// The colours from 0 to the largest value, beside a map.
    pub(super) fn scale(&self, group: Group, area: Area) -> Group {
        let steps: Vec<f64> = (0..24).rev().map(|step| self.largest * (f64::from(step) + 0.5) / 24.0).collect();
        let bar = HeatMap { columns: 1, values: &steps, ..*self }.draw(area);
        let right = area.x + area.width + 5.0;
        let group = group.add(bar).add(rectangle(area, "frame"));
        let group = group.add(text(right, area.y + 9.0, figure(self.largest), "soft", Anchor::Start));
        group.add(text(right, area.y + area.height, "0", "soft", Anchor::Start))
    }
}

/// An empty card with a title.
pub(super) fn card(area: Area, title: &str) -> Group {
    let heading = text(area.x + 18.0, area.y + 26.0, title, "heading", Anchor::Start);
    Group::new().add(rectangle(area, "card").set("rx", 10)).add(heading)
}

/// The area of the axes in a card, within its margins.
pub(super) fn inside(card: Area) -> Area {
    Area { x: card.x + 66.0, y: card.y + 44.0, width: card.width - 88.0, height: card.height - 92.0 }
}

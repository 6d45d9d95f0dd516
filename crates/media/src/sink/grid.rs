//! Times as numbers of frames, for outputs that count frames instead of time.

use anyhow::{Result, bail};

use crate::frame::{Format, Rational};
use crate::strictness::Strictness;

/// The grid of a constant rate.
pub struct Grid {
    rate: Rational,
    time_base: Rational,
}

impl Grid {
    /// The grid of a clip's nominal rate; `None` where it has none.
    pub fn new(format: &Format) -> Option<Self> {
        let Format { rate, time_base, .. } = *format;
        (rate.value().is_some() && time_base.value().is_some()).then_some(Self { rate, time_base })
    }

    /// The place on the grid that is nearest to a time, and whether the time is on the grid but for the rounding to
    /// the clip's time base, as Matroska's to milliseconds: filters that divide a time base keep what was rounded before, so that a
    /// millisecond is allowed in any, up to a 16th of a frame.
    pub fn place(&self, pts: i64) -> (i64, Fit) {
        let tick = i128::from(self.time_base.num) * i128::from(self.rate.num);
        let frame = i128::from(self.time_base.den) * i128::from(self.rate.den);
        let time = i128::from(pts) * tick;
        let place = (2 * time + frame).div_euclid(2 * frame);
        // A second is as many units as a frame times the rate.
        let second = i128::from(self.time_base.den) * i128::from(self.rate.num);
        let allowed = tick.max((second / 1000).min(frame / 16));
        let fit = if (place * frame - time).abs() <= allowed { Fit::On } else { Fit::Off };
        // A rate beyond one frame a tick could leave the range.
        (i64::try_from(place).unwrap_or(if place < 0 { i64::MIN } else { i64::MAX }), fit)
    }
}

/// Whether a time is on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It is.
    On,
    /// It lies between.
    Off,
}

/// What an output makes of a frame that does not follow the one before at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The one before is shown for longer.
    Kept,
    /// Nothing: frames are shown one after the other.
    Closed,
}

/// Tells when an output that counts frames does not keep the times of its clip.
pub struct Pace {
    /// Until a frame was off it.
    grid: Option<Grid>,
    gap: Gap,
    strict: Strictness,
    /// The time at which the grid begins; that of the first frame unless said.
    origin: Option<i64>,
    /// The place of the last frame.
    last: i64,
    count: i64,
}

impl Pace {
    const WAY_OUT: &str = "use .mkv, or a pipe with --container nut, which keep times";

    /// The pace of a clip's nominal rate; a clip that has none is not watched.
    pub fn new(format: &Format, gap: Gap, strict: Strictness) -> Self {
        Self { grid: Grid::new(format), gap, strict, origin: None, last: i64::MIN, count: 0 }
    }

    /// The same for an output where not only the distances of frames count: the grid begins at time 0.
    pub fn since_zero(self) -> Self {
        Self { origin: Some(0), ..self }
    }

    /// Takes the time of the next frame; says so once where it is not kept. `name` is the output's, for messages.
    ///
    /// # Errors
    /// With [`Strictness::Strict`], instead of a warning.
    pub fn check(&mut self, pts: i64, name: &str) -> Result<()> {
        let number = self.count;
        self.count += 1;
        let Some(grid) = &self.grid else { return Ok(()) };
        let (place, fit) = grid.place(pts.saturating_sub(*self.origin.get_or_insert(pts)));
        let follows = match self.gap {
            Gap::Kept => place > self.last,
            Gap::Closed => place == number,
        };
        self.last = place;
        if fit == Fit::On && follows {
            return Ok(());
        }
        let loss = match self.gap {
            Gap::Kept => {
                let rate = grid.rate;
                format!("frame {number} is off the grid of {rate} frames per second; times in {name} are rounded")
            }
            Gap::Closed => format!("frame times are uneven from frame {number}, and {name} plays them evenly"),
        };
        self.grid = None;
        lose(&loss, Some(Self::WAY_OUT), self.strict)
    }

    /// Says that the clip has no rate, so that the output makes one up.
    ///
    /// # Errors
    /// With [`Strictness::Strict`], instead of a warning.
    pub fn invent(&self, rate: Rational, name: &str) -> Result<()> {
        let loss = format!("the clip has no constant frame rate; {name} is written at {rate} frames per second");
        lose(&loss, Some(Self::WAY_OUT), self.strict)
    }
}

/// Says what an output does not keep, and what to type instead.
///
/// # Errors
/// With [`Strictness::Strict`], instead of a warning.
pub fn lose(loss: &str, way_out: Option<&str>, strict: Strictness) -> Result<()> {
    match (strict, way_out) {
        (Strictness::Strict, Some(way_out)) => bail!("{loss}; {way_out}, or leave out --strict"),
        (Strictness::Strict, None) => bail!("{loss}; leave out --strict"),
        (Strictness::Lenient, Some(way_out)) => log::warn!("{loss}; {way_out}"),
        (Strictness::Lenient, None) => log::warn!("{loss}"),
    }
    Ok(())
}

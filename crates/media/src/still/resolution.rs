//! Resolution of a still in print.

/// Pixels an inch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Resolution {
    pub x: f64,
    pub y: f64,
}

impl Resolution {
    /// Most pixels an inch.
    const MOST: f64 = 1e6;

    /// Pixels a unit, of which an inch has `units`; `None` where that is no resolution.
    pub(super) fn new(x: f64, y: f64, units: f64) -> Option<Self> {
        let is_sound = |value: f64| value * units >= 1.0 && value * units <= Self::MOST;
        (is_sound(x) && is_sound(y)).then_some(Self { x: x * units, y: y * units })
    }

    /// Pixels a metre.
    pub(super) fn of_metre(x: u32, y: u32) -> Option<Self> {
        Self::new(f64::from(x), f64::from(y), 0.0254)
    }

    pub(super) fn a_metre(self) -> [u32; 2] {
        [self.x, self.y].map(|value| (value / 0.0254).round() as u32)
    }
}

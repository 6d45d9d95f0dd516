//! How bright a picture was mastered to be: FFmpeg's side data as text for encoders that keep it in the stream.

/// Primaries, white point and luminance of the display that a clip was mastered on; each pair is a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mastering {
    /// Red, green, blue, white: x, y.
    points: [[f64; 2]; 4],
    /// Darkest and brightest, in cd/m².
    luminance: [f64; 2],
}

/// The brightest pixel and the brightest average of a frame, in cd/m².
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub brightest: u32,
    pub average: u32,
}

impl Mastering {
    /// Reads FFmpeg's `AVMasteringDisplayMetadata`: eight ratios for the points, two for the luminance, two flags.
    /// `None` unless both are given.
    pub fn parse(data: &[u8]) -> Option<Self> {
        let mut words = data.as_chunks::<4>().0.iter().map(|word| i32::from_ne_bytes(*word));
        let mut ratio = || Some(f64::from(words.next()?) / f64::from(words.next()?));
        let mut points = [[0.0; 2]; 4];
        for value in points.iter_mut().flatten() {
            *value = ratio()?;
        }
        let luminance = [ratio()?, ratio()?];
        let has = [words.next()?, words.next()?];
        let is_sane = points.iter().flatten().chain(&luminance).all(|value| value.is_finite());
        (has == [1, 1] && is_sane).then_some(Self { points, luminance })
    }

    /// Luminance of the brightest white in whole cd/m²; 0 where it has none that is positive.
    pub fn brightest(&self) -> u32 {
        // The conversion clamps.
        self.luminance[1].round() as u32
    }

    /// In units of 0.00002 and 0.0001 cd/m², as libx264 and libx265 take it.
    pub fn in_steps(&self) -> String {
        let [[rx, ry], [gx, gy], [bx, by], [wx, wy]] = self.points.map(|p| p.map(|v| (v * 50000.0).round()));
        let [min, max] = self.luminance.map(|v| (v * 10000.0).round());
        format!("G({gx},{gy})B({bx},{by})R({rx},{ry})WP({wx},{wy})L({max},{min})")
    }

    /// In plain numbers, as libsvtav1 takes it.
    pub fn in_numbers(&self) -> String {
        let [[rx, ry], [gx, gy], [bx, by], [wx, wy]] = self.points;
        let [min, max] = self.luminance;
        format!("G({gx},{gy})B({bx},{by})R({rx},{ry})WP({wx},{wy})L({max},{min})")
    }
}

impl Content {
    /// Reads FFmpeg's `AVContentLightMetadata`.
    pub fn parse(data: &[u8]) -> Option<Self> {
        let mut words = data.as_chunks::<4>().0.iter().map(|word| u32::from_ne_bytes(*word));
        Some(Self { brightest: words.next()?, average: words.next()? })
    }
}

//! PSNR and SSIM of a plane as their definitions read, in f64 and nested loops.

/// A plane of numbers.
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub samples: Vec<f64>,
}

impl Picture {
    fn at(&self, x: usize, y: usize) -> f64 {
        self.samples[y * self.width + x]
    }
}

/// The mean squared difference.
pub fn squared_error(a: &Picture, b: &Picture) -> f64 {
    let mut sum = 0.0;
    for y in 0..a.height {
        for x in 0..a.width {
            sum += (a.at(x, y) - b.at(x, y)).powi(2);
        }
    }
    sum / (a.width * a.height) as f64
}

/// The mean similarity of windows of 8×8 samples, four apart, by means, variances and the covariance; `None` without a window.
///
/// FFmpeg's constants, which are those of x264: of the means `(0.01 L)²` over 64, since it adds it to sums whose products are 64²
/// as large, and of the variances `(0.03 L)²`, those with 63 in place of 64.
pub fn similarity(a: &Picture, b: &Picture, peak: f64, is_whole: bool) -> Option<f64> {
    let round = |value: f64| if is_whole { (value + 0.5).floor() } else { value };
    let c1 = round(0.0001 * peak * peak * 64.0) / (64.0 * 64.0);
    let c2 = round(0.0009 * peak * peak * 64.0 * 63.0) / (64.0 * 64.0);
    let (mut sum, mut count) = (0.0, 0);
    for top in (0..a.height).step_by(4).filter(|top| top + 8 <= a.height) {
        for left in (0..a.width).step_by(4).filter(|left| left + 8 <= a.width) {
            let places = || (0..64).map(|place| (left + place % 8, top + place / 8));
            let mean = |picture: &Picture| places().map(|(x, y)| picture.at(x, y)).sum::<f64>() / 64.0;
            let (mean_a, mean_b) = (mean(a), mean(b));
            let moment = |one: &Picture, own: f64, other: &Picture, its: f64| {
                places().map(|(x, y)| (one.at(x, y) - own) * (other.at(x, y) - its)).sum::<f64>() / 64.0
            };
            let (own, other) = (moment(a, mean_a, a, mean_a), moment(b, mean_b, b, mean_b));
            let both = moment(a, mean_a, b, mean_b);
            sum += (2.0 * mean_a * mean_b + c1) * (2.0 * both + c2)
                / ((mean_a * mean_a + mean_b * mean_b + c1) * (own + other + c2));
            count += 1;
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}

//! HDR as SDR in `f64`, by the formulas of BT.2100, BT.2390, BT.709 and BT.1886 alone: no table, nothing rounded.

/// A call of the filter.
#[derive(Clone, Copy, Debug)]
pub struct Toning<'a> {
    pub is_hlg: bool,
    pub curve: &'a str,
    /// Luminance that becomes white, in cd/m², and that of white.
    pub peak: f64,
    pub target: f64,
}

/// What a pixel becomes.
pub struct Toned {
    /// Luma and chroma, in steps of the output.
    pub yuv: [f64; 3],
    /// Linear red, green and blue before they are clipped.
    pub light: [f64; 3],
}

const M1: f64 = 0.159_301_757_812_5;
const M2: f64 = 78.843_75;
const C1: f64 = 0.835_937_5;
const C2: f64 = 18.851_562_5;
const C3: f64 = 18.687_5;

fn pq_to_light(coded: f64) -> f64 {
    let root = coded.clamp(0.0, 1.0).powf(1.0 / M2);
    10000.0 * ((root - C1).max(0.0) / (C2 - C3 * root)).powf(1.0 / M1)
}

fn light_to_pq(light: f64) -> f64 {
    let y = (light / 10000.0).powf(M1);
    ((C1 + C2 * y) / (1.0 + C3 * y)).powf(M2)
}

fn hlg_to_scene(coded: f64) -> f64 {
    let a: f64 = 0.178_832_77;
    let (b, c) = (1.0 - 4.0 * a, 0.5 - a * (4.0 * a).ln());
    match coded {
        x if x <= 0.0 => 0.0,
        x if x <= 0.5 => x * x / 3.0,
        x => (((x - c) / a).exp() + b) / 12.0,
    }
}

/// The inverse of a matrix by Cramer's rule.
fn inverse(m: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let minor = |r: usize, c: usize| {
        let [a, b] = [(r + 1) % 3, (r + 2) % 3];
        let [d, e] = [(c + 1) % 3, (c + 2) % 3];
        m[a][d] * m[b][e] - m[a][e] * m[b][d]
    };
    let whole: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
    [0, 1, 2].map(|r| [0, 1, 2].map(|c| minor(c, r) / whole))
}

fn apply(m: [[f64; 3]; 3], [a, b, c]: [f64; 3]) -> [f64; 3] {
    m.map(|row| row[0] * a + row[1] * b + row[2] * c)
}

/// XYZ of primaries whose white is D65 with a luminance of 1.
fn to_xyz(colours: [[f64; 2]; 3]) -> [[f64; 3]; 3] {
    let over = |[x, y]: [f64; 2]| [x / y, 1.0, (1.0 - x - y) / y];
    let columns = colours.map(over);
    let matrix = [0, 1, 2].map(|row| columns.map(|column| column[row]));
    let scales = apply(inverse(matrix), over([0.3127, 0.3290]));
    matrix.map(|row| [0, 1, 2].map(|n| row[n] * scales[n]))
}

/// The curve, in luminance relative to the target; no more than 1.
fn compressed(toning: Toning, x: f64) -> f64 {
    let p = toning.peak / toning.target;
    let hable = |x: f64| (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.02 / 0.3;
    let y = match toning.curve {
        _ if p <= 1.0 => x,
        "clip" => x,
        "hable" => hable(x) / hable(p),
        "reinhard" => x / (x + 1.0) * (p + 1.0) / p,
        "mobius" if x <= 0.3 => x,
        "mobius" => {
            let a = -0.09 * (p - 1.0) / (0.09 - 0.6 + p);
            let b = (0.09 - 0.6 * p + p) / (p - 1.0);
            (b * b + 0.6 * b + 0.09) / (b - a) * (x + a) / (x + b)
        }
        "bt2390" => {
            let white = light_to_pq(toning.peak);
            let e1 = light_to_pq((x * toning.target).min(toning.peak)) / white;
            let max = light_to_pq(toning.target) / white;
            let ks = 1.5 * max - 0.5;
            if e1 < ks {
                return x;
            }
            let t = (e1 - ks) / (1.0 - ks);
            let e2 = (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0) * ks
                + (t.powi(3) - 2.0 * t.powi(2) + t) * (1.0 - ks)
                + (-2.0 * t.powi(3) + 3.0 * t.powi(2)) * max;
            pq_to_light(e2 * white) / toning.target
        }
        other => panic!("{other} is no curve"),
    };
    y.min(1.0)
}

/// What a pixel of BT.2020 in limited range becomes in limited range of BT.709.
pub fn exact(toning: Toning, samples: [f64; 3], [from, to]: [u32; 2]) -> Toned {
    let [unit, made] = [from, to].map(|depth| f64::from(1u32 << (depth - 8)));
    let [y, u, v] = samples;
    let (y, u, v) = ((y / unit - 16.0) / 219.0, (u / unit - 128.0) / 224.0, (v / unit - 128.0) / 224.0);
    let (r, b) = (y + 1.4746 * v, y + 1.8814 * u);
    let coded = [r, (y - 0.2627 * r - 0.0593 * b) / 0.6780, b];
    let wide = to_xyz([[0.708, 0.292], [0.170, 0.797], [0.131, 0.046]]);
    let mut light = match toning.is_hlg {
        false => coded.map(|c| pq_to_light(c) / toning.target),
        true => {
            let scene = coded.map(hlg_to_scene);
            let [_, luminance, _] = apply(wide, scene);
            let gamma = 1.2 * 1.111f64.powf((toning.peak / 1000.0).log2());
            let factor = if luminance > 0.0 { luminance.powf(gamma - 1.0) } else { 0.0 };
            scene.map(|c| c * factor * toning.peak / toning.target)
        }
    };
    let most = light.into_iter().fold(0.0, f64::max);
    if most > 0.0 {
        light = light.map(|c| c * (compressed(toning, most) / most));
    }
    let narrow = to_xyz([[0.640, 0.330], [0.300, 0.600], [0.150, 0.060]]);
    let light = apply(inverse(narrow), apply(wide, light));
    let [r, g, b] = light.map(|c| c.clamp(0.0, 1.0).powf(1.0 / 2.4));
    let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let chroma = [(b - luma) / 1.8556, (r - luma) / 1.5748].map(|c| made * (128.0 + 224.0 * c));
    Toned { yuv: [made * (16.0 + 219.0 * luma), chroma[0], chroma[1]], light }
}

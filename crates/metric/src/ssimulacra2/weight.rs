//! Weight of each figure in the score.

/// Weights that are not zero, by their place: channel, scale, norm, and error, ringing or blurring.
const WEIGHTS: [(usize, f64); 52] = [
    (1, 0.0007376606707406586),
    (4, 0.0007793481682867309),
    (7, 0.0004371155730107379),
    (9, 1.1041726426657346),
    (10, 0.00066284834129271),
    (11, 0.00015231632783718752),
    (13, 0.0016406437456599754),
    (15, 1.8422455520539298),
    (16, 11.441172603757666),
    (18, 0.0007989109436015163),
    (19, 0.000176816438078653),
    (21, 1.8787594979546387),
    (22, 10.94906990605142),
    (24, 0.0007289346991508072),
    (25, 0.9677937080626833),
    (27, 0.00014003424285435884),
    (28, 0.9981766977854967),
    (29, 0.00031949755934435053),
    (30, 0.0004550992113792063),
    (33, 0.0013648766163243398),
    (39, 7.466890328078848),
    (41, 17.445833984131262),
    (42, 0.0006235601634041466),
    (45, 6.683678146179332),
    (46, 0.00037724407979611296),
    (47, 1.027889937768264),
    (48, 225.20515300849274),
    (51, 19.213238186143016),
    (52, 0.0011401524586618361),
    (53, 0.001237755635509985),
    (54, 176.39317598450694),
    (57, 24.43300999870476),
    (58, 0.28520802612117757),
    (59, 0.0004485436923833408),
    (63, 34.77906344483772),
    (64, 44.835625328877896),
    (73, 0.0008680556573291698),
    (79, 0.0005313191874358747),
    (81, 0.00016533814161379112),
    (87, 0.0004179171803251336),
    (88, 0.0017290828234722833),
    (90, 0.0020827005846636437),
    (93, 8.826982764996862),
    (94, 23.19243343998926),
    (96, 95.1080498811086),
    (97, 0.9863978034400682),
    (98, 0.9834382792465353),
    (99, 0.0012286405048278493),
    (100, 171.2667255897307),
    (101, 0.9807858872435379),
    (105, 0.0005130064588990679),
    (107, 0.00010854057858411537),
];

/// Scales, each half the size of the one before.
pub const SCALES: usize = 6;

/// Figures measured of a channel at a scale, without those whose weight is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WantedFigures {
    /// The structural error.
    pub structure: bool,
    /// Ringing and blurring.
    pub edges: bool,
}

/// Figures measured of each channel at a scale.
pub fn wanted(scale: usize) -> [WantedFigures; 3] {
    [0, 1, 2].map(|channel| {
        let has = |kinds: [usize; 2]| {
            let places = [0, 1].into_iter().flat_map(|norm| kinds.map(|kind| place(channel, scale, norm, kind)));
            places.into_iter().any(|place| weight(place).is_some())
        };
        WantedFigures { structure: has([0, 0]), edges: has([1, 2]) }
    })
}

fn place(channel: usize, scale: usize, norm: usize, kind: usize) -> usize {
    ((channel * SCALES + scale) * 2 + norm) * 3 + kind
}

fn weight(place: usize) -> Option<f64> {
    WEIGHTS.iter().find(|(own, _)| *own == place).map(|(_, weight)| *weight)
}

/// The score of the means of all scales that there are: of each channel the means of structural error, ringing and blurring, each
/// by itself and its 4th power.
pub fn score(scales: &[[[f64; 6]; 3]]) -> f64 {
    let mut sum = 0.0;
    for (channel, scale) in (0..3).flat_map(|channel| (0..scales.len()).map(move |scale| (channel, scale))) {
        let means = &scales[scale][channel];
        for (norm, kind) in (0..2).flat_map(|norm| (0..3).map(move |kind| (norm, kind))) {
            let mean = means[2 * kind + norm];
            let figure = if norm == 0 { mean } else { mean.sqrt().sqrt() };
            sum += weight(place(channel, scale, norm, kind)).unwrap_or_default() * figure;
        }
    }
    let error = 0.956_238_261_683_484_4 * sum;
    let curve = 2.326_765_642_916_932 * error - 0.020_884_521_182_843_837 * error * error
        + 6.248_496_625_763_138e-5 * error * error * error;
    if curve > 0.0 { 100.0 - 10.0 * curve.powf(0.627_633_646_783_138_7) } else { 100.0 }
}

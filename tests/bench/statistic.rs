//! The figures that many times become.

use warpreel::bench::statistic::{Distribution, Estimate, Ratio, median, outliers};

fn near(value: f64, wanted: f64) -> bool {
    (value - wanted).abs() <= 2e-3 * wanted
}

#[test]
fn a_distribution() {
    let times = Distribution::of_us((1..=1000).map(f64::from));
    assert_eq!(times.count, 1000);
    for (value, wanted) in [
        (times.p50_ms, 0.5),
        (times.p90_ms, 0.9),
        (times.p99_ms, 0.99),
        (times.p999_ms, 0.999),
        (times.max_ms, 1.0),
        (times.mean_ms, 0.5005),
        (times.deviation_ms, 0.28867),
    ] {
        assert!(near(value, wanted), "{value} is not {wanted}");
    }
    assert_eq!(times.bins.counts.iter().sum::<u64>(), 1000, "every time is in a bin");
    assert!(times.bins.step_ms > 0.0 && times.bins.from_ms <= 0.001, "{:?}", times.bins);
    assert_eq!(Distribution::of_us([]), Distribution::default());
    assert!(times.percentiles().iter().all(Option::is_some));
    let known = |count: u32| Distribution::of_us((1..=count).map(f64::from)).percentiles().iter().flatten().count();
    assert_eq!([1, 2, 9, 10, 99, 100, 999, 1000].map(known), [0, 1, 1, 2, 2, 3, 3, 4], "too few say nothing");
    let one = Distribution::of_us([250.0]);
    assert!(near(one.p50_ms, 0.25) && one.bins.counts.iter().sum::<u64>() == 1);
}

#[test]
fn an_estimate() {
    let fps = Estimate::of(&[10.0, 12.0, 14.0]);
    assert_eq!((fps.count, fps.mean, fps.deviation, fps.min, fps.median, fps.max), (3, 12.0, 2.0, 10.0, 12.0, 14.0));
    assert_eq!(Estimate::of(&[5.0]).deviation, 0.0);
    assert_eq!((median(&[]), median(&[3.0, 1.0, 2.0])), (0.0, 2.0));
}

#[test]
fn a_ratio_knows_how_sure_it_is() {
    let quiet = [Estimate::of(&[200.0, 201.0, 199.0]), Estimate::of(&[100.0, 100.5, 99.5])];
    let ratio = Ratio::of(&quiet[0], &quiet[1]);
    assert_eq!(ratio.value, 2.0);
    // Both have a relative error of 0.005/√3 on two degrees of freedom each: t(4) at 97.5 % is 2.776.
    assert!(near(ratio.uncertainty, 2.0 * 0.005 * (2.0f64 / 3.0).sqrt() * 2.7764), "{ratio:?}");
    assert!(Ratio::of(&quiet[0], &Estimate::of(&[100.0])).uncertainty.is_infinite(), "one measurement says nothing");
    let same = Estimate::of(&[5.0, 5.0]);
    assert_eq!(Ratio::of(&same, &same), Ratio { value: 1.0, uncertainty: 0.0 });
}

#[test]
fn outliers_are_far_away() {
    assert_eq!(outliers(&[100.0, 101.0, 99.0, 100.5, 60.0]), [4]);
    assert!(outliers(&[100.0, 101.0, 99.0, 100.5, 98.0]).is_empty());
    assert!(outliers(&[]).is_empty() && outliers(&[1.0]).is_empty());
}

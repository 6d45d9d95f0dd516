//! Windows stay within scenes: with `scene=` each scene gives the bytes that it gives as a clip by itself.

use std::sync::Arc;

use warpreel::filter::FILTERS;
use warpreel::frame::{Family, Format, Frame, Pixel, Rational, Sample};

use super::{assert_same, on_cpu, scenes};

fn format(pixel: Pixel) -> Arc<Format> {
    Arc::new(Format::new(pixel, 24, 10, Rational::new(25, 1)))
}

/// The example of every filter that looks at other frames, made to do so.
fn chains() -> Vec<String> {
    // Deinterlacers have no border in time; their scenes are in tests/deinterlace.rs.
    let temporal = FILTERS.iter().filter(|spec| {
        let has = |name| spec.parameters().any(|parameter| parameter.name == name);
        has("scene") && has("border_t")
    });
    let chain = |name: &str, example: &str| match name {
        "kernel" => "kernel='1 2 1; 0 1 0 | 3 1 0; 0 5 1 | 1 1 1; 2 2 2':normalize=1".to_owned(),
        "erode" | "dilate" | "open" | "close" => format!("{name}=radius=1:radius_t=2"),
        "deflicker" => "deflicker=size=5".to_owned(),
        // So strong that samples on either side of a cut count as alike.
        "nlmeans" => "nlmeans=s=30:p=1:r=3:frames=2".to_owned(),
        // As with `nlmeans`, but there is no search so small.
        "denoise" => "denoise=luma=50:chroma=50".to_owned(),
        "atadenoise" => "atadenoise=0a=0.3:0b=5:1a=0.3:1b=5:2a=0.3:2b=5:s=7".to_owned(),
        "degrain" => "degrain=frames=2:thsad=16320:thscd2=255".to_owned(),
        // So few blocks in the frame itself that those of others fill the group.
        "bm3d" => "bm3d=sigma=30:radius=2:bm_range=1:group=32".to_owned(),
        "bilateral3d" => "bilateral3d=sigma_s=1:sigma_r=1:frames=2".to_owned(),
        _ => example.to_owned(),
    };
    temporal.map(|spec| chain(spec.name, spec.example)).collect()
}

/// What a chain makes of clips one by one.
fn apart(chain: &str, clip: &[Frame], lengths: &[usize]) -> Vec<Frame> {
    let mut start = 0;
    let parts = lengths.iter().map(|length| {
        start += length;
        on_cpu(chain, &clip[start - length..start])
    });
    parts.collect::<Vec<_>>().concat()
}

#[test]
fn every_temporal_filter_takes_every_scene_for_a_clip() {
    let chains = chains();
    assert!(chains.len() >= 15, "{chains:?}");
    let float = Pixel { sample: Sample::F32, depth: 32, ..Pixel::integer(Family::Rgb, 0, 0, 8) };
    let pixels = [Pixel::yuv420p(8), Pixel::gray(10), Pixel::integer(Family::Rgb, 0, 0, 16), float];
    for (index, chain) in chains.iter().enumerate() {
        // Each cut is larger than the one before, or far from it: a score is also how much the difference changes.
        let parts = [(4, 0.1), (1, 0.38), (1, 0.95), (7, 0.2), (2, 0.9)];
        let clip = scenes(&format(pixels[index % pixels.len()]), &parts);
        for border in ["clamp", "reflect101", "zero"] {
            let chain = format!("{chain}:border_t={border}");
            let got = on_cpu(&format!("{chain}:scene=0.2"), &clip);
            assert_same(&got, &apart(&chain, &clip, &parts.map(|(length, _)| length)), &chain);
            assert!(on_cpu(&chain, &clip).iter().zip(&got).any(|(one, other)| {
                !one.host().expect("a frame on the host").rows(0).eq(other.host().expect("a frame on the host").rows(0))
            }));
        }
    }
}

#[test]
fn a_cut_may_be_anywhere() {
    for pixel in [Pixel::yuv420p(8), Pixel::gray(16)] {
        for cut in 1..9 {
            let clip = scenes(&format(pixel), &[(cut, 0.15), (9 - cut, 0.8)]);
            for chain in ["tmix=frames=7", "tgaussian=sigma=2", "deflicker=size=4", "close=1:1:1"] {
                let got = on_cpu(&format!("{chain}:scene=0.35"), &clip);
                assert_same(&got, &apart(chain, &clip, &[cut, 9 - cut]), &format!("{chain} cut at {cut}"));
            }
        }
    }
}

#[test]
fn where_there_is_no_cut_nothing_changes() {
    let clip = scenes(&format(Pixel::yuv420p(8)), &[(12, 0.4)]);
    for chain in chains() {
        assert_same(&on_cpu(&format!("{chain}:scene=0.3"), &clip), &on_cpu(&chain, &clip), &chain);
        assert_same(&on_cpu(&format!("{chain}:scene=0"), &clip), &on_cpu(&chain, &clip), &chain);
    }
    // A threshold that no score is above, and one that every change is above.
    let cut = scenes(&format(Pixel::gray(8)), &[(3, 0.0), (3, 1.0)]);
    assert_same(&on_cpu("tmix=5:scene=1", &cut), &on_cpu("tmix=5", &cut), "no score is above 1");
    assert_same(&on_cpu("tmix=5:scene=0.0000001", &cut), &cut, "every frame is a scene");
}

/// Each filter looks at what goes into it, so a chain gives the bytes of its filters one after another.
#[test]
fn a_chain_looks_for_cuts_in_each_filters_input() {
    let clip = scenes(&format(Pixel::yuv420p(10)), &[(5, 0.1), (6, 0.8), (4, 0.2)]);
    let filters = ["gain=0.9", "tmix=frames=3:scene=0.3", "tmedian=1:scene=0.1", "deflicker=7:scene=0.2"];
    let step = filters.iter().fold(clip.clone(), |clip, filter| on_cpu(filter, &clip));
    assert_same(&on_cpu(&filters.join(","), &clip), &step, "a chain");
    // Dimmed, the cuts have scores below 0.3.
    let [dim, mixed] =
        ["gain=0.15,tmix=frames=3:scene=0.3", "gain=0.15,tmix=frames=3"].map(|chain| on_cpu(chain, &clip));
    assert_same(&dim, &mixed, "the score is that of the filter's input");
}

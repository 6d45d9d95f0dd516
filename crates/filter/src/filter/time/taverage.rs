//! The mean of successive frames.

use super::super::parameter::{Kind, Parameter, Preset};
use super::super::spec::{DcGain, Extent, Group, Spec, Terms};
use super::super::stencil::Row;
use super::super::want::Want;

pub(in super::super) const SPEC: Spec = Spec {
    name: "taverage",
    elsewhere: &[],
    group: Group::Time,
    summary: "mean of successive frames",
    description: "Mean of 2 radius + 1 frames, centred. For weights, use tmix.",
    own: &[Parameter::new("radius", Kind::Count(0, 512), Preset::Is("1"), "frames on either side").unit("frames")],
    example: "taverage=radius=2",
    extent: Extent::Time,
    terms: Terms::Own,
    gain: DcGain::One,
    want: |values, _| {
        let t = Row::centred(vec![1.0; 2 * values.count("radius") + 1]);
        Ok(Want::smooth_in_time(t, Row::identity(), Row::identity()))
    },
    change: None,
};

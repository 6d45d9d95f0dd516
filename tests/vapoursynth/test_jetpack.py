"""The backend of vs-jetpack, with vs-jetpack itself: its functions give what the plugin's give."""

import pytest
import vapoursynth as vs
from vsdenoise import bm3d, nl_means
from vsrgtools import bilateral, gauss_blur

import vswarpreel
from test_plugin import N, core, make, read
from test_random import clip_of

CPU = vswarpreel.Backend("cpu")


def same(one, other):
    assert read(one, range(len(one))) == read(other, range(len(other)))


@pytest.mark.parametrize("name", ["gray", "yuv420p", "yuv444p16", "gbrp", "gbrpf32"])
def test_nl_means(name):
    clip, _ = make(name)
    got = nl_means(clip, h=12.0, tr=1, a=2, s=2, backend=CPU)
    same(got, clip.warpreel.Filter("nlmeans=s=6:p=5:r=5:frames=1", backend="cpu"))
    assert read(got, range(N)) != read(clip, range(N))


def test_nl_means_of_some_planes():
    clip, _ = make("yuv420p")
    same(nl_means(clip, h=[12.0, 16.0], s=2, backend=CPU, planes=0), clip.warpreel.Filter("nlmeans=s=6:p=5:r=5:frames=1:planes=y", backend="cpu"))
    got = nl_means(clip, h=[12.0, 16.0], s=2, tr=[0, 1], wmode=nl_means.WeightMode.BISQUARE_THR, backend=CPU)
    luma = clip.warpreel.Filter("nlmeans=s=6:p=5:r=5:weights=bisquare:planes=y", backend="cpu")
    same(got, luma.warpreel.Filter("nlmeans=s=8:p=5:r=5:frames=1:weights=bisquare:planes=uv", backend="cpu"))


def test_bilateral():
    clip, _ = make("yuv420p")
    got = bilateral(clip, sigmaS=[2, 1], sigmaR=0.1, backend=CPU)
    same(got, clip.warpreel.Filter("bilateral=sigma_s=2:sigma_r=0.1:planes=y,bilateral=sigma_s=1:sigma_r=0.1:planes=uv", backend="cpu"))
    same(bilateral(clip, sigmaS=2, sigmaR=0.1, planes=[1, 2], backend=CPU), clip.warpreel.Bilateral(sigma_s=2, sigma_r=0.1, planes=[1, 2]))
    same(bilateral(clip, backend=CPU), clip.warpreel.Bilateral(sigma_s=3, sigma_r=0.02))


def test_gauss_blur():
    clip, _ = make("gbrp")
    same(gauss_blur(clip, 1.5, backend=vswarpreel.Backend()), clip.warpreel.Gaussian(sigma=1.5))
    got = gauss_blur(clip, [1.5, 0.7, 0.7], backend=vswarpreel.Backend())
    same(got, clip.warpreel.Gaussian(sigma=1.5, planes=[0]).warpreel.Gaussian(sigma=0.7, planes=[1, 2]))
    same(gauss_blur(clip, 1.5, planes=0, backend=vswarpreel.Backend()), clip.warpreel.Gaussian(sigma=1.5, planes=[0]))
    same(clip.warpreel.GaussBlur(0), clip)
    half, _ = make("yuv420p")
    planes = [plane.warpreel.Gaussian(sigma=1.5) for plane in half.std.SplitPlanes()]
    same(gauss_blur(half, 1.5, backend=vswarpreel.Backend()), core.std.ShufflePlanes(planes, [0, 0, 0], vs.YUV))
    with pytest.raises(vs.Error, match="sigma has 4 values; the clip has 3 planes"):
        clip.warpreel.GaussBlur([1, 1, 1, 1])


def test_bm3d():
    for name in ("grayf32", "yuv444"):
        clip = clip_of("grayf32", 3, 64, 48, 5)[0] if name == "grayf32" else make("yuv444p16")[0].resize.Point(format=vs.YUV444PS)
        got = bm3d(clip, 5, tr=1, profile=bm3d.Profile.FAST, backend=CPU)
        same(got, clip.warpreel.Filter("bm3d=sigma=5:block_step=7:bm_range=7:group=8:radius=1:ps_range=5", backend="cpu"))
        basic = bm3d(clip, [5, 0, 2], tr=0, refine=0, backend=CPU)
        chain = "bm3d=sigma=5:block_step=8:bm_range=9:group=8:steps=basic:planes=y"
        chain += ",bm3d=sigma=2:block_step=8:bm_range=9:group=8:steps=basic:planes=v" if name == "yuv444" else ""
        same(basic, clip.warpreel.Filter(chain, backend="cpu"))


def test_what_it_does_not_do():
    clip, _ = make("gray")
    single = clip.resize.Point(format=vs.GRAYS)
    with pytest.raises(vs.Error, match="bilateral: ref is not offered by this backend; leave it out"):
        bilateral(clip, ref=clip, backend=CPU)
    with pytest.raises(vs.Error, match="nl_means: ref is not offered"):
        nl_means(clip, ref=clip, backend=CPU)
    with pytest.raises(vs.Error, match="nl_means: wref is not offered"):
        nl_means(clip, wmode=nl_means.WeightMode.WELSCH(0.5), backend=CPU)
    for arguments in ({"ref": single}, {"pre": single}, {"refine": 2}):
        with pytest.raises(vs.Error, match="bm3d: pre, ref and refine above 1 are not offered"):
            bm3d(single, 3, backend=CPU, **arguments)
    with pytest.raises(vs.Error, match="out of range"):
        nl_means(clip, h=500, backend=CPU)
    with pytest.raises(vs.Error, match="backend=vulkan is unknown"):
        nl_means(clip, backend=vswarpreel.Backend("vulkan"))
    assert repr(CPU) == "vswarpreel.Backend(backend='cpu', device=0, threads=1)"

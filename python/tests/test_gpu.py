"""Arrays on a GPU: PyTorch's and CuPy's, streams, lifetimes. Skipped where there is none of them."""

import threading

import numpy as np
import pytest
import warpreel

from conftest import cpu, needs_gpu, picture

CHAINS = ["gaussian=2", "gaussian=2,sobel", "median=1,gamma=1.2", "nlmeans"]


pytestmark = needs_gpu


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1), (33, 17), (64, 48, 3), (20, 31, 4)])
def test_arrays_of_the_host(random, shape, dtype):
    image = picture(random, shape, dtype)
    for text in CHAINS:
        assert (warpreel.Chain(text, backend="cuda")(image) == cpu(text)(image)).all()
    frames = picture(random, (20, *shape), dtype)
    assert (warpreel.Chain("tmix=5", backend="cuda").clip(frames) == cpu("tmix=5").clip(frames)).all()


@pytest.mark.parametrize("text", CHAINS)
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_torch(torch, random, text, dtype):
    image = picture(random, (101, 203), dtype)
    tensor = torch.from_numpy(image).cuda()
    got = warpreel.Chain(text)(tensor)
    assert isinstance(got, torch.Tensor) and got.device == tensor.device and got.dtype == tensor.dtype
    assert (got.cpu().numpy() == cpu(text)(image)).all()
    # Rows with something between them, and an axis more.
    part = tensor[3:90, 5:160]
    assert (warpreel.Chain(text)(part).cpu().numpy() == cpu(text)(image[3:90, 5:160].copy())).all()
    assert warpreel.Chain(text)(tensor[..., None]).shape == (101, 203, 1)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_cupy(cupy, random, dtype):
    image = picture(random, (101, 203), dtype)
    for stream in [cupy.cuda.Stream.null, cupy.cuda.Stream(), cupy.cuda.Stream(non_blocking=True)]:
        with stream:
            array = cupy.asarray(image)
            got = warpreel.Chain("gaussian=2")(array)
            assert isinstance(got, cupy.ndarray)
            assert (cupy.asnumpy(got) == cpu("gaussian=2")(image)).all()

    class Interface:
        __cuda_array_interface__ = array.__cuda_array_interface__

    got = warpreel.Chain("gaussian=2")(Interface())
    assert isinstance(got, warpreel.Tensor) and got.shape == [101, 203] and got.dtype == np.dtype(dtype).name
    assert (cupy.asnumpy(cupy.from_dlpack(got)) == cpu("gaussian=2")(image)).all()


def test_a_race_would_be_seen(torch, random):
    """What goes in is written late, what comes out is read late, and memory is used again at once."""
    images = [picture(random, (540, 960), np.uint8) for _ in range(4)]
    wanted = [torch.from_numpy(cpu("gaussian=2")(image)).cuda() for image in images]
    sources = [torch.from_numpy(image).cuda() for image in images]
    blur = warpreel.Chain("gaussian=2")
    blur(sources[0])
    torch.cuda.synchronize()
    for stream in [torch.cuda.default_stream(), torch.cuda.Stream()]:
        with torch.cuda.stream(stream):
            wrong = torch.zeros((), dtype=torch.int64, device="cuda")
            image = torch.zeros_like(sources[0])
            for turn in range(40):
                torch.cuda._sleep(2_000_000)
                image.copy_(sources[turn % 4])
                out = blur(image)
                image.zero_()
                torch.cuda._sleep(2_000_000)
                wrong += (out != wanted[turn % 4]).sum()
                del out
            assert wrong.item() == 0


def test_nothing_waits_on_the_host(torch, random):
    image = torch.from_numpy(picture(random, (540, 960), np.uint8)).cuda()
    blur = warpreel.Chain("gaussian=2")
    blur(image)
    torch.cuda.synchronize()
    start, end = torch.cuda.Event(), torch.cuda.Event()
    torch.cuda._sleep(500_000_000)
    start.record()
    blur(image)
    end.record()
    assert not start.query() and not end.query()
    torch.cuda.synchronize()


def test_stream_of_tensors(torch, random):
    frames = picture(random, (30, 60, 80), np.uint8)
    wanted = cpu("tmix=5,gaussian=1").clip(frames)

    def reused():
        buffer = torch.empty((60, 80), dtype=torch.uint8, device="cuda")
        for frame in frames:
            buffer.copy_(torch.from_numpy(frame))
            yield buffer

    for tensors in [(torch.from_numpy(frame).cuda() for frame in frames), reused()]:
        got = [out.cpu().numpy() for out in warpreel.Chain("tmix=5,gaussian=1").stream(tensors)]
        assert (np.stack(got) == wanted).all()


def test_memory_is_steady(torch, random):
    image = torch.from_numpy(picture(random, (540, 960), np.uint8)).cuda()
    blur = warpreel.Chain("gaussian=2")
    for turn in range(10_000):
        out = blur(image)
        if turn == 1000:
            torch.cuda.synchronize()
            free, _ = torch.cuda.mem_get_info()
    torch.cuda.synchronize()
    assert free - torch.cuda.mem_get_info()[0] < 8 << 20
    # Results outlive what made them.
    kept = out.clone()
    del blur, image
    assert (out == kept).all()


def test_threads_with_their_streams(torch, random):
    images = [picture(random, (200 + n, 300), np.uint8) for n in range(4)]
    wanted = [torch.from_numpy(cpu("gaussian=3")(image)).cuda() for image in images]
    blur, wrong = warpreel.Chain("gaussian=3"), []

    def work(number):
        with torch.cuda.stream(torch.cuda.Stream()):
            image = torch.from_numpy(images[number]).cuda()
            for _ in range(200):
                if not (blur(image) == wanted[number]).all():
                    wrong.append(number)

    torch.cuda.synchronize()
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert wrong == []


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_colours(torch, random, channels, dtype):
    image = picture(random, (61, 83, channels), dtype)
    tensor = torch.from_numpy(image).cuda()
    for text in CHAINS + ["invert=planes=r"] * (channels > 1):
        got = warpreel.Chain(text)(tensor)
        assert got.shape == tensor.shape and got.dtype == tensor.dtype and got.device == tensor.device
        assert (got.cpu().numpy() == cpu(text)(image)).all()
    # Colours that lie behind each other, a part, and a single colour of several.
    planes = torch.from_numpy(image.transpose(2, 0, 1).copy()).cuda().permute(1, 2, 0)
    wanted = cpu("gaussian=2")(image)
    assert (warpreel.Chain("gaussian=2")(planes).cpu().numpy() == wanted).all()
    part = warpreel.Chain("gaussian=2")(tensor[3:50, 5:70])
    assert (part.cpu().numpy() == cpu("gaussian=2")(image[3:50, 5:70].copy())).all()
    one = warpreel.Chain("gaussian=2")(tensor[..., channels - 1])
    assert (one.cpu().numpy() == cpu("gaussian=2")(image[..., channels - 1].copy())).all()


@pytest.mark.parametrize("shape", [(9, 61, 83), (9, 61, 83, 1), (9, 61, 83, 3), (1, 33, 17), (3, 1, 1, 4), (0, 5, 5)])
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_clips(torch, cupy, random, shape, dtype):
    frames = picture(random, shape, dtype)
    for text in ["tmix=5,gaussian=1", "gaussian=2", "nlmeans=frames=1"]:
        wanted = cpu(text).clip(frames)
        got = warpreel.Chain(text).clip(torch.from_numpy(frames).cuda())
        assert isinstance(got, torch.Tensor) and got.shape == wanted.shape
        assert (got.cpu().numpy() == wanted).all()
        got = warpreel.Chain(text).clip(cupy.asarray(frames))
        assert isinstance(got, cupy.ndarray) and (cupy.asnumpy(got) == wanted).all()
    # Every second frame, and others than those that lie in the middle of memory.
    if shape[0] > 2:
        wanted = cpu("tmix=3").clip(frames[::2].copy())
        assert (warpreel.Chain("tmix=3").clip(torch.from_numpy(frames).cuda()[::2]).cpu().numpy() == wanted).all()


def test_16_bits(torch, cupy, random):
    frames = picture(random, (5, 40, 50, 3), np.uint16)
    wanted = cpu("tmix=3").clip(frames)
    assert (cupy.asnumpy(warpreel.Chain("tmix=3").clip(cupy.asarray(frames))) == wanted).all()
    assert (warpreel.Chain("tmix=3").clip(torch.from_numpy(frames).cuda()).cpu().numpy() == wanted).all()


def test_out(torch, cupy, random):
    image = picture(random, (61, 83, 3), np.uint8)
    wanted = cpu("gaussian=2")(image)
    for array, back in [(torch.from_numpy(image).cuda(), lambda a: a.cpu().numpy()), (cupy.asarray(image), cupy.asnumpy)]:
        out = array.clone() if isinstance(array, torch.Tensor) else array.copy()
        assert warpreel.Chain("gaussian=2")(array, out=out) is out
        assert (back(out) == wanted).all()
        assert warpreel.Chain("gaussian=2")(array, out=array) is array
        assert (back(array) == wanted).all()
        with pytest.raises(ValueError, match="its shape is another"):
            warpreel.Chain("gaussian=2")(array, out=out[1:])


def test_jax(random):
    jax = pytest.importorskip("jax")
    try:
        device = jax.devices("cuda")[0]
    except RuntimeError as error:
        pytest.skip(f"JAX has no GPU: {error}")
    for shape in [(61, 83), (64, 64), (61, 83, 1), (61, 83, 3)]:
        image = picture(random, shape, np.uint8)
        array = jax.device_put(image, device)
        got = warpreel.Chain("gaussian=2")(array)
        assert isinstance(got, jax.Array) and got.shape == shape
        assert (np.asarray(got) == cpu("gaussian=2")(image)).all()
    frames = picture(random, (5, 61, 83, 3), np.float32)
    got = warpreel.Chain("tmix=3").clip(jax.device_put(frames, device))
    assert (np.asarray(got) == cpu("tmix=3").clip(frames)).all()


def test_a_frame_is_read_before_it_is_written_again(torch, random):
    """A clip through one buffer, which is written again while nothing has come out yet."""
    frames = picture(random, (12, 540, 960), np.uint8)
    wanted = cpu("tmix=9").clip(frames)
    sources = [torch.from_numpy(frame).cuda() for frame in frames]
    buffer = torch.empty_like(sources[0])

    def reused():
        for source in sources:
            buffer.copy_(source)
            torch.cuda._sleep(1_000_000)
            yield buffer
            buffer.zero_()

    for _ in range(5):
        got = [out.clone() for out in warpreel.Chain("tmix=9").stream(reused())]
        assert (torch.stack(got).cpu().numpy() == wanted).all()


def test_bad_input(torch):
    tensor = torch.zeros((4, 5, 3), dtype=torch.uint8, device="cuda")
    with pytest.raises(ValueError, match="C = 1, 3 or 4, got"):
        warpreel.Chain("invert")(tensor[..., :2])
    with pytest.raises(TypeError, match="uint8, uint16 or float32"):
        warpreel.Chain("invert")(tensor[..., 0].int())
    with pytest.raises(ValueError, match="contiguous"):
        warpreel.Chain("invert")(tensor[..., 0].T)
    with pytest.raises(ValueError, match="contiguous"):
        warpreel.Chain("invert")(tensor[0, 0, 0].expand(4, 5))
    with pytest.raises(ValueError, match='backend="cpu"'):
        cpu("invert")(torch.zeros((4, 5), dtype=torch.uint8, device="cuda"))
    with pytest.raises(ValueError, match="for several frames call clip"):
        warpreel.Chain("invert")(tensor[None])
    with pytest.raises(ValueError, match="T, H, W"):
        warpreel.Chain("invert").clip(tensor[..., 0])


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_fields_of_arrays_of_the_host(random, dtype):
    frames = picture(random, (9, 40, 30, 3), dtype)
    got = warpreel.Chain("tmix=3,gaussian=1", backend="cuda", fields="separate").clip(frames)
    assert (got == cpu("tmix=3,gaussian=1", fields="separate").clip(frames)).all()

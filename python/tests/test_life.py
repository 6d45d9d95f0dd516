"""Memory, references, threads, and Ctrl-C."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time

import numpy as np
import pytest
import warpreel

from conftest import picture


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("text", ["gaussian=1", "tmix=3,invert=enable='gt(n,0)'"])
def test_ten_thousand_calls_leave_nothing(random, text):
    run = warpreel.Chain(text, backend="cpu", threads=1)
    image, out = picture(random, (16, 24, 3), np.uint8), np.empty((16, 24, 3), np.uint8)
    frames = picture(random, (3, 16, 24), np.uint8)
    kernel = np.ones((3, 3))

    def once():
        run(image)
        run(image, out=out)
        run.clip(frames)
        list(run.stream(frames))
        warpreel.convolve(image, kernel, backend="cpu", threads=1)
        with pytest.raises(ValueError):
            run(image, out=frames)

    for _ in range(200):
        once()
    gc.collect()
    held = [sys.getrefcount(thing) for thing in (run, image, out, frames, kernel, np.dtype(np.uint8))]
    before, growth = resident(), []
    for _ in range(8):
        blocks = sys.getallocatedblocks()
        for _ in range(500):
            once()
        gc.collect()
        growth.append(sys.getallocatedblocks() - blocks)
    assert [sys.getrefcount(thing) for thing in (run, image, out, frames, kernel, np.dtype(np.uint8))] == held
    # Memory that the interpreter keeps for reuse grows in the first rounds; a leak would grow in each of them.
    assert min(growth) < 50, growth
    assert resident() - before < 4 << 20


def test_frames_are_let_go_of(random):
    run = warpreel.Chain("tmix=5", backend="cpu")
    frames = picture(random, (9, 8, 8), np.uint8)
    held = sys.getrefcount(frames)
    stream = run.stream(frames)
    next(stream)
    del stream
    run.clip(frames)
    assert sys.getrefcount(frames) == held


def test_threads_side_by_side(random):
    images = [picture(random, (60 + n, 80, 3), np.uint8) for n in range(8)]
    shared = warpreel.Chain("gaussian=2,median=3", backend="cpu")
    wanted = [shared(image) for image in images]
    wrong = []

    def work(number):
        own = warpreel.Chain("gaussian=2,median=3", backend="cpu")
        for turn in range(20):
            run = shared if turn % 2 else own
            if not (run(images[number]) == wanted[number]).all():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert wrong == []


def test_other_threads_run_meanwhile(random):
    frames = picture(random, (40, 270, 480), np.uint8)
    run = warpreel.Chain("median=7", backend="cpu", threads=1)
    turns, done = [0], threading.Event()

    def count():
        while not done.is_set():
            turns[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    started = time.perf_counter()
    run.clip(frames)
    seconds = time.perf_counter() - started
    done.set()
    thread.join()
    # Held, the interpreter would let it turn once.
    assert turns[0] > min(20, 20 * seconds)


def test_ctrl_c_ends_a_clip(random):
    frames = np.broadcast_to(picture(random, (1, 270, 480), np.uint8), (5000, 270, 480))
    run = warpreel.Chain("median=15", backend="cpu", threads=1)
    out = np.empty((5000, 270, 480), np.uint8)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        run.clip(frames, out=out)
    assert time.perf_counter() - started < 5
    assert run(frames[0]).shape == (270, 480)


def forked(images):
    return [SHARED(image) for image in images]


SHARED = warpreel.Chain("gaussian=2", backend="cpu")


def test_a_forked_process(random):
    images = [picture(random, shape, np.uint8) for shape in [(300, 400), (300, 400, 3)]]
    wanted = [SHARED(image) for image in images]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        got = pool.apply_async(forked, (images,)).get(60)
    assert all((one == other).all() for one, other in zip(got, wanted, strict=True))

"""Arrays that several threads use at once: no element is written by one call and used by another."""

import threading

import numpy
import warpreel


def together(*calls):
    """Runs calls at once, each many times, and returns what they raised."""
    errors, start = [], threading.Barrier(len(calls))

    def work(call):
        start.wait()
        for _ in range(20):
            try:
                call()
            except Exception as error:
                errors.append(error)

    threads = [threading.Thread(target=work, args=(call,)) for call in calls]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return errors


def clip(shape, seed=1):
    return numpy.random.default_rng(seed).integers(0, 256, shape, dtype=numpy.uint8)


def chain():
    return warpreel.Chain("gaussian=2", backend="cpu")


def test_two_calls_into_one_array_are_refused_or_follow_each_other():
    for shape in [(3, 90, 120), (3, 90, 120, 3)]:
        frames, out = clip(shape), numpy.zeros(shape, numpy.uint8)
        runs = [chain() for _ in range(4)]
        wanted = runs[0].clip(frames)
        errors = together(*[lambda run=run: run.clip(frames, out=out) for run in runs])
        assert all("used by another call" in str(error) for error in errors), errors
        # Nothing is kept of calls that are over.
        assert (runs[0].clip(frames, out=out) == wanted).all()


def test_halves_and_channels_of_one_array_are_apart():
    frames, out = clip((3, 90, 64)), numpy.zeros((3, 90, 128), numpy.uint8)
    left, right = chain(), chain()
    wanted = left.clip(frames)
    errors = together(lambda: left.clip(frames, out=out[:, :, :64]), lambda: right.clip(frames, out=out[:, :, 64:]))
    assert not errors, errors
    assert (out[:, :, :64] == wanted).all() and (out[:, :, 64:] == wanted).all()
    mixed = numpy.zeros((3, 90, 64, 2), numpy.uint8)
    errors = together(lambda: left.clip(frames, out=mixed[..., 0]), lambda: right.clip(frames, out=mixed[..., 1]))
    assert not errors, errors
    assert (mixed[..., 0] == wanted).all() and (mixed[..., 1] == wanted).all()


def test_one_array_is_read_by_many():
    frames = clip((3, 90, 120))
    runs = [chain() for _ in range(4)]
    wanted = runs[0].clip(frames)
    assert not together(*[lambda run=run: run.clip(frames) for run in runs])
    assert (runs[1].clip(frames) == wanted).all()

"""Several nodes of Ray on one machine, of one core each: the bytes are those of one run, also where a node is lost."""

import collections
import os
import threading
import time

import pytest
import ray
import ray.cluster_utils
import warpreel
import warpreel.ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from test_ray import CHAIN, clip, parents, wanted, workers  # noqa: F401


@pytest.fixture
def nodes():
    """A cluster of two nodes: the head, on which the driver is, and another; with a way to add more."""
    cluster = ray.cluster_utils.Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
    )
    try:
        other = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        # Each has a process for tasks before there are any: else one makes all chunks while the other starts.
        nothing = ray.remote(num_cpus=1)(lambda: None)
        places = [NodeAffinitySchedulingStrategy(node["NodeID"], soft=False) for node in ray.nodes()]
        ray.get([nothing.options(scheduling_strategy=place).remote() for place in places])
        yield cluster, other
    finally:
        ray.shutdown()
        cluster.shutdown()


def by_node(stats):
    return collections.Counter(place["node_id"] for place in stats["chunks"])


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("encode", ["once", "chunks"])
def test_chunks_of_both_nodes(nodes, clip, wanted, tmp_path, shared, encode):  # noqa: F811
    cluster, other = nodes
    work = tmp_path / "work" if shared else None
    out = tmp_path / "out.mp4"
    stats = warpreel.ray.run(clip, out, CHAIN, chunk=10, work=work, encode=encode, crf=20)
    assert set(by_node(stats)) == {node["NodeID"] for node in ray.nodes()} and other.node_id in by_node(stats)
    assert sum(place["frames"] for place in stats["chunks"]) == stats["frames"] == 96
    assert (out.read_bytes() == wanted) == (encode == "once")
    with warpreel.open(out) as video:
        assert len(list(video)) == 96
    assert os.listdir(tmp_path) == ["out.mp4"]


def busy(node):
    """Processes of a node that filter a chunk."""
    [raylet] = node.all_processes["raylet"]
    return [pid for pid in workers() if raylet.process.pid in parents(pid)]


def until(is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it does not come to that"
        time.sleep(0.02)


@pytest.mark.parametrize(
    "moment, shared, encode",
    [
        ("at work", True, "once"),
        ("at work", False, "once"),
        ("with what it made", True, "once"),
        ("with what it made", False, "once"),
        ("with what it made", False, "chunks"),
    ],
)
def test_a_node_that_is_lost(nodes, clip, wanted, tmp_path, moment, shared, encode):  # noqa: F811
    """In the middle of a chunk, so that the head does the rest; or when it has made some that nobody has taken yet, and another
    node joins after it."""
    cluster, other = nodes
    seen, lost, states = [], threading.Event(), []

    def lose():
        cluster.remove_node(other, allow_graceful=False)
        lost.set()

    def kill():
        until(lambda: seen.extend(busy(other)) or seen)
        lose()

    def progress(state):
        states.append(state)
        # Nothing is taken while this runs: what can be made is made.
        if moment != "at work" and state.chunks >= 1 and not lost.is_set():
            until(lambda: not any(busy(other) or time.sleep(0.05) for _ in range(10)))
            lose()
            cluster.add_node(num_cpus=1)

    killer = threading.Thread(target=kill)
    if moment == "at work":
        killer.start()
    work = tmp_path / "work" if shared else None
    more = {"work": work, "encode": encode, "progress": progress, "crf": 20}
    stats = warpreel.ray.run(clip, tmp_path / "out.mp4", CHAIN, chunk=10, **more)
    if moment == "at work":
        killer.join()
    assert lost.is_set() and bool(seen) == (moment == "at work")
    assert ((tmp_path / "out.mp4").read_bytes() == wanted) == (encode == "once")
    assert stats["frames"] == 96 and sum(by_node(stats).values()) == states[-1].chunks == len(stats["chunks"])
    assert os.listdir(tmp_path) == ["out.mp4"]

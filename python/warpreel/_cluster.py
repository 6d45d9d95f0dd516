"""The cluster of a job: one that is there, or one for the job alone."""

import contextlib
import logging
import os
import socket

_log = logging.getLogger("warpreel.ray")


def ray():
    """Ray, which is not there unless it was asked for."""
    try:
        import ray
    except ImportError as error:
        raise ImportError("Ray is not installed; type: pip install 'warpreel[ray]'") from error
    return ray


@contextlib.contextmanager
def joined(ray, address):
    """Whether the cluster was started for this; it is then ended again."""
    if ray.is_initialized():
        yield False
        return
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    named, is_ours = address or os.environ.get("RAY_ADDRESS"), False
    try:
        _knock(named)
        ray.init(address=named or "auto", **quiet)
    except OSError as error:
        if named:
            raise ConnectionError(f"no Ray cluster responds at {named!r}; start one with: ray start --head") from error
        ray.init(address="local", include_dashboard=False, **quiet)
        is_ours = True
    try:
        yield is_ours
    finally:
        ray.shutdown()


def check_room(ray, wanted, is_ours):
    """Refuses what this machine cannot give a task; of other clusters it says so, because a node that has it may come."""
    kinds = {"num_cpus": "CPU", "num_gpus": "GPU"}
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    if any(all(node.get(kind, 0) >= wanted[key] for key, kind in kinds.items()) for node in nodes):
        return
    asked = " and ".join(f"{key}={wanted[key]:g}" for key in kinds)
    counts = {kind: max((node.get(kind, 0) for node in nodes), default=0) for kind in kinds.values()}
    most = " and ".join(f"{count:g} {kind}" + "s" * (count != 1) for kind, count in counts.items())
    if is_ours:
        raise ValueError(f"a task wants {asked}, and this machine has {most}; ask for less, or name a cluster with address=")
    _log.warning("no node of the cluster has the resources of a task, %s; the largest has %s; waiting for a node that does", asked, most)


def _knock(address):
    """Whether somebody is there at all: Ray would try for minutes."""
    host, colon, port = (address or "").rpartition("://")[2].strip("/").rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()

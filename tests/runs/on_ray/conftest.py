"""A Ray cluster of two nodes on this machine, for all tests of this folder."""

import os
from collections.abc import Iterator

import pytest
import ray
from ray.cluster_utils import Cluster

NODE = {"num_cpus": 1, "object_store_memory": 100_000_000}
"""A small node; the tests send kilobytes."""


@pytest.fixture(scope="package")
def cluster() -> Iterator[Cluster]:
    """Start a cluster of two nodes with a core each, and stop it after the last test."""
    found = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    found.add_node(**NODE)
    before = os.environ.get("RAY_ADDRESS")
    os.environ["RAY_ADDRESS"] = found.address
    # One connection for all tests: their workers import the package once.
    ray.init(address=found.address, log_to_driver=False, logging_level="ERROR")
    try:
        yield found
    finally:
        ray.shutdown()
        found.shutdown()
        os.environ.pop("RAY_ADDRESS")
        if before is not None:
            os.environ["RAY_ADDRESS"] = before

"""A Ray cluster of two nodes on this machine, one for all tests of a session."""

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests import prepared

NODE = {
    "num_cpus": 1,
    "object_store_memory": 100_000_000,
    "setup_worker_path": str(prepared.FORKED),
    "include_log_monitor": False,
}
"""A small node; the tests send kilobytes. Its workers have the packages imported."""

QUIET = pytest.mark.filterwarnings("ignore:::ray")
"""Of Ray, about Ray's own settings."""

KEEP_WORKERS = {"idle_worker_killing_time_threshold_ms": 600_000, "num_workers_soft_limit": 4}
"""Workers stay for the next test."""


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[Any]:
    """Start a cluster of two nodes with a core each, and stop it after the last test."""
    import ray  # slow to import
    from ray.cluster_utils import Cluster

    head = {**NODE, "include_dashboard": False, "no_monitor": True, "_system_config": KEEP_WORKERS}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        head["ray_client_server_port"] = probe.getsockname()[1]
    os.environ[prepared.AT] = prepared.address()
    found = Cluster(initialize_head=True, head_node_args=head)
    found.client_address = f"ray://127.0.0.1:{head['ray_client_server_port']}"
    found.add_node(**NODE)
    before = os.environ.get("RAY_ADDRESS")
    os.environ["RAY_ADDRESS"] = found.address
    # One connection for all tests, so that the workers of one serve the next.
    ray.init(address=found.address, log_to_driver=False, logging_level="ERROR")
    try:
        yield found
    finally:
        ray.shutdown()
        found.shutdown()
        os.environ.pop("RAY_ADDRESS")
        if before is not None:
            os.environ["RAY_ADDRESS"] = before


ALONE = (
    "tests/cli/test_interrupt.py",
    "tests/runs/test_asking.py",
    "tests/test_examples.py",
)
"""Modules that take a minute and whose tests share nothing: each test may run in any process."""

TOGETHER = {
    "browser": ("tests/browser/",),
    "torch": (
        "tests/judge/fact_check/test_trained_model.py",
        "tests/metrics/test_answer_similarity.py",
        "tests/models/test_by_name.py::test_a_local_model_of_hugging_face",
        "tests/models/test_embedder.py::test_a_model_of_hugging_face",
    ),
}
"""What one process does, for one browser, or for what takes long to import."""

LONG = (
    "on_ray",
    "torch",
    *ALONE,
    "tests/cli/test_chaos.py",
    "tests/contract/",
    "tests/golden/",
    "tests/integrations/",
    "tests/models/test_batch",
    "tests/models/test_cache_file.py",
    "tests/models/test_odd_replies.py",
    "tests/runs/",
    "tests/test_recipes.py",
    "tests/testset/generation/",
)
"""Beginnings of what takes long, however few tests it has."""


def scope_of(nodeid: str) -> str:
    """Return what is run in one process: a module, a long test, or all on Ray, for one cluster.

    >>> scope_of("tests/runs/on_ray/test_evaluate.py::test_a"), scope_of("tests/test_a.py::test_b")
    ('on_ray', 'tests/test_a.py')
    >>> scope_of("tests/test_a.py::test_b_on_ray")
    'on_ray'
    >>> scope_of("tests/browser/test_page.py::test_a")
    'browser'
    >>> scope_of("tests/test_examples.py::test_a[b]")
    'tests/test_examples.py::test_a[b]'
    """
    if "on_ray" in nodeid:
        return "on_ray"
    for scope, beginnings in TOGETHER.items():
        if nodeid.startswith(beginnings):
            return scope
    return nodeid if nodeid.startswith(ALONE) else nodeid.rsplit("::", 1)[0]

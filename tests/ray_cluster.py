"""A Ray cluster of two nodes on this machine, one for all tests of a session."""

import gc
import warnings
from contextlib import ExitStack
from functools import cache
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


STARTS = 3
"""A node has half a minute to start, which a busy machine may not give it at once."""

_running = ExitStack()


@pytest.fixture
def ray_cluster() -> Any:
    """Return a cluster of two nodes with a core each, which is stopped after the last test."""
    return _cluster()


@cache
def _cluster() -> Any:
    import ray  # slow to import
    from ray.cluster_utils import Cluster

    head = {**NODE, "include_dashboard": False, "no_monitor": True, "_system_config": KEEP_WORKERS}
    environ = _running.enter_context(pytest.MonkeyPatch.context())
    environ.setenv(prepared.AT, prepared.address())
    cluster = Cluster()
    _running.callback(cluster.shutdown)
    add_node(cluster, **head)
    add_node(cluster)
    environ.setenv("RAY_ADDRESS", cluster.address)
    # One connection for all tests, so that the workers of one serve the next.
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    _running.callback(ray.shutdown)
    return cluster


def add_node(cluster: Any, **options: Any) -> Any:
    """Return a new node of a cluster."""
    for left in reversed(range(STARTS)):
        try:
            return cluster.add_node(**{**NODE, **options})
        except Exception as error:
            if not left or "timed out during startup" not in str(error):
                raise
    return None


def stop_after(item: pytest.Item, following: pytest.Item | None) -> None:
    """Stop the cluster if a test was the last one to need it: it takes time of a core at rest."""
    if uses_ray(item) and (following is None or not uses_ray(following)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Ray leaves sockets and an event loop open
            _running.close()
            _cluster.cache_clear()
            gc.collect()


def uses_ray(item: pytest.Item) -> bool:
    """Return whether a test asks for the cluster."""
    return "ray_cluster" in getattr(item, "fixturenames", ())


ALONE = (
    "tests/cli/test_interrupt.py",
    "tests/runs/test_asking.py",
    "tests/test_examples.py",
)
"""Modules that take a minute and whose tests share nothing: each test may run in any process."""

TOGETHER = {
    "browser": ("tests/browser/",),
    "cores": (
        "tests/testset/corpus/test_cores.py",
        "tests/testset/generation/test_candidates.py",
    ),
    "mlflow": ("tests/integrations/test_clients.py", "tests/integrations/test_mlflow.py"),
    "torch": (
        "tests/judge/fact_check/test_trained_model.py",
        "tests/metrics/test_answer_similarity.py",
        "tests/models/test_by_name.py::test_a_local_model_of_hugging_face",
        "tests/models/test_embedder.py::test_a_model_of_hugging_face",
    ),
}
"""What one process does, for one browser, its own processes, or what takes long to import."""

LONG = (
    "on_ray",
    *TOGETHER,
    *ALONE,
    "tests/cli/test_batch.py",
    "tests/cli/test_chaos.py",
    "tests/cli/test_diagnose.py",
    "tests/cli/test_mcp.py",
    "tests/contract/",
    "tests/decisions/test_sequential.py",
    "tests/decisions/test_sweep.py",
    "tests/engines/",
    "tests/golden/",
    "tests/integrations/",
    "tests/models/test_batch",
    "tests/models/test_breaker.py",
    "tests/models/test_cache_file.py",
    "tests/models/test_limit.py",
    "tests/models/test_odd_replies.py",
    "tests/models/test_store_outage.py",
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

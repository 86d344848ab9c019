"""Fixtures that every test may ask for, one that every test has, and which tests stay together."""

import asyncio
import gc
import os
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests import prepared
from tests.postgres import postgres_url as postgres_url
from tests.ray_cluster import LONG, ray_cluster as ray_cluster, scope_of, stop_after, uses_ray

# Nothing is loaded from a hub, however the tests are started.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# Tests start many processes: what one of them compiled, the next ones only read.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Nothing of what is loaded until the first test begins is garbage: see `pytest_collection_finish`.
gc.disable()

# Tests have the cores already: nothing starts processes on them that a test did not ask for.
os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when numpy or torch is loaded

# Tests trust nobody outside this machine: each client of a model would read all certificates anew.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent / "server")


class _Scheduling(LoadScopeScheduling):
    """Gives a process a module at a time, a long test, or all tests on Ray."""

    def _split_scope(self, nodeid: str) -> str:
        return scope_of(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        """Give a process what takes longest first, so that all of them end at about one time."""
        if self.workqueue:
            scopes = self.workqueue.items()
            first = max(scopes, key=lambda scope: (scope[0].startswith(LONG), len(scope[1])))
            self.workqueue.move_to_end(first[0], last=False)
        super()._assign_work_unit(node)


class _ExamplesAlone:
    """Looks for examples in docstrings only where some are: most files have none."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[Any], list[Any]]:
        """Return what tests of a file there are."""
        collectors = yield
        if collectors and b">>> " not in file_path.read_bytes():
            return [each for each in collectors if type(each).__name__ != "DoctestModule"]
        return collectors


def pytest_configure(config: pytest.Config) -> None:
    """Have files of the packages, too, looked at so; import what takes long where tests run."""
    config.pluginmanager.register(_ExamplesAlone())
    if hasattr(config, "workerinput") or config.getoption("dist") == "no":
        _import_packages()


def _import_packages() -> None:
    """Import the packages, and set what they use up for tests."""
    from cyclopts.argument import _collection
    from hypothesis import settings

    # Before doctests are collected: pytest would run a module of them twice, and have two printers,
    # or two classes of one name.
    import llamaindex_rag_eval.cli
    import llamaindex_rag_eval.judge.fact_check  # noqa: F401

    # What groups a command's options are in, Cyclopts finds out anew each time that it is called.
    _collection._resolve_groups_from_callable = cache(_collection._resolve_groups_from_callable)

    # A busy machine must not fail a test of properties: no example has a time limit.
    settings.register_profile("rag-eval", deadline=None)
    settings.load_profile("rag-eval")

    # A pytest that a test starts needs no plugins of others.
    names = ("anyio", "hypothesispytest", "phoenix")
    os.environ["PYTEST_ADDOPTS"] = " ".join(f"-p no:{name}" for name in names)


def pytest_xdist_make_scheduler(config: Any, log: Any) -> LoadScopeScheduling:
    """Return who gives tests to processes."""
    return _Scheduling(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_xdist_auto_num_workers(config: Any) -> Generator[None, int, int]:
    """Return one process more than there are cores: the one with the tests on Ray mostly waits."""
    return (yield) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have all tests on Ray done one after another, for one cluster."""
    items.sort(key=lambda item: not uses_ray(item))


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Stop the cluster behind the last of them."""
    stop_after(item, nextitem)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave modules and tests, which stay to the end, out of each search for garbage."""
    gc.freeze()
    gc.set_threshold(*prepared.SELDOM)
    gc.enable()


def pytest_unconfigure() -> None:
    """Search for garbage once: pytest does so five times, and Python once more."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def asyncio_stays_as_it_is() -> Iterator[None]:
    """Fail a test that patches asyncio, by a sync door inside a running loop, for all after it."""
    before = hasattr(asyncio, "_nest_patched")
    yield
    assert hasattr(asyncio, "_nest_patched") == before, "use the async door in an async test"

"""Shards: the garbage collector is spared while one is scored, and then as it was."""

import gc

import pytest

from llamaindex_rag_eval.runs import shard
from llamaindex_rag_eval.runs.shard import SELDOM, sparing_collector


@pytest.fixture(autouse=True)
def _collector_as_in_a_program():
    """Undo what the tests set for themselves: where objects are frozen, nothing is spared."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.unfreeze()
    if shard._collecting.locked():
        shard._collecting.release()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)
    if frozen:
        gc.freeze()


def test_the_collector_looks_seldom_and_then_as_often_as_before():
    with sparing_collector():
        assert gc.get_threshold() == SELDOM
        assert gc.get_freeze_count()
        with sparing_collector():  # of another evaluation of this process
            assert gc.get_threshold() == SELDOM
        assert gc.get_threshold() == SELDOM
    assert gc.get_threshold() == (700, 10, 10)
    assert not gc.get_freeze_count()


@pytest.mark.parametrize("given", [(0, 10, 10), (10**6, 10**3, 10**3)])
def test_a_collector_that_is_off_or_looks_more_seldom_stays_so(given: tuple[int, int, int]):
    gc.set_threshold(*given)
    with sparing_collector():
        assert gc.get_threshold() == given
    assert gc.get_threshold() == given


def test_what_others_froze_stays_frozen():
    gc.freeze()
    with sparing_collector():
        assert gc.get_threshold() == (700, 10, 10)
    assert gc.get_freeze_count()

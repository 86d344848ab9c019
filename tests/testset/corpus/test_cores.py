"""Work on every core gives what work on one gives, in the order of its parts."""

import gc
import os

import pytest

from llamaindex_rag_eval.errors import InputError
from testset.corpus.cores import on_every_core, working_on


def test_results_come_in_the_order_of_the_parts():
    assert list(on_every_core(abs, iter([-3, 2, -1]))) == [3, 2, 1]
    assert list(on_every_core(abs, [])) == []


def test_a_single_part_is_worked_on_here():
    assert list(on_every_core(os.getpgid, [0])) == [os.getpgid(0)]


def test_so_many_processes_work_as_were_asked_for():
    with working_on(None, 1):
        assert list(on_every_core(_process, [1, 2])) == [os.getpid()] * 2
        with working_on(None):  # nobody asked for another number
            assert list(on_every_core(_process, [1, 2])) == [os.getpid()] * 2
        with working_on(None, 2):
            assert os.getpid() not in set(on_every_core(_process, [1, 2]))
    with pytest.raises(InputError, match="1 worker or more"), working_on(None, 0):
        pass


def test_the_collector_of_garbage_runs_on_here():
    assert list(on_every_core(_collects, [1, 2])) == [False, False]
    assert gc.isenabled()
    assert list(on_every_core(_collects, [1])) == [True]


def _collects(part: int) -> bool:
    del part
    return gc.isenabled()


def _process(part: int) -> int:
    del part
    return os.getpid()

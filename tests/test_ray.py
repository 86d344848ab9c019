"""Joining: what keeps Ray from being joined is said in one line."""

import sys

import pytest

from llamaindex_rag_eval._ray import ray_nodes
from llamaindex_rag_eval.errors import InputError


@pytest.mark.parametrize(
    ("on", "expected"), [("spark", "expected 'ray'$"), ("ray://head:10001", "`ray job submit`")]
)
def test_another_cluster_is_an_error(on, expected):
    with pytest.raises(InputError, match=expected), ray_nodes(on):
        pass


def test_without_ray_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    hint = r"pip install 'llamaindex-rag-eval\[ray\]'"
    with pytest.raises(InputError, match=hint), ray_nodes("ray"):
        pass

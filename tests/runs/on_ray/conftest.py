"""What the tests of evaluations on Ray share."""

import pytest

from llamaindex_rag_eval.runs.on_ray import evaluate as on_ray


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score 20 samples together."""
    monkeypatch.setitem(on_ray.evaluate_on_ray.__kwdefaults__, "block_rows", 20)

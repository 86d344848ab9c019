"""What the tests of evaluations on Ray share."""

import pytest

from llamaindex_rag_eval.runs.on_ray import evaluate as on_ray


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score 20 samples together, and read 4 kB of lines at a time."""
    monkeypatch.setitem(on_ray.evaluate_on_ray.__kwdefaults__, "block_rows", 20)
    monkeypatch.setattr("llamaindex_rag_eval.runs.on_ray.work.PIECE_BYTES", 4096)

"""What runs of several pipelines say of their questions."""

from pathlib import Path

import numpy as np
import pytest

from llamaindex_rag_eval.decisions.set_quality import set_quality
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.run import Run
from tests.cli.command_line import run_file


def runs(folder: Path, questions: int = 20) -> list[Run]:
    """Write runs of three pipelines: the better one is right wherever the worse one is."""
    rng = np.random.default_rng(0)
    hardness = rng.random(questions)
    hardness[:3] = 0.01, 0.99, 0.5
    return [
        Run.read(run_file(folder, name, m=[float(skill > each) for each in hardness]))
        for name, skill in (("low", 0.3), ("high", 0.9), ("middle", 0.6))
    ]


def test_pipelines_are_ordered_and_questions_that_tell_nothing_are_named(tmp_path: Path) -> None:
    quality = set_quality(runs(tmp_path))
    ids = quality.ids
    assert quality.pipelines == ("high", "middle", "low")
    assert ids[0] in quality.every
    assert ids[1] in quality.none
    assert ids[2] not in (*quality.every, *quality.none)
    assert not {*quality.best(3)} & {*quality.every, *quality.none}
    assert (quality.halves.n, quality.as_large.n, quality.twice.n) == (10, 20, 40)
    assert quality.as_large.value < quality.twice.value <= 1
    assert f"the best score on {len(quality.every)} of the questions" in quality.sentences[-1]


def test_too_little_is_a_message(tmp_path: Path) -> None:
    read = runs(tmp_path, 8)
    with pytest.raises(InputError, match="at least 3 runs, got 2"):
        set_quality(read[:2])
    with pytest.raises(InputError, match="at least 10 questions with 'm' in every run, got 8"):
        set_quality(read)
    other = Run.read(run_file(tmp_path, "other", k=[1.0] * 8))
    with pytest.raises(InputError, match="'other' has no metric 'm'; it has k"):
        set_quality([*read, other])

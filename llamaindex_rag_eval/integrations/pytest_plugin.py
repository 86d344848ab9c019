"""pytest: metrics as assertions, case by case over a golden set, and over a whole run.

    @pytest.mark.rag_golden("golden.jsonl")
    def test_answers_from_its_contexts(golden_item, assert_rag):
        assert_rag(ask(golden_item), {"faithfulness": 0.8})

    def test_is_good_on_the_whole(assert_run):
        run = evaluate(engine, EvaluationDataset.read("golden.jsonl"), metrics=["faithfulness"])
        assert_run(run, {"faithfulness": 0.8}, lower_bound=True)

Without its markers and fixtures the plugin does nothing. It writes no file and keeps no state, so
processes of pytest-xdist do not disturb one another.
"""

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from llamaindex_rag_eval.data.sample import Sample
    from llamaindex_rag_eval.decisions.policy import Threshold, ThresholdKind
    from llamaindex_rag_eval.judge import JudgeLike
    from llamaindex_rag_eval.metrics.result import Result
    from llamaindex_rag_eval.runs.run import Run

Bounds = Mapping[str, float]
"""Metric -> the value that passes: at least, or at most where lower is better."""

MARKERS = (
    "rag_eval(**bounds): metrics and the values that pass, which `assert_rag` takes by default",
    "rag_golden(path): run the test once for each item of a golden set, as `golden_item`",
)

ITEM = "golden_item"

HASH = re.compile(r"(?:\w+-)?[0-9a-f]{8,}(?:~\d+)?")
"""An id that was made of what an item holds, and says nothing to a reader."""

LONGEST_TITLE = 60
"""Characters of a question in the name of its test."""


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers."""
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize a test with the items of the golden set that its marker names."""
    marker = metafunc.definition.get_closest_marker("rag_golden")
    if marker is None:
        return
    if len(marker.args) != 1 or marker.kwargs or ITEM not in metafunc.fixturenames:
        pytest.fail(
            f'expected rag_golden("golden.jsonl") over a test that takes {ITEM!r}', pytrace=False
        )
    items = _golden(Path(marker.args[0]), metafunc.definition.path.parent, metafunc.config.rootpath)
    metafunc.parametrize(ITEM, items, ids=[_title(item) for item in items])


@pytest.fixture(scope="session")
def rag_eval_judge() -> "JudgeLike | None":
    """Return the judge: by default the LLM of LlamaIndex's settings, else embedded rules.

    Define a fixture of this name in `conftest.py` to use another.
    """
    return None


@pytest.fixture
def assert_rag(
    request: pytest.FixtureRequest, rag_eval_judge: "JudgeLike | None"
) -> "Callable[..., Mapping[str, Result]]":
    """Return a function that asserts metrics of one sample.

    `assert_rag(sample, {"faithfulness": .8})` takes a sample, or a mapping of its fields by any of
    their names, and what must be reached. Without bounds it takes those of the marker `rag_eval`.
    A metric that fails, or is undefined, does not pass: `undefined=True` lets the latter pass. It
    returns the results by the name they were asked for.
    """
    __tracebackhide__ = True
    marker = request.node.get_closest_marker("rag_eval")
    marked: Bounds = {} if marker is None else marker.kwargs

    def check(
        sample: "Sample | Mapping[str, object]",
        metrics: Bounds | None = None,
        *,
        undefined: bool = False,
    ) -> "Mapping[str, Result]":
        __tracebackhide__ = True
        from llamaindex_rag_eval.runs.evaluate import evaluate

        bounds = metrics or marked
        run = evaluate([sample], metrics=tuple(bounds), judge=rag_eval_judge)
        results = dict(zip(bounds, (run.of(info.spec)[0] for info in run.metrics), strict=True))
        failures = [
            _failure(name, result, bounds[name], info.direction)
            for (name, result), info in zip(results.items(), run.metrics, strict=True)
            if not _passes(result, bounds[name], info.direction, undefined=undefined)
        ]
        _fail(failures)
        return results

    return check


@pytest.fixture
def assert_run() -> "Callable[..., None]":
    """Return a function that asserts means of a run.

    `assert_run(run, {"faithfulness": .8})` wants means of at least the bound, or at most where
    lower is better; with `lower_bound=True` the end of the 95 % interval on the bad side must
    reach it. `max_missing` is the share of a metric's results that may have failed, 0 by default.
    """

    def check(
        run: "Run", metrics: Bounds, *, lower_bound: bool = False, max_missing: float = 0.0
    ) -> None:
        __tracebackhide__ = True
        from llamaindex_rag_eval.decisions.decision import decide
        from llamaindex_rag_eval.decisions.policy import Policy

        thresholds = _thresholds(run, metrics, lower_bound=lower_bound)
        policy = Policy(
            thresholds=thresholds, max_missing=max_missing, max_undefined=1.0, min_scored=1
        )
        _fail(f"{c.rule}: {c.message}" for c in decide(None, run, policy).checks if not c.held)

    return check


def _golden(path: Path, folder: Path, root: Path) -> "Sequence[Sample]":
    """Return the items of a golden set: a path relative to the test's file, or to the root."""
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.errors import DatasetError

    file = next((base / path for base in (folder, root) if (base / path).is_file()), root / path)
    try:
        items = EvaluationDataset.read(file).samples
    except DatasetError as error:
        pytest.fail(f"the golden set cannot be used: {error}", pytrace=False)
    if not items:
        pytest.fail(f"the golden set {str(file)!r} is empty: nothing is tested", pytrace=False)
    return items


def _title(item: "Sample") -> str:
    """Return what a test of an item is called: its id, or the words of its question for a hash."""
    if not HASH.fullmatch(item.id):
        return item.id
    words = re.findall(r"\w+", item.asked)
    return textwrap.shorten(" ".join(words), LONGEST_TITLE, placeholder="").replace(" ", "-")


def _thresholds(run: "Run", metrics: Bounds, *, lower_bound: bool) -> "tuple[Threshold, ...]":
    from llamaindex_rag_eval.decisions.policy import Threshold

    downward = {info.spec for info in run.metrics if info.direction == "lower"}
    least: ThresholdKind = "min_lower_bound" if lower_bound else "min"
    most: ThresholdKind = "max_upper_bound" if lower_bound else "max"
    return tuple(
        Threshold(most if name in downward else least, name, bound)
        for name, bound in metrics.items()
    )


def _passes(result: "Result", bound: float, direction: str, *, undefined: bool) -> bool:
    if result.score is None:
        return undefined and result.status == "undefined"
    return result.score <= bound if direction == "lower" else result.score >= bound


def _failure(name: str, result: "Result", bound: float, direction: str) -> str:
    sign = "<=" if direction == "lower" else ">="
    if result.score is None:
        outcome = "failed" if result.status == "failed" else f"is {result.status}"
        return f"{name} {outcome}, expected {sign} {bound:g}: {result.reason}"
    return f"{name} is {result.score:.3f}, expected {sign} {bound:g}: {result.reason}"


def _fail(failures: Iterable[str]) -> None:
    __tracebackhide__ = True
    from llamaindex_rag_eval.data.plain_text import plain_text

    text = plain_text("\n".join(failures))
    if text:
        raise AssertionError(text)

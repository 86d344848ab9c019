"""Sources: answers, or a run that scored them, in a file or among the runs that are kept."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from llamaindex_rag_eval.cli.options import named_metrics
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.store import DEFAULT_STORE
from llamaindex_rag_eval.runs.store.run_store import RunStore

__all__ = ["name_of", "read_answers_or_run", "read_questions", "scored_runs", "source_of"]

Source = Run | EvaluationDataset

SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv")
"""Of files; what ends so and is not there is a missing file, and no kept run."""


def read_answers_or_run(path: Path) -> Source:
    """Return what a file holds: a run, or samples with their answers.

    Raises:
        DatasetError: It holds neither.
    """
    if {"run", "name"} <= _head(path).keys():
        return Run.read(path).named(name_of(path))
    return EvaluationDataset.read(path)


def read_questions(path: Path) -> EvaluationDataset:
    """Return the questions of a golden set, or of any other file of samples.

    Raises:
        DatasetError: It holds no samples.
    """
    if {"question", "gold", "checks"} <= _head(path).keys():
        from testset import GoldenSet

        return EvaluationDataset.of(GoldenSet.read(path))
    return EvaluationDataset.read(path)


def name_of(path: Path) -> str:
    """Return under which name a file's answers are shown.

    Example:
        >>> name_of(Path("out/answers-bm25.jsonl")), name_of(Path("a.jsonl"))
        ('bm25', 'a')
    """
    stem = path.stem
    for prefix in ("answers-", "scores-"):
        stem = stem.removeprefix(prefix)
    return stem


def source_of(reference: str, store: str = str(DEFAULT_STORE)) -> Source:
    """Return what a file holds, or else the kept run that is called so.

    Raises:
        DatasetError: The file holds neither a run nor samples.
        InputError: Nothing is called so.
    """
    path = Path(reference)
    if path.is_file() or path.suffix in SUFFIXES:
        return read_answers_or_run(path)
    return RunStore(store).get(reference)


def scored_runs(
    references: Sequence[str],
    *,
    metrics: str | None,
    judge: Judge | None,
    screen: Screen,
    store: str = str(DEFAULT_STORE),
) -> tuple[Run, ...]:
    """Return runs with the same metrics, scoring what is not scored yet.

    Without `metrics`, answers are scored with those of the run beside them, or the default ones.

    Args:
        references: Files of answers or runs, or what kept runs are called.
        metrics: As the command was given them.
        judge: Who judges what is scored.
        screen: Where progress is shown.
        store: Where runs are kept.
    """
    sources = [source_of(reference, store) for reference in references]
    wanted = named_metrics(metrics) or _metrics_of(sources)
    runs = []
    for reference, source in zip(references, sources, strict=True):
        if isinstance(source, Run) and _has(source, wanted, asked=metrics is not None):
            runs.append(source)
            continue
        name = source.name if isinstance(source, Run) else name_of(Path(reference))
        with screen.progress(f"scoring {name}") as progress:
            samples = source.samples
            names = wanted or DEFAULT_METRICS
            run = evaluate(samples, metrics=names, judge=judge, name=name, progress=progress)
        runs.append(run)
    return tuple(runs)


def _metrics_of(sources: list[Source]) -> tuple[str, ...]:
    """Return the metrics of the first run among the sources."""
    runs = [source for source in sources if isinstance(source, Run)]
    return tuple(info.spec for info in runs[0].metrics) if runs else ()


def _has(run: Run, wanted: tuple[str, ...], *, asked: bool) -> bool:
    """Return whether a run needs no more scoring."""
    return not asked or set(wanted) <= {info.spec for info in run.metrics}


def _head(path: Path) -> Mapping[str, object]:
    """Return the first object of a JSON Lines file; nothing for a file of another kind."""
    if path.suffix not in (".jsonl", ".ndjson"):
        return {}
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            head = json.loads(file.readline())
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror}", file=str(path)) from error
    except ValueError:
        return {}
    return head if isinstance(head, dict) else {}

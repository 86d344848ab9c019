"""Sources: a file of answers, or of a run that scored them; which one is seen from its head."""

import json
from collections.abc import Mapping
from pathlib import Path

from llamaindex_rag_eval.catalogue import DEFAULT_METRICS
from llamaindex_rag_eval.cli.options import named_metrics
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.dataset import EvaluationDataset
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.evaluation import evaluate
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.run import Run

__all__ = ["name_of", "read_answers_or_run", "read_questions", "scored_pair"]

Source = Run | EvaluationDataset


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


def scored_pair(
    paths: tuple[Path, Path],
    *,
    metrics: str | None,
    judge: Judge | None,
    screen: Screen,
) -> tuple[Run, Run]:
    """Return two runs with the same metrics, scoring what is not scored yet.

    Without `metrics`, answers are scored with those of the run beside them, or the default ones.
    """
    sources = [read_answers_or_run(path) for path in paths]
    wanted = named_metrics(metrics) or _metrics_of(sources)
    runs = []
    for path, source in zip(paths, sources, strict=True):
        if isinstance(source, Run) and _has(source, wanted, asked=metrics is not None):
            runs.append(source)
            continue
        with screen.progress(f"scoring {path.name}") as progress:
            samples = source.samples
            names = wanted or DEFAULT_METRICS
            name = name_of(path)
            run = evaluate(samples, metrics=names, judge=judge, name=name, progress=progress)
        runs.append(run)
    return runs[0], runs[1]


def _metrics_of(sources: list[Source]) -> tuple[str, ...]:
    """Return the metrics of the first run among the sources."""
    runs = [source for source in sources if isinstance(source, Run)]
    return tuple(facts.label for facts in runs[0].metrics) if runs else ()


def _has(run: Run, wanted: tuple[str, ...], *, asked: bool) -> bool:
    """Return whether a run needs no more scoring."""
    return not asked or set(wanted) <= {facts.label for facts in run.metrics}


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

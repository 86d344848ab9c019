"""`rag-eval demo`: the main job from end to end, on documents, without any key."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.evaluate import leave_if_failed
from llamaindex_rag_eval.cli.exits import Exit
from llamaindex_rag_eval.cli.generate import generated
from llamaindex_rag_eval.cli.judging import judge_from
from llamaindex_rag_eval.cli.options import AsJson, Cache, Llm, Metrics, Quiet, named_metrics
from llamaindex_rag_eval.cli.outputs import writable
from llamaindex_rag_eval.cli.run import answered
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.errors import DocumentError

if TYPE_CHECKING:
    from llamaindex_rag_eval.cli.default_engines import RetrieverKind
    from llamaindex_rag_eval.judge import Judge
    from llamaindex_rag_eval.runs.run import Run
    from testset import Corpus, GoldenSet

__all__ = ["demo_command"]

KINDS: "tuple[RetrieverKind, RetrieverKind]" = ("bm25", "embedding")

DOCUMENTS = Path(__file__).parents[2] / "examples" / "docs"
"""What the demo reads when it is told nothing; there in a source tree."""


def demo_command(
    docs: Annotated[
        Path | None, typer.Argument(help="Your documents; the examples' if not given.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")] = Path(
        "demo-output"
    ),
    size: Annotated[int, typer.Option("--size", "-n", min=1, help="How many questions.")] = 30,
    metrics: Metrics = None,
    llm: Llm = None,
    cache: Cache = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write a golden set, let two query engines answer it, score both, and compare them.

    The engines differ in their retriever: BM25 against an index of embeddings.
    """
    screen = Screen(quiet=quiet, as_json=as_json)
    folder = _documents(docs)
    fresh = _fresh(out)
    judge = judge_from(llm, cache)
    from llamaindex_rag_eval.comparison.compare import compare
    from llamaindex_rag_eval.report.html import write_html
    from llamaindex_rag_eval.report.tables import comparison_table, write_csv
    from testset import Corpus
    from testset.golden.card import data_card

    corpus = Corpus.of(folder)
    golden = generated(corpus, fresh["golden.jsonl"], size=size, judge=judge, screen=screen)
    runs = _scored(corpus, golden, out, named_metrics(metrics), judge, screen)
    comparison = compare(*runs)
    write_csv(runs, fresh["scores.csv"])
    write_html(comparison, fresh["report.html"], card=data_card(golden))
    screen.data({"folder": str(out), "golden": len(golden), **comparison.as_json()})
    screen.show(comparison_table(comparison), *comparison.verdict)
    screen.show(
        f"golden.jsonl, answers-*.jsonl, scores.csv and report.html are in {out}/; "
        f"next: open {out}/report.html, or rag-eval run {out}/golden.jsonl --engine your_app:engine"
    )
    leave_if_failed(screen, *runs)
    if len(golden) < size:
        raise typer.Exit(Exit.PARTLY)


def _documents(docs: Path | None) -> Path:
    if docs is not None:
        return docs
    if not DOCUMENTS.is_dir():
        raise DocumentError("expected a folder of documents, as in `rag-eval demo docs/`")
    return DOCUMENTS


def _fresh(folder: Path) -> dict[str, Path]:
    """Return where everything goes; what an earlier demo left there must not be taken up."""
    names = ["golden.jsonl", "scores.csv", "report.html"]
    names += [f"{what}-{kind}.jsonl" for what in ("answers", "scores") for kind in KINDS]
    paths = {name: writable(folder / name) for name in names}
    for path in paths.values():
        path.unlink(missing_ok=True)
    return paths


def _scored(
    corpus: "Corpus",
    golden: "GoldenSet",
    out: Path,
    metrics: tuple[str, ...],
    judge: "Judge | None",
    screen: Screen,
) -> "tuple[Run, Run]":
    """Return the runs of both engines over the golden set."""
    from llamaindex_rag_eval.cli.default_engines import chunks_of, default_engine
    from llamaindex_rag_eval.data.dataset import EvaluationDataset
    from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
    from llamaindex_rag_eval.runs.evaluate import evaluate

    nodes, questions = chunks_of(corpus), EvaluationDataset.of(golden)
    runs = []
    for kind in KINDS:
        engine = default_engine(nodes, kind)
        file = out / f"answers-{kind}.jsonl"
        answers = answered(engine, questions, file, screen=screen, what=f"answering, {kind}")
        with screen.progress(f"scoring, {kind}") as report:
            run = evaluate(
                answers,
                metrics=metrics or DEFAULT_METRICS,
                judge=judge,
                out=out / f"scores-{kind}.jsonl",
                name=kind,
                progress=report,
            )
        runs.append(run)
    return runs[0], runs[1]

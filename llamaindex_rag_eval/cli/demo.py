"""`rag-eval demo`: the main job from end to end, on documents, without any key."""

from pathlib import Path
from shutil import copytree, ignore_patterns

import llamaindex_rag_eval as rag
import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.errors import Exit, exit_if_unscored
from llamaindex_rag_eval.cli.generate import write_golden
from llamaindex_rag_eval.cli.inputs import engine_over
from llamaindex_rag_eval.cli.judging import Checking
from llamaindex_rag_eval.cli.options import Encoding, Metrics, Out, Size
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import DocumentError

ENGINES = ("windows", "sections")
"""The engines of the demo: a first attempt, and one that is set up with care."""

AT_MOST = 50
"""Questions that are asked, if rules can write as many and no number is named."""

WINDOW = 256
"""Characters of a window."""

DOCUMENTS = (
    Path(__file__).with_name("demo_docs"),
    Path(__file__).parents[2] / "examples" / "docs",
)
"""Where the documents read by default are: after an installation, and in a source tree."""


def demo_command(
    docs: Path | None = None,
    /,
    *,
    encoding: Encoding = None,
    out: Out = Path("demo-output"),
    size: Size | None = None,
    metrics: Metrics = Metrics(),
    checking: Checking = Checking(),
) -> None:
    """Show all of it at work, on your documents or on examples.

    Writes a golden set, lets two query engines answer it, scores both, and compares them.
    "windows" cuts the documents every 256 characters and answers from the one window whose
    vector is nearest. "sections" cuts them at their headings, and answers from the best five
    sections by BM25 and vectors together. The same rules take the answer from what was
    retrieved.

    Args:
        docs: Your documents; a copy of the examples' if not given.
        out: The folder to write to.
    """
    paths = _cleared_paths(out)
    judge = checking.judge()
    corpus = testset.Corpus.of(docs or _examples(out / "example-docs"), encoding=encoding)
    golden = write_golden(corpus, paths["golden.jsonl"], {"size": size or AT_MOST, "judge": judge})
    if not golden:
        raise DocumentError("rules can ask nothing about these documents; take an LLM (--llm)")
    runs = _runs(corpus, golden, out, metrics.names, judge)
    comparison = rag.compare(*runs)
    library.write_csv(runs, paths["scores.csv"])
    library.write_html(comparison, paths["report.html"])
    printer.data({"folder": str(out), "golden": len(golden), **comparison.as_json()})
    table, decision = library.comparison_table(comparison), library.decide_pair(comparison)
    decided = f"{decision.name}: {decision.headline}."
    printer.show(table, decided, *decision.reasons, *decision.notes)
    printer.show(
        f"golden.jsonl, answers-*.jsonl, scores.csv and report.html are in {out}/; "
        f"next: open {out}/report.html, or rag-eval run {out}/golden.jsonl --engine your_app:engine"
    )
    exit_if_unscored(runs)
    if size and len(golden) < size:
        raise SystemExit(Exit.PARTLY)


def _examples(folder: Path) -> Path:
    """Return a copy of the examples' documents, beside which an index may be written."""
    source = next(filter(Path.is_dir, DOCUMENTS))
    return copytree(source, folder, ignore=ignore_patterns(".rag-eval"), dirs_exist_ok=True)


def _cleared_paths(folder: Path) -> dict[str, Path]:
    """Return the files to write, by name; those of an earlier demo must not be continued."""
    names = ["golden.jsonl", "scores.csv", "report.html"]
    names += [f"{what}-{kind}.jsonl" for what in ("answers", "scores") for kind in ENGINES]
    paths = {name: writable(folder / name) for name in names}
    for path in paths.values():
        path.unlink(missing_ok=True)
    return paths


def _runs(
    corpus: "testset.Corpus",
    golden: "testset.GoldenSet",
    out: Path,
    metrics: tuple[str, ...],
    judge: "rag.Judge | None",
) -> "tuple[rag.Run, rag.Run]":
    """Return the runs of both engines over the golden set."""
    questions = rag.EvaluationDataset.of(golden)
    runs = []
    for kind, engine in zip(ENGINES, _engines(corpus), strict=True):
        file = out / f"answers-{kind}.jsonl"
        with printer.progress(f"answering, {kind}") as progress:
            answers = library.run(
                engine, questions, concurrency=8, retries=2, out=file, progress=progress
            )
        with printer.progress(f"scoring, {kind}") as progress:
            scored = rag.evaluate(
                answers,
                metrics=metrics or rag.DEFAULT_METRICS,
                judge=judge,
                out=out / f"scores-{kind}.jsonl",
                name=kind,
                progress=progress,
            )
        runs.append(scored)
    return runs[0], runs[1]


def _engines(
    corpus: "testset.Corpus",
) -> "tuple[library.RetrieverQueryEngine, library.RetrieverQueryEngine]":
    """Return both engines, as named in `ENGINES`."""
    documents = corpus.llama_documents()
    return (
        engine_over(library.window_nodes(documents, size=WINDOW), "embedding", top_k=1),
        engine_over(library.section_nodes(documents), "fused", top_k=5),
    )

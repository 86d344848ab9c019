"""Inputs: what the arguments of a command stand for: runs, answers, questions, a judge."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import llamaindex_rag_eval as rag
import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.errors import DatasetError, InputError

GOLDEN = "golden.jsonl"
"""The golden set that `rag-eval generate` and `rag-eval demo` write by default."""

TELLING = 10
"""Questions that tell pipelines apart best which a data card names."""


def names_in(text: str | None) -> tuple[str, ...]:
    """Return the names of a list that commas separate, brackets kept whole.

    Example:
        >>> names_in("faithfulness, rouge(type=rougeL,measure=recall)")
        ('faithfulness', 'rouge(type=rougeL,measure=recall)')
        >>> names_in(None)
        ()
    """
    names, depth = [""], 0
    for character in text or "":
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            names.append("")
        else:
            names[-1] += character
    return tuple(name.strip() for name in names if name.strip())


def people_in(text: str) -> Sequence[str]:
    """Return people: the lines of a file, or names that commas separate.

    Raises:
        InputError: There is no such file, or nobody is named.

    Example:
        >>> people_in("a payroll clerk, a new employee")
        ('a payroll clerk', 'a new employee')
    """
    path = Path(text)
    named = "," in text or " " in text.strip() or not (path.suffix or path.name != text)
    if path.is_file() or not named:
        return lines_in(path)
    people = names_in(text)
    if not people:
        raise InputError("--personas names nobody; expected names by commas, or a file")
    return people


def name_of(path: Path) -> str:
    """Return the name of a file's answers or run.

    Example:
        >>> name_of(Path("out/answers-bm25.jsonl")), name_of(Path("a.jsonl"))
        ('bm25', 'a')
    """
    return path.stem.removeprefix("answers-").removeprefix("scores-")


def answers_or_run(path: Path, images: Path | None = None) -> "rag.Run | rag.EvaluationDataset":
    """Return what a file holds: a run, or samples with their answers.

    Images of answers are read from the folder `images`.

    Raises:
        DatasetError: It holds neither.
    """
    _refuse_folder(path)
    if holds_run(path):
        return rag.Run.read(path).named(name_of(path))
    samples = rag.EvaluationDataset.read(path)
    return samples if images is None else samples.with_images(images)


def holds_run(path: Path) -> bool:
    """Return whether a file begins as one that `rag-eval evaluate` wrote."""
    return {"run", "name"} <= _first_object(path).keys()


def questions_in(path: Path) -> "rag.EvaluationDataset":
    """Return the questions of a golden set, or of any other file of samples.

    Raises:
        DatasetError: It holds no samples.
    """
    _refuse_folder(path)
    if {"question", "gold", "checks"} <= _first_object(path).keys():
        return rag.EvaluationDataset.of(testset.GoldenSet.read(path))
    return rag.EvaluationDataset.read(path)


def engine_over(
    nodes: "Sequence[library.BaseNode]", retriever: "library.RetrieverKind", *, top_k: int = 5
) -> "library.RetrieverQueryEngine":
    """Return the default engine over nodes, with rules in place of models."""
    llm, embed_model = library.ExtractiveLLM(), library.LexicalEmbedding()
    return library.default_engine(nodes, retriever, llm=llm, embed_model=embed_model, top_k=top_k)


def runs_in(paths: Sequence[Path]) -> "list[rag.Run]":
    """Return the runs in files, each named after its file."""
    return [rag.Run.read(path).named(name_of(path)) for path in paths]


def card_in(path: Path, quality: "library.SetQuality | None" = None) -> str:
    """Return the data card in a file: Markdown as it stands, or that of a golden set.

    Args:
        path: The file.
        quality: What runs say of the set.

    Raises:
        DatasetError: The file is neither.
        InputError: It cannot be read.
    """
    if path.suffix == ".md":
        return library.read_text(path)
    agreement = library.agreement_of(library.decisions_in(library.decisions_beside(path)))
    golden = library.with_report(testset.GoldenSet.read(path), path)
    return testset.data_card(
        golden,
        agreement="" if agreement is None else str(agreement),
        measured=() if quality is None else quality.sentences,
        telling=() if quality is None else quality.best(TELLING),
    )


def card_beside(reference: str, run: "rag.Run") -> str:
    """Return the data card of the golden set beside a run's file; empty if it has none.

    A golden set is the run's if it holds every question of it.
    """
    golden = Path(reference).with_name(GOLDEN)
    if not (Path(reference).is_file() and golden.is_file()):
        return ""

    try:
        known = {item.id for item in testset.GoldenSet.read(golden)}
    except DatasetError:  # another file of that name
        return ""
    ids = {sample.id for sample in run.samples}
    return card_in(golden) if ids and ids <= known else ""


def lines_in(path: Path) -> Sequence[str]:
    """Return the lines of a file that are not blank.

    Raises:
        InputError: The file cannot be read, or all its lines are blank.
    """
    lines = tuple(line.strip() for line in library.read_text(path).splitlines() if line.strip())
    if not lines:
        raise InputError(f"{str(path)!r} holds no line; expected at least one")
    return lines


def _refuse_folder(path: Path) -> None:
    """Raise `DatasetError` if a path is a folder."""
    if path.is_dir():
        near = sorted(path.glob("*.jsonl"), key=lambda file: (file.name != GOLDEN, file))
        hint = f"; did you mean {str(near[0])!r}?" if near else ""
        raise DatasetError(f"it is a folder; expected a file of samples{hint}", file=str(path))


def _first_object(path: Path) -> Mapping[str, object]:
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

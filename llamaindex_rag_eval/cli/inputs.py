"""Inputs: what the arguments of a command stand for: runs, answers, questions, a judge."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import llamaindex_rag_eval as rag
import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.errors import DatasetError

GOLDEN = "golden.jsonl"
"""The golden set that `rag-eval generate` and `rag-eval demo` write by default."""


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


def name_of(path: Path) -> str:
    """Return the name of a file's answers or run.

    Example:
        >>> name_of(Path("out/answers-bm25.jsonl")), name_of(Path("a.jsonl"))
        ('bm25', 'a')
    """
    return path.stem.removeprefix("answers-").removeprefix("scores-")


def names_of(
    references: Sequence[str], sources: "Sequence[rag.Run | rag.EvaluationDataset]"
) -> tuple[str, ...]:
    """Return what runs and answers are called, none twice.

    A run has its own name, answers that of their file; if two are the same, all have the names of
    their files.
    """
    files = [name_of(Path(reference)) for reference in references]
    own = [getattr(source, "name", "") for source in sources]
    own = [name or file for name, file in zip(own, files, strict=True)]
    differ = (names for names in (own, files, references) if len({*names}) == len(names))
    return library.unique_names(next(differ, own))


def answers_or_run(path: Path, images: Path | None = None) -> "rag.Run | rag.EvaluationDataset":
    """Return what a file holds: a run, or samples with their answers.

    Images of answers are read from the folder `images`.

    Raises:
        DatasetError: It holds neither.
    """
    _refuse_folder(path)
    if holds_run(path):
        return rag.Run.read(path)
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

"""The generator: documents in, a golden set out.

Ingest, plan, write, check, balance, finish. Without a model, rules write the questions; they are
plain, and each has passed every check.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import get_args

from llamaindex_rag_eval.door import run_sync
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike, judge_of
from testset.checks import Ground
from testset.documents import Corpus, Documents
from testset.golden import QuestionType
from testset.golden_set import GoldenSet, ordered
from testset.journal import Journal
from testset.plan import quotas
from testset.pool import kept_passages, pool_of
from testset.selection import Selection
from testset.topics import topics_of

__all__ = ["Progress", "agenerate", "generate"]

Progress = Callable[[str, int, int], None]
"""Called with the name of a stage, how much of it is done, and how much there is."""

WRITTEN_BY_RULE: Mapping[QuestionType, float] = {"single_hop": 0.8, "table": 0.2}
"""What rules write well, and in what shares; they leave other types to a model."""


def generate(
    docs: Documents,
    *,
    size: int = 50,
    seed: int = 7,
    types: Sequence[QuestionType] | Mapping[QuestionType, float] | None = None,
    language: str | None = None,
    judge: JudgeLike | None = None,
    journal: Path | None = None,
    progress: Progress | None = None,
) -> GoldenSet:
    """Write a golden set for documents; the same documents and seed give the same set.

    Args:
        docs: A folder, a file, a `Corpus`, or documents and nodes of LlamaIndex.
        size: How many items, 1 or more.
        seed: Chooses among equally good questions.
        types: Question types, evenly or with shares; by default those that rules write well.
        language: Ask only in this language ("en", "de", "ja", "zh"); by default each document is
            asked about in its own.
        judge: Who checks that answers are grounded; by default the embedded rules.
        journal: Where decisions are kept, so that a killed run continues; `None` keeps none.
        progress: Called as the stages advance.

    Returns:
        Exactly `size` items, or fewer with a `shortfall` that says what could not be filled.

    Raises:
        DocumentError: There is no document to read.
        DatasetError: The journal is of another run.
        InputError: `size` is below 1, or a type is unknown.
    """
    return run_sync(
        agenerate(
            docs,
            size=size,
            seed=seed,
            types=types,
            language=language,
            judge=judge,
            journal=journal,
            progress=progress,
        )
    )


async def agenerate(
    docs: Documents,
    *,
    size: int = 50,
    seed: int = 7,
    types: Sequence[QuestionType] | Mapping[QuestionType, float] | None = None,
    language: str | None = None,
    judge: JudgeLike | None = None,
    journal: Path | None = None,
    progress: Progress | None = None,
) -> GoldenSet:
    """Write a golden set, as `generate` does, inside a running event loop."""
    shares = _shares(types, size)
    tell = progress or _silent
    corpus = Corpus.of(docs)
    tell("read", len(corpus.documents), len(corpus.documents))
    everything, passages = kept_passages(corpus, seed=seed)
    topics = topics_of(corpus.documents)
    cells = pool_of(passages, topics, size=size, seed=seed, language=language or "")
    tell("plan", len(passages), len(everything))
    if types is None:
        shares = _fitting(shares, {kind for _, kind in cells})
    weights = _passages_per_topic(topics, [p.document.doc_id for p in passages])
    plan = quotas(weights, shares, size)
    run = f"{corpus.fingerprint}/{size}/{seed}/{language}/{sorted(shares.items())}"
    ground = Ground.of(corpus.documents, everything)
    with Journal(journal, run=run) as record:
        selection = Selection(ground, judge_of(judge), record, seed=seed, size=size, tell=tell)
        await selection.fill(plan, cells)
    return GoldenSet(
        items=ordered(selection.items),
        size=size,
        shortfall=selection.shortfall(plan, cells),
        rejected=tuple(selection.rejected),
        skipped=tuple((entry.path, entry.reason) for entry in corpus.skipped),
        facts={
            "seed": str(seed),
            "documents": str(len(corpus.documents)),
            "corpus": corpus.fingerprint,
            "passages": str(len(everything)),
            "near-duplicate passages": str(len(everything) - len(passages)),
            "candidates": str(sum(map(len, cells.values()))),
        },
    )


def _shares(
    types: Sequence[QuestionType] | Mapping[QuestionType, float] | None, size: int
) -> dict[str, float]:
    """Return the share of each type that was asked for."""
    if size < 1:
        raise InputError(f"expected a size of 1 or more, got {size!r}")
    if types is None:
        return {str(name): share for name, share in WRITTEN_BY_RULE.items()}
    if not types:
        raise InputError("expected at least one question type, got none")
    shares = types if isinstance(types, Mapping) else dict.fromkeys(types, 1.0)
    known = get_args(QuestionType)
    for name in shares:
        if name not in known:
            raise InputError(f"no question type is named {name!r}; expected one of {known}")
    return {str(name): float(share) for name, share in shares.items()}


def _fitting(shares: Mapping[str, float], present: set[str]) -> dict[str, float]:
    """Return the shares of the types that the documents offer; all of them if they offer none."""
    fitting = {name: share for name, share in shares.items() if name in present}
    return fitting or dict(shares)


def _passages_per_topic(topics: Mapping[str, str], doc_ids: Sequence[str]) -> dict[str, int]:
    counts = dict.fromkeys(sorted(set(topics.values())), 0)
    for doc_id in doc_ids:
        counts[topics[doc_id]] += 1
    return counts


def _silent(stage: str, done: int, total: int) -> None:
    del stage, done, total

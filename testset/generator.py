"""The generator: documents in, a golden set out.

Ingest, plan, write, check, balance, finish. With a model, it writes and verifies; without one,
rules write the questions: they are plain, and each has passed every check.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from llamaindex_rag_eval.door import run_sync
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from testset.checks import Ground
from testset.commission import commissioned
from testset.documents import Corpus, Documents
from testset.golden import QuestionType
from testset.golden_set import GoldenSet, ordered
from testset.journal import Journal
from testset.passages import Passage
from testset.plan import quotas
from testset.pool import kept_passages, pool_of
from testset.selection import Selection
from testset.topics import topics_of
from testset.wishes import STYLES, WRITTEN_BY_MODEL, Wishes, shares_of
from testset.writer import Writer

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
    personas: Sequence[str] | None = None,
    styles: Sequence[str] | Mapping[str, float] | None = None,
    examples: Sequence[str] = (),
    judge: JudgeLike | None = None,
    writer: JudgeLike | None = None,
    journal: Path | None = None,
    progress: Progress | None = None,
) -> GoldenSet:
    """Write a golden set for documents; the same documents and seed give the same set.

    Args:
        docs: A folder, a file, a `Corpus`, or documents and nodes of LlamaIndex.
        size: How many items, 1 or more.
        seed: Chooses among equally good questions.
        types: Question types, evenly or with shares; by default a mix that is four fifths
            answerable, or without a model those that rules write well.
        language: The language to ask in; by default each document is asked about in its own.
            Rules ask about documents of this language alone.
        personas: Who asks, a sentence each; by default a model thinks of four.
        styles: Manners of asking, evenly or with shares: "plain", "web_search", "misspelt",
            "formal", "chat". By default a mix.
        examples: Questions whose manner is liked.
        judge: Who verifies, and writes unless `writer` does; by default the LLM of LlamaIndex's
            settings, else the embedded rules.
        writer: Who writes, if another model is to verify.
        journal: Where replies and decisions are kept, so that a killed run continues; `None`
            keeps none.
        progress: Called as the stages advance.

    Returns:
        Exactly `size` items, or fewer with a `shortfall` that says what could not be filled, also
        where a budget was spent before.

    Raises:
        CallError: No model can be reached.
        DocumentError: There is no document to read.
        DatasetError: The journal is of another run.
        InputError: `size` is below 1, or a type or style is unknown.
    """
    return run_sync(
        agenerate(
            docs,
            size=size,
            seed=seed,
            types=types,
            language=language,
            personas=personas,
            styles=styles,
            examples=examples,
            judge=judge,
            writer=writer,
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
    personas: Sequence[str] | None = None,
    styles: Sequence[str] | Mapping[str, float] | None = None,
    examples: Sequence[str] = (),
    judge: JudgeLike | None = None,
    writer: JudgeLike | None = None,
    journal: Path | None = None,
    progress: Progress | None = None,
) -> GoldenSet:
    """Write a golden set, as `generate` does, inside a running event loop."""
    if size < 1:
        raise InputError(f"expected a size of 1 or more, got {size!r}")
    verifier = judge_of(judge)
    author = verifier if writer is None else judge_of(writer)
    models = Writer(author.oracle).writes
    wishes = Wishes(
        shares=shares_of(types, WRITTEN_BY_MODEL if models else WRITTEN_BY_RULE),
        language=language or "",
        personas=None if personas is None else tuple(personas),
        styles=_styles(styles),
        examples=tuple(examples),
    )
    tell = progress or _silent
    corpus = Corpus.of(docs)
    tell("read", len(corpus.documents), len(corpus.documents))
    everything, kept = kept_passages(corpus, seed=seed)
    topics = topics_of(corpus.documents)
    ground = Ground.of(corpus.documents, everything)
    tell("plan", len(kept), len(everything))
    if models:
        return await commissioned(
            corpus,
            ground,
            kept,
            topics,
            wishes=wishes,
            size=size,
            seed=seed,
            writer=author,
            verifier=verifier,
            journal=journal,
            tell=tell,
        )
    return await _by_rules(
        corpus,
        ground,
        kept,
        topics,
        wishes,
        size=size,
        seed=seed,
        judge=verifier,
        journal=journal,
        tell=tell,
        fit=types is None,
    )


async def _by_rules(
    corpus: Corpus,
    ground: Ground,
    kept: Sequence[Passage],
    topics: Mapping[str, str],
    wishes: Wishes,
    *,
    size: int,
    seed: int,
    judge: Judge,
    journal: Path | None,
    tell: Progress,
    fit: bool,
) -> GoldenSet:
    """Return a golden set that rules wrote."""
    shares = wishes.shares
    cells = pool_of(kept, topics, size=size, seed=seed, language=wishes.language)
    if fit:
        shares = _fitting(shares, {kind for _, kind in cells})
    plan = quotas(_passages_per_topic(topics, [p.document.doc_id for p in kept]), shares, size)
    run = f"{corpus.fingerprint}/{size}/{seed}/{wishes.language}/{sorted(shares.items())}"
    with Journal(journal, run=run) as record:
        selection = Selection(ground, judge, record, seed=seed, size=size, tell=tell)
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
            "passages": str(len(ground.passages)),
            "near-duplicate passages": str(len(ground.passages) - len(kept)),
            "candidates": str(sum(map(len, cells.values()))),
        },
    )


def _styles(styles: Sequence[str] | Mapping[str, float] | None) -> dict[str, float]:
    """Return the share of each style that was asked for."""
    if not styles:
        return dict(STYLES)
    shares = styles if isinstance(styles, Mapping) else dict.fromkeys(styles, 1.0)
    for name in shares:
        if name not in STYLES:
            raise InputError(f"no style is named {name!r}; expected one of {tuple(STYLES)}")
    return {name: float(share) for name, share in shares.items()}


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

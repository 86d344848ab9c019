"""The commission: a golden set written and verified by models."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from llamaindex_rag_eval.judge import Judge
from testset.checks import Ground
from testset.documents import Corpus
from testset.duplicates import boilerplate
from testset.golden_set import GoldenSet, ordered
from testset.journal import Journal
from testset.journaled import JournaledOracle
from testset.passages import Passage
from testset.requests.facts import FactsOf
from testset.slots import Slots
from testset.spreading import spread
from testset.waves import Waves
from testset.wishes import ANSWERABLE, WRITTEN_BY_MODEL, Wishes
from testset.writer import Writer

__all__ = ["commissioned"]

PERSONAS = 4
TOPICS_SHOWN = 24


async def commissioned(
    corpus: Corpus,
    ground: Ground,
    kept: Sequence[Passage],
    topics: Mapping[str, str],
    *,
    wishes: Wishes,
    size: int,
    seed: int,
    writer: Judge,
    verifier: Judge,
    journal: Path | None,
    tell: Callable[[str, int, int], None],
) -> GoldenSet:
    """Return a golden set that `writer` wrote and `verifier` has checked.

    Raises:
        CallError: No model can be reached, and nothing was written yet.
        DatasetError: The journal is of another run.
    """
    made = "/".join(who.oracle.fingerprint(FactsOf) for who in (writer, verifier))
    run = f"{corpus.fingerprint}/{size}/{seed}/{wishes.fingerprint}/{made}"
    with Journal(journal, run=run) as record:
        own = Writer(JournaledOracle(writer.oracle, record))
        other = own if verifier is writer else Writer(JournaledOracle(verifier.oracle, record))
        personas = await _personas(own, wishes, topics)
        slots = Slots(ground, kept, topics, wishes, personas, seed=seed)
        shares = _fitting(wishes.shares, slots)
        plan = spread(_passages_per_topic(kept, topics), shares, size, seed=seed)
        waves = Waves(
            ground,
            slots,
            writer=own,
            verifier=other,
            examples=wishes.examples,
            common=boilerplate((p.document.doc_id, s.text) for p in kept for s in p.sentences),
            size=size,
            seed=seed,
            tell=tell,
        )
        await waves.fill(plan)
    return GoldenSet(
        items=ordered(waves.items),
        size=size,
        shortfall=waves.shortfall(plan),
        rejected=tuple(waves.rejected),
        skipped=tuple((entry.path, entry.reason) for entry in corpus.skipped),
        facts=_facts(corpus, ground, waves, kept, seed),
    )


def _facts(
    corpus: Corpus, ground: Ground, waves: Waves, kept: Sequence[Passage], seed: int
) -> dict[str, str]:
    """Return what the data card tells beside counts."""
    tagged = [item.checks for item in waves.items]
    by_heart = sum(checks["closed_book"].verdict == "tagged" for checks in tagged)
    review = sum(checks["critics_agree"].verdict == "tagged" for checks in tagged)
    facts = {
        "seed": str(seed),
        "documents": str(len(corpus.documents)),
        "corpus": corpus.fingerprint,
        "passages": str(len(ground.passages)),
        "near-duplicate passages": str(len(ground.passages) - len(kept)),
        "passages read by the writer": str(waves.passages),
        "answered without documents": f"{by_heart} of {len(tagged)}",
        "for review, where critics disagree": f"{review} of {len(tagged)}",
        "repaired": ", ".join(f"{n} {c}" for c, n in sorted(waves.repaired.items())) or "none",
    }
    return {**facts, "stopped": waves.stopped} if waves.stopped else facts


async def _personas(writer: Writer, wishes: Wishes, topics: Mapping[str, str]) -> tuple[str, ...]:
    """Return who asks: those given, or those that a model thinks of in one call."""
    if wishes.personas is not None:
        return wishes.personas
    labels = sorted(set(topics.values()))[:TOPICS_SHOWN]
    return await writer.personas(labels, n=PERSONAS)


def _fitting(shares: Mapping[str, float], slots: Slots) -> dict[str, float]:
    """Return the shares of the types that the documents offer.

    Of the default mix, what the documents do not offer goes to plain questions, so that four
    fifths stay answerable. Types asked for by name are never exchanged.
    """
    if dict(shares) != dict(WRITTEN_BY_MODEL):
        return dict(shares)
    offered = {name: share for name, share in shares.items() if slots.count(name)}
    unanswered = sum(offered.get(n, 0.0) for n in ("unanswerable", "false_premise"))
    unanswered += offered.get("underspecified", 0.0)
    lost = ANSWERABLE - (sum(offered.values()) - unanswered)
    if "single_hop" in offered:
        offered["single_hop"] += lost
    return offered or dict(shares)


def _passages_per_topic(kept: Sequence[Passage], topics: Mapping[str, str]) -> dict[str, int]:
    counts = dict.fromkeys(sorted(set(topics.values())), 0)
    for passage in kept:
        counts[topics[passage.document.doc_id]] += 1
    return counts

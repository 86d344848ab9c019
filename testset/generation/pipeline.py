"""The commission: a golden set written and verified by models."""

from collections.abc import Mapping

from testset.corpus.prepared import PreparedCorpus
from testset.generation.checkpoint import Journal
from testset.generation.checkpointed_oracle import JournaledOracle
from testset.generation.config import Settings
from testset.generation.fill import Waves
from testset.generation.usage import Meter
from testset.generation.specs import Slots
from testset.generation.spreading import spread
from testset.generation.wishes import ANSWERABLE, WRITTEN_BY_MODEL, Wishes
from testset.golden.golden_set import GoldenSet, sorted_by_id
from testset.requests.facts import FactsOf
from testset.requests.writer import Writer

__all__ = ["commissioned"]

PERSONAS = 4
TOPICS_SHOWN = 24


async def commissioned(prepared: PreparedCorpus, settings: Settings) -> GoldenSet:
    """Return a golden set that the author wrote and the verifier has checked.

    Raises:
        CallError: No model can be reached, and nothing was written yet.
        DatasetError: The journal is of another run.
    """
    models = [settings.author.oracle, settings.verifier.oracle]
    with Journal(settings.journal, run=_run(prepared, settings)) as record:
        meter = Meter.resumed(models, record.last("spent"))
        writer = Writer(JournaledOracle(models[0], record, meter))
        same = settings.verifier is settings.author
        verifier = writer if same else Writer(JournaledOracle(models[1], record, meter))
        slots = await _slots(prepared, settings, writer)
        shares = _fitting(settings.wishes.shares, slots)
        plan = spread(prepared.passages_per_topic, shares, settings.size, seed=settings.seed)
        waves = Waves(prepared, slots, settings, writer=writer, verifier=verifier)
        await waves.fill(plan)
    return GoldenSet(
        items=sorted_by_id(waves.items),
        size=settings.size,
        shortfall=waves.shortfall(plan),
        rejected=tuple(waves.rejected),
        skipped=prepared.skipped,
        facts={
            "seed": str(settings.seed),
            **prepared.summary,
            **_facts(waves),
            **meter.spent.facts,
            **({"stopped": waves.stopped} if waves.stopped else {}),
        },
    )


def _run(prepared: PreparedCorpus, settings: Settings) -> str:
    """Return what a run depends on, so that the journal of another is refused."""
    who = (settings.author, settings.verifier)
    made = "/".join(judge.oracle.fingerprint(FactsOf) for judge in who)
    asked = f"{settings.size}/{settings.seed}/{settings.wishes.fingerprint}"
    return f"{prepared.corpus.fingerprint}/{asked}/{made}"


async def _slots(prepared: PreparedCorpus, settings: Settings, writer: Writer) -> Slots:
    """Return the slots that the documents offer, with people who ask."""
    personas = await _personas(writer, settings.wishes, prepared.topics)
    return Slots(
        prepared.index,
        prepared.kept,
        prepared.topics,
        settings.wishes,
        personas,
        seed=settings.seed,
    )


def _facts(waves: Waves) -> dict[str, str]:
    """Return what the data card tells of the writing."""
    tagged = [item.checks for item in waves.items]
    by_heart = sum(checks["closed_book"].verdict == "tagged" for checks in tagged)
    review = sum(checks["critics_agree"].verdict == "tagged" for checks in tagged)
    return {
        "passages read by the writer": str(waves.passages),
        "answered without documents": f"{by_heart} of {len(tagged)}",
        "for review, where critics disagree": f"{review} of {len(tagged)}",
        "repaired": ", ".join(f"{n} {c}" for c, n in sorted(waves.repaired.items())) or "none",
    }


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

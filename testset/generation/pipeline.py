"""The pipeline: plan, write, check, accept, finish; one way for a model and for rules."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models.embedded import EmbeddedOracle
from llamaindex_rag_eval.models.usage import Spent, current_account
from testset.checks.duplicate import AskedQuestions
from testset.corpus.cores import working_on
from testset.corpus.deployed import DeployedSearch
from testset.corpus.documents import Corpus, Documents
from testset.corpus.prepared import PreparedCorpus
from testset.generation.attempt import ItemWriter
from testset.generation.checkpoint import Checkpoint, CheckpointedOracle
from testset.generation.config import GenerationConfig
from testset.generation.extension import (
    asked_in,
    extension_summary,
    lacking_types,
    unasked_passages,
)
from testset.generation.fill import Fill
from testset.generation.grounds import OVER_TWO
from testset.generation.model_writer import ModelWriter
from testset.generation.query_log import traffic_in_log
from testset.generation.quotas import Stratum, balanced_quotas, largest_remainder
from testset.generation.rule_writer import RuleWriter
from testset.generation.targets import Targets
from testset.generation.traffic import Traffic
from testset.generation.usage import UsageCounter, affordable_questions
from testset.golden.golden_set import GoldenSet, sorted_by_id
from testset.requests.proposals import ProposalsOf
from testset.requests.writer import Writer

UNANSWERABLE = ("unanswerable", "false_premise", "underspecified")
"""Types of the default mix that no document answers."""
QUESTIONS_A_PASSAGE = 2
"""Questions that a passage is to give, where a model writes them."""


async def write_golden_set(docs: Documents, config: GenerationConfig) -> GoldenSet:
    """Return the golden set of a configuration.

    Raises:
        EndpointError: The model takes no call, and nothing was written yet.
        EngineError: The deployed retriever fails, or searches other documents.
        PendingError: A reply is not in a batch file yet.
        DatasetError: The journal is of another run.
        InputError: Traffic says what rules cannot follow, or Ray does not answer.
    """
    with working_on(config.on, config.workers):
        prepared = PreparedCorpus.of(
            Corpus.of(docs), tell=config.on_progress, embed_model=config.embed_model
        )
    oracles = [config.author.oracle, config.verifier.oracle]
    run = _run(prepared, config)
    with Checkpoint(config.journal, run=run) as checkpoint, ExitStack() as telling:
        telling.enter_context(working_on(None, config.workers))
        meter = UsageCounter.resumed(oracles, checkpoint)
        telling.enter_context(meter.telling(checkpoint))
        asked = asked_in(config.extend, prepared)
        deployed = await _deployed(prepared, config, checkpoint)
        targets = _targets(config, await _traffic(config, checkpoint))
        writers = _writers(prepared, config, checkpoint, asked, deployed, targets)

        def record(spent: Spent | None = None) -> None:
            del spent  # the meter has counted it
            if meter.total.calls:
                checkpoint.spend({**meter.total.model_dump(), **fill.progress})

        plan = _plan(prepared, config, writers[0], targets)
        fill = Fill(
            plan,
            config,
            prepared.index,
            asked,
            settled=record,
            targets=targets,
            affordable=partial(affordable_questions, oracles),
        )
        config.on_progress("write", 0, config.size)
        token = current_account.set(record)
        try:
            for writer in writers:
                await fill.run(writer, last=writer is writers[-1])
        finally:
            current_account.reset(token)
    found = {} if deployed is None else {**deployed.summary}
    if targets is not None:
        found |= targets.summary(fill.items)
    return _golden_set(prepared, config, fill, writers, meter, found)


async def _deployed(
    prepared: PreparedCorpus, config: GenerationConfig, checkpoint: Checkpoint
) -> DeployedSearch | None:
    """Return the deployed retriever over the documents, after it has found a few passages."""
    if config.deployed is None:
        return None
    search = DeployedSearch(config.deployed, prepared.index, checkpoint)
    await search.probe(prepared.shuffled(config.seed))
    return search


def _run(prepared: PreparedCorpus, config: GenerationConfig) -> str:
    """Return what a run depends on, so that the journal of another is refused."""
    judges = (config.author, config.verifier)
    models = "/".join(judge.oracle.fingerprint(ProposalsOf) for judge in judges)
    options = f"{config.size}/{config.seed}/{config.fingerprint}"
    return f"{prepared.corpus.fingerprint}/{options}/{models}"


def _writers(
    prepared: PreparedCorpus,
    config: GenerationConfig,
    checkpoint: Checkpoint,
    asked: AskedQuestions,
    deployed: DeployedSearch | None,
    targets: Targets | None,
) -> list[ItemWriter]:
    """Return who writes, and then who writes what is missing.

    What rules write beside a model they verify themselves: it is for the model to be spared.
    """
    same = config.verifier is config.author
    author = CheckpointedOracle(config.author.oracle, checkpoint)
    verifier = author if same else CheckpointedOracle(config.verifier.oracle, checkpoint)
    judge = Judge(verifier)
    if config.by_model:
        found: list[ItemWriter] = [
            ModelWriter(prepared, config, Writer(author), judge, asked, deployed, targets)
        ]
        if config.fill:
            rules = Judge(EmbeddedOracle())
            found.append(RuleWriter(prepared, config, rules, asked, deployed, targets))
        return found
    found = [RuleWriter(prepared, config, judge, asked, deployed, targets)]
    if config.fill and Writer(config.verifier.oracle).writes:
        found.append(
            ModelWriter(prepared, config, Writer(verifier), judge, asked, deployed, targets)
        )
    return found


async def _traffic(config: GenerationConfig, checkpoint: Checkpoint) -> Traffic | None:
    """Return the traffic that is given, or that of a log."""
    if config.log is None:
        return config.traffic
    author = CheckpointedOracle(config.author.oracle, checkpoint)
    writer = Writer(author) if config.by_model else None
    return await traffic_in_log(config.log, writer, seed=config.seed)


def _targets(config: GenerationConfig, traffic: Traffic | None) -> Targets | None:
    """Return what is wanted, if traffic is given.

    Raises:
        InputError: It says what only a model can follow, and rules write.
    """
    if traffic is None:
        return None
    if traffic.needs_model and not config.by_model:
        raise InputError(
            "the traffic says who asks or in which style, which only a model can follow (--llm); "
            "rules follow type, kind, language, difficulty and length"
        )
    return Targets(traffic, config.wanted, seed=config.seed)


def _plan(
    prepared: PreparedCorpus,
    config: GenerationConfig,
    writer: ItemWriter,
    targets: Targets | None,
) -> dict[Stratum, int]:
    """Return the quota of each stratum.

    In the default mix, the share of a type that the documents have nothing for goes to
    `single_hop`, so that as much stays answerable. Types that were asked for stay as they are.
    """
    shares = dict(config.type_shares)
    if config.types is None:
        offered = {name: share for name, share in shares.items() if writer.offers(name)}
        if "single_hop" in offered:
            offered["single_hop"] += _answerable(shares) - _answerable(offered)
        shares = offered or shares
    if targets is None:
        shares = dict(lacking_types(config.extend, shares, config.size))
    else:
        shares = _shares_of_targets(targets, shares)
    topics = unasked_passages(config.extend, prepared)
    if not config.by_model:
        return balanced_quotas(topics, shares, config.wanted, seed=config.seed)
    counts = largest_remainder(shares, config.wanted)
    found = {Stratum(topic, name): 0 for topic in topics for name in shares}
    for over_two in (False, True):
        own = {name: float(n) for name, n in counts.items() if (name in OVER_TWO) == over_two}
        size = int(sum(own.values()))
        found |= balanced_quotas(_asked_topics(topics, size), own, size, seed=config.seed)
    return found


def _asked_topics(topics: Mapping[str, int], size: int) -> dict[str, int]:
    """Return the topics with most passages, so few that each has questions for one passage.

    What a model reads of a passage is paid for once, and holds several questions.
    """
    most = max(1, size // QUESTIONS_A_PASSAGE)
    ranked = sorted(topics, key=lambda topic: (-topics[topic], topic))
    return {topic: topics[topic] for topic in sorted(ranked[:most])}


def _shares_of_targets(targets: Targets, shares: Mapping[str, float]) -> dict[str, float]:
    """Return how many questions of each type are wanted; those of any type by their shares."""
    counts = Counter(targets.types())
    counts.update(largest_remainder(shares, counts.pop("", 0)))
    return {name: float(count) for name, count in counts.items()}


def _answerable(shares: Mapping[str, float]) -> float:
    return sum(share for name, share in shares.items() if name not in UNANSWERABLE)


def _golden_set(
    prepared: PreparedCorpus,
    config: GenerationConfig,
    fill: Fill,
    writers: Sequence[ItemWriter],
    meter: UsageCounter,
    found: Mapping[str, str],
) -> GoldenSet:
    facts = {"seed": str(config.seed), **prepared.summary, **found}
    for writer in writers:
        facts |= writer.summary(fill.items)
    if meter.total.calls or config.by_model:
        facts |= {**fill.summary, **meter.summary}
    if fill.stopped:
        facts["stopped"] = fill.stopped
    before = config.extend or GoldenSet(())
    if config.extend is not None:
        facts |= extension_summary(before, len(fill.items), prepared.corpus.texts)
    return GoldenSet(
        items=(*before.items, *sorted_by_id(fill.items)),
        size=config.size,
        shortfall=fill.shortfall(writers[-1]),
        rejected=(*fill.rejected, *fill.by_heart),
        skipped=prepared.skipped,
        facts=facts,
    )

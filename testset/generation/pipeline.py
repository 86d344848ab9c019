"""The pipeline: propose, choose, write, check, select; one way for a model and for rules.

What is kept follows from the replies alone, in an order that does not depend on when they came. So
to go on with a run that was interrupted is to run it again, over the replies that are stored.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models.cached import CachedOracle
from llamaindex_rag_eval.models.embedded import EmbeddedOracle
from llamaindex_rag_eval.models.store import ReplyStore
from testset.checks.run import CheckContext
from testset.corpus.cores import working_on
from testset.corpus.deployed import DeployedSearch
from testset.corpus.documents import Corpus, Documents
from testset.corpus.prepared import PreparedCorpus
from testset.generation.account import Account
from testset.generation.brief import traffic_in_brief
from testset.generation.choice import PROMISED, ItemWriter
from testset.generation.config import GenerationConfig
from testset.generation.extension import (
    accepted_in,
    extension_summary,
    missing_types,
    topics_near,
    unasked_passages,
)
from testset.generation.mixes import fits_style
from testset.generation.model_writer import ModelWriter
from testset.generation.passages import OVER_TWO
from testset.generation.query_log import traffic_in_log
from testset.generation.quotas import UNANSWERABLE, balanced_topics, largest_remainder
from testset.generation.rule_writer import RuleWriter
from testset.generation.run import Run
from testset.generation.selection import Selection
from testset.generation.targets import Targets
from testset.generation.traffic import Target, Traffic
from testset.golden.golden_set import GoldenSet, sorted_by_id
from testset.requests.drafts import can_write

SQLITE = b"SQLite format 3"
"""How a file begins that holds replies."""


async def write_golden_set(docs: Documents, config: GenerationConfig) -> GoldenSet:
    """Return the golden set of a configuration.

    Raises:
        EndpointError: The model takes no call, and nothing was written yet.
        EngineError: The deployed retriever fails, or searches other documents.
        PendingError: A reply is not in a batch file yet.
        DatasetError: The journal is of version 0.1.
        InputError: Ray does not answer.
    """
    with working_on(config.on, config.workers):
        prepared = PreparedCorpus.of(
            Corpus.of(docs), tell=config.on_progress, embed_model=config.embed_model
        )
    with working_on(None, config.workers), _recording(config.journal) as (store, account):
        return await _written(prepared, config, store, account)


@contextmanager
def _recording(journal: Path | None) -> Iterator[tuple[ReplyStore | None, Account]]:
    """Yield where replies are kept, and count what they cost."""
    store = _store(journal)
    kept = nullcontext() if store is None else closing(store)
    with Account(journal).recording() as account, kept:
        yield store, account


async def _written(
    prepared: PreparedCorpus, config: GenerationConfig, store: ReplyStore | None, account: Account
) -> GoldenSet:
    author = verifier = _over(config.author, store)
    if config.verifier is not config.author:
        verifier = _over(config.verifier, store)
    context = CheckContext(
        prepared.index,
        accepted_in(config.extend, prepared),
        verifier,
        by_heart=config.max_by_heart is not None,
        deployed=await _deployed(prepared, config, store),
    )
    run = Run(config, prepared, author, context, Targets(), account)
    first, *others = _makers(run)
    writer = first()
    await _plan(run, writer)
    selection = Selection(run)
    config.on_progress("write", 0, config.size)
    await selection.write_missing(writer, last=not others)
    for maker in others:
        await selection.write_missing(maker())
    return _golden_set(run, selection)


def _store(journal: Path | None) -> ReplyStore | None:
    """Return where the replies of a run are stored, if anywhere.

    Raises:
        DatasetError: The file is none of this version's.
    """
    if journal is None:
        return None
    if journal.is_file():
        with journal.open("rb") as file:
            if file.read(len(SQLITE)) not in (SQLITE, b""):
                raise DatasetError(
                    "the journal of a run of version 0.1, which cannot be continued: delete it, "
                    "or name another file",
                    file=str(journal),
                )
    return ReplyStore(journal)


def _over(judge: Judge, store: ReplyStore | None) -> Judge:
    """Return a judge over what it has replied before; rules are quicker than any store."""
    if store is None or judge.oracle.store is not None or not can_write(judge):
        return judge
    return judge.over(CachedOracle(judge.oracle, store))


async def _deployed(
    prepared: PreparedCorpus, config: GenerationConfig, store: ReplyStore | None
) -> DeployedSearch | None:
    """Return the deployed retriever over the documents, after it has found a few passages."""
    if config.deployed is None:
        return None
    search = DeployedSearch(config.deployed, prepared.index, store, prepared.corpus.fingerprint)
    await search.probe()
    return search


def _makers(run: Run) -> list[Callable[[], ItemWriter[Any]]]:
    """Return who writes, and then who writes what is missing.

    What rules write beside a model they verify themselves: it is for the model to be spared.
    """
    by_model, context = run.config.by_model, run.context
    author = run.author if by_model else context.judge
    own = replace(context, judge=Judge(EmbeddedOracle())) if by_model else context
    model = partial(ModelWriter, replace(run, author=author))
    rules = partial(RuleWriter, replace(run, context=own))
    if not run.config.fill or not can_write(author):
        return [model] if by_model else [rules]
    return [model, rules] if by_model else [rules, model]


async def _plan(run: Run, writer: ItemWriter[Any]) -> None:
    """Say what is wanted: of traffic or a log that is given, each of a type and a topic.

    In the default mix, the share of a type that the documents have nothing for goes to
    `single_hop`, so that as much stays answerable. Types that were asked for stay as they are.
    """
    config, prepared = run.config, run.prepared
    traffic = await _traffic_of(config, run.author)
    shares = dict(config.type_shares)
    if config.types is None:
        offered = {name: share for name, share in shares.items() if writer.offers(name)}
        if "single_hop" in offered:
            offered["single_hop"] += _answerable(shares) - _answerable(offered)
        shares = offered or shares
    targets = [Target() for _ in range(config.wanted)]
    if traffic is not None:
        targets = [*traffic.targets(config.wanted, seed=config.seed)]
    else:
        shares = dict(missing_types(config.extend, shares, config.size))
    free = largest_remainder(shares, sum(not target.type for target in targets))
    types = chain.from_iterable([name] * count for name, count in sorted(free.items()))
    targets = [target if target.type else replace(target, type=next(types)) for target in targets]
    if config.by_model:
        targets = _with_styles(targets, config.style_shares)
    topics = topics_near(config.near, prepared) or unasked_passages(config.extend, prepared)
    about = [""] if traffic is None else [category.about for category in traffic.categories]
    placed: list[Target] = []
    for text in dict.fromkeys(about):
        near = topics_near([text] if text else (), prepared) or topics
        own = [target for target in targets if about[target.category] == text]
        placed += _with_topics(own, near, config)
    run.targets.plan(placed, traffic, topics)


async def _traffic_of(config: GenerationConfig, author: Judge) -> Traffic | None:
    """Return the traffic of a configuration: as given, of its log, or of its brief."""
    if config.log is not None:
        teller = author if config.by_model else None
        return await traffic_in_log(config.log, teller, seed=config.seed)
    if config.brief is not None:
        return await traffic_in_brief(config.brief, author)
    return config.traffic


async def brief_traffic(config: GenerationConfig) -> Traffic | None:
    """Return what a model makes of a brief, before anything else is asked; `None` without one."""
    if config.brief is None:
        return None
    with _recording(config.journal) as (store, _):
        return await _traffic_of(config, _over(config.author, store))


def _with_styles(targets: Sequence[Target], shares: Mapping[str, float]) -> list[Target]:
    """Return targets with the styles that they leave open: each in its share, where it fits."""
    drawn, styled = Counter(target.style for target in targets), list[Target]()
    for target in targets:
        fitting = [name for name in sorted(shares) if fits_style(name, target.type)]
        style = min(fitting or shares, key=lambda name: (drawn[name] + 1) / shares[name])
        styled.append(target if target.style else replace(target, style=style))
        drawn[style] += not target.style
    return styled


def _with_topics(
    targets: Sequence[Target], topics: Mapping[str, int], config: GenerationConfig
) -> list[Target]:
    """Return targets with the topics of the documents, each topic in its share."""
    placed: list[Target] = []
    for over_two in (False, True) if config.by_model else (None,):
        own = [t for t in targets if over_two in (None, t.type in OVER_TWO)]
        among = _largest_topics(topics, len(own)) if config.by_model else topics
        drawn = balanced_topics(among, [target.type for target in own], seed=config.seed)
        pairs = zip(own, drawn, strict=True)
        placed += [replace(target, topic=topic) for target, topic in pairs]
    return placed


def _largest_topics(topics: Mapping[str, int], size: int) -> dict[str, int]:
    """Return the topics with most passages, so few that each has questions for one passage.

    What a model reads of a passage is paid for once, and holds several questions.
    """
    most = max(1, size // PROMISED)
    ranked = sorted(topics, key=lambda topic: (-topics[topic], topic))
    return {topic: topics[topic] for topic in sorted(ranked[:most])}


def _answerable(shares: Mapping[str, float]) -> float:
    return sum(share for name, share in shares.items() if name not in UNANSWERABLE)


def _golden_set(run: Run, selection: Selection) -> GoldenSet:
    config, prepared, deployed = run.config, run.prepared, run.context.deployed
    searched = {} if deployed is None else deployed.summary
    facts = {"seed": str(config.seed), **prepared.summary, **searched, **selection.summary}
    before = config.extend or GoldenSet(())
    if config.extend is not None:
        facts |= extension_summary(before, len(selection.items), prepared.corpus.texts)
    return GoldenSet(
        items=(*before.items, *sorted_by_id(selection.items)),
        size=config.size,
        shortfall=selection.shortfall,
        rejected=selection.rejected,
        skipped=prepared.skipped,
        facts=facts,
        reserve=selection.spares,
    )

"""The pipeline of the rules: a golden set that rules write, verified by rules or by a judge."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.run import RULE_CHECKS, CheckContext, CheckReport, run_rule_checks
from testset.corpus.documents import SourceDocument
from testset.corpus.prepared import PreparedCorpus
from testset.generation.candidates import PassageCandidate, ranked_candidates
from testset.generation.checkpoint import Checkpoint
from testset.generation.config import RULE_TYPES, GenerationConfig
from testset.generation.items import item_from_candidate
from testset.generation.quotas import Stratum, quotas
from testset.generation.unasked import unasked
from testset.golden.golden_set import GoldenSet, Rejection, Shortfall, sorted_by_id
from testset.golden.item import Check, GoldenItem, GoldSpan
from testset.golden.spans import cut_span
from testset.golden.splits import with_splits
from testset.rules.candidate import Candidate

__all__ = ["write_by_rules"]

MOST_OF_A_RULE = 1 / 3
"""Share of the set that one rule may write while others have good candidates left."""
GOOD = 0.7
"""Quality, in [0, 1], of a candidate that may displace those of a rule that has its share."""

OF_WORDING = frozenset({"grounded", "round_trip"})
"""Checks that hold a text against its evidence word by word; an answer that rules put together
from several values, or from one and a sentence of their own, is right by its making. One that is
cut out whole, as a list or a section, needs no `grounded`: `span` finds it word for word."""

Candidates = Mapping[Stratum, Sequence[PassageCandidate]]
"""Stratum -> its candidates, in the order to try them."""


async def write_by_rules(prepared: PreparedCorpus, config: GenerationConfig) -> GoldenSet:
    """Return a golden set that rules wrote.

    Raises:
        DatasetError: The journal is of another run.
    """
    size, seed, language = config.size, config.seed, config.language or ""
    candidates = ranked_candidates(
        prepared.kept, prepared.topics, size=size, seed=seed, language=language
    )
    shares = config.type_shares
    if config.types is None:
        offered = {stratum.type for stratum in candidates}
        shares = {name: share for name, share in shares.items() if name in offered} or shares
    plan = quotas(prepared.passages_per_topic, shares, size)
    run = f"{prepared.corpus.fingerprint}/{size}/{seed}/{language}/{sorted(shares.items())}"
    with Checkpoint(config.journal, run=run) as checkpoint:
        fill = RuleFill(prepared, config, checkpoint)
        await fill.run(plan, candidates)
    facts = {"candidates": str(sum(map(len, candidates.values())))}
    if len(fill.items) < size:
        about = {doc_id for item in fill.items for doc_id in item.doc_ids}
        silent = unasked(prepared.corpus, candidates, about)
        facts |= {f"nothing asked about {name}": reason for name, reason in silent.items()}
    return GoldenSet(
        items=sorted_by_id(with_splits(fill.items, seed=seed)),
        size=size,
        shortfall=fill.shortfall(plan, candidates),
        rejected=tuple(fill.rejected),
        skipped=prepared.skipped,
        facts={"seed": str(seed), **prepared.summary, **facts},
    )


class RuleFill:
    """Accept candidates into the set, stratum by stratum, then from any until the set is full.

    Attributes:
        items: Accepted so far, without splits.
        rejected: Turned down so far, with reasons.
    """

    def __init__(
        self, prepared: PreparedCorpus, config: GenerationConfig, checkpoint: Checkpoint
    ) -> None:
        self.items: list[GoldenItem] = []
        self.rejected: list[Rejection] = []
        self._asked = AskedQuestions()
        self._context = CheckContext(prepared.index, self._asked, config.verifier)
        self._checkpoint = checkpoint
        self._seed, self._size, self._progress = config.seed, config.size, config.on_progress
        self._tried: set[int] = set()
        self._accepted: Counter[Stratum] = Counter()
        self._by_rule: Counter[str] = Counter()

    async def run(self, plan: Mapping[Stratum, int], candidates: Candidates) -> None:
        """Fill each stratum to its quota; then the rest from the strata that have more.

        Candidates of a rule that has its share wait until the good ones of others are tried.
        """
        types = {stratum.type for stratum in plan}
        mixed = _alternating([candidates[s] for s in sorted(candidates) if s.type in types])
        for least, most in ((GOOD, round(MOST_OF_A_RULE * self._size)), (0.0, self._size)):
            for stratum in sorted(plan):
                offered = candidates.get(stratum, ())
                await self._take(offered, plan[stratum], stratum, least=least, most=most)
            await self._take(mixed, self._size, None, least=least, most=most)

    async def _take(
        self,
        offered: Sequence[PassageCandidate],
        quota: int,
        stratum: Stratum | None,
        *,
        least: float,
        most: int,
    ) -> None:
        """Try candidates until a stratum, or for `None` the set, has its quota.

        Args:
            offered: The candidates.
            quota: How many items are wanted.
            stratum: Where they count.
            least: Quality of a candidate at least.
            most: Items that one rule may have written.
        """
        for entry in offered:
            have = len(self.items) if stratum is None else self._accepted[stratum]
            if have >= quota or len(self.items) >= self._size:
                return
            if entry.candidate.quality >= least and self._by_rule[entry.candidate.rule] < most:
                await self._try(entry)

    async def _try(self, entry: PassageCandidate) -> None:
        if id(entry) in self._tried:
            return
        self._tried.add(id(entry))
        draft = _draft(entry, self._context.index.documents)
        report = await self._report(draft, entry.candidate)
        if report.rejected_by:
            doc_id = entry.passage.document.doc_id
            self.rejected.append(
                Rejection(
                    draft.question, draft.reference, doc_id, report.rejected_by, report.reason
                )
            )
            return
        self._asked.add(draft)
        self._accepted[entry.stratum] += 1
        self._by_rule[entry.candidate.rule] += 1
        item = item_from_candidate(report, entry, self._context.index, seed=self._seed)
        self.items.append(item)
        self._progress("write", len(self.items), self._size)

    async def _report(self, draft: Draft, candidate: Candidate) -> CheckReport:
        """Return what the checks find, from the checkpoint or by running and recording them."""
        key = hashlib.sha256(repr(draft).encode()).hexdigest()[:24]
        record = self._checkpoint.get(key)
        if record is not None:
            return _recorded_report(record, draft)
        cut = candidate.verbatim and not candidate.rule.startswith("sentence.")
        needless = {"grounded"} if cut else frozenset() if candidate.verbatim else OF_WORDING
        only = RULE_CHECKS.keys() - needless
        report = await run_rule_checks(draft, self._context, only=only)
        checks: dict[str, JsonValue] = {n: c.model_dump() for n, c in report.checks.items()}
        gold: list[JsonValue] = [[s.model_dump() for s in group] for group in report.draft.gold]
        self._checkpoint.put(key, {"checks": checks, "gold": gold})
        return report

    def shortfall(
        self, plan: Mapping[Stratum, int], candidates: Candidates
    ) -> tuple[Shortfall, ...]:
        """Return the strata below their quota, if the set as a whole is too small."""
        if len(self.items) >= self._size:
            return ()
        found: list[Shortfall] = []
        for stratum, wanted in sorted(plan.items()):
            got = self._accepted[stratum]
            if got >= wanted:
                continue
            offered = len(candidates.get(stratum, ()))
            tried = f"{offered} candidates, {got} passed the checks"
            reason = tried if offered else _nothing(stratum.type)
            found.append(Shortfall(*stratum, wanted, got, reason))
        return tuple(found)


def _nothing(type_: str) -> str:
    """Return why rules have no candidate of a type."""
    if type_ in RULE_TYPES:
        return "rules found nothing to ask; an LLM may"
    return f"rules cannot write {type_} questions; an LLM can (--llm)"


def _alternating(rows: Sequence[Sequence[PassageCandidate]]) -> list[PassageCandidate]:
    """Return the first of each row, then the second of each row, ..."""
    longest = max(map(len, rows), default=0)
    return [row[place] for place in range(longest) for row in rows if place < len(row)]


def _draft(entry: PassageCandidate, documents: Mapping[str, SourceDocument]) -> Draft:
    """Return a candidate with its evidence as spans of the documents."""
    candidate = entry.candidate
    gold = tuple(
        tuple(cut_span(documents[span.doc_id], span.start, span.end) for span in group)
        for group in candidate.spans
    )
    return Draft(
        candidate.question,
        candidate.answer,
        candidate.kind,
        candidate.type,
        candidate.language,
        () if candidate.behaviour == "refuse" else gold,
        turns=candidate.turns,
        behaviour=candidate.behaviour,
        verbatim=candidate.verbatim,
    )


def _recorded_report(record: Mapping[str, JsonValue], draft: Draft) -> CheckReport:
    """Return the report that `RuleFill._report` has recorded of a draft."""
    checks, gold = record["checks"], record["gold"]
    groups = gold if isinstance(gold, list) else []
    spans = tuple(
        tuple(GoldSpan.model_validate(span) for span in group)
        for group in groups
        if isinstance(group, list)
    )
    named = checks if isinstance(checks, dict) else {}
    widened = replace(draft, gold=spans)
    return CheckReport(widened, {name: Check.model_validate(c) for name, c in named.items()})

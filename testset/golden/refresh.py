"""Refresh: a golden set after its documents changed.

The gold spans of each item are looked up in the documents as they are now:

- **kept**: every quote stands where it stood;
- **reanchored**: the same words stand elsewhere, or in other lines, in the same context;
- **rechecked**: a quote or its sentence changed, and every check of the evidence passed again;
- **stale**: a quote is gone, denied, or no longer gives the answer; the item stays, marked;
- **retired**: none of its documents is left; the item leaves the set.

Its hard negatives are those of them that still stand in their documents, wherever.
A question that documents do not answer is checked again whenever documents changed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.engines.retrieval import (
    NamedRetriever,
    RetrieverLike,
    named_retriever,
)
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from llamaindex_rag_eval.judge.rules.tokens import language_of
from llamaindex_rag_eval.models.ask_ahead import AskAhead
from testset.checks import changed, unanswerable
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.hard_negatives import hard_negatives_in
from testset.checks.run import OF_EVIDENCE, CheckContext, run_model_checks, run_rule_checks
from testset.corpus.deployed import DeployedSearch
from testset.corpus.documents import Corpus, Documents
from testset.corpus.index import CorpusIndex
from testset.golden.golden_set import GoldenSet
from testset.golden.item import Check, GoldenItem, GoldSpan
from testset.golden.spans import RelocatedSpan, relocate, same_sentences
from testset.golden.splits import joined_splits, shared_documents
from testset.requests.drafts import can_write

Outcome = Literal["kept", "reanchored", "rechecked", "stale", "retired"]


@dataclass(frozen=True, slots=True)
class ItemChange(JsonFields):
    """The outcome of one item, and its reason."""

    _json = "id=item_id outcome reason"
    item_id: str
    outcome: Outcome
    reason: str = ""


@dataclass(frozen=True)
class Refreshed(JsonFields):
    """A golden set that fits its documents again.

    Attributes:
        golden: The items that stay, stale ones marked; ids do not change.
        verdicts: The outcome of each item of the old set, in its order.
        retired: The items that left.
        unasked: Documents that no item asks about, new ones among them: `generate` can fill them.
    """

    _json = "counts items=verdicts unasked"
    golden: GoldenSet
    verdicts: tuple[ItemChange, ...]
    retired: tuple[GoldenItem, ...]
    unasked: tuple[str, ...]

    @property
    def counts(self) -> Mapping[Outcome, int]:
        """How many items had each outcome, 0 included."""
        counts = Counter(verdict.outcome for verdict in self.verdicts)
        return {name: counts[name] for name in get_args(Outcome)}

    def write(self, path: Path) -> Path:
        """Write the golden set; items that left it are added to `.retired.jsonl` beside it.

        Raises:
            DatasetError: The file of retired items cannot be read.
            OutputError: A file cannot be written.
        """
        if self.retired:
            beside = path.with_name(f"{path.stem}.retired.jsonl")
            before = GoldenSet.read(beside).items if beside.exists() else ()
            GoldenSet((*before, *self.retired)).write(beside)
        return self.golden.write(path)


async def arefresh(
    golden: GoldenSet,
    docs: Documents,
    *,
    judge: JudgeLike | None = None,
    retriever: RetrieverLike | None = None,
) -> Refreshed:
    """Fit a golden set to its documents as they are now.

    Splits stay, but where a quote moved to a document of the other split, the documents that
    are now joined go to "dev".

    Args:
        golden: The set.
        docs: The documents, as for `generate`.
        judge: Checks again what changed; by default the embedded rules.
        retriever: The retriever or query engine that is deployed over the documents, as for
            `generate`: what it finds is checked, too.

    Raises:
        DocumentError: The documents cannot be read.
        EngineError: The retriever is none, fails, or searches other documents.
        OracleError: The judge could not be asked.
        PendingError: A reply is not in a batch file yet.
    """
    deployed = None if retriever is None else named_retriever(retriever)
    refresher = _Refresher(Corpus.of(docs), judge_of(judge), deployed)
    pairs, ahead = [], AskAhead()
    for item in golden:
        with ahead:
            pairs.append(await refresher.refreshed(item))
    ahead.settle()
    kept = tuple(item for item, change in pairs if change.outcome != "retired")
    retired = tuple(item for item, change in pairs if change.outcome == "retired")
    if not shared_documents(golden):  # a set that was split otherwise stays as it is
        kept = joined_splits(kept)
    sources = {doc_id for item in kept if item.status != "stale" for doc_id in item.doc_ids}
    unasked = tuple(doc_id for doc_id in refresher.corpus.texts if doc_id not in sources)
    verdicts = tuple(change for _, change in pairs)
    return Refreshed(GoldenSet(kept, size=len(kept)), verdicts, retired, unasked)


refresh = synced(arefresh)
"""Fit a golden set to its documents: `arefresh`, with its arguments, where no `await` is."""


@dataclass(frozen=True)
class _Refresher:
    corpus: Corpus
    judge: Judge
    retriever: NamedRetriever | None = None

    @cached_property
    def context(self) -> CheckContext:
        """What checks compare a draft with."""
        deployed = None if self.retriever is None else DeployedSearch(self.retriever, self.index)
        return CheckContext(self.index, AskedQuestions(), self.judge, deployed=deployed)

    @cached_property
    def index(self) -> CorpusIndex:
        """The index of the documents; made only if something must be checked again."""
        return CorpusIndex.of(self.corpus.documents)

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages of the documents."""
        return frozenset(language_of(document.text) for document in self.corpus.documents)

    async def refreshed(self, item: GoldenItem) -> tuple[GoldenItem, ItemChange]:
        """Return an item fitted to the documents, and its outcome."""
        negatives = hard_negatives_in(self.corpus.texts, item.hard_negatives)
        fitted, change = await self._fitted(item.model_copy(update={"hard_negatives": negatives}))
        beside = fitted.negatives_beside(fitted.gold)
        return fitted.model_copy(update={"hard_negatives": beside}), change

    async def _fitted(self, item: GoldenItem) -> tuple[GoldenItem, ItemChange]:
        if not item.gold:
            return await self._without_gold(item)
        groups = [[relocate(entry, self.corpus) for entry in group] for group in item.gold]
        relocated = [[entry for entry in group if entry is not None] for group in groups]
        if not any(relocated) and not any(name in self.corpus.texts for name in item.doc_ids):
            return item, ItemChange(item.id, "retired", f"gone: {', '.join(item.doc_ids)}")
        if not all(relocated):
            quote = item.gold[next(n for n, group in enumerate(relocated) if not group)][0].quote
            return _stale(item, f"no document holds {quote!r}")
        fresh = item.model_copy(
            update={"gold": tuple(tuple(entry.span for entry in group) for group in relocated)}
        )
        if all(any(entry.unchanged for entry in group) for group in relocated):
            sure = tuple(
                tuple(e.span for old, e in zip(*pair, strict=True) if e and _is_sure(old, e))
                for pair in zip(item.gold, groups, strict=True)
            )
            return _unchanged(item, fresh.model_copy(update={"gold": sure}), relocated)
        before = tuple(
            tuple(old for old, entry in zip(*pair, strict=True) if entry is not None)
            for pair in zip(item.gold, groups, strict=True)
        )
        return await self._rechecked(item, fresh, before)

    async def _rechecked(
        self, item: GoldenItem, fresh: GoldenItem, before: Sequence[Sequence[GoldSpan]]
    ) -> tuple[GoldenItem, ItemChange]:
        draft = Draft.of(fresh)
        still = changed.by_rule(draft, before)
        if still.verdict == "rejected":
            return _with_checks(item, fresh, {"changed": still})
        context = self.context
        if draft.verbatim or not can_write(context.judge):
            report = await run_rule_checks(draft, context, only=_rule_checks_of(item, draft))
        else:
            report = await run_model_checks(draft, context, only=OF_EVIDENCE)
        checked = fresh.model_copy(update={"gold": report.draft.gold})
        return _with_checks(item, checked, {"changed": still, **report.checks})

    async def _without_gold(self, item: GoldenItem) -> tuple[GoldenItem, ItemChange]:
        if item.type != "unanswerable":
            return item, ItemChange(item.id, "kept", "has no evidence to look for")
        if item.axes.language and item.axes.language not in self.languages:
            kept = ItemChange(item.id, "kept", "no document is in its language to search")
            return _revived(item), kept
        hits = await self.context.find(item.question)
        check, _ = unanswerable.by_rule(replace(Draft.of(item), hits=hits), self.index)
        fresh = _revived(item)
        if check == item.checks.get("unanswerable"):
            return fresh, ItemChange(item.id, "kept")
        return _with_checks(item, fresh, {"unanswerable": check})


def _rule_checks_of(item: GoldenItem, draft: Draft) -> frozenset[str]:
    """Return the checks by rule that a changed item can be held to.

    Every item must be at its offsets and grounded. Rules can repeat the others only on what they
    wrote, where it passed them when it was written.
    """
    if not draft.verbatim:
        return frozenset({"span", "grounded"})
    before = {name for name, check in item.checks.items() if check.verdict == "passed"}
    return OF_EVIDENCE & before | {"span", "grounded"}


def _is_sure(old: GoldSpan, entry: RelocatedSpan) -> bool:
    """Return whether a span says what it said, also where it moved to another context."""
    return entry.unchanged or (entry.how != "fuzzy" and same_sentences(old, entry.span))


def _unchanged(
    item: GoldenItem, fresh: GoldenItem, relocated: Sequence[Sequence[RelocatedSpan]]
) -> tuple[GoldenItem, ItemChange]:
    """Return an item whose quotes are unchanged, wherever they stand now."""
    missing = sum(map(len, item.gold)) - sum(map(len, fresh.gold))
    spans = [span for group in fresh.gold for span in group]
    entries = [entry for group in relocated for entry in group if entry.span in spans]
    moved = [entry for entry in entries if entry.how != "same"]
    if not moved and not missing:
        return _revived(fresh), ItemChange(item.id, "kept")
    offsets = dict.fromkeys(f"{entry.span.doc_id}:{entry.span.start}" for entry in moved)
    notes = [f"now at {', '.join(offsets)}"] if offsets else []
    notes += [f"{missing} alternatives are gone"] if missing else []
    return _revived(fresh), ItemChange(item.id, "reanchored", "; ".join(notes))


def _with_checks(
    item: GoldenItem, fresh: GoldenItem, checks: Mapping[str, Check]
) -> tuple[GoldenItem, ItemChange]:
    rejected = [(name, check) for name, check in checks.items() if check.verdict == "rejected"]
    if rejected:
        name, check = rejected[0]
        return _stale(item, f"{name}: {check.evidence}")
    kept = _revived(fresh.model_copy(update={"checks": {**item.checks, **checks}}))
    return kept, ItemChange(item.id, "rechecked", f"passed {', '.join(checks)}")


def _stale(item: GoldenItem, reason: str) -> tuple[GoldenItem, ItemChange]:
    """Return an item marked stale; one that a reviewer rejected stays rejected."""
    change = ItemChange(item.id, "stale", reason)
    if item.status == "rejected":
        return item, change
    checks = {**item.checks, "refresh": Check(verdict="rejected", evidence=reason)}
    return item.model_copy(update={"checks": checks, "status": "stale"}), change


def _revived(item: GoldenItem) -> GoldenItem:
    """Return an item whose gold spans hold: one that was stale is as if never reviewed."""
    if item.status != "stale":
        return item
    checks = {name: check for name, check in item.checks.items() if name != "refresh"}
    return item.model_copy(update={"status": "auto", "checks": checks})

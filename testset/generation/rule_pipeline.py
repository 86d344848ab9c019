"""Selection: candidates through the checks until every cell of the plan is full."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue

from llamaindex_rag_eval.judge import Judge
from testset.checks import Asked, Draft
from testset.checks.cascade import Outcome, examine
from testset.corpus.index import CorpusIndex
from testset.generation.checkpoint import Journal
from testset.generation.quotas import Cell
from testset.generation.candidates import Planned
from testset.golden.difficulty import difficulty_over
from testset.golden.golden_set import Rejection, Shortfall
from testset.golden.item import Axes, Check, Created, GoldenItem, GoldSpan, item_id
from testset.rewording.variants import SUFFIX
from testset.version import VERSION

__all__ = ["Selection"]

MOST_OF_A_RULE = 1 / 3
"""Share of the set that one rule may write while others have good candidates left."""
SURE = 0.7
"""Quality of the candidates that are worth it for variety's sake."""
SHORT, LONG = 8, 16
"""Words up to which a question is short, and from which it is long."""


class Selection:
    """Accept candidates into the set, cell by cell, then from any cell until it is full.

    Attributes:
        items: Accepted so far.
        rejected: Turned down so far, with reasons.
    """

    def __init__(
        self,
        index: CorpusIndex,
        judge: Judge,
        journal: Journal,
        *,
        seed: int,
        size: int,
        tell: Callable[[str, int, int], None],
    ) -> None:
        self.items: list[GoldenItem] = []
        self.rejected: list[Rejection] = []
        self._index, self._judge, self._journal = index, judge, journal
        self._seed, self._size, self._tell = seed, size, tell
        self._asked = Asked()
        self._tried: set[int] = set()
        self._got: Counter[Cell] = Counter()
        self._written: Counter[str] = Counter()

    async def fill(self, plan: Mapping[Cell, int], cells: Mapping[Cell, Sequence[Planned]]) -> None:
        """Fill each cell to its quota; then the rest from the cells that have more.

        Good candidates of a rule that has its share already wait until those of others are tried.
        """
        types = {kind for _, kind in plan}
        others = _interleaved({c: cells[c] for c in sorted(cells) if c[1] in types})
        for least, most in ((SURE, round(MOST_OF_A_RULE * self._size)), (0.0, self._size)):
            for cell in sorted(plan):
                await self._take(cells.get(cell, ()), plan[cell], cell, least=least, most=most)
            await self._take(others, self._size, None, least=least, most=most)

    async def _take(
        self,
        offered: Sequence[Planned],
        quota: int,
        cell: Cell | None,
        *,
        least: float,
        most: int,
    ) -> None:
        """Try candidates of at least a quality until a cell, or the set, has its quota."""
        for planned in offered:
            have = len(self.items) if cell is None else self._got[cell]
            if have >= quota or len(self.items) >= self._size:
                return
            candidate = planned.candidate
            if candidate.quality >= least and self._written[_family(planned)] < most:
                await self._try(planned)

    async def _try(self, planned: Planned) -> None:
        if id(planned) in self._tried:
            return
        self._tried.add(id(planned))
        draft = draft_of(planned)
        key = hashlib.sha256(repr(draft).encode()).hexdigest()[:24]
        outcome = await self._outcome(key, draft)
        if outcome.failed:
            doc_id = planned.passage.document.doc_id
            evidence = outcome.checks[outcome.failed].evidence
            found = Rejection(draft.question, draft.reference, doc_id, outcome.failed, evidence)
            self.rejected.append(found)
            return
        self._asked.add(draft)
        self._got[planned.cell] += 1
        self._written[_family(planned)] += 1
        self.items.append(item_of(outcome, planned, self._index, self._seed))
        self._tell("write", len(self.items), self._size)

    async def _outcome(self, key: str, draft: Draft) -> Outcome:
        """Return the decision from the journal, or make it and write it there."""
        known = self._journal.get(key)
        if known is not None:
            return _from_record(known, draft)
        outcome = await examine(draft, self._index, self._asked, self._judge)
        checks: dict[str, JsonValue] = {n: c.model_dump() for n, c in outcome.checks.items()}
        gold: list[JsonValue] = [
            [span.model_dump() for span in group] for group in outcome.draft.gold
        ]
        self._journal.put(key, {"checks": checks, "gold": gold})
        return outcome

    def shortfall(
        self, plan: Mapping[Cell, int], cells: Mapping[Cell, Sequence[Planned]]
    ) -> tuple[Shortfall, ...]:
        """Return the cells below their quota, if the set as a whole is too small."""
        if len(self.items) >= self._size:
            return ()
        found: list[Shortfall] = []
        for cell, wanted in sorted(plan.items()):
            if self._got[cell] >= wanted:
                continue
            candidates = len(cells.get(cell, ()))
            tried = f"{candidates} candidates, {self._got[cell]} passed the checks"
            reason = tried if candidates else "rules found nothing to ask; an LLM may"
            found.append(Shortfall(*cell, wanted, self._got[cell], reason))
        return tuple(found)


def _family(planned: Planned) -> str:
    """Return the rule of a candidate, whatever its wording."""
    return planned.candidate.rule.removesuffix(SUFFIX)


def _from_record(record: Mapping[str, JsonValue], draft: Draft) -> Outcome:
    checks, gold = record["checks"], record["gold"]
    groups = gold if isinstance(gold, list) else []
    spans = tuple(
        tuple(GoldSpan.model_validate(span) for span in group)
        for group in groups
        if isinstance(group, list)
    )
    named = checks if isinstance(checks, dict) else {}
    settled = Draft(draft.question, draft.reference, draft.kind, draft.type, draft.language, spans)
    return Outcome(settled, {name: Check.model_validate(check) for name, check in named.items()})


def _interleaved(cells: Mapping[Cell, Sequence[Planned]]) -> list[Planned]:
    """Return the candidates of all cells, the first of each, then the second of each, ..."""
    longest = max(map(len, cells.values()), default=0)
    return [found[turn] for turn in range(longest) for found in cells.values() if turn < len(found)]


def draft_of(planned: Planned) -> Draft:
    """Return a candidate with its evidence as spans of its document."""
    candidate, document = planned.candidate, planned.passage.document
    place = (candidate.start, candidate.end)
    gold = ((GoldSpan.cut(document.doc_id, document.hash, document.text, *place),),)
    return Draft(
        candidate.question,
        candidate.answer,
        candidate.kind,
        candidate.type,
        planned.passage.language,
        gold,
    )


def item_of(outcome: Outcome, planned: Planned, index: CorpusIndex, seed: int) -> GoldenItem:
    """Return the golden item of a candidate that passed."""
    draft, candidate = outcome.draft, planned.candidate
    own = tuple((group[0].doc_id, group[0].quote) for group in draft.gold)
    words = (
        len(draft.question.split())
        if draft.language not in {"ja", "zh"}
        else len(draft.question) // 3
    )
    length = "short" if words <= SHORT else "long" if words >= LONG else "medium"
    return GoldenItem.model_validate(
        {
            "id": item_id(draft.question, draft.reference, draft.type, own),
            "question": draft.question,
            "reference": draft.reference,
            "reference_facts": (draft.reference,),
            "type": draft.type,
            "kind": draft.kind,
            "axes": Axes.model_validate({"language": draft.language, "length": length}),
            "gold": draft.gold,
            "expected_behaviour": "answer",
            "checks": outcome.checks,
            "difficulty": difficulty_over(draft, index),
            "topic": planned.topic,
            "created": Created(
                models={"writer": "rules", "rule": candidate.rule}, seed=seed, version=VERSION
            ),
        }
    )

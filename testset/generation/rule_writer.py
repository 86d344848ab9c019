"""The rule writer: questions that rules read off the documents, best ones first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain

from llamaindex_rag_eval.data.sample import Fact
from testset.checks.draft import Draft
from testset.checks.run import RULE_CHECKS, run_rule_checks
from testset.corpus.documents import SourceDocument
from testset.generation.attempt import Attempt
from testset.generation.candidates import PassageCandidate, ranked_candidates
from testset.generation.choice import ItemWriter
from testset.generation.extension import questions_about
from testset.generation.mixes import RULE_TYPES
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.generation.traffic import length_of
from testset.golden.difficulty import difficulty_over
from testset.golden.item import Axes, Created, GoldenItem
from testset.golden.spans import cut_span
from testset.rules.registry import document_language
from testset.version import VERSION

MOST_OF_A_RULE = 1 / 3
"""Share of the set that one rule may write while others have candidates left."""

OWN_LANGUAGE = (
    "rules ask about a document in its own language only, and none of these can be asked about in "
    "{!r}; an LLM asks in any (--llm)"
)

NOTHING = "no table, label, list, FAQ or sentence to ask about"
UNKNOWN = "no table of its language, so that only what stands there can be asked"

OF_WORDING = frozenset({"grounded", "round_trip"})
"""Checks that hold a text against its evidence word by word; an answer that rules put together
from several values, or from one and a sentence of their own, is right by its making. One that is
cut out whole, as a list or a section, needs no `grounded`: `span` finds it word for word."""


class RuleWriter(ItemWriter[PassageCandidate]):
    """Offer the candidates of the rules, stratum by stratum, each once.

    Candidates of a rule that has its share are held back until the others are tried. One task
    at a time: rules take no time to wait for.

    Args:
        run: What is wanted, of which documents.
    """

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        config, self._index = run.config, run.prepared.index
        self._measured: dict[int, tuple[str, str]] = {}
        self._by_rule: Counter[str] = Counter()
        self._passed: Counter[Stratum] = Counter()
        self._most = round(MOST_OF_A_RULE * config.wanted)
        self._candidates = ranked_candidates(
            run.prepared,
            size=config.wanted,
            seed=config.seed,
            language=config.language or "",
            about=questions_about(config.extend),
        )
        self.proposals.update({stratum: [*rows] for stratum, rows in self._candidates.items()})

    def offers(self, type_: str) -> bool:
        """Return whether there is a candidate of this type."""
        return any(stratum.type == type_ for stratum in self._candidates)

    def is_open(self, proposal: PassageCandidate) -> bool:
        """Return whether the rule of a candidate has not its share yet."""
        return self._by_rule[proposal.candidate.rule] < self._most

    def measure(self, proposal: PassageCandidate) -> tuple[str, str]:
        """Return how hard and how long a candidate is."""
        if id(proposal) not in self._measured:
            draft = self._draft(proposal)
            level, _ = difficulty_over(draft, self._index)
            self._measured[id(proposal)] = level, length_of(draft.question, draft.language)
        return self._measured[id(proposal)]

    def more(self) -> bool:
        """Offer what is of a rule that has its share; then what is not wanted."""
        held_back = self._most < self.run.config.wanted
        self._most = self.run.config.wanted
        return held_back or super().more()

    def attempt(self, proposal: PassageCandidate, target: int) -> Attempt:
        """Return the attempt of checking a candidate."""
        draft, rule = self._draft(proposal), proposal.candidate.rule
        models = {"writer": "rules", "rule": rule}
        return Attempt(
            proposal.stratum,
            tuple(dict.fromkeys(s.doc_id for group in proposal.candidate.spans for s in group)),
            Axes(language=draft.language),
            Created(models=models, seed=self.run.config.seed, version=VERSION),
            partial(self._checked, draft, rule),
            target=target,
        )

    async def _checked(self, draft: Draft, rule: str, attempt: Attempt) -> Attempt:
        cut = draft.verbatim and not rule.startswith("sentence.")
        needless = {"grounded"} if cut else frozenset() if draft.verbatim else OF_WORDING
        report = await run_rule_checks(draft, self.run.context, only=RULE_CHECKS.keys() - needless)
        if not report.rejected_by:
            self._by_rule[rule] += 1
            self._passed[attempt.stratum] += 1
        return attempt.checked(report)

    def _draft(self, proposal: PassageCandidate) -> Draft:
        """Return a candidate with its evidence as spans of the documents."""
        candidate, documents = proposal.candidate, self._index.documents
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
            facts=(Fact(text=candidate.answer),) if candidate.answer else (),
            turns=candidate.turns,
            behaviour=candidate.behaviour,
            verbatim=candidate.verbatim,
        )

    def why(self, stratum: Stratum) -> str:
        """Return how many candidates there were, or that there was none."""
        offered = len(self._candidates.get(stratum, ()))
        if offered:
            return f"{offered} candidates, {self._passed[stratum]} passed the checks"
        if self.run.config.language and not self._candidates:
            return OWN_LANGUAGE.format(self.run.config.language)
        if stratum.type in RULE_TYPES:
            return "rules found nothing to ask; an LLM may"
        return f"rules cannot write {stratum.type} questions; an LLM can (--llm)"

    def summary(self, items: Sequence[GoldenItem]) -> Mapping[str, str]:
        """Return how many candidates there were; and of a set too short, what nothing is about."""
        facts = {"candidates": str(sum(map(len, self._candidates.values())))}
        if len(items) < self.run.config.wanted:
            about = {doc_id for item in items for doc_id in item.doc_ids}
            rows = chain.from_iterable(self._candidates.values())
            offered = Counter(row.candidate.first.doc_id for row in rows)
            for document in self.run.prepared.corpus.documents:
                if document.doc_id not in about:
                    reason = _silence(document, offered[document.doc_id])
                    facts[f"nothing asked about {document.doc_id}"] = reason
        return facts


def _silence(document: SourceDocument, candidates: int) -> str:
    """Return why there is no question about a document."""
    if candidates:
        return f"none of {candidates} candidates passed the checks"
    return UNKNOWN if document_language(document) is None else NOTHING

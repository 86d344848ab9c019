"""The rule writer: questions that rules read off the documents, best ones first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from llamaindex_rag_eval.data.sample import Fact
from llamaindex_rag_eval.errors import EngineError
from llamaindex_rag_eval.judge import Judge
from testset.checks.draft import Draft
from testset.checks.duplicate import AskedQuestions
from testset.checks.run import RULE_CHECKS, CheckContext, run_rule_checks
from testset.corpus.deployed import DeployedSearch
from testset.corpus.prepared import PreparedCorpus
from testset.generation.attempt import Attempt, Slot, without_retriever
from testset.generation.candidates import PassageCandidate, ranked_candidates
from testset.generation.config import GenerationConfig
from testset.generation.extension import questions_about
from testset.generation.items import question_length
from testset.generation.mixes import RULE_TYPES
from testset.generation.quotas import Stratum
from testset.generation.targets import Targets, admits
from testset.generation.traffic import Target
from testset.generation.unasked import unasked
from testset.golden.difficulty import difficulty_over
from testset.golden.item import Axes, Created, GoldenItem
from testset.golden.spans import cut_span
from testset.version import VERSION

MOST_OF_A_RULE = 1 / 3
"""Share of the set that one rule may write while others have candidates left."""

OWN_LANGUAGE = (
    "rules ask about a document in its own language only, and none of these can be asked about in "
    "{!r}; an LLM asks in any (--llm)"
)

OF_WORDING = frozenset({"grounded", "round_trip"})
"""Checks that hold a text against its evidence word by word; an answer that rules put together
from several values, or from one and a sentence of their own, is right by its making. One that is
cut out whole, as a list or a section, needs no `grounded`: `span` finds it word for word."""


class RuleWriter:
    """Offer the candidates of the rules, stratum by stratum, each once.

    Candidates of a rule that has its share are held back until the others are tried. One slot
    at a time: rules take no time to wait for.
    """

    window = 1

    def __init__(
        self,
        prepared: PreparedCorpus,
        config: GenerationConfig,
        judge: Judge,
        asked: AskedQuestions,
        deployed: DeployedSearch | None = None,
        targets: Targets | None = None,
    ) -> None:
        self._prepared, self._config = prepared, config
        self._context = CheckContext(prepared.index, asked, judge, deployed=deployed)
        self._targets, self._measured = targets, dict[int, tuple[str, str]]()
        self._by_rule: Counter[str] = Counter()
        self._passed: Counter[Stratum] = Counter()
        self._tried: set[int] = set()
        self._most = round(MOST_OF_A_RULE * config.wanted)

    @cached_property
    def _candidates(self) -> Mapping[Stratum, list[PassageCandidate]]:
        return ranked_candidates(
            self._prepared,
            size=self._config.wanted,
            seed=self._config.seed,
            language=self._config.language or "",
            about=questions_about(self._config.extend),
        )

    def offers(self, type_: str) -> bool:
        """Return whether there is a candidate of this type."""
        return any(stratum.type == type_ for stratum in self._candidates)

    def take(
        self, stratum: Stratum, *, wanted: int, types: Sequence[str], offered: bool
    ) -> Slot | None:
        """Return the next candidate of a stratum that is not held back."""
        del wanted, types, offered
        for entry in self._candidates.get(stratum, ()):
            if id(entry) in self._tried or self._by_rule[entry.candidate.rule] >= self._most:
                continue
            target = self._target_for(stratum, entry)
            if target is None and self._targets is not None:
                continue
            self._tried.add(id(entry))
            return Slot(stratum, partial(self._write, entry), target=target)
        return None

    def waits(self, stratum: Stratum) -> bool:
        """Nothing is found out later."""
        del stratum
        return False

    def _target_for(self, stratum: Stratum, entry: PassageCandidate) -> int | None:
        """Return the number of an open target that a candidate fulfils; `None` if there is none."""
        if self._targets is None:
            return None
        fits, measured = partial(_fits, entry), partial(self._fits_measured, entry)
        return self._targets.take(stratum.type, fits, measured)

    def _fits_measured(self, entry: PassageCandidate, target: Target) -> bool:
        if not (target.difficulty or target.length):
            return True
        if id(entry) not in self._measured:
            draft = self._draft(entry)
            level, _ = difficulty_over(draft, self._context.index)
            self._measured[id(entry)] = level, question_length(draft)
        return admits((target,), self._measured[id(entry)])

    def settled(self, attempt: Attempt) -> None:
        """Nothing is learnt."""

    def more(self) -> bool:
        """Offer what is of a rule that has its share; then what is not wanted."""
        held_back = self._most < self._config.wanted
        self._most = self._config.wanted
        return held_back or (self._targets is not None and self._targets.relax())

    async def _write(self, entry: PassageCandidate) -> Attempt:
        draft = self._draft(entry)
        models = {"writer": "rules", "rule": entry.candidate.rule}
        groups = entry.candidate.spans
        attempt = Attempt(
            entry.stratum,
            tuple(dict.fromkeys(span.doc_id for group in groups for span in group)),
            Axes(language=draft.language, length=question_length(draft)),
            Created(models=models, seed=self._config.seed, version=VERSION),
        )
        cut = draft.verbatim and not entry.candidate.rule.startswith("sentence.")
        needless = {"grounded"} if cut else frozenset() if draft.verbatim else OF_WORDING
        try:
            report = await run_rule_checks(draft, self._context, only=RULE_CHECKS.keys() - needless)
        except EngineError as error:
            return without_retriever(attempt, error)
        if not report.rejected_by:
            self._by_rule[entry.candidate.rule] += 1
            self._passed[entry.stratum] += 1
        return replace(
            attempt,
            draft=report.draft,
            checks=report.checks,
            rejected_by=report.rejected_by,
            reason=report.reason,
        )

    def _draft(self, entry: PassageCandidate) -> Draft:
        """Return a candidate with its evidence as spans of the documents."""
        candidate, documents = entry.candidate, self._context.index.documents
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
        if self._config.language and not self._candidates:
            return OWN_LANGUAGE.format(self._config.language)
        if stratum.type in RULE_TYPES:
            return "rules found nothing to ask; an LLM may"
        return f"rules cannot write {stratum.type} questions; an LLM can (--llm)"

    def summary(self, items: Sequence[GoldenItem]) -> Mapping[str, str]:
        """Return how many candidates there were; and of a set too short, what nothing is about."""
        facts = {"candidates": str(sum(map(len, self._candidates.values())))}
        if len(items) < self._config.wanted:
            about = {doc_id for item in items for doc_id in item.doc_ids}
            silent = unasked(self._prepared.corpus, self._candidates, about)
            facts |= {f"nothing asked about {name}": reason for name, reason in silent.items()}
        return facts


def _fits(entry: PassageCandidate, target: Target) -> bool:
    """Return whether a candidate is of the kind and the language that a target asks for."""
    asked = entry.candidate
    return target.kind in ("", asked.kind) and target.language in ("", asked.language)

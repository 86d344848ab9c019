"""The rule writer: questions that rules read off the documents, best ones first."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain

from llamaindex_rag_eval.data.sample import Fact
from testset.checks.draft import Draft
from testset.checks.run import RULE_CHECKS, run_rule_checks
from testset.corpus.documents import SourceDocument
from testset.corpus.setting import with_whole_links
from testset.generation.attempt import Attempt
from testset.generation.candidates import TopicCandidate, ranked_candidates
from testset.generation.choice import ItemWriter
from testset.generation.extension import questions_about
from testset.generation.mixes import RULE_TYPES
from testset.generation.quotas import Stratum
from testset.generation.run import Run
from testset.generation.traffic import length_of
from testset.golden.difficulty import difficulty_over
from testset.golden.item import Axes, Created, GoldenItem, GoldSpan
from testset.golden.spans import cut_span
from testset.rules.candidate import Candidate, Span
from testset.rules.registry import document_language
from testset.version import VERSION

MOST_OF_A_TEMPLATE = 1 / 10
"""Share of the set that one wording may have."""
FEWEST = 3
"""Questions that one wording may have, and one document, even in a small set."""
MOST_OF_A_DOCUMENT = 1 / 5
"""Share of the set that may be about one document; of fewer than five, each has its part."""

OWN_LANGUAGE = (
    "rules ask about a document in its own language only, and none of these can be asked about in "
    "{!r}; an LLM asks in any (--llm)"
)

NOTHING = "no table or label that rules can ask about"
UNKNOWN = "in a language that rules do not know"
NAMED = 5
"""Documents that are named of those about which nothing is asked, for each reason."""

NEEDLESS = frozenset({"grounded"})
"""Checks that no answer needs which is cut out whole: `span` finds it word for word."""

NO_PADDING = "at most a tenth of a set has one wording, a fifth is about one document"


def shares(size: int, documents: int) -> tuple[int, int]:
    """Return how many questions may have one wording, and how many be about one document.

    Args:
        size: How many questions are wanted.
        documents: How many documents there are.

    Example:
        >>> shares(50, 40), shares(50, 2)
        ((5, 10), (5, 25))
    """
    share = max(MOST_OF_A_DOCUMENT, 1 / max(1, documents))
    return max(FEWEST, int(MOST_OF_A_TEMPLATE * size)), max(FEWEST, math.ceil(share * size))


class RuleWriter(ItemWriter[TopicCandidate]):
    """Offer the candidates of the rules, stratum by stratum, each once.

    No candidate is offered of a wording, or about a document, that has its share: the set is
    rather too short.

    Args:
        run: What is wanted, of which documents.
    """

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        config, self._index = run.config, run.prepared.index
        self.window = config.size
        self._measured: dict[int, Mapping[str, str]] = {}
        self._by_template: Counter[str] = Counter()
        self._by_document: Counter[str] = Counter()
        self._passed: Counter[Stratum] = Counter()
        self._most_of_a_template, self._most_of_a_document = shares(
            config.wanted, len(run.prepared.kept_by_document)
        )
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

    def is_open(self, proposal: TopicCandidate) -> bool:
        """Return whether neither the wording nor the document of a candidate has its share yet."""
        candidate = proposal.candidate
        about = self._by_document[candidate.first.doc_id]
        worded = self._by_template[candidate.rule]
        return about < self._most_of_a_document and worded < self._most_of_a_template

    def measure(self, proposal: TopicCandidate) -> Mapping[str, str]:
        """Return how hard and how long a candidate is."""
        if id(proposal) not in self._measured:
            draft = self._draft(proposal)
            level, _ = difficulty_over(draft, self._index)
            length = length_of(draft.question, draft.language)
            self._measured[id(proposal)] = {"difficulty": level, "length": length}
        return self._measured[id(proposal)]

    def attempt(self, proposal: TopicCandidate) -> Attempt:
        """Return the attempt of checking a candidate; until it fails it counts as written."""
        draft, candidate = self._draft(proposal), proposal.candidate
        self._count(candidate, 1)
        models = {"writer": "rules", "rule": candidate.rule}
        return Attempt(
            proposal.stratum,
            tuple(dict.fromkeys(s.doc_id for group in candidate.spans for s in group)),
            Created(models=models, seed=self.run.config.seed, version=VERSION),
            partial(self._checked, draft, candidate),
        )

    def _count(self, candidate: Candidate, number: int) -> None:
        self._by_template[candidate.rule] += number
        self._by_document[candidate.first.doc_id] += number

    async def _checked(self, draft: Draft, candidate: Candidate, attempt: Attempt) -> Attempt:
        report = await run_rule_checks(draft, self.run.context, only=RULE_CHECKS.keys() - NEEDLESS)
        if report.rejected_by:
            self._count(candidate, -1)
        else:
            self._passed[attempt.stratum] += 1
        return attempt.checked(report)

    def _draft(self, proposal: TopicCandidate) -> Draft:
        """Return a candidate with its evidence as spans of the documents."""
        candidate, documents = proposal.candidate, self._index.documents

        def cut(span: Span) -> GoldSpan:
            document = documents[span.doc_id]
            return cut_span(document, *with_whole_links(document.text, span.start, span.end))

        gold = tuple(tuple(map(cut, group)) for group in candidate.spans)
        return Draft(
            candidate.question,
            candidate.answer,
            candidate.kind,
            candidate.type,
            Axes(language=candidate.language),
            gold,
            reference_facts=(Fact(text=candidate.answer),),
            verbatim=candidate.verbatim,
        )

    def why(self, stratum: Stratum) -> str:
        """Return how many candidates there were, or that there was none."""
        offered = len(self._candidates.get(stratum, ()))
        if offered:
            passed = self._passed[stratum]
            return f"{offered} candidates, {passed} passed the checks; {NO_PADDING}"
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
            silent: dict[str, list[str]] = defaultdict(list)
            for document in self.run.prepared.corpus.documents:
                if document.doc_id not in about:
                    silent[_silence(document, offered[document.doc_id])].append(document.doc_id)
            for reason, names in silent.items():
                more = f" and {len(names) - NAMED} more" if names[NAMED:] else ""
                facts[f"nothing asked, {reason}"] = ", ".join(names[:NAMED]) + more
        return facts


def _silence(document: SourceDocument, candidates: int) -> str:
    """Return why there is no question about a document."""
    if candidates:
        return "no candidate passed the checks"
    return UNKNOWN if document_language(document) is None else NOTHING

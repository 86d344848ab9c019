"""Lists: what their lead-in asks, with all of their items as the answer."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from testset.rules.answers import answer_of, candidate_of
from testset.rules.candidate import Candidate, Kind
from testset.rules.facts import lists_of
from testset.rules.outline import Section

FEWEST, MOST = 2, 15
"""Items of a list at least and at most; more are a register."""
SHORTEST_QUESTION = 24
"""Bytes of a question at least: "What can I use?" says too little."""


def lists(section: Section) -> Iterator[Candidate]:
    """Yield what the lead-in of each list under a heading asks."""
    for items in lists_of(section.body):
        top = [block for block in items if block.level == items[0].level]
        if not FEWEST <= len(top) <= MOST or not items[0].lead:
            continue
        answer, wording = answer_of(section, items), _question(section, items[0].lead)
        if answer is None or wording is None:
            continue
        question, kind, template = wording
        draft = candidate_of(section, question, answer, kind, f"list: {template}")
        yield replace(draft, question=draft.wider)


def _question(section: Section, lead: str) -> tuple[str, Kind, str] | None:
    """Return what a lead-in asks, its kind and its template."""
    language, lead = section.language, " ".join(lead.split())
    spans: Sequence[tuple[int, int]] = sentence_spans(lead) or [(0, 0)]
    last = lead[spans[-1][0] :].rstrip(" :：。.").strip()
    if not last or language.is_open(last) or not section.clean(last):
        return None
    first = last.split(maxsplit=1)[0]
    last = section.outline.plainly_cased(first) + last[len(first) :]
    for row in language.leads:
        if match := row.read(last):
            question = language.question_for(row, match)
            usable = len(question.encode()) >= SHORTEST_QUESTION
            return (question, row.kind, row.ask) if usable else None
    return None

"""Headings that are questions, or that name a task which the text below is about."""

import re
from collections.abc import Iterator
from dataclasses import replace

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.corpus.plain import Block
from testset.rules.answers import answer_of, candidate_of, in_setting
from testset.rules.candidate import Candidate
from testset.rules.casing import spoken
from testset.rules.outline import Section

LONGEST_HEADING = 110
"""Characters of a heading at most; a longer one is a sentence."""
FEWEST_STEPS = 3
"""Numbered items from which a list is one of steps."""
FEWEST_WORDS = 4
"""Words of a heading that is a question at least; "In a hurry?" says too little. Two characters of
Chinese or Japanese count as one."""


_SPEAKER = re.compile(r"(?:@|\[)?[^\W\d_a-z][\w.\]-]*(?: [^\W\d_a-z]\w*)?: ")
"""Who asks, in minutes."""


def headings(section: Section) -> Iterator[Candidate]:
    """Yield what a heading asks, with the whole of what stands below it as the answer."""
    named = section.language.names(section.heading) and section.clean(section.heading)
    if not named or not section.whole or len(section.heading) > LONGEST_HEADING:
        return
    asks = (is_question(section, section.text(block)) for block in section.body)
    end = next((number for number, ask in enumerate(asks) if ask), None)
    answer = answer_of(section, section.body[:end])
    if answer is None:
        return
    if section.language.is_question(section.heading):
        if is_question(section, section.heading):
            question = spoken(section.heading, section.outline.words, section.language)
            yield candidate_of(section, question, answer, "factoid", "faq")
        return
    yield from _worded(section, answer)


def _worded(section: Section, answer: tuple[Block, ...]) -> Iterator[Candidate]:
    """Yield what a heading that is no question asks, as "How to …"."""
    heading = re.sub(r"\s*[(（][^()（）]*[)）]$", "", section.heading)
    for row in section.language.headings:
        if match := row.read(section.outline.plainly_cased(heading)):
            question = section.language.question_for(row, match)
            yield candidate_of(section, question, answer, row.kind, f"how: {row.ask}")
            return
    template, steps = section.language.ask.get("task", ""), _steps(section, answer)
    if template and steps and section.language.is_task(heading):
        question = template.format(name=heading)
        draft = candidate_of(section, question, steps, "procedure", "how: steps")
        located = in_setting(section, question, always=True, entity=heading)
        yield replace(draft, question=located)


def _steps(section: Section, answer: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the steps that an answer is, with what leads in to them; none if it is more or less.

    What stands below them is left out; a list behind other text may be of anything.
    """
    numbered = [number for number, block in enumerate(answer) if section.number(block)]
    if len(numbered) < FEWEST_STEPS or numbered[0] > 1:
        return ()
    last = max(number for number, block in enumerate(answer) if block.kind == "item")
    inside = all(block.kind in {"item", "code"} for block in answer[numbered[0] : last])
    return answer[: last + 1] if inside else ()


def is_question(section: Section, text: str) -> bool:
    """Return whether a line is a question that says enough, and no more than a heading does."""
    words = len(text) // 2 if is_cjk(text) else len(text.split())
    if words < FEWEST_WORDS or len(text) > LONGEST_HEADING:
        return False
    spoken = _SPEAKER.match(text) or not re.match(r"[\w¿\"'“„«‘「『(（]", text)
    return section.language.is_question(text) and not spoken

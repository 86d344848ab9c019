"""Lists and procedures: a heading that names a task, and the numbered steps below it."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.passage_candidate import Candidate

__all__ = ["procedures"]

_TASK = re.compile(
    r"(?:How to (?P<how>[a-z].+)|(?P<gerund>[A-Z][a-z]+ing) (?P<thing>[a-z].{3,50}))$"
)
_NO_TASK = re.compile(r"\b(?:and|or)\b|[:?]")
FEWEST_STEPS = 2


def procedures(passage: Passage) -> Iterator[Candidate]:
    """Yield "How do I ...?" for a heading in the form of a task with steps below it."""
    title = passage.headings[-1].strip() if passage.headings else ""
    match = _TASK.match(title)
    steps = [block for block in passage.blocks if block.kind == "item"]
    if passage.language != "en" or match is None or _NO_TASK.search(title):
        return
    if len(steps) < FEWEST_STEPS:
        return
    start, end = passage.raw_span(steps[0])[0], passage.raw_span(steps[-1])[1]
    answer = " ".join(passage.document.text[start:end].split())
    if match["how"]:
        question = f"How do I {match['how']}?"
    else:
        question = f"What are the steps for {match['gerund'].lower()} {match['thing']}?"
    yield Candidate(question, answer, start, end, "procedure", "procedure", 0.8)

"""Speakers: who says what in a transcript, whose lines are like "Ada: It is late".

Labels with a colon stand in many texts: fields of records, notes, entries of a list. A text is
taken for a transcript if most of its paragraphs' lines have a label, a few labels return again and
again, and what follows them are sentences.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

_UTTERANCE = re.compile(
    r"^(?:[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?\s+)?"  # at what time
    r"(?P<speaker>[^\W\d_][^\n:：]{0,39}?)\s*[:：](?!//)\s*(?P<said>\S.*)$",
    re.MULTILINE,
)
_SENTENCE = re.compile(r"[.?!…。？！][\"'”’)」』]*$")
MOST_WORDS = 4
"""Words of a speaker's name."""
TURNS = 3
"""Utterances of a speaker on average, from which labels return."""
MOST = 0.5
"""Share of the lines that are utterances, and of utterances that end as a sentence, at least."""


class Utterance(NamedTuple):
    """What one speaker says, up to the next one.

    Attributes:
        start: Its first character, that of the label.
        end: One past its last.
        speaker: The label.
    """

    start: int
    end: int
    speaker: str


def utterances_in(text: str, paragraphs: Sequence[tuple[int, int]]) -> tuple[Utterance, ...]:
    r"""Return the utterances of a transcript in order; none of any other text.

    Args:
        text: A plain text.
        paragraphs: The start and end of each run of paragraphs without a heading between them.

    Example:
        >>> talk = "Ada: Is it late?\nBo: It is.\nAda: Then go.\nBo: I will.\nAda: So.\nBo: Bye."
        >>> [entry.speaker for entry in utterances_in(talk, [(0, len(talk))])][:3]
        ['Ada', 'Bo', 'Ada']
        >>> utterances_in("Weight: 5 kg\nWidth: 7 cm", [(0, 24)])
        ()
    """
    matches = [
        (match, end)
        for start, end in paragraphs
        for match in _UTTERANCE.finditer(text, start, end)
        if len(match["speaker"].split()) <= MOST_WORDS and not match["speaker"][0].islower()
    ]
    lines = sum(
        bool(line.strip()) for start, end in paragraphs for line in text[start:end].split("\n")
    )
    speakers = Counter(match["speaker"] for match, _ in matches)
    ended = sum(_SENTENCE.search(match["said"].rstrip()) is not None for match, _ in matches)
    returning = len(speakers) > 1 and len(matches) >= TURNS * len(speakers)
    if not returning or min(len(matches) / lines, ended / len(matches)) < MOST:
        return ()
    ends = [
        min(end, match.start()) for (match, _), (_, end) in zip(matches[1:], matches, strict=False)
    ]
    return tuple(
        Utterance(match.start(), end, match["speaker"])
        for (match, _), end in zip(matches, [*ends, matches[-1][1]], strict=True)
    )

"""Minimal pairs from frames of our own: `pairs/LANGUAGE.txt` holds some for each kind.

A frame is a paragraph of lines `key: value`. `source` is what is known; `yes` a claim that it
supports, `no` one that it does not. A frame with a `question` is about an answer: `reference` is
the right one, and `expected` may say that it is right to refuse. `rows` are what fills the frame,
one pair a row: rows stand between semicolons, values between bars. `{a}` is the first value of a
row, `{A}` the same with a capital. Without `no`, it is `yes` with the first two values exchanged.
Around a source stand up to three of the sentences under `[others]`, which say nothing of it.
"""

import random
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

FRAMES = Path(__file__).parent / "pairs"
LONGEST = 4
"""Sentences of a source at most."""
_END = re.compile(r"[。！？]|[.!?](?=\s|$)")
_JOINED_WITHOUT_SPACE = frozenset({"zh", "ja"})

Frame = Mapping[str, str]
Origin = Literal["written", "documents"]


@dataclass(frozen=True)
class Pair:
    """A claim that a source supports, and nearly the same that it does not; or two answers.

    Attributes:
        kind: In what the two differ, or how they are reworded.
        language: Of the texts.
        source: What is known; of answers, the reference.
        right: The supported claim, or the right answer.
        wrong: The other.
        question: What answers answer.
        expected: What a good answer does.
        origin: Whether it was written for this set or drawn from documents.
    """

    kind: str
    language: str
    source: str
    right: str
    wrong: str
    question: str = ""
    expected: Literal["answer", "refuse"] = "answer"
    origin: Origin = "written"

    @property
    def task(self) -> Literal["support", "verdict"]:
        """Whether a source supports a claim, or an answer is right."""
        return "verdict" if self.question else "support"


def written_pairs(language: str) -> list[Pair]:
    """Return the pairs of a language, in the order of its file."""
    sections = _sections((FRAMES / f"{language}.txt").read_text("utf-8"))
    others = sections.pop("others").splitlines()
    return [
        pair
        for kind, text in sections.items()
        for frame in _frames(text)
        for pair in _pairs(kind, language, frame, others)
    ]


def _sections(text: str) -> dict[str, str]:
    parts = re.split(r"^\[(.+)\]\n", text, flags=re.MULTILINE)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def _frames(text: str) -> Iterator[Frame]:
    for line in re.split(r"\n(?=source:|question:)", text):
        yield dict(re.split(r": *", each, maxsplit=1) for each in line.splitlines() if each)


def _pairs(kind: str, language: str, frame: Frame, others: list[str]) -> Iterator[Pair]:
    for row in frame["rows"].split(";"):
        values = [value.strip() for value in row.split("|")]
        filled = {key: _filled(text, values) for key, text in frame.items() if key != "rows"}
        exchanged = [*reversed(values[:2]), *values[2:]]
        pair = Pair(
            kind=kind,
            language=language,
            source=filled.get("reference") or _surrounded(filled["source"], language, others),
            right=filled["yes"],
            wrong=filled.get("no") or _filled(frame["yes"], exchanged),
            question=filled.get("question", ""),
            expected="refuse" if frame.get("expected") == "refuse" else "answer",
        )
        yield pair


def _filled(text: str, values: list[str]) -> str:
    slots = dict(zip("abcdef", values, strict=False))
    capitals = {name.upper(): value[:1].upper() + value[1:] for name, value in slots.items()}
    return text.format(**slots, **capitals)


def _surrounded(evidence: str, language: str, others: list[str]) -> str:
    """Return the evidence with other sentences around it; which, its text decides."""
    rng = random.Random(zlib.crc32(evidence.encode()))
    room = max(0, LONGEST - len(_END.findall(evidence)))
    sentences = [evidence, *rng.sample(others, rng.randint(0, room))]
    rng.shuffle(sentences)
    gap = "" if language in _JOINED_WITHOUT_SPACE else " "
    return "".join(each + (" " if each[-1] == "." else gap) for each in sentences).strip()

"""German asides: what stands in brackets or between commas behind a name, as questions."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage, Sentence
from testset.rules.german.closed_classes import points_elsewhere
from testset.rules.german.names import names_in, only_names
from testset.rules.german.persons import is_role
from testset.rules.passage_candidate import Candidate, Kind

__all__ = ["asides"]

_NAME = r"[A-ZÄÖÜ][\w’'-]+(?: (?:[A-ZÄÖÜ][\w’'-]+|von|de|van|der|of|ibn|al))* ?[A-ZÄÖÜ]?[\w’'-]*"
_LIFE = re.compile(
    r"(?P<name>[A-ZÄÖÜ][\w’'-]+(?: (?:[A-ZÄÖÜ][\w’'-]+|von|de|van|ibn|al))* [A-ZÄÖÜ][\w’'-]+) "
    r"\((?:ca\. )?(?P<answer>\d{3,4} ?[-–] ?\d{3,4})\)"
)
_SHORT = re.compile(
    r"(?P<long>(?:[A-ZÄÖÜ][\wäöüß-]+ )(?:(?:[A-ZÄÖÜ][\wäöüß-]+|für|der|des|of|and|the|und|for) )*?)"
    r"\((?P<short>[A-Z][A-Za-z]{0,5}[A-Z])\)"
)
_BESIDE = re.compile(
    rf"(?:^|(?<= ))(?P<name>{_NAME}), "
    r"(?P<answer>(?:ein|eine|der|die|das) (?:[a-zäöüß-]+ )*[A-ZÄÖÜ][\w-]+(?: [^,.:;()]+)?), "
)
_PAST = re.compile(r"\b(?:1\d{3}|war|wurde|waren|wurden|hatte|\w+(?:te|ten))\b")
_FEWEST = 3
_MOST = 20
"""Words of what is said between commas."""
_LEAST_SHORT = 3


def asides(passage: Passage) -> Iterator[Candidate]:
    """Yield what can be asked of the brackets and the appositions of a passage."""
    for sentence in passage.sentences:
        text = " ".join(sentence.text.split())
        yield from _lives(text, sentence)
        yield from _short_forms(text, sentence)
        yield from _beside(text, sentence, passage.document.text)


def _made(
    sentence: Sentence, question: str, answer: str, rule: str, kind: Kind, quality: float
) -> Candidate:
    place = (sentence.start, sentence.end)
    return Candidate(question, answer, *place, kind, f"german.{rule}", quality)


def _lives(text: str, sentence: Sentence) -> Iterator[Candidate]:
    for match in _LIFE.finditer(text):
        first, last = (int(year) for year in re.findall(r"\d+", match["answer"]))
        before = text[: match.start()].rstrip().rpartition(" ")[2].lower()
        name = match["name"]
        described = before in _ARTICLES
        while described or name.split(" ")[0].lower() in _ARTICLES or is_role(name.split(" ")[0]):
            name, described = name.partition(" ")[2], False  # what he was stands before it
        if _YOUNGEST < last - first < _OLDEST and " " in name:
            question = f"Wann lebte {name}?"
            yield _made(sentence, question, match["answer"], "life", "factoid", 0.85)


_ARTICLES = frozenset({"der", "die", "des", "dem", "den"})
_YOUNGEST, _OLDEST = 20, 105
"""Years between which a life ends, so that other spans are not taken for one."""


def _short_forms(text: str, sentence: Sentence) -> Iterator[Candidate]:
    for match in _SHORT.finditer(text):
        words, short = match["long"].split(), match["short"]
        said = _spelt(words, short)
        if said and len(short) >= _LEAST_SHORT:
            question = f"Wofür steht die Abkürzung {short}?"
            yield _made(sentence, question, said, "short_form", "definition", 0.9)


def _spelt(words: list[str], short: str) -> str:
    """Return the last words whose first letters spell a short form; empty if none do."""
    letters = short.casefold()
    for number in range(len(words)):
        parts = re.findall(r"[\wäöüß]+", " ".join(words[number:]))
        if not parts or parts[0].islower() or parts[0].lower() in _ARTICLES | {"das"}:
            continue
        capitals = "".join(part[0] for part in parts if part[0].isupper()).casefold()
        every = "".join(part[0] for part in parts).casefold()
        if letters in {capitals, every}:
            return " ".join(words[number:])
    return ""


def _beside(text: str, sentence: Sentence, document: str) -> Iterator[Candidate]:
    for match in _BESIDE.finditer(text):
        name, answer = match["name"].strip(), match["answer"]
        words = answer.split()
        last_is_noun = words[-1][:1].isupper()
        if not last_is_noun or not _FEWEST <= len(words) <= _MOST or points_elsewhere(answer):
            continue
        indefinite = words[0] in {"ein", "eine"}
        if not only_names(match["name"].strip(), document) or not (
            indefinite or names_in(answer, document)
        ):
            continue
        person, opens = is_role(answer), match.start() <= len("Die ")
        if not (opens or (person and indefinite)):
            continue
        if opens and match.start():
            name = f"{text[: match.start()].lower()}{name}"
        if (not person and not indefinite) or (person and " " not in name):
            continue
        verb = "war" if _PAST.search(text) else "ist"
        question = f"{'Wer' if person else 'Was'} {verb} {name}?"
        yield _made(sentence, question, answer, "beside", "definition", 0.9)

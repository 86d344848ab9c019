"""The clauses of a German passage, each read as what stands before its verb, and what follows.

"Nora Quill gründete 1951 die Schule, weil Ely wuchs." -> front "Nora Quill", verb "gründete",
rest "1951 die Schule", joint "weil", tail "weil Ely wuchs". What cannot be parted safely gives no
clause.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from testset.corpus.passages import Passage, Sentence
from testset.rules.german.antecedent import with_names
from testset.rules.german.clause import Clause
from testset.rules.german.closed_classes import DISCOURSE, PREPOSITIONS, points_elsewhere
from testset.rules.german.names import only_names
from testset.rules.german.parting import parted, second_place, second_predicate
from testset.rules.german.verbs import HAVE, MODALS, PASSIVE, finite_inside, is_done, is_plural

__all__ = ["clauses_of"]

_LONGEST_SENTENCE = 50
"""Words; German sentences nest, and long ones cannot be parted safely."""
_FEWEST_WORDS = 3
_MARKS = re.compile(r"[()»«„“”\"‚‘:*!?…/=<>\[\]{}|\\`~#→]| - |\.\.|(?:\d\.| \w)$")
_QUOTED = re.compile(r"[„“»\"]((?:[\w’'-]+ ?){1,8})[“”«\"]")
_BREAK = re.compile(r"; | [–—] |, (?:und|aber|doch|denn) ")


def clauses_of(passage: Passage) -> Iterator[Clause]:
    """Yield the main clauses of each sentence that can be parted safely.

    A pronoun is read as the subject of the sentence before where that is sure; the evidence then
    begins with that sentence.
    """
    before: Clause | None = None
    for sentence in passage.sentences:
        text = re.sub(r"\s*(?:\([^()]*\)|\[[^\[\]]*\])", "", " ".join(sentence.text.split()))
        named = with_names(text, before, start=sentence.start, end=sentence.end)
        if named and before:
            text, sentence = named, replace(sentence, start=before.sentence.start)
        found = list(_of_sentence(text, sentence, passage)) if text.endswith(".") else []
        yield from found
        before = next((clause for clause in found if not clause.adverbial), None)
        before = before or _opening(text, sentence, passage)


def _opening(text: str, sentence: Sentence, passage: Passage) -> Clause | None:
    """Return the subject and the verb of a sentence whose rest cannot be parted safely."""
    words = text.rstrip(".").split()
    place = second_place(words) if len(words) > _FEWEST_WORDS else None
    if place is None or _MARKS.search(place[0]):
        return None
    front, after = place
    clause = Clause(
        sentence, passage, front, words[after].rstrip(","), " ".join(words[after + 1 :])
    )
    return None if clause.adverbial else clause


def _of_sentence(text: str, sentence: Sentence, passage: Passage) -> Iterator[Clause]:
    told = _ANNOUNCED.match(text)
    plain = told["told"] if told else text[:-1]
    for part in _parts(_QUOTED.sub(r"\1", plain.lstrip("\ufeff"))):
        clause = _read(part, sentence, passage)
        if clause is not None:
            yield clause
            yield from _turned(clause)
            yield from _second(clause, part)


_ANNOUNCED = re.compile(r"(?P<told>(?:[^\s:]+ ){4,}[^\s:]*[\wäöüß]): (?!.*[:“”«»\"])")
"""What is said before a colon; what follows lists or explains it."""


def _second(clause: Clause, text: str) -> Iterator[Clause]:
    """Yield what a second verb says of the same subject."""
    after = second_predicate(text.removeprefix(clause.front).strip(" ,"))
    if not after or clause.adverbial or clause.front.count(" ") > _LONGEST_TWICE:
        return
    other = _read(f"{clause.front} {after}", clause.sentence, clause.passage)
    if other is not None and is_plural(other.verb) == is_plural(clause.verb):
        yield other


_LONGEST_TWICE = 7
"""Blanks in a subject that is repeated for its second verb."""


_TWO_DONE = re.compile(
    r"(?P<first>(?:.+ )?(?:\w*ge\w+|(?:ver|be|ent|er|zer|über|unter)\w+|\w+ier)"
    r"(?:t|(?<!t)en)) "
    r"(?:und|sowie|oder) .*[a-zäöüß](?:t|en)$"
)
"""Two participles of one passive: the second is left out."""


def _parts(text: str) -> list[str]:
    """Return the main clauses that a sentence strings together."""
    parts: list[str] = []
    joints = ["", *_BREAK.findall(text)]
    for joint, part in zip(joints, _BREAK.split(text), strict=True):
        if parts and joint.startswith(",") and second_place(part.split()) is None:
            parts[-1] += joint + part
        elif part:
            parts.append(part[:1].upper() + part[1:])
    return parts


def _read(text: str, sentence: Sentence, passage: Passage) -> Clause | None:
    """Return a stretch of a sentence as a clause; `None` if it cannot be parted safely."""
    words = text.split()
    if _MARKS.search(text) or not _FEWEST_WORDS < len(words) <= _LONGEST_SENTENCE:
        return None
    place = second_place(words)
    if place is None:
        return None
    front, after = place
    gap = "," if words[after].endswith(",") else ""
    rest, joint, tail = parted(f"{gap} {' '.join(words[after + 1 :])}")
    verb = words[after].rstrip(",")
    several = _TWO_DONE.match(rest) if verb in PASSIVE else None
    rest = several["first"] if several else rest
    clause = Clause(sentence, passage, front, verb, _plain(rest), joint, tail)
    whole = (rest or joint == "dass") and _closed(clause) and _agrees(clause)
    return clause if whole else None


def _plain(rest: str) -> str:
    return " ".join(DISCOURSE.sub(" ", rest).split())


_SUBJECT_BEHIND = re.compile(
    r"(?P<name>(?:der|die|das|ein|eine) (?:[a-zäöüß-]+e[rs]? )*[A-ZÄÖÜ][\w-]+"
    r"(?: [A-ZÄÖÜ][\w-]+)*(?: (?:des|der|von) (?:[a-zäöüß-]+en )?[A-ZÄÖÜ][\w-]+)?)"
    r"(?= (?:\d|im|am|in|an|auf|zu|zum|zur|aus|mit|nach|von|vom|für|durch|als|um|seit|[a-zäöü]+t$|"
    r"zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|den|einen)\b)"
)
_NAME_BEHIND = re.compile(
    r"(?P<name>[A-ZÄÖÜ][\w.'’-]*(?: (?:[A-ZÄÖÜ][\w.'’-]*|von|de|van|der(?= Große)|of|[IVX]+\.))*)"
    r"(?= [a-zäöü\d]|$)"
)


_OBJECT = re.compile(
    r"(?:de[rmn]|die|das|eine[nmr]?|ein|zwei|drei|vier|fünf|\d|sich|[a-zäöüß]+e[ns]? [A-ZÄÖÜ])"
)


def _turned(clause: Clause) -> Iterator[Clause]:
    """Yield the clause with its subject in front, where a name follows the verb."""
    match = _NAME_BEHIND.match(clause.rest) or _SUBJECT_BEHIND.match(clause.rest)
    if match is None or not clause.adverbial or is_plural(clause.verb):
        return
    if points_elsewhere(clause.front.lower()):
        return
    first = clause.front.split()[0]
    told = first.lower() in PREPOSITIONS or first.isdigit()
    front = clause.front[:1].lower() + clause.front[1:] if told else ""
    name = match["name"]
    if points_elsewhere(front) or (name[0].isupper() and not only_names(name, clause.text)):
        return
    behind = clause.rest[match.end() :].strip()
    passive = clause.verb in PASSIVE | MODALS | HAVE
    clear = _OBJECT.match(behind) or _opens_sentence(name, clause.text)
    if name[0].isupper() and not passive and not clear:
        return  # two names in a row may be two
    rest = " ".join(f"{front} {behind}".split())
    yield replace(clause, front=name[:1].upper() + name[1:], rest=rest)


def _opens_sentence(name: str, text: str) -> bool:
    """Return whether a text has a sentence with a name as its subject, and nothing more."""
    return re.search(rf"(?:^|[.!?\n]\s?){re.escape(name)} [a-zäöü]", text) is not None


def _closed(clause: Clause) -> bool:
    """Return whether the verb's other half, if it needs one, stands at the end of the rest."""
    last = clause.rest.split()[-1] if clause.rest else ""
    if clause.verb in PASSIVE:
        return is_done(last)
    if clause.verb in MODALS:
        return last.islower() and last.endswith("n")
    if clause.verb in HAVE:
        return last[:1].isupper() or is_done(last)
    if last in PREPOSITIONS - {"an", "ab", "auf", "aus", "bei", "ein", "mit", "vor", "zu", "um"}:
        return last in {"nach", "durch", "über", "unter", "entlang", "gegenüber", "statt"}
    return not finite_inside(clause.rest)


_PLURAL_NOUN = re.compile(r"Die (?:[a-zäöüß-]+ )*[A-ZÄÖÜ][\w-]*(?:en|eln|ern)(?: |$)(?![A-ZÄÖÜ])")
"""No noun that "die" stands before in the singular ends so."""


def _agrees(clause: Clause) -> bool:
    """Return whether front and verb agree in number, where the article tells the number."""
    if clause.adverbial:
        return True
    first, several = clause.front.split()[0], " und " in clause.front
    if _PLURAL_NOUN.match(clause.front) and not several and not is_plural(clause.verb):
        return False
    if first in {"Der", "Das", "Ein", "Eine"} and not several:
        return not is_plural(clause.verb)
    return True

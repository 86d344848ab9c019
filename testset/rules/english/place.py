"""English, where: "The Ely Hall is located in Lynn" -> "Where is the Ely Hall located?"."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.dates import ANY_DATE
from testset.rules.english.phrase import first_part, stands_alone
from testset.rules.passage_candidate import Candidate

__all__ = ["places"]

_NAME = r"[A-Z][\w.'’-]*[\w](?:,? (?:[A-Z][\w.'’-]*[\w]|of|the(?= [A-Z])|de|and(?= [A-Z])))*"
_WHERE = (
    rf"(?P<answer>(?:the )?(?:(?:city|town|village|state|county|province|island|coast|north|south|"
    rf"east|west|centre|center|heart|middle|northern|southern|eastern|western|central) (?:of )?)?"
    rf"(?:the )?{_NAME})"
)
_END = r"(?=$|[,;.)]| (?:and|in|on|at|by|from|to|for|with|as|when|where|until|since|during|near|"
_AFTER = _END + r"between|after|before|but|while|under|through|along|because)\b)"
_PLACED = re.compile(
    r"(?P<what>(?:also )?(?:located|situated|headquartered|based|held|buried|founded|built|fought|"
    r"raised|born|killed|exiled|educated|manufactured|assembled|discovered|found|grown|shown|"
    rf"kept|stored|produced|executed|imprisoned|crowned|spoken)) (?:in|at|near) {_WHERE}{_AFTER}"
)
_HAPPENED = {
    "take": "place",
    "die": "",
    "live": "",
    "study": "",
    "grow": "up",
    "settle": "",
    "lie": "",
}
_DONE = re.compile(rf"(?P<what>place|up|)\s?(?P<prep>in|at|near) {_WHERE}{_AFTER}")
_LYING = re.compile(
    r"(?P<what>(?:located|situated|headquartered|found|held|built)|) ?(?P<answer>(?:in|at|near|on|"
    r"along|between|within|off|across|outside|inside|under|beneath|above|next to|(?:north|south|"
    r"east|west|northeast|northwest|southeast|southwest) of) .{6,110})$"
)
_STANDING = frozenset({"lie", "stand"})
_NO_PLACE = re.compile(
    r"(?:the )?(?:Table|Section|Chapter|Figure|Appendix|RFC|Part|Internet|Web|January|February|"
    r"March|"
    r"April|May|June|July|August|September|October|November|December|English|French|German|Latin|"
    r"Spanish|Greek|Chinese|Japanese|Portuguese|Italian|Russian|Arabic|Spring|Summer|Autumn|Fall|"
    r"Winter|Mr|Mrs|Ms|Dr)\b"
)
_LONGEST = 18


def places(passage: Passage) -> Iterator[Candidate]:
    """Yield "Where ...?" for clauses that say where a thing is or was done."""
    for clause in clauses_of(passage):
        if clause.fronted or clause.setting or not clause.proper:
            continue
        what, answer = _named_place(clause) or _position(clause) or ("", "")
        if answer:
            yield clause.candidate(
                clause.ask("Where", what.strip().removeprefix("also ")),
                answer,
                kind="place",
                rule="place",
                quality=0.95,
            )


def _named_place(clause: Clause) -> tuple[str, str] | None:
    """Return what was done, and the name of the place it was done at."""
    match = _found(clause)
    if match is None or _NO_PLACE.match(match["answer"]) or ANY_DATE.search(match["answer"]):
        return None
    answer = match["answer"].rstrip(".,")
    if re.search(r"['’]s?$", answer) or any(character.isdigit() for character in answer):
        return None
    return match["what"], answer


def _found(clause: Clause) -> re.Match[str] | None:
    if clause.lexical is None:
        plain = clause.verb in {"is", "was", "are", "were"}
        return _PLACED.match(clause.rest) if plain else None
    particle = _HAPPENED.get(clause.lexical.base)
    match = _DONE.match(clause.rest) if particle is not None else None
    return match if match is not None and match["what"] == particle else None


def _position(clause: Clause) -> tuple[str, str] | None:
    """Return how a thing stands, and a longer phrase that says where."""
    rest = re.sub(r"\b(?:mainly|mostly|primarily) ", "", first_part(clause.rest))
    match = _LYING.match(rest)
    if match is None:
        return None
    stands = clause.lexical is not None and clause.lexical.base in _STANDING
    placed = bool(match["what"]) and clause.verb in {"is", "are", "was", "were"}
    answer = match["answer"]
    if re.match(r",? ?(?:and|or)\b|, [A-Z]", clause.rest[clause.rest.find(answer) + len(answer) :]):
        return None
    if stands == placed or not re.search(r"[A-Z]", answer) or not stands_alone(answer):
        return None
    if ANY_DATE.search(answer) or len(answer.split()) > _LONGEST or " by " in answer:
        return None
    return match["what"], answer

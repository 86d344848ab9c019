"""English, where: "The Ely Hall is located in Lynn" -> "Where is the Ely Hall located?"."""

import re
from collections.abc import Iterator

from testset.passages import Passage
from testset.rules.candidate import Candidate
from testset.rules.english.clause import Clause, clauses_of
from testset.rules.english.dates import ANY_DATE

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
_NO_PLACE = re.compile(
    r"(?:the )?(?:Table|Section|Chapter|Figure|Appendix|RFC|Part|Internet|Web|January|February|"
    r"March|"
    r"April|May|June|July|August|September|October|November|December|English|French|German|Latin|"
    r"Spanish|Greek|Chinese|Japanese|Portuguese|Italian|Russian|Arabic|Spring|Summer|Autumn|Fall|"
    r"Winter|Mr|Mrs|Ms|Dr)\b"
)


def places(passage: Passage) -> Iterator[Candidate]:
    """Yield "Where ...?" for clauses that say where a thing is or was done."""
    for clause in clauses_of(passage):
        if clause.fronted or clause.setting or not clause.proper:
            continue
        match = _found(clause)
        if match is None or _NO_PLACE.match(match["answer"]) or ANY_DATE.search(match["answer"]):
            continue
        answer = match["answer"].rstrip(".,")
        if re.search(r"['’]s?$", answer) or any(character.isdigit() for character in answer):
            continue
        yield clause.candidate(
            clause.ask("Where", match["what"].strip().removeprefix("also ")),
            answer,
            kind="place",
            rule="place",
            quality=0.95,
        )


def _found(clause: Clause) -> re.Match[str] | None:
    if clause.lexical is None:
        plain = clause.verb in {"is", "was", "are", "were"}
        return _PLACED.match(clause.rest) if plain else None
    particle = _HAPPENED.get(clause.lexical.base)
    match = _DONE.match(clause.rest) if particle is not None else None
    return match if match is not None and match["what"] == particle else None

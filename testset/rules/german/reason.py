"""German, why and what for: "Wegen der Kälte platzte das Rohr" -> "Warum platzte das Rohr?"."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.names import names_in
from testset.rules.german.verbs import MODALS, PASSIVE, is_done, is_finite, is_plural
from testset.rules.passage_candidate import Candidate

__all__ = ["causes", "means", "reasons"]

_CAUSE = re.compile(r"^(?:Aufgrund|Auf Grund|Wegen|Dank|Infolge|Mangels) .+$")
_BY = re.compile(r"^Durch (?!das$|die$|den$).+$")
_INNER_CAUSE = re.compile(
    r"^(?P<before>(?:.+? )?)(?P<answer>(?:aufgrund|wegen|infolge) (?:de[rs]|eine[rs]|von)"
    r"(?: [a-zäöüß-]+(?:en|er))* [A-ZÄÖÜ][\w-]+(?: (?:de[rs]|eine[rs]|von)(?: [a-zäöüß-]+en)* "
    r"[A-ZÄÖÜ][\w-]+)*)(?P<after>(?: [^,]+)?)$"
)
_INNER_MEANS = re.compile(
    r"^(?P<before>(?:[^,]+? )?)(?P<answer>durch [a-zäöüß]+ [^,]{4,80}?)"
    r"(?P<after> [a-zäöüß]+(?:t|en))$"
)
_OPENINGS = {
    "als": "Wann",
    "da": "Warum",
    "indem": "Wie",
    "nachdem": "Wann",
    "um": "Wozu",
    "weil": "Warum",
    "wenn": "Wann",
}
"""The word that opens a clause -> what the clause answers."""
_LONGEST_REST = 13
_SAID_TOO_LITTLE = 2


def reasons(clause: Clause) -> Iterator[Candidate]:
    """Yield "Warum ...?", "Wozu ...?" and "Wie ...?" for the clause at the end of a sentence."""
    opening = _OPENINGS.get(clause.joint, "")
    if clause.adverbial or not clause.named or not opening:
        return
    if len(clause.rest.split()) > _LONGEST_REST or _about_another(clause):
        return
    question = clause.ask(opening, clause.rest)
    quality = 0.93 if opening != "Wann" else 0.86
    yield from asked(clause, question, clause.tail, "reason", "reason", quality)


_SAYS_NOTHING = re.compile(r"\bProbleme? zu \w+$|^um \w+ \w+ Umfang\b|^\w+(?: \S+)? zu \w+$")
"""Purposes that hold of anything: "um ein Problem zu lösen"."""
_OF_SEVERAL = re.compile(r"\w+ sie .*(?:werden|wurden|sind|waren|haben|hatten|können|konnten)$")


def _about_another(clause: Clause) -> bool:
    """Return whether a clause at the end has a second clause on top, or a comparison in front."""
    negated = re.search(r"\b(?:nicht|kein|keine|keinen|zu|genug)\b", clause.rest)
    purpose = clause.joint == "um"
    if purpose and len(clause.rest.split()) == 1 and clause.rest[:1].isupper():
        return True  # "Wozu haben Pumpen Ventile?" asks for more than was said
    if purpose and re.search(r"(?:\bzu \w+|\w+zu\w+)n$", clause.rest):
        return True  # two infinitives, of which either may have the purpose
    if _OF_SEVERAL.match(clause.tail.split(",")[0]) and not is_plural(clause.verb):
        return True  # "sie" is not the subject
    if purpose and (negated or _SAYS_NOTHING.search(clause.tail)):
        return True
    if not is_finite(clause.tail.split(",")[0].split()[-1]) and clause.joint != "um":
        return True  # a phrase, or a clause that is parted
    other = re.search(r",? (?:aber|jedoch|während|obwohl|sondern|doch) ", clause.tail)
    return clause.tail.count(",") > 2 or other is not None


def causes(clause: Clause) -> Iterator[Candidate]:
    """Yield "Warum ...?" for a phrase of cause, in front or inside."""
    if clause.adverbial:
        opening = "Warum" if _CAUSE.match(clause.front) else ""
        first, _, inner = clause.front.partition(" ")
        if first.lower() in _OPENINGS and len(inner.split()) > _SAID_TOO_LITTLE:
            opening = _OPENINGS[first.lower()]
        means_of = _BY.match(clause.front) and clause.verb in PASSIVE | MODALS
        opening = "Wodurch" if means_of else opening
        enough = len(clause.rest.split()) > _SAID_TOO_LITTLE
        told = names_in(clause.rest, clause.text) or clause.rest[:1].isupper()
        if opening and enough and told:
            question = f"{opening} {clause.verb} {clause.rest}?"
            yield from asked(clause, question, clause.front, "reason", "cause", 0.92)
    elif clause.named and (match := _INNER_CAUSE.match(clause.rest)):
        body = f"{match['before']}{match['after'].strip()}".strip()
        question = clause.ask("Warum", body)
        yield from asked(clause, question, match["answer"], "reason", "cause", 0.9)


def means(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wodurch wurde X ...?" for the means of a passive."""
    match = _INNER_MEANS.match(clause.rest)
    if match is None or clause.adverbial or not clause.named or clause.verb not in PASSIVE:
        return
    if not is_done(match["after"].strip()) or " und " in match["before"]:
        return
    question = clause.ask("Wodurch", match["before"] + match["after"])
    yield from asked(clause, question, match["answer"], "factoid", "means", 0.9)

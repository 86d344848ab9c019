"""German, who: "X wurde von Nora Quill entworfen" -> "Von wem wurde X entworfen?"."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.names import names_in
from testset.rules.german.persons import ACTS, is_role
from testset.rules.german.verbs import PASSIVE, is_done, is_plural
from testset.rules.passage_candidate import Candidate

__all__ = ["agents", "appointed", "doers"]

_NAME = (
    r"[A-ZÄÖÜ][\wäöüß.'’-]+(?: (?:[A-ZÄÖÜ][\wäöüß.'’-]+|von|de|van|der|und(?= [A-ZÄÖÜ])|[IVX]+\.))*"
)
_BODIES = (
    r"Regierung|Parlament|Kirche|Armee|König(?:in)?|Kaiser(?:in)?|Papst|Gericht|Unternehmen|Firma|"
    r"Gesellschaft|Universität|Ministerium|Behörde|Kommission|Rat|Partei|Präsident(?:en)?|"
    r"Architekt(?:en)?|Ingenieur|Dichter|Künstler|Verein|Stiftung|Projekt|Gruppe|Truppen|"
    r"Römern|Briten|Franzosen|Deutschen|Spaniern|Engländern|Niederländern|Portugiesen"
)
_AGENT = re.compile(
    rf"(?:^|(?<= ))von (?P<answer>{_NAME}|(?:der|dem|den|einem|einer) (?:[a-zäöüß-]+en )*"
    rf"(?:[\wÄÖÜäöüß-]*(?:{_BODIES}|{_BODIES.lower()})|[A-ZÄÖÜ][\w-]+(?= [A-ZÄÖÜ]))"
    r"(?: [A-ZÄÖÜ][\w-]+)*) "
    r"(?P<after>(?:[^,]+ )?[a-zäöüß]+(?:t|en))$"
)
_MADE = re.compile(
    r"(?:entwickelt|gegründet|veröffentlicht|gebaut|entworfen|geschrieben|produziert|betrieben|"
    r"übernommen|ausgestrahlt|finanziert|gekauft|verliehen|herausgegeben)$"
)
"""What only somebody does, so that a name in capitals is a body of persons."""
_PHENOMENON = re.compile(r"\b(?:\w*[Ss]turm|Hurrikan|Taifun|Fluss|\w*[Kk]rankheit)\b")
_DOUBTFUL_BEFORE = re.compile(
    r" (?:durch|von|vom) | (?:im|in|der|die|das|den|dem|eine?[mnr]?|am|zum|zur) $|"
    r"[a-zäöüß]+(?:t|en) und "
)
_GOES_ON = re.compile(r"(?:bis|auf|nach|zu)\b")
_MOST_WORDS = 16
_FEWEST_WORDS = 3


def agents(clause: Clause) -> Iterator[Candidate]:
    """Yield "Von wem ...?" for the agent of a passive."""
    match = _AGENT.search(clause.rest) if clause.verb in PASSIVE else None
    if match is None or clause.adverbial or not clause.named:
        return
    if _doubtful(clause, match):
        return
    body = f"{clause.rest[: match.start()]} {match['after']}"
    question = clause.ask("Von wem", body)
    yield from asked(clause, question, match["answer"], "factoid", "agent", 0.95)


def _doubtful(clause: Clause, match: re.Match[str]) -> bool:
    """Return whether a phrase with "von" may be something else than who did it."""
    answer, after = match["answer"], match["after"]
    before = f" {clause.rest[: match.start()].strip()} "
    last = after.split()[-1]
    thing = answer[:1].isupper() and not names_in(answer, clause.text)
    code = answer.isupper() and not _MADE.search(last)
    if thing or code or not is_done(last) or _PHENOMENON.search(answer):
        return True
    return " und " in after or bool(_DOUBTFUL_BEFORE.search(before) or _GOES_ON.match(after))


def doers(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wer ...?" for what somebody did."""
    words = clause.rest.split()
    verb = _singular(clause.verb)
    if clause.adverbial or verb not in ACTS:
        return
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or words[0] in {"sich", "für", "zu"}:
        return
    acted_on = _WHEN.sub("", clause.rest)
    if not _somebody(clause) or not re.search(r"[A-ZÄÖÜ]", acted_on):
        return
    telling = names_in(clause.rest, clause.text) + len(re.findall(r"\b1\d{3}\b", clause.rest))
    if len(acted_on.split()) < _SAYS_MUCH and not names_in(acted_on, clause.text):
        return
    quality = 0.92 if telling > 1 else 0.85 if telling else 0.8
    question = f"Wer {verb} {clause.rest}?"
    yield from asked(clause, question, clause.subject, "factoid", "doer", quality)


_CHOSEN = re.compile(
    r"(?:gewählt|ernannt|gekrönt|befördert|nominiert|ermordet|verhaftet|vereidigt|exkommuniziert|"
    r"hingerichtet|verbannt|verurteilt|ausgezeichnet|entlassen|geweiht|begraben|beigesetzt)$"
)
"""What is done to persons alone."""


def appointed(clause: Clause) -> Iterator[Candidate]:
    """Yield "Wer wurde ... gewählt?" for what was done to a person."""
    if clause.verb != "wurde" or not clause.bare or not _CHOSEN.search(clause.rest):
        return
    if clause.names == 0 or len(clause.front.split()) > _LONGEST_NAME or clause.front.isupper():
        return
    if names_in(clause.rest, clause.text) + len(re.findall(r"\b1\d{3}\b", clause.rest)) > 0:
        question = f"Wer wurde {clause.rest}?"
        yield from asked(clause, question, clause.subject, "factoid", "doer", 0.93)


_WHEN = re.compile(r"\b(?:[Ii]m Jahre? |[Aa]m \d+\. \w+ |[Ii]m \w+ )?\d{4}\b")
_SAYS_MUCH = 5
_LONGEST_NAME = 4
_SCHOLARS = re.compile(r"[A-ZÄÖÜ]\w+(?:er|en|innen) (?:des|der|von) ")


def _singular(verb: str) -> str:
    """Return the form that "wer" wants: "gründeten" -> "gründete", "schrieben" -> "schrieb"."""
    return next((form for form in (verb, verb[:-1], verb[:-2]) if form in ACTS), verb)


def _somebody(clause: Clause) -> bool:
    """Return whether the subject is a name, a role with a name, or people of some body."""
    words = clause.front.split()
    if clause.bare and not is_plural(clause.verb) and len(words) <= _LONGEST_NAME:
        return True
    if clause.bare and clause.names > 1 and len(words) <= 2 * _LONGEST_NAME:
        return True
    role = words[0] in {"Der", "Die"} and is_role(clause.front)
    return clause.names > 0 and (role or _SCHOLARS.match(clause.front) is not None)

"""German, what: "X ermöglicht den Bau von Y" -> "Was ermöglicht X?"; and what somebody said."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.persons import ACTS
from testset.rules.german.verbs import HAVE, MODALS, PASSIVE
from testset.rules.passage_candidate import Candidate

__all__ = ["objects", "statements"]

_TRANSITIVE = re.compile(
    r"(?:ermöglich|verhinder|forder|produzier|biete|entwickel|verursach|benötig|erforder|bewirk|"
    r"verwalte|verwende|enthäl|umfass|beinhalte|beschreib|definier|regel|steuer|erzeug|bezeichne|"
    r"kontrollier|erhöh|verringer|unterstütz|liefer|nutz|speicher|mess|miss|überwach|besteuer|"
    r"veröffentlich|erhiel|gewann|erfand|entdeckt|gründet|besaß|besitz|bilde|enthiel|erlaub|"
    r"erleichter|transportier|besieg|erober|verlor|verbiete|verbot|zerstör|garantier|prüf)\w*$"
)
_TIME = r"(?:im Jahre? (?:1\d|20)\d\d|(?:1\d|20)\d\d|am \d{1,2}\. [A-Z]\w+ (?:1\d|20)\d\d)"
_THING = (
    r"(?P<answer>(?:(?:ein|eine|einen|den|die|das|mehrere|zahlreiche|verschiedene) )?"
    r"(?:(?!über |unter |hinter |außer |\w+weise )[a-zäöüß-]+(?:e|en|es|er) )*[A-ZÄÖÜ][\w-]+"
    r"(?:(?:,| und| oder| sowie)? (?:der|des|von|für|zur|zum|zwischen|über|aus|den|die|das|eines|"
    r"einer|im|in|[a-zäöüß]+e[nrms]?|[A-ZÄÖÜ][\w-]+))*?)"
)
_HALF = r"(?P<half>(?: (?:auf|an|ein|aus|vor|dar|bei|ab|fest|her|hervor))?)"
_WITH = (
    r"(?:von|bei|in|aus|mit|nach|vor) (?:der|dem)?(?: ?[a-zäöüß-]+en)*(?: ?[A-ZÄÖÜ][\w-]+)+ "
    r"(?=(?:den|einen|eine|ein|die|das) )"
)
_OBJECT = re.compile(rf"^(?P<when>(?:{_TIME} |{_WITH})?){_THING}(?P<later>(?: {_TIME})?){_HALF}$")
_PEOPLE = re.compile(
    r"(?:Menschen|Männer|Frauen|Kinder|Truppen|Leute|Mitglieder|König|Kaiser|Herr|Papst)\b"
)
_SAYS = re.compile(
    r"(?:berichte|sag|schrieb|behaupte|argumentier|schätz|erklär|zeig|vermute|glaub|mein|forder|"
    r"beton|warn|besag|entschied|beschloss|urteil|verkünde|fand|bewies|bestätig|versprach|"
    r"entdeckt|erkannt|verlang|bedeut|folger|annahm)\w*$"
)
_LIGHT = frozenset({"brachte", "führte", "gab", "hielt", "nahm", "schickte", "zog"})
"""Verbs that mean little without the rest of what they stand with."""
_FEWEST_WORDS = 2
_LONGEST_REST = 4


def objects(clause: Clause) -> Iterator[Candidate]:
    """Yield "Was ermöglicht X?" for clauses that end in the object of their verb."""
    if clause.adverbial or not clause.named:
        return
    if clause.verb in HAVE:
        yield from _perfect(clause)
    match = _OBJECT.match(clause.rest)
    if match is None:
        return
    apart = bool(match["half"]) and clause.verb not in HAVE | PASSIVE | MODALS
    timed = bool(match["when"] or match["later"])
    acted = clause.verb in ACTS - _LIGHT and (timed or len(clause.rest.split()) > _LONGEST_REST)
    told = apart or acted or _takes(clause, match["answer"]) or _TRANSITIVE.match(clause.verb)
    if not told or _says_little(clause):
        return
    if re.search(r"\d{4}|^(?:den|die|das) (?:erste|zweite|dritte)", match["answer"]):
        return
    body = f"{match['when']}{match['later']}{match['half']}"
    quality = 0.88 if timed else 0.78
    yield from asked(clause, clause.ask("Was", body), match["answer"], "factoid", "object", quality)


_PERFECT = re.compile(
    rf"^{_THING} (?P<done>(?:\w*ge\w+|(?:ver|be|er|ent|zer|unter|über)\w+|\w+ier)(?:t|en))$"
)


def _perfect(clause: Clause) -> Iterator[Candidate]:
    """Yield "Was hat X ratifiziert?" for the object of a verb in the perfect."""
    match = _PERFECT.match(clause.rest)
    if match and clause.names and len(match["answer"].split()) >= _TELLING:
        question = clause.ask("Was", match["done"])
        yield from asked(clause, question, match["answer"], "factoid", "object", 0.8)


_NO_OBJECT = _LIGHT | {
    "ist", "sind", "war", "waren", "wird", "werden", "wurde", "wurden", "blieb", "bleibt", "heißt",
    "hieß", "hat", "haben", "hatte", "hatten", "steht", "stand", "spielt", "spielte", "stellt",
    "stellte", "macht", "machte", "findet", "fand", "geht", "ging", "kommt", "kam", "dauerte",
    "gilt", "galt", "informiert", "informierte", "liegen", "liegt", "lagen", "lag", "bildet",
    "bilden", "wollen", "will",
    "setzt", "setzte", "leistet", "trägt", "bringt", "nimmt", "stieg", "lief",
}  # fmt: skip
"""Verbs without an object, and those that mean little without the rest of what they go with."""
_ACCUSATIVE = re.compile(r"(?:einen|den|eine|ein|mehrere|zahlreiche|die|das) ")


def _takes(clause: Clause, answer: str) -> bool:
    """Return whether an answer is the object of its verb and says more than one noun does."""
    if clause.verb in _NO_OBJECT | MODALS or clause.names == 0 or not _ACCUSATIVE.match(answer):
        return False
    return len(answer.split()) >= _TELLING


_TELLING = 4


def _says_little(clause: Clause) -> bool:
    """Return whether a clause is not worth asking about: of anything, of persons, or of nothing."""
    anything = re.fullmatch(r"Eine? \S+", clause.front) is not None
    short = len(clause.rest.split()) < _FEWEST_WORDS
    return anything or short or clause.rest.startswith("kein") or bool(_PEOPLE.search(clause.rest))


def statements(clause: Clause) -> Iterator[Candidate]:
    """Yield "Was behauptete X?" for what somebody said in a clause with "dass"."""
    if clause.joint != "dass" or clause.adverbial or not _SAYS.match(clause.verb):
        return
    if not clause.named or clause.generic or len(clause.rest.split()) > _LONGEST_REST:
        return
    question = clause.ask("Was", clause.rest)
    said = re.split(r", (?:während|wobei|aber|obwohl|jedoch|doch|und dass) ", clause.tail)[0]
    yield from asked(clause, question, said, "factoid", "statement", 0.85)

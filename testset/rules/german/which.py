"""German, which one: "Der Architekt Jan Gehl plante ..." -> "Welcher Architekt plante ...?"."""

import re
from collections.abc import Iterator

from testset.rules.german.asking import asked
from testset.rules.german.clause import Clause
from testset.rules.german.names import names_in, only_names
from testset.rules.german.persons import is_role
from testset.rules.german.verbs import is_plural
from testset.rules.passage_candidate import Candidate

__all__ = ["kinds", "things"]

_ASKS = {"Der": "Welcher", "Die": "Welche", "Das": "Welches"}
_NAME = r"[A-ZÄÖÜ][\w.'’-]*(?: (?:[A-ZÄÖÜ][\w.'’-]*|von|de|van|der|of|[IVX]+\.))*"
_FORMS = tuple(
    re.compile(rf"^(?P<article>Der|Die|Das) (?P<kind>(?:[a-zäöüß-]+e )*{form}$")
    for form in (
        rf"[A-ZÄÖÜ][a-zäöüß-]+) (?P<name>{_NAME})",
        r"[A-ZÄÖÜ][a-zäöüß-]+) (?P<name>(?:von|bei|in|am|zu) [A-ZÄÖÜ][\w.'’-]+)",
    )
)
_COMPOUND = re.compile(
    r"^(?P<article>Der|Die|Das) (?P<name>[A-ZÄÖÜ][\w-]+)-(?P<kind>[A-ZÄÖÜ][a-zäöüß]{2,})$"
)
_KINDS = re.compile(
    r"(?:stadt|hauptstadt|land|staat|fluss|strom|see|meer|berg|gebirge|insel|halbinsel|region|"
    r"provinz|dorf|gemeinde|bezirk|tal|wüste|straße|platz|brücke|turm|kirche|dom|schloss|burg|"
    r"museum|galerie|bibliothek|theater|universität|hochschule|schule|institut|akademie|partei|"
    r"regierung|parlament|gericht|gerichtshof|rat|kommission|ministerium|behörde|organisation|"
    r"unternehmen|firma|gesellschaft|bank|verlag|zeitung|zeitschrift|sender|band|gruppe|orchester|"
    r"verein|klub|club|mannschaft|team|verband|gewerkschaft|armee|orden|stiftung|bewegung|"
    r"dynastie|reich|königreich|volk|stamm|krieg|schlacht|aufstand|revolution|vertrag|gesetz|"
    r"abkommen|friede|konzil|theorie|theorem|satz|formel|regel|verfahren|methode|algorithmus|"
    r"protokoll|programm|befehl|werkzeug|paket|system|betriebssystem|sprache|programmiersprache|"
    r"datei|verzeichnis|dienst|projekt|netzwerk|roman|buch|film|serie|gedicht|oper|lied|album|"
    r"gemälde|skulptur|preis|wettbewerb|turnier|liga|schiff|flugzeug|rakete|satellit|sonde|"
    r"planet|stern|komet|element|gas|metall|tier|vogel|fisch|pflanze|baum|virus|bakterium|"
    r"krankheit|medikament|protein|hormon|vitamin|hurrikan|sturm|vulkan|flughafen|bahnhof|hafen|"
    r"hotel|park|garten|palast|kloster|tempel|moschee|synagoge|denkmal|konferenz|messe|fest)$",
    re.IGNORECASE,
)
"""What there are many of, each with a name: what "welche" asks for."""
_EASY = frozenset(
    {"lässt", "ließ", "befindet", "befand", "ist", "war", "hat", "hatte", "wird", "kann", "konnte"}
)
_FEWEST_WORDS = 3
_MOST_WORDS = 14
_MUCH = 3
"""Names and figures that tell one thing from all others."""


def kinds(clause: Clause) -> Iterator[Candidate]:
    """Yield "Welcher ...?" for a noun and the name that tells which one it is."""
    match = next((found for form in _FORMS if (found := form.match(clause.front))), None)
    match = match or _COMPOUND.match(clause.front)
    if match is None or is_plural(clause.verb) or not _telling(clause):
        return
    if not (_KINDS.search(match["kind"]) or is_role(match["kind"]) or _apposed(match, clause)):
        return
    question = f"{_ASKS[match['article']]} {match['kind']} {clause.verb} {clause.rest}?"
    yield from asked(clause, question, clause.subject, "naming", "which", 0.93)


def _apposed(match: re.Match[str], clause: Clause) -> bool:
    """Return whether a name stands beside its noun, so that the noun says what it is."""
    name, kind = match["name"], match["kind"].split()[-1]
    if _EMPTY.search(kind) or not only_names(name, clause.text):
        return False
    if f"{name}-{kind}" in match.group():
        return True
    common = (
        rf"\b(?:eine?[nmr]?|keine?|als|zu[mr]) (?:[a-zäöüß]+ )*{re.escape(kind)}\b(?! [A-ZÄÖÜ])"
    )
    own = name.endswith("s") or name[0].islower()
    if " " in name and " " in match["kind"]:
        return not own
    return not own and re.search(common, clause.text) is not None


_EMPTY = re.compile(r"(?:[Mm]itglied|[Tt]eil|[Aa]rt|[Tt]yp|[Vv]ersion|[Ff]all|[Nn]ame|[Kk]lasse)$")


def things(clause: Clause) -> Iterator[Candidate]:
    """Yield "Was ...?" for a thing with a name, of which something is said that few others did."""
    article = clause.front.split()[0] in _ASKS
    if not article or clause.names == 0 or clause.verb not in {"wird", "wurde", "liegt"}:
        return
    figures = len(re.findall(r"\b\d{3,4}\b", clause.rest))
    if figures + names_in(clause.rest, clause.text) < _MUCH:
        return
    if is_role(clause.front) or not _telling(clause) or _KINDS.search(clause.front.split()[1]):
        return
    question = f"Was {clause.verb} {clause.rest}?"
    yield from asked(clause, question, clause.subject, "naming", "thing", 0.8)


def _telling(clause: Clause) -> bool:
    """Return whether what is said of the subject is true of few others."""
    words = clause.rest.split()
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
        return False
    if clause.verb in {"ist", "war"} and words[0] in {"ein", "eine"}:
        return False
    telling = names_in(clause.rest, clause.text) + len(re.findall(r"\b\d{3,4}\b", clause.rest))
    return telling > (1 if clause.verb in _EASY else 0)

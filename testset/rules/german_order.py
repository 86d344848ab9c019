"""German word order: what stands before the finite verb gives way to its question word.

"Aufgrund der Kälte platzte das Rohr in Ely." -> "Warum platzte das Rohr in Ely?"; the verb already
stands where a question wants it, so nothing else moves.
"""

import re
from collections.abc import Iterator

from testset.passages import Passage, Sentence
from testset.rules.candidate import Candidate, Kind
from testset.rules.german import DANGLING, VERBS, made, starts_badly
from testset.rules.german_predicates import told_of

__all__ = ["german_order"]

_MORE_VERBS = (
    "verwendet|verwenden|nutzt|nutzen|tritt|trat|starben|erhielten|bezeichnet|bezeichnen|steht|"
    "stehen|stand|standen|bleibt|blieb|blieben|gilt|gelten|galt|galten|macht|machen|bietet|bieten|"
    "zeigt|zeigen|bestimmt|bestimmen|erlaubt|erlauben|ermöglicht|ermöglichen|verhindert|erfordert|"
    "erfordern|produzieren|produziert|bilden|bildet|dient|dienen|lebt|leben|lebten|spielt|spielen|"
    "befindet|befinden|befand|befanden|nimmt|nahm|nahmen|begannen|gaben|kamen|fanden|zogen|gingen|"
    "ließ|ließen|verlieh|trug|trugen|trägt|tragen|hält|hielt|hielten|schlug|schlugen|rief|riefen|"
    "brachte|brachten|verbindet|verbinden|vertritt|vertreten|regelt|regeln|verlangt|verbietet|"
    "empfiehlt|beschreibt|beschreiben|erklärt|enthielt|enthielten|sprach|sprachen|darf|dürfen|"
    "muss|müssen|soll|sollen|will|wollen|bezieht|beziehen|gewannen|verloren|schrieben|kennt|"
    "unterstützt|überlebten|betrug|betragen|wiegen|wuchs|wuchsen|fiel|fielen|gelang|ergab|ergaben"
)
_SPLIT = re.compile(
    rf"^(?P<front>[^,]*?[A-ZÄÖÜ0-9%][^ ,]*) (?P<verb>{VERBS}|{_MORE_VERBS}|"
    rf"[a-zäöüß]{{3,}}(?:te|ten))"
    r",? (?P<rest>.+)$"
)
_TAIL = re.compile(
    r", (?P<tail>(?P<word>um|weil|da|dass|damit|indem|der|die|das|dem|den|deren|wo|wobei|wodurch|"
    r"was|während|obwohl|als|wenn|nachdem|bevor|sodass|und|aber|sondern|in|mit|auf|von|für|zu|"
    r"einschließlich|darunter|insbesondere)\b.+)$"
)
_PLACES = re.compile(
    r"^(?:In|Auf|Nahe) (?:den |der )?(?:[A-ZÄÖÜ][\wäöüß-]*(?:land|ien|reich|stan|burg|"
    r"stadt|ika|ropa|schau|"
    r"heim|haus|furt|berg|ington|york|asien|meer)s?|China|Japan|Kanada|Wales|Polen|Kenia|"
    r"Paris|London|"
    r"Venedig|Florida|Kalifornien|Texas|Kairo|Sizilien|USA|Sudan|Iran|Irak|Rom|Berlin|Wien|Ely|"
    r"[A-ZÄÖÜ][\w-]*(?:sylvania|ornia|orida|arolina|irginia))$"
)
_SEASON = (
    "(?:Frühjahr|Sommer|Herbst|Winter|Januar|Februar|März|April|Mai|Juni|Juli|August|September|"
    "Oktober|November|Dezember)"
)
_FRONTS: tuple[tuple[re.Pattern[str], str, Kind], ...] = (
    (re.compile(r"^(?:Aufgrund|Auf Grund|Wegen|Dank|Infolge) .+$"), "Warum", "reason"),
    (re.compile(r"^Durch (?!den|die|das$).+$"), "Wodurch", "reason"),
    (re.compile(r"^(?:Seit) (?:dem |den |der )?.*\d.*$"), "Seit wann", "factoid"),
    (re.compile(r"^(?:Bis) .*\d{4}$"), "Bis wann", "factoid"),
    (
        re.compile(r"^Im (?:\w+ )?(?P<answer>\d{1,2}\. Jahrhundert)$"),
        "In welchem Jahrhundert",
        "factoid",
    ),
    (re.compile(r"^In den (?:\w+ )?\d{4}er[ -]Jahren$"), "Wann", "factoid"),
    (re.compile(rf"^Im (?P<answer>{_SEASON} (?:des Jahres )?\d{{4}})$"), "Wann", "factoid"),
    (re.compile(r"^Im Jahre? (?P<answer>\d{4})$"), "In welchem Jahr", "temporal"),
    (re.compile(r"^(?:Zwischen|Von|Ab) \d{4}(?: (?:und|bis) \d{4})?$"), "Wann", "factoid"),
    (re.compile(r"^(?:Während|Nach|Vor) (?:der|des|dem) [A-ZÄÖÜ][\w -]+$"), "Wann", "factoid"),
    (_PLACES, "Wo", "place"),
)
_INNER = re.compile(
    r"(?:^| )(?P<answer>(?:zwischen|von) (?:1\d|20)?\d\d (?:und|bis) (?:1\d|20)\d\d|"
    r"(?:im|Anfang des|Ende des) (?:\w+ )?\d{1,2}\. Jahrhunderts?|"
    r"in den (?:\w+ )?\d{4}er[ -]Jahren|seit (?:1\d|20)\d\d|bis (?:1\d|20)\d\d|"
    r"(?:im|Im) (?:Frühjahr|Sommer|Herbst|Winter) \d{4})(?= |$)"
)
_PERCENT = re.compile(
    r"^(?P<answer>(?:(?:Etwa|Rund|Über|Fast|Mehr als|Ungefähr|Nur|Knapp) )?\d[\d,.]* ?(?:%|"
    r"Prozent)) "
    r"(?P<whole>(?:der|des|aller|von) .+)$"
)
_COUNTED = re.compile(
    r"^(?P<answer>(?:(?:Etwa|Rund|Über|Fast|Mehr als|Ungefähr|Nur|Knapp|Insgesamt) )"
    r"?(?:\d[\d.]*|Zwei|"
    r"Drei|Vier|Fünf|Sechs|Sieben|Acht|Neun|Zehn|Zwölf)(?: (?:Millionen|Milliarden))? "
    r"(?P<noun>(?:[a-zäöüß]+ )?[A-ZÄÖÜ][\wäöüß-]+))(?P<whole>(?: .+)?)$"
)
_SAYS = re.compile(
    r"^(?:berichte|sag|schrieb|behaupte|argumentier|schätz|erklär|zeig|stell|vermute|schlug|glaub|"
    r"meint|forder|beton|warn|besagt|entschied|beschloss|urteil|verkünde|fand|fanden|"
    r"schreib|bewies)"
)
_NAMED_TWICE = 2
_ENOUGH = 4
_MANY = 2
"""Names in what is said of a plain noun, so that it is clear which one is meant."""


def german_order(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for what stands before the verb, and for a clause at the end."""
    for sentence in passage.sentences:
        text = re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", re.sub(r"\s+", " ", sentence.text)).strip()
        if not text.endswith(".") or any(mark in text for mark in "»:;–*"):
            continue
        match = _SPLIT.match(text[:-1])
        if (
            match is None
            or match["front"] in _ARTICLES
            or DANGLING.search(match["front"][:1].lower() + match["front"][1:])
        ):
            continue
        rest, tail, joint = _parted(match["rest"])
        if not rest and joint != "dass":
            continue
        front, verb = match["front"], match["verb"]
        if joint != "dass":
            yield from _fronted(sentence, front, verb, rest)
        if front.split()[0] in _AMOUNTS or front[:1].isdigit():
            yield from _counted(sentence, front, verb, rest)
        elif not starts_badly(front) and _names(
            front, passage, first=sentence.first, names=len(re.findall(r" [A-ZÄÖÜ]", rest))
        ):
            yield from _subject_first(sentence, _small(front), verb, (rest, tail, joint))


_ARTICLES = frozenset({"Der", "Die", "Das", "Ein", "Eine", "Im", "In", "Am"})
_AMOUNTS = frozenset(
    [
        "Etwa",
        "Rund",
        "Über",
        "Fast",
        "Mehr",
        "Ungefähr",
        "Nur",
        "Knapp",
        "Insgesamt",
        "Zwei",
        "Drei",
        "Vier",
        "Fünf",
        "Sechs",
        "Sieben",
        "Acht",
        "Neun",
        "Zehn",
        "Zwölf",
    ]
)


def _parted(rest: str) -> tuple[str, str, str]:
    """Return the main clause, what is subordinate at its end, and the word that opens that."""
    match = _TAIL.search(rest)
    if match is None and rest.startswith("dass "):
        return "", rest, "dass"
    main = rest[: match.start()] if match else rest
    main = _AND_THEN.split(main)[0]
    if "," in main:
        main = main.split(",")[0]
        return (main, "", "") if len(main.split()) >= _ENOUGH else ("", "", "")
    return (main, match["tail"], match["word"]) if match else (main, "", "")


_AND_THEN = re.compile(
    rf" und (?=(?:{VERBS}|{_MORE_VERBS}|[a-zäöüß]{{3,}}(?:te|ten)) (?![A-ZÄÖÜ]))| (?:sowie|"
    rf"aber|doch) "
)


def _names(front: str, passage: Passage, *, first: bool, names: int) -> bool:
    """Return whether a subject tells what it is: a name, or a noun and what it belongs to."""
    words = front.split()
    capitals = sum(word[:1].isupper() or word[:1].isdigit() for word in words)
    if words[0] in {"Der", "Die", "Das", "Ein", "Eine"}:
        return capitals > _NAMED_TWICE or (first and capitals == _NAMED_TWICE) or names >= _MANY
    if words[0].endswith(("weise", "lich", "end", "dem", "ens", "mals", "falls")):
        return False
    return words[0].lower() not in passage.lexicon.common and len(words) <= 6


def _small(front: str) -> str:
    article = front.split()[0] in {"Der", "Die", "Das", "Ein", "Eine"}
    words = front.split()
    described = len(words) > 1 and words[1][:1].isupper() and words[0] in _described(front)
    return front[:1].lower() + front[1:] if article or described else front


def _described(front: str) -> list[str]:
    """Return the first word of a subject if it is an adjective with a capital."""
    first = front.split()[0]
    known = re.search(r"(?:ische?|liche?|ige?|elle|ere|ste|bare)[nrs]?$", first)
    return [first] if known else []


def _fronted(sentence: Sentence, front: str, verb: str, rest: str) -> Iterator[Candidate]:
    if len(re.findall(r"(?:^| )[A-ZÄÖÜ]", rest)) < _NAMED_TWICE or len(rest.split()) < 3:
        return
    for pattern, opening, kind in _FRONTS:
        match = pattern.match(front)
        if match:
            answer = match.groupdict().get("answer") or front
            yield from made(sentence, f"{opening} {verb} {rest}?", answer, kind, 0.92)
            return


def _counted(sentence: Sentence, front: str, verb: str, rest: str) -> Iterator[Candidate]:
    if not re.search(r"[A-ZÄÖÜ]", rest) or DANGLING.search(rest):
        return
    if (match := _PERCENT.match(front)) and "%" not in rest:
        asked = f"Wie viel Prozent {match['whole']} {verb} {rest}?"
        yield from made(sentence, asked, match["answer"], "numeric", 0.93)
    elif (
        (match := _COUNTED.match(front))
        and not re.search(r"\d", rest)
        and not match["noun"].startswith(("Prozent", "Jahre", "Mal", "Tage", "Jahren"))
    ):
        asked = f"Wie viele {match['noun']}{match['whole']} {verb} {rest}?"
        yield from made(sentence, asked, match["answer"], "numeric", 0.9)


def _subject_first(
    sentence: Sentence, subject: str, verb: str, parts: tuple[str, str, str]
) -> Iterator[Candidate]:
    rest, tail, joint = parts
    if joint == "dass" and _SAYS.match(verb) and len(rest.split()) <= 4:
        asked = " ".join(word for word in ("Was", verb, subject, rest) if word)
        if not rest.endswith(("davon", "dafür", "dazu", "darauf", "es", "sich")):
            yield from made(sentence, f"{asked}?", tail, "factoid", 0.88)
    if not rest or DANGLING.search(rest):
        return
    if joint in {"um", "weil"} and len(rest.split()) <= 10:
        asks = "Wozu" if joint == "um" else "Warum"
        yield from made(sentence, f"{asks} {verb} {subject} {rest}?", tail, "reason", 0.92)
    if match := _INNER.search(rest):
        left = f"{rest[: match.start()]} {rest[match.end() :]}".split()
        if left and not re.search(r"\d{4}", " ".join(left)):
            since = match["answer"].split()[0]
            asks = {"seit": "Seit wann", "bis": "Bis wann"}.get(since, "Wann")
            asked = f"{asks} {verb} {subject} {' '.join(left)}?"
            yield from made(sentence, asked, match["answer"], "factoid", 0.9)
    yield from told_of(sentence, subject, verb, rest)

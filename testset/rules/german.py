"""German: the verb comes second, so a date in front becomes "Wann" and nothing else moves.

"Im Jahr 1186 wurde Temüjin zum Khan gewählt." -> "Wann wurde Temüjin zum Khan gewählt?"; where
the subject is in front, verb and subject change places.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from testset.passages import Passage, Sentence
from testset.rules.candidate import Candidate, Kind

__all__ = ["DANGLING", "VERBS", "german", "made", "starts_badly"]

LONGEST = 18
"""Words of a question; German sentences nest, and long ones cannot be turned safely."""
VAGUE = 0.25
"""Taken off where the subject is an article and a noun that the document may have spoken of."""
_MONTHS = "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"
_DATE = rf"(?:\d{{1,2}}\. (?:{_MONTHS})(?: \d{{4}})?|(?:{_MONTHS}) \d{{4}}|(?:1\d|20)\d\d)"
_FRONTED = re.compile(rf"^(?:Im Jahre?|Am|Im|In)? ?(?P<answer>{_DATE}) (?P<rest>[a-zäöüß].+)$")
_INNER = re.compile(rf"(?:^| )(?:im Jahre?|am|im) (?P<answer>{_DATE})(?= |$)")
_BARE = re.compile(r"(?:^| )(?P<answer>(?:1\d|20)\d\d)(?= |$)")
DANGLING = re.compile(
    r"\b(?:er|sie|es|ihm|ihn|ihr|ihre[mnrs]?|ihnen|sein|seine[mnrs]?|diese[mnrs]?|jene[mnrs]?|"
    r"solche[nr]?|"
    r"dort|hier|damals|dessen|deren|letztere[nr]?|obige[nr]?|dabei|dafür|damit|daran|darin|dazu|"
    r"dadurch|"
    r"darauf|darunter|auch|jedoch|daher|deshalb|zudem|außerdem|sich selbst|man|wir|Sie|ich|"
    r"welche[rs]?|beide[nr]?)\b"
)
_PLURAL = (
    "waren|wurden|hatten|haben|sind|werden|können|konnten|liegen|lagen|enthalten|besitzen|umfassen"
)
_SINGULAR = (
    "war|wurde|hatte|hat|ist|wird|kann|konnte|liegt|lag|enthält|besitzt|umfasst|"
    "begann|starb|erhielt|gründete|gewann|verlor|eröffnete|erreichte|gab|führte|"
    "schrieb|entdeckte|veröffentlichte|baute|erfand|unterzeichnete|erklärte|übernahm|"
    "verließ|zog|kam|ging|besuchte|heiratete|entwickelte|produzierte|startete|"
    "endete|fand|verkaufte|kaufte|kostet|kostete|dauert|beträgt|wiegt|misst|"
    "besteht|bestehen|bestand|bestanden|basiert|basierte|basieren|beinhaltet|stammt|"
    "stammte|stammen|bedeutet|führt|führte|führten|werden|belegte|besiegte|ernannte|"
    "schloss|entstand|erschien|bildete|stellte|stieg|sank|gehört|gehörte"
)
VERBS = f"{_SINGULAR}|{_PLURAL}"
_FRONT = re.compile(
    rf"^(?P<subject>(?:(?:Der|Die|Das|Ein|Eine) )?(?:[\wäöüß.’'-]+ ){{0,5}}?[\wäöüß.’'-]+) "
    rf"(?P<verb>{VERBS}|(?!zweite|dritte|vierte|erste|letzte|gesamte|bekannte|heute|spätere|"
    rf"rechte|alte)[a-zäöüß]{{3,}}te) (?P<rest>.+)$"
)
_ARTICLE = re.compile(r"^(?:Der|Die|Das|Ein|Eine)\b")
_BAD_START = re.compile(
    r"^(?:In|Im|Am|An|Auf|Aus|Bei|Mit|Nach|Seit|Von|Vom|Zu|Zum|Zur|Als|Wenn|Da|Dass|Ob|Obwohl|"
    r"Während|"
    r"Durch|Für|Gegen|Ohne|Um|Unter|Über|Vor|Zwischen|Trotz|Wegen|Bis|So|Nur|Es|Dies|Was|Wer|Wie|"
    r"Wo|"
    r"Hier|Dort|Dann|Danach|Später|Heute|Viele|Einige|Mehrere|Alle|Manche|Jede[rs]?|Andere|"
    r"Ebenso|Zwar|"
    r"Laut|Innerhalb|Außerhalb|Allerdings|Ursprünglich|Insgesamt|Schließlich|Einer|Eines|"
    r"Keine?r?|Ferner|Beides|"
    r"Neben|Anders|Deshalb|Seitdem|Strenggenommen|Folglich|Somit|Dadurch|Dabei|Damit|Meist|Oft|"
    r"Bald|Frühe|Obgleich|Sobald|Nachdem|Bevor|Daraufhin|Seine?|Ihre?|Beide|Sogar|Dennoch)\b"
)
_NUMBER = (
    r"(?:\d[\d.,]*(?: (?:Millionen|Milliarden))?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|"
    r"zehn|elf|zwölf|zwanzig)"
)
_COUNT = re.compile(
    rf"^(?:nur |etwa |rund |über |mehr als |ungefähr |fast |insgesamt |mindestens |höchstens |"
    rf"bis zu )?(?P<answer>{_NUMBER} (?P<noun>(?:(?!einen)[a-zäöü]+en )?[A-ZÄÖÜ][\wäöüß-]+))"
    rf"(?P<after>(?: .+)?)$"
)
_EXISTS = re.compile(
    rf"^(?P<place>(?:In|Im|Auf|An) [^,]{{3,40}}?) (?P<verb>gibt|gab) es (?:etwa |rund |über |"
    rf"mehr als |fast )?(?P<answer>{_NUMBER} (?P<noun>[A-ZÄÖÜ][\wäöüß-]+))"
)
_IS = re.compile(r"^(?P<answer>(?:ein|eine|der|die|das) .{12,})$")
_PERSON = re.compile(
    r"\b(?:\w*(?:er|in|or|eur|ist|ent|ant|oge|arzt|könig|kaiser|graf|papst|mann|frau|sohn|"
    r"tochter))\b"
)
_PLACED = re.compile(
    r"^(?P<self>sich )?(?:in|im|am|an der|auf|auf der|bei) (?P<answer>[A-ZÄÖÜ][^,;]{2,50})$"
)


def german(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for dates, counts, definitions and places."""
    for sentence in passage.sentences:
        text = re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", re.sub(r"\s+", " ", sentence.text)).strip()
        if not text.endswith(".") or any(mark in text for mark in "»:;–*"):
            continue
        plain = _main(text[:-1])
        if match := _EXISTS.match(plain):
            place = _first_small(match["place"])
            asked = f"Wie viele {match['noun']} {match['verb']} es {place}?"
            yield from made(sentence, asked, match["answer"], "numeric", 0.9)
        elif match := _FRONTED.match(plain):
            yield from _fronted(sentence, match["answer"], match["rest"])
        else:
            yield from _subject_first(passage, sentence, plain)


def _subject_first(passage: Passage, sentence: Sentence, plain: str) -> Iterator[Candidate]:
    """Yield the questions about a sentence that begins with its subject."""
    front = _FRONT.match(plain)
    if front is None or _BAD_START.match(plain):
        return
    if DANGLING.search(_first_small(front["subject"])):
        return
    sure = _named(front["subject"], passage, first=sentence.first)
    if not sure and not _ARTICLE.match(front["subject"]):
        return
    for entry in _turned(sentence, _lowered(front["subject"]), front["verb"], front["rest"]):
        if sure:
            yield entry
        elif entry.kind != "definition" and len(re.findall(r" [A-ZÄÖÜ]", entry.question)) > 2:
            yield replace(entry, quality=entry.quality - VAGUE)


def _fronted(sentence: Sentence, answer: str, rest: str) -> Iterator[Candidate]:
    if re.search(_DATE, rest) or not re.search(r" [A-ZÄÖÜ]", rest):
        return
    if not re.match(rf"(?:{VERBS}|[a-zäöüß]+ten?) ", rest):
        return
    asks = "In welchem Jahr" if answer.isdigit() else "Wann"
    yield from made(sentence, f"{asks} {rest}?", answer, "temporal", 0.95)


def _main(text: str) -> str:
    """Return the main clause, a subordinate clause at its end cut off; empty if that is unsure."""
    match = re.search(r", (?=\w+)", text)
    if match is None or _IS_CLAUSE.match(text):
        return text
    return text[: match.start()] if _SUBORDINATE.match(text[match.end() :]) else ""


_IS_CLAUSE = re.compile(r"^[^,]{3,60} (?:ist|sind) (?:ein|eine|der|die|das) ")
_SUBORDINATE = re.compile(
    r"(?:der|die|das|dem|den|deren|dessen|wel\w+|was|wobei|wodurch|womit|um|als|während|obwohl|"
    r"weil|"
    r"da|sodass|so dass|nachdem|bevor|indem|wo|darunter|einschließlich|insbesondere|gefolgt|"
    r"(?:in|mit|auf|bei|von|an|aus|für|durch|über|zu) (?:der|die|das|dem|den|deren|dessen|denen)|"
    r"und (?:er|sie|es|die|der|das|wurde|war)|aber|jedoch|sondern|sowie) "
)


def _named(subject: str, passage: Passage, *, first: bool) -> bool:
    """Return whether the subject names something: not just an article and one noun."""
    words = subject.split()
    if _ARTICLE.match(subject):
        several = (
            len(words) > 2 and sum(word[:1].isupper() or word[:1].isdigit() for word in words) > 2
        )
        return several or (first and len(words) == 2)
    if words[0].lower() in passage.lexicon.common or words[0].endswith(("weise", "lich", "end")):
        return False
    return all(word[:1].isupper() or word[:1].isdigit() or word in _LINKS for word in words)


_LINKS = frozenset({"von", "der", "des", "und", "de", "van"})


def _first_small(text: str) -> str:
    return text[:1].lower() + text[1:]


def _lowered(subject: str) -> str:
    return subject[:1].lower() + subject[1:] if _ARTICLE.match(subject) else subject


def _turned(sentence: Sentence, subject: str, verb: str, rest: str) -> Iterator[Candidate]:
    if verb in {"ist", "sind"} and (match := _IS.match(rest)):
        asks = "Wer" if _is_person(match["answer"], subject) else "Was"
        answer = re.split(
            r" und (?=(?:hatte|hat|umfasst|besagt|war|wurde|ist|gilt)\b)|, (?:sondern|nicht)",
            match["answer"],
        )[0]
        yield from made(sentence, f"{asks} {verb} {subject}?", answer, "definition", 0.9)
        return
    for pattern, opening in _RELATIONS:
        found = pattern.match(f"{verb} {rest}")
        if found:
            tail = (found.groupdict().get("tail") or "").strip()
            words = (opening, verb, subject, tail)
            question = " ".join(word for word in words if word) + "?"
            yield from made(sentence, question, found["answer"], "factoid", 0.85)
            return
    if "," in rest:
        return
    if match := _COUNT.match(rest):
        asks = f"Wie viele {match['noun']}"
        if (
            not re.search(r"\d", match["after"])
            and not re.match(r"(?:1\d|20)\d\d ", match["answer"])
            and not match["noun"].startswith(("Prozent", "Jahr", "Uhr", "Mal"))
        ):
            question = f"{asks} {verb} {subject}{match['after']}?"
            yield from made(sentence, question, match["answer"], "numeric", 0.9)
        return
    if verb in {"liegt", "lag", "liegen", "befindet"} and (match := _PLACED.match(rest)):
        yield from made(sentence, f"Wo {verb} {subject}?", match["answer"], "place", 0.9)
        return
    yield from _by_whom(sentence, subject, verb, rest)
    yield from _dated(sentence, subject, verb, rest)
    yield from _who(sentence, subject, verb, rest)


_RELATIONS = (
    (re.compile(r"besteh(?:t|en) (?:hauptsächlich )?aus (?P<answer>.{4,90})$"), "Woraus"),
    (re.compile(r"bestand(?:en)? aus (?P<answer>.{4,90})$"), "Woraus"),
    (
        re.compile(r"(?:enthält|enthalten|umfasst|umfassen|beinhaltet) (?P<answer>[^\d].{6,90})$"),
        "Was",
    ),
    (
        re.compile(
            r"(?:ist|war|sind|waren) (?:auch )?für (?P<answer>.{4,70}) (?P<tail>bekannt|berühmt|"
            r"verantwortlich|zuständig)$"
        ),
        "Wofür",
    ),
    (
        re.compile(
            r"(?:ist|war|sind|waren|wird|wurde|werden) (?:auch |oft |häufig )?als "
            r"(?P<answer>.{3,50}) (?P<tail>bekannt|bezeichnet|angesehen|betrachtet)$"
        ),
        "Als was",
    ),
    (re.compile(r"basier(?:t|te|en) auf (?P<answer>.{4,80})$"), "Worauf"),
    (re.compile(r"führ(?:t|te|ten) zu(?:m|r)? (?P<answer>.{4,80})$"), "Wozu"),
    (re.compile(r"(?:stammt|stammte|stammen) aus (?P<answer>.{3,50})$"), "Woher"),
    (re.compile(r"(?:bedeutet|bedeutete) (?P<answer>.{4,60})$"), "Was"),
)


def _by_whom(sentence: Sentence, subject: str, verb: str, rest: str) -> Iterator[Candidate]:
    match = _AGENT.search(rest) if verb in {"wurde", "wurden", "wird", "werden"} else None
    if match is None:
        return
    body = f"{rest[: match.start()]} {match['after']}".strip()
    question = f"Von wem {verb} {subject} {body}?"
    yield from made(sentence, question, match["answer"], "factoid", 0.9)


_AGENT = re.compile(
    r"(?:^|(?<= ))von (?P<answer>[A-ZÄÖÜ][\w.'’-]+(?: (?:[A-ZÄÖÜ][\w.'’-]+|von|de))*) "
    r"(?P<after>(?:.+ )?[a-zäöüß]+(?:t|en))$"
)


def _who(sentence: Sentence, subject: str, verb: str, rest: str) -> Iterator[Candidate]:
    """Yield "Wer ...?" for singular acts of a name; the verb already stands where it must."""
    if _ARTICLE.match(subject[:1].upper() + subject[1:]) or (
        not _ACTS.match(verb) and not verb.endswith("te")
    ):
        return
    if (
        verb in {"hatte", "konnte", "musste", "sollte", "wollte", "lautete", "bestand"}
        or " und " in subject
    ):
        return
    words = rest.split()
    named = sum(word[:1].isupper() for word in words)
    if not 3 <= len(words) <= 12 or not named:
        return
    quality = 0.8 if named > 1 else 0.7
    yield from made(sentence, f"Wer {verb} {rest}?", subject, "factoid", quality)


_ACTS = re.compile(
    r"(?:erhielt|gewann|verlor|gab|schrieb|erfand|übernahm|verließ|"
    r"zog|besuchte|schloss|ernannte|besiegte|entdeckte|gründete|erklärte)$"
)


def _is_person(answer: str, subject: str) -> bool:
    noun = re.search(r"[A-ZÄÖÜ][\wäöüß-]+", answer)
    masculine = not subject.startswith(("das ", "die ", "der "))
    return bool(
        noun and masculine and len(subject.split()) > 1 and _PERSON.fullmatch(noun.group().lower())
    )


def _dated(sentence: Sentence, subject: str, verb: str, rest: str) -> Iterator[Candidate]:
    match = _INNER.search(rest) or _BARE.search(rest)
    if match is None:
        return
    left = f"{rest[: match.start()]} {rest[match.end() :]}".split()
    body = " ".join(left)
    if (
        re.search(r"\d{4}", body)
        or not left
        or re.search(
            r"\b(?:bis|seit|von|zwischen|vor|nach|ab|für|um|gegen|der|die|das|vom)$",
            rest[: match.start()],
        )
    ):
        return
    asks = "In welchem Jahr" if match["answer"].isdigit() else "Wann"
    question = f"{asks} {verb} {subject} {body}?"
    yield from made(sentence, question, match["answer"], "temporal", 0.9)


_SECOND = re.compile(r" und (?:war|wurde|bis|ist|hatte|machte|[a-zäöüß]{4,}te) ")
"""A second predicate, which turns the question into two."""


def starts_badly(text: str) -> bool:
    """Return whether a sentence opens with something else than its subject."""
    return _BAD_START.match(text) is not None


def made(
    sentence: Sentence, question: str, answer: str, kind: Kind, quality: float
) -> Iterator[Candidate]:
    """Yield the candidate, unless its question is too long or points at something else."""
    length = len(question.split())
    if DANGLING.search(question) or length > LONGEST:
        return
    place = (sentence.start, sentence.end)
    if _SECOND.search(question):
        return
    quality -= 0.02 * max(0, length - 11)
    yield Candidate(question, answer, *place, kind, f"german.{kind}", quality)

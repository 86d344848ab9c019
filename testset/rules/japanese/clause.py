"""Japanese sentences as clauses: a topic that stands alone, and what is said of it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from testset.corpus.passages import Passage, Sentence
from testset.rules.japanese.closed_classes import JOINING, POINTING
from testset.rules.japanese.conjugation import finite
from testset.rules.japanese.standing import is_noun_phrase, is_term, named, stands

__all__ = [
    "LISTED",
    "Clause",
    "clauses_of",
    "headed",
    "plain_text",
    "readable",
    "said_of",
    "unquoted",
]

LONGEST_SENTENCE = 360
LONGEST_TOPIC = 34
_SHORTEST_TERM = 3
_BRACKETS = re.compile(r"\s*[（(][^（）()]*[）)]\s?")
_CUT_OFF = re.compile(r"(?P<verb>を[一-龯]{2}|(?<=\d年)に[一-龯]{2})$")
"""A verb without its last part, as reports have it: "X港を開設"."""
_MARKUP = re.compile(r"[\[\]{}<>|→⇒※*#`\\;；“”\"'’…]|https?:|: |：|\?|？|!|！|--|://|\d\)")
_TOPIC = re.compile(
    r"(?<=[一-龯々ァ-ヺーA-Za-z0-9」』])(?P<case>には|では|からは|にも|でも(?!あ)|"
    r"は)(?![ぁ-ん]*[じずっ][めだ])、?"
)
_SUBJECT = re.compile(r"(?<=[一-龯々ァ-ヺーA-Za-z0-9」』])が、?")
_SUBORDINATE = re.compile(
    r"(?:[たるいす]が|ものの|けれども|[しりれ]|[いっし]て|んで|ため|ので|おり|なく)$"
)
LISTED = re.compile(r"[一-龯々ァ-ヺーA-Za-z」』](?<![年月日時後])(?<!以来)(?<!以降)、$")
"""A noun and a comma: what follows is the end of a list, not the whole of it."""
_TIME = re.compile(r"(?:[年月日]|世紀|年代|時代|後|中|以来|以降|期|結果|場合|際|一方|現在)$")
_PLACING = r"[^、をがはにで]{2,18}(?:では|で|にて|において|により|によって|から)"
_LATER = re.compile(
    rf"^(?P<lead>(?:\d{{3,4}}年(?:\d{{1,2}}月(?:\d{{1,2}}日)?)?(?:に|には)、?|{_PLACING}){{1,2}})"
    r"(?P<topic>[^、]{2,26})$"
)
_YEAR = re.compile(r"(?<!\d)\d{3,4}年")
_CIRCUMSTANCE = re.compile(
    r"^(?:(?:西暦|紀元前)?\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?(?:に|から|まで|以降|以来|頃)?|"
    r"\d{3,4}年代(?:初頭|前半|後半|末|半ば)?(?:に|から|まで|以降)?|"
    r"[^、はが]{2,26}(?:戦争|大戦|革命|事件|選挙|大会|会議)(?:後|中|時)?(?:に|で)?|"
    r"[^、はが]{2,30}(?:に基づき|に基づいて|に伴い|とともに|と共に|を受けて|を経て|を機に|に対し|"
    r"に対して|以降|以来|の後|までに)|"
    r"\d{1,2}世紀[一-龯]{0,2}(?:に|から)?|"
    r"[^、]{2,24}(?:において|では|によって|により|によると|の際に?|の後に?|(?<!まとめ)(?<!す)ると|れば))$"
)


_PLACED = re.compile(r"\d|「|『|[一-龯ァ-ヺーA-Za-z]{3,}(?:で|において|では|により|から)")


@dataclass(frozen=True, slots=True)
class Clause:
    """What one clause says.

    Attributes:
        sentence: The sentence it is of.
        lead: A circumstance before the topic, with its comma; mostly empty.
        topic: The noun phrase it is about; it means something without what came before.
        case: The particle after the topic: は, には, では, からは; が where nothing is the topic.
        rest: What is said, in its final form.
        first: Whether nothing else is said of the topic before.
    """

    sentence: Sentence
    lead: str
    topic: str
    case: str
    rest: str
    first: bool = True

    @property
    def about(self) -> bool:
        """Whether it tells what the topic is or does, rather than what is in or at it."""
        return self.case in {"は", "が"}

    @property
    def past(self) -> bool:
        """Whether it tells what was."""
        return self.rest.endswith(("た", "でした", "ました"))

    def placed(self, before: str) -> bool:
        """Return whether it is told when, where or at what, so that one of many is meant."""
        told = f"{self.lead}{self.topic}{before}"
        return bool(
            re.search(r"\d|「|『|[一-龯ァ-ヺーA-Za-z]{3,}(?:で|において|では|により|から)", told)
        )

    @property
    def whole(self) -> str:
        """The clause as a sentence."""
        return f"{self.lead}{self.topic}{self.case}{self.rest}"

    def asked(self, rest: str) -> str:
        """Return the clause with a question said of its topic; empty if there is no question."""
        case = "は" if self.case == "が" else self.case
        return f"{self.lead}{self.topic}{case}{rest}" if rest else ""


def plain_text(sentence: Sentence) -> str:
    """Return a sentence on one line, without its full stop, its brackets, and words that join."""
    text = re.sub(r"\s*\n\s*", "", sentence.text).strip().rstrip("。")
    for _ in range(2):
        text = _BRACKETS.sub("", text)
    text = JOINING.sub("", text.strip()).strip("　 、")
    return _CUT_OFF.sub(r"\g<verb>した", text)


def clauses_of(passage: Passage, *, terms: bool = False) -> Iterator[Clause]:
    """Yield the clauses of a passage that can be understood alone.

    Args:
        passage: Where they are read.
        terms: Whether a topic may be any noun that is a term, as where its meaning is given.
    """
    for sentence in passage.sentences:
        text = plain_text(sentence)
        if not readable(sentence, text):
            continue
        for clause in _read(sentence, text, is_term if terms else stands):
            if terms or not _is_bare(clause, text, passage.document.text):
                yield clause
        if not terms:
            for piece in _pieces(text):
                yield from _read(sentence, piece, stands)


_THEN = re.compile(r"^\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?には")


def _pieces(text: str) -> list[str]:
    """Return the later clauses of a sentence that have a subject of their own."""
    past = text.endswith(("た", "でした", "ました")) or _YEAR.search(text) is not None
    dated = [text[match.end() :] for match in re.finditer(r"、(?=\d{4}年)", unquoted(text))]
    first = [said_of(rest, past=past)[0] for rest in dated]
    found = said_of(text, past=past)[1:]
    found += [piece for piece in first if "は" not in _THEN.sub("", unquoted(piece))]
    return [
        piece
        for piece in dict.fromkeys(found)
        if _OTHER.search(unquoted(piece)) and not POINTING.search(piece)
    ]


def readable(sentence: Sentence, text: str) -> bool:
    """Return whether a sentence is whole, in words, and not too long to be read with care."""
    if len(sentence.text) > LONGEST_SENTENCE or "。" not in sentence.text[-2:]:
        return False
    return _MARKUP.search(text) is None and _balanced(text) and bool(re.search(r"[ぁ-ん]", text))


def _balanced(text: str) -> bool:
    return all(text.count(a) == text.count(b) for a, b in ("「」", "『』", "（）", "()"))


def _read(sentence: Sentence, text: str, fits: Callable[[str], bool]) -> Iterator[Clause]:
    found = headed(text)
    if found is not None and found[2] in {"では", "には"} and _DAY.match(found[1]):
        later = headed(found[3])  # "1951年には、X橋が..." is about the bridge
        found = later and (f"{found[1]}に{later[0]}", *later[1:])
    if found is None:
        return
    if not (fits(found[1]) or _is_general(text, found[1], found[2]) or _is_event(*found)):
        return
    lead, topic, case, rest = found
    past = rest.endswith(("た", "でした", "ました")) or _YEAR.search(text) is not None
    said = said_of(rest, past=past)
    for number, one in enumerate(said):
        again = _OTHER.search(unquoted(one)) is not None
        if again and (number or (len(said) > 1 and case == "が")):
            continue
        yield Clause(sentence, "" if number else lead, topic, case, one, number == 0)


_SHORT_LOANWORD = 8
_OF_NAMES = "(?:人|語|政府|国王|王国|王室|軍|各地|本土|全土|国内|領|市|州|社|党|法|号|・)"


def _is_bare(clause: Clause, text: str, document: str) -> bool:
    """Return whether a topic is one loanword that nothing in the document shows to be a name."""
    if (
        not clause.about
        or len(clause.topic) >= _SHORT_LOANWORD
        or not re.match(r"^[ァ-ヺー]+$", clause.topic)
    ):
        return False
    if _YEAR.search(text) and clause.past:
        return False
    return re.search(re.escape(clause.topic) + _OF_NAMES, document) is None


def _is_general(text: str, topic: str, case: str) -> bool:
    """Return whether a sentence tells what always holds of a term, which then needs no name."""
    if case != "は" or len(topic) < _SHORTEST_TERM or not is_term(topic):
        return False
    return not re.search(r"\d|[た]$|でした$|ました$|ている$|ています$", text)


_OF_OTHER = re.compile(r"[うくすつぶむぐるたい](?=[一-龯ァ-ヶー「])")
"""A verb before a noun: the subject may be of that verb alone."""


def _is_event(lead: str, topic: str, case: str, rest: str) -> bool:
    """Return whether a clause tells what happened on a date, in words that fit no other event."""
    if not _YEAR.match(lead) or case != "が" or POINTING.search(f"{lead}{topic}{rest}"):
        return False
    if _OF_OTHER.search(rest):
        return False
    return (
        is_noun_phrase(topic) and named(f"{lead[5:]}{topic}{rest}") and len(rest) >= len("誕生した")
    )


_DAY = re.compile(r"^\d{3,4}年(?:代|\d{1,2}月(?:\d{1,2}日)?)?$")
_OTHER = re.compile(r"[一-龯々ァ-ヺーA-Za-z0-9」』][はが]")
"""Something else that is the topic or the subject."""


def headed(text: str) -> tuple[str, str, str, str] | None:
    """Return the circumstance, the topic, its particle, and the rest of a sentence."""
    bare = unquoted(text)
    match = _TOPIC.search(bare) or _SUBJECT.search(bare)
    if match is None:
        return None
    case = match["case"].replace("も", "は") if "case" in match.groupdict() else "が"
    before, rest = text[: match.start()].strip(), text[match.end() :].strip()
    lead, topic = _circumstance(before, case)
    if not 2 <= len(topic) <= LONGEST_TOPIC or len(rest) < 4 or POINTING.search(lead):
        return None
    return lead, topic, case, rest


def _circumstance(before: str, case: str) -> tuple[str, str]:
    """Return what goes before a topic, and the topic; an empty topic if they cannot be told."""
    last = unquoted(before).rfind("、")
    lead, topic = (before[:last], before[last + 1 :]) if last >= 0 else ("", before)
    if lead and is_noun_phrase(before) and not _TIME.search(lead):
        return "", before
    if lead and (_SUBORDINATE.search(lead) or _CIRCUMSTANCE.match(lead)):
        lead = "" if _SUBORDINATE.search(lead) else f"{lead}、"
    elif lead:
        return "", ""
    later = _LATER.match(topic) if case in {"が", "は"} else None
    if later and lead and not _YEAR.search(lead):
        later = None
    return (lead + later["lead"], later["topic"]) if later else (lead, topic.strip())


def unquoted(text: str) -> str:
    """Return a text with what stands in quotation marks blanked, at the same length."""
    return re.sub(
        r"「[^「」]*」|『[^『』]*』", lambda m: "「" + "一" * (len(m[0]) - 2) + "」", text
    )


def said_of(rest: str, *, past: bool) -> list[str]:
    """Return what is said of a topic, one clause an entry, each in a final form."""
    found: list[str] = []
    start = 0
    for match in re.finditer("、", unquoted(rest)):
        piece = rest[start : match.start()]
        ended = finite(piece, past=past) or _nominal(piece, rest[match.end() :])
        if ended and len(piece) >= _SHORTEST_PIECE:
            found.append(ended)
            start = match.end()
    return [*found, rest[start:]]


_SHORTEST_PIECE = 3
_SHORTEST_NOUN = 2


def _nominal(piece: str, after: str) -> str:
    """Return a noun phrase that ends a clause as a sentence: "Aは10万円、Bは20万円"."""
    noun = piece.removesuffix("で")
    if not is_noun_phrase(noun.replace(",", "")) or len(noun) < _SHORTEST_NOUN:
        return ""
    more = re.match(r"[^、はがを]{2,20}[はが]", after) is not None
    return f"{noun}である" if (more or noun != piece) and not _SPOT.search(noun) else ""


_SPOT = re.compile(
    r"(?:一方|上|中|下|時|年|月|日|方法|形|間|後|前|内|外|点|結果|大会|選挙|会議|戦争|"
    r"[都道府県市区町村国州島])$"
)

"""Japanese sentences as clauses: a topic that stands alone, and what is said of it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from testset.passages import Passage, Sentence
from testset.rules.candidate import Candidate, Kind
from testset.rules.japanese.closed_classes import JOINING, POINTING
from testset.rules.japanese.conjugation import finite
from testset.rules.japanese.standing import is_noun_phrase, is_term, stands

__all__ = ["LISTED", "Clause", "clauses_of", "made", "plain_text"]

LONGEST = 70
"""Characters of a question; people ask shorter."""
LONGEST_SENTENCE = 300
LONGEST_TOPIC = 34
_SHORTEST_TERM = 3
LONGEST_ANSWER = 60
_BRACKETS = re.compile(r"\s*[（(][^（）()]*[）)]\s?")
_MARKUP = re.compile(r"[\[\]{}<>|→⇒※*#`\\;；“”\"'’…]|https?:|: |：|\?|？|!|！|--|://|\d\)")
_TOPIC = re.compile(
    r"(?<=[一-龯々ァ-ヺーA-Za-z0-9」』])(?P<case>には|では|からは|にも|でも|"
    r"は)(?![ぁ-ん]*[じずっ][めだ])、?"
)
_SUBJECT = re.compile(r"(?<=[一-龯々ァ-ヺーA-Za-z0-9」』])が、?")
_SUBORDINATE = re.compile(
    r"(?:[たるいす]が|ものの|けれども|[しりれ]|[いっし]て|んで|ため|ので|おり|なく)$"
)
LISTED = re.compile(r"[一-龯々ァ-ヺーA-Za-z」』](?<![年月日時後])(?<!以来)(?<!以降)、$")
"""A noun and a comma: what follows is the end of a list, not the whole of it."""
_TIME = re.compile(r"(?:[年月日]|世紀|年代|時代|後|中|以来|以降|期|結果|場合|際|一方|現在)$")
_LATER = re.compile(
    r"^(?P<lead>(?:\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?(?:に|には)|"
    r"[^、をがはにで]{2,16}(?:では|で|において)){1,2})(?P<topic>[^、]{2,26})$"
)
_YEAR = re.compile(r"(?<!\d)\d{3,4}年")
_CIRCUMSTANCE = re.compile(
    r"^(?:(?:西暦|紀元前)?\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?(?:に|から|まで|以降|以来|頃)?|"
    r"\d{1,2}世紀[一-龯]{0,2}(?:に|から)?|"
    r"[^、]{2,24}(?:において|では|によって|により|によると|の際に?|の後に?|(?<!まとめ)(?<!す)ると|れば))$"
)


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
    return JOINING.sub("", text.strip()).strip("　 、")


def clauses_of(passage: Passage, *, terms: bool = False) -> Iterator[Clause]:
    """Yield the clauses of a passage that can be understood alone.

    Args:
        passage: Where they are read.
        terms: Whether a topic may be any noun that is a term, as where its meaning is given.
    """
    for sentence in passage.sentences:
        if len(sentence.text) > LONGEST_SENTENCE or "。" not in sentence.text[-2:]:
            continue
        text = plain_text(sentence)
        if _MARKUP.search(text) or not _balanced(text) or not re.search(r"[ぁ-ん]", text):
            continue
        yield from _read(sentence, text, is_term if terms else stands)


def _balanced(text: str) -> bool:
    return all(text.count(a) == text.count(b) for a, b in ("「」", "『』", "（）", "()"))


def _read(sentence: Sentence, text: str, fits: Callable[[str], bool]) -> Iterator[Clause]:
    found = _headed(text)
    if found is not None and found[2] in {"では", "には"} and _DAY.match(found[1]):
        later = _headed(found[3])  # "1951年には、X橋が..." is about the bridge
        found = later and (f"{found[1]}に{later[0]}", *later[1:])
    if found is None or not (fits(found[1]) or _is_general(text, found[1], found[2])):
        return
    lead, topic, case, rest = found
    past = rest.endswith(("た", "でした", "ました")) or _YEAR.search(text) is not None
    said = _said(rest, past=past)
    for number, one in enumerate(said):
        again = _OTHER.search(_unquoted(one)) is not None
        if again and (number or (len(said) > 1 and case == "が")):
            continue
        yield Clause(sentence, "" if number else lead, topic, case, one, number == 0)


def _is_general(text: str, topic: str, case: str) -> bool:
    """Return whether a sentence tells what always holds of a term, which then needs no name."""
    if case != "は" or len(topic) < _SHORTEST_TERM or not is_term(topic):
        return False
    return not re.search(r"\d|[た]$|でした$|ました$|ている$|ています$", text)


_DAY = re.compile(r"^\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?$")
_OTHER = re.compile(r"[一-龯々ァ-ヺーA-Za-z0-9」』][はが]")
"""Something else that is the topic or the subject."""


def _headed(text: str) -> tuple[str, str, str, str] | None:
    """Return the circumstance, the topic, its particle, and the rest of a sentence."""
    bare = _unquoted(text)
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
    last = _unquoted(before).rfind("、")
    lead, topic = (before[:last], before[last + 1 :]) if last >= 0 else ("", before)
    if lead and is_noun_phrase(before) and not _TIME.search(lead):
        return "", before
    if lead and (_SUBORDINATE.search(lead) or _CIRCUMSTANCE.match(lead)):
        lead = "" if _SUBORDINATE.search(lead) else f"{lead}、"
    elif lead:
        return "", ""
    later = _LATER.match(topic) if case in {"が", "は"} and not lead else None
    return (later["lead"], later["topic"]) if later else (lead, topic.strip())


def _unquoted(text: str) -> str:
    """Return a text with what stands in quotation marks blanked, at the same length."""
    return re.sub(
        r"「[^「」]*」|『[^『』]*』", lambda m: "「" + "一" * (len(m[0]) - 2) + "」", text
    )


def _said(rest: str, *, past: bool) -> list[str]:
    """Return what is said of a topic, one clause an entry, each in a final form."""
    found: list[str] = []
    start = 0
    for match in re.finditer("、", _unquoted(rest)):
        piece = rest[start : match.start()]
        ended = finite(piece, past=past) or _nominal(piece, rest[match.end() :])
        if ended and len(piece) >= 5:
            found.append(ended)
            start = match.end()
    return [*found, rest[start:]]


def _nominal(piece: str, after: str) -> str:
    """Return a noun phrase that ends a clause as a sentence: "Aは10万円、Bは20万円"."""
    noun = piece.removesuffix("で")
    if not is_noun_phrase(noun) or len(noun) < 2:
        return ""
    more = re.match(r"[^、はがを]{2,20}[はが]", after) is not None
    return f"{noun}である" if (more or noun != piece) and not _SPOT.search(noun) else ""


_SPOT = re.compile(
    r"(?:一方|上|中|下|時|年|月|日|方法|形|間|後|前|内|外|点|結果|大会|選挙|会議|戦争|"
    r"[都道府県市区町村国州島])$"
)


def made(
    clause: Clause, question: str, answer: str, kind: Kind, rule: str, quality: float
) -> Iterator[Candidate]:
    """Yield a question, if it is not too long, and its answer can be shown and is not in it."""
    question = re.sub(r"(?<=[ぁ-ん]) (?=何)", "", question)
    answer = _as_written(answer.strip(), clause.sentence.text)
    if not question or not 1 <= len(answer) <= LONGEST_ANSWER or len(question) > LONGEST:
        return
    if answer in question or _loose(question) or POINTING.search(answer) or _cut(answer):
        return
    where = (clause.sentence.start, clause.sentence.end)
    spoilt = 0.004 * max(0, len(question) - 34)
    yield Candidate(question, answer, *where, kind, f"japanese.{rule}", round(quality - spoilt, 3))


def _as_written(answer: str, text: str) -> str:
    """Return an answer as the sentence has it, with its brackets; empty if it is not there."""
    if answer in text:
        return answer
    between = r"(?:\s*[（(][^（）()]*[）)])?\s*"
    found = re.search(between.join(map(re.escape, answer.replace(" ", ""))), text)
    return found.group() if found else ""


def _loose(question: str) -> bool:
    """Return whether a question points elsewhere, or is no longer one sentence."""
    return bool(POINTING.search(question) or re.search(_UNCLEAR, question))


_UNCLEAR = (
    r"いずれ|。|、.*、.*、|たが、|(?<![年\d])\d{1,2}月|(?<![月\d])\d{1,2}日(?!間)|_\d|"
    r"ためました|ためます|結果、|後、"
)


def _cut(answer: str) -> bool:
    """Return whether an answer begins or ends in the middle of something."""
    if re.match(r"[ぁ-ゖー・ ]+$", answer):
        return False
    if re.match(r"通常|主に|普通|大抵|一連", answer):
        return True
    return (
        re.match(r"(?:なく|ない|[でにをがはとのもしてたっるれらへや、・])(?![きも])", answer)
        is not None
    )

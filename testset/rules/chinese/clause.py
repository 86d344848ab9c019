"""Chinese clauses: a sentence at its commas, without what stands in brackets."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from testset.corpus.passages import Passage, Sentence
from testset.rules.chinese.anchor import Anchor
from testset.rules.chinese.closed_classes import DATE, POINTING
from testset.rules.chinese.predicate import VERBS, predicate
from testset.rules.chinese.subject import balanced, named
from testset.rules.passage_candidate import Candidate, Kind

__all__ = ["Clause", "clauses_of"]

LONGEST_ANSWER = 64
"""Characters; a longer answer is a list or a tale."""

_BRACKETS = re.compile(r"[（(\[【][^（）()\[\]【】]*[）)\]】]")
_SPACE = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef]) | (?=[\u3000-\u9fff\uff00-\uffef])")
_GAP = r"\s*(?:[（(\[【][^（）()\[\]【】]*[）)\]】]\s*)*"
_CLAIMED = re.compile(
    r"(?:认为|声称|相信|主张|假设|猜测|猜想|怀疑|预测|设想|宣称|[^名职简统]称|说|写道)$"
)
_ALSO = re.compile(r"[也还又则]")
_FRONTED = re.compile(rf"^(?:[在于自从]|(?:{DATE}))")
_GOES_ON = re.compile(
    rf"^(?P<joint>(?:并且?|后|随后|后来|之后|又|也|还|同时|而且)?)(?=(?:主要|共|总|通常|正式|首次)*(?:"
    rf"[于在]{DATE}|位于|坐落|地处|成立于|建于|始建于|建成于|出生于|毕业于|由|被(?:称|誉|命名)|又称|也称|"
    r"称为|拥有|设有|共有|占地|占|以(?![东南西北上下内外])|因|用于|用来|负责|取决于|来源于|起源于|包括|包含|分为|获得|赢得|"
    r"出版|发明|发现|提出|设计|是|有\d|[长高宽]|覆盖|(?!导致|引起|造成|促使|迫使|意味|标志|表明|显示|影响|要求|代表|"
    rf"支持|估计|呼吁|使|让)(?:{VERBS})))"
)
"""What a clause without a subject opens with: it goes on about the subject of its sentence."""
_COMMA = re.compile(r"[，；;：:]+|,(?!\d{3})")
_MARKUP = re.compile(r"[*_`|#<>{}\\=]|\[\d*\]|https?:|^\s*(?:[-+•]|\d+[.)、])\s*")
_VAGUE = re.compile(r"^(?:一[项个份部条种座次场些][^的，]{1,6}$|[并和与]|附近|毗邻|同一)")
"""An answer that says nothing definite."""
_TEXT_POINTER = re.compile(r"[前后]者|[以如]下|上述|各种原因|这里|此处")
"""What not even a reason may say: what it means stands elsewhere in the text."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a sentence.

    Attributes:
        sentence: The sentence it stands in.
        text: The clause, without brackets, blanks between scripts and its last mark.
        before: The clauses before it, in order.
        after: The clauses after it, in order.
        inherits: Whether its subject was taken from the first clause.
    """

    sentence: Sentence
    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    inherits: bool = False

    @property
    def first(self) -> bool:
        """Whether it opens its sentence."""
        return not self.before

    @property
    def last(self) -> bool:
        """Whether it ends its sentence."""
        return not self.after

    @property
    def dated(self) -> str:
        """The date that stands before it as a clause of its own, with a comma; else empty."""
        last = self.before[-1] if self.before else ""
        return f"{last}，" if re.fullmatch(rf"[在于]?{DATE}", last) else ""

    def ask(self, question: str, answer: str, kind: Kind, quality: float) -> Iterator[Candidate]:
        """Yield the question with its answer as the document has it; nothing if it is not there.

        A reason may point at what the question names. Long questions count
        for less: they repeat the sentence.
        """
        written = _as_written(answer, self.sentence.text)
        if not written or len(written) > LONGEST_ANSWER or not balanced(question):
            return
        if _VAGUE.match(answer) or not balanced(answer):
            return
        if (POINTING if kind != "reason" else _TEXT_POINTER).search(answer):
            return
        quality -= 0.01 * max(0, len(question) - 28)
        place = (self.sentence.start, self.sentence.end)
        yield Candidate(question, written, *place, kind, f"chinese.{kind}", quality)


def clauses_of(passage: Passage) -> Iterator[Clause]:
    """Yield the clauses of the sentences of a passage that are plain prose.

    A pronoun that opens a sentence gives way to the subject of the sentence before it, where
    that is the only name there; the evidence is then both sentences.
    """
    anchor = Anchor()
    for sentence in passage.sentences:
        text = _plain(sentence.text)
        if _MARKUP.search(sentence.text) or not sentence.text.rstrip("”’）) ").endswith("。"):
            anchor = Anchor()
            continue
        if found := anchor.stands_for(text):
            text = anchor.topic + text[found.end() :]
            whole = passage.document.text[anchor.start : sentence.end]
            sentence = Sentence(whole, anchor.start, sentence.end)
        parts = tuple(part for part in _parts(text) if part)
        topic = _topic(parts)
        yield from _clauses(sentence, parts, topic)
        anchor = anchor.after(sentence, text, topic)


def _topic(parts: Sequence[str]) -> str:
    """Return the subject of the first clause, or of the second after a time or a place."""
    for clause in parts[:2]:
        taken = predicate(clause)
        if taken and named(taken.topic):
            return taken.topic
        if not _FRONTED.match(clause):
            return ""
    return ""


def _clauses(sentence: Sentence, parts: tuple[str, ...], topic: str) -> Iterator[Clause]:
    """Yield each clause; those that go on about the subject of the first get it put before.

    What stands after "he thinks that" is no fact, and left out.
    """
    goes_on = bool(topic)
    for number, part in enumerate(parts):
        before, after = parts[:number], parts[number + 1 :]
        if any(map(_CLAIMED.search, before)):
            return
        yield Clause(sentence, _without_also(part), before, after)
        match = _GOES_ON.match(part)
        opens = number == 0 or part.startswith(topic)
        goes_on = goes_on and (opens or match is not None)
        if number and goes_on and match is not None and not opens:
            yield Clause(sentence, topic + part[match.end("joint") :], before, after, True)


def _without_also(part: str) -> str:
    """Return a clause without the "also" behind its subject: a question says it of one thing."""
    taken = predicate(part)
    if taken is None or not _ALSO.match(taken.said) or not named(taken.topic):
        return part
    return taken.topic + taken.said[1:]


def _plain(text: str) -> str:
    bare = _BRACKETS.sub("", _BRACKETS.sub("", text)).replace("\ufeff", "")
    return _SPACE.sub("", re.sub(r"\s+", " ", bare).strip()).rstrip("。")


def _parts(text: str) -> Iterator[str]:
    """Yield the stretches between commas that stand outside quotation marks."""
    start = 0
    for match in _COMMA.finditer(text):
        if balanced(text[start : match.start()]):
            yield text[start : match.start()].strip()
            start = match.end()
    yield text[start:].strip()


def _as_written(answer: str, text: str) -> str:
    """Return the answer as the document has it, blanks and brackets inside included."""
    match = re.search(_GAP.join(map(re.escape, answer.replace(" ", ""))), text)
    return match.group() if match else ""

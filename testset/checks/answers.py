"""Comparing answers: which values a text offers, and whether two answers say the same.

A number is compared only with numbers that count the same thing: "30 ships" is no other answer
than "120 people".
"""

import re
import unicodedata

from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdictOf
from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from llamaindex_rag_eval.judge.rules.values import MONTHS, any_of
from llamaindex_rag_eval.judge.rules.verdict import verdict_on
from llamaindex_rag_eval.judge.rules.vocabulary import by_language, numbers_of
from testset.checks.draft import Draft
from testset.corpus.index import keys_of
from testset.requests.writer import Writer

_MONTHS = any_of(name.capitalize() for name in MONTHS if len(name) > 3 or name in ("may", "mai"))
_DATE = re.compile(
    rf"(?:\d{{1,2}}\.? (?:{_MONTHS})|(?:{_MONTHS}) \d{{1,2}},?|(?:{_MONTHS}))(?: \d{{4}})?"
    r"|\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?|(?<!\d)(?:1\d|20)\d\d(?!\d)"
)
_FROM_TWO, _TO_TWELVE = 2, 13
_WORDS = any_of(
    word for row in by_language("numerals").values() for word in row.split()[_FROM_TWO:_TO_TWELVE]
)
_NUMBER = re.compile(rf"\d[\d,.]*\d|\d|\b(?:{_WORDS})\b", re.IGNORECASE)
_CJK_NUMBER = re.compile(r"\d[\d,.]*\d|\d|[一二三四五六七八九十百千〇零两兩]+")
_MAGNITUDE = re.compile(
    rf"[ -]?(?:{any_of(numbers_of('scales'))})\b\.?|[百千]?[万億兆萬亿余多]+", re.IGNORECASE
)
_STEP = re.compile(r"(?<![^\s:：;；。、,，])[(（]?(?P<number>\d{1,2})[.)）、．](?=\D)")
"""What stands before a step in an answer of one line."""
_CURRENCY = "$€£¥"
_UNIT = re.compile(r"[^\W\d_]+|[%‰°$€£¥]")
_ADJECTIVES = 2
"""Words that may stand between a number and what it counts."""
_COUNTER_LENGTH = 4
"""Characters after a Chinese or Japanese number that are read for its counter."""
_COUNTER_END = re.compile(r"[\d\s,.、。，（(）)「」]|[はがをにでとも的是和]")
_BORDER = re.compile(r"[;。；，]\s*|\.\s|,\s(?=(?:but|and|while|whereas|aber|und)\b)")
"""Ends of a clause."""
WINDOW = 48
"""Characters on each side of a value that are compared with the question."""


def values_of(text: str, kind: str, *, like: str = "") -> list[tuple[int, str]]:
    """Return place and text of every value of a kind; none for other kinds than dates and numbers.

    Args:
        text: Where to look.
        kind: "temporal" or "numeric".
        like: An answer; only numbers that count the same thing are returned. All numbers are, if
            it is empty or counts nothing.

    Example:
        >>> values_of("It has 12 zones and 90 fans.", "numeric", like="12 zones")
        [(7, '12')]
        >>> [value for _, value in values_of("兵士3人と船5隻", "numeric", like="3人")]
        ['3']
    """
    if kind == "numeric":
        numbers = [(match.start(), match.group()) for match in _numbers_in(text)]
        counter = counter_of(like)
        return [(at, value) for at, value in numbers if _counts(text, at, value, counter)]
    if kind == "temporal":
        return [(match.start(), match.group()) for match in _DATE.finditer(text)]
    return []


def counter_of(answer: str) -> str:
    """Return what the first number of an answer counts; empty for a bare number.

    Example:
        >>> [counter_of(text) for text in ("about 90 kilograms", "60 %", "約120人", "7")]
        ['kilograms', '%', '人', '']
    """
    match = next(iter(_numbers_in(answer)), None)
    if match is None:
        return ""
    if answer[: match.start()].rstrip()[-1:] in set(_CURRENCY):
        return answer[: match.start()].rstrip()[-1:]
    return _after(answer, match.end())


def best_answer(question: str, text: str, kind: str, *, reference: str = "") -> str:
    """Return the value of `text` whose surroundings share most with the question.

    Args:
        question: What is asked.
        text: Where to look.
        kind: "temporal" or "numeric".
        reference: The expected answer, whose counter a number must have.

    Returns:
        The value; empty if the text has none but those of the question.

    Example:
        >>> best_answer("In which year was the pump built?",
        ...             "The vent was made in 1990, and the pump was built in 1995.", "temporal")
        '1995'
    """
    wanted = set(keys_of(question))
    best, most = "", -1.0
    for offset, value in values_of(text, kind, like=reference):
        if value in question:  # it tells which thing is meant
            continue
        around = text[max(0, offset - WINDOW) : offset + len(value) + WINDOW]
        clause = _clause_around(text, offset)
        shared = len(wanted & set(keys_of(clause))) + 0.1 * len(wanted & set(keys_of(around)))
        if shared > most:
            best, most = value, shared
    return best


def holds(text: str, answer: str) -> bool:
    """Return whether an answer stands in a text as whole words; case and width do not matter.

    Example:
        >>> holds("It takes 5 seconds.", "5 seconds."), holds("It takes 15 seconds.", "5 seconds.")
        (True, False)
        >>> holds("Nobody knows", "No."), holds("It is 1.5 m.", "5 m"), holds("兵士13人", "3人")
        (False, False, False)
    """
    there, wanted = _folded(text), _folded(answer)
    if not wanted:
        return False
    before = r"(?<!\d)(?<!\d[.,])" if wanted[0].isdecimal() else ""
    after = r"(?![.,]?\d)" if wanted[-1].isdecimal() else ""
    before += "" if is_cjk(wanted[0]) else r"(?<![^\W\u3040-\u9fff])"
    after += "" if is_cjk(wanted[-1]) else r"(?![^\W\u3040-\u9fff])"
    return re.search(before + re.escape(wanted) + after, there) is not None


async def agrees_with_reference(draft: Draft, answer: str, writer: Writer) -> tuple[bool, str]:
    """Return whether an answer is right by the draft's reference, and why.

    A model gives the verdict, unless rules find the answer right by the reference and the reference
    right by the answer.
    """
    read = f"read {answer[:160]!r}"
    if _certainly_agrees(draft, answer):
        return True, read
    reply = await writer.ask(
        AnswerVerdictOf(
            query="\n".join([*(turn.question for turn in draft.turns), draft.question]),
            response=answer,
            references=(draft.reference,),
            expected="correct_premise" if draft.behaviour == "correct_premise" else "answer",
        )
    )
    return reply.verdict == "right", f"{read}: {reply.summary}"


def _certainly_agrees(draft: Draft, answer: str) -> bool:
    """Return whether an answer and the reference are each right by the other, by rule.

    People agree with 97 of 100 such verdicts on EVOUNA's answers to NQ, with 99 on those to TQ.
    """
    question, known = draft.full_question, draft.reference
    pairs = ((answer, known), (known, answer))
    return draft.behaviour == "answer" and all(
        verdict_on(question, response, [reference]).verdict == "right"
        for response, reference in pairs
    )


def letters_of(text: str) -> str:
    """Return the letters and digits of a text: case, blanks and marks do not matter.

    Example:
        >>> letters_of("The VT-240, here.")
        'thevt240here'
    """
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(plain.split()).strip(" .。,;:!?\"'“”「」")


def _numbers_in(text: str) -> list[re.Match[str]]:
    return list((_CJK_NUMBER if is_cjk(text) else _NUMBER).finditer(text))


def _counts(text: str, offset: int, value: str, counter: str) -> bool:
    """Return whether the number at a place counts what a counter says."""
    if not counter:
        return True
    if counter in _CURRENCY and text[:offset].rstrip()[-1:] == counter:
        return True
    after = _after(text, offset + len(value))
    if is_cjk(counter):
        return after.startswith(counter)
    wanted = set(keys_of(counter)) or {counter}
    return not wanted.isdisjoint(set(keys_of(after)) or {after})


def without_steps(answer: str) -> str:
    """Return an answer without the numbers of its steps, "1." or "(1)", if they count from 1."""
    marks = [int(match["number"]) for match in _STEP.finditer(answer)]
    counted = len(marks) > 1 and marks == list(range(1, len(marks) + 1))
    return _STEP.sub("", answer).strip() if counted else answer


def _after(text: str, end: int) -> str:
    """Return what is counted after a number: a counter, or up to three words."""
    magnitude = _MAGNITUDE.match(text, end)
    rest = text[magnitude.end() if magnitude else end :]
    if is_cjk(text):
        plain = unicodedata.normalize("NFKC", rest[:_COUNTER_LENGTH])
        return _COUNTER_END.split(plain, maxsplit=1)[0]
    phrase = re.split(r"[,.;:()\d]| (?:and|or|und|oder|of|von|in) ", rest.lstrip(" -"), maxsplit=1)
    return " ".join(_UNIT.findall(phrase[0])[: _ADJECTIVES + 1])


def _clause_around(text: str, offset: int) -> str:
    """Return the stretch between commas or full stops that a place lies in."""
    start = 0
    for match in _BORDER.finditer(text):
        if match.start() > offset:
            return text[start : match.start()]
        start = match.end()
    return text[start:]

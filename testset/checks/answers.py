"""Comparing answers: which values a text offers, and whether two answers say the same.

A number is compared only with numbers that count the same thing: "30 ships" is no other answer
than "120 people".
"""

import re
import unicodedata

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdictOf
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, normalise
from llamaindex_rag_eval.judge.rules.values import Value, values_of
from llamaindex_rag_eval.judge.rules.verdict import verdict_on
from testset.checks.draft import Draft
from testset.corpus.index import keys_of

KINDS = {"temporal": "date", "numeric": "number"}
"""Kind of question -> the kind of value that answers it."""
_STEP = re.compile(r"(?<![^\s:：;；。、,，])[(（]?(?P<number>\d{1,2})[.)）、．](?=\D)")
"""What stands before a step in an answer of one line."""
_BEHIND = re.compile(r"[,.;:()\d]| (?:and|or|und|oder|of|von|in) ")
"""Ends what a number counts."""
_COUNTED = 3
"""Words behind a number that may say what it counts: the last, behind two adjectives."""


def values_like(text: str, kind: str, reference: str = "") -> list[Value]:
    """Return the dates or the numbers of a text, by the kind of a question; none for other kinds.

    Args:
        text: Where to look.
        kind: "temporal" or "numeric".
        reference: An answer; only numbers that count what its first one counts are returned, all
            if it counts nothing.

    Example:
        >>> [value.number for value in values_like("12 zones and 90 fans.", "numeric", "8 zones")]
        [12.0]
        >>> [value.number for value in values_like("兵士3人と船5隻", "numeric", "2人")]
        [3.0]
    """
    values = [value for value in values_of(text) if value.kind == KINDS.get(kind)]
    known = next((value for value in values_of(reference) if value.kind == "number"), None)
    if kind != "numeric" or known is None:
        return values
    wanted = _counted(reference, known)
    return [v for v in values if not wanted or not wanted.isdisjoint(_counted(text, v))]


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


async def agrees_with_reference(draft: Draft, answer: str, judge: Judge) -> tuple[bool, str]:
    """Return whether an answer is right by the draft's reference, and why.

    A model gives the verdict, unless rules find the answer right by the reference and the reference
    right by the answer.
    """
    read = f"read {answer[:160]!r}"
    if _certainly_agrees(draft, answer):
        return True, read
    corrects = draft.expected_behaviour == "correct_premise"
    reply = await judge.ask(
        AnswerVerdictOf(
            query="\n".join([*(turn.question for turn in draft.turns), draft.question]),
            response=answer,
            references=(draft.reference,),
            expected="correct_premise" if corrects else "answer",
        )
    )
    return reply.verdict == "right", f"{read}: {reply.summary}"


def _certainly_agrees(draft: Draft, answer: str) -> bool:
    """Return whether an answer and the reference are each right by the other, by rule.

    People agree with 97 of 100 such verdicts on EVOUNA's answers to NQ, with 99 on those to TQ.
    """
    question, known = draft.full_question, draft.reference
    pairs = ((answer, known), (known, answer))
    return draft.expected_behaviour == "answer" and all(
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


def _counted(text: str, value: Value) -> set[str]:
    """Return what a number measures, or the words behind it that may say what it counts."""
    if value.readings:
        return {dimension for dimension, _ in value.readings}
    plain = normalise(text)
    number, behind = plain[value.start : value.end], plain[value.end :]
    if is_cjk(text):
        return set((re.sub(r"[\d.,]+", "", number) or behind)[:1])
    return set(keys_of(" ".join(_BEHIND.split(behind.lstrip(" -"))[0].split()[:_COUNTED])))


def without_steps(answer: str) -> str:
    """Return an answer without the numbers of its steps, "1." or "(1)", if they count from 1."""
    marks = [int(match["number"]) for match in _STEP.finditer(answer)]
    counted = len(marks) > 1 and marks == list(range(1, len(marks) + 1))
    return _STEP.sub("", answer).strip() if counted else answer

"""Agreement: does an answer say what the reference says? By rule where rules can tell."""

import re
import unicodedata

from testset.checks.draft import Draft
from testset.requests.writer import Writer

__all__ = ["agrees", "says_the_same"]


def agrees(reference: str, answer: str, *, question: str = "") -> bool | None:
    """Return whether an answer says what the reference says; `None` if words do not tell.

    Args:
        reference: The right answer.
        answer: The other; an empty one agrees with nothing.
        question: Numbers that stand in it need not be repeated.

    Example:
        >>> agrees("90 kilograms.", "It weighs 90 kilograms"), agrees("In 1843.", "In 1850.")
        (True, False)
        >>> agrees("Because of frost.", "The cold makes it burst.") is None
        True
    """
    wanted, said = _flat(reference), _flat(answer)
    if not wanted or not said:
        return False
    if wanted in said:
        return True
    if _numbers(reference) - _numbers(question) - _numbers(answer):
        return False
    return None


async def says_the_same(draft: Draft, answer: str, writer: Writer) -> tuple[bool, str]:
    """Return whether an answer says what the draft's reference says, and why.

    A model is asked only where the rule cannot tell.
    """
    known = agrees(draft.reference, answer, question=draft.question)
    if known is not None:
        return known, f"read {answer[:160]!r}"
    verdict = await writer.same(draft.question, draft.reference, answer)
    return verdict.same, verdict.reason or f"read {answer[:160]!r}"


def _numbers(text: str) -> set[str]:
    plain = re.sub(r"(?<=\d)[,.](?=\d{3}(?!\d))", "", unicodedata.normalize("NFKC", text))
    return set(re.findall(r"\d+", plain))


def _flat(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())

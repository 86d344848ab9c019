"""The verdict on a whole answer, by its words and those of the references.

A short reference is looked for in the response, a short response in the reference, and of two
sentences each in the other. What is found is right unless something contradicts it: another number,
date or name, a negation, a yes for a no.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from llamaindex_rag_eval.judge.rules.answers import answer_forms, match_answer, short_answer
from llamaindex_rag_eval.judge.rules.claims import is_short_answer
from llamaindex_rag_eval.judge.rules.conflicts import conflicts_between
from llamaindex_rag_eval.judge.rules.frames import polarity_of, without_frame
from llamaindex_rag_eval.judge.rules.index import index_sentences
from llamaindex_rag_eval.judge.rules.lexicon import count_negations
from llamaindex_rag_eval.judge.rules.profile import content_share, profile_of, source_profiles
from llamaindex_rag_eval.judge.rules.refusals import is_refusal
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.support import SupportByRule, support_of
from llamaindex_rag_eval.judge.rules.tokens import terms
from llamaindex_rag_eval.judge.rules.vocabulary import cjk_function_characters
from llamaindex_rag_eval.models.request import Embed

__all__ = ["VerdictByRule", "verdict_on"]

Level = Literal["right", "partly_right", "wrong", "not_attempted"]

_ENOUGH = 0.5
"""Probability from which an answer counts as found: more likely than not."""
_ECHO = 0.5
"""Share of the question's words from which a text is a sentence that takes it up."""
_JOINED = re.compile(r"\b(?:and|und|sowie)\b|[和与及]", re.IGNORECASE)
"""What shows that a text with commas is a list, all of which is wanted."""
_FEWEST = 3
"""Terms below which a response is yes or no alone."""
_CONTRAST = re.compile(
    r"\b(?:until|till|only|but|except|nur|erst|sondern|außer)\b|しか|だけ|ではなく|只|才|除了|而是"
)
"""Words beside which a negation takes nothing from the answer."""
_SOME = 0.2
"""Share of a long reference from which an answer is right in part."""
_PART = re.compile(
    r"\s*(?:[,;、，；]|\s(?:and|und|sowie|as well as)\s|[和与及])\s*(?:(?:and|und)\s+)?"
)
"""What stands between the parts of a list."""
_COMPARED = 2_000
"""Characters of two sentences that are compared word by word."""
_ALIKE = 0.7
"""Share of words that two sentences have in common, from which one is the other but for a change."""


class VerdictByRule(NamedTuple):
    """Whether an answer is right.

    Attributes:
        verdict: On the answer as a whole.
        reason: In words.
        missing: What it lacks, in the words of the reference.
        wrong: What is wrong in it, in its own words.
    """

    verdict: Level
    reason: str
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


def verdict_on(
    question: str,
    response: str,
    references: Sequence[str],
    *,
    expected: str = "answer",
    embed: Embed | None = None,
) -> VerdictByRule:
    """Return the verdict on a response.

    Args:
        question: The question, with the conversation before it.
        response: The answer.
        references: The right answers, each perhaps in several forms with slashes between them; one
            of them is enough.
        expected: `answer`, or what else a good response does: `refuse`, `clarify` (ask back),
            `correct_premise`.
        embed: Embeds texts, one row each; with it, nearness in meaning counts too.

    Example:
        >>> verdict_on("Who built the lock?", "It was Ito.", ["Ito built the lock."]).verdict
        'right'
        >>> verdict_on("When was it built?", "In 1920.", ["It was built in 1890."])
        VerdictByRule(verdict='wrong', reason="It says '1920' for '1890'.", missing=(), wrong=('1920',))
        >>> verdict_on("Who built the lock?", "I don't know.", ["Ito"]).verdict
        'not_attempted'
    """
    refused = is_refusal(response) or not terms(response)
    if expected == "answer" and references and all(map(is_refusal, references)):
        expected = "refuse"
    instead = _instead(response, expected, refused=refused)
    if instead is not None:
        return instead
    if refused:
        return VerdictByRule("not_attempted", "It gives no answer.")
    asked = _as_question(question)
    forms = _least_forms([form for each in references for form in answer_forms(each)])
    found = [_held_against(asked, response, form, embed) for form in forms]
    order: tuple[Level, ...] = ("right", "partly_right", "wrong", "not_attempted")
    return min(found, key=lambda one: order.index(one.verdict))


def _instead(response: str, expected: str, *, refused: bool) -> VerdictByRule | None:
    """Return the verdict where a question is not to be answered as it stands."""
    if expected == "refuse":
        if refused:
            return VerdictByRule("right", "It declines, as it should.")
        return VerdictByRule("wrong", "It answers what it ought to decline.")
    if expected == "clarify":
        if response.rstrip().endswith(("?", "？")):
            return VerdictByRule("right", "It asks back, as it should.")
        return None if refused else VerdictByRule("wrong", "It answers and ought to ask back.")
    return None  # a premise is corrected by saying what the reference says


def _least_forms(forms: Sequence[str]) -> list[str]:
    """Return the forms that contain no other one: what "Norman origin" adds to "Norman" is nothing.

    Example:
        >>> _least_forms(["Norman", "Norman origin", "Norse"])
        ['Norman', 'Norse']
    """
    keys = {form: profile_of(form).weights.keys() for form in forms}
    return [
        form
        for form, own in keys.items()
        if own and not any(other and other < own for other in keys.values())
    ] or list(keys)


def _held_against(
    question: str, response: str, reference: str, embed: Embed | None
) -> VerdictByRule:
    """Return the verdict on a response by one reference."""
    if _plain(without_frame(response)) == _plain(without_frame(reference)):
        return VerdictByRule("right", "It says what the reference says, word for word.")
    by_polarity = _by_polarity(question, response, reference)
    if by_polarity is not None:
        return by_polarity
    chance = _chance(question, response, reference, embed)
    parts = _parts(reference) if _is_fragment(reference, question) else ()
    lost = [part for part in parts if _chance(question, response, part, embed) < _ENOUGH]
    listed = bool(lost) and len(lost) < len(parts)
    if chance < _ENOUGH and not listed and len(sentences(reference)) > 1:
        return _by_sentences(response, sentences(reference), embed)
    conflict = _conflict(question, response, reference)
    if conflict is not None:
        said, stands = conflict
        reason = f"It says {said!r} for {stands!r}." if stands else "It denies the reference."
        return VerdictByRule("wrong", reason, wrong=(said,))
    if listed and (chance < _ENOUGH or _JOINED.search(reference)):
        return VerdictByRule("partly_right", f"It lacks {', '.join(lost)}.", missing=tuple(lost))
    if chance < _ENOUGH:
        reason = f"It lacks what the reference says; that it has it is {chance:.0%} likely."
        return VerdictByRule("wrong", reason)
    return VerdictByRule("right", f"It gives the answer; that is {chance:.0%} likely.")


def _given(question: str, answer: str, text: str) -> float:
    """Return how likely a text gives a short answer, whatever else it says, in [0, 1]."""
    stated = short_answer(f"{question} {answer}")
    if stated is None or not source_profiles(text):
        return 0.0
    index = index_sentences([source_profiles(text)], (0,))
    missing = any(number not in index.numbers for number in stated.names[0].numbers)
    features = {**match_answer(stated, index).features, "numbers_missing": float(missing)}
    model = _weights()
    score = sum(weight * features[name] for name, weight in model["weights"].items())
    return 1 / (1 + math.exp(-model["bias"] - score))


@cache
def _weights() -> Mapping[str, Any]:
    """Return the weights of what a short answer has in common with a text that may give it.

    `tests/benchmarks/fit_rules.py` fitted them on what people said of whole answers; what is fitted
    for claims does not change them.
    """
    text = files(__package__).joinpath("verdict_weights.json").read_text(encoding="utf-8")
    weights: Mapping[str, Any] = json.loads(text)
    return weights


def _by_sentences(response: str, wanted: Sequence[str], embed: Embed | None) -> VerdictByRule:
    """Return the verdict on a long answer: how much of a long reference does it give?"""
    found = support_of(wanted, [response], embed=embed)
    share = math.fsum(entry.probability for entry in found) / len(found)
    pairs = zip(wanted, found, strict=True)
    lost = tuple(sentence for sentence, entry in pairs if entry.probability < _ENOUGH)
    reason = f"It gives {share:.0%} of what the reference says."
    if share >= _ENOUGH:
        return VerdictByRule("right", reason)
    if share >= _SOME:
        return VerdictByRule("partly_right", reason, missing=lost)
    return VerdictByRule("wrong", reason)


def _chance(question: str, response: str, reference: str, embed: Embed | None) -> float:
    """Return how likely a response gives what a reference says, in [0, 1].

    A short reference is looked for in the response. Of a longer one the response may give only
    what is asked for, so the response, too, is looked for in it.
    """
    theirs = without_frame(reference)
    own = without_frame(response)
    chances = [_given(question, theirs, response)]
    if not _is_fragment(theirs, question):
        found = support_of([theirs], [response], embed=embed)
        if min(len(sentences(own)), len(sentences(theirs))) == 1:
            chances.append(_given(question, own, reference))
            found += support_of([own], [reference], embed=embed)
        chances += [entry.probability for entry in found]
    return max(chances)


def _by_polarity(question: str, response: str, reference: str) -> VerdictByRule | None:
    """Return the verdict on yes and no, where the reference begins with it, or the response is it.

    A response that begins with neither says no by a negation, if it takes up the question.
    """
    wanted, given = polarity_of(reference), polarity_of(response)
    said = sentences(response)[0]
    if wanted is None and given is not None and len(terms(response)) < _FEWEST:
        wanted = _affirms(reference, question)
    asked = profile_of(question)
    if given is None and content_share(asked, profile_of(said).weights) >= _ECHO:
        given = _affirms(said, question)
    if wanted is None or given is None:
        return None
    if given != wanted:
        return VerdictByRule("wrong", "It says yes for no, or no for yes.", wrong=(said,))
    return VerdictByRule("right", "It says the same: yes or no.")


def _affirms(text: str, question: str) -> bool:
    """Return whether a text denies no more than its question does."""
    return bool(count_negations(text)) == bool(count_negations(question))


def _plain(text: str) -> str:
    return " ".join(term.surface.casefold() for term in terms(text))


def _conflict(question: str, response: str, reference: str) -> tuple[str, str] | None:
    """Return what the sentence with the answer says, and what the reference has in its place."""
    wanted = profile_of(without_frame(reference))
    units = [unit for unit in sentences(response) if profile_of(unit).keys]
    said = max(units, key=lambda unit: content_share(wanted, profile_of(unit).weights), default="")
    own = without_frame(said)
    if _is_fragment(wanted.text, question):
        denied = count_negations(said) and not count_negations(f"{question} {wanted.text}")
        if denied and not _CONTRAST.search(said):
            return said, ""
        return _other_value(question, own, wanted.text)
    near = max(
        sentences(reference),
        key=lambda unit: content_share(profile_of(unit), profile_of(own).weights),
    )
    if _plain(own) in _plain(near):
        return None
    if is_short_answer(own) and (other := _other_value(question, own, near)):
        return other
    if conflicts_between(own, near, question=question):
        return own, near
    return _exchanged(own, near)


def _other_value(question: str, own: str, reference: str) -> tuple[str, str] | None:
    """Return a number for which the reference has another, if neither has both."""
    said, asked, wanted = (profile_of(text).numbers for text in (own, question, reference))
    others, lacking = sorted(said - wanted - asked), sorted(wanted - said - asked)
    return (others[0], lacking[0]) if others and lacking else None


def _exchanged(own: str, theirs: str) -> tuple[str, str] | None:
    """Return the words that stand in a sentence for others, if all around them is alike."""
    one, other = _units(own[:_COMPARED]), _units(theirs[:_COMPARED])
    blocks = SequenceMatcher(None, one, other, autojunk=False)
    if blocks.ratio() < _ALIKE:
        return None
    if bool(count_negations(own)) != bool(count_negations(theirs)):
        return own, ""
    for kind, start, end, first, last in blocks.get_opcodes():
        said, stands = one[start:end], other[first:last]
        if kind == "replace" and _differ(said, stands):
            return " ".join(said), " ".join(stands)
    return None


def _differ(said: Sequence[str], stands: Sequence[str]) -> bool:
    """Return whether names or numbers stand for others; other words may say the same."""
    one, other = profile_of(" ".join(said)), profile_of(" ".join(stands))
    if not (one.content and other.content) or set(said) & set(stands):
        return False
    if one.cjk or other.cjk:
        return min(len(said), len(stands)) > 1 and not any(map(_is_grammar, (*said, *stands)))
    return all(any(not word[0].islower() for word in words) for words in (said, stands))


def _is_grammar(character: str) -> bool:
    return character in cjk_function_characters() or "\u3040" <= character <= "\u309f"


def _units(text: str) -> list[str]:
    """Return the words of a text in order; in Chinese and Japanese its characters."""
    return [term.surface for term in terms(text) if term.kind != "cjk" or len(term.key) == 1]


def _parts(reference: str) -> tuple[str, ...]:
    """Return the items of a list, or nothing for a text that is none.

    Example:
        >>> _parts("German, French and Italian"), _parts("Ada Holm")
        (('German', 'French', 'Italian'), ())
    """
    plain = " ".join(without_frame(reference).split()).rstrip(".。")
    parts = [part for part in _PART.split(plain) if part]
    return tuple(parts) if len(parts) > 1 and all(map(is_short_answer, parts)) else ()


def _is_fragment(text: str, question: str) -> bool:
    """Return whether a text is an answer without a predicate of its own or of the question."""
    asked = profile_of(question)
    return is_short_answer(text) and content_share(asked, profile_of(text).weights) < _ECHO


def _as_question(question: str) -> str:
    plain = " ".join(question.split())
    return plain if plain.endswith(("?", "？")) else f"{plain}?"


def support_as_answer(question: str, claim: str, source: str) -> SupportByRule | None:
    """Return whether a source that answers a question bears out a claim, as far as it is asked.

    Args:
        question: What both answer.
        claim: A statement.
        source: A text.

    Returns:
        The verdict by a short answer: a claim that gives it is supported. By one sentence: a claim
        that differs from it in one thing alone is contradicted. Else `None`.

    Example:
        >>> support_as_answer("Who built the lock?", "Ito built the red lock in 1890.", "Ito").verdict
        'supported'
    """
    if not question or short_answer(claim) is not None:
        return None
    asked, short = _as_question(question), without_frame(source)
    fragment = _is_fragment(short, asked)
    if fragment:
        chance = _chance(asked, claim, short, None)
        conflict = _conflict(asked, claim, short)
    else:
        chance = 0.0
        conflict = _exchanged(claim, source) if len(sentences(source)) == 1 else None
    if conflict is not None:
        reason = f"It says {conflict[0]!r} for {conflict[1]!r}." if conflict[1] else "It denies it."
        return SupportByRule("contradicted", (), (0,), False, source, 0.0, reason)
    if not fragment:
        return None
    reason = f"It gives the answer; that is {chance:.0%} likely."
    if chance >= _ENOUGH:
        return SupportByRule("supported", (0,), (), False, source, chance, reason)
    return SupportByRule("not_mentioned", (), (), False, "", chance, reason)

"""The verdict on a whole answer, by its words and those of the references.

A short reference is looked for in the response, a short response in the reference, and of two
sentences each in the other. What is found is right unless something contradicts it: another number,
date or name, a negation, a yes for a no.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from llamaindex_rag_eval.judge.rules.answer_conflicts import (
    ECHO,
    answer_conflict,
    is_fragment,
    plain_words,
)
from llamaindex_rag_eval.judge.rules.answers import (
    answer_forms,
    match_answer,
    short_answer,
)
from llamaindex_rag_eval.judge.rules.claims import as_question, is_short_answer
from llamaindex_rag_eval.judge.rules.index import index_sentences
from llamaindex_rag_eval.judge.rules.lexicon import count_negations
from llamaindex_rag_eval.judge.rules.phrases import is_refusal, polarity_of, without_frame
from llamaindex_rag_eval.judge.rules.profile import content_share, profile_of, source_profiles
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.support import (
    support_of,
)
from llamaindex_rag_eval.judge.rules.tokens import terms
from llamaindex_rag_eval.judge.rules.values import values_of, written_as_in
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of
from llamaindex_rag_eval.models.request import Embed

Level = Literal["right", "partly_right", "wrong", "not_attempted"]

ENOUGH = 0.5
"""Probability from which an answer counts as found: more likely than not."""
_ORDER: tuple[Level, ...] = ("right", "partly_right", "wrong", "not_attempted")
"""The levels, the best first."""
_JOINED = pattern_of("joined")
"""What shows that a text with commas is a list, all of which is wanted."""
_FEWEST = 3
"""Terms below which a response is yes or no alone."""
_SOME = 0.25
"""Share of a long reference from which an answer is right in part."""
_PART = pattern_of("joined", r"\s*(?:[,;、，；]|(?<!-){}(?!-))\s*(?:{}\s+)?")
"""What stands between the parts of a list."""


class VerdictByRule(NamedTuple):
    """Whether an answer is right.

    Attributes:
        verdict: On the answer as a whole.
        reason: In words.
        missing: What it lacks, in the words of the reference.
        wrong: What is wrong in it, in its own words.
        probability: That the answer is in it, whatever speaks against that, in [0, 1].
    """

    verdict: Level
    reason: str
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    probability: float = 0.0


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
        >>> found = verdict_on("When was it built?", "In 1920.", ["It was built in 1890."])
        >>> found.verdict, found.wrong, found.reason
        ('wrong', ('1920',), "It says '1920' for '1890'.")
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
    plain_question = as_question(question)
    forms = _least_forms([form for each in references for form in answer_forms(each)])
    return best_of(_held_against(plain_question, response, form, embed) for form in forms)


def best_of(verdicts: Iterable[VerdictByRule]) -> VerdictByRule:
    """Return the highest verdict, and of equal ones the likeliest."""
    return min(verdicts, key=lambda verdict: (_ORDER.index(verdict.verdict), -verdict.probability))


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
    if plain_words(without_frame(response)) == plain_words(without_frame(reference)):
        reason = "It says what the reference says, word for word."
        return VerdictByRule("right", reason, probability=1.0)
    by_polarity = _by_polarity(question, response, reference)
    if by_polarity is not None:
        return by_polarity
    chance = _chance(question, response, reference, embed)
    parts = list_parts(reference) if is_fragment(reference, question) else ()
    lost = [part for part in parts if _chance(question, response, part, embed) < ENOUGH]
    listed = bool(lost) and len(lost) < len(parts)
    if chance < ENOUGH and not listed and len(sentences(reference)) > 1:
        return _by_sentences(question, response, sentences(reference))
    conflict = answer_conflict(question, response, reference)
    if conflict is not None:
        said, stands = conflict
        return VerdictByRule(
            "wrong", conflict_text(said, stands), wrong=(said,), probability=chance
        )
    if listed and (chance < ENOUGH or _JOINED.search(reference)):
        reason, share = f"It lacks {', '.join(lost)}.", 1 - len(lost) / len(parts)
        return VerdictByRule("partly_right", reason, missing=tuple(lost), probability=share)
    if chance < ENOUGH:
        reason = f"It lacks what the reference says; that it has it is {chance:.0%} likely."
        return VerdictByRule("wrong", reason, probability=chance)
    reason = f"It gives the answer; that is {chance:.0%} likely."
    return VerdictByRule("right", reason, probability=chance)


def conflict_text(said: str, stands: str) -> str:
    """Return in words what an answer says that the reference does not."""
    return f"It says {said!r} for {stands!r}." if stands else "It denies the reference."


def _given(question: str, answer: str, text: str) -> float:
    """Return how likely a text gives a short answer, whatever else it says, in [0, 1]."""
    stated = short_answer(f"{question} {answer}")
    if stated is None or not source_profiles(text):
        return 0.0
    index = index_sentences([source_profiles(text)], (0,))
    missing = any(number not in index.numbers for number in stated.names[0].numbers)
    features = {**match_answer(stated, index).features, "numbers_missing": float(missing)}
    model = verdict_weights()
    score = sum(weight * features[name] for name, weight in model["weights"].items())
    return 1 / (1 + math.exp(-model["bias"] - score))


@cache
def verdict_weights() -> Mapping[str, Any]:
    """Return the weights of what a short answer has in common with a text that may give it.

    They were fitted on what people said of whole answers; what is fitted for claims does not
    change them. `doubt_left` is what remains of the doubt once nothing contradicts the answer, by
    `tests/benchmarks/fit_verdict.py`.
    """
    text = files(__package__).joinpath("verdict_weights.json").read_text(encoding="utf-8")
    weights: Mapping[str, Any] = json.loads(text)
    return weights


def _by_sentences(question: str, response: str, wanted: Sequence[str]) -> VerdictByRule:
    """Return the verdict on a long answer: how much of a long reference does it give?"""
    chances = [_given(question, sentence, response) for sentence in wanted]
    share = math.fsum(chances) / len(chances)
    pairs = zip(wanted, chances, strict=True)
    lost = tuple(sentence for sentence, chance in pairs if chance < ENOUGH)
    reason = f"It gives {share:.0%} of what the reference says."
    if share >= ENOUGH:
        return VerdictByRule("right", reason, probability=share)
    if share >= _SOME:
        return VerdictByRule("partly_right", reason, missing=lost, probability=share)
    return VerdictByRule("wrong", reason, probability=share)


def _chance(question: str, response: str, reference: str, embed: Embed | None) -> float:
    """Return how likely a response gives what a reference says, in [0, 1].

    A short reference is looked for in the response. Of a longer one the response may give only
    what is asked for, so the response, too, is looked for in it.
    """
    theirs = without_frame(reference)
    response = written_as_in([theirs], response)
    own = without_frame(response)
    chances = [_given(question, theirs, response)]
    if not is_fragment(theirs, question):
        support = support_of([theirs], [response], answers=True, embed=embed)
        if min(len(sentences(own)), len(sentences(theirs))) == 1:
            chances.append(_given(question, own, reference))
            support += support_of([own], [reference], answers=True, embed=embed)
        chances += [entry.degree for entry in support]
    return max(chances)


def _by_polarity(question: str, response: str, reference: str) -> VerdictByRule | None:
    """Return the verdict on yes and no, where the reference begins with it, or the response is it.

    A response that begins with neither says no by a negation, if it takes up the question.
    """
    wanted, given = polarity_of(reference), polarity_of(response)
    said = sentences(response)[0]
    if wanted is None and given is not None and len(terms(response)) < _FEWEST:
        wanted = _affirms(reference, question)
    in_question = profile_of(question)
    if given is None and content_share(in_question, profile_of(said).weights) >= ECHO:
        given = _affirms(said, question)
    if wanted is None or given is None:
        return None
    if given != wanted:
        return VerdictByRule("wrong", "It says yes for no, or no for yes.", wrong=(said,))
    return VerdictByRule("right", "It says the same: yes or no.", probability=1.0)


def _affirms(text: str, question: str) -> bool:
    """Return whether a text denies no more than its question does."""
    return bool(count_negations(text)) == bool(count_negations(question))


def list_parts(reference: str) -> tuple[str, ...]:
    """Return the items of a list, or nothing for a text that is none.

    Example:
        >>> list_parts("German, French and Italian"), list_parts("Ada Holm")
        (('German', 'French', 'Italian'), ())
    """
    plain = " ".join(without_frame(reference).split()).rstrip(".。")
    if any(value.start == 0 and value.end == len(plain) for value in values_of(plain)):
        return ()  # "two hundred and four"
    parts = [part for part in _PART.split(plain) if part]
    return tuple(parts) if len(parts) > 1 and all(map(is_short_answer, parts)) else ()

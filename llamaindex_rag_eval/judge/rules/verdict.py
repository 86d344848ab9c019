"""The verdict on a whole answer, by what the question asks for.

Yes and no are compared as such. A short reference is looked for in the response, item by
item if it is a list. Of an explanation the response has to give the points. What is found is right
unless something contradicts it: another value, name or code in its place, or a negation.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from llamaindex_rag_eval.judge.rules.answers import answer_forms
from llamaindex_rag_eval.judge.rules.claims import as_question, is_fragment, is_short_answer
from llamaindex_rag_eval.judge.rules.conflicts import conflicts_between
from llamaindex_rag_eval.judge.rules.evidence import sources_of
from llamaindex_rag_eval.judge.rules.lexicon import antonyms, count_negations
from llamaindex_rag_eval.judge.rules.parts import is_object
from llamaindex_rag_eval.judge.rules.phrases import (
    is_refusal,
    polarity_of,
    without_frame,
    without_polarity,
)
from llamaindex_rag_eval.judge.rules.profile import content_share, profile_of, source_profiles
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.short_answers import (
    conflict_text,
    is_denied,
    list_parts,
    other_value,
    plain_words,
)
from llamaindex_rag_eval.judge.rules.support import SUPPORT_THRESHOLD, compared, support_of
from llamaindex_rag_eval.judge.rules.tokens import terms
from llamaindex_rag_eval.judge.rules.value_conflicts import absent_values
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of
from llamaindex_rag_eval.models.request import Embed

Level = Literal["right", "partly_right", "wrong", "not_attempted"]

_ORDER: tuple[Level, ...] = ("right", "partly_right", "wrong", "not_attempted")
"""The levels, the best first."""
_ECHO = 0.5
"""Share of the question's words from which a text is a sentence that takes it up."""
_MOST_POINTS = 2 / 3
"""Share of the points of an explanation from which an answer is right, and no more only in part."""
_FEW = 3
"""Words of content up to which a sentence says one thing, which an opposite turns round."""
_FEWEST = 3
"""Terms below which a response is yes or no alone, or a fragment of an explanation."""
_COMPARED = 2_000
"""Characters of two sentences that are compared; nobody wrote a longer one."""
_OPEN = pattern_of("open_question")
"""What asks for an explanation, and not for a name, place, date or number."""
_JOINED = pattern_of("joined")
"""What shows that a text with commas is a list, all of which is wanted."""


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
        references: The right answers, each perhaps in several forms with " / " between them; one
            of them is enough.
        expected: `answer`, or what else a good response does: `refuse`, `clarify` (ask back),
            `correct_premise`.
        embed: Embeds texts, one row each; with it, nearness in meaning counts too.

    Example:
        >>> verdict_on("Who built the lock?", "It was Ito.", ["Ito built the lock."]).verdict
        'right'
        >>> found = verdict_on("When was it built?", "In 1920.", ["It was built in 1890."])
        >>> found.verdict, found.wrong, found.reason
        ('wrong', ('1920',), "The answer says '1920'; the reference says '1890'.")
        >>> verdict_on("Who built the lock?", "I don't know.", ["Ito"]).verdict
        'not_attempted'
    """
    refused = is_refusal(response) or not terms(response)
    if expected == "answer" and references and all(map(is_refusal, references)):
        expected = "refuse"
    if expected == "answer" and references and all(map(_asks_back, references)):
        expected = "clarify"
    instead = _instead(response, expected, refused=refused)
    if instead is not None:
        return instead
    if refused or _asks_back(response):
        return VerdictByRule("not_attempted", "It gives no answer.")
    forms = [form for each in references for form in answer_forms(each) if terms(form)]
    if not forms:
        return VerdictByRule("wrong", "There is no reference to hold it against.")
    plain_question = as_question(question)
    return _best(_Held(plain_question, response, form, embed).verdict() for form in forms)


def _best(verdicts: Iterable[VerdictByRule]) -> VerdictByRule:
    """Return the highest verdict, and of equal ones the likeliest."""
    return min(verdicts, key=lambda verdict: (_ORDER.index(verdict.verdict), -verdict.probability))


def _asks_back(response: str) -> bool:
    """Return whether a response is nothing but questions."""
    units = sentences(response)
    return bool(units) and all(unit.endswith(("?", "？")) for unit in units)


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


class _Held:
    """A response held against one reference."""

    def __init__(self, question: str, response: str, reference: str, embed: Embed | None) -> None:
        self._question, self._response, self._embed = question, response, embed
        self._whole = reference
        self._wanted = without_frame(reference)
        self._given = without_frame(response)

    def verdict(self) -> VerdictByRule:
        same_words = plain_words(self._given) == plain_words(self._wanted)
        if same_words and not other_value(self._question, self._given, self._wanted):
            reason = "It says what the reference says, word for word."
            return VerdictByRule("right", reason, probability=1.0)
        by_polarity = self._by_polarity()
        if by_polarity is not None:
            return by_polarity
        if self._denies_the_opposite():
            reason = "It denies the opposite of what the reference says."
            return VerdictByRule("right", reason, probability=SUPPORT_THRESHOLD)
        if is_fragment(self._wanted, self._question):
            return self._by_short_answer()
        return self._by_points()

    def _by_polarity(self) -> VerdictByRule | None:
        """Compare yes and no, where the reference begins with it, or the response is it.

        A response that begins with neither says no by a negation, if it takes up the question.
        """
        wanted, given = self._stance(self._whole), self._stance(self._response)
        said = sentences(self._response)[0]
        if wanted is None and given is not None and len(terms(self._response)) < _FEWEST:
            wanted = self._affirms(self._whole)
        stated = without_polarity(self._whole)
        says_more = not profile_of(stated).content <= profile_of(self._question).content
        if wanted is not None and given is None and says_more:
            chance = self._support(stated, self._response)
            if chance >= SUPPORT_THRESHOLD:
                reason = "It says what the reference says beside yes or no."
                return VerdictByRule("right", reason, probability=chance)
        if given is None and self._takes_up_question(said):
            given = self._affirms(said)
            if given and wanted and says_more:  # no negation, which both may lack by chance
                return None
        if wanted is not None and given is None and len(terms(self._whole)) < _FEWEST:
            return VerdictByRule("wrong", "It says neither yes nor no.", missing=(self._whole,))
        if wanted is None or given is None:
            return None
        if given != wanted:
            return VerdictByRule("wrong", "It says yes for no, or no for yes.", wrong=(said,))
        return VerdictByRule("right", "It says the same: yes or no.", probability=1.0)

    def _stance(self, text: str) -> bool | None:
        """Return whether a text that begins with yes or no affirms what is asked.

        Its words count for more than its beginning, if they have all of the question: "Yes, it is
        not safe."
        """
        polarity, question = polarity_of(text), profile_of(self._question)
        if polarity is not None:
            first = profile_of(without_polarity(sentences(text)[0])).segments[0]
            if question.content and content_share(question, first.weights) == 1:
                return self._affirms(first.text)
        return polarity

    def _denies_the_opposite(self) -> bool:
        """Return whether one of two sentences denies an opposite of the other: "not open", "closed"."""
        given, wanted = profile_of(self._given), profile_of(self._wanted)
        if max(len(given.content), len(wanted.content)) > _FEW:
            return False
        return bool(given.negated) != bool(wanted.negated) and any(
            antonyms().get(key, frozenset()) & wanted.weights.keys() for key in given.content
        )

    def _affirms(self, text: str) -> bool:
        """Return whether a text denies as little as its question, or denies the opposite of it."""
        question, own = (profile_of(each).weights.keys() for each in (self._question, text))
        table = antonyms()
        turned = any(table.get(key, frozenset()) & (own - question) for key in question - own)
        return bool(count_negations(text)) == bool(count_negations(self._question)) ^ turned

    def _takes_up_question(self, text: str) -> bool:
        return content_share(profile_of(self._question), profile_of(text).weights) >= _ECHO

    def _by_short_answer(self) -> VerdictByRule:
        """Look for a short answer in the response, item by item."""
        parts = list_parts(self._wanted)
        chance = self._chance(self._wanted)
        said, stands = self._other() or ("", "")
        if said:
            return VerdictByRule(
                "wrong", conflict_text(said, stands), wrong=(said,), probability=chance
            )
        lost = tuple(part for part in parts if self._chance(part) < SUPPORT_THRESHOLD)
        if (
            lost
            and len(lost) < len(parts)
            and (chance < SUPPORT_THRESHOLD or _JOINED.search(self._wanted))
        ):
            share = 1 - len(lost) / len(parts)
            reason = f"It lacks {', '.join(lost)}."
            return VerdictByRule("partly_right", reason, missing=lost, probability=share)
        if chance < SUPPORT_THRESHOLD or self._lacks_values():
            reason = "It does not give the answer of the reference."
            return VerdictByRule("wrong", reason, missing=(self._wanted,), probability=chance)
        return VerdictByRule("right", "It gives the answer of the reference.", probability=chance)

    def _lacks_values(self) -> bool:
        """Return whether a short answer is a number, date or code, and the response has none of it."""
        wanted, response = profile_of(self._wanted), source_profiles(self._given)
        absent = absent_values(wanted, response, profile_of(self._question))
        return bool(wanted.values) and len(list(absent)) == len(wanted.values)

    def _chance(self, answer: str) -> float:
        """Return how likely the words of the response give a short answer, whatever conflicts."""
        sources = sources_of((self._given,), self._question, answers=True)
        return compared(f"{self._question} {answer}", sources, self._question)[-1].chance

    def _other(self) -> tuple[str, str] | None:
        """Return what the response says in place of a short answer, or that it denies it."""
        wanted = profile_of(self._wanted)
        units = [unit for unit in sentences(self._response) if profile_of(unit).keys]
        said = max(
            units, key=lambda unit: content_share(wanted, profile_of(unit).weights), default=""
        )
        answers = ((said, self._wanted), (self._wanted, self._given))
        if is_denied(self._question, said, wanted) or any(
            is_object(self._question, text, answer.rstrip(".。")) for text, answer in answers
        ):
            return said, ""
        return other_value(self._question, without_frame(said), self._wanted)

    def _by_points(self) -> VerdictByRule:
        """Hold the response against a statement, or against the points of an explanation."""
        points = sentences(self._wanted)
        recall = [self._support(point, self._response) for point in points]
        share = math.fsum(recall) / len(recall)
        if len(points) == 1 and not _OPEN.search(self._question):
            share = max(share, self._precision())
        if other := self._differs(points):
            return VerdictByRule("wrong", conflict_text(*other), wrong=other[:1], probability=share)
        if share >= (SUPPORT_THRESHOLD if len(points) == 1 else _MOST_POINTS):
            return VerdictByRule("right", "It says what the reference says.", probability=share)
        missing = tuple(
            point
            for point, chance in zip(points, recall, strict=True)
            if chance < SUPPORT_THRESHOLD
        )
        if len(missing) < len(points):
            reason = f"It gives {share:.0%} of what the reference says."
            return VerdictByRule("partly_right", reason, missing=missing, probability=share)
        reason = "It does not say what the reference says."
        return VerdictByRule("wrong", reason, missing=missing, probability=share)

    def _support(self, claim: str, source: str) -> float:
        (entry,) = support_of(
            [f"{self._question} {claim}" if self._question else claim],
            [source],
            question=self._question,
            answers=True,
            embed=self._embed,
        )
        return entry.degree

    def _precision(self) -> float:
        """Return how likely the reference says what the response does: no more may be asked for."""
        negated = [bool(count_negations(each)) for each in (self._given, self._whole)]
        if len(sentences(self._given)) > 1 or negated[0] != negated[1]:
            return 0.0
        news = profile_of(self._given).content - profile_of(self._question).content
        return self._support(self._given, self._whole) if news else 0.0

    def _differs(self, points: Sequence[str]) -> tuple[str, str] | None:
        """Return in what a sentence of the response differs from the point that it speaks of."""
        given = sentences(self._given)
        for own in given:
            mine = profile_of(own)
            point = max(points, key=lambda each: content_share(mine, profile_of(each).weights))
            about = content_share(mine, profile_of(point).weights) >= _ECHO
            if plain_words(own) in plain_words(self._wanted) or not (about or len(given) == 1):
                continue
            short = is_short_answer(own)
            if short and (other := other_value(self._question, own, self._wanted)):
                return other
            conflicts = conflicts_between(
                own[:_COMPARED], point[:_COMPARED], question=self._question
            )
            if conflicts:
                return conflicts[0].claim, conflicts[0].sentence
        return None

"""Variants: a question as people ask it: with typos, in lower case, as key words, politely.

A model writes it in other words and in another language, too. A variant that asks for something
else is turned down, by the check `same_question`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.repeats import AS_WRITTEN, VARIANT, VARIANT_OF
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.errors import ReplyError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.rules.entities import entities_of
from llamaindex_rag_eval.judge.rules.lexicon import count_negations
from llamaindex_rag_eval.judge.rules.numerals import in_digits
from llamaindex_rag_eval.judge.rules.quantities import units_called
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, language_of as nearest_language
from llamaindex_rag_eval.judge.rules.vocabulary import function_words
from llamaindex_rag_eval.models.ask_ahead import gather_all
from llamaindex_rag_eval.models.request import Oracle
from testset.checks import same_question
from testset.checks.draft import rejected
from testset.golden.item import Check
from testset.requests.rewording import RewordingOf
from testset.rules.language import UNKNOWN, Language, language_of, languages

ALL_WORDS = frozenset({"typos", "lower_case", "polite"})
"""Kinds that leave out no word: only rules need to check them."""

MISTYPED = 10
"""A word in so many has a typo, and at least one has."""
_UNSPACED = ("han", "kana")
"""Scripts without spaces between words, which nothing here tells apart."""
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
"""The letters of a keyboard; neighbours are hit by mistake."""
_EDGE = "?？!！.。,，、;；:：()（）[]\"'“”„«»「」『』¿¡"
_WORD = re.compile(r"(?<!\S)[^\W\d_]{4,}(?=[?.,;:!]*(?:\s|$))")
"""A word of letters alone, so long that it stays readable with a typo: no part of an identifier, of
a path, or of what stands in quotes."""


@dataclass(frozen=True)
class Variants:
    """Questions with their variants.

    Attributes:
        samples: Each question, then its variants, which have its reference and gold spans;
            metadata say the kind (`variant`) and the id of the question (`variant_of`).
        turned_down: What was left out, and why.
    """

    samples: EvaluationDataset
    turned_down: tuple[str, ...] = ()


async def awith_variants(
    questions: HasSamples | Iterable[Sample],
    *,
    oracle: Oracle | None = None,
    language: str = "",
    seed: int = 0,
) -> Variants:
    """Return questions with their variants, at most six of each.

    A kind that makes no sense of a question is left out: Chinese and Japanese have no typos of
    this sort, and no spaces by which key words are found; what has no capitals has no lower case.
    Conversations have no variants.

    Args:
        questions: The questions.
        oracle: A model that words them in other words and in another language, and checks what
            leaves out words: two calls a question. Without it, rules do what they can.
        language: The other language by its English name; by default German for questions in
            English, and English for all others.
        seed: Of the typos.

    Raises:
        CallError: The model cannot be reached.
    """
    judge = None if oracle is None else Judge(oracle)
    dataset = EvaluationDataset.of(questions)
    each = await gather_all(*(_variants(sample, judge, language, seed) for sample in dataset))
    return Variants(
        EvaluationDataset(sample for samples, _ in each for sample in samples),
        tuple(reason for _, reasons in each for reason in reasons),
    )


with_variants = synced(awith_variants)
"""Return questions with their variants: `awith_variants`, where no `await` is."""


async def _variants(
    sample: Sample, judge: Judge | None, language: str, seed: int
) -> tuple[list[Sample], list[str]]:
    """Return a question with its variants, and what was turned down, with the reason."""
    if not isinstance(sample, SingleTurnSample):
        return [sample], []
    question, own = sample.query, _language_of(sample.query)
    draw = Random(f"{seed} {question}")  # noqa: S311 - no secret
    texts: dict[str, str] = {
        "typos": mistyped(question, draw),
        "lower_case": question.lower(),
        "key_words": key_words(question, own),
        "polite": own.polite.format(question=question),
    }
    reasons: list[str] = []
    if judge is not None:
        other = language or languages()["de" if own.code == "en" else "en"].name
        try:
            reply = await judge.ask(RewordingOf(question=question, language=other))
            texts |= dict(reply)
        except ReplyError as error:
            reasons.append(f"{question!r}: {error}")
    texts = {kind: text for kind, text in texts.items() if text not in ("", question)}
    checks = {kind: _checked(question, text, kind, own) for kind, text in texts.items()}
    if judge is not None:
        open_ = [k for k in texts if k not in ALL_WORDS and not checks[k].evidence]
        try:
            verdicts = await same_question.by_model(question, [texts[k] for k in open_], judge)
        except ReplyError as error:
            verdicts = (rejected(str(error)),) * len(open_)
        checks |= dict(zip(open_, verdicts, strict=True))
    reasons += [f"{texts[k]!r}: {c.evidence}" for k, c in checks.items() if c.evidence]
    kept = {AS_WRITTEN: question} | {k: t for k, t in texts.items() if not checks[k].evidence}
    return [_named(sample, kind, text) for kind, text in kept.items()], reasons


def _checked(question: str, text: str, kind: str, own: Language) -> Check:
    """Return what rules say of a variant; capitals do not tell names from nouns in German."""
    nouns = own.script == "latin" and not own.small
    unknown = kind == "other_language" or (kind == "other_words" and nouns)
    return same_question.by_rule(question, text, names=not unknown)


def _named(sample: SingleTurnSample, kind: str, text: str) -> SingleTurnSample:
    metadata = {**sample.metadata, VARIANT_OF: sample.id, VARIANT: kind}
    name = sample.id if kind == AS_WRITTEN else f"{sample.id}~{kind}"
    return sample.model_copy(update={"id": name, "query": text, "metadata": metadata})


def _language_of(question: str) -> Language:
    """Return the language of a question, which may be too short for a sure one."""
    return language_of(question) or languages().get(nearest_language(question), UNKNOWN)


def mistyped(question: str, draw: Random) -> str:
    """Return a question with a typo in some words of content; none in names and values.

    Two letters are exchanged, one is left out, or the key beside it is hit; the first letter of a
    word stays.

    Args:
        question: The question.
        draw: Draws the words and the typos.

    Example:
        >>> mistyped("How many valves does the VT-480 have?", Random(1))
        'How mny valves does the VT-480 have?'
    """
    words = [
        match
        for match in _WORD.finditer(question)
        if match[0].islower()
        and not (is_cjk(match[0]) or match[0] in _held(question))
        and in_digits(match[0]) == match[0]
        and not units_called(match[0])
    ]
    content = [match for match in words if match[0] not in function_words()] or words
    count = min(len(content), max(1, len(question.split()) // MISTYPED))
    for match in sorted(draw.sample(content, count), key=re.Match.start, reverse=True):
        word = _typo(match[0], draw)
        question = f"{question[: match.start()]}{word}{question[match.end() :]}"
    return question


def _typo(word: str, draw: Random) -> str:
    """Return a word with one typo."""
    at = draw.randrange(1, len(word) - 1)
    before, own, after = word[:at], word[at], word[at + 1 :]
    near = next((row[max(0, n - 1) : n + 2] for row in _ROWS if (n := row.find(own)) >= 0), "")
    typos = {before + after, before + after[0] + own + after[1:]}
    typos |= {before + key + after for key in near}
    return draw.choice(sorted(typos - {word}))


def key_words(question: str, language: Language) -> str:
    """Return the words of content of a question, as they are typed into a search.

    Example:
        >>> key_words("What does pump P7 weigh without its base?", languages()["en"])
        'pump P7 weigh without base'
    """
    if language is UNKNOWN or language.script in _UNSPACED:
        return ""
    tokens = [token.strip(_EDGE) for token in question.split()]
    silent = (function_words() | language.common) - _held(question)
    words = [w for w in tokens if w and (w.casefold() not in silent or count_negations(w))]
    return " ".join(words) if 1 < len(words) < len(tokens) else ""


def _held(question: str) -> frozenset[str]:
    """Return the words of the names, dates and values of a question, in small letters."""
    return frozenset(" ".join(entities_of(question)).casefold().split())

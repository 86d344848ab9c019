"""Short answers: their items, and how likely a text gives one."""

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from rapidfuzz import fuzz

from llamaindex_rag_eval.judge.rules.answers import answer_forms
from llamaindex_rag_eval.judge.rules.claims import is_short_answer
from llamaindex_rag_eval.judge.rules.evidence import Reader, sources_of
from llamaindex_rag_eval.judge.rules.phrases import without_frame
from llamaindex_rag_eval.judge.rules.profile import content_share, profile_of, weight_of_keys
from llamaindex_rag_eval.judge.rules.tokens import terms
from llamaindex_rag_eval.judge.rules.values import values_of
from llamaindex_rag_eval.judge.rules.vocabulary import pattern_of

_ECHO = 0.5
"""Share of the question's words from which a text is a sentence that takes it up."""
_FEWEST = 3
"""Characters of an answer up to which it is there or not, and never nearly."""
_PART = pattern_of("joined", r"\s*(?:[,;、，；]|(?<!-){}(?!-))\s*(?:{}\s+)?")
"""What stands between the parts of a list."""


def answer_chance(question: str, answer: str, text: str) -> float:
    """Return how likely the words of a text give a short answer to a question, in [0, 1]."""
    figures = answer_figures(question, answer, text)
    if figures is None:
        return 0.0
    weights = short_answer_weights()
    weighed = (weights[name] * value for name, value in figures.items())
    return 1 / (1 + math.exp(-math.fsum([weights["bias"], *weighed])))


def answer_figures(question: str, answer: str, text: str) -> dict[str, float] | None:
    """Return what a text has of a short answer to a question, or None where there is no text.

    Returns:
        `cover`, the share of its words by weight; whether the best sentence has it as a `phrase`,
        and how alike the characters are, `fuzzy`; whether its last word is there, `head`;
        `length`, the root of the number of its words; the share of the `question` there.
    """
    sources = sources_of((text,))
    if not sources.sentences:
        return None
    about = profile_of(question)
    reader = Reader(profile_of(answer), sources, about=about, answer=True)
    best = reader.within(0, len(sources.sentences)).sentences
    name, said = reader.claim, best[0].text if best else ""
    own = [key for key in name.keys if key in name.content - about.content]
    own = own or [key for key in name.keys if key in name.content] or list(name.keys)
    phrase, plain = plain_words(name.text), plain_words(said)
    exact = float(phrase in plain if name.cjk else f" {phrase} " in f" {plain} ")
    total = weight_of_keys(name, set(own)) or 1.0
    return {
        "cover": weight_of_keys(name, {key for key in own if key in sources.positions}) / total,
        "phrase": exact,
        "fuzzy": fuzz.partial_ratio(phrase, plain) / 100 if len(phrase) > _FEWEST else exact,
        "head": float(own[-1] in sources.positions),
        "length": float(len(own)) ** 0.5,
        "question": content_share(about, best[0].weights) if best else 0.0,
    }


@cache
def short_answer_weights() -> Mapping[str, float]:
    """Return the weights of these figures, fitted by `tests/benchmarks/fit_verdict.py`."""
    text = files(__package__).joinpath("short_answer_weights.json").read_text(encoding="utf-8")
    weights: Mapping[str, float] = json.loads(text)
    return weights


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


def is_fragment(text: str, question: str) -> bool:
    """Return whether a text is an answer without a predicate of its own or of the question.

    So are several names for one, whatever words they share with the question.
    """
    if len(answer_forms(text)) > 1:
        return True
    in_question = profile_of(question)
    return is_short_answer(text) and content_share(in_question, profile_of(text).weights) < _ECHO


def plain_words(text: str) -> str:
    """Return the words of a text in small letters, without punctuation."""
    return " ".join(term.surface.casefold() for term in terms(text))

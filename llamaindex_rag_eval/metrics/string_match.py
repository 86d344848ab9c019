"""String match: is the response the reference, character by character, or does it hold a pattern?

No judge is asked.
"""

import re

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.answers import exact_match, string_presence
from llamaindex_rag_eval.formulas.texts import DISTANCES, StringMeasure, string_similarity
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample, setting
from llamaindex_rag_eval.metrics.text_overlap import TextMetric


class StringSimilarity(TextMetric):
    """String similarity: how alike are response and reference, character by character?

        string_similarity = 1 - edits / largest number of edits possible

    Likeness of the two strings, in [0, 1]; higher is better.

    1 for the same string, and for two empty ones. No judge is asked. LangChain's string distance
    is 1 minus this.

    Limitations: Characters are compared, not meaning: a wrong year differs by two characters of
    twenty, and a right short answer is far from a sentence.

    Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/traditional/;
    computed by rapidfuzz, https://rapidfuzz.github.io/RapidFuzz/.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        algorithm: `levenshtein`, `damerau_levenshtein`, `optimal_alignment`, `indel`, `hamming`,
            `jaro` or `jaro_winkler`.
        threshold: From which value on a result passes.

    Raises:
        InputError: No such algorithm, or rapidfuzz is not installed.
    """

    name = "string_similarity"
    library = DISTANCES

    algorithm: StringMeasure = "levenshtein"

    async def measure(self, sample: SingleTurnSample) -> Score:
        value = string_similarity(sample.response, sample.reference, measure=self.algorithm)
        return Score(value)


class ExactMatch(TextMetric):
    """Exact match: is the response the reference?

        exact_match = 1 if both are the same after normalisation, else 0

    Whether response and reference are the same, 0 or 1; higher is better.

    Case, punctuation, English articles and white space do not count, unless `normalised=False`. No
    judge is asked.

    Limitations: A right answer in other words scores 0, as does "The capital is Paris." for
    "Paris". Use it for answers of a fixed form.

    Source: Rajpurkar et al. (2016), "SQuAD", section 6.1, https://arxiv.org/abs/1606.05250.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        normalised: `False`: every character counts, as in ragas.
        threshold: From which value on a result passes.
    """

    name = "exact_match"
    formula = exact_match

    normalised: bool = True


class StringPresence(TextMetric):
    """String presence: does the response hold the reference, word for word?

        string_presence = 1 if the reference stands in the response, else 0

    Whether the reference stands in the response, 0 or 1; higher is better.

    Every character counts. No judge is asked.

    Limitations: A negation ("not Paris") and a part of a longer word ("cat" in "concatenate") count
    as present; other case, spelling or wording does not.

    Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/traditional/.
    """

    name = "string_presence"
    undefined = "The reference is empty."
    formula = string_presence


class RegexMatch(Metric):
    """Regex match: does the response match a pattern?

        regex_match = 1 if the pattern is found in the response, else 0

    Whether the pattern is found in the response, 0 or 1; higher is better.

    No judge is asked. The pattern is searched for; `^` and `$` tie it to the ends.

    Limitations: A pattern is found wherever it stands, in "not Paris" too; what is said in other
    words is missed.

    Source: LangChain's `regex_match` evaluator.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        pattern: A regular expression.
        ignore_case: Whether upper and lower case are the same.
        threshold: From which value on a result passes.

    Raises:
        InputError: The pattern is no regular expression.
    """

    name = "regex_match"
    needs = frozenset({"response"})

    pattern: str = setting(valid=lambda pattern: _is_pattern(pattern))
    ignore_case: bool = False

    async def measure(self, sample: SingleTurnSample) -> Score:
        flags = re.IGNORECASE if self.ignore_case else 0
        return Score(float(re.search(self.pattern, sample.response, flags) is not None))


def _is_pattern(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error as error:
        raise InputError(f"{pattern!r} is no regular expression: {error}") from None
    return True

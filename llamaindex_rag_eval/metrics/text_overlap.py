"""Text overlap: how many words, n-grams or characters do response and reference share?

No judge is asked.
"""

from llamaindex_rag_eval.formulas.answers import token_f1
from llamaindex_rag_eval.formulas.texts import (
    BLEU,
    DISTANCES,
    RougeMeasure,
    RougeType,
    bleu,
    chrf,
    rouge,
)
from llamaindex_rag_eval.metrics.base import Metric, Score, SingleTurnSample


class TextMetric(Metric):
    """A formula of the response and the reference as texts."""

    needs = frozenset({"response", "reference"})

    async def measure(self, sample: SingleTurnSample) -> Score:
        return Score(self.compute(sample.response, sample.reference))


class Rouge(TextMetric):
    """ROUGE: how many words, pairs of words, or words in order do response and reference share?

        rouge = F1, precision or recall of common 1-grams, 2-grams, or longest common subsequence

    ROUGE of the response, in [0, 1]; higher is better. No judge is asked.

    Limitations: Words are compared, not meaning: "It is not red" for "It is red" gets 0.86, a right
    answer in other words little, a right short answer for a sentence little, too.

    Source: Lin (2004), "ROUGE", https://aclanthology.org/W04-1013; equal to Google's rouge-score.

    Args:
        judge: Not asked; here so that all metrics are made alike.
        type: `rouge1`, `rouge2` or `rougeL`.
        mode: `fmeasure`, `precision` or `recall`.
        threshold: From which value on a result passes.

    Raises:
        InputError: No such type or mode, or rapidfuzz, which `rougeL` needs, is not installed.
    """

    name = "rouge"
    library = DISTANCES
    undefined = "The reference has too few words."

    type: RougeType = "rougeL"
    mode: RougeMeasure = "fmeasure"

    async def measure(self, sample: SingleTurnSample) -> Score:
        return Score(
            rouge(sample.response, sample.reference, rouge_type=self.type, measure=self.mode)
        )


class Bleu(TextMetric):
    """BLEU: how many sequences of up to four words does the response share with the reference?

        bleu = brevity penalty · geometric mean of the 1- to 4-gram precisions

    BLEU of the response as one segment, in [0, 1]; higher is better.

    1 for two identical texts, of one sentence or of several. No judge is asked.

    Limitations: Made for translations of whole texts: of a short answer it is mostly smoothing, and
    a right sentence for a reference of one word is near 0. It cannot see a negation or a wrong
    number.

    Source: Papineni et al. (2002), "BLEU", https://aclanthology.org/P02-1040, computed by
    sacrebleu.
    """

    name = "bleu"
    library = BLEU
    undefined = "The reference is empty."
    formula = bleu


class Chrf(TextMetric):
    """chrF: how many sequences of up to six characters does the response share with the reference?

        chrf = F_2 of the 1- to 6-gram precision and recall of characters

    chrF of the response, in [0, 1]; higher is better.

    Fit for languages without spaces and with many word forms. No judge is asked.

    Limitations: Characters are compared, not meaning: a wrong year gets 0.8, a right answer in
    other words 0.2.

    Source: Popović (2015), "chrF", https://aclanthology.org/W15-3049, computed by sacrebleu.
    """

    name = "chrf"
    library = BLEU
    undefined = "The reference is empty."
    formula = chrf


class TokenF1(TextMetric):
    """Token F1: how many words do response and reference share?

        token_f1 = 2 · common tokens / (tokens of the response + tokens of the reference)

    Share of common words, in [0, 1]; higher is better.

    Case, punctuation and English articles do not count; Han and kana count by character. Two
    empty texts agree: 1. No judge is asked.

    Limitations: Words are compared, not meaning: "It is not red" for "It is red" gets 0.86, a right
    sentence for a reference of one word 0.33.

    Source: Rajpurkar et al. (2016), "SQuAD", section 6.1, https://arxiv.org/abs/1606.05250.
    """

    name = "token_f1"
    formula = token_f1

"""Criteria of your own: does the response meet what you describe in words?

As yes or no by the majority of votes (`AspectCritique`, `Guideline`), or on a scale of six levels
(`SimpleCriteria`). `g_eval` judges criteria step by step, `rubric` has levels of your own.
"""

from llamaindex_rag_eval.judge import CritiqueOf
from llamaindex_rag_eval.metrics.base import SingleTurnSample, setting
from llamaindex_rag_eval.metrics.shared.grading import VOTES, AspectMetric, ScaleMetric


class AspectCritique(AspectMetric):
    """Own aspect: does the response have the quality that the definition describes?

        aspect = 1 if the majority of votes says that the response has it, else 0

    0 or 1; higher is better, so define what is good. Asks the judge once a vote.

    Limitations: One yes or no says nothing of degrees. More votes of one model do not remove its
    bias.

    Source: the critiques of
    https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/aspect_critic/ and the
    criteria of LangChain's evaluators; the definitions are ours.

    Args:
        judge: Who judges.
        aspect: The name of the aspect, as the judge reads it.
        definition: When the aspect is there, as a question with the answer yes.
        strictness: An odd number of independent votes; the majority counts.
        threshold: From which value on a result passes.

    Raises:
        InputError: The definition is blank, or the votes can tie.
    """

    name = "aspect_critique"

    aspect: str = setting()
    definition: str = setting(valid=str.strip, expected="a question with the answer yes")
    strictness: int = VOTES

    def request_for(self, sample: SingleTurnSample) -> CritiqueOf:
        """Return the request of the first vote."""
        return super().request_for(sample).model_copy(update={"aspect": self.aspect})


class Guideline(AspectMetric):
    """Guideline: does the response keep to a guideline of one's own?

        guideline = 1 if the majority of votes says so, else 0

    Whether the response keeps to the guideline, 0 or 1; higher is better.

    The judge sees the contexts too, where the sample has some. An empty response scores 0, and
    nothing is asked.

    Limitations: One guideline that asks for two things fails as a whole if one is missed. More
    votes of one model do not remove its bias.

    Source: LlamaIndex's `GuidelineEvaluator`,
    https://docs.llamaindex.ai/en/stable/api_reference/evaluation/guideline/.

    Args:
        judge: Who judges.
        guideline: What a response should keep to.
        strictness: An odd number of independent votes; the majority counts.
        threshold: From which value on a result passes.

    Raises:
        InputError: The guideline is blank, or the votes can tie.
    """

    name = "guideline"

    guideline: str = setting(valid=str.strip, expected="what to keep to")

    def request_for(self, sample: SingleTurnSample) -> CritiqueOf:
        """Return the request of the first vote."""
        return CritiqueOf(
            aspect="keeps to the guideline",
            definition=self.guideline,
            response=sample.response,
            query=sample.query,
            contexts=sample.contexts,
        )


class SimpleCriteria(ScaleMetric):
    """Simple criteria: how far does the response meet a criterion of one's own?

        simple_criteria = level / 5, levels 0 to 5

    Grade on one criterion, in [0, 1]; higher is better.

    The judge sees the reference too, where the sample has one. An empty response scores 0, and
    nothing is asked.

    Limitations: The levels only say how far the criterion is met, which leaves more to the judge
    than a `rubric`, whose levels are described.

    Source: https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/general_purpose/; the
    words of the levels are ours.

    Args:
        judge: Who judges.
        definition: The criterion, in words.
        threshold: From which value on a result passes.

    Raises:
        InputError: The definition is blank.
    """

    name = "simple_criteria"
    sees = frozenset({"reference"})

    definition: str = setting(valid=str.strip, expected="the criterion in words")

"""Graded answers: which level of a described scale does the response reach?

    grade = (level - lowest level) / (highest level - lowest level)

One question, one scale and one call of the judge for each metric: those of Amazon Bedrock, and the
two of the RAG triad of TruLens that judge a response. An empty response is of the lowest level,
and nothing is asked.

Source: the built-in metrics of Amazon Bedrock,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html, and LlamaIndex's
`CorrectnessEvaluator`; the words of the levels are ours.
"""

from llamaindex_rag_eval.judge.grade import ResponseRelevanceOf
from llamaindex_rag_eval.metrics.base import Score, SingleTurnSample
from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric


class Correctness(ScaleMetric):
    """Correctness: does the response say what the reference says, on a described scale?

        correctness = (level - 1) / 4, levels 1 to 5

    Grade of the response against the reference, in [0, 1]; higher is better.

    Limitations: One grade of one judge against one reference: what the reference leaves out is not
    checked, and the difference between two middle levels is a matter of taste.
    """

    name = "correctness"
    needs = frozenset({"query", "response", "reference"})


class Completeness(ScaleMetric):
    """Completeness: does the response answer every part of the question?

        completeness = (level - 1) / 4, levels 1 to 5

    Grade of how much of what was asked is answered, in [0, 1]; higher is better.

    Limitations: By definition it does not ask whether what is said is true: an invented answer to
    every part scores 1.
    """

    name = "completeness"


class Helpfulness(ScaleMetric):
    """Helpfulness: how much does the response help the person who asked?

        helpfulness = (level - 1) / 6, levels 1 to 7

    Grade of the use of the response to the person who asked, in [0, 1]; higher is better.

    Limitations: The judge sees neither contexts nor reference: a wrong answer that sounds sure can
    be graded as helpful.
    """

    name = "helpfulness"


class LogicalCoherence(ScaleMetric):
    """Logical coherence: does the response follow from itself, without gaps and contradictions?

        logical_coherence = (level - 1) / 4, levels 1 to 5

    Grade of the reasoning of the response, in [0, 1]; higher is better.

    Limitations: What the response says may still be untrue, and a single statement has no steps
    that could be wrong.
    """

    name = "logical_coherence"


class FollowingInstructions(ScaleMetric):
    """Following instructions: does the response do what it was told, as it was told?

        following_instructions = level / 2, levels 0 to 2

    Grade of how the response keeps to what was asked for, in [0, 1]; higher is better.

    Limitations: A question without explicit instructions scores 1 by being answered, so that the
    mean over ordinary questions is near 1. Only instructions in the question, or in the
    conversation before it, are seen.
    """

    name = "following_instructions"


class ProfessionalStyle(ScaleMetric):
    """Professional style: is the response written as one would write to a customer?

        professional_style = (level - 1) / 4, levels 1 to 5

    Grade of style and tone, in [0, 1]; higher is better.

    Limitations: It looks at style alone: a polite and tidy invention scores 1.
    """

    name = "professional_style"


class Relevance(ScaleMetric):
    """Relevance: does the response keep to the question?

        relevance = (level - 1) / 4, levels 1 to 5

    Grade of how much of the response is on the question, in [0, 1]; higher is better.

    Limitations: A wrong answer, and one that only repeats the question, keep to it, too.
    """

    name = "relevance"


class ResponseRelevance(ScaleMetric):
    """Response relevance: does the response answer the question?

        response_relevance = level / 3, levels 0 to 3

    Grade of how far the response answers the question, in [0, 1]; higher is better. Asks the judge
    once. A refusal is 0. By rules, the grade is the share of the question's words that the response
    has; a short answer is 1.

    Limitations: A wrong answer scores like a right one; by rules, so does one that only repeats the
    question.

    Source: "answer relevance" of the RAG triad of TruLens,
    https://www.trulens.org/getting_started/core_concepts/rag_triad/; the words of the levels are
    ours.
    """

    name = "response_relevance"
    requests = (ResponseRelevanceOf,)
    definition = ResponseRelevanceOf.model_fields["definition"].default
    levels = ResponseRelevanceOf.model_fields["levels"].default


class ResponseGroundedness(ScaleMetric):
    """Response groundedness: does the response rest on the retrieved contexts?

        response_groundedness = level / 2, levels 0 to 2

    Grade of the response against the contexts, in [0, 1]; higher is better.

    0 if nothing was retrieved, and nothing is asked.

    Limitations: With three levels, one unsupported statement of ten and nine of ten are both in the
    middle. Whether the contexts are true is not asked.

    Source: "groundedness" of the RAG triad of TruLens,
    https://www.trulens.org/getting_started/core_concepts/rag_triad/; NVIDIA's scale of three
    levels, https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/nvidia_metrics/; the
    words of the levels are ours. `faithfulness` asks the same claim by claim.
    """

    name = "response_groundedness"
    needs = frozenset({"query", "response", "contexts"})

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.contexts:
            return Score(0.0, note="Nothing was retrieved.")
        return await super().measure(sample)

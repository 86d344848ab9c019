"""Graded answers: which level of a described scale does the response reach?

    grade = (level - lowest level) / (highest level - lowest level)

One question, one scale and one call of the judge for each metric: those of Amazon Bedrock, and the
two of the RAG triad of TruLens that judge a response. An empty response is of the lowest level,
and nothing is asked.

Source: the built-in metrics of Amazon Bedrock,
https://docs.aws.amazon.com/bedrock/latest/userguide/model-evaluation-metrics.html, and LlamaIndex's
`CorrectnessEvaluator`; the words of the levels are ours.
"""

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge.grade import ResponseRelevanceOf
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.metrics.shared.grading import ScaleMetric, levels_of


class Correctness(ScaleMetric):
    """Correctness: does the response say what the reference says, on a described scale?

        correctness = (level - 1) / 4, levels 1 to 5

    Grade of the response against the reference, in [0, 1]; higher is better.

    Limitations: One grade of one judge against one reference: what the reference leaves out is not
    checked, and the difference between two middle levels is a matter of taste.
    """

    name = "correctness"
    needs = frozenset({"query", "response", "reference"})
    aliases = ("Builtin.Correctness",)
    kin = {
        "Bedrock": "Builtin.Correctness",
        "LlamaIndex": "CorrectnessEvaluator",
        "LangChain": "correctness",
    }
    definition = (
        "Whether what the response says in answer to the question agrees with the reference. "
        "Wording, order and length do not count; further statements count only if they are wrong."
    )
    levels = levels_of(
        "It contradicts the reference, or does not answer the question.",
        "Its main statement is wrong, though some of what it says agrees with the reference.",
        "About half of what the reference says is there, or a serious mistake stands beside it.",
        "Its main statement is right; a detail is missing or wrong.",
        "It agrees with the reference in everything that matters to the question.",
        start=1,
    )


class Completeness(ScaleMetric):
    """Completeness: does the response answer every part of the question?

        completeness = (level - 1) / 4, levels 1 to 5

    Grade of how much of what was asked is answered, in [0, 1]; higher is better.

    Limitations: By definition it does not ask whether what is said is true: an invented answer to
    every part scores 1.
    """

    name = "completeness"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.Completeness",)
    kin = {"Bedrock": "Builtin.Completeness"}
    definition = (
        "Whether the response deals with everything that the question asks for, whether or not "
        "what it says is true."
    )
    levels = levels_of(
        "It deals with nothing of what was asked.",
        "It deals with a small part of what was asked.",
        "It deals with about half of what was asked.",
        "It deals with most of what was asked; something minor is left out.",
        "It deals with everything that was asked.",
        start=1,
    )


class Helpfulness(ScaleMetric):
    """Helpfulness: how much does the response help the person who asked?

        helpfulness = (level - 1) / 6, levels 1 to 7

    Grade of the use of the response to the person who asked, in [0, 1]; higher is better.

    Limitations: The judge sees neither contexts nor reference: a wrong answer that sounds sure can
    be graded as helpful.
    """

    name = "helpfulness"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.Helpfulness",)
    kin = {"Bedrock": "Builtin.Helpfulness", "LangChain": "helpfulness"}
    definition = (
        "How useful the response is to the person who asked, who wants to get something done: "
        "whether it takes up what they are after, is clear, and leaves nothing to be asked again."
    )
    levels = levels_of(
        "It does harm: it misleads, or makes the matter worse.",
        "It is of no use, and would annoy the person.",
        "It is of little use; the person has to start again.",
        "It neither helps nor hinders.",
        "It helps in part; the person has to find out the rest.",
        "It helps; the person can go on with it.",
        "It could hardly be more helpful: it settles what the person was after.",
        start=1,
    )


class LogicalCoherence(ScaleMetric):
    """Logical coherence: does the response follow from itself, without gaps and contradictions?

        logical_coherence = (level - 1) / 4, levels 1 to 5

    Grade of the reasoning of the response, in [0, 1]; higher is better.

    Limitations: What the response says may still be untrue, and a single statement has no steps
    that could be wrong.
    """

    name = "logical_coherence"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.LogicalCoherence", "Builtin.Coherence")
    kin = {"Bedrock": "Builtin.Coherence"}
    definition = (
        "Whether the reasoning of the response holds together: no gap, no contradiction, nothing "
        "beside the point. What it says may still be untrue."
    )
    levels = levels_of(
        "It contradicts itself, or makes no sense.",
        "It has several gaps or contradictions that matter.",
        "It has one gap or contradiction that matters.",
        "It has small flaws that do not touch its conclusion.",
        "Each step follows, and nothing contradicts anything else.",
        start=1,
    )


class FollowingInstructions(ScaleMetric):
    """Following instructions: does the response do what it was told, as it was told?

        following_instructions = level / 2, levels 0 to 2

    Grade of how the response keeps to what was asked for, in [0, 1]; higher is better.

    Limitations: A question without explicit instructions scores 1 by being answered, so that the
    mean over ordinary questions is near 1. Only instructions in the question, or in the
    conversation before it, are seen.
    """

    name = "following_instructions"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.FollowingInstructions",)
    kin = {"Bedrock": "Builtin.FollowingInstructions", "DeepEval": "PromptAlignmentMetric"}
    definition = (
        "Whether the response keeps to every explicit instruction of the question: form, length, "
        "language, what to name and what to leave out. Where there is none, answering is enough."
    )
    levels = levels_of(
        "It keeps to no instruction, or breaks the most important one.",
        "It keeps to some instructions and breaks others.",
        "It keeps to all instructions.",
    )


class ProfessionalStyle(ScaleMetric):
    """Professional style: is the response written as one would write to a customer?

        professional_style = (level - 1) / 4, levels 1 to 5

    Grade of style and tone, in [0, 1]; higher is better.

    Limitations: It looks at style alone: a polite and tidy invention scores 1.
    """

    name = "professional_style"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.ProfessionalStyleAndTone", "professional_style_and_tone")
    kin = {"Bedrock": "Builtin.ProfessionalStyleAndTone"}
    definition = (
        "Whether the style, the formatting and the tone of the response are fit for a business "
        "setting, whatever it says."
    )
    levels = levels_of(
        "It is rude, sloppy or otherwise out of place.",
        "Much of it is too casual, careless or hard to read.",
        "It is acceptable, with lapses that stand out.",
        "It is polite and tidy, with a small lapse.",
        "It is polite, clear and tidy throughout.",
        start=1,
    )


class Relevance(ScaleMetric):
    """Relevance: does the response keep to the question?

        relevance = (level - 1) / 4, levels 1 to 5

    Grade of how much of the response is on the question, in [0, 1]; higher is better.

    Limitations: A wrong answer, and one that only repeats the question, keep to it, too.
    """

    name = "relevance"
    needs = frozenset({"query", "response"})
    aliases = ("Builtin.Relevance",)
    kin = {"Bedrock": "Builtin.Relevance", "LangChain": "relevance"}
    definition = "How much of the response has to do with what was asked."
    levels = levels_of(
        "None of it has to do with the question.",
        "Little of it has to do with the question.",
        "About half of it has to do with the question.",
        "Most of it has to do with the question.",
        "All of it has to do with the question.",
        start=1,
    )


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
    needs = frozenset({"query", "response"})
    aliases = ("answer_relevance",)
    kin = {
        "TruLens": "relevance",
        "LlamaIndex": "RelevancyEvaluator",
        "DeepEval": "AnswerRelevancyMetric",
    }
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
    aliases = ("groundedness", "nv_response_groundedness")
    kin = {"ragas": "ResponseGroundedness", "TruLens": "groundedness"}
    definition = "Whether the contexts bear out what the response says."
    levels = levels_of(
        "The contexts bear out nothing of what it says, or contradict it.",
        "The contexts bear out a part of what it says.",
        "The contexts bear out everything it says.",
    )

    async def measure(self, sample: SingleTurnSample) -> Score:
        if not sample.contexts:
            return Score(0.0, note="Nothing was retrieved.")
        return await super().measure(sample)

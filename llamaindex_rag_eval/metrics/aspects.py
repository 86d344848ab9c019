"""Aspects: does the response have a certain quality, yes or no?

    aspect = 1 if the majority of votes says that the response has it, else 0

Limitations: One yes or no: a slight case scores like a grave one. The judge sees only the question
and the response. An empty response scores 0, the best value where lower is better, so read it
beside `refusal`. More votes of one model do not remove its bias.

Source: the critiques of
https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/aspect_critic/
and the criteria of LangChain's evaluators; the definitions are ours.
"""

from llamaindex_rag_eval.metrics.shared.grading import AspectMetric


class _Fault(AspectMetric):
    """An aspect that a response should not have."""

    direction = "lower"


class Harmfulness(_Fault):
    """Harmfulness: could the response harm somebody?

    0 or 1; lower is better. Asks the judge once a vote.
    """

    name = "harmfulness"


class Maliciousness(_Fault):
    """Maliciousness: does the response mean ill?

    0 or 1; lower is better. Asks the judge once a vote.
    """

    name = "maliciousness"


class Stereotyping(_Fault):
    """Stereotyping: does the response judge people by their group?

    0 or 1; lower is better. Asks the judge once a vote.
    """

    name = "stereotyping"


class Controversiality(_Fault):
    """Controversiality: does the response take sides in a dispute?

    0 or 1; lower is better. Asks the judge once a vote.
    """

    name = "controversiality"


class Criminality(_Fault):
    """Criminality: does the response promote crime?

    0 or 1; lower is better. Asks the judge once a vote.
    """

    name = "criminality"


class Insensitivity(_Fault):
    """Insensitivity: is the response insensitive to some people?

    0 or 1; lower is better. Asks the judge once a vote.
    """

    name = "insensitivity"


class Misogyny(_Fault):
    """Misogyny: is the response misogynous?

    0 or 1; lower is better. Asks the judge once a vote.
    """

    name = "misogyny"


class Coherence(AspectMetric):
    """Coherence: does the response hang together?

    0 or 1; higher is better. Asks the judge once a vote.

    Limitations: A wrong answer can be coherent, and in one sentence there is little to judge.
    """

    name = "coherence"


class Conciseness(AspectMetric):
    """Conciseness: is the response to the point?

    0 or 1; higher is better. Asks the judge once a vote.

    Limitations: The judge sees neither contexts nor reference, so it cannot know whether what was
    left out was needed.
    """

    name = "conciseness"


class Depth(AspectMetric):
    """Depth: does the response go into depth?

    0 or 1; higher is better. Asks the judge once a vote.

    Limitations: A wrong answer can go into depth, and where a short fact was asked for, 0 is no
    fault.
    """

    name = "depth"


class Creativity(AspectMetric):
    """Creativity: is the response original?

    0 or 1; higher is better. Asks the judge once a vote.

    Limitations: In answers over documents, an idea of one's own is often one that they do not
    support: read it beside `faithfulness`.
    """

    name = "creativity"


class Detail(AspectMetric):
    """Detail: does the response go into detail?

    0 or 1; higher is better. Asks the judge once a vote.

    Limitations: Details are not checked: an invented number is one, too.
    """

    name = "detail"

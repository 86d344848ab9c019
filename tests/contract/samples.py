"""Samples with all fields, and a spec of each metric."""

from llamaindex_rag_eval.data.sample import (
    Image,
    Message,
    MultiTurnSample,
    Sample,
    SingleTurnSample,
    Span,
    ToolCall,
)
from llamaindex_rag_eval.metrics.conversation import ConversationMetric
from llamaindex_rag_eval.metrics.registry import METRICS, metric_class
from llamaindex_rag_eval.metrics.shared.claims import ProbabilisticMetric
from llamaindex_rag_eval.metrics.spec import parse_spec

FIRST = "The Lunara pump moves 40 litres of water a minute."
SECOND = "It was built in Graz in 1998, and weighs 12 kg."
THIRD = "Repairs are free for two years. Call the workshop in Graz."

FULL = SingleTurnSample(
    id="full",
    query="How much water does the Lunara pump move?",
    response="The Lunara pump moves 40 litres a minute [1]. It was built in Graz in 1998 [2].",
    contexts=(FIRST, SECOND, THIRD),
    context_ids=("a", "b", "c"),
    context_spans=(
        Span(doc_id="docs/pump.md", start=0, end=51),
        Span(doc_id="docs/pump.md", start=51, end=98),
        None,
    ),
    reference="The Lunara pump moves 40 litres of water a minute.",
    reference_contexts=(FIRST,),
    reference_context_ids=("a",),
    reference_gains=(2.0,),
    gold=((Span(doc_id="pump.md", start=0, end=50, quote=FIRST),),),
    rubrics={"1": "It is wrong.", "2": "It is right."},
    expected_behaviour="answer",
    metadata={"second_response": "Forty."},
)
WRONG = FULL.model_copy(
    update={
        "id": "wrong",
        "response": "It moves 90 litres an hour [1]. It was built in Rome in 1998 [2].",
    }
)
JSON = FULL.model_copy(update={"id": "json", "reference": '{"litres": 40}'})
REFUSAL = FULL.model_copy(update={"id": "refusal", "response": "I do not know."})
UNANSWERABLE = FULL.model_copy(
    update={
        "id": "unanswerable",
        "response": "The documents do not say.",
        "gold": (),
        "reference_context_ids": (),
        "reference_gains": (),
        "expected_behaviour": "refuse",
    }
)
GERMAN = FULL.model_copy(
    update={
        "id": "german",
        "query": "Wann wurde die Pumpe gebaut?",
        "response": "Die Pumpe wurde 1998 in Graz gebaut.",
        "contexts": ("Die Pumpe wurde 1998 in Graz gebaut. Sie wiegt 12 kg.", "Anruf genügt."),
        "context_ids": ("x", "a"),
        "context_spans": (None, None),
        "reference": "1998.",
    }
)
JAPANESE = FULL.model_copy(
    update={
        "id": "japanese",
        "query": "ポンプはいつ作られましたか。",
        "response": "ポンプは1998年に作られました。重さは12キロです。",
        "contexts": ("ポンプは1998年にグラーツで作られた。", "修理は無料です。"),
        "context_ids": ("x", "y"),
        "context_spans": (None, None),
        "reference": "1998年に作られた。",
    }
)
IMAGE = FULL.model_copy(
    update={
        "id": "image",
        "contexts": (Image(id="a", path="pump.png", caption=FIRST), SECOND, THIRD),
    }
)
EMPTY = SingleTurnSample(
    id="empty",
    query="",
    response="",
    contexts=(),
    context_ids=(),
    context_spans=(),
    reference="",
    reference_contexts=(),
    reference_context_ids=(),
    gold=(),
    rubrics={},
    expected_behaviour="answer",
    metadata={"second_response": ""},
)
SAMPLES = (FULL, WRONG, JSON, REFUSAL, UNANSWERABLE, GERMAN, JAPANESE, IMAGE, EMPTY)

TALK = MultiTurnSample(
    id="talk",
    messages=(
        Message(role="system", content="You sell pumps."),
        Message(role="user", content="I am Ada. How much water does the Lunara pump move?"),
        Message(
            role="assistant",
            content="The Lunara pump moves 40 litres a minute.",
            contexts=(FIRST, SECOND),
        ),
        Message(role="user", content="Order one for me, please, to Graz."),
        Message(
            role="assistant", tool_calls=(ToolCall(name="order", args={"to": {"city": "Graz"}}),)
        ),
        Message(role="tool", content="ordered", contexts=(THIRD,)),
        Message(role="assistant", content="I ordered one to Graz, Ada.", contexts=(THIRD,)),
    ),
    reference="A pump was ordered to Graz.",
    reference_tool_calls=(ToolCall(name="order", args={"to": {"city": "Graz"}}),),
    reference_topics=("pumps", "orders"),
)
WRONG_TALK = TALK.model_copy(
    update={
        "id": "wrong talk",
        "messages": (
            *TALK.messages[:4],
            Message(
                role="assistant",
                content="Whom should I send it to?",
                contexts=(IMAGE.contexts[0],),
                tool_calls=(ToolCall(name="order", args={"to": {"city": "Rome"}}),),
            ),
            Message(role="tool", content="ordered", contexts=(FIRST,)),
        ),
    }
)
SILENT_TALK = TALK.model_copy(
    update={"id": "silent", "messages": (*TALK.messages[:2], Message(role="assistant"))}
)
EMPTY_TALK = MultiTurnSample(
    id="empty talk", messages=(), reference="", reference_tool_calls=(), reference_topics=()
)
CONVERSATIONS = (TALK, WRONG_TALK, SILENT_TALK, EMPTY_TALK)

NEED_SETTINGS = {
    "aspect_critique": "aspect_critique(aspect=kind,definition='Is it kind?')",
    "rubric": "rubric(levels={1: 'Wrong.', 2: 'Half right.', 3: 'Right.'})",
    "simple_criteria": "simple_criteria(definition='It names a number, and a unit.')",
    "guideline": "guideline(guideline='Answer in one sentence.')",
    "g_eval": "g_eval(criteria='It is right (and polite).')",
    "regex_match": "regex_match(pattern='[0-9]+ litres')",
    "harmonic_mean": "harmonic_mean(parts=('faithfulness', 'ndcg@10'))",
    "weighted_mean": "weighted_mean(parts=('faithfulness', 'mrr'),weights=(3.0, 1.0))",
    "turn_wise": "turn_wise(metric='answer_relevancy(n=2)')",
}
GRADED_SPECS = tuple(
    f"{kind.name}(graded=True)" for kind in METRICS if issubclass(kind, ProbabilisticMetric)
)
METRIC_SPECS = (
    *(NEED_SETTINGS.get(kind.name, kind.name) for kind in METRICS),
    *GRADED_SPECS,
)
"""A spec of each metric, and a second one of each that can be graded."""

COMPOSITES = ("harmonic_mean", "weighted_mean", "ragas_score", "turn_wise")
PER_PART = {
    "citation_precision",
    "citation_relevance",
    "citation_coverage",
    "citation_f1",
    "context_relevance",
    "knowledge_retention",
}
"""Metrics that ask once a sentence, a context or an answer; `requests` has each kind once."""


def measures_conversations(spec: str) -> bool:
    """Return whether the metric of a spec measures conversations."""
    return issubclass(metric_class(parse_spec(spec)[0]), ConversationMetric)


def samples_for(spec: str) -> tuple[Sample, ...]:
    """Return samples for a metric: a full one, a wrong one, others, and an empty one at the end."""
    return CONVERSATIONS if measures_conversations(spec) else SAMPLES

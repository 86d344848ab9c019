"""Spans and events reach an OpenTelemetry exporter through LlamaIndex's own instrumentation."""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.event_handlers import BaseEventHandler
from llama_index_instrumentation.span import BaseSpan
from llama_index_instrumentation.span_handlers import BaseSpanHandler
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Span, Status, StatusCode, set_span_in_context
from pydantic import PrivateAttr

from llamaindex_rag_eval.judge import Claims, ClaimsOf, Judge
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import ScriptedOracle
from llamaindex_rag_eval.models.instrument import EvaluationEvent, has_handlers, span
from tests.models.asking import SUPPORT, oracle_at
from tests.server import LoopbackServer

SAMPLE: dict[str, Any] = {"query": "q", "response": "Ada is tall.", "contexts": ["Ada is tall."]}


class Bridge(BaseSpanHandler[BaseSpan]):
    """Makes an OpenTelemetry span of each LlamaIndex span."""

    _tracer: Any = PrivateAttr()
    _open: dict[str, Span] = PrivateAttr(default_factory=dict)

    def begin_at(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("test")

    def new_span(
        self,
        id_: str,
        bound_args: inspect.BoundArguments,
        instance: Any = None,
        parent_span_id: str | None = None,
        tags: dict[str, Any] | None = None,
        **more: Any,
    ) -> BaseSpan:
        parent = self._open.get(parent_span_id or "")
        context = None if parent is None else set_span_in_context(parent)
        about = {k: str(v) for k, v in bound_args.arguments.get("about", {}).items()}
        name = id_.partition("-")[0]
        self._open[id_] = self._tracer.start_span(name, context=context, attributes=about)
        return BaseSpan(id_=id_, parent_id=parent_span_id)

    def prepare_to_exit_span(self, id_: str, *args: Any, **more: Any) -> BaseSpan:
        self._open.pop(id_).end()
        return BaseSpan(id_=id_)

    def prepare_to_drop_span(
        self, id_: str, *args: Any, err: BaseException | None = None, **more: Any
    ) -> BaseSpan:
        dropped = self._open.pop(id_)
        dropped.set_status(Status(StatusCode.ERROR, type(err).__name__))
        dropped.end()
        return BaseSpan(id_=id_)


class Ears(BaseEventHandler):
    """Adds the scores that it hears of to their spans."""

    _bridge: Bridge = PrivateAttr()

    def handle(self, event: BaseEvent, **more: Any) -> None:
        if isinstance(event, EvaluationEvent):
            self._bridge._open[event.span_id].add_event(
                event.class_name(), flat(event.model_dump(include={"gen_ai"}))
            )


def flat(fields: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Return nested keys joined by dots, as llama-index-observability-otel does."""
    found: dict[str, Any] = {}
    for key, value in fields.items():
        inside = isinstance(value, dict)
        found |= flat(value, f"{before}{key}.") if inside else {f"{before}{key}": value}
    return found


@pytest.fixture
def listening() -> Iterator[tuple[InMemorySpanExporter, Ears]]:
    exporter, bridge, ears = InMemorySpanExporter(), Bridge(), Ears()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    bridge.begin_at(provider)
    ears._bridge = bridge
    root = get_dispatcher()
    root.add_span_handler(bridge)
    root.add_event_handler(ears)
    yield exporter, ears
    root.span_handlers.remove(bridge)
    root.event_handlers.remove(ears)
    provider.shutdown()


def of(exporter: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in exporter.get_finished_spans() if span.name == name]


async def test_a_metric_its_judgements_and_their_calls_are_nested_spans(
    listening: tuple[InMemorySpanExporter, Ears], server: LoopbackServer
) -> None:
    exporter, _ = listening
    await Faithfulness(Judge(oracle_at(server))).aevaluate(**SAMPLE)
    (metric,) = of(exporter, "rag_eval.metric")
    judgements = of(exporter, "rag_eval.judgement")
    assert (metric.attributes or {})["metric"] == "faithfulness"
    assert [(j.attributes or {})["request"] for j in judgements] == ["ClaimsOf", "SupportOf"]
    assert all(j.parent and j.parent.span_id == metric.context.span_id for j in judgements)
    calls = of(exporter, "OpenAI.achat")
    inside = {judgement.context.span_id for judgement in judgements}
    assert {call.parent.span_id for call in calls if call.parent} == inside


async def test_a_score_is_an_event_of_its_span_by_the_conventions_for_genai(
    listening: tuple[InMemorySpanExporter, Ears], server: LoopbackServer
) -> None:
    exporter, _ = listening
    await Faithfulness(Judge(oracle_at(server)), threshold=0.5).aevaluate(**SAMPLE)
    (metric,) = of(exporter, "rag_eval.metric")
    # https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/, gen_ai.evaluation.result
    (event,) = metric.events
    assert event.name == "gen_ai.evaluation.result"
    named = {k: v for k, v in (event.attributes or {}).items() if k.startswith("gen_ai.")}
    assert named == {
        "gen_ai.evaluation.name": "faithfulness",
        "gen_ai.evaluation.score.value": 1.0,
        "gen_ai.evaluation.score.label": "pass",
        "gen_ai.evaluation.explanation": "1 of 1 claims supported.",
    }


async def test_a_failure_is_a_span_with_an_error(
    listening: tuple[InMemorySpanExporter, Ears],
) -> None:
    exporter, _ = listening
    oracle = ScriptedOracle(ValueError("broken"))
    with pytest.raises(ValueError, match="broken"):
        await Judge(oracle).ask(SUPPORT)
    (judgement,) = of(exporter, "rag_eval.judgement")
    assert (judgement.status.status_code, judgement.status.description) == (
        StatusCode.ERROR,
        "ValueError",
    )


async def test_where_nobody_listens_nothing_is_made() -> None:
    assert not has_handlers()
    oracle = ScriptedOracle(by_request={ClaimsOf: Claims(claims=())})
    assert (await Judge(oracle).ask(ClaimsOf(text="a"))).claims == ()
    with span("judgement") as note, span("metric") as other:
        assert note is other  # the same deaf listener for all: no identifier, no event, no clock

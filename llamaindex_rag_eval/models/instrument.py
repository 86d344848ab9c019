"""Spans and events on LlamaIndex's own instrumentation, at no cost without handlers.

Tools that trace LlamaIndex (Phoenix, Langfuse, OpenTelemetry exporters) attach handlers to its
dispatcher; through it they see metrics, judgements and model calls nested in one another. Nothing
is sent anywhere by this package.
"""

import inspect
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.event_handlers import NullEventHandler
from llama_index_instrumentation.span import active_span_id
from llama_index_instrumentation.span_handlers import NullSpanHandler

dispatcher = get_dispatcher(__name__)

NULL_HANDLERS = (NullEventHandler, NullSpanHandler)
"""Attached to the root dispatcher by LlamaIndex itself; they do nothing."""

AddToResult = Callable[..., None]
"""Adds fields to the result of a span."""


class EvaluationEvent(BaseEvent):
    """A metric has a score, as OpenTelemetry's semantic conventions for GenAI name it.

    `llama-index-observability-otel` makes of it an event `gen_ai.evaluation.result` on the metric's
    span, with the attributes `gen_ai.evaluation.name`, `.score.value`, `.score.label` and
    `.explanation`: nested keys are joined by dots.

    Attributes:
        gen_ai: Holds `evaluation`, with `name`, `score` and `explanation`.
    """

    gen_ai: dict[str, dict[str, Any]]

    @classmethod
    def class_name(cls) -> str:
        """Return the name that handlers see."""
        return "gen_ai.evaluation.result"


def tell_evaluation(name: str, value: float, label: str, explanation: str) -> None:
    """Tell handlers of a score; inside the span of its metric.

    Args:
        name: The metric's spec.
        value: The score.
        label: What it stands for, as `pass`; "" for none.
        explanation: Why, in words.
    """
    score = {"value": value, **({"label": label} if label else {})}
    evaluation = {"name": name, "score": score, "explanation": explanation}
    event = EvaluationEvent(gen_ai={"evaluation": evaluation}, span_id=active_span_id.get())
    dispatcher.event(event)


def has_handlers(name: str = __name__) -> bool:
    """Return whether any handler is attached that would receive a span or an event.

    Args:
        name: Of the module that would raise it.
    """
    at: Any = get_dispatcher(name)
    while at is not None:
        for handlers in (at.event_handlers, at.span_handlers):  # loops: asked again and again
            for handler in handlers:
                if not isinstance(handler, NULL_HANDLERS):
                    return True
        at = at.parent if at.propagate and at.manager is not None and at.parent_name else None
    return False


def span(step: str, **about: object) -> AbstractContextManager[AddToResult]:
    """Open a span around a step; yields a function that adds to its result."""
    return _span(step, about) if has_handlers() else nullcontext(_ignore)


@contextmanager
def _span(step: str, about: dict[str, object]) -> Iterator[AddToResult]:
    fields: dict[str, object] = dict(about)
    id_ = f"rag_eval.{step}-{uuid.uuid4()}"
    bound = inspect.signature(_step).bind(**about)
    parent = active_span_id.get()
    token = active_span_id.set(id_)
    dispatcher.span_enter(id_=id_, bound_args=bound, instance=None, parent_id=parent, tags={})
    try:
        yield fields.update
    except BaseException as error:
        dispatcher.span_drop(id_=id_, bound_args=bound, instance=None, err=error)
        raise
    else:
        dispatcher.span_exit(id_=id_, bound_args=bound, instance=None, result=fields)
    finally:
        active_span_id.reset(token)


def _ignore(**fields: object) -> None:
    """Take the fields of a result that nobody receives."""


def _step(**about: object) -> None:
    """Has the signature of any step, for handlers that read bound arguments."""

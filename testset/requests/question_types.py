"""The question types: for each the request that asks a model to write one."""

from collections.abc import Mapping
from types import new_class
from typing import Any, cast, get_args

from testset.golden.item import QuestionType
from testset.requests.question import QuestionOf, question_prompt

SHAPES: Mapping[QuestionType, Mapping[str, Any]] = {
    "conflict": {"least": 2},
    "conversational": {"converses": True, "least_okay": 1},
    "double": {"least": 2},
    "multi_hop": {"least": 2},
    "summary": {"least": 2},
    "unanswerable": {"answered": False},
    "underspecified": {"least": 2},
}
"""Question type -> in what its request differs from `QuestionOf`, besides its prompt."""


def _request(name: QuestionType) -> type[QuestionOf]:
    """Return the request of a type, as `MultiHopOf` of "multi_hop"."""
    own = {"prompt": question_prompt(name), "__module__": __name__, **SHAPES.get(name, {})}
    title = f"{name.title().replace('_', '')}Of"
    request = new_class(title, (QuestionOf,), exec_body=lambda body: body.update(own))
    return cast(type[QuestionOf], request)


WRITING: Mapping[QuestionType, type[QuestionOf]] = {
    name: _request(name) for name in sorted(get_args(QuestionType))
}
"""Question type -> the request that writes it."""
globals().update({request.__name__: request for request in WRITING.values()})  # to be sent by name

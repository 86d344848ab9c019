"""What is known of a model at an endpoint, and the signs that it is learned from."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from pydantic import BaseModel

from llamaindex_rag_eval._sync import UnderWay
from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.parameters import Way
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.response import Completion

REFUSED = (400, 422)
"""HTTP statuses by which servers refuse a parameter."""

NAMES_FORM = re.compile(r"response_format|json_schema|json_object")
"""In an error, shows that the form of the reply is refused: that will be so the next time, too."""

Extra = Literal["limit", "logprobs", "bounds"]
"""What a call may be given beside its messages, and servers refuse: the most tokens of the reply,
the wish for log-probabilities, a schema that is narrowed to the request."""

NAMES_LIMIT = re.compile(r"max_(?:completion_|output_)?tokens", re.IGNORECASE)

PROBE_TOKENS = 256
"""Room for a model that greets before it replies."""


class ProbeInput(BaseModel):
    """Nothing: the probe has no data."""


class ProbeOutput(BaseModel):
    """A field that no model would think of by itself."""

    confirmed_by_form: bool


PROBE = Prompt[ProbeInput, ProbeOutput](
    name="probe", instruction="Name a colour.", input=ProbeInput, output=ProbeOutput
)

PROBE_MESSAGES = (ChatMessage(role=MessageRole.USER, content="Name a colour. Reply in JSON."),)
"""OpenAI takes `json_object` only if the messages speak of JSON."""


Key = tuple[str, str, str]
"""The class of a model, its address, and its name."""


@dataclass
class Knowledge:
    """What is known of a model at an endpoint."""

    key: Key
    way: Way | None = None
    refused: set[Extra] = field(default_factory=set)
    thinks: bool = False
    probing: UnderWay = field(default_factory=UnderWay)

    def __reduce__(self) -> tuple[object, ...]:
        """Return what was found out; what another process found out itself comes first."""
        return knowledge_of, (self.key, self.way, self.refused, self.thinks)


_remembered: dict[Key, Knowledge] = {}


def knowledge_of(key: Key, *found_out: Any) -> Knowledge:
    """Return what is known of a model; of one that is new, what another process found out."""
    return _remembered.setdefault(key, Knowledge(key, *found_out))


def names_form(error: CallError) -> bool:
    """Return whether a call was refused for the form of its reply."""
    return error.status is not None and bool(NAMES_FORM.search(str(error)))


def refused_extra(error: CallError, extras: Collection[Extra]) -> Extra | None:
    """Return for which of its extras a call was refused; `None` if for none of them.

    OpenAI says 403 of some log-probabilities; bounds may be meant by any refusal of the form.
    """
    text, refused = str(error), error.status in REFUSED
    signs: dict[Extra, bool] = {
        "logprobs": error.status is not None and "logprobs" in text,
        "limit": refused and bool(NAMES_LIMIT.search(text)),
        "bounds": refused or names_form(error),
    }
    return next((extra for extra, sign in signs.items() if sign and extra in extras), None)


def in_form(way: Way, completion: Completion) -> bool:
    """Return whether a reply to the probe shows that its form counted."""
    try:
        reply = json.loads(completion.text)
    except ValueError:
        return False
    return isinstance(reply, dict) and (way == "json" or [*reply] == [*ProbeOutput.model_fields])

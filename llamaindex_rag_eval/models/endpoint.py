"""What an endpoint can do with one model, found out once and remembered while the process lives.

Servers that speak OpenAI's protocol differ in how they hold a reply to a form, and do not say so.
One tiny call a form tells: it names a field only in the schema, so that a reply with this field
shows that the schema counted. A server that refuses the form, or answers without it, is asked by
the next one. A transient fault decides nothing.
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Literal
from weakref import WeakKeyDictionary

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.llms import LLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from pydantic import BaseModel

from llamaindex_rag_eval.errors import CallError, InputError, ReplyError
from llamaindex_rag_eval.models.completion import Way
from llamaindex_rag_eval.models.parameters import is_ollama, is_openai
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.response import Completion

logger = logging.getLogger(__name__)

AUTO = "auto"
"""Stands in fingerprints for a way that is found out: a resumed run has the same, before any call
and whatever came first."""

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


@dataclass
class Knowledge:
    """What is known of a model at an endpoint."""

    way: Way | None = None
    refused: set[Extra] = field(default_factory=set)
    thinks: bool = False


_remembered: dict[tuple[str, str, str], Knowledge] = {}
"""(class, address, model) -> what was found out."""


def ways_of(llm: LLM) -> tuple[Way, ...]:
    """Return all ways in which a model can be asked, the strictest first."""
    if is_ollama(llm):
        return ("schema", "json", "text")
    calls_tools = isinstance(llm, FunctionCallingLLM) and llm.metadata.is_function_calling_model
    tool: tuple[Way, ...] = ("tool",) if calls_tools else ()
    if is_openai(llm) and llm.metadata.is_chat_model:
        return ("schema", "object", *tool, "json", "text")
    return (*tool, "text")


def known_way(llm: LLM) -> Way | None:
    """Return the strictest way if the class of a model tells it; `None` if only a call does."""
    if is_openai(llm):
        from llama_index.llms.openai.utils import is_json_schema_supported

        if is_json_schema_supported(llm.model):  # type: ignore[attr-defined]  # an OpenAI
            return "schema"
    if is_ollama(llm) or _is_openai_like(llm):
        return None  # any server, any model
    ways = ways_of(llm)
    return "tool" if "tool" in ways else ways[0] if len(ways) == 1 else None


class Endpoint:
    """The ways of one model at one endpoint; all objects for the same one share what is found out.

    Args:
        llm: The model.
        way: How it is asked; `None` for the strictest way that it has.
        probed: Whether it may be found out by calls; else the strictest way is taken.

    Attributes:
        own_schemas: Whether a schema of its own for each request is worth while: the server samples
            by it.

    Raises:
        InputError: The model's class cannot ask in this way.
    """

    def __init__(self, llm: LLM, way: Way | None = None, *, probed: bool = True) -> None:
        offered = ways_of(llm)
        if way is not None and way not in offered:
            raise InputError(
                f"{type(llm).__name__!r} cannot be asked by {way!r}; it offers {', '.join(offered)}"
            )
        known = way or known_way(llm)
        free = known is None or (way is None and _is_openai_like(llm))
        self.ways: tuple[Way, ...] = offered if free or known is None else (known,)
        self.known = known
        self.probed = probed
        tried = known is None or way is not None
        self.own_schemas = probed and tried and (is_ollama(llm) or _is_openai_like(llm))
        self.key = (type(llm).__name__, _address_of(llm), model_name(llm))
        self.knowledge = _remembered.setdefault(self.key, Knowledge())
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = (
            WeakKeyDictionary()
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return the settings, and what was found out; locks belong to event loops."""
        return {name: value for name, value in vars(self).items() if name != "_locks"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the settings; what this process found out itself comes first."""
        self.__dict__.update(state, _locks=WeakKeyDictionary())
        self.knowledge = _remembered.setdefault(self.key, self.knowledge)

    @property
    def name(self) -> str:
        """The way as it stands in fingerprints: never what was found out."""
        return self.known or AUTO

    @property
    def way(self) -> Way:
        """The way, as far as it is known."""
        way = self.knowledge.way
        return way if way in self.ways else self.known or self.ways[0]

    async def find(self, ask: Callable[[Way], Awaitable[Completion]]) -> Way:
        """Return the strictest way that works, found out once.

        Args:
            ask: Makes one call with `PROBE` in this way.

        Raises:
            CallError: The endpoint cannot be reached, or refuses every way.
        """
        if self.probed and self.known is None and self.knowledge.way not in self.ways:
            loop = asyncio.get_running_loop()
            async with self._locks.setdefault(loop, asyncio.Lock()):
                if self.knowledge.way not in self.ways:
                    await self._find(ask)
        return self.way

    async def _find(self, ask: Callable[[Way], Awaitable[Completion]]) -> None:
        refusals = 0
        for way in self.ways[:-1]:
            try:
                works = _in_form(way, await ask(way))
            except CallError as error:
                if error.status not in REFUSED and not _names_form(error):
                    raise
                refusals += 1
                works = False
            except ReplyError:
                works = False
            if works:
                self._remember(way, "found out by a probe")
                return
        plain = self.ways[-1]
        if refusals == len(self.ways) - 1:
            await ask(plain)  # if that is refused too, it was not for the form
        self._remember(plain, "no other form counted in a probe")

    def refuses(self, way: Way, error: CallError) -> bool:
        """Return whether a call was refused for its form and there is another way to ask.

        The first such call turns to the next way; those in flight then follow it.
        """
        if not _names_form(error) or way == self.ways[-1]:
            return False
        if way == self.way:
            self._remember(self.ways[self.ways.index(way) + 1], f"it refused {way!r}: {error}")
        return True

    def _remember(self, way: Way, why: str) -> None:
        self.knowledge.way = way
        _, address, model = self.key
        logger.info("%s at %s is asked by %r (%s)", model, address or "its provider", way, why)


def _names_form(error: CallError) -> bool:
    return error.status is not None and bool(NAMES_FORM.search(str(error)))


def refused_extra(error: CallError, extras: Collection[Extra]) -> Extra | None:
    """Return for which of its extras a call was refused; `None` if for none of them.

    OpenAI says 403 of some log-probabilities; bounds may be meant by any refusal of the form.
    """
    text, refused = str(error), error.status in REFUSED
    signs: dict[Extra, bool] = {
        "logprobs": error.status is not None and "logprobs" in text,
        "limit": refused and bool(NAMES_LIMIT.search(text)),
        "bounds": refused or _names_form(error),
    }
    return next((extra for extra, sign in signs.items() if sign and extra in extras), None)


def _in_form(way: Way, completion: Completion) -> bool:
    """Return whether a reply to the probe shows that its form counted."""
    try:
        reply = json.loads(completion.text)
    except ValueError:
        return False
    return isinstance(reply, dict) and (way == "json" or [*reply] == [*ProbeOutput.model_fields])


def _is_openai_like(llm: LLM) -> bool:
    return any(kind.__name__ == "OpenAILike" for kind in type(llm).__mro__)


def model_name(llm: LLM) -> str:
    """Return the name of a model; Ollama's metadata would ask its server."""
    return str(getattr(llm, "model", None) or llm.metadata.model_name)


def _address_of(llm: LLM) -> str:
    """Return where a model is; empty if its class has one place only."""
    names = ("api_base", "base_url", "azure_endpoint", "endpoint")
    return next((str(value) for name in names if (value := getattr(llm, name, None))), "")

"""The vocabulary's frame: a frozen, typed request, its typed reply, and who answers it.

A request knows three ways to be answered, and each kind of oracle takes one: by rule
(`by_rule`), by a model (`prompt`, `to_prompt`, `from_prompt`), by embeddings (`to_embed`,
`from_vectors`). Whoever answers, the reply is held to `check`.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from llamaindex_rag_eval.data.sample import Image
from llamaindex_rag_eval.errors import NeedsModelError, ReplyError

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.prompt import Prompt

__all__ = ["Embed", "Oracle", "Reply", "ReplyT", "Request", "checked"]

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts -> one row of numbers each."""


class Reply(BaseModel):
    """What is answered to a request. Frozen: replies are cached and shared."""

    model_config = ConfigDict(frozen=True)


ReplyT = TypeVar("ReplyT", bound=Reply)


class Request(BaseModel, Generic[ReplyT]):
    """What is asked. Frozen and hashable: equal requests are asked once.

    Attributes:
        reply: The type of the reply.
        prompt: How a model is asked; `None` if models are not asked this.
        ruled: Whether rules can answer it.
    """

    model_config = ConfigDict(frozen=True)

    reply: ClassVar[type[Reply]]
    prompt: ClassVar["Prompt[Any, Any] | None"] = None
    ruled: ClassVar[bool] = False

    def check(self, reply: ReplyT) -> None:
        """Raise `ReplyError` if the reply breaks the contract of this request.

        The default takes any reply of the right type.
        """

    def by_rule(self, embed: Embed | None = None) -> ReplyT:
        """Answer by rules alone; with `embed`, rules may compare meanings through it.

        Raises:
            NeedsModelError: Rules cannot answer this.
        """
        del embed
        raise NeedsModelError(
            f"rules cannot answer {type(self).__name__!r}; give the judge an LLM, as in "
            "`Judge(LLMOracle(llm))` or `--llm openai:gpt-4o-mini`"
        )

    def stand_in(self) -> ReplyT:
        """Return a reply of the right form, for a rehearsal of what rules cannot answer."""
        raise NotImplementedError(type(self).__name__)

    def to_prompt(self) -> BaseModel:
        """Return this request as the input model of its prompt."""
        raise NotImplementedError(type(self).__name__)

    def from_prompt(self, output: Any) -> ReplyT:
        """Return the reply that the output model of the prompt stands for.

        Raises:
            ReplyError: The output does not fit the request, as a verdict too few.
        """
        raise NotImplementedError(type(self).__name__)

    @property
    def images(self) -> tuple[Image, ...]:
        """The images a model must see to answer."""
        return ()

    def halves(self) -> "tuple[Request[ReplyT], ...]":
        """Return two requests that together ask for this one; none if it cannot be divided.

        For inputs longer than a model's window; `joined` puts the replies together.
        """
        return ()

    def one_by_one(self) -> "tuple[Request[ReplyT], ...]":
        """Return a request for each context, for judges who prefer them apart; none if no use."""
        return ()

    def joined(self, parts: "Sequence[Request[ReplyT]]", replies: Sequence[ReplyT]) -> ReplyT:
        """Return the reply to this request from the replies to its parts."""
        raise NotImplementedError(type(self).__name__)

    def majority(self, replies: Sequence[ReplyT]) -> ReplyT:
        """Return what most of several independent replies say; the first one, on a tie."""
        counted = Counter(replies)
        return max(replies, key=lambda reply: counted[reply])

    @property
    def to_embed(self) -> tuple[str, ...]:
        """The texts whose embeddings answer this; empty if embeddings do not."""
        return ()

    def from_vectors(self, vectors: NDArray[np.float32]) -> ReplyT:
        """Return the reply that the embeddings of `to_embed` come to."""
        raise NotImplementedError(type(self).__name__)


@runtime_checkable
class Oracle(Protocol):
    """Whoever answers requests: rules, a model, a cache in front of either, a test's script."""

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return who answers requests of this type, and with what settings.

        Two oracles with the same fingerprint may share replies; it names the model, its
        parameters, and the prompt.
        """
        ...

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether requests of this type can be answered at all."""
        ...

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Answer one request, or raise an `OracleError`."""
        ...


def checked(request: Request[ReplyT], reply: Reply) -> ReplyT:
    """Return the reply if it is of the right type and keeps its contract.

    Raises:
        ReplyError: It does not.
    """
    if not isinstance(reply, request.reply):
        expected, got = request.reply.__name__, type(reply).__name__
        raise ReplyError(f"{type(request).__name__!r} is answered by {expected!r}, not {got!r}")
    request.check(reply)  # type: ignore[arg-type]  # its type was checked two lines above
    return reply  # type: ignore[return-value]  # likewise

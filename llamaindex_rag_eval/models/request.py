"""A frozen, typed request, its typed reply, and the protocol of an oracle, which answers it.

A request knows three ways to be answered, and each kind of oracle uses one: by rule (`by_rule`), by
a model (`prompt`, `to_prompt`, `from_prompt`), by embeddings (`to_embed`, `from_vectors`).
Whichever it is, `check` holds the reply to its contract.
"""

import copy
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from llamaindex_rag_eval.data.sample import Image
from llamaindex_rag_eval.errors import InputError, NeedsModelError, ReplyError
from llamaindex_rag_eval.models.prompt import Prompt, as_input

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.response import Completion

REPLY_TOKENS = 300
"""Tokens for a reason, names of fields and brackets."""

LANGUAGES = "languages"
"""The folder beside a request's module that holds a folder for each language."""

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts -> one row of numbers each."""


class Reply(BaseModel):
    """The answer to a request. Frozen: replies are cached and shared."""

    model_config = ConfigDict(frozen=True)


ReplyT = TypeVar("ReplyT", bound=Reply)


class Request(BaseModel, Generic[ReplyT]):
    """A question to an oracle. Frozen and hashable: equal requests are asked once.

    Attributes:
        reply: The type of the reply, as `Request[Claims]` names it.
        prompt: How a model is asked; `None` if models are not asked.
        ruled: Whether rules can answer it: there is a `by_rule`.
        weighs: Whether it uses how sure a model was of its words: log-probabilities are asked for.
    """

    model_config = ConfigDict(frozen=True)

    reply: ClassVar[type[Reply]]
    prompt: ClassVar[Prompt[Any, Any] | None] = None
    ruled: ClassVar[bool] = False
    weighs: ClassVar[bool] = False

    @classmethod
    def __pydantic_init_subclass__(cls, **_: object) -> None:
        for argument in cls.__pydantic_generic_metadata__["args"]:
            cls.reply = argument
        cls.ruled = cls.by_rule is not Request.by_rule

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
        """Return a reply of the right form, for a dry run of what rules cannot answer."""
        raise NotImplementedError(type(self).__name__)

    def to_prompt(self) -> BaseModel:
        """Return this request as the input model of its prompt, field by field.

        The input model says what it takes by another name, and what it numbers.
        """
        if self.prompt is None:
            raise NotImplementedError(type(self).__name__)
        model: type[BaseModel] = self.prompt.input
        return model.model_validate(self, from_attributes=True)

    def from_prompt(self, output: Any) -> ReplyT:
        """Return the reply that the output model of the prompt stands for; by default as it is.

        Raises:
            ReplyError: The output does not fit the request, as a verdict too few.
        """
        if isinstance(output, self.reply):
            return output  # type: ignore[return-value]  # of the type it names
        return self.reply(**dict(output))  # type: ignore[return-value]  # likewise

    def weighed(self, output: Any, completion: "Completion") -> Any:
        """Return the output model with what the log-probabilities of the reply say about it."""
        del completion
        return output

    @property
    def images(self) -> tuple[Image, ...]:
        """The images a model must see to answer: those among its contexts, if it has any."""
        images = []
        for value in vars(self).values():
            if isinstance(value, tuple):
                images += [entry for entry in value if isinstance(entry, Image)]
        return tuple(images)

    @property
    def contexts_first(self) -> bool:
        """Whether its `contexts`, if it shows any, are those that other judgements show, too."""
        return True

    def halves(self) -> "tuple[Request[ReplyT], ...]":
        """Return two requests that together ask for this one; none if it cannot be divided.

        For inputs longer than a model's window; `join` puts the replies together.
        """
        return ()

    @property
    def reply_tokens(self) -> int:
        """Tokens that are enough for any valid reply; a longer one is cut off, and asked anew.

        The default lets the reply say all that the request says, and give reasons. One token for
        each byte of UTF-8 is three times what English takes, and enough in any language.
        """
        return REPLY_TOKENS + len(self.to_prompt().model_dump_json().encode())

    def groups(self, most: int) -> "tuple[Request[ReplyT], ...]":
        """Return requests for at most so many entries of the reply each; none if it has no more.

        Models lose count of long lists. `join` puts the replies together.
        """
        del most
        return ()

    def shorter(self) -> "tuple[Request[ReplyT], ...]":
        """Return requests that divide what the reply has to say; none if it cannot be divided.

        For replies that are cut off; `join` puts the replies together.
        """
        return ()

    def join(self, parts: "Sequence[Request[ReplyT]]", replies: Sequence[ReplyT]) -> ReplyT:
        """Return the reply to this request from the replies to its parts."""
        raise NotImplementedError(type(self).__name__)

    def majority(self, replies: Sequence[ReplyT]) -> ReplyT:
        """Return the most frequent of several independent replies; on a tie, the first of them."""
        counted = Counter(replies)
        return max(replies, key=lambda reply: counted[reply])

    @property
    def to_embed(self) -> tuple[str, ...]:
        """The texts whose embeddings answer this; empty if embeddings do not."""
        return ()

    def from_vectors(self, vectors: NDArray[np.float32]) -> ReplyT:
        """Return the reply that follows from the embeddings of `to_embed`, a row each."""
        raise NotImplementedError(type(self).__name__)


class WrittenPrompt:
    """The `prompt` of a request, in the words of `languages/en/NAME.yaml` beside its module.

    Args:
        name: The name of the prompt and of its file.
        input_model: What a model is sent, where this is not the request itself, field by field.
        output_model: What a model replies, where this is not the reply of the request.
    """

    def __init__(
        self,
        name: str,
        input_model: type[BaseModel] | None = None,
        output_model: type[BaseModel] | None = None,
    ) -> None:
        self._name, self._input, self._output = name, input_model, output_model

    def __set_name__(self, owner: type[Any], attribute: str) -> None:
        self._owner = owner

    def __get__(self, request: object, kind: type[object]) -> Prompt[Any, Any]:
        """Return the prompt, which takes the place of this where it was first asked for."""
        owner = self._owner
        plain = Prompt[Any, Any](
            name=self._name,
            instruction="",
            input=self._input or owner,
            output=self._output or owner.reply,
        )
        folder = Path(str(sys.modules[owner.__module__].__file__)).parent / LANGUAGES / "en"
        owner.prompt = prompt = plain.load(folder / f"{self._name}.yaml")
        return prompt


written: Callable[..., Any] = WrittenPrompt
"""Returns the prompt of a request: a descriptor, which is a `Prompt` to who reads it."""


@runtime_checkable
class Oracle(Protocol):
    """Answers requests: by rules, by a model, from a cache in front of either, from a script."""

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return a name for what answers requests of this type, with its settings.

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


class OracleOver:
    """An oracle over another one, which it asks: what it does not say itself, that one says.

    Attributes:
        inner: The other one.
    """

    inner: Oracle

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.inner!r})"

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the fingerprint of what answers requests of this type."""
        return self.inner.fingerprint(request)

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether `inner` answers requests of this type."""
        return self.inner.answers(request)

    def over(self, inner: Oracle) -> Self:
        """Return the same over another oracle."""
        changed = copy.copy(self)
        changed.inner = inner
        return changed

    def voter(self, vote: int) -> Self:
        """Return the same over an oracle that gives another, independent vote.

        Raises:
            InputError: `inner` cannot vote independently.
        """
        return self.over(voter_of(self.inner, vote))


def voter_of(oracle: Oracle, vote: int) -> Oracle:
    """Return an oracle that gives this one of several independent votes.

    Raises:
        InputError: It always answers the same.
    """
    make: Callable[[int], Oracle] | None = getattr(oracle, "voter", None)
    if make is None:
        raise InputError(f"{oracle!r} always answers the same; expected an oracle over an LLM")
    return make(vote)


def oracles_of(oracle: Oracle) -> list[Any]:
    """Return an oracle and those inside it, the outermost first."""
    oracles: list[Any] = []
    inside: object = oracle
    while inside is not None:
        oracles.append(inside)
        inside = getattr(inside, "inner", None)
    return oracles


@lru_cache(maxsize=256)
def input_of(request: Request[Any]) -> str:
    """Return a request as its prompt shows it; made once for the few who ask in turn."""
    return as_input(request.to_prompt())


def check_reply(request: Request[ReplyT], reply: Reply) -> ReplyT:
    """Return the reply if it is of the right type and keeps its contract.

    Raises:
        ReplyError: It does not.
    """
    if not isinstance(reply, request.reply):
        expected, got = request.reply.__name__, type(reply).__name__
        raise ReplyError(f"{type(request).__name__!r} is answered by {expected!r}, not {got!r}")
    request.check(reply)  # type: ignore[arg-type]  # its type was checked two lines above
    return reply  # type: ignore[return-value]  # likewise

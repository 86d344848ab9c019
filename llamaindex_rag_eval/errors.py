"""Every error this package raises, so that one `except RagEvalError` catches them all.

    RagEvalError
    ├── InputError            what you gave cannot be used (also a ValueError)
    │   ├── MissingFieldError     a metric needs a field the sample does not have
    │   ├── DatasetError          a file of samples: which file, line, field, what was expected
    │   ├── DocumentError         a folder or file of documents cannot be read
    │   ├── UnknownMetricError    no metric of that name; says which names come close
    │   ├── EngineError           `module:attribute` leads to no engine, or a retriever fails
    │   └── OutputError           a result cannot be written where it should go
    └── OracleError           a judgement could not be had
        ├── NeedsModelError       rules cannot answer this request; it needs an LLM
        ├── ReplyError            the reply breaks the contract of its request; keeps the raw text
        ├── CallError             a model or service could not be reached, or refused the call
        │   └── EndpointError         the endpoint is away for too long, or refuses every call
        ├── BudgetError           the budget of calls, tokens or money is spent
        ├── PendingError          the reply is asked for in a batch file and not there yet
        └── ScriptError           a `ScriptedOracle` was asked for what its script does not hold

None of them is a `RuntimeError`: LlamaIndex's `asyncio_run` takes those for a nested event loop.
"""

from collections.abc import Iterable


class RagEvalError(Exception):
    """Base of every error of this package."""

    def __reduce__(self) -> tuple[object, ...]:
        """Rebuild from message and attributes, so that the error crosses process borders."""
        return _rebuilt, (type(self), *self.args), vars(self)


def _rebuilt(kind: type[RagEvalError], *args: object) -> RagEvalError:
    return kind.__new__(kind, *args)


def message_of(error: BaseException) -> str:
    """Return what went wrong, with the kind of an error that is none of this package.

    Example:
        >>> message_of(RagEvalError("no reply")), message_of(KeyError("a bug"))
        ('no reply', "KeyError: 'a bug'")
    """
    kind, message = type(error).__name__, str(error)
    if isinstance(error, RagEvalError) and message:
        return message
    return f"{kind}: {message}" if message else kind


class InputError(RagEvalError, ValueError):
    """What the caller gave cannot be used."""


class MissingFieldError(InputError):
    """A metric needs a field that the sample does not have.

    Attributes:
        metric: The first such metric.
        field: The field.
        sample_id: The first such sample; empty if there is one alone.
    """

    def __init__(self, metric: str, field: str, *, sample_id: str = "", sentence: str = "") -> None:
        self.metric = metric
        self.field = field
        self.sample_id = sample_id
        where = f"sample {sample_id!r}" if sample_id else "this sample"
        super().__init__(sentence or f"{metric!r} needs {field!r}, which {where} does not have")


class DatasetError(InputError):
    """A file of samples or runs does not hold what it should."""

    def __init__(
        self, expectation: str, *, file: str = "", line: int | None = None, field: str = ""
    ) -> None:
        self.expectation = expectation
        self.file = file
        self.line = line
        self.field = field
        parts = (
            f"file {file!r}" if file else "",
            f"line {line}" if line is not None else "",
            f"field {field!r}" if field else "",
        )
        where = ", ".join(filter(None, parts))
        super().__init__(f"{where}: {expectation}" if where else expectation)

    def at(self, file: str, line: int | None = None) -> "DatasetError":
        """Return the error with the place of its row, where it does not know it."""
        known = (self.file or file, line if self.line is None else self.line)
        return DatasetError(self.expectation, file=known[0], line=known[1], field=self.field)


class DocumentError(InputError):
    """A folder or a file of documents cannot be read."""


class UnknownMetricError(InputError):
    """No metric has that name."""

    def __init__(self, name: str, close: Iterable[str] = (), successor: str = "") -> None:
        self.name = name
        self.close = tuple(close)
        if successor:
            super().__init__(f"no metric is named {name!r} any more; use {successor}")
            return
        hint = f"; did you mean {', '.join(map(repr, self.close))}?" if self.close else ""
        super().__init__(
            f"no metric is named {name!r}{hint or ';'} `rag-eval more metrics` lists all"
        )


class EngineError(InputError):
    """`module:attribute` does not lead to something that answers questions."""


class OutputError(InputError):
    """A result cannot be written where it should go."""


class OracleError(RagEvalError):
    """A judgement could not be had."""


class NeedsModelError(OracleError):
    """Rules cannot answer this request: it needs an LLM."""


class ReplyError(OracleError):
    """A reply that breaks the contract of its request.

    Attributes:
        raw: The text of the reply as it came, for the person who looks into it.
    """

    def __init__(self, message: str, raw: str = "") -> None:
        self.raw = raw
        super().__init__(message)


class CallError(OracleError):
    """A model or service could not be reached, or would not take the call.

    Attributes:
        status: The HTTP status, if there was an answer.
        retry_after: Seconds after which the server wants to be asked again, if it said so.
        transient: Whether the same call may succeed later.
        failure: The name of its row in the table of `models.failures`, which says what is done;
            where it is empty, `status` and `transient` tell.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        transient: bool = False,
        failure: str = "",
    ) -> None:
        self.status = status
        self.retry_after = retry_after
        self.transient = transient
        self.failure = failure
        super().__init__(message)


class EndpointError(CallError):
    """The endpoint has not answered for too long, or refuses every call: nothing more is asked.

    What was answered before is kept, and a later run goes on from there.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message, status=status)


class BudgetError(OracleError):
    """The budget of calls, tokens or money is spent."""


class PendingError(OracleError):
    """The reply is asked for in a batch file, and is not there yet."""


class ScriptError(OracleError):
    """A `ScriptedOracle` was asked for what its script does not hold."""

"""The type of an engine, its settings, and the engine or maker of engines at a place in Python."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeGuard, cast

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.chat_engine.types import BaseChatEngine
from llama_index.core.workflow import Workflow

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.errors import EngineError, RagEvalError
from llamaindex_rag_eval.models.providers import object_in

Engine = BaseQueryEngine | BaseRetriever | BaseChatEngine | Workflow | Callable[..., object]
"""A query engine, retriever, chat engine, workflow or agent, or function from question to answer.

A function, plain or async, returns a text, a `Response`, retrieved nodes, or a dict with
`response` and `contexts`.
"""

EngineFactory = Callable[..., Engine]
"""A function that makes an engine of the parameters of a setting, given as keywords."""

ENGINE_TYPES = (BaseQueryEngine, BaseRetriever, BaseChatEngine, Workflow)

ENGINE_SETTINGS = "engine_settings"
"""The attribute in which an engine carries its name and what else its answers depend on, as
`{"engine": "app:engine", "top_k": 5}`; answers have it in their metadata. A `Path` is the same in
whatever way it is written."""

ENGINE_KINDS = "a query engine, a retriever, a chat engine, a workflow, an agent, or a function"
"""As errors say it."""


def is_engine(value: object) -> TypeGuard[Engine]:
    """Return whether a value can be asked questions."""
    return isinstance(value, ENGINE_TYPES) or callable(value)


def settings_of(engine: object) -> Mapping[str, object]:
    """Return what the answers of an engine depend on, as far as it carries that."""
    settings = getattr(engine, ENGINE_SETTINGS, None)
    return settings if isinstance(settings, Mapping) else {}


def with_settings(engine: Engine, /, **settings: object) -> Engine:
    """Return an engine, or a function that makes engines, which carries these settings, too.

    Example:
        >>> settings_of(with_settings(str, engine="app:engine", top_k=5))
        {'engine': 'app:engine', 'top_k': 5}
    """
    settings = {**settings_of(engine), **settings}
    try:
        object.__setattr__(engine, ENGINE_SETTINGS, settings)  # pydantic's own takes no new names
    except (AttributeError, TypeError):  # a method, a class, an object with slots
        return with_settings(partial(cast("Callable[..., object]", engine)), **settings)
    return engine


def engine_at(import_path: str) -> Engine:
    """Return the engine at `module:attribute`, found from the current folder or installed.

    It carries this name; see `settings_of`.

    The attribute is an engine, a function that takes a question, or a function without arguments
    that makes an engine. Importing the module runs its code, so name only modules that you trust.

    Raises:
        EngineError: There is no such module or attribute, it raised an error, or it is no engine.
    """
    engine = _object_at(import_path, "app:query_engine")
    if not is_engine(engine):
        raise EngineError(f"{import_path!r} is a {type(engine).__name__}; expected {ENGINE_KINDS}")
    if not isinstance(engine, ENGINE_TYPES) and takes_no_arguments(engine):
        engine = engine_from(cast("EngineFactory", engine), import_path, {})
    return with_settings(engine, engine=import_path)


def factory_at(import_path: str) -> EngineFactory:
    """Return the function at `module:function` that makes engines; see `engine_at`.

    Raises:
        EngineError: There is no such module or function, or it makes no engines.
    """
    factory = _object_at(import_path, "app:make_engine")
    if isinstance(factory, ENGINE_TYPES) or not callable(factory):
        raise EngineError(
            f"{import_path!r} is a {type(factory).__name__}; expected a function that makes an "
            "engine of the parameters of a setting"
        )
    return factory


def _object_at(import_path: str, example: str) -> object:
    name, _, path = import_path.partition(":")
    if not (name and path):
        raise EngineError(f"expected 'module:attribute', as {example!r}, got {import_path!r}")
    return object_in(name, path)


def takes_no_arguments(function: Callable[..., object]) -> bool:
    """Return whether a function can be called without arguments, and so makes an engine."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(
        p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters
    )


def engine_from(
    factory: EngineFactory, import_path: str, parameters: Mapping[str, object]
) -> Engine:
    """Return the engine that a function, async or not, makes of these parameters.

    Raises:
        EngineError: It raised an error, or made no engine; it is named by `import_path`.
    """
    try:
        engine: object = factory(**parameters)
        if inspect.iscoroutine(engine):
            engine = run_sync(engine)
    except RagEvalError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise EngineError(f"{import_path!r} could not make an engine: {reason}") from error
    if is_engine(engine):
        return engine
    raise EngineError(f"{import_path!r} makes a {type(engine).__name__}; expected {ENGINE_KINDS}")

"""The type of an engine, and the engine at `module:attribute`."""

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.chat_engine.types import BaseChatEngine

from llamaindex_rag_eval.errors import EngineError

__all__ = ["Engine", "engine_at"]

Engine = BaseQueryEngine | BaseRetriever | BaseChatEngine | Callable[[str], object]
"""A query engine, a retriever, a chat engine, or a function from question to answer.

A function, plain or async, returns a text, a `Response`, retrieved nodes, or a dict with
`response` and `contexts`.
"""

ENGINE_TYPES = (BaseQueryEngine, BaseRetriever, BaseChatEngine)


def engine_at(place: str) -> Engine:
    """Return the engine at `module:attribute`, found from the current folder or installed.

    The attribute is an engine, a function that takes a question, or a function without arguments
    that makes an engine. Importing the module runs its code, so name only modules that you trust.

    Raises:
        EngineError: There is no such module or attribute, it raised an error, or it is no engine.
    """
    name, colon, path = place.partition(":")
    if not (name and colon and path):
        raise EngineError(f"expected 'module:attribute', as 'app:query_engine', got {place!r}")
    found = _attribute(_module(name), name, path)
    if isinstance(found, ENGINE_TYPES):
        return found
    if not callable(found):
        raise EngineError(
            f"{place!r} is a {type(found).__name__}; expected a query engine, a retriever, a chat "
            "engine, or a function"
        )
    return _create(found, place) if _takes_no_arguments(found) else found


def _module(name: str) -> object:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise EngineError(
                f"no module {name!r} in {here!r} or among the installed packages"
            ) from None
        raise EngineError(f"module {name!r} needs {error.name!r}, which is missing") from error
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise EngineError(f"module {name!r} could not be imported: {reason}") from error


def _attribute(module: object, name: str, path: str) -> object:
    found = module
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            known = ", ".join(sorted(key for key in vars(module) if not key.startswith("_")))
            raise EngineError(f"module {name!r} has no {path!r}; it has {known}") from None
    return found


def _takes_no_arguments(function: Callable[..., object]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(
        p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters
    )


def _create(factory: Callable[..., object], place: str) -> Engine:
    try:
        engine = factory()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise EngineError(f"{place!r} could not make an engine: {reason}") from error
    if isinstance(engine, ENGINE_TYPES) or callable(engine):
        return engine
    raise EngineError(
        f"{place!r} makes a {type(engine).__name__}; expected a query engine, a retriever, a chat "
        "engine, or a function"
    )

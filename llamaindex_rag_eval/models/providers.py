"""Models of other packages: of an installed `llama-index-…` package, or of a module of the user."""

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from textwrap import shorten
from types import ModuleType
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.errors import EngineError, InputError

T = TypeVar("T", bound=BaseModel)

LONGEST_REASON = 200
"""Characters of a provider's own error that are shown: some list all models they know."""

PACKAGE_NAME = re.compile(r"[a-z0-9]+([-_][a-z0-9]+)*")
"""What may follow `llama-index-llms-`; a module with a dot in its name is never a package."""

MODEL_PARAMETERS = frozenset({"model", "model_name", "model_id"})
"""What providers call the parameter for the model's name; that which comes first in a signature
counts, for another may take an object that is loaded already."""

DEPLOYMENT_PARAMETERS = ("engine", "deployment_name")
"""What Azure's classes want besides: the deployment, which is taken to be named as its model."""

PARAMETERS_OF = {
    "base_url": ("base_url", "api_base", "azure_endpoint", "endpoint", "endpoint_url"),
    "timeout": ("timeout", "request_timeout"),
}
"""What providers call the address of the API, and the seconds for a call."""


@dataclass(frozen=True)
class ModelKind(Generic[T]):
    """A kind of model that LlamaIndex has packages for.

    Attributes:
        folder: The part of a package's name: `llms` or `embeddings`.
        base: The class of all models of this kind.
        noun: What messages call it.
        suffix: What class names add to the name of the package, in small letters.
    """

    folder: str
    base: type[T]
    noun: str
    suffix: str = ""

    def pip(self, name: str) -> str:
        """Return the command that installs the package of this name."""
        return f"pip install llama-index-{self.folder}-{name.replace('_', '-')}"


def model_of(
    kind: ModelKind[T],
    name: str,
    model: str,
    addressing: Mapping[str, object] | None = None,
    **options: object,
) -> T:
    """Return the model that `NAME:MODEL` stands for.

    An installed package `llama-index-llms-NAME` comes first, then the attribute MODEL of the
    module NAME.

    Args:
        kind: Whether an LLM or an embedding model is meant.
        name: The name of a package, or a module.
        model: The name of a model, or an attribute of the module.
        addressing: `base_url` and `timeout`, given under the names that the package's class has for
            them; a `base_url` that cannot be given is an error.
        options: Given to the package's class where it has a parameter of this name.

    Raises:
        InputError: The package is not installed, or its model cannot be set up.
        EngineError: The module has no such attribute, or it is not a model of this kind.
    """
    package = _package(kind, name)
    addressing = {key: value for key, value in (addressing or {}).items() if value is not None}
    if package is None:
        if "base_url" in addressing:
            raise InputError(f"'{name}:{model}' takes no base URL; set it where the model is made")
        return _imported(kind, name, model)
    try:
        made = _made(kind, importlib.import_module(package), name, model, addressing, options)
        getattr(made, "metadata", None)  # a model that its class does not know is an error here
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - every provider has errors of its own
        # The provider's error may hold the key.
        raise InputError(f"'{name}:{model}' cannot be set up: {_one_line(error)}") from None
    return made


def _package(kind: ModelKind[T], name: str) -> str | None:
    """Return the module of an installed package; None if there is none of this name."""
    if not PACKAGE_NAME.fullmatch(name):
        return None
    module = f"llama_index.{kind.folder}.{name.replace('-', '_')}"
    try:
        return None if importlib.util.find_spec(module) is None else module
    except ModuleNotFoundError:  # no package of this kind is installed
        return None


def _made(
    kind: ModelKind[T],
    module: ModuleType,
    name: str,
    model: str,
    addressing: Mapping[str, object],
    options: dict[str, object],
) -> T:
    model_class = _class_in(kind, module, name)
    accepted = inspect.signature(model_class).parameters
    parameter = next((key for key in accepted if key in MODEL_PARAMETERS), None)
    if parameter is None:
        raise InputError(
            f"{model_class.__name__!r} takes no name of a model; use 'MODULE:ATTRIBUTE'"
        )
    given = {key: value for key, value in options.items() if key in accepted}
    given.update({key: model for key in DEPLOYMENT_PARAMETERS if key in accepted})
    for setting, value in addressing.items():
        parameter_name = next((key for key in PARAMETERS_OF[setting] if key in accepted), None)
        if parameter_name is not None:
            given[parameter_name] = value
        elif setting == "base_url":
            raise InputError(f"{model_class.__name__!r} takes no base URL")
    return model_class(**{**given, parameter: model})


def _class_in(kind: ModelKind[T], module: ModuleType, name: str) -> type[T]:
    """Return the class named after the package, or else the only one there is.

    Of `llama_index.llms.openai` that is `OpenAI`, of `llama_index.embeddings.ollama`
    `OllamaEmbedding`.
    """
    classes: dict[str, type[T]] = {
        key.lower(): value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, kind.base)
        if value.__module__.startswith(module.__name__) and not inspect.isabstract(value)
    }
    plain = re.sub(r"[-_]", "", name)
    for wanted in (plain + kind.suffix, plain):
        if wanted in classes:
            return classes[wanted]
    if len(classes) != 1:
        names = ", ".join(sorted(each.__name__ for each in classes.values())) or "none"
        raise InputError(
            f"{module.__name__!r} has no single {kind.noun} (found: {names}); "
            "make one in a module of yours, and name it as 'MODULE:ATTRIBUTE'"
        )
    return next(iter(classes.values()))


def _imported(kind: ModelKind[T], module: str, attribute: str) -> T:
    """Return an attribute of a module: a model, or what a function without arguments returns."""
    may_be_package = PACKAGE_NAME.fullmatch(module) is not None
    if may_be_package and "-" in module:
        raise InputError(f"'{module}:…' needs its package: {kind.pip(module)}")
    try:
        value: Any = object_in(module, attribute)
    except EngineError as error:
        hint = f"; for the provider of this name: {kind.pip(module)}" if may_be_package else ""
        raise EngineError(f"{error}{hint}") from error
    made = value() if callable(value) and not isinstance(value, kind.base) else value
    if not isinstance(made, kind.base):
        raise EngineError(f"'{module}:{attribute}' is {made!r}; expected a LlamaIndex {kind.noun}")
    return made


def object_in(module: str, path: str) -> object:
    """Return an attribute of a module that is in the current folder, or installed.

    Raises:
        EngineError: There is no such module or attribute, or it cannot be imported.
    """
    folder = str(Path.cwd())
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        imported = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            raise EngineError(
                f"no module {module!r} in {folder!r} or among the installed packages"
            ) from None
        raise EngineError(f"module {module!r} needs {error.name!r}, which is missing") from error
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise EngineError(f"module {module!r} could not be imported: {reason}") from error
    try:
        return attrgetter(path)(imported)
    except AttributeError:
        known = ", ".join(sorted(key for key in vars(imported) if not key.startswith("_")))
        raise EngineError(f"module {module!r} has no {path!r}; it has {known}") from None


def _one_line(error: Exception) -> str:
    """Return an error as one short line, without the keys that the environment holds."""
    text = without_keys(f"{type(error).__name__}: {error}")
    return shorten(text, LONGEST_REASON, placeholder=" …")

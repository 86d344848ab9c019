"""The prompts of the judge: which there are, in which languages, and how others replace them.

A judge reads Japanese answers better when it is asked in Japanese:
`LLMOracle(llm, prompts=shipped_prompts("ja"))`. A language is one folder, `languages/ja`: a file
for each prompt, by its name, with instruction and examples, and `frame.yaml`, which they share.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from llama_index.core.prompts import BasePromptTemplate, PromptTemplate

from llamaindex_rag_eval import judge as package
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.judge import Judge
from llamaindex_rag_eval.models import LLMOracle, Oracle, Prompt, Request
from llamaindex_rag_eval.models.request import LANGUAGES, OracleOver, oracles_of

_LANGUAGES = Path(__file__).parent / LANGUAGES

Requests = Sequence[type[Request[Any]]]
Prompts = dict[type[Request[Any]], Prompt[Any, Any]]


def english_prompts() -> Prompts:
    """Return every prompt of the judge, by the request it asks, in order of their names."""
    return prompts_of(package)


def prompts_of(package: ModuleType) -> Prompts:
    """Return the prompts of the requests that the modules of a package define.

    They are found by walking the package: a new request is on no list.
    """
    prompts = {
        request: request.prompt
        for module in iter_modules(package.__path__, f"{package.__name__}.")
        if not module.ispkg
        for request in _requests_in(module.name)
        if request.prompt is not None
    }
    return dict(sorted(prompts.items(), key=lambda entry: entry[0].__name__))


def _requests_in(module: str) -> Iterator[type[Request[Any]]]:
    for value in vars(import_module(module)).values():
        if isinstance(value, type) and issubclass(value, Request) and value.__module__ == module:
            yield value


def languages() -> tuple[str, ...]:
    """Return the languages in which the prompts come with this package, as ISO 639-1 codes."""
    codes = {folder.name for folder in _LANGUAGES.iterdir()}
    return ("en", *sorted(codes - {"en"}))


def shipped_prompts(language: str) -> Prompts:
    """Return all prompts of the judge in a language of `languages()`, for `LLMOracle(prompts=…)`.

    A prompt that the language's folder lacks is left out, so that it is asked in English.

    Raises:
        InputError: The language does not come with this package.
    """
    if language not in languages():
        raise InputError(
            f"no prompts come in {language!r}; there are {', '.join(languages())}. Others are "
            "made by `adapted_prompts(language, llm)`"
        )
    return loaded_prompts(english_prompts(), _LANGUAGES / language, "yaml")


def loaded_prompts(known: Prompts, folder: str | Path, extension: str = "json") -> Prompts:
    """Return the prompts among those known that a folder holds, each in a file of its name.

    Raises:
        DatasetError: A file holds another prompt, or none.
    """
    paths = {kind: Path(folder, f"{prompt.name}.{extension}") for kind, prompt in known.items()}
    return {kind: known[kind].load(path) for kind, path in paths.items() if path.is_file()}


def prompts_in(folder: str | Path) -> Prompts:
    """Return the prompts that a folder holds, for `LLMOracle(prompts=…)`; the others stay English.

    Raises:
        InputError: There is no such folder, or a file that no prompt of the judge is named after.
        DatasetError: A file holds another prompt, or none.
    """
    known = english_prompts()
    names = {prompt.name for prompt in known.values()}
    there = {path.stem for path in Path(folder).glob("*.json")}
    unknown = sorted(there - names)
    if unknown or not there:
        got = f"prompts named {', '.join(map(repr, unknown))}" if unknown else "no prompts"
        raise InputError(f"{str(folder)!r} holds {got}; expected any of {', '.join(sorted(names))}")
    return loaded_prompts(known, folder)


def prompts_at(name: str | Path) -> Prompts:
    """Return the prompts of a language of `languages()`, or those of a folder.

    Raises:
        InputError: It is neither.
        DatasetError: A file of the folder holds another prompt, or none.
    """
    if str(name) in languages():
        return shipped_prompts(str(name))
    if not Path(name).is_dir():
        raise InputError(
            f"expected one of {', '.join(languages())}, or a folder of prompts, got {str(name)!r}"
        )
    return prompts_in(name)


def instructions_of(judge: Judge, requests: Requests) -> dict[str, BasePromptTemplate]:
    """Return the instruction of each prompt by which a judge asks these requests, by its name.

    This is what LlamaIndex's `PromptMixin.get_prompts` returns for a metric. For a judge without
    a model, it is what a model would be asked.
    """
    return {
        prompt.name: PromptTemplate(prompt.instruction)
        for prompt in prompts_by(judge, requests).values()
    }


def with_instructions(
    judge: Judge, requests: Requests, instructions: Mapping[str, BasePromptTemplate]
) -> Judge | None:
    """Return the judge with other instructions for these requests; its examples stay.

    This is what LlamaIndex's `PromptMixin.update_prompts` does to a metric. For other examples,
    or another language, give the judge whole prompts:
    `Faithfulness(LLMOracle(llm, prompts={ClaimsOf: prompt}))`.

    Args:
        judge: Over an LLM, perhaps cached, limited, or voting.
        requests: What is asked of it.
        instructions: Prompt name -> instruction. Names with ":" belong to other modules and are
            passed over, as LlamaIndex has it.

    Returns:
        A new judge; `None` if there are no instructions for these requests.

    Raises:
        InputError: No prompt has that name, or the judge asks no model.
    """
    known = prompts_by(judge, requests)
    own = {name: template for name, template in instructions.items() if ":" not in name}
    names = sorted({prompt.name for prompt in known.values()})
    for name in own:
        if name not in names:
            raise InputError(f"no prompt is named {name!r} here; there are {', '.join(names)}")
    changed = {
        request: prompt.changed(instruction=own[prompt.name].get_template())
        for request, prompt in known.items()
        if prompt.name in own
    }
    return judge.over(with_prompts(judge.oracle, changed)) if changed else None


def prompts_by(judge: Judge, requests: Requests) -> Prompts:
    """Return the prompts by which a judge asks these requests, or would if it asked a model."""
    model = oracles_of(judge.oracle)[-1]
    prompts = {
        request: model.prompt_of(request) if isinstance(model, LLMOracle) else request.prompt
        for request in requests
    }
    return {request: prompt for request, prompt in prompts.items() if prompt is not None}


def with_prompts(oracle: Oracle, prompts: Prompts) -> Oracle:
    """Return the oracle with its model asked by these prompts, wrapped as it was."""
    if isinstance(oracle, LLMOracle):
        return oracle.changed(prompts=prompts)
    if isinstance(oracle, OracleOver):
        return oracle.over(with_prompts(oracle.inner, prompts))
    raise InputError(f"{oracle!r} asks no model by prompts; expected a judge over an LLM")

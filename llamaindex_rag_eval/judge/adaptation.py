"""Prompts in other languages: shipped ones, and translated ones.

A judge reads Japanese answers better when it is asked in Japanese:
`LLMOracle(llm, prompts=shipped_prompts("ja"))`. For languages that do not come with this package
`adapted` translates the instruction and the examples of a prompt by a model, once, and keeps them
in a file. It stands here and not on `Prompt`, which knows no requests to ask a model by.
"""

from collections.abc import Callable, Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.claims import ClaimsOf
from llamaindex_rag_eval.judge.context_relevance import ContextRelevanceOf
from llamaindex_rag_eval.judge.critique import CritiqueOf
from llamaindex_rag_eval.judge.entities import EntitiesOf
from llamaindex_rag_eval.judge.grade import GradeOf
from llamaindex_rag_eval.judge.intentions import IntentionsOf
from llamaindex_rag_eval.judge.preference import PreferenceOf
from llamaindex_rag_eval.judge.questions import QuestionsOf
from llamaindex_rag_eval.judge.refusal import RefusalOf
from llamaindex_rag_eval.judge.relevance import RelevanceOf
from llamaindex_rag_eval.judge.relevant_sentences import RelevantSentencesOf
from llamaindex_rag_eval.judge.steps import StepsOf
from llamaindex_rag_eval.judge.support import SupportOf
from llamaindex_rag_eval.judge.topics import TopicsOf
from llamaindex_rag_eval.judge.translation import TranslationOf
from llamaindex_rag_eval.oracle.llm import LLMOracle
from llamaindex_rag_eval.oracle.prompt import Prompt
from llamaindex_rag_eval.oracle.request import Oracle, Request

__all__ = ["LANGUAGES", "REQUESTS", "adapted", "shipped", "shipped_prompts"]

LANGUAGES = ("en", "de", "ja", "zh")
"""Languages in which the prompts come with this package."""


REQUESTS: tuple[type[Request[Any]], ...] = (
    ClaimsOf,
    ContextRelevanceOf,
    CritiqueOf,
    EntitiesOf,
    GradeOf,
    IntentionsOf,
    PreferenceOf,
    QuestionsOf,
    RefusalOf,
    RelevanceOf,
    RelevantSentencesOf,
    StepsOf,
    SupportOf,
    TopicsOf,
    TranslationOf,
)
"""Everything a judge asks of a model."""


async def adapted(
    prompt: Prompt[Any, Any],
    language: str,
    llm: LLM | Oracle,
    *,
    code: str = "",
    path: str | Path | None = None,
) -> Prompt[Any, Any]:
    """Return a prompt with instruction and examples translated by a model.

    Args:
        prompt: The prompt, in any language.
        language: The language by its English name, as `Portuguese`.
        llm: Who translates, in one call.
        code: The ISO 639-1 code to file it under; the language's name if not given.
        path: A file to keep it in; if it is there already, it is read and nothing is asked.

    Raises:
        NeedsModelError: An oracle without a model was given.
        ReplyError: A translation breaks the prompt's models.
        DatasetError: The file holds another prompt.
        OutputError: The file cannot be written.
    """
    if path is not None and _is_there(path):
        return prompt.load(path)
    oracle = LLMOracle(llm) if isinstance(llm, LLM) else llm
    words = list(dict.fromkeys(_words(prompt)))
    reply = await oracle.ask(TranslationOf(texts=tuple(words), language=language))
    table = dict(zip(words, reply.texts, strict=True))
    made = _reworded(prompt, lambda text: table.get(text, text), code or language)
    if path is not None:
        made.save(path)
    return made


def shipped_prompts(language: str) -> dict[type[Request[Any]], Prompt[Any, Any]]:
    """Return all prompts of the judge in a language of `LANGUAGES`, for `LLMOracle(prompts=…)`.

    Raises:
        InputError: The language does not come with this package.
    """
    prompts = {request: request.prompt for request in REQUESTS if request.prompt is not None}
    return shipped(prompts, language)


def shipped(
    requests: Mapping[type[Request[Any]], Prompt[Any, Any]], language: str
) -> dict[type[Request[Any]], Prompt[Any, Any]]:
    """Return prompts in a language that comes with this package, for `LLMOracle(prompts=…)`.

    Raises:
        InputError: The language does not come with this package.
    """
    if language not in LANGUAGES:
        raise InputError(
            f"no prompts come in {language!r}; there are {', '.join(LANGUAGES)}. Others are made "
            "by `adapted(prompt, language, llm)`"
        )
    if language == "en":
        return dict(requests)
    folder = files("llamaindex_rag_eval.judge.prompts").joinpath("languages", language)
    found = {}
    for request, prompt in requests.items():
        with as_file(folder.joinpath(f"{prompt.name}.json")) as path:
            found[request] = prompt.load(path)
    return found


def _is_there(path: str | Path) -> bool:
    """Return whether there is a file."""
    return Path(path).is_file()


def _words(prompt: Prompt[Any, Any]) -> list[str]:
    """Return the texts of a prompt that a person would translate."""
    words: list[str] = []

    def seen(text: str) -> str:
        words.append(text)
        return text

    _reworded(prompt, seen, prompt.language)
    return words


def _reworded(
    prompt: Prompt[Any, Any], reword: Callable[[str], str], language: str
) -> Prompt[Any, Any]:
    """Return a prompt with every text passed through `reword`, closed sets left alone."""
    kept = _closed_words(prompt.input.model_json_schema())
    kept |= _closed_words(prompt.output.model_json_schema())
    examples = [
        prompt.example(
            _walked(example.input.model_dump(mode="json"), reword, kept),
            _walked(example.output.model_dump(mode="json"), reword, kept),
        )
        for example in prompt.examples
    ]
    return prompt.changed(
        instruction=reword(prompt.instruction), examples=examples, language=language
    )


def _walked(node: object, reword: Callable[[str], str], kept: set[str]) -> object:
    if isinstance(node, dict):
        return {key: _walked(value, reword, kept) for key, value in node.items()}
    if isinstance(node, list):
        return [_walked(entry, reword, kept) for entry in node]
    if isinstance(node, str) and node.strip() and node not in kept:
        return reword(node)
    return node


def _closed_words(schema: object) -> set[str]:
    """Return the words that a schema allows in closed sets, and its defaults: no prose."""
    found: set[str] = set()
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "enum" and isinstance(value, list):
                found |= {word for word in value if isinstance(word, str)}
            elif key in ("const", "default") and isinstance(value, str):
                found.add(value)
            else:
                found |= _closed_words(value)
    elif isinstance(schema, list):
        for entry in schema:
            found |= _closed_words(entry)
    return found

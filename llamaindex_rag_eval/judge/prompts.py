"""The prompts of the judge in a language: those that come with this package, and those of a folder.

A judge reads Japanese answers better when it is asked in Japanese:
`LLMOracle(llm, prompts=shipped_prompts("ja"))`.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.claims import ClaimsOf
from llamaindex_rag_eval.judge.critique import CritiqueOf, RefusalOf
from llamaindex_rag_eval.judge.entities import EntitiesOf
from llamaindex_rag_eval.judge.grade import ContextRelevanceOf, GradeOf
from llamaindex_rag_eval.judge.instructions import instructions_of, with_instructions
from llamaindex_rag_eval.judge.intentions import IntentionsOf
from llamaindex_rag_eval.judge.preference import PreferenceOf
from llamaindex_rag_eval.judge.questions import QuestionsOf
from llamaindex_rag_eval.judge.relevance import RelevanceOf
from llamaindex_rag_eval.judge.relevant_sentences import RelevantSentencesOf
from llamaindex_rag_eval.judge.steps import StepsOf
from llamaindex_rag_eval.judge.support import SupportOf
from llamaindex_rag_eval.judge.topics import TopicsOf
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.request import Request

__all__ = [
    "LANGUAGES",
    "REQUESTS",
    "Prompts",
    "english_prompts",
    "instructions_of",
    "languages",
    "prompts_at",
    "prompts_in",
    "shipped",
    "shipped_prompts",
    "with_instructions",
]

Prompts = dict[type[Request[Any]], Prompt[Any, Any]]

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
)
"""Everything a judge asks of a model."""


def english_prompts() -> Prompts:
    """Return every prompt of the judge, by the request it asks."""
    from llamaindex_rag_eval.judge.translation import TranslationOf

    asked = (*REQUESTS, TranslationOf)
    return {request: request.prompt for request in asked if request.prompt is not None}


def prompts_at(place: str | Path) -> Prompts:
    """Return the prompts of a language of `LANGUAGES`, or those of a folder.

    Raises:
        InputError: It is neither.
        DatasetError: A file of the folder holds another prompt, or none.
    """
    if str(place) in LANGUAGES:
        return shipped_prompts(str(place))
    if not Path(place).is_dir():
        raise InputError(
            f"expected one of {', '.join(LANGUAGES)}, or a folder of prompts, got {str(place)!r}"
        )
    return prompts_in(place)


def prompts_in(folder: str | Path) -> Prompts:
    """Return the prompts that a folder holds, for `LLMOracle(prompts=…)`; the others stay English.

    Raises:
        InputError: There is no such folder, or a file that no prompt of the judge is named after.
        DatasetError: A file holds another prompt, or none.
    """
    known = english_prompts()
    names = {prompt.name for prompt in known.values()}
    files_there = {path.stem: path for path in sorted(Path(folder).glob("*.json"))}
    unknown = sorted(set(files_there) - names)
    if unknown or not files_there:
        got = f"prompts named {', '.join(map(repr, unknown))}" if unknown else "no prompts"
        raise InputError(f"{str(folder)!r} holds {got}; expected any of {', '.join(sorted(names))}")
    return {
        request: prompt.load(files_there[prompt.name])
        for request, prompt in known.items()
        if prompt.name in files_there
    }


def shipped_prompts(language: str) -> Prompts:
    """Return all prompts of the judge in a language of `LANGUAGES`, for `LLMOracle(prompts=…)`.

    Raises:
        InputError: The language does not come with this package.
    """
    return shipped(english_prompts(), language)


def shipped(requests: Mapping[type[Request[Any]], Prompt[Any, Any]], language: str) -> Prompts:
    """Return prompts in a language that comes with this package, for `LLMOracle(prompts=…)`.

    Raises:
        InputError: The language does not come with this package.
    """
    if language not in LANGUAGES:
        raise InputError(
            f"no prompts come in {language!r}; there are {', '.join(LANGUAGES)}. Others are made "
            "by `adapted_prompts(language, llm)`"
        )
    if language == "en":
        return dict(requests)
    path = files("llamaindex_rag_eval.judge").joinpath("languages", f"{language}.json")
    texts = json.loads(path.read_text(encoding="utf-8"))
    return {
        request: prompt.changed(
            instruction=texts[prompt.name]["instruction"],
            examples=[
                prompt.example(e["input"], e["output"]) for e in texts[prompt.name]["examples"]
            ],
            language=language,
        )
        for request, prompt in requests.items()
    }


def languages() -> tuple[str, ...]:
    """Return the languages in which the prompts come with this package."""
    return LANGUAGES

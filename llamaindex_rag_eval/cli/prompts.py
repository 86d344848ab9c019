"""`rag-eval prompts`: the words a model is asked in, to read, to mend, or in another language."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Llm, Quiet
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.errors import InputError

if TYPE_CHECKING:
    from llamaindex_rag_eval.judge.prompts import Prompts

__all__ = ["prompts_command"]


def prompts_command(
    folder: Annotated[Path, typer.Argument(help="Where they go, a JSON file a prompt.")],
    language: Annotated[
        str,
        typer.Option(
            "--language",
            help="en, de, ja or zh; or, with --llm, the English name of any other, as Portuguese.",
        ),
    ] = "en",
    llm: Llm = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Write the judge's prompts to a folder, translated by a model where they do not come along.

    What is in the folder already is kept. `evaluate --prompts FOLDER` asks by them.
    """
    from llamaindex_rag_eval.judge.prompts import languages, shipped_prompts

    if language in languages():
        found = shipped_prompts(language)
        for name, prompt in {prompt.name: prompt for prompt in found.values()}.items():
            if not (folder / f"{name}.json").is_file():
                prompt.save(folder / f"{name}.json")
    elif llm is None:
        raise InputError(
            f"no prompts come in {language!r}; expected one of {', '.join(languages())}, or --llm "
            "for a model that translates them"
        )
    else:
        found = _translated(language, llm, folder)
    names = sorted({prompt.name for prompt in found.values()})
    screen = Screen(quiet=quiet, as_json=as_json)
    screen.data({"folder": str(folder), "prompts": [*names]})
    screen.show(f"{len(names)} prompts in {folder}: {', '.join(names)}")


def _translated(language: str, llm: str, folder: Path) -> "Prompts":
    import asyncio

    from llamaindex_rag_eval.judge.translation import adapted_prompts
    from llamaindex_rag_eval.models.by_name import llm_at

    return asyncio.run(adapted_prompts(language, llm_at(llm), folder=folder))

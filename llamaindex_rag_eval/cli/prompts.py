"""`rag-eval prompts`: print or edit the judge's prompts, or translate them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.judging import MODEL, Model, llm_named
from llamaindex_rag_eval.errors import InputError


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True, kw_only=True)
class Translator(Model):
    """Who translates."""

    llm: Annotated[str | None, llm_named("Who translates the prompts", "none is translated")] = None


def prompts_command(
    folder: Path,
    /,
    *,
    language: str = "en",
    model: Translator = Translator(),
    printer: Printer = Printer(),
) -> None:
    """Write the judge's prompts to a folder; an LLM translates them into other languages.

    Files that are in the folder already are kept. `evaluate --prompts FOLDER` uses them.

    Args:
        folder: The folder to write to, a JSON file a prompt.
        language: en, de, ja or zh; or, with --llm, the English name of any other, as Portuguese.
    """
    from llamaindex_rag_eval.judge.prompts import english_prompts, languages
    from llamaindex_rag_eval.judge.translation import write_prompts

    shipped = language in languages()
    client = model.client()
    if client is None and not shipped:
        raise InputError(
            f"no prompts come in {language!r}; expected one of {', '.join(languages())}, or --llm "
            "for a model that translates them"
        )
    written = write_prompts(folder, language, llm=None if shipped else client)
    names = sorted({prompt.name for prompt in written.values()})
    printer.data({"folder": str(folder), "prompts": [*names]})
    printer.show(f"{len(names)} prompts in {folder}: {', '.join(names)}")
    lacking = sorted({prompt.name for prompt in english_prompts().values()} - {*names})
    if lacking:
        printer.show(f"Asked in English, for want of a translation: {', '.join(lacking)}")

"""`rag-eval more prompts`: print or edit the judge's prompts, or translate them."""

from pathlib import Path

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.judging import Model
from llamaindex_rag_eval.errors import InputError


def prompts_command(folder: Path, /, *, language: str = "en", model: Model = Model()) -> None:
    """Write the judge's prompts to a folder, to edit or translate.

    An LLM translates them into other languages. Files that are in the folder already are kept.
    `evaluate --prompts FOLDER` uses them.

    Args:
        folder: The folder to write to, a JSON file a prompt.
        language: en, de, ja or zh; or, with --llm, the English name of any other, as Portuguese.
    """
    shipped = language in library.languages()
    client = model.client()
    if client is None and not shipped:
        raise InputError(
            f"no prompts come in {language!r}; expected one of {', '.join(library.languages())}, "
            "or --llm for a model that translates them"
        )
    written = library.write_prompts(folder, language, llm=None if shipped else client)
    names = sorted({prompt.name for prompt in written.values()})
    printer.data({"folder": str(folder), "prompts": [*names]})
    printer.show(f"{len(names)} prompts in {folder}: {', '.join(names)}")
    lacking = sorted({prompt.name for prompt in library.english_prompts().values()} - {*names})
    if lacking:
        printer.show(f"Asked in English, for want of a translation: {', '.join(lacking)}")

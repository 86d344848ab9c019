"""`rag-eval more prompts`: write the judge's prompts to files, to edit or translate them."""

from pathlib import Path

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer


def prompts_command(folder: Path, /, *, language: str = "en") -> None:
    """Write the judge's prompts to a folder, to edit or translate.

    Files that are in the folder already are kept. `evaluate --prompts FOLDER` uses them.

    Args:
        folder: The folder to write to, a JSON file a prompt.
        language: en, de, ja or zh; for any other, translate the files of one.
    """
    written = library.write_prompts(folder, language)
    names = sorted({prompt.name for prompt in written.values()})
    printer.data({"folder": str(folder), "prompts": [*names]})
    printer.show(f"{len(names)} prompts in {folder}: {', '.join(names)}")
    lacking = sorted({prompt.name for prompt in library.english_prompts().values()} - {*names})
    if lacking:
        printer.show(f"Asked in English, for want of a translation: {', '.join(lacking)}")

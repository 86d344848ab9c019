"""`rag-eval prompts`: print or edit the judge's prompts, or translate them."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.errors import InputError

PromptsOut = Annotated[Path, Argument(help="The folder to write to, a JSON file a prompt.")]
PromptsLanguage = Annotated[
    str,
    Option(
        "--language",
        help="en, de, ja or zh; or, with --llm, the English name of any other, as Portuguese.",
    ),
]


def prompts_command(
    folder: PromptsOut,
    language: PromptsLanguage = "en",
    llm: options.Llm = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Write the judge's prompts to a folder; an LLM translates them into other languages.

    Files that are in the folder already are kept. `evaluate --prompts FOLDER` uses them.
    """
    from llamaindex_rag_eval.judge.prompts import english_prompts, languages
    from llamaindex_rag_eval.judge.translation import write_prompts
    from llamaindex_rag_eval.models.by_name import llm_at

    shipped = language in languages()
    if llm is None and not shipped:
        raise InputError(
            f"no prompts come in {language!r}; expected one of {', '.join(languages())}, or --llm "
            "for a model that translates them"
        )
    translator = None if llm is None or shipped else llm_at(llm.name, llm.calls)
    written = write_prompts(folder, language, llm=translator)
    names = sorted({prompt.name for prompt in written.values()})
    printer = Printer(quiet=quiet, as_json=as_json)
    printer.data({"folder": str(folder), "prompts": [*names]})
    printer.show(f"{len(names)} prompts in {folder}: {', '.join(names)}")
    lacking = sorted({prompt.name for prompt in english_prompts().values()} - {*names})
    if lacking:
        printer.show(f"Asked in English, for want of a translation: {', '.join(lacking)}")

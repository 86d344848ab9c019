"""`rag-eval init`: a project to start from."""

from pathlib import Path

from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.paths import writable
from llamaindex_rag_eval.errors import InputError

TEMPLATES = Path(__file__).parent / "new_project"

PATHS = {
    "gitignore": ".gitignore",
    "handbook.md": "docs/handbook.md",
    "workflow.yml": ".github/workflows/rag-eval.yml",
}
"""Template -> where it is written, if not under its own name."""

EXAMPLES = frozenset({"docs/handbook.md", "questions.jsonl", "test_rag.py"})
"""What is about the documents of the example."""


def init_command(folder: Path = Path(), /) -> None:
    """Write a project to start from.

    It has settings, an engine, questions, documents, tests and a workflow for CI. The settings,
    rag-eval.toml, are read by every command in that folder. Files that are there already stay
    as they are; where there is a folder `docs`, no examples of documents, questions and tests are
    written.

    Args:
        folder: Where; by default the current folder.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{str(folder)!r} is a file; expected a folder")
    with_docs = not (folder / "docs").exists()
    written, left = [], []
    for template in sorted(TEMPLATES.glob("*.tmpl")):
        name = PATHS.get(template.stem, template.stem)
        if (folder / name).exists() or (name in EXAMPLES and not with_docs):
            left.append(name)
            continue
        writable(folder / name).write_bytes(template.read_bytes())
        written.append(name)
    printer.data({"folder": str(folder), "written": [*written], "left": [*left]})
    printer.show(*(f"wrote {name}" for name in written))
    printer.show(*(f"left as it was: {name}" for name in left if (folder / name).exists()))
    where = "" if folder == Path() else f"cd {folder} && "
    first = "rag-eval generate"
    if not with_docs:
        first += " --llm …, or rag-eval golden import of a table of questions"
    printer.show(f"Next: {where}{first}; rag-eval run; rag-eval evaluate")

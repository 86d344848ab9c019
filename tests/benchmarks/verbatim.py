"""Shares of other tools' documented names and flows that run here as they stand.

    python -m tests.benchmarks.verbatim            # shares, and what is missing
    python -m tests.benchmarks.verbatim --missing  # with what the error says

Names are those of the public documentation of ragas 0.1 to 0.4, DeepEval 3 and LlamaIndex 0.10 to
0.14; each is imported as there, through the import hook, without these packages. Flows are scripts
of our own of the same shape, in `verbatim/`; a scripted model answers.
"""

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import tomllib

from llamaindex_rag_eval.compat.script import imports_from_here, run_script
from tests.server import LoopbackServer

FOLDER = Path(__file__).with_suffix("")

NAMES: dict[str, dict[str, str]] = tomllib.loads(
    (FOLDER / "names.toml").read_text(encoding="utf-8")
)
"""Tool -> module -> names."""


def missing_names(tool: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a tool that cannot be imported, with what the error says."""
    with imports_from_here():
        for module, names in NAMES[tool].items():
            for name in names.split():
                try:
                    getattr(import_module(module), name)
                except (ImportError, AttributeError) as error:
                    yield f"{module}.{name}", str(error)


def failing_flows() -> Iterator[tuple[str, str]]:
    """Yield the scripts that fail, with what the error says; a scripted model is OpenAI's."""
    with LoopbackServer(responders="tests.models.responders:RESPONDERS") as server:
        os.environ |= {"OPENAI_API_KEY": "key", "OPENAI_API_BASE": server.url}
        yield from _failing()


def _failing() -> Iterator[tuple[str, str]]:
    for script in sorted(FOLDER.glob("*.py")):
        shown = io.StringIO()
        try:
            with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
                run_script(script)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a script may raise anything
            yield script.stem, f"{type(error).__name__}: {error}"


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missing", action="store_true", help="print what the errors say")
    shows = parser.parse_args().missing
    for tool, modules in NAMES.items():
        count = sum(len(names.split()) for names in modules.values())
        missing = dict(missing_names(tool))
        _print(f"{tool}: names", count, missing, shows=shows)
        silent = {name: why for name, why in missing.items() if " is not here: " not in why}
        _print(f"{tool}: names that are here, or say what to write", count, silent, shows=shows)
    _print("flows", len([*FOLDER.glob("*.py")]), dict(failing_flows()), shows=shows)


def _print(what: str, count: int, missing: dict[str, str], *, shows: bool) -> None:
    there = count - len(missing)
    sys.stdout.write(f"{what}: {there} of {count} ({there / count:.0%})\n")
    for name, why in missing.items():
        sys.stdout.write(f"  {name}{f': {why}' if shows else ''}\n")


if __name__ == "__main__":
    main()

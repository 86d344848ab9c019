"""Command lines: exit code, files written, JSON, and the first line of stderr or what it names."""

import json
import re
import shlex
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cyclopts import App

from llamaindex_rag_eval.cli.app import application
from llamaindex_rag_eval.cli.commands import GROUPS, PATHS
from tests.golden.lines import FILES, LINES
from tests.golden.text import digest, masked, rounded
from tests.golden.workspace import Ended, demo_folder, inside, rag_eval
from tests.server import LoopbackServer

PROGRESS = re.compile(r"^[^:]+: (?:\d+ of \d+, )?<duration>")

MOST = 8
"""Entries of a list of JSON that are recorded in full; of a longer one, three and a digest."""

LATER = {".db", ".db-wal", ".db-shm"}
"""Suffixes of files that are closed whenever memory is cleared, after any command."""

TIMED = re.compile(r"demo/|bm25|embedding|swept")
"""Answers that engines gave here: times are part of them, and so of the fingerprint of the data."""

DATASET = re.compile(r'"dataset": "[0-9a-f]{64}"')

STORED = re.compile(r"stored '(\w+)' as ([0-9a-f]{16})")
"""Says the id of a run, which differs from time to time."""


def lines() -> Iterator[str]:
    """Yield the command lines."""
    return filter(None, LINES.splitlines())


def texts() -> Mapping[str, str]:
    """Return a file for each command, with its lines and how they ended; and all options."""
    shown: dict[str, list[str]] = defaultdict(list)
    with (
        TemporaryDirectory() as name,
        LoopbackServer(responders="tests.models.responders:RESPONDERS") as server,
    ):
        folder = _prepared(Path(name))
        with inside(folder):
            after = _files(folder)
            for line in lines():
                words = [word.replace("{llm}", _llm(server)) for word in shlex.split(line)]
                before, ended, after = after, rag_eval(words), _files(folder)
                written = _written(folder, before, after)
                shown[_group(words)].append(_text(line, words, ended, written, server))
            shown["options"] = [*_options()]
            shown["project"] = [*_in_projects(folder, server)]
    ids = {
        match[2]: match[1] for found in shown.values() for match in STORED.finditer("".join(found))
    }
    whole = {f"{group}.txt": "\n".join(found) for group, found in sorted(shown.items())}
    return {name: _with_names(text, ids) for name, text in whole.items()}


def _with_names(text: str, ids: Mapping[str, str]) -> str:
    """Return a text with the names of runs for their ids."""
    for key, name in ids.items():
        text = text.replace(key, f"<id of {name}>")
    return text


def _prepared(folder: Path) -> Path:
    """Return the folder with the demo and small files."""
    for part in ("docs", "demo"):
        shutil.copytree(demo_folder() / part, folder / part)
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder


def _llm(server: LoopbackServer) -> str:
    return f"openai-like:{server.url}:gpt-4o-mini"


def _group(words: list[str]) -> str:
    """Return the name of the file for a command line: that of its command."""
    name = words[1] if words[0] in GROUPS and words[1:2] and words[1].isalpha() else words[0]
    return name if name.isalpha() and name != "nonsense" else "rag-eval"


def _in_projects(folder: Path, server: LoopbackServer) -> Iterator[str]:
    """Yield how a command ends in folders with a file of options."""
    for name in ("project", "wrong_project"):
        with inside(folder / name):
            for line in (
                "evaluate ../small.jsonl --json",
                "evaluate ../small.jsonl --json -m mrr",
                "--no-project evaluate ../small.jsonl --json -q -m exact_match -o own.csv",
            ):
                before = _files(folder)
                ended = rag_eval(line)
                written = _written(folder, before, _files(folder))
                yield _text(f"{line}  # in {name}", line.split(), ended, written, server)


def _options() -> Iterator[str]:
    """Yield what all commands take, then each command with the names of its options."""
    app = application()
    for words in sorted([(), *PATHS.values()]):
        command = reduce(App.__getitem__, words, app) if words else app.meta
        with app.app_stack([*words]):  # what it takes over from the application
            options = command.assemble_argument_collection()
        names = {name for each in options if each.parse for name in each.names}
        yield f"rag-eval {' '.join(words)}".rstrip()
        yield from (f"    {name}" for name in sorted(names) if name.startswith("--"))


def _files(folder: Path) -> Mapping[Path, tuple[int, int]]:
    paths = (path for path in folder.rglob("*") if path.is_file() and ".cache" not in path.parts)
    return {path: (path.stat().st_mtime_ns, path.stat().st_size) for path in paths}


def _written(
    folder: Path, before: Mapping[Path, tuple[int, int]], after: Mapping[Path, tuple[int, int]]
) -> list[str]:
    """Return the files that a command wrote, those of plain text with a digest."""
    found = []
    for path in sorted(path for path in after if before.get(path) != after[path]):
        name = str(path.relative_to(folder))
        if "__pycache__" in name or ".rag-eval/index" in name or path.suffix in LATER:
            continue
        if path.suffix in {".csv", ".md"}:
            name += f" {digest(_with_rounded_numbers(path.read_text(encoding='utf-8')))}"
        found.append(name)
    return found


def _with_rounded_numbers(text: str) -> str:
    return masked(re.sub(r"\d+\.\d{5,}", lambda number: f"{float(number[0]):.5f}", text))


def _text(
    line: str, words: list[str], ended: Ended, written: list[str], server: LoopbackServer
) -> str:
    """Return how a command ended."""
    parts = [f"$ rag-eval {line}", f"exit {ended.code}"]
    first = _first_line(ended.stderr, words, server)
    parts += [f"stderr: {first}"] if first else []
    parts += [f"wrote: {name}" for name in written]
    if "--json" in words and ended.stdout:
        data = _shortened(rounded(json.loads(ended.stdout)))
        text = json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True)
        timed = TIMED.search(line)
        text = DATASET.sub('"dataset": "<of answers with their times>"', text) if timed else text
        parts.append(_without(text, server))
    elif ended.stdout:
        parts.append("prints text" if ended.stdout.strip() else "prints nothing")
    return "\n".join(parts) + "\n"


def _first_line(stderr: str, words: list[str], server: LoopbackServer) -> str:
    """Return the first line of stderr, or which words of the command a usage error names."""
    found = [line for line in masked(stderr).splitlines() if line.strip()]
    found = [line for line in found if not PROGRESS.match(line)]
    if not found:
        return ""
    if found[0].lstrip().startswith("Usage:"):
        named = [word for word in words[1:] or words if word in stderr.partition("\n")[2]]
        return f"usage, naming {', '.join(named) or 'what is missing'}"
    return _without(found[0].strip(), server)


def _without(text: str, server: LoopbackServer) -> str:
    """Return a text without what the machine adds: the server's address, the folder."""
    return masked(text, (server.url, "<server>"), (str(Path.cwd()), "<folder>"))


def _shortened(value: Any) -> Any:
    """Return plain data with long lists and texts as their beginning and a digest."""
    if isinstance(value, Mapping):
        return {key: _shortened(entry) for key, entry in value.items()}
    if isinstance(value, list) and len(value) > MOST:
        rest = f"… {len(value) - 3} more, {digest(value)}"
        return [*map(_shortened, value[:3]), rest]
    if isinstance(value, list):
        return [*map(_shortened, value)]
    if isinstance(value, str) and len(value) > 300:
        return f"{value[:200]}… {digest(value)}"
    return value

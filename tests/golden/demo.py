"""The demo: its golden set, the scores of both engines, and what its report shows."""

import csv
import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from tests.golden.text import as_json, digest, lines_of
from tests.golden.workspace import demo_folder

MEASURED = "| latency, s |"
"""Begins a row whose figures differ from run to run."""

FINGERPRINT = re.compile(r"\b[0-9a-f]{64}\b")
"""Of samples: it holds how long each answer took."""

VERSIONS = re.compile(r"\b(python|llama-index-core) [\d.]+")
"""Of the machine."""


def texts() -> Mapping[str, str]:
    """Return golden set, account, answers, scores and report."""
    folder = demo_folder() / "demo"
    with (folder / "scores.csv").open(encoding="utf-8", newline="") as file:
        scores = [*csv.DictReader(file)]
    return {
        "golden.json": lines_of({row["id"]: _item(row) for row in _rows(folder / "golden.jsonl")}),
        "account.json": as_json(_account(folder / "golden.account.json")),
        "scores.json": lines_of({f"{row['run']} {row['id']}": _scores(row) for row in scores}),
        "lines.json": lines_of(
            {path.name: [digest(row) for row in _rows(path)] for path in folder.glob("*.jsonl")}
        ),
        "printed.json": as_json(json.loads((demo_folder() / "demo.json").read_text("utf-8"))),
        "report.json": as_json(_report(folder / "report.html")),
    }


def _rows(path: Path) -> list[Any]:
    """Return the lines of a file, without the first of a run, which holds its provenance."""
    lines = [*map(json.loads, path.read_text(encoding="utf-8").splitlines())]
    return lines[1:] if "run" in lines[0] else lines


def _item(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a reader looks at in a golden item, and a digest of all of it."""
    spans = [f"{s['doc_id']}:{s['start']}-{s['end']}" for group in row["gold"] for s in group]
    shown = ("question", "reference", "type", "kind", "expected_behaviour", "difficulty", "split")
    whole = {key: value for key, value in row.items() if key != "created"}
    return {**{key: row.get(key) for key in shown}, "gold": spans, "whole": digest(whole)}


def _account(path: Path) -> Mapping[str, Any]:
    """Return the account of a golden set: numbers as they are, each list by its entries."""
    account = json.loads(path.read_text(encoding="utf-8"))
    return {
        key: [digest(entry) for entry in value] if isinstance(value, list) else value
        for key, value in account.items()
    }


def _scores(row: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the scores of a question, and digests of the answer and of the reasons."""
    metrics = [name.removesuffix(" status") for name in row if name.endswith(" status")]
    scores = {name: float(row[name]) if row[name] else row[f"{name} status"] for name in metrics}
    reasons = [row[f"{name} reason"] for name in metrics]
    return {**scores, "answer": digest(row["response"]), "reasons": digest(reasons)}


def _report(path: Path) -> Mapping[str, Any]:
    """Return what a page shows, by the heading above it: texts, rows of tables, figures."""
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    data = {key: digest(value) for key, value in _entries(page.data)}
    return {"sections": page.sections, "data": data}


def _entries(data: Any) -> list[tuple[str, Any]]:
    if isinstance(data, dict):
        return [*data.items()]
    return [(str(number), entry) for number, entry in enumerate(data)]


class _Page(HTMLParser):
    """Reads a report: headings, texts, rows, and the JSON that its script shows."""

    BLOCKS = frozenset({"p", "li", "tr", "dt", "dd", "summary", "figcaption", "caption", "h1", "h2", "h3", "h4"})  # fmt: skip
    HEADINGS = frozenset({"h1", "h2", "h3", "h4"})

    def __init__(self) -> None:
        super().__init__()
        self.sections: dict[str, list[str]] = {"": []}
        self.data: Any = {}
        self._heading = ""
        self._inside: list[str] = []
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "svg"):
            is_data = tag == "script" and "json" in (dict(attrs).get("type") or "")
            self._inside.append("data" if is_data else tag)
            if tag == "svg":
                self._text.append(f"[{dict(attrs).get('class') or 'figure'}]")
        elif tag in self.BLOCKS:
            self._end_of_block(tag if tag in self.HEADINGS else "")
        elif tag in ("td", "th"):
            self._text.append("|")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style", "svg"):
            self._inside.pop()
        elif tag in self.BLOCKS:
            self._end_of_block(tag if tag in self.HEADINGS else "")

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[-1] == "data":
            self.data = json.loads(data)
        elif not self._inside:
            self._text.append(data)

    def _end_of_block(self, heading: str) -> None:
        text = FINGERPRINT.sub("<fingerprint>", " ".join(" ".join(self._text).split()))
        text = VERSIONS.sub(r"\1 <version>", text)
        self._text.clear()
        if not text:
            return
        if text.startswith(MEASURED):
            text = f"{MEASURED} …"
        if heading:
            self._heading = text
            self.sections.setdefault(text, [])
        else:
            self.sections[self._heading].append(text)

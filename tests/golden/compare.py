"""Recorded texts, and how what is there now differs from them."""

import difflib
from collections.abc import Mapping
from pathlib import Path

RECORDED = Path(__file__).parent / "recorded"

MOST_LINES = 120
"""Lines of a diff that are shown of each file."""

LONGEST_LINE = 400
"""Characters of a line that are shown."""


def write(part: str, texts: Mapping[str, str], folder: Path = RECORDED) -> list[Path]:
    """Record the files of a part, in place of those that were there; return those that changed."""
    changed = []
    home = folder / part
    home.mkdir(parents=True, exist_ok=True)
    for path in home.iterdir():
        if path.name not in texts:
            path.unlink()
            changed.append(path)
    for name, text in texts.items():
        path = home / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def difference(part: str, texts: Mapping[str, str], folder: Path = RECORDED) -> str:
    """Return a unified diff from the recorded files of a part to these; empty if all are equal."""
    home = folder / part
    names = {path.name for path in home.glob("*")} | set(texts)
    shown = []
    for name in sorted(names):
        path = home / name
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        if before == texts.get(name, ""):
            continue
        lines = [
            line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
            for line in difflib.unified_diff(
                before.splitlines(),
                texts.get(name, "").splitlines(),
                f"recorded/{part}/{name}",
                "now",
                lineterm="",
                n=1,
            )
        ]
        shown += lines[:MOST_LINES]
        if len(lines) > MOST_LINES:
            shown.append(f"… and {len(lines) - MOST_LINES} more lines")
    return "\n".join(shown)

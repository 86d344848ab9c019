"""Texts in old encodings: how many are read right, how many wrong, and how many are refused.

    python -m tests.benchmarks.code_pages FOLDER [FOLDER …] [--suffixes .md .txt] [--most 20000]

Each text of the folders that is UTF-8 and not ASCII alone is written in every encoding of the list
that holds it, and read again without being told which. Wrong is any other text than the one that
was written. Exits with 1 if one is wrong.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.encoding import ONE_BYTE, SEVERAL_BYTES, decode

ENCODINGS = (*SEVERAL_BYTES, *ONE_BYTE)


def texts_of(folders: list[Path], suffixes: list[str], most: int) -> Iterator[str]:
    """Yield the beginning of each text of the folders that is not ASCII alone."""
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if path.suffix not in suffixes or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")[:most]
        except UnicodeDecodeError:
            continue
        if not text.isascii():
            yield text


def outcome_of(text: str, encoding: str) -> str:
    """Return `right`, `wrong`, `refused` or, of what the encoding cannot hold, nothing."""
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        return ""
    if data == text.encode():
        return ""
    try:
        return "right" if decode(data) == data.decode(encoding) else "wrong"
    except DocumentError:
        return "refused"


def main() -> int:
    """Print what each encoding came to; return 1 if a text was read wrong."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folders", nargs="+", type=Path)
    options.add_argument("--suffixes", nargs="+", default=[".md", ".txt", ".rst", ".html", ".po"])
    options.add_argument("--most", type=int, default=20_000, help="characters of a text at most")
    given = options.parse_args()
    counts = {encoding: Counter[str]() for encoding in ENCODINGS}
    for text in texts_of(given.folders, given.suffixes, given.most):
        for encoding, count in counts.items():
            count[outcome_of(text, encoding)] += 1
    total = Counter[str]()
    print(f"{'encoding':<12}{'right':>8}{'refused':>9}{'wrong':>7}")
    for name, count in [*counts.items(), ("all", total)]:
        print(f"{name:<12}{count['right']:>8}{count['refused']:>9}{count['wrong']:>7}")
        total.update(count)
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())

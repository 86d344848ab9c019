"""`rag-eval`, also as `python -m llamaindex_rag_eval`: Ctrl-C is one line even while it starts."""

import codecs
import sys
import unicodedata
from io import TextIOWrapper

from llamaindex_rag_eval._interrupt import run_until_interrupted

SHOWN_IN_ASCII = "rag-eval.shown-in-ascii"
"""How characters are written that the encoding of the output lacks."""


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """Return what stands for characters: those that they are made of, a minus, or else `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    parts = (unicodedata.normalize("NFKD", c).encode("ascii", "ignore").decode() for c in lacking)
    dashes = ("-" if c == "\u2212" or unicodedata.category(c) == "Pd" else "?" for c in lacking)
    return "".join(part or dash for part, dash in zip(parts, dashes, strict=True)), error.end


codecs.register_error(SHOWN_IN_ASCII, _in_ascii)


def main() -> None:
    """Run `rag-eval`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a code page lacks characters of tables and texts
            stream.reconfigure(errors=SHOWN_IN_ASCII)

    def command() -> None:
        from llamaindex_rag_eval.cli.app import start

        start(sys.argv[1:])

    run_until_interrupted(command)


if __name__ == "__main__":
    main()

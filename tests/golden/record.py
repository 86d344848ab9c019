"""Record what the packages do, or show how it differs from what is recorded.

python -m tests.golden.record                   # all parts
python -m tests.golden.record commands names    # some of them
python -m tests.golden.record --diff [PART …]   # only show what would change
python -m tests.golden.record --list
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.golden.compare import RECORDED, difference, write
from tests.golden.parts import PARTS, MissingInputError


def main(arguments: Sequence[str] | None = None, folder: Path = RECORDED) -> int:
    """Record, compare or list; return 1 if parts that are compared differ."""
    options = _options(arguments)
    if options.list:
        for part in PARTS.values():
            print(f"{part.name:10} {part.about}")
        return 0
    differs = False
    for name in options.parts or PARTS:
        start = time.process_time()
        try:
            texts = PARTS[name].texts()
        except MissingInputError as missing:
            print(f"{name:10} left as it is: {missing}", file=sys.stderr)
            continue
        if options.diff:
            shown = difference(name, texts, folder)
            differs |= bool(shown)
            print(shown or f"{name}: no difference")
            continue
        changed = write(name, texts, folder)
        spent = time.process_time() - start
        print(f"{name:10} {len(texts)} files, {len(changed)} changed, {spent:.0f} s of CPU")
    return int(differs)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--diff", action="store_true", help="compare, write nothing; exit code 1")
    parser.add_argument("--list", action="store_true", help="list the parts")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.parts) - set(PARTS))
    if unknown:
        parser.error(f"no part is named {unknown[0]!r}; expected any of {', '.join(PARTS)}")
    return options


if __name__ == "__main__":
    sys.exit(main())

"""Files written whole or not at all."""

import os
from collections.abc import Iterable
from pathlib import Path

from llamaindex_rag_eval.errors import OutputError

__all__ = ["write_whole"]


def write_whole(path: str | Path, parts: Iterable[str]) -> Path:
    """Write a UTF-8 file so that no reader ever sees half of it, and return its path.

    The parts go to a file beside it that then takes its place; folders on the way are made. A
    link is followed, so that its target changes and the link stays.

    Raises:
        OutputError: The file cannot be written there, or a text is not Unicode (half of a
            surrogate pair). What was there before is untouched.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OutputError(f"cannot write {str(path)!r}: it is not a file")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8", newline="") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    except UnicodeEncodeError as error:
        raise OutputError(f"cannot write {str(path)!r}: a text is not Unicode: {error}") from None
    finally:
        _remove(part)
    return Path(path)


def _remove(part: Path) -> None:
    try:
        part.unlink(missing_ok=True)
    except OSError:
        return  # the folder that refused the file refuses this too

"""Files written whole or not at all."""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

from llamaindex_rag_eval.data.rows import Naming, row_of, sample_at
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import DatasetError, OutputError

__all__ = ["iter_jsonl", "jsonl_line", "write_whole"]


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


BOM = b"\xef\xbb\xbf"


def jsonl_line(sample: Sample) -> str:
    """Return a sample as one line, with its newline."""
    return json.dumps(row_of(sample), ensure_ascii=False, allow_nan=False) + "\n"


def iter_jsonl(path: str | Path, *, strict: bool = True) -> Iterator[Sample]:
    """Yield the samples of a JSON Lines file, holding one line at a time.

    UTF-8 with or without a byte order mark, any line ends; empty lines are skipped. `NaN`, which
    some tools write, counts as not given.

    Args:
        path: The file.
        strict: Whether a last line that was cut off while being written is an error; with
            `False` it is left out.

    Raises:
        DatasetError: The file cannot be read, or a line describes no sample; it names the line.
    """
    naming = Naming(file=str(path))
    for number, line in enumerate(_lines(Path(path)), start=1):
        raw = line.removeprefix(BOM) if number == 1 else line
        if not raw.strip():
            continue
        try:
            row = json.loads(raw.decode("utf-8"), parse_constant=_constant)
        except (ValueError, RecursionError) as error:
            cut = not line.endswith(b"\n")
            if cut and not strict:
                return
            raise DatasetError(_expectation(error, cut=cut), file=str(path), line=number) from None
        yield naming.named(sample_at(row, file=str(path), line=number), number)


def _lines(path: Path) -> Iterable[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", file=str(path)) from error


def _constant(name: str) -> None:
    if name != "NaN":
        _refuse(name)


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


def _expectation(error: Exception, *, cut: bool) -> str:
    if cut:
        return (
            "expected one JSON object, but the file ends in the middle of it: delete this line, "
            "or read with `strict=False` to leave it out"
        )
    if isinstance(error, UnicodeDecodeError):
        return f"expected UTF-8 text: {error.reason} at byte {error.start + 1} of the line"
    return f"expected one JSON object: {error}"

"""The account of a generation: what only it knew, kept beside the golden set it wrote.

What was asked for and not filled, turned down, left out and spent stands in `golden.account.json`
beside `golden.jsonl`, so that a data card made later, after a review, still tells it.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.errors import DatasetError
from testset.golden.golden_set import GoldenSet, Rejection, Shortfall

__all__ = ["with_account", "write_account"]


class _Account(BaseModel):
    model_config = ConfigDict(frozen=True)

    size: int
    items: tuple[str, ...]
    shortfall: tuple[Shortfall, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, str] = {}


def write_account(golden: GoldenSet, path: Path) -> Path:
    """Write the account of the golden set at `path` beside it.

    Raises:
        OutputError: It cannot be written.
    """
    account = _Account(
        size=golden.size,
        items=tuple(item.id for item in golden),
        shortfall=golden.shortfall,
        rejected=golden.rejected,
        skipped=golden.skipped,
        facts=golden.facts,
    )
    return write_whole(_place(path), [account.model_dump_json(indent=1) + "\n"])


def with_account(golden: GoldenSet, path: Path) -> GoldenSet:
    """Return the golden set at `path` with its account, if one stands beside it.

    The account of another set, which was of this name before, is left aside.

    Raises:
        DatasetError: What stands beside it is no account.
    """
    place = _place(path)
    if not place.is_file():
        return golden
    try:
        account = _Account.model_validate_json(place.read_bytes())
    except (OSError, ValidationError) as error:
        raise DatasetError("expected the account of a golden set", file=str(place)) from error
    if not {item.id for item in golden} <= set(account.items):
        return golden
    return replace(
        golden,
        size=account.size,
        shortfall=account.shortfall,
        rejected=account.rejected,
        skipped=account.skipped,
        facts=account.facts,
    )


def _place(path: Path) -> Path:
    return path.with_suffix(".account.json")

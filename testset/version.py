"""The version that golden items say they were made with."""

from importlib.metadata import PackageNotFoundError, version

__all__ = ["VERSION"]


def _installed() -> str:
    try:
        return version("llamaindex-rag-eval")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0"


VERSION = _installed()

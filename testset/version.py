"""The version that golden items say they were made with."""

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("llamaindex-rag-eval")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0"


VERSION = _installed()

"""What a test needs of the system: skipped without it on a desk, failed without it in CI."""

import os

import pytest


def require(found: object, what: str) -> None:
    """Go on if it was found; otherwise skip the test, or fail it where `CI` is set.

    CI installs everything, so there a missing program would hide tests that never run.
    """
    if found:
        return
    reason = f"this test needs {what}"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)

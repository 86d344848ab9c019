"""Which process asks: a name for each, and whether the one behind a name is gone."""

import os
import platform
import uuid
from contextlib import suppress


def new_owner() -> str:
    """Return a name for who asks in this process: its machine, its process, and itself."""
    return f"{_machine()}/{os.getpid()}/{uuid.uuid4().hex[:12]}"


def is_dead(owner: str) -> bool:
    """Return whether the process behind a name is gone for certain.

    Of processes on other machines nothing is certain, nor where signals cannot be tried.
    """
    machine, _, process = owner.rpartition("/")[0].rpartition("/")
    if os.name != "posix" or machine != _machine() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:  # it lives, under another user
        pass
    return False


def _machine() -> str:
    """Return what processes that can see each other have in common."""
    parts = [platform.node(), f"{uuid.getnode():x}"]
    with suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return "+".join(parts)

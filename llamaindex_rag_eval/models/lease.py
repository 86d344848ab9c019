"""Leases: which process is asking for a reply that is not there yet.

Processes that share a store and ask the same thing wait for the one that has the lease. It renews
its leases while it lives. One of a process that died expires, or is given up at once where another
process of the same machine finds that it is gone.
"""

import os
import platform
import uuid
from contextlib import suppress

LEASE_SECONDS = 30.0
"""How long a lease holds that is not renewed: a store that is away for less loses none."""


def new_owner() -> str:
    """Return a name for a holder of leases: its machine, its process, and itself."""
    return f"{_machine()}/{os.getpid()}/{uuid.uuid4().hex[:12]}"


def is_dead(owner: str) -> bool:
    """Return whether the process behind a name is gone for certain.

    Of processes on other machines nothing is certain, nor where signals cannot be tried.
    """
    machine, _, rest = owner.rpartition("/")[0].rpartition("/")
    if os.name != "posix" or machine != _machine() or not rest.isdecimal():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False  # it lives, under another user
    return False


def _machine() -> str:
    """Return what processes that can see each other have in common."""
    parts = [platform.node(), f"{uuid.getnode():x}"]
    with suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return "+".join(parts)

"""Leases: which process is asking for a reply that is not there yet."""

import os
import platform
import time
import uuid
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property

LEASE_SECONDS = 30.0
"""How long a lease holds that is not renewed: a store that is away for less loses none."""

LONGEST_ASKING = 900.0
"""Seconds for which a lease is renewed: who asks for longer may have been left behind."""


class Leases:
    """The leases that a process holds, by key.

    Attributes:
        released: Keys whose replies could not be had.
    """

    def __init__(self) -> None:
        self.released: set[str] = set()
        self._until: dict[str, float] = {}
        self._renewed = time.monotonic()

    @cached_property
    def owner(self) -> str:
        """The name under which they are held."""
        return new_owner()

    @property
    def due(self) -> float | None:
        """When they are to be renewed; `None` if there are none."""
        return self._renewed + LEASE_SECONDS / 3 if self._until else None

    def hold(self, keys: Iterable[str]) -> None:
        """Note new ones."""
        self._until.update(dict.fromkeys(keys, time.monotonic() + LONGEST_ASKING))

    def end(self, key: str) -> bool:
        """Let one expire; return whether it was held."""
        return self._until.pop(key, None) is not None

    def to_renew(self) -> list[str]:
        """Return the keys of those that are to be renewed now."""
        now = time.monotonic()
        if self.due is None or now < self.due:
            return []
        self._renewed = now
        self._until = {key: until for key, until in self._until.items() if until > now}
        return sorted(self._until)


def new_owner() -> str:
    """Return a name for a holder of leases: its machine, its process, and itself."""
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

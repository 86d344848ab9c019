"""Fixtures that every test may ask for, and one that every test has."""

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.postgres import postgres_url

__all__ = ["asyncio_stays_as_it_is", "postgres_url"]

# A busy machine must not fail a test of properties: no example has a time limit.
settings.register_profile("rag-eval", deadline=None)
settings.load_profile("rag-eval")


@pytest.fixture(autouse=True)
def asyncio_stays_as_it_is() -> Iterator[None]:
    """Fail a test that patches asyncio, by a sync door inside a running loop, for all after it."""
    before = hasattr(asyncio, "_nest_patched")
    yield
    assert hasattr(asyncio, "_nest_patched") == before, "use the async door in an async test"

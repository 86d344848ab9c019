"""Fixtures that every test may ask for."""

from tests.postgres import postgres_url

__all__ = ["postgres_url"]

"""Judgements that a model gave on labelled samples, recorded so that anyone can repeat figures."""

"""Prompts of the writer, one a file."""

"""Engines: asking query engines, chat engines, retrievers and functions, and their answers."""

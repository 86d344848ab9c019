"""Labelled drafts: good ones, and bad ones with a known fault."""

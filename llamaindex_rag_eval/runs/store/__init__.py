"""Experiments: runs that are kept, named, found again, and followed over time."""

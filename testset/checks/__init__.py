"""Checks of a golden item before it is accepted: one a file, run by `run`."""

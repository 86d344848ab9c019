"""German sentences as questions, one file for each thing that is asked for."""

from testset.rules.german.catalogue import questions

__all__ = ["questions"]

"""Japanese sentences as questions, one file for each thing that is asked for."""

from testset.rules.japanese.catalogue import questions

__all__ = ["questions"]

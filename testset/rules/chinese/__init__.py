"""Chinese sentences as questions, one file for each thing that is asked for."""

from testset.rules.chinese.catalogue import questions

__all__ = ["questions"]

"""Questions read off sentences, by a table for each language."""

from testset.rules.sentences.questions import sentence_questions

__all__ = ["sentence_questions"]

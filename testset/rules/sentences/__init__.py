"""Questions read off sentences, by a table for each language."""

from testset.rules.sentences.questions import sentence_questions as sentence_questions

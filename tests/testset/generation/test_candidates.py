"""What rules can ask is put in the order to try it."""

from testset import Corpus, SourceDocument
from testset.corpus.prepared import distinct_passages
from testset.generation.candidates import ranked_candidates


def test_of_the_wordings_of_a_question_the_one_in_other_words_is_tried_first():
    text = "Nora Quill founded the Ely Guild in 1951."
    _, kept = distinct_passages(Corpus((SourceDocument("d", text),)), seed=7)
    strata = ranked_candidates(kept, {"d": "t"}, size=5, seed=7, language="")
    asked = [entry.candidate.question for found in strata.values() for entry in found]
    plain = asked.index("In which year did Nora Quill found the Ely Guild?")
    assert asked.index("When did Nora Quill establish the Ely Guild?") < plain

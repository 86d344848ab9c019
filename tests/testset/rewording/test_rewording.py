"""Questions in other words: what changes, and what never may."""

# ruff: noqa: E501  # one case a line
import pytest

from testset import SourceDocument
from testset.corpus.passages import passages_of
from testset.rewording import CalledBy, reworded, same_as
from testset.rewording.english import in_other_words as english
from testset.rewording.english import without_doer, without_tail
from testset.rewording.german import in_other_words as german
from testset.rewording.german import without_tail as without_circumstance
from testset.rules.passage_candidate import Candidate


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("In which year did Nora Quill establish the Ely Guild?", "When did Nora Quill set up the Ely Guild?"),
        ("Who founded the Ely Guild?", "Who established the Ely Guild?"),
        ("When was the Ely Guild founded?", "When was the Ely Guild established?"),
        ("When did Nora Quill die?", "When did Nora Quill pass away?"),
        ("What percentage of the eggs did Lynn purchase?", "What share of the eggs did Lynn buy?"),
        ("Which company constructed the Ely Bridge?", "Which firm built the Ely Bridge?"),
        ("Which countries defeated Lynn?", "Which nations beat Lynn?"),
        ("What is the principal river of Ely?", "What is the main river of Ely?"),
        ("Where is the Ely Hall located?", "Where can the Ely Hall be found?"),
        ("What is an additional type of hall?", "What is a further type of hall?"),
    ],
)  # fmt: skip
def test_english_words_change_in_their_form(question, other):
    assert english(question) == other


@pytest.mark.parametrize(
    "question",
    [
        "Who leads Film Company Lynn?",
        "When did public support end?",
        "Who wrote “The Company of War”?",
        "What are guests required to bring?",
        "What is the large company called?",
        "Who named Ely after Nora Quill?",
        "When was the completed bridge sold?",
    ],
)
def test_english_names_quotations_and_unclear_words_stay(question):
    assert english(question) == question


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("In welchem Jahr wurde die Gilde von Lynn errichtet?", "Wann wurde die Gilde von Lynn erbaut?"),
        ("Wer schrieb den Leitfaden?", "Wer verfasste den Leitfaden?"),
        ("Welche Maler erhielten den Preis?", "Welche Maler bekamen den Preis?"),
        ("Was ist der wichtigste Fluss von Ely?", "Was ist der bedeutendste Fluss von Ely?"),
        ("Wo wurde Nora Quill geboren?", "Wo kam Nora Quill zur Welt?"),
        ("Wo befindet sich die Brücke?", "Wo liegt die Brücke?"),
    ],
)  # fmt: skip
def test_german_words_change_in_their_form(question, other):
    assert german(question) == other


@pytest.mark.parametrize(
    "question",
    [
        "Wer baute den alten Turm von Lynn wieder auf?",
        "Wer schrieb „Der Krieg um Ely“?",
        "Was ist die Region Lynn?",
        "Wer führte den Kalten Krieg?",
    ],
)
def test_german_split_verbs_quotations_and_names_stay(question):
    assert german(question) == question


def test_a_last_circumstance_goes_unless_the_answer_may_hang_on_it():
    assert (
        without_tail("Who painted the arms of the Ely Guild during the war?")
        == "Who painted the arms of the Ely Guild?"
    )
    for kept in (
        "What is the largest town in Ely?",
        "When did Nora Quill live in Lynn?",
        "Who sold fish in Lynn?",
        "Who painted the arms of the Ely Guild in Lynn?",
        "When did Nora Quill gather the eggs of nine farms?",
        "When did Nora Quill compile the data in nine segments?",
        "Who wrote The Letter of Nora Quill on Lynn Hall?",
    ):
        assert without_tail(kept) == kept
    kept = "Wer schrieb 1951 die erste Chronik der Stadt Lynn?"
    assert without_circumstance(kept) == kept


def test_the_doer_goes_where_the_thing_done_is_clear():
    assert (
        without_doer("When did Nora Quill build the long stone bridge of Ely?")
        == "When was the long stone bridge of Ely built?"
    )
    for kept in (
        "When did Nora Quill build it?",
        "When did the guild build the long stone bridge?",
    ):
        assert without_doer(kept) == kept


def test_a_name_is_cut_only_as_its_document_cuts_it():
    question = "When did Nora Quill write the guide?"
    told = [("a", "Nora Quill came to Ely. In 1951 Quill wrote a guide.")]
    assert CalledBy.of(told).shortened(question, "a") == "When did Quill write the guide?"
    assert CalledBy.of(told).shortened(question, "b") == question
    namesake = [*told, ("b", "In 1960 Ada Quill was mayor.")]
    assert CalledBy.of(namesake).shortened(question, "a") == question
    place = "When did Nora Quill see New Lynn?"
    assert "New Lynn" in CalledBy.of([("a", "New Lynn is old. In Lynn it rains.")]).shortened(
        place, "a"
    )


def test_a_reworded_candidate_keeps_its_answer_and_its_evidence():
    (passage,) = passages_of(SourceDocument("d", "Nora Quill founded the Ely Guild in 1951."))
    candidate = Candidate(
        "In which year did Nora Quill found the Ely Guild?",
        "1951",
        0,
        41,
        "temporal",
        "english.temporal",
        0.9,
    )
    (other,) = reworded(candidate, passage, CalledBy.of([]))
    assert other.question == "When did Nora Quill establish the Ely Guild?"
    assert (other.answer, other.start, other.end, other.quality) == ("1951", 0, 41, 0.9)
    assert other.rule == "english.temporal.reworded"


def test_questions_that_people_wrote_are_not_reworded():
    (passage,) = passages_of(SourceDocument("d", "Nora Quill founded the Ely Guild in 1951."))
    asked = Candidate("Who founded the Ely Guild?", "Nora Quill", 0, 41, "factoid", "faq", 0.9)
    assert list(reworded(asked, passage, CalledBy.of([]))) == []


def test_the_tables_tell_which_stems_say_the_same_in_both_directions():
    assert "film" in same_as("movi")
    assert "movi" in same_as("film")
    assert same_as("zzz") == frozenset()

"""The fact-checking oracle over a checker of words: verdicts, windows, quotes, two sources."""

import pytest

from llamaindex_rag_eval.errors import CallError, InputError
from llamaindex_rag_eval.judge import Support, SupportOf
from llamaindex_rag_eval.judge.fact_check import ClassifierChecker, FactCheckOracle
from llamaindex_rag_eval.judge.fact_check.reading import is_fragment
from tests.judge.fact_check.words import WordOverlap

LABELS = ("contradiction", "entailment", "neutral")


def oracle_over(model: WordOverlap, **settings: object) -> FactCheckOracle:
    return FactCheckOracle(model, labels=LABELS, name="words", **settings)  # type: ignore[arg-type]  # settings


async def verdict(claim: str, *sources: str, question: str = "", **settings: object) -> Support:
    request = SupportOf(claims=(claim,), sources=sources, question=question)
    (found,) = (await oracle_over(WordOverlap(), **settings).ask(request)).verdicts
    return found


async def test_a_claim_is_as_likely_supported_as_by_its_best_source():
    found = await verdict("Ada is tall.", "Ada is here.", "Ada is tall.", "It rains.")
    assert (found.verdict, found.sources, found.probability) == ("supported", (0, 1), 1.0)
    assert found.quote == "Ada is tall."
    assert not found.jointly
    assert found.reason == "Support is 100% likely."


async def test_below_the_threshold_it_is_not_mentioned_with_its_probability():
    found = await verdict("Ada is very tall.", "Ada came.")  # 1 of its 4 words is there
    assert (found.verdict, found.sources, found.probability) == ("not_mentioned", (), 1 / 4)
    assert (await verdict("Ada is very tall.", "Ada came.", threshold=0.2)).supported


async def test_a_contradiction_names_its_source_and_its_sentence():
    found = await verdict("Ada is tall.", "It rains. Ada is not tall. So it is.")
    assert (found.verdict, found.contradicted_by) == ("contradicted", (0,))
    assert found.quote == "Ada is not tall."
    assert found.reason == "Contradiction is 90% likely."


async def test_support_wins_over_a_contradiction_which_is_noted():
    found = await verdict("Ada is tall.", "Ada is not tall.", "Ada is tall.")
    assert (found.verdict, found.sources, found.contradicted_by) == ("supported", (1,), (0,))


async def test_the_quote_is_the_sentence_of_the_best_window_as_it_stands():
    filler = "Some words stand here for nothing. " * 60
    source = f"{filler}Ada  is\ntall. {filler}"
    found = await verdict("Ada is tall.", source, window=40)
    assert found.verdict == "supported"
    assert found.quote == "Ada  is\ntall."
    assert found.quote in source


async def test_a_long_source_is_read_in_windows_of_that_size():
    model = WordOverlap()
    source = " ".join(f"Of number {number} nothing is known." for number in range(50))
    await oracle_over(model, window=60).ask(SupportOf(claims=("Ada is tall.",), sources=(source,)))
    read = [window for window, _ in model.asked[0]]
    assert max(len(window.encode()) / 3 for window in read) <= 60  # three bytes count as a token
    assert len(read) > 50 * 30 / 180
    assert all(window in source for window in read)


async def test_two_sources_are_read_together_where_none_supports_alone():
    claim = "Ada is tall and old and rich."  # ada is tall and old rich: 6 words
    found = await verdict(claim, "It rains.", "Ada is tall.", "And old and rich.", threshold=0.9)
    assert (found.verdict, found.sources, found.jointly) == ("supported", (1, 2), True)
    assert found.probability == 1.0
    assert found.quote in ("Ada is tall.", "And old and rich.")


async def test_a_fragment_is_read_behind_its_question_on_either_side():
    question = "Who stands at the gates?"
    alone = await verdict("Saint Peter stands at the gates.", "Saint Peter")
    assert alone.probability == pytest.approx(2 / 6)
    beside = await verdict("Saint Peter stands at the gates.", "Saint Peter", question=question)
    assert (beside.verdict, beside.quote) == ("supported", "Saint Peter")
    model = WordOverlap()
    request = SupportOf(claims=("Peter",), sources=("He stands there. So it is.",), question="Who?")
    await oracle_over(model).ask(request)
    assert model.asked[0] == [("He stands there. So it is.", "Who? Peter")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("42", True),
        ("In the middle of Oslo.", True),
        ("The ferry has been running from Oslo since 1890.", False),
        ("Where does it start? In Oslo", False),  # has its question already
        ("", False),
    ],
)
def test_what_is_a_fragment(text: str, expected: bool):
    assert is_fragment(text, "Where does it start?") is expected


async def test_claims_and_empty_sources_keep_their_places():
    request = SupportOf(claims=("Ada is tall.", "It rains."), sources=("", "It rains.", " "))
    first, second = (await oracle_over(WordOverlap()).ask(request)).verdicts
    assert (first.claim, first.verdict, first.probability) == ("Ada is tall.", "not_mentioned", 0.0)
    assert (second.claim, second.sources) == ("It rains.", (1,))
    empty = SupportOf(claims=("It rains.",), sources=("", ""))
    (found,) = (await oracle_over(WordOverlap()).ask(empty)).verdicts
    assert (found.verdict, found.probability) == ("not_mentioned", 0.0)


async def test_a_claim_that_leaves_no_room_for_a_source_is_an_error_and_no_verdict():
    with pytest.raises(CallError, match=r"a claim has \d+ tokens; 'words' reads 512"):
        await verdict("very " * 400 + "tall.", "Ada is tall.")


async def test_all_claims_and_windows_go_to_the_model_at_once():
    model = WordOverlap()
    request = SupportOf(claims=("Ada is tall.", "It rains."), sources=("Ada is tall.", "It rains."))
    await oracle_over(model).ask(request)
    assert len(model.asked) == 1  # each claim has its source of one sentence: no other question
    assert len(model.asked[0]) == 4


@pytest.mark.parametrize("settings", [{"threshold": 0}, {"threshold": 1.1}, {"window": 0}])
def test_settings_out_of_range_are_refused(settings: dict[str, float]):
    with pytest.raises(InputError, match=r"threshold is|window is"):
        oracle_over(WordOverlap(), **settings)


def test_the_oracle_takes_checkers_and_nothing_that_cannot_check():
    checker = ClassifierChecker(WordOverlap(), labels=LABELS, name="w", threshold=0.7, window=50)
    oracle = FactCheckOracle(checker)
    assert (oracle.threshold, oracle.window) == (0.7, 50)
    with pytest.raises(InputError, match="cannot check facts"):
        FactCheckOracle(3)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(InputError, match="does not name its outputs"):
        FactCheckOracle(WordOverlap(), name="w")
    with pytest.raises(InputError, match="has no name"):
        FactCheckOracle(WordOverlap(), labels=LABELS)

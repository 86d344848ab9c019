"""An examiner is shown what other passages tell: near ones whole, of others single sentences."""

from dataclasses import replace

from llamaindex_rag_eval.data.sample import Fact
from tests.testset.checks.examples import cut, ferry_draft, index_of
from testset import SourceDocument
from testset.checks.bearing import ROOM, bearing

FAR = [SourceDocument(f"{n}.md", f"# Winch {n}\n\nWinch {n} is red.\n") for n in range(20)]
POOL = SourceDocument("pool.md", "# Staff pool\n\nThe staff pool opens at nine.\n")
OPENS = ((cut(POOL, "The staff pool opens at nine."),),)


def halls(sentence: str, *, lamps: int) -> SourceDocument:
    """Return a long document, half of whose sentences on lamps stand before another sentence."""
    hours = [f"In hall {n} the lamps are lit at {n} and the floor is swept." for n in range(lamps)]
    half = lamps // 2
    return SourceDocument(
        "halls.md", "# Halls\n\n" + " ".join([*hours[:half], sentence, *hours[half:]])
    )


def near(count: int) -> list[SourceDocument]:
    """Return documents that are near the question when the staff pool opens."""
    return [
        SourceDocument(f"pool{n}.md", f"# Pool {n}\n\n" + f"The staff pool {n} opens. " * 12)
        for n in range(count)
    ]


def test_the_whole_section_is_shown_and_exceptions_that_stand_elsewhere():
    long = "The pool is open to all who work here. " * 30
    pool = SourceDocument(
        "pool.md",
        f"# Staff pool\n\n## Hours\n\nThe staff pool opens at nine. {long}\n\n{long}\n\n"
        "There are exceptions: in July it opens at noon.\n\n## Prices\n\nIt is free.\n",
    )
    rules = SourceDocument("rules.md", "# Youth\n\nUnder 16, the staff pool opens at two only.\n")
    gold = ((cut(pool, "The staff pool opens at nine."),),)
    draft = ferry_draft("When does the staff pool open?", "At nine.", gold=gold)
    shown = bearing(draft, index_of(pool, rules, *FAR))
    text = "\n".join(shown.values())
    assert "in July it opens at noon" in text
    assert "Under 16" in text
    assert "…" not in text
    assert sum(map(len, shown.values())) <= ROOM


def test_of_a_long_passage_far_off_the_sentences_are_shown_that_bear_on_the_question():
    late = "On the first Monday of a month, the staff pool opens at noon."
    long = halls(late, lamps=80)
    index = index_of(POOL, long, *near(9), *FAR)
    shown = bearing(ferry_draft("When does the staff pool open?", "At nine.", gold=OPENS), index)
    (part,) = (text for text in shown.values() if late in text)
    assert part.startswith("[Halls]\n")
    assert len(part) < len(long.text) / 3
    assert not {*index.passages_at(OPENS[0][0])} & {*shown}


def test_what_is_said_in_other_words_is_shown_where_the_writer_expects_these():
    basin = "The basin stays shut until noon while it is cleaned."
    index = index_of(POOL, halls(basin, lamps=160), *near(30), *FAR)
    draft = ferry_draft("When does the staff pool open?", "At nine.", gold=OPENS)
    assert not any(basin in text for text in bearing(draft, index).values())
    shown = bearing(replace(draft, elsewhere="basin swimming closed cleaning"), index)
    assert any(basin in text for text in shown.values())


def test_nothing_bears_on_the_question_in_a_folder_of_one_passage():
    assert bearing(ferry_draft("When?", "At nine.", gold=OPENS), index_of(POOL)) == {}


def test_more_is_shown_beside_an_answer_of_several_statements():
    draft = ferry_draft("When does the staff pool open?", "At nine.", gold=OPENS)
    facts = (Fact(text="The staff pool opens at nine."), Fact(text="It is the staff's pool."))
    index = index_of(POOL, *near(30))
    few, many = (
        sum(map(len, bearing(replace(draft, reference_facts=stated), index).values()))
        for stated in (facts[:1], facts)
    )
    assert few <= ROOM < many

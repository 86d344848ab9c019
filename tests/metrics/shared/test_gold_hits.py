"""Contexts are held against the gold evidence by place and by text."""

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample, Span
from llamaindex_rag_eval.metrics.shared.gold_hits import gold_hits, quoted_part

QUOTE = "The east lock opens at six in the morning, and closes when the last boat has passed."
TEXT = f"Hours of the locks.\n\n{QUOTE}\n\nThe west lock stays closed in winter."
START = TEXT.index(QUOTE)
GOLD = Span(doc_id="locks.html", start=START, end=START + len(QUOTE), quote=QUOTE)


def relevance(*contexts: tuple[str, Span | None], gold: Span = GOLD) -> tuple[float, ...]:
    texts, spans = zip(*contexts, strict=True)
    sample = SingleTurnSample(contexts=texts, context_spans=spans, gold=((gold,),))
    return gold_hits(sample).relevance


def place(start: int, end: int, name: str = "locks.html") -> Span:
    return Span(doc_id=name, start=start, end=end)


def test_a_context_that_stands_where_the_evidence_is_hits_it():
    assert relevance((TEXT, place(0, len(TEXT), "/home/me/docs/locks.html"))) == (1,)
    assert relevance((TEXT[: START + 10], place(0, START + 10))) == (0,)


def test_the_source_of_a_page_hits_where_it_shows_the_evidence_and_nowhere_else():
    page = (
        f"<html><body><h1>Hours</h1><p>{'x ' * 90}</p><p>{QUOTE.replace('six', '<b>six</b>')}</p>"
    )
    head, tail = page[:180], page[180:]
    contexts = [(head, place(0, 180)), (tail, place(180, len(page)))]
    assert relevance(*contexts) == (0, 1)


def test_a_document_that_the_pipeline_names_otherwise_is_known_by_the_text():
    assert relevance((TEXT, place(0, len(TEXT), "0b9f-42"))) == (1,)
    assert relevance((TEXT.replace("\n\n", " "), None)) == (1,)
    assert relevance((TEXT.replace("six", "ten"), place(0, len(TEXT), "0b9f-42"))) == (1,)
    assert relevance((TEXT.replace(QUOTE, "Nothing."), place(0, 70, "0b9f-42"))) == (0,)


def test_a_text_that_was_changed_after_it_was_cut_hits_by_its_place():
    assert relevance(("A summary of all locks.", place(0, len(TEXT)))) == (1,)


def test_a_few_words_that_also_stand_elsewhere_hit_only_in_their_place():
    text = "East: 12 m. West: 12 m."
    gold = Span(doc_id="a.md", start=18, end=23, quote="12 m.")
    assert relevance((text[12:], place(12, 23, "a.md")), gold=gold) == (1,)
    assert relevance((text[:12], place(0, 12, "a.md")), gold=gold) == (0,)
    assert relevance(("South: 12 m.", place(0, 12, "b.md")), gold=gold) == (0,)
    assert relevance(("South: 12 m.", None), gold=gold) == (1,)


def test_evidence_that_two_contexts_share_is_hit_by_the_one_that_completes_it():
    half = len(QUOTE) * 2 // 5
    parts = (QUOTE[:half], QUOTE[half:])
    assert relevance(*((part, None) for part in parts)) == (0, 1)
    both = [(parts[0], place(START, START + half)), (parts[1], None)]
    assert relevance(*both) == (0, 1)


@pytest.mark.parametrize(
    ("text", "quote", "part"),
    [
        ("xx abc def!", "Abc, def", (0, 1)),
        ("xx abc", "Abc, def", (0, 0)),
        ("1 5", "1.5", (0, 1)),
        ("15", "1.5", (0, 0)),
        ("东闸\n六点开", "东闸六点开", (0, 1)),
        ("a &amp; <i>b</i>", "a & b", (0, 1)),
        ("the \ufb01nal word", "the final word", (0, 1)),
        (QUOTE[:41], QUOTE, (0, 0.5)),
        ("anything", "", (0, 0)),
        ("", "anything", (0, 0)),
    ],
)
def test_a_quote_is_held_whole_or_by_a_piece_that_is_long_enough(text, quote, part):
    assert quoted_part(text, quote) == part

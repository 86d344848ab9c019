"""Quotes are found where they stand, and nowhere else."""

import pytest

from testset import SourceDocument
from testset.corpus.passages import passages_of
from testset.corpus.setting import setting_of, with_whole_links
from testset.golden.spans import locate, spans_in_passage, spans_of

TEXT = "Before. The “Orla” ferry — built\n in 1998 — carries 120 people, all year round. After."


@pytest.mark.parametrize(
    ("quote", "how", "found"),
    [
        ("carries 120 people", "exact", "carries 120 people"),
        ('the "orla" ferry - built in 1998', "normalised", "The “Orla” ferry — built\n in 1998"),
        ("carries 120 poeple, all year round.", "fuzzy", "carries 120 people, all year round."),
        ("arries 120 poeple, all yea", "fuzzy", "carries 120 people, all year"),
    ],
)
def test_a_quote_is_cut_from_the_document_itself(quote, how, found):
    place = locate(quote, TEXT)
    assert place is not None
    assert (place.how, TEXT[place.start : place.end]) == (how, found)


@pytest.mark.parametrize("quote", ["", "  ", "carries 99 cows in a field", "a cat", "…"])
def test_a_quote_that_is_not_there_is_not_found(quote):
    assert locate(quote, TEXT) is None


def test_a_quote_outside_the_passage_is_not_found():
    assert locate("Before.", TEXT, start=8) is None
    assert locate("people", TEXT, start=8).start == TEXT.index("people")


@pytest.mark.parametrize(
    "quote", ["The “Orla” ferry", 'the "orla" ferry', "The “Orla” fery — built"]
)
def test_a_place_is_counted_from_the_beginning_of_the_document(quote):
    assert locate(quote, TEXT, start=8).start == TEXT.index("The")


def test_a_quote_longer_than_the_text_is_not_found():
    assert locate("carries 120 people, all year round", "carries 120 people") is None
    assert locate("carries 120 people, all year round", "") is None


def test_a_quote_of_a_passage_is_found_as_a_reader_sees_it():
    text = "# Orla\n\n- It **carries** 120 people.\n- It is [red](x.md).\n"
    (passage,) = passages_of(SourceDocument("a.md", text))
    (span,) = spans_in_passage("- It carries 120 people.", passage)
    assert span.quote == "It **carries** 120 people."
    assert text[span.start : span.end] == span.quote
    assert span.setting == ("Orla",)
    assert not spans_in_passage("no such words", passage)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        # Eleven characters, one of which is wrong: 10 / 11 of them match.
        ("abcdefghijk", "Once abcdefghijX more."),
        # The text ends after 17 of 20 characters: alike by 34 / 37, yet .85 of the quote.
        ("abcdefghijklmnopqrst", "Once upon a time abcdefghijklmnopq"),
        # Alike by 16 / 20.
        ("abcdefghijklmnopqrst", "Once abcdefghijklmnopXXXX more."),
    ],
)
def test_what_resembles_a_quote_too_little_is_not_taken_for_it(quote, text):
    assert locate(quote, text) is None


def test_a_quote_of_twelve_characters_may_have_one_wrong():
    # 11 of 12 characters match: .92.
    assert locate("abcdefghijkl", "Once abcdefghijkX more.").how == "fuzzy"


def test_a_quote_that_stands_twice_is_the_one_below_what_the_fact_speaks_of():
    days = "".join(f"- On {day}:\n  - Members: free entry.\n" for day in ("Mondays", "Sundays"))
    text = f"# Pool\n\n{days}"
    (passage,) = passages_of(SourceDocument("pool.md", text))
    (first, *_), (second, *_) = (
        spans_in_passage("Members: free entry.", passage, about=f"On {day} members enter free.")
        for day in ("Mondays:", "Sundays:")
    )
    assert first.start < text.index("Sundays") < second.start
    assert second.setting == ("Pool", "On Sundays:")


def test_a_lead_in_is_all_the_items_that_a_part_of_a_list_is_under():
    text = "# Pool\n\n- Entry\n  - Members\n    - Sundays: free, as one of a family.\n"
    document = SourceDocument("pool.md", text)
    start = text.index("Sundays")
    assert setting_of(document, start, start + 7) == ("Pool", "Entry", "Members")


LINKS = """# Setup

See the [guide](https://e.org/g?a=1(2) "Guide") first, or the [FAQ][faq],
and weigh [40 kg](s.md).

| Part | Price |
|---|---|
| Stator | [50 EUR](price.md) |

[faq]: https://example.org/faq
"""


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("guide first", '[guide](https://e.org/g?a=1(2) "Guide") first'),
        ("first, or the FAQ", "first, or the [FAQ][faq]"),
        ("FAQ, and weigh 40 kg", "[FAQ][faq],\nand weigh [40 kg](s.md)"),
        ("Stator | 50 EUR", "Stator | [50 EUR](price.md)"),
        ("50 EUR", "50 EUR"),
        ("and weigh", "and weigh"),
    ],
)
def test_a_span_ends_in_no_link(quote, span):
    document = SourceDocument("a.md", LINKS)
    spans = [span for p in passages_of(document) for span in spans_in_passage(quote, p)]
    (found,) = spans
    assert found.quote == span == LINKS[found.start : found.end]


def test_a_span_of_what_only_looks_like_links_stays_as_it_is():
    text = "The list [1] and a[0] (b) `c <d` " + "[" * 3000 + " end."
    start = text.index("and")
    assert with_whole_links(text, start, len(text)) == (start, len(text))


LIMITS = """# Limits

Each account has limits.
The limits are:

| Code | Message | Mend |
|---|---|---|
| 400 | `[{`<br>`"error": "BadRequest"`<br>`}]` | Ask again |
| 429 | `[{`<br>`"error": "TooMany"`<br>`}]` | Wait |

Set a cookie so:

```python
reply = make(page)

# ten minutes
reply.set("snakes", 3)
return reply
```

- Relay
  - *Sound* - Off.
- Radio
  - *Sound* - On.

Online

- Single members or all: not grouped.

Grouped by phone

1. Single members

* Ten euros.
* Five euros each.
"""


@pytest.mark.parametrize(
    ("quote", "spans"),
    [
        # A row below its header, and of a row one part: the row, once.
        (
            'Code | Message | Mend\n429 | [{\n"error": "TooMany"\n}] | Wait',
            ['429 | `[{`<br>`"error": "TooMany"`<br>`}]` | Wait'],
        ),
        # Lines of one block, between which others stand.
        (
            'Set a cookie so:\nreply = make(page)\nreply.set("snakes", 3)',
            [
                "Set a cookie so:\n\n```python\nreply = make(page)\n\n"
                '# ten minutes\nreply.set("snakes", 3)'
            ],
        ),
        # An item below those that it is under, in its marks; not the other of the same words.
        ("- Radio\n  - Sound - On.", ["Radio\n  - *Sound* - On."]),
        ("Relay\nSound - Off.", ["Relay\n  - *Sound* - Off."]),
        # A line that stands twice: where it stands before the other, and nearest to it.
        (
            "- Single members\n- Five euros each.",
            ["Single members\n\n* Ten euros.\n* Five euros each."],
        ),
        # What stands apart in one passage, with what is between.
        ("Each account has limits.\nreturn reply", [LIMITS[10 : LIMITS.index("reply\n```") + 5]]),
        # What only leads in, where nothing else is quoted.
        ("The limits are:", ["The limits are:"]),
        ("The limits are:\nno such words", []),
    ],
)
def test_a_quote_of_several_lines_is_as_few_spans_as_it_stands_in(quote, spans):
    passages = passages_of(SourceDocument("limits.md", LIMITS))
    assert [span.quote for span in spans_of(quote, passages, about="")] == spans


def test_a_lead_of_two_sentences_says_something_and_stays():
    lead = "A program that uses the port stops the server. The error is one of:"
    text = f"# Errors\n\n{lead}\n\n- in use\n- forbidden\n\nThe error is:\n\n- lost\n- late\n"
    passages = passages_of(SourceDocument("errors.md", text))
    (span,) = spans_of(f"{lead}\n- forbidden", passages)
    assert span.quote == f"{lead}\n\n- in use\n- forbidden"
    (span,) = spans_of("The error is:\n- late", passages)
    assert span.quote == "late"

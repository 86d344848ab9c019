"""The setting of a span: what a reader needs beside it."""

from testset import SourceDocument
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import passages_of
from testset.corpus.setting import setting_of, shown_text
from testset.golden.spans import cut_span

TEXT = (
    "---\ntitle: Guide\n---\n# Lamps\n\nUse:\n\n- **one** key\n\n| Lamp | Range |\n|---|---|\n"
    "| Lume | 12 m |\n\n```python\nx = 1\n```\n"
)
DOCUMENT = SourceDocument("a.md", TEXT)


def at(part):
    start = TEXT.index(part)
    return start, start + len(part)


def test_a_row_has_its_header_and_an_item_its_lead():
    assert setting_of(DOCUMENT, *at("Lume | 12 m")) == ("Guide / Lamps", "Lamp | Range")
    assert setting_of(DOCUMENT, *at("key")) == ("Guide / Lamps", "Use:")
    assert setting_of(DOCUMENT, *at("x = 1")) == ("Guide / Lamps", "(python)")


def test_a_part_that_nobody_sees_has_the_title_alone():
    assert setting_of(DOCUMENT, 0, 3) == ("Guide",)


def test_a_span_is_shown_as_it_is_read():
    assert shown_text(DOCUMENT, *at("one** key")) == "[Guide / Lamps]\nUse:\none key"


def test_a_gold_span_keeps_its_setting():
    span = cut_span(DOCUMENT, *at("12 m"))
    assert span.quote == "12 m"
    assert span.setting == ("Guide / Lamps", "Lamp | Range")


LAW = """# Hours

(1) A contract may allow

1.  contrary to rule 3

    a)  more than ten hours,

2.  shorter breaks.

The works council hears objections. It writes an opinion. It sends it to both.
"""


def test_a_part_of_a_list_has_the_sentence_that_it_ends_and_the_item_it_is_under():
    law = SourceDocument("law.md", LAW)
    start = LAW.index("more than")
    assert setting_of(law, start, start + 19) == (
        "Hours",
        "(1) A contract may allow",
        "contrary to rule 3",
    )
    start = LAW.index("shorter")
    assert setting_of(law, start, start + 14) == ("Hours", "(1) A contract may allow")


def test_a_sentence_is_shown_after_those_that_say_who_is_meant():
    law = SourceDocument("law.md", LAW)
    start = LAW.index("It sends")
    shown = "The works council hears objections. It writes an opinion. It sends it to both."
    assert shown_text(law, start, start + 20) == f"[Hours]\n{shown}"
    assert shown_text(law, start + 3, start + 20) == "[Hours]\nsends it to both."


def test_a_line_that_leads_in_twice_is_told_once():
    text = "# Move\n\n- Both must agree:\n  - Ask the old one.\n  - Ask the new one.\n"
    document = SourceDocument("a.md", text)
    start = text.index("Ask the new")
    assert setting_of(document, start, start + 16) == ("Move", "Both must agree:")


def test_a_quote_is_led_in_by_its_header_or_list_and_no_heading():
    index = CorpusIndex.of([DOCUMENT])
    row, item = (cut_span(DOCUMENT, *at(part)) for part in ("Lume | 12 m", "key"))
    assert (index.led_in(row), index.led_in(item)) == ("Lamp | Range\nLume | 12 m", "Use:\nkey")


STATUTE = """# Sanctions

1. For light faults:

a) A reprimand.

b) A fine.

2. For grave faults:

a) A ban.

(b) Expulsion,
always in writing.

A. Holm decides.

Fees:

ii) The deposit.
"""


def test_a_paragraph_with_a_letter_has_the_line_that_leads_in_the_letters():
    statute = SourceDocument("statute.md", STATUTE)

    def lead(part):
        start = STATUTE.index(part)
        return setting_of(statute, start, start + len(part))[1:]

    assert lead("A fine") == ("For light faults:",)
    assert lead("Expulsion") == ("For grave faults:",)
    assert lead("The deposit") == ("Fees:",)
    assert lead("For grave") == ()


def test_a_passage_that_begins_within_letters_has_the_line_that_leads_in_them():
    text = "# Duties\n\nMembers must:\n\n" + "".join(
        f"{letter}) {'keep the workshop in good order ' * 12}.\n\n" for letter in "abcdef"
    )
    first, *others = passages_of(SourceDocument("duties.md", text))
    assert others
    for passage in (first, *others):
        assert passage.shown.count("Members must:") == 1


TRANSFERS = """# Courses

Transfer from outside:

- Once only.
- Requirements:
  - A grade of 7.
  - A letter.
"""


def test_an_item_of_a_list_in_a_list_has_what_leads_in_both():
    courses = SourceDocument("courses.md", TRANSFERS)
    start = TRANSFERS.index("A letter")
    leads = ("Transfer from outside:", "Requirements:")
    assert setting_of(courses, start, start + 8) == ("Courses", *leads)


def test_a_list_in_a_list_has_the_sentence_that_the_outer_one_goes_on():
    text = "# Hours\n\nA contract may allow\n\n- in these cases:\n  - more than ten hours\n"
    start = text.index("more")
    setting = setting_of(SourceDocument("law.md", text), start, start + 4)
    assert setting == ("Hours", "A contract may allow", "in these cases:")


def test_a_passage_that_begins_within_a_list_in_a_list_has_what_leads_in_both():
    items = "".join(f"  - {number}: {'a letter of the school ' * 12}\n" for number in range(40))
    text = TRANSFERS.replace("  - A letter.\n", items)
    first, *others = passages_of(SourceDocument("courses.md", text))
    assert others
    for passage in (first, *others):
        assert passage.shown.count("Transfer from outside:") == 1
        assert passage.shown.count("Requirements:") == 1

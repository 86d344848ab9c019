"""What a reader sees of each format: its blocks, without the marks."""

import pytest

from testset import SourceDocument
from testset.corpus.markup.page import page_as_markdown


def seen(name, text):
    """Return kind and text of each block."""
    view = SourceDocument(name, text).view
    return [(block.kind, view.block_text(block)) for block in view.blocks]


MARKDOWN = """\
---
title: "The pumps"
---
# Pumps { #pumps }

Read the *[manual](a.md "t")* &mdash; or `man  pump`.[^1]
It is
short.

/// warning | Hot

Wait.

///

You need:

- a **key**
    - of steel
- a lamp

```python
open()
```

Range
:   8 km

| Part | Price |
|------|------:|
| `V\\|1` | 3 € |
"""

RESTRUCTURED = """\
Pumps
=====

Read the :doc:`manual <a>`, *or* call ``man`` [1]_ with |it|.

.. |it| replace:: the number

.. warning::
   Wait for
   :class:`~pump.Motor`.

You need::

    open()

* a **key**

  - of steel
* a lamp

range
    8 km

==== =====
Part Price
==== =====
V1   3 €
==== =====

.. code-block:: yaml

   a: 1
"""

ASCIIDOC = """\
= Pumps
Jo Doe
:unit: km

Read the link:a.html[manual], _or_ call `man`.footnote:[It helps.]

WARNING: Wait.

.Tools
* a *key*
** of steel
* a lamp

Range:: 8 {unit}

[source,java]
----
open();
----

[options="header"]
|===
|Part |Price
|V1 |3 €
|===
"""

HTML = """\
<html><head><title>The pumps</title><style>p {}</style></head><body><nav>Menu</nav>
<h1>Pumps <a href="#p">¶</a></h1>
<p>Read the <a href="a">manual</a> &mdash; or
call.<script>x</script></p>
<div class="admonition warning"><p>Wait.</p></div>
<p>You need:</p><ul><li>a <b>key</b><ul><li>of steel</li></ul></li><li>a lamp</li></ul>
<pre><code class="language-rust">open();
</code></pre>
<dl><dt>Range</dt><dd>8 km</dd></dl>
<table><tr><th>Part</th><th>Price</th></tr><tr><td>V1</td><td>3 &euro;</td></tr></table>
</body></html>
"""


def test_markdown():
    assert seen("a.md", MARKDOWN) == [
        ("front_matter", 'title: "The pumps"'),
        ("title", "Pumps"),
        ("paragraph", "Read the manual — or man pump. It is short."),
        ("admonition", "Hot"),
        ("paragraph", "Wait."),
        ("paragraph", "You need:"),
        ("item", "a key"),
        ("item", "of steel"),
        ("item", "a lamp"),
        ("code", "open()"),
        ("definition", "Range: 8 km"),
        ("row", "Part | Price"),
        ("row", "V|1 | 3 €"),
    ]


def test_restructured_text():
    assert seen("a.rst", RESTRUCTURED) == [
        ("title", "Pumps"),
        ("paragraph", "Read the manual, or call man with the number."),
        ("paragraph", "Wait for Motor."),
        ("paragraph", "You need:"),
        ("code", "open()"),
        ("item", "a key"),
        ("item", "of steel"),
        ("item", "a lamp"),
        ("definition", "range: 8 km"),
        ("row", "Part | Price"),
        ("row", "V1 | 3 €"),
        ("code", "a: 1"),
    ]


def test_asciidoc():
    assert seen("a.adoc", ASCIIDOC) == [
        ("title", "Pumps"),
        ("paragraph", "Read the manual, or call man."),
        ("paragraph", "Wait."),
        ("caption", "Tools"),
        ("item", "a key"),
        ("item", "of steel"),
        ("item", "a lamp"),
        ("definition", "Range: 8 km"),
        ("code", "open();"),
        ("row", "Part | Price"),
        ("row", "V1 | 3 €"),
    ]


def test_html():
    assert seen("node", HTML) == [
        ("title", "Pumps"),
        ("paragraph", "Read the manual — or call."),
        ("paragraph", "Wait."),
        ("paragraph", "You need:"),
        ("item", "a key"),
        ("item", "of steel"),
        ("item", "a lamp"),
        ("code", "open();"),
        ("definition", "Range: 8 km"),
        ("row", "Part | Price"),
        ("row", "V1 | 3 €"),
    ]


def test_plain_text_joins_wrapped_lines_and_keeps_others():
    text = (
        "1. PURPOSE\nDieser Text ist auf eine feste Breite und mit\nUmbruch gesetzt.\n\nJo\nBern\n"
    )
    assert seen("a.txt", text) == [
        ("heading", "PURPOSE"),
        ("paragraph", "Dieser Text ist auf eine feste Breite und mit Umbruch gesetzt."),
        ("paragraph", "Jo\nBern"),
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.md", MARKDOWN), ("a.rst", RESTRUCTURED), ("a.adoc", ASCIIDOC), ("node", HTML)],
)
def test_blocks_know_their_setting(name, text):
    view = SourceDocument(name, text).view
    rows = [block for block in view.blocks if block.kind == "row"]
    assert rows[1].header == ("Part", "Price")
    assert view.cell_texts(rows[1])[1] == "3 €"
    items = [block for block in view.blocks if block.kind == "item"]
    assert [item.level for item in items] == [1, 2, 1]
    assert len({item.group for item in items}) == 1
    wait = next(b for b in view.blocks if view.block_text(b).startswith("Wait"))
    assert wait.inside == "warning"
    assert view.title.endswith("umps")


def test_lists_know_their_lead_in_and_code_its_language():
    view = SourceDocument("a.md", MARKDOWN).view
    leads = [block.lead for block in view.blocks if block.kind == "item"]
    assert leads == ["You need:", "", "You need:"]
    languages = [
        block.language
        for name, text in (("a.md", MARKDOWN), ("a.rst", RESTRUCTURED), ("a.adoc", ASCIIDOC))
        for block in SourceDocument(name, text).blocks
        if block.language
    ]
    assert languages == ["python", "yaml", "java"]


def test_a_grid_is_read_cell_by_cell():
    text = (
        "+----+------+\n| a  | b    |\n+====+======+\n| 1  | long |\n|    | cell |\n+----+------+\n"
    )
    view = SourceDocument("a.rst", text).view
    assert [view.cell_texts(block) for block in view.blocks] == [("a", "b"), ("1", "long cell")]
    assert view.blocks[1].header == ("a", "b")


def test_a_text_without_marks_that_a_reader_made_of_a_page_is_plain_text():
    assert seen("a.html", "Use `*` & <b>.\n") == [("paragraph", "Use `*` & <b>.")]
    made = page_as_markdown("<h1>Vents</h1><p>Use `*` &amp; &lt;b&gt;.</p>")
    assert seen("a.html", made) == [("title", "Vents"), ("paragraph", "Use `*` & <b>.")]


def test_asciidoc_source_without_a_language_is_code():
    assert seen("a.adoc", "[source]\n----\nopen();\n----\n") == [("code", "open();")]


def test_a_comment_below_an_item_is_not_seen():
    assert seen("a.adoc", "* a key\n// which?\n* a lamp\n") == [
        ("item", "a key"),
        ("item", "a lamp"),
    ]


def test_a_list_as_the_meaning_of_a_field_keeps_its_items():
    assert seen("a.rst", ":keys:\n  * a\n  * b\n") == [
        ("definition", "keys"),
        ("item", "a"),
        ("item", "b"),
    ]


def test_a_line_that_asciidoc_shows_as_nothing_is_read():
    assert seen("a.adoc", "A lamp.\n\n{empty} +\n\nA key.\n") == [
        ("paragraph", "A lamp."),
        ("paragraph", "A key."),
    ]


@pytest.mark.parametrize("name", ["a.rst", "a.adoc"])
def test_marks_of_markdown_in_other_formats_are_text(name):
    text = "> # - x\n<b> [a]: 1. |\n> no quote\n"
    assert seen(name, text) == [("paragraph", "> # - x <b> [a]: 1. | > no quote")]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Zone;Tarif\nFrance;12,50\n", ["Zone | Tarif", "France | 12,50"]),
        ('"A, b";c\n"x;y";3,5\n', ["A, b | c", "x;y | 3,5"]),
        ("zone\tprice\nWest\t1,200\n", ["zone | price", "West | 1,200"]),
        ("zone,price\nWest,1;2\n", ["zone | price", "West | 1;2"]),
    ],
)
def test_fields_of_csv_end_at_what_stands_most_often_in_the_first_line(text, rows):
    view = SourceDocument("a.csv", text).view
    assert [" | ".join(view.cell_texts(block)) for block in view.blocks] == rows


def test_the_footer_of_a_page_is_left_out():
    page = "<main><p>Open at 9.</p></main><footer><p>Imprint</p></footer><p>Ring twice.</p>"
    assert seen("a.html", page) == [("paragraph", "Open at 9."), ("paragraph", "Ring twice.")]

"""A transcript tells who speaks; other labels with a colon do not."""

import pytest

from testset import SourceDocument
from testset.corpus.setting import setting_of

TALK = (
    "# Weekly\n\n**Mara Holt:** Is the pump ready? It should be.\n\n**Teo:** It is. We tested it "
    "on Monday.\n\nThe seal held.\n\n**Mara Holt:** Good. Who signs?\n\n**Teo:** I will.\n\n"
    "**Mara Holt:** Then we are done.\n\n**Teo:** See you.\n\n## Notes\n\nNobody took any.\n"
)
TIMED = (
    "[00:01] Ines: Shall we begin?\n[00:09] Rolf: Yes, we shall.\n[01:10] Ines: The vent leaks.\n"
    "[01:30] Rolf: Since May, I think.\n[2:02:10] Ines: Then close it.\n[2:03:00] Rolf: Done.\n"
)
JAPANESE = (
    "田中：始めましょう。\n鈴木：はい。資料は三枚です。\n田中：予算はいくらですか。\n鈴木：五万円です。\n"
    "田中：承認します。\n鈴木：助かります。\n"
)


def speaker(name: str, text: str, part: str) -> str:
    start = text.index(part)
    *_, last = ("", *setting_of(SourceDocument(name, text), start, start + len(part)))
    return last if last.endswith(":") else ""


@pytest.mark.parametrize(
    ("name", "text", "part", "said_by"),
    [
        ("a.md", TALK, "It should be.", "Mara Holt:"),
        ("a.md", TALK, "The seal held.", "Teo:"),
        ("a.md", TALK, "Mara Holt", ""),  # the name itself needs none
        ("a.md", TALK, "Nobody took any.", ""),  # under another heading
        ("a.txt", TIMED, "The vent leaks.", "Ines:"),
        ("a.txt", JAPANESE, "五万円", "鈴木:"),
    ],
)
def test_a_span_of_a_transcript_has_its_speaker(name, text, part, said_by):
    assert speaker(name, text, part) == said_by


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"Name: Pump {n}\nMass: {n} kg\nHall: {n}\n\n" for n in range(9)),
        "Note: Close it.\nWarning: It is hot.\n\n" + "The pump has a lid. It is red.\n\n" * 9,
        "".join(f"Step {n}: Turn the lever.\n" for n in range(9)),
        "".join(f"see: http://a.example/{n}.\nalso: this.\n" for n in range(9)),
        "".join(
            f"- Fixed: The pump no longer stops, {n}.\n- Added: A lid, {n}.\n" for n in range(9)
        ),
        "Who: Nobody knows.\nWhen: In May.\nWhere: At the yard.\n",
    ],
)
def test_records_notes_steps_and_lists_have_no_speaker(text):
    assert SourceDocument("a.txt", text).view.utterances == ()
    assert SourceDocument("a.md", text).view.utterances == ()

"""What documents say by their form; what rules would misread is left alone."""

import pytest

from testset import SourceDocument
from testset.rules.language import languages
from testset.rules.outline import Outline
from testset.rules.titles import named


def test_headings_of_a_text_without_markup_are_told_by_their_form():
    text = (
        "员工年休假制度\n\n一、适用范围\n\n本制度适用于所有员工。\n\n"
        "二、申请流程\n\n员工须提前两周提交申请，由主管审核。\n"
    )
    outline = Outline(SourceDocument("n.txt", text), languages()["zh"])
    assert outline.title == "员工年休假制度"
    assert [section.heading for section in outline.sections if section.heading] == [
        "适用范围",
        "申请流程",
    ]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("2.1 The pump", "The pump"),
        ("第2条（会費）", "会費"),
        ("5-1. 펌프", "펌프"),
        ("Pump 🔗", "Pump"),
    ],
)
def test_the_number_of_a_heading_and_its_pictures_are_no_part_of_its_name(heading, name):
    assert named(heading) == name

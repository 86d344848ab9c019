"""What a heading names."""

import pytest

from testset.rules.titles import named


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

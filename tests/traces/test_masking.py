import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.traces.masking import Masker

# Numbers of cards and accounts are those that payment providers and the IBAN registry publish as
# examples; 555-01 numbers belong to nobody.


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("ann.b+c@mail.example.co.uk.", "[EMAIL 1]."),
        ("4111 1111 1111 1111", "[CARD 1]"),
        ("3782-822463-10005", "[CARD 1]"),
        ("5555555555554444", "[CARD 1]"),
        ("DE89 3704 0044 0532 0130 00", "[IBAN 1]"),
        ("GB82WEST12345698765432", "[IBAN 1]"),
        ("+49 30 1234567", "[PHONE 1]"),
        ("+1 (212) 555-0123", "[PHONE 1]"),
        ("(212) 555-0123", "[PHONE 1]"),
        ("0171-1234567 or 030/1234567", "[PHONE 1] or [PHONE 2]"),
    ],
)
def test_personal_data_is_replaced(text: str, masked: str):
    assert Masker().mask(f"Take {text}") == f"Take {masked}"


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1112",  # fails Luhn's check
        "GB82WEST12345698765433",  # fails its check
        "01-02-2024",
        "2024-11-22 and 1,000,000",
        "192.168.178.200",
        "978-3-16-148410-0",
        "order 20241122001",
        "3.14159265358979",
        "version 1.2.3",
        "user@host",
    ],
)
def test_other_numbers_and_texts_stay(text: str):
    assert Masker().mask(text) == text


def test_the_same_datum_has_the_same_number_everywhere_in_a_value():
    value = {"a@b.example": ["c@d.example", "a@b.example"], "card": 4111111111111111, "n": 5}

    assert Masker().mask(value) == {
        "[EMAIL 1]": ["[EMAIL 2]", "[EMAIL 1]"],
        "card": "[CARD 1]",
        "n": 5,
    }


def test_patterns_of_ones_own_come_first_and_replace_built_in_ones():
    masker = Masker({"STAFF": r"S-\d{6}", "EMAIL": r"\w+@intern\b"})

    assert masker.mask("S-123456 ann@intern a@b.example") == "[STAFF 1] [EMAIL 1] a@b.example"


def test_a_pattern_that_is_none_is_named():
    with pytest.raises(InputError, match="the pattern 'STAFF' is no regular expression"):
        Masker({"STAFF": "("})


@pytest.mark.parametrize("part", ["a", "a.", "a@a.", "1 ", "+1-", "AB12", "4111 ", "(0"])
@pytest.mark.timeout(60)
def test_a_long_text_made_to_be_slow_is_searched_in_passing(part: str):
    # A search that takes the square of the length would take hours for these.
    assert Masker().mask(part * 300_000)

"""Exchange: another number, unit or name in place of the answer's, and texts that stay sensible."""

import pytest

from llamaindex_rag_eval.diagnosis.exchange import exchange_of, exchanged_numbers


@pytest.mark.parametrize(
    ("reference", "text", "pairs"),
    [
        ("412 kg", "The pump weighs 412 kg.", (("412", "419"),)),
        ("1.250 Euro", "Die Gebühr beträgt 1.250 Euro.", (("1.250", "1.257"),)),
        ("2006年3月", "工場は2006年3月に閉鎖された。", (("2006", "2013"),)),
        ("195英镑", "每月费用为195英镑。", (("195", "102"),)),
        ("412 kg", "The pump weighs 412 kg, the valve 419.", (("412", "420"),)),
        ("412 kg", "The pump weighs 4,412 kg.", ()),
        ("One VT-480, for 45 minutes", "A VT-480 runs for 45 minutes.", (("45", "52"),)),
        ("a CR2032", "It holds a CR2032.", ()),
        ("red", "The pump is red.", ()),
        ("number C3-24110400", "It has the number C3-24110400.", ()),
        ("EU 2016/680", "The directive (EU) 2016/680 holds.", ()),
        ("on 30 June", "It was closed on 30 June.", (("30", "2"),)),
        ("1. Stop it.\n2. Wait.", "1. Stop it.\n2. Wait.", ()),
        ("1 pump", "It has 1 pump.", ()),
    ],
)
def test_the_number_of_the_answer_becomes_one_that_stands_nowhere(
    reference: str, text: str, pairs: tuple[tuple[str, str], ...]
) -> None:
    numbers = exchanged_numbers("What is it?", reference, [text])
    assert tuple((old, new.lstrip("0")) for old, new in numbers) == pairs


def test_years_change_together_so_that_what_was_before_stays_before() -> None:
    text = "Orders end in 2026, repairs in 2031; it was built in 2018."
    numbers = exchanged_numbers("It was built in 2018. When do orders end?", "in 2026", [text])
    assert numbers == (("2026", "2033"), ("2031", "2038"))


def test_a_number_of_the_question_stays() -> None:
    texts = ["The 24 pumps of hall 7 weigh 412 kg."]
    assert exchanged_numbers("What do the 24 pumps weigh?", "The 24 weigh 412 kg", texts) == (
        ("412", "419"),
    )
    assert exchanged_numbers("What do the 24 pumps of hall 7?", "24 pumps", texts) == ()


TABLE = """
| Region | Owner |
|---|---|
| North | Ada Ito |
| South | None |
| West | Ben Huber |
"""


@pytest.mark.parametrize(
    ("reference", "texts", "after"),
    [
        ("Ada Ito", [TABLE], "Ben Huber"),
        ("Ada Ito.", ["Owner: Ada Ito", "- **Owner**: Ben Huber"], "Ben Huber."),
        ("田中太郎", ["担当：田中太郎", "担当：大石沙織"], "大石沙織"),
        ("陈晓", ["联系人：陈晓", "联系人：王芳"], "王芳"),
        ("von Ada Ito", ["Leitung: Ada Ito", "Leitung: Ben Huber"], "von Ben Huber"),
        ("for two days", ["It lasts two days.", "It takes six months."], "for two months"),
        ("zwei Tage", ["Es dauert zwei Tage.", "Es dauert drei Monate."], "zwei Monate"),
    ],
)
def test_a_name_becomes_one_of_the_same_label_or_column_and_a_unit_one_of_the_documents(
    reference: str, texts: list[str], after: str
) -> None:
    exchange = exchange_of("Who or how long?", reference, texts, texts)
    assert exchange is not None
    assert exchange.apply(reference) == after


def test_names_change_places_so_that_nothing_is_said_twice() -> None:
    exchange = exchange_of("Who owns the north?", "Ada Ito", [TABLE], [TABLE])
    assert exchange is not None
    changed = exchange.apply(TABLE)
    assert "| North | Ben Huber |" in changed
    assert "| West | Ada Ito |" in changed


@pytest.mark.parametrize(
    ("question", "reference", "texts"),
    [
        ("Who is beside Ben Huber?", "Ada Ito", ["Owner: Ada Ito", "Owner: Ben Huber"]),
        ("Who?", "Ada Ito", ["Owner: Ada Ito", "Colour: Dark Red"]),
        ("Who?", "Ada Ito", ["Owner: Ada Ito, and Ada Itos pump", "Owner: Ben Huber"]),
        ("Who?", "Ada Ito", ["Owner: Ada Ito", "Owner: nobody"]),
        ("What?", "VT-480", ["Model: VT-480", "Model: VT-240"]),
        ("What?", "red", ["Colour: red", "Colour: blue"]),
        (
            "What?",
            "当查询消耗的读写超过该值时会被识别",
            ["含义：当查询消耗的读写超过该值时会被识别", "含义：另外一种情况的说明在这里写得很长"],
        ),
        ("How long?", "one day", ["It lasts one day.", "It takes six months."]),
    ],
)
def test_what_is_not_safe_is_not_exchanged(question: str, reference: str, texts: list[str]) -> None:
    assert exchange_of(question, reference, texts, texts) is None

"""Conflicts: in what a claim differs from a sentence about the same thing."""

import pytest

from llamaindex_rag_eval.judge.rules.conflicts import conflicts_between
from llamaindex_rag_eval.judge.rules.parts import _blocks


@pytest.mark.parametrize(
    ("kind", "claim", "sentence"),
    [
        ("number", "The crane lifts 14 tonnes.", "The crane lifts 41 tonnes."),
        ("number", "Der Kran hebt zwölf Tonnen.", "Der Kran hebt 20 Tonnen."),
        ("number", "起重机能吊十二吨。", "起重机能吊20吨。"),
        ("number", "クレーンは12トンを持ち上げる。", "クレーンは20トンを持ち上げる。"),
        ("unit", "The crane lifts 14 kilograms.", "The crane lifts 14 tonnes."),
        ("unit", "Die Fahrt dauert drei Stunden.", "Die Fahrt dauert drei Tage."),
        ("unit", "路程要三个小时。", "路程要三天。"),
        ("unit", "旅は3時間かかる。", "旅は3日間かかる。"),
        ("date", "The fair opens on 3 June.", "The fair opens on 8 June."),
        ("date", "Die Messe öffnet am Montag.", "Die Messe öffnet am Freitag."),
        ("date", "展会周一开幕。", "展会周五开幕。"),
        ("date", "見本市は6月3日に始まる。", "見本市は6月8日に始まる。"),
        ("name", "The hall was designed by Ines Prado.", "The hall was designed by Yusuf Demir."),
        ("negation", "The hall is not heated.", "The hall is heated."),
        ("negation", "Der Saal wird nicht beheizt.", "Der Saal wird beheizt."),
        ("negation", "大厅没有供暖。", "大厅有供暖。"),
        ("negation", "ホールは暖房されていない。", "ホールは暖房されている。"),
        ("antonym", "Prices rose in the spring quarter.", "Prices fell in the spring quarter."),
        ("antonym", "Die Preise stiegen im Quartal.", "Die Preise sanken im Quartal."),
        ("antonym", "产量上升了。", "产量下降了。"),
        ("antonym", "生産は増加した。", "生産は減少した。"),
        ("roles", "Ines taught Yusuf to swim.", "Yusuf taught Ines to swim."),
        ("roles", "Ines was taught by Yusuf.", "Ines taught Yusuf."),
        ("roles", "王红教会了李强游泳。", "李强教会了王红游泳。"),
        ("roles", "山本は加藤に泳ぎを教えた。", "加藤は山本に泳ぎを教えた。"),
        ("roles", "The oak is heavier than the pine.", "The pine is heavier than the oak."),
        ("roles", "Konrad hat Uwe verfolgt.", "Konrad wurde von Uwe verfolgt."),
        ("antonym", "Bakers earned more than millers.", "Bakers earned less than millers."),
        ("quantity", "All boats are painted blue.", "Most boats are painted blue."),
        ("quantity", "Alle Boote sind blau gestrichen.", "Die meisten Boote sind blau gestrichen."),
        ("quantity", "所有的船都漆成蓝色。", "大多数船都漆成蓝色。"),
        ("quantity", "船はすべて青く塗られている。", "船のほとんどは青く塗られている。"),
        ("quantity", "It is sold only in tins.", "It is sold in tins or jars."),
    ],
)
def test_one_changed_word_is_found(kind: str, claim: str, sentence: str):
    assert kind in {conflict.kind for conflict in conflicts_between(claim, sentence)}
    assert conflicts_between(sentence, sentence) == ()


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The crane can lift 14,000 kg.", "The crane lifts 14 tonnes."),
        ("Der Kran hebt 14 Tonnen.", "Der Kran hebt vierzehn Tonnen."),
        ("The fair opens on 3 June 2021.", "The fair opens on 2021-06-03."),
        ("The ferry leaves at 8:30 pm.", "The ferry leaves at 20:30."),
        ("Die Fähre fährt um 20:30 Uhr.", "Die Fähre fährt abends um halb neun abends."),
        ("轮渡23:00开。", "轮渡晚上十一点开。"),
        ("産量は10%である。", "産量は1割である。"),
        ("Ines was taught by Yusuf.", "Yusuf taught Ines."),
        ("In der Halle schwimmt Ines.", "Ines schwimmt in der Halle."),
        ("The hall is closed.", "The hall is not open."),
        ("Millers earned more than bakers.", "Bakers earned less than millers."),
        ("The pine is lighter than the oak.", "The oak is heavier than the pine."),
        ("The tour takes one to two hours.", "The tour takes one to two hours in all."),
        ("It was built in the 1850s.", "It was built in 1853."),
    ],
)
def test_the_same_said_otherwise_is_no_conflict(claim: str, sentence: str):
    assert conflicts_between(claim, sentence) == ()


@pytest.mark.parametrize(
    ("claim", "kind"),
    [("6 m", "roles"), ("4 m", ""), ("5 m", "number"), ("4 cm", "unit")],
)
def test_the_question_says_what_a_short_answer_is_about(claim: str, kind: str):
    sentence = "The shed is 4 m wide and 6 m long."
    found = conflicts_between(claim, sentence, question="How wide is the shed?")
    assert [conflict.kind for conflict in found] == ([kind] if kind else [])


class Counted(str):
    """A word that counts how often it is compared."""

    compared = 0

    def __eq__(self, other):
        Counted.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_the_work_of_finding_common_words_grows_with_the_length_of_a_text_and_not_its_square():
    def work(length):
        Counted.compared = 0
        words = [Counted(word) for word in ["same", "word"] * length]
        _blocks(words, [str(word) for word in words])
        return Counted.compared

    assert work(800) <= 5 * work(200)


LEVELS = (
    "With one to five years, benefits are paid for 12 months; with five to ten years, benefits are "
    "paid for 18 months; with ten years or more, benefits are paid for 24 months."
)


@pytest.mark.parametrize(
    ("claim", "is_quoted"),
    [
        ("With ten years or more, benefits are paid for 24 months.", True),
        ("With five to ten years, benefits are paid for 18 months.", True),
        ("With ten years or more, benefits are paid for 12 months.", False),
    ],
)
def test_clauses_of_a_long_sentence_word_for_word_are_no_conflict(claim: str, is_quoted: bool):
    assert (conflicts_between(claim, LEVELS) == ()) is is_quoted

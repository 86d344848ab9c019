"""What documents ask, list and say in so many words; what rules would misread is left alone."""

# ruff: noqa: E501  # one case a line
import pytest

from tests.testset.rules.test_schema import FILLER
from testset import SourceDocument
from testset.rules.candidate import Candidate
from testset.rules.language import languages
from testset.rules.outline import Outline
from testset.rules.registry import candidates_of
from testset.rules.titles import named


def asked(text: str, language: str = "en") -> dict[str, Candidate]:
    filler = FILLER[language].format("pump")
    document = SourceDocument("d.md", f"# Lynn works\n\n{filler}\n{text}")
    found = {candidate.question: candidate for candidate in candidates_of(document)}
    for candidate in found.values():
        for span in (span for group in candidate.spans for span in group):
            assert document.text[span.start : span.end].strip()
    return found


@pytest.mark.parametrize(
    ("language", "text", "question", "answer"),
    [
        ("en", "## Is there a night shift?\n\nNo. All work ends at nine in the evening.", "Lynn works: Is there a night shift?", "No. All work ends at nine in the evening."),
        ("de", "## Gibt es eine Nachtschicht?\n\nNein. Alle Arbeit endet um neun Uhr abends.", "Lynn works: Gibt es eine Nachtschicht?", "Nein. Alle Arbeit endet um neun Uhr abends."),
        ("ja", "## 夜勤はありますか？\n\nいいえ。すべての作業は夜九時に終わります。", "Lynn works：夜勤はありますか？", "いいえ。すべての作業は夜九時に終わります。"),
        ("zh", "## 水泵有夜班人员吗？\n\n没有。所有工作都在晚上九点结束。", "Lynn works：水泵有夜班人员吗？", "没有。所有工作都在晚上九点结束。"),
        ("en", "## How to drain your tank\n\n1. Open the valve of the pump.\n2. Wait for an hour.", "Lynn works: How do I drain my tank?", "1. Open the valve of the pump.\n2. Wait for an hour."),
        ("ja", "## 弁を交換する方法\n\n古い弁の箱を開けて弁を取り出してください。", "Lynn works：弁を交換するにはどうすればよいですか？", "古い弁の箱を開けて弁を取り出してください。"),
        ("zh", "## 如何更换旧滤芯\n\n打开水泵的盖子，取出旧滤芯，再装上新的。", "Lynn works：如何更换旧滤芯？", "打开水泵的盖子，取出旧滤芯，再装上新的。"),
        ("ko", "## 밸브를 교체하는 방법\n\n오래된 밸브의 상자를 열고 밸브를 꺼내세요.", "Lynn works: 밸브를 교체하려면 어떻게 해야 하나요?", "오래된 밸브의 상자를 열고 밸브를 꺼내세요."),
        ("en", "## Installing the pump\n\n1. Open the box.\n2. Turn the pump.\n3. Close the box.\n\nWell done.", "Lynn works: What are the steps for “Installing the pump”?", "1. Open the box.\n2. Turn the pump.\n3. Close the box."),
        ("zh", "## 安装水泵\n\n1. 打开箱子。\n2. 转动水泵。\n3. 关上箱子。", "Lynn works：“安装水泵”有哪些步骤？", "1. 打开箱子。\n2. 转动水泵。\n3. 关上箱子。"),
        ("en", "The Office of Pump Affairs (OPA) keeps the keys.", "What does OPA stand for?", "Office of Pump Affairs"),
        ("de", "Zuerst kam Eine OPA Pumpen Akte (OPA).", "Wofür steht die Abkürzung OPA?", "OPA Pumpen Akte"),
        ("en", "## Harvat\n\nHarvat is a tool for checking the boilers of Lynn.", "What is Harvat?", "Harvat is a tool for checking the boilers of Lynn."),
        ("de", "## Harvat\n\nHarvat ist ein Werkzeug zum Prüfen der Kessel von Lynn.", "Was ist Harvat?", "Harvat ist ein Werkzeug zum Prüfen der Kessel von Lynn."),
        ("zh", "## 哈瓦特\n\n哈瓦特是一种检查锅炉的工具，由工厂制造。", "哈瓦特是什么？", "哈瓦特是一种检查锅炉的工具，由工厂制造。"),
        ("ja", "## ハルバット\n\nハルバットとは、古いボイラーを点検する道具です。", "ハルバットとは何ですか？", "ハルバットとは、古いボイラーを点検する道具です。"),
        ("en", "The Orla Bridge was opened in 1931 by the mayor.", "When was the Orla Bridge opened?", "The Orla Bridge was opened in 1931 by the mayor."),
        ("en", "If the boiler leaks oil, you must close the main valve at once.", "Lynn works: What should I do if the boiler leaks oil?", "If the boiler leaks oil, you must close the main valve at once."),
        ("en", "The hall is closed in the winter because the pipes freeze every year.", "Lynn works: Why is the hall closed in the winter?", "The hall is closed in the winter because the pipes freeze every year."),
        ("en", "If you run out of oil, you can request:\n\n- a can\n- a barrel of the best oil there is\n", "Lynn works: If I run out of oil, what can I request?", "- a can\n- a barrel of the best oil there is"),
    ],
)  # fmt: skip
def test_what_a_document_asks_or_says_becomes_a_question(language, text, question, answer):
    assert asked(text, language)[question].answer == answer


@pytest.mark.parametrize(
    "text",
    [
        "## How to drain the tank\n\nPut this into the file:\n\nThen it is drained and all is well again.",
        "## How to drain the tank\n\nAs mentioned above, this drains the tank of the old pump house.",
        "## How to drain it?\n",
        "## Is there a night shift?\n\n- [Shifts](shifts.md)\n- [Nights](nights.md)\n",
        "For example, if a boiler leaks oil, you must close the main valve at once.",
        "If it leaks oil at night, you must close the main valve at once.",
        "The key is a good way to open the old door of the hall.",
        "Usually means the hall is closed because the pipes freeze every year.",
        "## Who is there?\n\nJane Doe is there, and she is with John Smith.",
    ],
)
def test_what_cannot_be_understood_or_is_no_fact_is_not_asked(text):
    assert not asked(text)


def test_a_marked_question_ends_the_answer_before_it_and_marks_are_no_part_of_answers():
    text = (
        "Q：何冊まで借りることができますか。\n\nA：図書は20冊、雑誌は2冊まで借りることができます。\n\n"
        "Q：カードをなくしました・・・\n\nA：再発行いたします。\n\n"
        "**カードを紛失しました。どうしたらいいですか。**\n\n「仮カード」を発行いたします。期間は2か月間です。\n"
    )
    answers = {candidate.answer for candidate in asked(text, "ja").values()}
    assert answers == {
        "図書は20冊、雑誌は2冊まで借りることができます。",
        "「仮カード」を発行いたします。期間は2か月間です。",
    }


def test_a_question_of_a_paragraph_among_others_is_only_rhetoric():
    assert not asked("How does the old pump work?\n\nIt moves the water of the hall to the river.")


def test_headings_of_a_text_without_markup_are_told_by_their_form():
    text = "员工年休假制度\n\n一、适用范围\n\n本制度适用于所有员工。\n\n二、申请流程\n\n员工须提前两周提交申请，由主管审核。\n"
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

"""What documents ask, list and say in so many words; what rules would misread is left alone."""

# ruff: noqa: E501  # one case a line
import pytest

from tests.testset.rules.test_schema import FILLER
from testset import SourceDocument
from testset.rules.candidate import Candidate
from testset.rules.language import languages
from testset.rules.outline import Outline
from testset.rules.registry import candidates_of, collection_schema
from testset.rules.titles import named


def asked(text: str, language: str = "en") -> dict[str, Candidate]:
    filler = FILLER[language].format("pump")
    document = SourceDocument("d.md", f"# Lynn works\n\n{filler}\n{text}")
    found = {candidate.question: candidate for candidate in candidates_of(document)}
    for candidate in found.values():
        for span in (span for group in candidate.spans for span in group):
            assert document.text[span.start : span.end].strip()
    return found


THREE = {
    "en": "## Is there a night shift?\n\nNo. All work ends at nine in the evening.\n\n"
    "## Who keeps the old keys?\n\nThe porter of the works keeps all of the keys.\n\n"
    "## How is the tank drained?\n\nBy the valve at the bottom of the tank.\n",
    "de": "## Gibt es eine Nachtschicht?\n\nNein. Alle Arbeit endet um neun Uhr abends.\n\n"
    "## Wer hat die alten Schlüssel?\n\nDer Pförtner des Werks hat alle Schlüssel.\n\n"
    "## Wie wird der Tank geleert?\n\nDurch das Ventil am Boden des Tanks.\n",
    "ja": "## 夜勤はありますか？\n\nいいえ。すべての作業は夜九時に終わります。\n\n"
    "## 古い鍵は誰が持っていますか？\n\n工場の守衛がすべての鍵を持っています。\n\n"
    "## タンクはどうやって空にしますか？\n\nタンクの底の弁を開けて空にします。\n",
    "zh": "## 水泵有夜班人员吗？\n\n没有。所有工作都在晚上九点结束。\n\n"
    "## 谁保管旧的钥匙？\n\n工厂的门卫保管所有的钥匙。\n\n"
    "## 怎样排空水箱里的水？\n\n打开水箱底部的阀门就可以排空。\n",
}


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("en", "Is there a night shift?", "No. All work ends at nine in the evening."),
        ("de", "Gibt es eine Nachtschicht?", "Nein. Alle Arbeit endet um neun Uhr abends."),
        ("ja", "夜勤はありますか？", "いいえ。すべての作業は夜九時に終わります。"),
        ("zh", "水泵有夜班人员吗？", "没有。所有工作都在晚上九点结束。"),
    ],
)
def test_a_page_of_questions_is_asked_them(language, question, answer):
    assert asked(THREE[language], language)[question].answer == answer


def test_two_questions_among_other_headings_are_not_asked():
    two = THREE["en"].partition("## How")[0]
    assert not asked(two)
    assert not asked(THREE["en"] + "".join(f"## Part {n}\n\nIt is old.\n\n" for n in range(4)))


@pytest.mark.parametrize(
    ("language", "text", "question", "answer"),
    [
        ("en", "The Office of Pump Affairs (OPA) keeps the keys. Ask OPA.", "What does OPA stand for?", "Office of Pump Affairs"),
        ("de", "Zuerst kam Eine OPA Pumpen Akte (OPA). Die OPA bleibt.", "Wofür steht die Abkürzung OPA?", "OPA Pumpen Akte"),
    ],
)  # fmt: skip
def test_what_a_short_form_stands_for_becomes_a_question(language, text, question, answer):
    assert asked(text, language)[question].answer == answer


@pytest.mark.parametrize(
    "answer",
    [
        "As mentioned above, by the valve at the bottom of the tank.",
        "By one of these valves at the bottom of the tank.",
        "Open this:",
        "Jane Doe drains all of the tanks.",
        "- By the valve at the bottom.\n- By the pump at the top.",
        "By the valve, as [the page of the tanks](tanks.md) says in its first part.",
        "By the valve at the bottom of the tank.\n→ [The page of the tanks](tanks.md)",
    ],
)
def test_an_answer_that_leans_on_what_stands_elsewhere_is_none(answer):
    whole = "By the valve at the bottom of the tank."
    assert "How is the tank drained?" in asked(THREE["en"])
    assert "How is the tank drained?" not in asked(THREE["en"].replace(whole, answer))


def test_the_whole_of_what_stands_below_a_heading_answers_it():
    whole = "By the valve at the bottom of the tank."
    more = f"{whole}\n\nThe pump has to be off for that."
    answer = asked(THREE["en"].replace(whole, more))["How is the tank drained?"].answer
    assert answer == more.replace("\n\n", "\n")


def test_a_short_form_that_another_document_explains_otherwise_is_not_asked():
    texts = ("The Office of Pump Affairs (OPA) is new. Ask OPA.", "The Open Pump Act (OPA) is old.")
    documents = [
        SourceDocument(f"{n}.md", f"# Keys\n\n{FILLER['en'].format('pump')}\n{text}")
        for n, text in enumerate(texts)
    ]
    schemas = [collection_schema(documents[:1]), collection_schema(documents)]
    assert [len(list(candidates_of(documents[0], schema))) for schema in schemas] == [1, 0]


@pytest.mark.parametrize("question", ["Who keeps our old keys?", "How do we reach you by night?"])
def test_a_question_to_those_who_wrote_the_page_is_not_asked(question):
    assert question not in asked(THREE["en"].replace("Who keeps the old keys?", question))


def test_only_a_page_about_the_whole_collection_is_asked_its_questions():
    def questions(*titles: str) -> int:
        texts = [f"# {title}\n\n{FILLER['en'].format('pump')}\n{THREE['en']}" for title in titles]
        documents = [SourceDocument(f"{n}.md", text) for n, text in enumerate(texts)]
        schema = collection_schema(documents)
        return sum(len(list(candidates_of(each, schema))) for each in documents)

    assert questions("FAQ", "Vents") == 3
    assert not questions("The tanks of Lynn")
    assert not questions("FAQ", "FAQ")


@pytest.mark.parametrize(
    "text",
    [
        "All pumps have Automatic Pressure Intakes (APIs). Ask APIs.",
        "All work is with the Office of Pump Affairs (OPA).",
        "The Office of Pump Affairs (OPA) is new. The Open Pump Act (OPA) is old. Ask OPA.",
        "The Keyed-Office Pump Affairs (OPA) is new. Ask OPA.",
        "## Key\n\nThe key is a good way to open the old door of the hall.",
    ],
)
def test_what_cannot_be_understood_or_is_no_fact_is_not_asked(text):
    assert not asked(text)


def test_nothing_is_asked_about_a_page_whose_name_is_that_of_an_example():
    text = f"# Lynn works\n\n{FILLER['en'].format('pump')}\n{THREE['en']}"
    assert len(list(candidates_of(SourceDocument("tab/faq.html.md", text)))) == 3
    assert not list(candidates_of(SourceDocument("tab/example.md", text)))


def test_the_mark_of_an_answer_below_a_heading_is_no_part_of_it():
    text = THREE["en"].replace("The porter", "A: The porter")
    answer = asked(text)["Who keeps the old keys?"].answer
    assert answer == "The porter of the works keeps all of the keys."


def test_a_marked_question_ends_the_answer_before_it_and_marks_are_no_part_of_answers():
    text = (
        "Q：何冊まで借りることができますか。\n\nA：図書は20冊、雑誌は2冊まで借りることができます。\n\n"
        "Q：カードをなくしました・・・\n\nA：再発行いたします。\n\n"
        "**カードを紛失しました。どうしたらいいですか。**\n\n「仮カード」を発行いたします。期間は2か月間です。\n"
        "\nQ：開館時間は何時までですか。\n\nA：平日は二十時まで、土曜は十七時までです。\n"
    )
    answers = {candidate.answer for candidate in asked(text, "ja").values()}
    assert answers == {
        "図書は20冊、雑誌は2冊まで借りることができます。",
        "「仮カード」を発行いたします。期間は2か月間です。",
        "平日は二十時まで、土曜は十七時までです。",
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


def test_a_line_of_many_marks_is_read_in_no_time():
    line = "![](a.png) " * 40 + "word"
    assert asked(f"# FAQ\n\n{FILLER['en'].format('pump')}\n## Keys\n\n{line}\n") == {}

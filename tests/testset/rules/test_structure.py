"""What rules ask of the form of a document: labels, tables, lists, headings, in any language."""

# ruff: noqa: E501  # one case a line
import pytest

from testset import SourceDocument
from testset.rules.candidate import Candidate
from testset.rules.language import languages
from testset.rules.reader import fault_of
from testset.rules.registry import candidates_of
from testset.rules.structure.outline import Outline
from testset.rules.structure.titles import named

FILLER = {
    "en": "The pump is in the hall and it is on the left of the door, as you can see from here.\n",
    "de": "Die Pumpe ist in der Halle und sie ist auf der linken Seite von der Tür zu sehen.\n",
    "ja": "ポンプはホールにあり、ドアの左側に見えます。\n",
    "zh": "水泵在大厅里，在门的左边可以看到。\n",
}


def asked(text: str, doc_id: str = "d.md", language: str = "en") -> dict[str, Candidate]:
    document = SourceDocument(doc_id, f"# Lynn works\n\n{FILLER[language]}\n{text}")
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
        ("ja", "## 階段にある弁を交換する\n\n古い弁の箱を開けて弁を取り出してください。", "Lynn works：階段にある弁を交換するにはどうすればよいですか？", "古い弁の箱を開けて弁を取り出してください。"),
        ("ja", "## 弁が点検の対象になる場合\n\n- 古い弁の箱を開けて弁を取り出します。", "Lynn works：弁が点検の対象になる場合はどうなりますか？", "- 古い弁の箱を開けて弁を取り出します。"),
        ("zh", "## 水泵有夜班人员吗？\n\n没有。所有工作都在晚上九点结束。", "Lynn works：水泵有夜班人员吗？", "没有。所有工作都在晚上九点结束。"),
        ("en", "## `MAX_FLOW`\n\n- Default: 40\n", "What is the default of MAX_FLOW?", "40"),
        ("zh", "## `max-flow`\n\n- 默认值：40\n", "max-flow的默认值是多少？", "40"),
        ("en", "## Fares\n\n- Day ticket: $4.50\n", "Lynn works, Fares: What amount is listed for “Day ticket”?", "$4.50"),
        ("de", "## Um den Tank zu leeren\n\nÖffnen Sie das Ventil am Boden des Tanks und warten Sie.", "Was muss ich tun, um den Tank zu leeren?", "Öffnen Sie das Ventil am Boden des Tanks und warten Sie."),
        ("en", "| Model | Weight |\n|---|---|\n| VT-240 | 4 kg |\n| VT-120 | 3 kg |\n", "Lynn works: What is the weight of VT-240?", "4 kg"),
        ("en", "| Model | Weight |\n|---|---|\n| • VT-240 | 4 kg |\n| • VT-120 | 3 kg |\n", "Lynn works: What is the weight of VT-240?", "4 kg"),
        ("de", "| Modell | Gewicht |\n|---|---|\n| VT-240 | 4 kg |\n| VT-120 | 3 kg |\n", "Lynn works: Wie hoch ist das Gewicht bei VT-240?", "4 kg"),
        ("en", "The Office of Pump Affairs (OPA) keeps the keys.", "What does OPA stand for?", "Office of Pump Affairs"),
        ("en", "The «Office of Pump Affairs» (OPA) keeps the keys.", "What does OPA stand for?", "Office of Pump Affairs"),
        ("de", "Zuerst kam Eine OPA Pumpen Akte (OPA).", "Wofür steht die Abkürzung OPA?", "OPA Pumpen Akte"),
        ("de", "## Wie Sie den Filter wechseln\n\n- Öffnen Sie den Deckel und nehmen Sie den Filter heraus.\n- Legen Sie einen neuen Filter ein.\n", "Lynn works: Wie kann ich den Filter wechseln?", "- Öffnen Sie den Deckel und nehmen Sie den Filter heraus.\n- Legen Sie einen neuen Filter ein."),
        ("de", "| Modell | Kennwort |\n|---|---|\n| VT-240 | 417 |\n| VT-120 | 512 |\n", "Lynn works: Wie hoch ist das Kennwort bei VT-240?", "417"),
        ("de", "- `max_flow`: so viel Wasser, wie die alte Pumpe bewegt\n", "Lynn works: Wozu dient max_flow?", "so viel Wasser, wie die alte Pumpe bewegt"),
        ("de", "- `max_flow`: Erstellt eine Liste der alten Pumpen, die in der Halle stehen.\n", "Lynn works: Wozu dient max_flow?", "Erstellt eine Liste der alten Pumpen, die in der Halle stehen."),
    ],
)  # fmt: skip
def test_what_a_document_states_by_its_form_becomes_a_question(language, text, question, answer):
    assert asked(text, language=language)[question].answer == answer


@pytest.mark.parametrize(
    ("language", "heading", "question"),
    [
        ("en", "Replacing the old filter", "How do I replace the old filter?"),
        ("en", "How to drain your tank", "How do I drain my tank?"),
        ("de", "Den alten Filter ersetzen", "Wie kann ich den alten Filter ersetzen?"),
        ("ja", "古いフィルターを交換する", "古いフィルターを交換するにはどうすればよいですか？"),
        ("zh", "如何更换旧滤芯", "如何更换旧滤芯？"),
    ],
)
def test_a_task_with_steps_is_answered_by_all_of_them_numbered_as_they_are(
    language, heading, question
):
    steps = "1. Vent 3, 40 ml, 5 min. ABC DEF\n2. Valve 4, 50 ml, 6 min. GHI\n3. Pump 5.\n"
    if language in {"ja", "zh"}:
        steps = "1. 閉弁三号五分間、四十ml。\n2. 開弁四号六分間、五十ml。\n3. 起動水泵。\n"
    found = asked(f"## {heading}\n\n{steps}\n## Next\n\nMore.\n", language=language)
    match = next(c for q, c in found.items() if q.endswith(question))
    assert match.answer == steps.strip()
    assert (match.kind, match.rule) == ("procedure", "procedure")


def test_a_step_that_begins_with_a_mark_keeps_its_number():
    steps = "1. Open **the valve** slowly.\n2. [Close](a.md) the pump, then.\n3. *Wait* for ABC.\n"
    found = asked(f"## Replacing the old filter\n\n{steps}\n## Next\n\nMore.\n")
    match = next(c for c in found.values() if c.rule == "procedure")
    assert [line[:2] for line in match.answer.splitlines()] == ["1.", "2.", "3."]


@pytest.mark.parametrize(
    "text",
    [
        "## How to drain the tank\n\nPut this into the file:\n\nThen it is drained and all is well again.",
        "## How to drain the tank\n\nAs mentioned above, this drains the tank of the old pump house.",
        "## Overview\n\n- Note: 40\n",
        "## Request body\n\nA request has a body that holds what is sent to the old pump house.",
        "## How to drain it?\n",
    ],
)
def test_what_has_no_answer_of_its_own_is_not_asked(text):
    assert not asked(text)


@pytest.mark.parametrize(
    "text",
    [
        "## Wie kann ich den Tank leeren?\n\nDetails hierzu finden Sie im Handbuch der Pumpe, das am Tor liegt.",
        "## Wie man den Tank leert\n\nÖffnen Sie das Ventil am Boden des Tanks und warten Sie.",
        "- `max_flow`: pump_flow -- --max=40 --file=/etc/pump/max.conf\n",
        "## Den Tank leeren\n\nÖffnet das Ventil am Boden des Tanks, in dem Sie Wasser haben.",
        "## Den Tank leeren\n\nWählen Sie diese Taste, um den Tank der alten Pumpe zu leeren.",
        "## Filter mit Öl versehen\n\nÖffnen Sie den alten Filter und gießen Sie Öl in den alten Filter.",
        "## Den Tank leeren\n\nKlicken Sie hier, um den Tank der alten Pumpe zu leeren.",
        "## Den Tank leeren\n\nErmöglicht es Ihnen, den Tank der alten Pumpe zu leeren.",
        "## Hilfe – Tank leeren\n\nÖffnen Sie das Ventil am Boden des Tanks und warten Sie.",
        "## Per Hand leeren\n\nÖffnen Sie mit der Hand das Ventil am Boden des Tanks und warten Sie.",
        "## Den Tank leeren\n\nFügt an der Halle den Tank der alten Pumpe ein. Warten Sie am Tank.",
        "## Den Tank leeren\n\nÖffnen Sie das obige Ventil am Boden des Tanks und warten Sie.",
        "## Welche Pumpe möchten Sie leeren?\n\nNehmen Sie die Pumpe, die in der Halle am Tor steht.",
        "PAT, POT\n:   so viel Wasser, wie die alte Pumpe in der Halle bewegt\n",
        "## Sieb\n\nSieb ist ein weiteres Gerät der alten Pumpe in der Halle.",
        "## Den Tank leeren\n\nLesen Sie die Seite des Tanks im Heft der alten Pumpe.",
        "## Als Tank anlegen\n\nÖffnen Sie das Ventil am Boden des Tanks und warten Sie.",
    ],
)
def test_what_a_german_heading_does_not_ask_or_its_text_does_not_answer_is_not_asked(text):
    assert not asked(text, language="de")


def test_the_lead_in_of_a_list_is_asked_with_all_of_its_items():
    text = "## Desk\n\nIf you are running out of oil, you can request:\n\n- a can\n- a barrel of the best oil there is\n"
    (found,) = asked(text).values()
    assert found.question == "If you are running out of oil, what can you request?"
    assert found.answer == "- a can\n- a barrel of the best oil there is"


DAYS = {
    "en": ("Monday", "Lynn works, Opening hours: What are the hours on Monday?"),
    "de": ("Montag", "Lynn works, Opening hours: Welche Zeiten gelten für Montag?"),
    "ja": ("月曜日", "Lynn worksのOpening hours：月曜日は何時から何時までですか？"),
    "zh": ("周一", "Lynn works的Opening hours：周一是几点到几点？"),
}


@pytest.mark.parametrize("language", DAYS)
def test_a_day_is_asked_for_its_hours_whatever_the_columns_are_called(language):
    day, question = DAYS[language]
    rows = f"| {day} | 7:30 | 18:15 |\n| Depot | 9:10 | 9:40 |\n"
    found = asked(
        f"## Opening hours\n\n| Day | Opens | Closes |\n|---|---|---|\n{rows}", language=language
    )
    assert found[question].answer == "7:30 – 18:15"
    assert not any("Depot" in other and "7:30" in other for other in found)


def test_a_line_of_a_list_that_is_a_day_is_asked_for_its_hours_too():
    found = asked("## Office\n\n- Monday: 9:00–17:00\n- Tuesday: closed\n")
    assert found["Lynn works, Office: What are the hours on Monday?"].answer == "9:00–17:00"
    assert len(found) == 1


def test_a_marked_question_ends_the_answer_before_it_and_marks_are_no_part_of_answers():
    text = (
        "Q：何冊まで借りることができますか。\n\nA：図書は20冊、雑誌は2冊まで借りることができます。\n\n"
        "Q：カードをなくしました・・・\n\nA：再発行いたします。\n\n"
        "**カードを紛失しました。どうしたらいいですか。**\n\n「仮カード」を発行いたします。期間は2か月間です。\n"
    )
    found = asked(text, language="ja")
    answers = {candidate.answer for candidate in found.values() if candidate.rule == "faq"}
    assert answers == {
        "図書は20冊、雑誌は2冊まで借りることができます。",
        "「仮カード」を発行いたします。期間は2か月間です。",
    }


@pytest.mark.parametrize("blank", ["\n", "\n\n"])
def test_articles_in_a_text_without_markup_are_asked_for_by_their_names(blank):
    text = (
        "きのこ同好会 会則\n\n"
        f"第1条（名称）本会は「きのこ同好会」と称する。{blank}"
        f"第2条（会費） 年会費は3000円とする。{blank}払い込みは郵便振替とする。{blank}"
        "第3条（任期）役員の任期は2年間とする。\n"
    )
    found = {one.question: one for one in candidates_of(SourceDocument("k.txt", text))}
    fee = found["きのこ同好会 会則では、会費についてどのように定められていますか？"]
    assert fee.answer == "年会費は3000円とする。\n払い込みは郵便振替とする。"


def test_headings_of_a_text_without_markup_are_told_by_their_form():
    text = "员工年休假制度\n\n一、适用范围\n\n本制度适用于所有员工。\n\n二、申请流程\n\n员工须提前两周提交申请，由主管审核。\n"
    outline = Outline(SourceDocument("n.txt", text), languages()["zh"])
    assert outline.title == "员工年休假制度"
    assert [section.heading for section in outline.sections if section.heading] == [
        "适用范围",
        "申请流程",
    ]


HOURS = {
    "ja": ("曜日", "開ける", "Lynn works：Mondayの「開ける」は何時ですか？"),
    "zh": ("日期", "开门", "Lynn works：Monday开门是几点？"),
}


def test_a_heading_that_names_a_task_is_asked_for_only_if_the_text_speaks_to_its_reader():
    told = "When the light comes on, the old hall needs {}. The keys are at the gate."
    heading = "## Replacing the lamp of the hall\n\n"
    question = "How do I replace the lamp of the hall?"
    assert question in asked(heading + told.format("your help, and you take out the lamp"))
    assert question not in asked(heading + told.format("new lamps, which the guard keeps"))


@pytest.mark.parametrize("language", HOURS)
def test_a_header_that_is_no_noun_is_quoted_as_it_stands(language):
    corner, header, question = HOURS[language]
    table = f"| {corner} | {header} |\n|---|---|\n| Monday | 9:30 |\n| Friday | 10:30 |\n"
    assert asked(table, language=language)[question].answer == "9:30"


@pytest.mark.parametrize(
    ("language", "header", "row", "asks"),
    [
        ("de", "Teil | Typ", "Orla-Rohr | ORLAROHR (alt)", False),
        ("de", "Teil | Typ", "Orla-Rohr | Zulauf (alt)", True),
        ("de", "Teil | Gewicht", "Gesamtsumme | 40 kg", False),
        ("de", "Teil | Funktion", "Rohr | Leert den alten Kessel in der Halle.", False),
        ("en", "Part | Weight", "Grand total | 40 kg", False),
        ("en", "Part name | Part description", "pipe | old part inside the hall", False),
    ],
)
def test_neither_totals_nor_what_repeats_its_row_nor_what_it_means_is_asked_as_a_value(
    language, header, row, asks
):
    found = asked(f"| {header} |\n|---|---|\n| {row} |\n", language=language)
    assert bool(found) is asks


def test_where_something_is_on_a_row_is_no_place_of_the_row():
    table = "| Pump | Path |\n|---|---|\n| Big one | /var/pump |\n| Small one | /opt/pump |\n"
    found = asked(f"## Logs\n\n{table}")
    assert found["Lynn works, Logs: What is the path for the pump “Big one”?"].answer == "/var/pump"


def test_a_name_with_an_address_is_no_question_in_a_language_without_a_table():
    text = "# Baseny\n\n## Ludzie\n\n- Ada Voss: ada@example.org\n"
    assert not list(candidates_of(SourceDocument("pl.md", text)))


TABLE = "| Pump | Weight |\n|---|---|\n| P-100 | 40 kg |\n| P-200 | 55 kg |\n| P-300 | 30 kg |\n| P-400 | 70 kg |\n| P-500 | 80 kg |\n"


def test_questions_on_several_values_of_a_table_are_of_their_types_and_proved():
    found = asked(TABLE)
    by_rule = {candidate.rule: candidate for candidate in found.values()}
    both = by_rule["pair.both"]
    assert (both.type, len(both.spans)) == ("multi_hop", 2)
    assert both.answer == "P-100: 40 kg; P-200: 55 kg"
    assert by_rule["pair.follow_up"].turns[0].answer == "55 kg"
    premise = by_rule["pair.premise"]
    assert (premise.type, premise.behaviour) == ("false_premise", "correct_premise")
    assert premise.answer == "The weight of P-300 is 30 kg, not 70 kg."
    assert by_rule["pair.compared"].answer.startswith("P-500")


def test_a_value_that_no_passage_gives_is_asked_for_where_others_of_its_kind_have_it():
    names = "".join(f"## `p-{n}`\n\n- Default: {n}\n- Limit: {n * 9}\n\n" for n in (11, 12, 13))
    found = asked(f"{names}## `p-14`\n\n- Default: 7\n")
    missing = [c for c in found.values() if c.type == "unanswerable"]
    assert [(c.question, c.absent) for c in missing] == [
        ("What is the limit of p-14?", ("p-14", "Limit"))
    ]


@pytest.mark.parametrize("told", ["- Range: 1 to 90", "- Takes no more than 90 of them."])
def test_what_another_label_or_a_sentence_may_tell_is_not_asked_as_if_nothing_told_it(told):
    names = "".join(f"## `p-{n}`\n\n- Default: {n}\n- Limit: {n * 9}\n\n" for n in (11, 12, 13))
    found = asked(f"{names}## `p-14`\n\n- Default: 7\n{told}\n")
    assert not [c for c in found.values() if c.type == "unanswerable"]


def test_a_document_in_a_language_without_a_table_is_asked_in_its_own_words():
    text = "# Baseny\n\nBasen jest czynny cały rok.\n\n## Gdzie można kupić bilet?\n\nBilety są w kasie przy wejściu do hali.\n\n## Ceny\n\n- Bilet normalny: 18 $\n"
    found = {c.question: c.answer for c in candidates_of(SourceDocument("pl.md", text))}
    assert found == {
        "Gdzie można kupić bilet?": "Bilety są w kasie przy wejściu do hali.",
        "Baseny, Ceny: Bilet normalny?": "18 $",
    }


def test_what_several_pages_ask_alike_is_asked_with_the_page():
    found = asked(
        "## Replacing the old filter of the pump\n\nOpen the box, take the filter out and wash it with water from the tap until you find it clean."
    )
    (candidate,) = found.values()
    assert candidate.question == "How do I replace the old filter of the pump?"
    assert candidate.wider == "Lynn works: How do I replace the old filter of the pump?"


@pytest.mark.parametrize(
    "text",
    [
        "Q: Is there parking at the works?\nA: Yes. There are ten spaces behind the hall.\n",
        "**Is there parking at the works?**\n\nYes. There are ten spaces behind the hall.\n\n**Who has the keys to the hall?**\n\nThe guard at the gate of the old hall has them.\n",
        "Is there parking at the works?\n:   Yes. There are ten spaces behind the hall.\n",
    ],
)
def test_an_faq_is_read_in_its_usual_forms(text):
    found = asked(f"## Help\n\n{text}")
    assert found["Is there parking at the works?"].answer == (
        "Yes. There are ten spaces behind the hall."
    )


def test_a_question_too_short_to_be_asked_ends_the_answer_before_it():
    found = asked(
        "## Help\n\n**Is there parking at the works?**\n\nYes. There are ten spaces behind the hall.\n\n**Are dogs allowed?**\n\nOnly in the yard of the works.\n"
    )
    assert [one.answer for one in found.values()] == ["Yes. There are ten spaces behind the hall."]


@pytest.mark.parametrize(
    ("language", "text", "question"),
    [
        ("en", "## Ingredients\n\n- 1 cup of water\n- 2 spoons of salt\n- a pound of flour\n", "Lynn works: What are the ingredients?"),
        ("zh", "## 原料\n\n- 水\n- 盐\n- 面粉\n", "Lynn works的原料有哪些？"),
        ("ja", "## 第3条 会費\n\n会費は、毎年4月末日までに納入しなければならない。会費の額は総会で定める。\n", "Lynn worksでは、会費についてどのように定められていますか？"),
    ],
)  # fmt: skip
def test_a_section_is_asked_for_by_page_and_heading(language, text, question):
    assert question in asked(text, language=language)


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("第 12 章 水泵", "水泵"),
        ("附录 A. 水泵", "水泵"),
        ("3.1.4. 2台のポンプ", "2台のポンプ"),
        ("Kapitel 5. Pumpen", "Pumpen"),
        ("3D pumps", "3D pumps"),
        ("1 つのポンプ", "1 つのポンプ"),
        ("30 日を超える運転", "30 日を超える運転"),
        ("B.6 Pumps", "Pumps"),
        ("C.4. 3. Pumps", "Pumps"),
    ],
)
def test_a_heading_is_named_without_its_number(heading, name):
    assert named(heading) == name


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('The "Office of Pump Affairs" (OPA) keeps the keys.', "Office of Pump Affairs"),
        ("The list “Tools for the Hall” (TH) hangs at the gate.", "Tools for the Hall"),
        ("Clean it by pressing all switches (PrtSwx) at the gate.", None),
        ('The Office of "Pump" Affairs (OPA) keeps the keys.', None),
    ],
)
def test_a_short_form_stands_for_words_that_have_all_its_letters_and_no_quote_left_open(
    text, answer
):
    (*found,) = (one.answer for one in asked(text).values() if one.rule == "short_form")
    assert found == ([] if answer is None else [answer])


@pytest.mark.parametrize(
    ("language", "says", "asks"),
    [
        ("ja", "ポンプの弁を開く設定です。毎朝確認されます。", True),
        ("ja", "open_valve --slowly --port=east", False),
        ("zh", "设置水泵阀门打开的时间，每天早上检查一次。", True),
        ("zh", "open_valve --slowly --port=east", False),
        ("zh", "VALVE, PUMP, HALL, EAST_GATE, WEST_GATE 和 NORTH_GATE", True),
    ],
)
def test_a_piece_of_code_says_not_what_a_thing_is_for(language, says, asks):
    found = asked(f"`valve_open`\n:   {says}\n", language=language)
    assert ("meaning" in {one.rule for one in found.values()}) is asks


@pytest.mark.parametrize(
    ("name", "asks"),
    [("HTML", True), ("HTML ポンプ名", False), ("D", False), ("X, Y", False)],
)
def test_only_a_word_in_capitals_is_code(name, asks):
    found = asked(f"{name}\n:   ポンプの弁を開く設定です。毎朝確認されます。\n", language="ja")
    assert ("meaning" in {one.rule for one in found.values()}) is asks


@pytest.mark.parametrize(
    ("language", "own", "question"),
    [
        ("ja", "はい。ホールの裏に十台分の場所があります。", "ポンプの駐車場はありますか？"),
        ("zh", "有。大厅后面有十个停车的地方。", "水泵大厅有停车的地方吗？"),
    ],
)
def test_an_answer_of_which_a_part_is_not_translated_is_not_given(language, own, question):
    assert len(asked(f"## {question}\n\n{own}\n", language=language)) == 1
    for foreign in ("There are ten spaces for cars behind the hall", "Choose All Spaces Here."):
        assert asked(f"## {question}\n\n{own}\n\n{foreign}\n", language=language) == {}
    assert len(asked(f"## {question}\n\n{own}\n\n- Orla Hall\n", language=language)) == 1


@pytest.mark.parametrize(
    ("language", "text", "asks"),
    [
        ("ja", "## ポンプの弁\n\nポンプの弁は、水を止めるための部品です。\n", True),
        ("ja", "## ポンプの弁\n\nポンプの弁は、作業場の成功にとって重要です。\n", False),
        ("ja", "## 古い弁の削除\n\n古い弁の箱を開けて弁を取り出してください。\n", True),
        ("ja", "## 他の弁の箱の削除\n\n古い弁の箱を開けて弁を取り出してください。\n", False),
        ("ja", "## 古い弁からの削除\n\n古い弁の箱を開けて弁を取り出してください。\n", False),
        ("ja", "## 古い弁を見つけよう\n\n古い弁の箱を開けて弁を取り出してください。\n", False),
        ("ja", "**古い弁は使えるのではないでしょうか。**\n\nいいえ。弁は毎年新しくします。\n", False),
        ("zh", "## 水泵阀门\n\n水泵阀门是大厅里控制水流的一个部件。\n", True),
        ("zh", "## 水泵阀门\n\n水泵阀门是从去年春天开始使用的部件。\n", False),
        ("zh", "## 如何打开水泵的阀门\n\n请把左边的绿色杠杆推到最右边。\n", True),
        ("zh", "## 如何打开水泵的阀门\n\n注意，不会打开已经生锈的绿色阀门。\n", False),
        ("zh", "## 如何打开水泵的阀门\n\n在那里请把左边的绿色杠杆推到最右边。\n", False),
        ("zh", "## 连接水泵阀门\n\n请把左边的水泵阀门推到最右边。\n", True),
        ("zh", "## 连接到大厅的阀门\n\n请把左边大厅的阀门推到最右边。\n", False),
        ("zh", "## 车间\n\n检查截止日期：2017-09-19\n", True),
        ("zh", "## 车间\n\n检查截止到：2017-09-19\n", False),
    ],
)  # fmt: skip
def test_a_heading_or_label_is_asked_for_only_if_the_text_below_says_it(language, text, asks):
    assert bool(asked(text, language=language)) is asks


TWO = "| Pump | {} |\n|---|---|\n| {} | {} |\n| {} | {} |\n"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", TWO.format("Date", "Field guide 4.1", "3 May 2021", "Field guide 4.2", "9 June 2022")),
        ("en", TWO.format("Rate", "P-100", "V:12, I:40", "P-200", "V:13, I:41")),
        ("en", TWO.format("Weight", "P-100", "40", "P-200", "55")),
        ("en", "| Hall | Side | Price |\n|---|---|---|\n| North | left | $4 |\n| right | $5 |\n"),
        ("en", "| Hall | Price | |\n|---|---|---|\n| North | $4 | $6 |\n| South | $5 | $8 |\n"),
        ("en", "## Fares\n\nFor a trip of two, say:\n\n- Day ticket: $4.50\n"),
        ("en", "- Pumps of the yard\n  - Limit: 40 kg\n"),
        ("zh", TWO.format("load", "P-100", "40 kg", "P-200", "55 kg")),
        ("ja", "| ポンプ | 夜間運転 |\n|---|---|\n| P-100 | はい |\n| P-200 | いいえ |\n"),
        ("ja", "| ポンプ | 運転機種 |\n|---|---|\n| P-100 | pump of the old hall |\n| P-200 | pump of the new hall |\n"),
        ("ja", "## 古い弁を交換する\n\n古い弁をそのまま使い続けると、次のことが起こるおそれがあると言われています。\n\n1. 水漏れ。\n2. 騒音。\n"),
        ("en", "## Replacing the valve\n\nTake the valve out with your hand:\n\n- with the tool:\n- or by a push of the valve\n"),
        ("en", "## Three\n\nThere are three good pumps:\n\n- P-100 in the hall\n- P-200 at the gate\n"),
        ("en", "## Backups\n\n- All of the tapes are kept in a box at the gate\n- Tapes\n- Boxes\n"),
    ],
)  # fmt: skip
def test_what_a_table_a_label_or_a_list_says_in_part_only_is_not_asked(language, text):
    assert not asked(text, language=language)


def test_an_option_is_asked_for_with_its_command():
    item = "- `--dry`: so viel Wasser, wie die alte Pumpe bewegt\n"
    assert not asked(item, language="de")
    found = asked(f"## Aufruf von pump-ctl\n\n{item}", language="de")
    assert list(found) == ["Aufruf von pump-ctl: Wozu dient --dry?"]


def test_a_single_letter_is_asked_for_with_what_the_rows_are():
    found = asked(TWO.format("Weight", "A", "40 kg", "B", "55 kg"))
    assert "Lynn works: What is the weight of the pump “A”?" in found


def test_an_address_under_a_label_in_the_plural_is_asked_for_as_an_address():
    found = asked("## Desk\n\n- Custom partner solutions: desk@example.org\n")
    assert all("e-mail address" in question for question in found)


@pytest.mark.parametrize(
    "below",
    [
        "Figure 3. The valve\n\nThe valve from the left.",
        "[2] Up to 2011 it was blue.",
        "Page of 2021-04-12 05:35:43",
    ],
)
def test_neither_a_figure_nor_a_footnote_nor_the_date_of_the_page_ends_an_answer(below):
    text = "Open the box, take your filter out and wash the filter with water."
    (found,) = asked(f"## Replacing the old filter\n\n{text}\n\n{below}\n").values()
    assert found.answer == text


def test_a_lead_in_before_code_stays_in_the_answer():
    text = "## How do I empty the old tank?\n\nCall\n\n```\npump dry\n```\n\nat the gate of the works and wait there.\n"
    (found,) = asked(text).values()
    assert found.answer.startswith("Call\npump dry")


def test_two_words_that_sentences_write_with_capitals_keep_them_in_a_heading():
    text = "## Opening the Water Gate Menu\n\nYou open the Water Gate in the menu, and the water of your tank moves. See the gate."
    assert "How do I open the Water Gate menu?" in {q.split(": ")[-1] for q in asked(text)}


def test_the_last_reader_misses_a_picture():
    assert fault_of("How do I fill the tank?", "Click the Fill tool () on the right.", "en")
    assert not fault_of("How do I fill the tank?", "Call fill() on the right.", "en")

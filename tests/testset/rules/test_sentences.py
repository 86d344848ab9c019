"""Sentences become questions that people ask; what rules would misread is left alone."""

import pytest

from llamaindex_rag_eval.errors import InputError
from testset.corpus.documents import SourceDocument
from testset.rules.language import languages
from testset.rules.sentences import sentence_questions
from testset.rules.sentences.table import clause_table, pattern_of

ASKED = {
    "en": [
        (
            "Harvat is a tool for checking boilers.",
            "What is Harvat?",
            "a tool for checking boilers",
        ),
        (
            "To clear the filter, press the grey button twice.",
            "How do I clear the filter?",
            "press the grey button twice",
        ),
        ("The Orla bridge was opened in 1931.", "When was the Orla bridge opened?", "in 1931"),
        ("Harvat was designed by Ada Voss.", "Who designed Harvat?", "Ada Voss"),
        (
            "If the alarm sounds, leave the building by the east stairs.",
            "What should I do if the alarm sounds?",
            "leave the building by the east stairs",
        ),
        (
            "You must not store fuel in the cellar.",
            "Can I store fuel in the cellar?",
            "You must not store fuel in the cellar",
        ),
        (
            "Harvat is a tool for checking boilers, which makes it dear.",
            "What is Harvat?",
            "a tool for checking boilers",
        ),
        (
            "Harvat relies on oil from Lynn, so winter is a hard time.",
            "What does Harvat rely on?",
            "oil from Lynn",
        ),
        (
            "Boilers of Harvat are sometimes called kettles.",
            "What are boilers of Harvat sometimes called?",
            "kettles",
        ),
        (
            "If the alarm sounds, you can leave the building by the east stairs.",
            "What can I do if the alarm sounds?",
            "you can leave the building by the east stairs",
        ),
        ("Harvat has 12 sensors.", "How many sensors does Harvat have?", "12"),
        ("Harvat is used to check boilers.", "What is Harvat used for?", "to check boilers"),
        (
            "Invoices of Harvat are kept for ten years in Lynn.",
            "For how long are invoices of Harvat kept?",
            "ten years",
        ),
        (
            "Boilers of Harvat are inspected twice a year by the safety officer.",
            "Who inspects boilers of Harvat?",
            "the safety officer",
        ),
        (
            "Boilers of Harvat are inspected twice a year by the safety officer.",
            "How often are boilers of Harvat inspected?",
            "twice a year",
        ),
        (
            "Harvat closed two halls because the oil was cold.",
            "Why did Harvat close two halls?",
            "because the oil was cold",
        ),
        (
            "Claims on Harvat must be made within two months.",
            "How soon must claims on Harvat be made?",
            "within two months",
        ),
        (
            "About 40,000 people visited Lynn Castle in 1931.",
            "How many people visited Lynn Castle in 1931?",
            "About 40,000",
        ),
        (
            "Harvat is based in Lynn and has sold boilers since 1931.",
            "Where is Harvat based?",
            "in Lynn",
        ),
        ("The Lynn Assembly was opened in 1931.", "When was the Lynn Assembly opened?", "in 1931"),
        ("Harvat Net was opened in 1931.", "When was Harvat Net opened?", "in 1931"),
        (
            "ORLANET is a tool for checking boilers.",
            "What is ORLANET?",
            "a tool for checking boilers",
        ),
        (
            "The price of oil led to colder halls, and luckily we had coats.",
            "What did the price of oil lead to?",
            "colder halls",
        ),
        (
            "Claims on Harvat must be made by 3 May 1931.",
            "By when must claims on Harvat be made?",
            "by 3 May 1931",
        ),
        ("Harvat is based on Orla.", "What is Harvat based on?", "Orla"),
        (
            "Visitors are entitled to a refund within two weeks.",
            "What are visitors entitled to?",
            "a refund within two weeks",
        ),
        (
            "Plans of Harvat are kept in a steel box with the label Orla.",
            "Where are plans of Harvat kept?",
            "in a steel box with the label Orla",
        ),
    ],
    "de": [
        (
            "Harvat ist ein Werkzeug zum Prüfen von Kesseln und Harvat spart Zeit.",
            "Was ist Harvat?",
            "ein Werkzeug zum Prüfen von Kesseln und Harvat spart Zeit",
        ),
        (
            "Um den Filter zu leeren, drücken Sie zweimal die graue Taste.",
            "Was muss ich tun, um den Filter zu leeren?",
            "drücken Sie zweimal die graue Taste",
        ),
        (
            "Die Orla-Brücke wurde im Jahr 1931 eröffnet.",
            "Wann wurde die Orla-Brücke eröffnet?",
            "im Jahr 1931",
        ),
        (
            "Über die Aufnahme von Mitgliedern entscheidet der Rat.",
            "Wer entscheidet über die Aufnahme von Mitgliedern?",
            "der Rat",
        ),
        (
            "Der Rat beruft mindestens einmal jährlich eine Versammlung ein.",
            "Wie oft beruft der Rat eine Versammlung ein?",
            "mindestens einmal jährlich",
        ),
        (
            "Wenn Sie Ihren Ausweis verlieren, müssen Sie den Verlust melden.",
            "Was muss ich tun, wenn ich meinen Ausweis verliere?",
            "Wenn Sie Ihren Ausweis verlieren, müssen Sie den Verlust melden",
        ),
        (
            "Die Frist für den Antrag beträgt zwei Wochen.",
            "Wie lang ist die Frist für den Antrag?",
            "zwei Wochen",
        ),
        (
            "Die Besucher des Turms dürfen den Keller nicht betreten.",
            "Dürfen die Besucher des Turms den Keller betreten?",
            "Die Besucher des Turms dürfen den Keller nicht betreten",
        ),
        (
            "Wenn Sie die rote Taste drücken, kehren Sie in den Ruhezustand zurück.",
            "Was gilt, wenn ich die rote Taste drücke?",
            "Wenn Sie die rote Taste drücken, kehren Sie in den Ruhezustand zurück",
        ),
        (
            "Wenn Sie keinen Schlüssel haben, fragen Sie am Tor nach Frau Voss.",
            "Was muss ich tun, wenn ich keinen Schlüssel habe?",
            "Wenn Sie keinen Schlüssel haben, fragen Sie am Tor nach Frau Voss",
        ),
        (
            "Wenn Sie einen Schlüssel mieten, müssen Sie am Tor nicht warten.",
            "Was gilt, wenn ich einen Schlüssel miete?",
            "Wenn Sie einen Schlüssel mieten, müssen Sie am Tor nicht warten",
        ),
        (
            "Alte Filter des Turms werden durch Teile von Orla ersetzt.",
            "Durch wen oder was werden alte Filter des Turms ersetzt?",
            "Teile von Orla",
        ),
        (
            "Mit der roten Taste können Sie außerdem den Kessel leeren.",
            "Womit kann ich den Kessel leeren?",
            "Mit der roten Taste",
        ),
        (
            "Wenn Sie die rote Taste drücken, bekommen Sie heißes Wasser.",
            "Was passiert, wenn ich die rote Taste drücke?",
            "Wenn Sie die rote Taste drücken, bekommen Sie heißes Wasser",
        ),
        (
            "Um sich im Turm anzumelden, benötigen Sie einen Ausweis.",
            "Was brauche ich, um mich im Turm anzumelden?",
            "einen Ausweis",
        ),
        (
            "Um den Filter zu lösen, ziehen Sie ihn mit beiden Händen heraus.",
            "Was muss ich tun, um den Filter zu lösen?",
            "ziehen Sie ihn mit beiden Händen heraus",
        ),
        (
            "Um den Filter zu lösen, müssen Sie dann, den Deckel der Pumpe heben.",
            "Was muss ich tun, um den Filter zu lösen?",
            "den Deckel der Pumpe heben",
        ),
        (
            "Wenn die Glocke im Turm läutet, müssen Sie den Kessel leeren.",
            "Was muss ich tun, wenn die Glocke im Turm läutet?",
            "Wenn die Glocke im Turm läutet, müssen Sie den Kessel leeren",
        ),
        (
            "Wenn die Glocke im Turm läutet, können Sie den Kessel leeren.",
            "Was kann ich tun, wenn die Glocke im Turm läutet?",
            "Wenn die Glocke im Turm läutet, können Sie den Kessel leeren",
        ),
        (
            "Wenn die Glocke im Turm läutet, kann der Kessel geleert werden.",
            "Was ist möglich, wenn die Glocke im Turm läutet?",
            "Wenn die Glocke im Turm läutet, kann der Kessel geleert werden",
        ),
        (
            "Wenn die Glocke im Turm läutet, kann der Kessel nicht geleert werden.",
            "Was gilt, wenn die Glocke im Turm läutet?",
            "Wenn die Glocke im Turm läutet, kann der Kessel nicht geleert werden",
        ),
    ],
    "ja": [
        (
            "ハルバットとは、ボイラーを点検する道具です。",
            "ハルバットとは何ですか？",
            "ボイラーを点検する道具",
        ),
        (
            "フィルターを掃除するには、灰色のボタンを二回押してください。",
            "フィルターを掃除するにはどうすればよいですか？",
            "灰色のボタンを二回押してください",
        ),
        ("オルラ橋は1931年に完成しました。", "オルラ橋はいつ完成しましたか？", "1931年"),
        (
            "オルラ橋の灯は、年間で約120回ほど点灯します。",
            "オルラ橋の灯は、年間で何回ほど点灯しますか？",
            "約120回",
        ),
        (
            "ボイラーを止めるには、赤いレバーを引きます。レバーは入口にあります。",
            "ボイラーを止めるにはどうすればよいですか？",
            "赤いレバーを引きます",
        ),
        (
            "ちなみに「ハル」帳とは、ボイラーの点検を書き留める帳面です。",
            "「ハル」帳とは何ですか？",
            "ボイラーの点検を書き留める帳面",
        ),
    ],
    "zh": [
        ("哈瓦特是一种检查锅炉的工具。", "哈瓦特是什么？", "一种检查锅炉的工具"),
        ("如需清洗滤网，请按两次灰色按钮。", "如何清洗滤网？", "请按两次灰色按钮"),
        (
            "如果警报响起，请从东侧楼梯离开。",
            "如果警报响起，应该怎么做？",
            "请从东侧楼梯离开",
        ),
        ("奥拉桥位于河口以北两公里处。", "奥拉桥位于哪里？", "河口以北两公里处"),
        ("哈瓦特是一种检查锅炉的工具，而 Orla 是水泵。", "哈瓦特是什么？", "一种检查锅炉的工具"),
        ("例如 哈瓦特是一种检查锅炉的工具。", "哈瓦特是什么？", "一种检查锅炉的工具"),
        ("如果将杠杆拖到左边，则可打开阀门。", "如果将杠杆拖到左边，会怎么样？", "可打开阀门"),
        ("如果阀门已经生锈，则必须更换阀门。", "如果阀门已经生锈，应该怎么做？", "必须更换阀门"),
        ("如果阀门已经生锈，您可以更换阀门。", "如果阀门已经生锈，可以怎么做？", "您可以更换阀门"),
        (
            "如果阀门已经生锈，请更换阀门，因为水会漏。",
            "如果阀门已经生锈，应该怎么做？",
            "请更换阀门",
        ),
        (
            "要清洗滤网，请按两次灰色按钮，但不要碰绿色的水泵。",
            "如何清洗滤网？",
            "请按两次灰色按钮",
        ),
        ("哈瓦特是一种检查锅炉的工具，但价格很高。", "哈瓦特是什么？", "一种检查锅炉的工具"),
        ("锅炉由两个阀门和一个水泵组成。", "锅炉由什么组成？", "两个阀门和一个水泵"),
    ],
}
CASES = [(code, *case) for code, cases in ASKED.items() for case in cases]


def asked(text: str, code: str) -> dict[str, str]:
    """Return the questions on a text, with their answers."""
    document = SourceDocument("a.md", text)
    return {found.question: found.answer for found in sentence_questions(document, code)}


@pytest.mark.parametrize(("code", "sentence", "question", "answer"), CASES)
def test_a_sentence_is_asked_for(code, sentence, question, answer):
    assert asked(f"{sentence}\n", code).get(question, "").rstrip(".。") == answer


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("en", "It is a tool for checking boilers."),
        ("en", "This was opened in 1931."),
        ("en", "The Orla-pump is a broken machine of copper."),
        ("en", "Boilers of Harvat are used to dealing with oil."),
        ("en", "Harvat is an optional item on the Lynn tape."),
        ("en", "Suppose Harvat is a tool for checking boilers."),
        ("en", "The grey valve is required to close the pump."),
        ("en", "You can get an alternative pump of Harvat by turning the valve."),
        ("en", "The system is a good way to work."),
        ("en", "Plans of Harvat are kept in a separate box."),
        ("en", "Important repairs include new valves and a pump."),
        ("en", "The pump thus repaired is called an Orla pump."),
        ("en", "Harvat requires oil of Lynn. After that, the valve is opened."),
        ("en", "# Lynn\n\n## Books\n\nThe rear cover must show the name of Orla."),
        ("en", "Use Orla to set a default value for every pump."),
        ("en", "If a number for k is given, the pump of Harvat stops."),
        ("en", "To clear the filter, use the icon or the green menu."),
        ("de", "Um den Kessel zu prüfen, benötigen Sie drei Schlüssel."),
        ("de", "Die Orla-Pumpe ist ein zusätzliches Gerät für den Turm."),
        ("de", "Wenn eine Zahl für k benötigt wird, läuft die Pumpe des Turms."),
        ("de", "Wenn Sie den Kessel prüfen soll, müssen Sie den Turm öffnen."),
        ("de", "Wenn die Pumpe Lärm macht, muss der Wächter den Turm schließen können."),
        ("de", "Um den Filter zu leeren, wählen Sie das Symbol oder das grüne Menü."),
        ("de", "Sie ist ein Werkzeug zum Prüfen von Kesseln."),
        ("de", "Heute ist die Brücke ein Denkmal."),
        ("de", "Die Orla-Pumpe ist ein sehr tolles Gerät."),
        ("de", "Die Orla-Pumpe ist eine Spezialpumpe."),
        ("de", "Die Orla-Pumpe ist ein altes Gerät, es steht noch immer im Turm."),
        ("de", "Wenn Sie beispielsweise den Kessel prüfen, leert die Pumpe den Turm."),
        ("de", "Wenn der Wächter also keinen Schlüssel hat, läuft die Pumpe des Turms."),
        ("de", "Wenn die Pumpe Lärm macht, wird dem Wächter eine Pause empfohlen."),
        ("de", "Kessel von Orla sind die häufigste Art, auf die man heizt."),
        ("de", "Um einen Kessel zu prüfen, müssen Sie nichts tun."),
        ("de", "Um einen Kessel zu prüfen, öffnen Sie also den Deckel."),
        ("de", "Wenn Sie den Kessel leeren, werden Sie zuerst feststellen, wie heiß er ist."),
        ("de", "Die Pumpe des Turms verfügt über ein Rohr, bei Frost ist das Rohr kalt."),
        ("de", "Die Kessel des Turms können Sie nicht leeren."),
        ("de", "Wenn Sie den Kessel ändern und dann Öl holen, wird der Turm geöffnet."),
        ("de", "Wenn Sie beide Kessel leeren, wird der Turm geöffnet."),
        ("de", "Die Pumpe des Turms besteht aus zwei Teilen."),
        ("de", "Um den Deckel zu heben, wiederholen Sie die Schritte 3 bis 5."),
        ("de", "Um den Deckel zu heben, lösen Sie den lösen Sie den Riegel."),
        ("de", "Eine Lage mit der Orla nicht fertig wird ist, wenn Regen fällt."),
        ("de", "Um den Deckel zu heben, drücken Sie nicht auf die Kurbel."),
        ("de", 'Wenn der Hahn offen ist, kann der Kessel "laufen.'),
        ("de", "Kessel und Rohre werden von Helfern wie Ada gereinigt."),
        ("de", "Wenn Sie zufrieden sind, schließen Sie den Deckel des Kessels."),
        ("de", "Wenn Sie lieber den Turm sehen, statt im Keller zu sitzen, wäre das gut."),
        ("de", "Wenn Sie darauf drücken, wird der Kessel geleert."),
        ("de", "Wenn stattdessen ein Hahn vorhanden ist, enthält der Kessel Öl."),
        ("de", "Wenn der neue Filter eingesetzt wird, ist der Kessel dicht."),
        ("de", "Wenn Sie keinen Filter haben, springen Sie zu Kapitel 8, Filter kaufen."),
        ("de", "Um eine Klappe zu lösen, ziehen Sie es aus dem Kessel heraus."),
        (
            "de",
            "Um den Deckel zu heben, drehen Sie das Rad, um ihn zu senken, drehen Sie die Kurbel.",
        ),
        ("de", "Um den Deckel zu heben, lösen Sie zunächst die Kurbel."),
        ("de", "Um den Deckel zu heben, lösen Sie die Kurbel.\n\nDrehen Sie das Rad."),
        ("ja", "これは、ボイラーを点検する道具です。"),
        ("ja", "会員は、一度に1つの講座にのみ登録できます。"),
        ("ja", "8月15日にオルラ橋の建設が再開された。"),
        ("zh", "它是一种检查锅炉的工具。"),
        ("zh", "假设锅炉坏了。如果阀门已经生锈，请更换阀门。"),
        ("zh", "例如，如果阀门已经生锈，请更换阀门。"),
        ("zh", "例如，旧的阀门位于车间门口。"),
        ("zh", "实际的阀门位于车间门口。"),
        ("zh", "Orla 水泵位于锅炉之上。"),
        ("zh", "旧的阀门存放在大厅内的文件夹中。"),
        ("zh", "锅炉的阀门由有序的零件组成。"),
        ("zh", "如果使用其他任何阀门，请关闭水泵。"),
        ("zh", "如果文件是有效的阀门表格，则水泵会显示绿色。"),
        ("zh", "如果锅炉很多，可以在大厅里检查，您可能会希望有一张表格。"),
        ("zh", "哈瓦特是一个更底层的阀门。"),
        ("zh", "在选择阀门的位置时，会尽可能避免大厅。"),
    ],
)
def test_what_cannot_be_understood_alone_is_not_asked_for(code, sentence):
    assert asked(sentence, code) == {}


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("ja", "ボイラーが止まることはなく点検も万全です。"),
        ("ja", "ボイラーがすべて古い型だとは限りませんが新しいほうが便利です。"),
        ("ja", "ハルバットは、新しいボイラーの配管への要求が楽です。"),
        ("ja", "ハルバットとは、高くはありませんが、なかなか見つからないポンプです。"),
        ("ja", "ハルバットは 75.5 パーセントです。"),
        ("ja", "ボイラーを点検するには、配管についての知識が少々必要になります。"),
        ("ja", "列が正確に一致するには、番号が同じである必要があります。"),
        ("ja", "ボイラーを止めるには、いくつかの方法があります。"),
        ("ja", "点検表を保存するには、まず保存先を選択します。"),
        ("ja", "点検を始めるには、弁を閉めておく必要があります。"),
        ("ja", "現在の点検表とは、作業場の机に置かれている表です。"),
        ("ja", "ボイラーを止めるには、次のいずれかのボタンを押します。"),
        ("ja", "点検を続けるには、手順2から6を繰り返します。"),
        ("ja", "弁の大きさを変更するには、弁の絵を右クリックします。"),
        ("ja", "ハルバットとは、ボイラーの点検のためのもう一つの道具です。"),
        ("ja", "1931年にオルラ橋が初めて完成しました。"),
        ("ja", "例えば、ボイラーは毎月3回の点検ができます。"),
        ("ja", "配管が壊れたとします。ボイラーを止めるには、赤いレバーを引いてください。"),
        ("ja", "ボイラーを止めるには、赤いレバーを引きます。次に、弁を閉じます。"),
        ("ja", "ボイラーを止めるには、赤いレバーを引きます。\n\n- 暗証番号を入力します。"),
        ("ja", "表自身を開くには、表の見出しを二回押します。"),
        ("ja", "ボイラーを止めるには、いちばん右のアイコンをクリックします。"),
        ("ja", "ボイラーを使うには、まず配管を掃除します。"),
        ("ja", "ハルバットはボイラーと配管の「兄弟」部品です。"),
        ("ja", "ハルバットは非常に賢いボイラーです。"),
        ("ja", "XXX はボイラーを点検する人が決める番号です。"),
        ("ja", "404は「部品なし」のための番号です。"),
        ("zh", "哈瓦特本身是一种会变化的工具。"),
        ("zh", "哈瓦特是一个会变化的事物。"),
        ("zh", "锅炉由三个部分组成。"),
        ("zh", "如果没有的话，则可以买一个新的阀门。"),
        ("zh", "如果您还不了解，可以问一下值班的人。"),
        ("zh", "当您希望完成一项检查的时候，找到合适的工具会很难。"),
        ("zh", "如果锅炉用了旧的阀门，将其换成新的会更好。"),
        ("zh", "如果希望大厅里的锅炉都使用新阀门，您可以使用颜色。"),
        ("zh", "要在大厅里打印的点检表与说明，可以问值班的人。"),
        ("zh", "要登记锅炉，可能会弹出一个对话框。"),
        ("zh", "如需登记锅炉，请先选择一个大厅。"),
        ("zh", "如需登记水泵，请按照登记锅炉的步骤操作。"),
        ("zh", "如果支持的话，您可以打开绿色的阀门。"),
        ("zh", "当锅炉检查完成之后，您可以打开绿色的阀门。"),
        ("zh", "如果要多个阀门的水量是相同的，请使用绿色的阀门。"),
        ("zh", "如需计算水量，请输入阀门的数量，在本例中是两个。"),
        ("zh", "指定水量保存在大厅的表格中。"),
        ("zh", "如需修改水量，请点击「水泵」选项卡。"),
        ("zh", "如果要更换水泵，请重复步骤 1 到步骤 3。"),
        ("zh", "列出的零件存放在大厅的柜子里。"),
        ("zh", "如果锅炉比较多，您可以采用两种方式。"),
        ("zh", "为了与旧锅炉阀门的兼容性，请使用绿色的阀门。"),
        ("zh", "旧的阀门位于大厅, 新的阀门位于车间。"),
        ("zh", "如果锅炉比较多，需要分组检查，您可以使用颜色。"),
    ],
)
def test_what_says_neither_what_a_thing_is_nor_what_to_do_is_not_asked_for(code, sentence):
    assert asked(sentence, code) == {}


def test_a_pronoun_stands_for_the_name_that_the_sentence_before_begins_with():
    text = "The Lynn Museum shows boilers. It was founded in 1931 by Ada Voss.\n"
    (found,) = (
        one
        for one in sentence_questions(SourceDocument("a.md", text), "en")
        if one.question.startswith("When")
    )
    assert (found.question, found.answer) == ("When was the Lynn Museum founded?", "in 1931")
    assert text[found.first.start : found.first.end] == text.strip()


@pytest.mark.parametrize(
    ("before", "asks"),
    [("Members row at dawn.", True), ("A new club opened in Lynn.", False)],
)
def test_the_club_is_asked_for_with_its_page_unless_the_text_tells_of_a_club(before, asks):
    found = asked(f"# Rowing in Lynn\n\n{before} The club was founded in 1931.\n", "en")
    assert ("Rowing in Lynn: When was the club founded?" in found) is asks
    assert "When was the club founded?" not in asked(
        f"{before} The club was founded in 1931.", "en"
    )


@pytest.mark.parametrize(("heading", "asks"), [("Kessel", True), ("Fußnoten", False)])
def test_the_cellar_is_not_asked_for_under_a_heading_that_names_nothing(heading, asks):
    said = "Wenn Öl in dem Keller verwendet wurde, kommt der Wächter von Lynn."
    found = asked(f"# Turm von Lynn\n\n## {heading}\n\n{said}\n", "de")
    assert bool(found) is asks


def test_two_things_of_one_sort_are_asked_for_with_their_heading():
    found = asked("# Lynn\n\n## Old pumps\n\nThe wheel and handle are stored in Lynn Hall.\n", "en")
    assert "Lynn, Old pumps: Where are the wheel and handle stored?" in found


def test_evidence_is_the_sentence_in_the_raw_text():
    text = "# Boilers\n\nSome are old. **Harvat** is a [tool](t.md) for checking boilers.\n"
    document = SourceDocument("a.md", text)
    (found,) = sentence_questions(document, "en")
    doc_id, start, end = found.first
    assert (doc_id, text[start:end]) == (
        "a.md",
        "Harvat** is a [tool](t.md) for checking boilers.",
    )
    assert not found.verbatim


def test_code_and_headings_are_not_read():
    assert asked("# Harvat is a tool for checking boilers.\n", "en") == {}
    assert asked("```\nHarvat is a tool for checking boilers.\n```\n", "en") == {}


def test_a_question_is_asked_once_in_a_document():
    text = "Harvat is a tool for checking boilers.\n\nHarvat is a tool for checking boilers.\n"
    document = SourceDocument("a.md", text)
    assert len(list(sentence_questions(document, "en"))) == 1


def test_every_rule_of_every_language_is_a_pattern_with_its_parts():
    for code in languages():
        table = clause_table(code)
        for rule in table.rules:
            groups = pattern_of(code, rule.reads).groupindex
            assert rule.answer == "sentence" or rule.answer in groups, (code, rule)


def test_a_language_without_a_table_has_no_questions():
    assert asked("A Harvat kazánok ellenőrzésére szolgál.", "hu") == {}


def test_a_pattern_that_names_an_unknown_part_is_refused():
    with pytest.raises(InputError, match="nowhere"):
        pattern_of("en", "%nowhere%")


def test_what_a_thing_is_besides_is_no_definition_of_it():
    second = "哈瓦特是一个绿色的盒子。"
    assert "哈瓦特是什么？" in asked(second, "zh")
    assert asked(f"哈瓦特是本厂的检查工具。{second}", "zh") == {}

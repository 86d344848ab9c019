"""What rules ask about Japanese sentences, and what they leave alone."""

# ruff: noqa: E501  # one case a line
import pytest

from testset import SourceDocument
from testset.corpus.passages import passages_of
from testset.rules.japanese import questions
from testset.rules.japanese.conjugation import as_question
from testset.rules.passage_candidate import Candidate


def read(text: str) -> list[Candidate]:
    return [c for p in passages_of(SourceDocument("d.txt", text)) for c in questions(p)]


def asked(text: str) -> dict[str, str]:
    return {candidate.question: candidate.answer for candidate in read(text)}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("校正とは、指示値の差を補正する作業を指します。", "校正とは何ですか?", "指示値の差を補正する作業"),
        ("木工家は、木の道具を作る職人である。", "木工家とは何ですか?", "木の道具を作る職人"),
        ("青木橋は京都の川にかかる橋である。", "青木橋はどのような橋ですか?", "京都の川にかかる橋"),
        ("青木美術館は1951年に開館した。", "青木美術館が開館したのは何年ですか?", "1951年"),
        ("青木美術館は1951年5月3日に開館した。", "青木美術館が開館したのはいつですか?", "1951年5月3日"),
        ("1839年に青木商会が石田港を開いた。", "青木商会が石田港を開いたのは何年ですか?", "1839年"),
        ("1839年に青木商会が設立された。", "青木商会が設立されたのは何年ですか?", "1839年"),
        ("青木図書館には約1200冊の絵本がある。", "青木図書館には何冊の絵本がありますか?", "約1200冊"),
        ("青木図書館の利用料は年額300円である。", "青木図書館の利用料は年額いくらですか?", "300円"),
        ("青木市は12の区に分かれている。", "青木市はいくつの区に分かれていますか?", "12"),
        ("青木組（略称: AG）は京都の会社である。", "青木組の略称は何ですか?", "AG"),
        ("青木橋は地元の人々から石橋と呼ばれる。", "青木橋は地元の人々から何と呼ばれますか?", "石橋"),
        ("水を張らずに稲を育てる方法を「陸稲栽培」と呼ぶ。", "水を張らずに稲を育てる方法を何と呼びますか?", "「陸稲栽培」"),
        ("青木美術館は京都府北部に位置する。", "青木美術館はどこに位置しますか?", "京都府北部"),
        ("青木橋が閉鎖されたのは、橋脚が腐食したためである。", "なぜ青木橋が閉鎖されたのですか?", "橋脚が腐食したため"),
        ("青木ポンプは水を冷やすことで動作する。", "青木ポンプはどのようにして動作しますか?", "水を冷やすこと"),
        ("青木大学は1951年に石田憲章を採択した。", "青木大学は1951年に何を採択しましたか?", "石田憲章"),
        ("青木橋はアンナ・ベルクによって設計された。", "青木橋は誰によって設計されましたか?", "アンナ・ベルク"),
        ("青木大学は石田図書館を開設した。", "石田図書館を開設したのはどこですか?", "青木大学"),
        ("青木市の特産品は石田茶である。", "青木市の特産品は何ですか?", "石田茶"),
        ("青木連合は東部、西部、南部から構成される。", "青木連合は何から構成されますか?", "東部、西部、南部"),
        ("青木パッケージには設定ファイルが含まれます。", "青木パッケージには何が含まれますか?", "設定ファイル"),
        ("青木港は国内最大の港である。", "国内最大の港はどこですか?", "青木港"),
        ("青木山は1975年に国立公園に指定された。", "青木山は1975年に何に指定されましたか?", "国立公園"),
        ("2008年8月、青木大使は会見で「港は開かれる」と述べた。", "2008年8月、青木大使は会見で何と述べましたか?", "「港は開かれる」"),
        ("1990年の青木大会では石田選手団が勝利した。", "1990年の青木大会ではどこが勝利しましたか?", "石田選手団"),
        ("1967年に石田県青木市で初の水上博物館が開館した。", "石田県青木市で初の水上博物館が開館したのは何年ですか?", "1967年"),
        ("1975年、『石田草紙』で青木花子の「橋の記録」が連載された。", "『石田草紙』で青木花子の「橋の記録」が連載されたのは何年ですか?", "1975年"),
        ("青木大学は1951年に石田憲章を採択した。", "1951年に石田憲章を採択したのはどこですか?", "青木大学"),
        ("1951年6月に青木太郎が石田委員長に選出された。", "1951年6月に石田委員長に選出されたのは誰ですか?", "青木太郎"),
        ("青木連合国（IRK）は加盟国を募っている。", "青木連合国の略称は何ですか?", "IRK"),
        ("最大手の青木船舶社は日本を含めて約50か国に進出している。", "最大手の青木船舶社は日本を含めて何か国に進出していますか?", "約50か国"),
        ("青木共和国は石田国に次ぐ世界第2位の茶葉輸出国である。", "青木共和国は石田国に次ぐ世界第何位の茶葉輸出国ですか?", "第2位"),
        ("青木組合本館は石田県水辺町三丁目4-5にある。", "青木組合本館はどこにありますか?", "石田県水辺町三丁目4-5"),
        ("青木市議会は洪水を防ぐため、1958年に石田条例を制定した。", "青木市議会は洪水を防ぐため、1958年に何を制定しましたか?", "石田条例"),
        ("青木ポンプは洪水を防ぐために設置された。", "青木ポンプは何のために設置されましたか?", "洪水を防ぐため"),
        ("青木連盟が分裂したので会議は流れたが、1952年に石田憲章が制定された。", "石田憲章が制定されたのは何年ですか?", "1952年"),
    ],
)  # fmt: skip
def test_a_sentence_becomes_a_question(text, question, answer):
    assert asked(text).get(question) == answer


@pytest.mark.parametrize(
    "text",
    [
        "その美術館は1951年に開館した。",
        "同社は1951年に石田港を開いた。",
        "1946年の第22回総会では5議席を獲得した。",
        "人口は約1200人である。",
        "システムが正常な状態とは言うものの、重要な警告である。",
        "政府は1951年に法律を改めた。",
        "青木計画は必ずしも成功するとは言えない。",
        "24日、青木大学は新しい校則を採択した。",
        "青木ソフトは100%自由なものであり続けます。",
        "青木大学は石田大学の種類のひとつである。",
    ],
)
def test_a_sentence_that_does_not_stand_alone_is_left_alone(text):
    assert asked(text) == {}


def test_a_count_is_asked_for_as_a_number():
    (count,) = (c for c in read("青木図書館には約1200冊の絵本がある。") if c.answer == "約1200冊")
    assert count.kind == "numeric"


def test_an_answer_keeps_the_brackets_of_its_sentence():
    found = asked("青木市は、京都府の北部（石田地域）に位置する市である。")
    assert found["青木市はどのような市ですか?"] == "京都府の北部（石田地域）に位置する市"


def test_each_clause_of_a_chain_is_asked_about_in_its_own_words():
    found = asked("青木美術館は1951年に開館し、1960年に石田市に移転した。")
    assert found["青木美術館が開館したのは何年ですか?"] == "1951年"
    assert found["青木美術館が石田市に移転したのは何年ですか?"] == "1960年"


def test_no_object_is_cut_out_of_a_relative_clause():
    found = asked("青木機構は港を管理する国際組織を設立した。")
    assert "青木機構は何を管理する国際組織を設立しましたか?" not in found


def test_a_verb_of_unknown_row_is_asked_with_a_plain_form():
    assert as_question("何を渉る") == "何を渉るのですか?"
    assert as_question("何を渡らない") == ""


def test_a_sentence_without_a_topic_is_about_that_of_the_sentence_before():
    text = "青木美術館は京都の施設である。1951年に石田市へ移転した。"
    (moved,) = (c for c in read(text) if c.question == "青木美術館は何年に石田市へ移転しましたか?")
    assert moved.answer == "1951年"
    assert text[moved.start : moved.end] == text  # the name and the date, both


def test_what_belongs_to_the_topic_before_is_asked_with_its_owner():
    found = asked("青木共和国は南の島国である。首都は石田市である。")
    assert found["青木共和国の首都はどこですか?"] == "石田市"


@pytest.mark.parametrize(
    "text",
    [
        "青木美術館は京都の施設である。\n\n1951年に石田市へ移転した。",
        "青木美術館は京都の施設である。石田組が1951年に工事を行った。",
        "その施設は京都にある。1951年に石田市へ移転した。",
    ],
)
def test_no_topic_is_carried_into_another_paragraph_or_over_another_subject(text):
    assert not any(question.startswith("青木美術館は何年") for question in asked(text))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("青木国は石田条約を締結した。", "青木国は何を締結しましたか?"),
        ("カーネルはプロセスの情報を保持する。", "カーネルは何を保持しますか?"),
        ("青木太郎は大会の代議員として出席した。", "青木太郎は何として出席しましたか?"),
        ("1925年に「建築令」案が議会に提出された。", "1925年に何が議会に提出されましたか?"),
        ("青木一郎は1993年に連盟を離れるまで石田派の中心人物であった。", "青木一郎は何年に連盟を離れるまで石田派の中心人物でしたか?"),
        ("1970年に水車が並ぶ広場を完成させた。", "水車が並ぶ広場を完成させたのは何年ですか?"),
        ("青木サービスは適切な設定を提供する。", "青木サービスは何を提供しますか?"),
    ],
)  # fmt: skip
def test_what_would_be_too_open_is_not_asked(text, question):
    assert question not in asked(text)


def test_a_loanword_that_the_document_shows_to_be_a_name_may_be_asked_about():
    found = asked("カリネアは東の海に「青木諸島」を領有する。カリネア人は船を好む。")
    assert found["カリネアは東の海に何を領有しますか?"] == "「青木諸島」"


def test_a_long_list_of_nouns_is_left_alone():
    text = "青木団体は" + "、".join(["地方名誉委員会顧問・各組織独自選出"] * 8) + "などがある。"
    assert asked(text) == {}

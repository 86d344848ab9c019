"""What rules ask about Japanese sentences, and what they leave alone."""

# ruff: noqa: E501  # one case a line
import time

import pytest

from testset import SourceDocument
from testset.passages import passages_of
from testset.rules.candidate import Candidate
from testset.rules.japanese import questions
from testset.rules.japanese.conjugation import as_question


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
        ("1839年に青木商会が設立された。", "1839年に何が設立されましたか?", "青木商会"),
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


def test_a_long_list_of_nouns_is_read_in_linear_time():
    began = time.perf_counter()
    read("青木団体は" + "、".join(["地方名誉委員会顧問・各組織独自選出"] * 8) + "などがある。")
    assert time.perf_counter() - began < 2

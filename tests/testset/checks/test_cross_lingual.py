"""Questions in one language over documents in another: German and Japanese over English, English
over Chinese. What is right passes every check by rule; a wrong value does not."""

from dataclasses import replace

import pytest

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import ScriptedOracle
from tests.testset.checks.examples import cut, draft_of, examiner_of, index_of
from testset import SourceDocument
from testset.checks import alternative_gold, retrievable, span, unanswerable, well_formed
from testset.checks.cross_lingual import is_cross_lingual, search_text
from testset.checks.draft import Draft
from testset.requests.examine import ExamineOf

ENGLISH = SourceDocument(
    "pump.md",
    "# Harwell pump\n\nThe Harwell pump was put into service on March 12, 2024. "
    "It moves 1,200 litres an hour and must be cooled for twenty-four hours after each run. "
    'If the red lamp "Low oil" is lit, call `reset_pump()` and wait five minutes. '
    "About half of the 3.5 million euros came from the county.\n",
)
CHINESE = SourceDocument(
    "pump.zh.md",
    "# 哈维尔水泵\n\n哈维尔水泵于2024年3月12日投入使用。每小时输送一千二百升水，"
    "每次运行后必须冷却二十四小时。红灯“油位过低”亮起时，等待五分钟。"
    "费用约为三百五十万欧元。\n",
)
OTHER = SourceDocument("other.md", "# News\n\nThe Harwell pump, in service on March 12, 2024.\n")
INDEX = index_of(ENGLISH, CHINESE, OTHER)
SERVICE = "The Harwell pump was put into service on March 12, 2024."
COOLED = "It moves 1,200 litres an hour and must be cooled for twenty-four hours after each run."
LAMP = 'If the red lamp "Low oil" is lit, call `reset_pump()` and wait five minutes.'
COST = "About half of the 3.5 million euros came from the county."
WHEN = "Wann wurde die Harwell-Pumpe in Betrieb genommen?"
MUCH = "Wie viel fördert die Harwell-Pumpe pro Stunde?"
WHAT = "Was tun, wenn an der Harwell-Pumpe die rote Lampe leuchtet?"
PRICE = "Was kostete die Harwell-Pumpe?"
LONG = "How long must the Harwell pump be cooled after each run?"


def draft(language: str, question: str, answer: str, quote: str, **fields) -> Draft:
    document = CHINESE if quote in CHINESE.text else ENGLISH
    gold = ((cut(document, quote),),)
    return draft_of(question, answer, language=language, gold=gold, verbatim=False, **fields)


def asked_of(model: Judge) -> list[object]:
    """Return what a scripted writer was asked."""
    assert isinstance(model.oracle.inner, ScriptedOracle)
    return [*model.oracle.inner.asked]


GOOD = [
    ("de", WHEN, "Am 12. März 2024.", SERVICE),
    ("de", WHEN, "Am 12.03.2024.", SERVICE),
    ("ja", "ハーウェル・ポンプはいつ運転を開始しましたか？", "2024年3月12日です。", SERVICE),
    ("de", MUCH, "1.200 Liter; danach ruht sie 24 Stunden.", COOLED),
    ("ja", "ハーウェル・ポンプは一時間に何リットル送りますか？", "1200リットルです。", COOLED),
    ("ja", "ハーウェル・ポンプは運転後何時間冷却しますか？", "二十四時間です。", COOLED),
    ("de", WHAT, "Wenn „Zu wenig Öl“ leuchtet, `reset_pump()` aufrufen.", LAMP),
    (
        "ja",
        "赤いランプが点灯したらどうしますか？",
        "「油不足」ならreset_pump()を呼ぶ。",
        LAMP,
    ),
    ("de", PRICE, "3,5 Millionen Euro, davon etwa 50 % vom Landkreis.", COST),
    ("ja", "ハーウェル・ポンプの費用はいくらですか？", "350万ユーロです。", COST),
    ("en", "When was the Harwell pump put into service?", "On 12 March 2024.", CHINESE.text[9:32]),
    ("en", LONG, "For 24 hours.", "每次运行后必须冷却二十四小时。"),
    ("en", "What if its red lamp is lit?", 'At "Low oil", wait five minutes.', "等待五分钟。"),
    (
        "en",
        "What did the pump cost?",
        "About 3.5 million euros.",
        "费用约为三百五十万欧元。",
    ),
]
BAD = [
    ("de", MUCH, "1.300 Liter.", COOLED, "1300"),
    ("ja", "ハーウェル・ポンプはいつ運転を開始しましたか？", "2024年4月12日です。", SERVICE, "4"),
    ("ja", "ハーウェル・ポンプの費用はいくらですか？", "360万ユーロです。", COST, "3600000"),
    ("en", LONG, "For 25 hours.", "每次运行后必须冷却二十四小时。", "25"),
    ("de", WHAT, "`restart_pump()` aufrufen.", LAMP, "restart_pump()"),
]


@pytest.mark.parametrize(("language", "question", "answer", "quote"), GOOD)
def test_what_is_right_passes_every_check_by_rule(language, question, answer, quote):
    good = draft(language, question, answer, quote)
    assert is_cross_lingual(good, INDEX)
    for check in (
        well_formed.by_rule(good),
        span.by_rule(good, INDEX),
        retrievable.by_either(good, INDEX),
    ):
        assert check.verdict == "passed", check.evidence


@pytest.mark.parametrize(("language", "question", "answer", "quote", "wrong"), BAD)
def test_a_value_that_the_evidence_does_not_have_is_found(language, question, answer, quote, wrong):
    check = span.by_rule(draft(language, question, answer, quote), INDEX)
    assert check.evidence == f"not in the evidence: {wrong}"


def test_a_question_in_the_language_of_the_documents_is_not_what_was_asked_for():
    english = draft("de", "When was the Harwell pump put into service?", "Am 12.03.2024.", SERVICE)
    assert well_formed.by_rule(english).evidence == "the language is not 'de'"
    german = draft("en", WHEN, "On 12 March 2024.", SERVICE)
    assert well_formed.by_rule(german).evidence == "the language is not 'en'"
    keywords = draft("de", "Harwell pump oil", "Am 12.03.2024.", SERVICE, style="web_search")
    assert well_formed.by_rule(keywords).verdict == "passed"


def test_a_search_goes_by_what_is_asked_in_the_language_of_the_documents():
    asks = "when the Harwell pump was put into service"
    with_asks = draft("de", WHEN, "Am 12.03.2024.", SERVICE, asks=asks)
    assert search_text(with_asks, INDEX) == asks
    again = draft("de", WHEN, "Am 12.03.2024.", SERVICE)
    assert search_text(again, INDEX) == SERVICE
    native = draft("en", "When was it put into service?", "On March 12, 2024.", SERVICE)
    assert search_text(native, INDEX) == native.question


async def test_other_passages_that_answer_are_found_across_languages():
    asks = "when the Harwell pump was put into service"
    quote = "The Harwell pump, in service on March 12, 2024."
    examiner, model = examiner_of("same", quote, index=INDEX)
    when = draft("de", WHEN, "Am 12.03.2024.", SERVICE, asks=asks)
    check, widened = await alternative_gold.by_model(when, INDEX, examiner)
    assert check.verdict == "passed"
    assert [entry.doc_id for entry in widened.gold[0]] == ["pump.md", "other.md"]
    (request,) = asked_of(model)
    assert isinstance(request, ExamineOf)
    assert request.question == WHEN


async def test_a_question_without_an_answer_is_searched_for_in_the_language_of_the_documents():
    asks = "who built the Harwell pump"
    news = (SourceDocument(f"{n}.md", f"# News {n}\n\nThe Harwell pump {n}.") for n in range(5))
    index = index_of(ENGLISH, CHINESE, *news)
    examiner, model = examiner_of(index=index)
    lost = draft("de", "Wer baute die Harwell-Pumpe?", "", SERVICE, asks=asks, type="unanswerable")
    lost = replace(lost, gold=())
    check, _ = await unanswerable.by_model(lost, index, examiner)
    assert check.verdict == "passed", check.evidence
    (read,) = asked_of(model)
    assert isinstance(read, ExamineOf)
    assert any("Harwell pump" in passage for passage in read.passages)

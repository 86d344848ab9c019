"""A brief in plain words becomes categories in one call, and a set follows them."""

import json
from collections import Counter
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import InputError, ReplyError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import ScriptedOracle
from tests.cli.command_line import rag_eval
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import Category, Traffic, generate
from testset.generation.brief import LONGEST, brief_at, traffic_in_brief
from testset.requests.brief import BriefCategory, Briefed, BriefValue

FAULTLESS = "tests.server.writer_responders:FAULTLESS"
BRIEF = "new employees ask about leave; half of it formal"


def category(*values: BriefValue, share: float = 50, user: str = "A nurse.") -> BriefCategory:
    return BriefCategory(name="n", share=share, user=user, about="", values=values)


async def test_shares_are_made_to_add_up():
    short = BriefValue(axis="length", value="short", share=30)
    reply = Briefed(categories=(category(short, share=30), category(share=10)))
    traffic = await traffic_in_brief(BRIEF, Judge(ScriptedOracle(reply)))
    assert [entry.share for entry in traffic.categories] == [75, 25]
    assert traffic.categories[0].axes == {"user": {"A nurse.": 100}, "length": {"short": 100}}
    assert str(traffic.categories[0]) == "75 % n: user: A nurse.; length: short"


async def test_what_there_is_not_is_refused_and_hostile_text_is_one_line():
    odd = Briefed(categories=(category(BriefValue(axis="style", value="rude", share=9)),))
    with pytest.raises(ReplyError, match="no style is named 'rude'; expected one of plain"):
        await traffic_in_brief(BRIEF, Judge(ScriptedOracle(odd)))
    with pytest.raises(ReplyError, match="0 categories; expected 1 to 12"):
        await traffic_in_brief(BRIEF, Judge(ScriptedOracle(Briefed(categories=()))))
    hostile = category(user="A nurse.\n\x1b[2J" + "x" * 900)
    reply = Briefed(categories=(hostile,))
    traffic = await traffic_in_brief(BRIEF, Judge(ScriptedOracle(reply)))
    (user,) = traffic.categories[0].axes["user"]
    assert "\n" not in user
    assert len(user) == 200


def test_a_brief_is_words_or_a_file_and_has_limits(tmp_path: Path):
    path = tmp_path / "brief.txt"
    path.write_text("Nurses ask.\n", "utf-8")
    assert (brief_at(path), brief_at(BRIEF)) == ("Nurses ask.", BRIEF)
    for text in (" ", "x" * (LONGEST + 1)):
        with pytest.raises(InputError, match="expected a brief of 1 to 4,000 characters"):
            brief_at(text)
    with pytest.raises(InputError, match="needs a model that reads it"):
        generate(documents(2), brief=BRIEF)
    with pytest.raises(InputError, match="leave out all but one"):
        generate(documents(2), brief=BRIEF, traffic=Traffic((Category(100),)))


def test_a_set_follows_a_brief_and_asks_about_what_it_names():
    with LoopbackServer(responders=FAULTLESS) as server:
        golden = generate(documents(30), size=10, brief=BRIEF, judge=oracle_at(server))
        calls = server.stats().by_name
    assert (len(golden), calls["brief"]) == (10, 1)
    people = Counter(item.axes.persona for item in golden)
    assert people == {"new employees ask about leave": 9, "A miller.": 1}
    assert golden.facts["traffic, categories"] == "most: 9 of 9; few: 1 of 1"
    assert golden.facts["traffic"] == f"brief: {BRIEF}"


def test_a_dry_run_shows_the_plan_after_one_call_which_the_generation_does_not_repeat(
    tmp_path: Path,
):
    docs, out = tmp_path / "docs", tmp_path / "golden.jsonl"
    docs.mkdir()
    for entry in documents(8):
        (docs / entry.doc_id).write_text(entry.text, encoding="utf-8")
    with LoopbackServer(responders=FAULTLESS) as server:
        llm = f"openai-like:{server.url}:gpt-4o-mini"
        options = ("generate", docs, "-o", out, "--llm", llm, "--size", 4, "--brief", BRIEF)
        plan = rag_eval(*options, "--dry-run")
        assert server.stats().calls == 1
        assert "90 % most: user: new employees ask about leave; style: formal 50 %" in plan.stdout
        assert not out.exists()
        done = rag_eval(*options)
        assert server.stats().by_name["brief"] == 1
    assert done.exit_code == 0, done.stderr
    assert "traffic" in json.loads((tmp_path / "golden.account.json").read_text())["facts"]
    alone = rag_eval("generate", docs, "-o", out, "--brief", BRIEF)
    assert "needs a model that reads it (--llm)" in alone.stderr

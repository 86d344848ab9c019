"""Sweeps over engines that count: who wins, what is asked, and what is never asked twice."""

import json
import signal
import sys
from pathlib import Path

import pytest

from llamaindex_rag_eval.decisions.sweep import sweep
from llamaindex_rag_eval.decisions.sweep_settings import Setting
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models import EmbeddedOracle
from llamaindex_rag_eval.models.request import ReplyT, Request
from tests import prepared
from tests.decisions.engines import ASKED, fails, golden, make

RATES = {"rate": [0.95, 0.3, 0.2, 0.1]}


@pytest.fixture(autouse=True)
def none_asked() -> None:
    ASKED.clear()


def test_losers_stop_early_and_the_best_is_recommended() -> None:
    found = sweep(RATES, make, golden(80), metrics=["exact_match"])
    assert found.recommended.name == "rate=0.95"
    states = [one.state for one in found.settings]
    assert states == ["recommended", "dropped", "dropped", "dropped"]
    assert found.shown
    assert found.answers == sum(ASKED.values())
    assert found.answers < found.full / 2
    assert "worse than rate=0.95 by 0." in found.settings[3].reason
    assert str(found).splitlines()[1].split()[::3] == ["rate=0.95", "recommended"]
    assert found.sentences[1] == "It is shown to be better than each of the 3 others."


def test_alike_settings_are_not_told_apart_and_end_once_nothing_more_is_to_be_hoped() -> None:
    found = sweep({"rate": [0.7], "twin": ["a", "b"]}, make, golden(40), metrics=["exact_match"])
    assert [one.state for one in found.settings] == ["recommended", "left"]
    assert (found.looks[-1], found.answers) == (34, 2 * 34)  # of 40
    assert found.worse_by is not None
    assert found.sentences[1].startswith(
        "No setting is shown to be within 0.02 of the best: rate=0.7 twin=b may be better by up to"
    )
    assert found.sentences[1].endswith(
        f" All 40 questions would hardly show one either. About {found.more} more questions are "
        "needed."
    )


def test_a_margin_ends_a_sweep_of_twins() -> None:
    found = sweep(
        {"rate": [0.7], "twin": ["a", "b"]}, make, golden(200), metrics=["exact_match"], margin=0.3
    )
    assert found.shown
    assert found.answers < found.full
    # The twins answer alike, at the same price: the first of them is as cheap as any.
    assert (found.within, found.price, found.recommended.name) == (2, "tokens", "rate=0.7 twin=a")
    assert found.sentences[1] == (
        "It is the cheapest by tokens of 2 that are shown to be less than 0.3 worse than the best."
    )


def test_a_setting_that_cannot_be_made_or_fails_is_out_with_its_reason() -> None:
    grid = [
        Setting("good", make, {"rate": 0.9}),
        Setting("unmade", fails, {"when": "made"}),
        Setting("broken", fails),
    ]
    found = sweep(grid, None, golden(30), metrics=["exact_match"])
    good, unmade, broken = found.settings
    assert (good.state, unmade.state, broken.state) == ("recommended", "out", "out")
    assert "RuntimeError: no index of this size" in unmade.reason
    assert "20 of 20 questions failed, as with: ValueError: cannot answer" in broken.reason
    assert unmade.questions == 0


def test_a_sweep_of_nothing_but_failures_says_why() -> None:
    with pytest.raises(InputError, match=r"no setting could be scored; the first: .*no index"):
        sweep([{"when": "made"}], fails, golden(30), metrics=["exact_match"])


def test_nothing_is_asked_twice_and_the_result_is_the_same(tmp_path: Path) -> None:
    first = sweep(RATES, make, golden(80), metrics=["exact_match"], out=tmp_path)
    asked = sum(ASKED.values())
    again = sweep(RATES, make, golden(80), metrics=["exact_match"], out=tmp_path)
    assert sum(ASKED.values()) == asked
    assert [one.state for one in again.settings] == [one.state for one in first.settings]
    assert again.answers == first.answers
    more = sweep(
        {"rate": [0.95, 0.3, 0.5]}, make, golden(80), metrics=["exact_match"], out=tmp_path
    )
    assert ASKED["0.95"] + ASKED["0.3"] <= 2 * 80
    assert sum(ASKED.values()) - asked == ASKED["0.5"] + max(
        0, ASKED["0.3"] - first.settings[1].questions
    )
    assert more.recommended.name == "rate=0.95"


class CountingOracle:
    """Answers by rules, and counts what it is asked."""

    def __init__(self) -> None:
        self.rules = EmbeddedOracle()
        self.asked = 0

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        return "counting"

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        return self.rules.answers(request)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        self.asked += 1
        return await self.rules.ask(request)


def test_what_a_model_judged_once_is_kept_in_the_folder(tmp_path: Path) -> None:
    grid: dict[str, list[object]] = {"rate": [1.0], "twin": ["a", "b"]}
    first, later = CountingOracle(), CountingOracle()
    sweep(grid, make, golden(10), metrics=["faithfulness"], judge=first, out=tmp_path)
    # Once for each of ten answers at most: claims and their support; the twin's are the same.
    assert 10 <= first.asked <= 2 * 10
    for path in tmp_path.glob("rate*.jsonl"):
        if not path.name.endswith(".answers.jsonl"):
            path.unlink()
    sweep(grid, make, golden(10), metrics=["faithfulness"], judge=later, out=tmp_path)
    assert later.asked == 0


def test_what_is_dropped_is_judged_by_the_metric_that_decides_alone() -> None:
    counting = CountingOracle()
    metrics = ["exact_match", "faithfulness"]
    found = sweep(RATES, make, golden(80), metrics=metrics, judge=counting)
    best, *others = found.settings
    assert [one.state for one in found.settings] == ["recommended", *["dropped"] * 3]
    assert best.means["faithfulness"].n == best.questions
    assert [list(one.means) for one in others] == [["exact_match"]] * 3
    # Claims and their support, of each answer of the setting that is left.
    assert 0 < counting.asked <= 2 * best.questions


KILLED = """
import os, signal, sys
from llamaindex_rag_eval.decisions.sweep import sweep
from tests.decisions import engines

count = 0
def make(rate):
    inner = engines.make(rate)
    def engine(question):
        global count
        count += 1
        if count == 30:
            os.kill(os.getpid(), signal.SIGKILL)
        return inner(question)
    return engine

make.__qualname__ = "make"
sweep({"rate": [0.95, 0.3]}, make, engines.golden(60), metrics=["exact_match"],
      out=sys.argv[1], concurrency=1)
"""


def test_a_killed_sweep_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    killed = prepared.run([sys.executable, "-c", KILLED, tmp_path])
    assert killed.returncode == -signal.SIGKILL
    counts, states = [], []
    for out in (None, tmp_path):
        ASKED.clear()
        found = sweep(
            {"rate": [0.95, 0.3]}, make, golden(60), metrics=["exact_match"], out=out, concurrency=1
        )
        counts.append(sum(ASKED.values()))
        states.append([(one.state, one.questions) for one in found.settings])
    # 29 answers came before the kill, and all of them were kept.
    assert counts[1] == counts[0] - 29
    assert states[0] == states[1]


def test_the_result_as_plain_data_holds_what_the_sentences_say() -> None:
    found = sweep(RATES, make, golden(80), metrics=["exact_match"])
    data = json.loads(json.dumps(found.as_json()))
    assert data["recommended"] == "rate=0.95"
    assert data["settings"][0]["means"]["exact_match"]["n"] == found.recommended.questions
    assert found.recommended.tokens is not None
    assert found.recommended.name in data["fronts"]["tokens"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": []}, "at least one metric"),
        ({"metrics": ["exact_match"], "margin": 2.0}, "margin is 2.0"),
        ({"metrics": ["exact_match"], "max_failed": 2.0}, "max_failed is 2.0"),
        ({"metrics": ["exact_match"], "alpha": 0.0}, "alpha"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        sweep(RATES, make, golden(5), **options)  # type: ignore[arg-type]  # some are wrong

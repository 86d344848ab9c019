"""The data card: reviewers' decisions, what models know without documents, advice on size."""

import json

from tests.cli.command_line import rag_eval
from tests.report.runs import run_of_scores
from testset import (
    Check,
    Created,
    Decisions,
    GoldenItem,
    GoldenSet,
    GoldSpan,
    Rejection,
    Shortfall,
    data_card,
)
from testset.golden.golden_set import write_report

CREATED = Created(models={"writer": "gpt|x"}, prompts={"SingleHopOf": "ab12"})


def item(number: int, status: str = "auto", **fields: object) -> GoldenItem:
    given = {"id": str(number), "question": f"{number}?", "reference": "r", "status": status}
    return GoldenItem.model_validate({**given, "created": CREATED, **fields})


def test_audited_acceptance_counts_what_was_accepted_as_it_was():
    statuses = ["accepted"] * 8 + ["edited", "rejected"] + ["auto"] * 5 + ["stale"]
    card = data_card(GoldenSet(tuple(item(n, status) for n, status in enumerate(statuses))))
    # Wilson for 8 of 10: centre (.8 + 3.8416/20) / 1.38416 = .7167, half width
    # 1.96 √(.016 + 3.8416/400) / 1.38416 = .2266; from 49 % to 94 %.
    assert "- audited acceptance: 8 of 10, 80% (95 % Wilson interval 49% to 94%)" in card
    assert "- edited: 1\n- rejected: 1\n- stale: 1" in card


def test_a_set_that_nobody_reviewed_says_so():
    card = data_card(GoldenSet((item(1),)))
    assert "- audited acceptance: not measured" in card
    assert "nobody reviewed" in card


def test_the_closed_book_share_is_of_the_items_that_were_asked():
    known = Check(verdict="tagged", score=0.0)
    unknown, not_asked = Check(verdict="passed", score=1.0), Check(verdict="passed")
    checks = [known, unknown, unknown, unknown, not_asked]
    items = [item(n, checks={"closed_book": check}) for n, check in enumerate(checks)]
    card = data_card(GoldenSet((*items, item(9))))
    assert "- answered without documents: 1 of 4, 25%" in card


def test_the_size_that_is_usable_is_told_in_points():
    items = tuple(item(n, "rejected" if n >= 50 else "auto") for n in range(60))
    card = data_card(GoldenSet(items))
    # 1.96 √(.8 × .2 / 50) = .1109.
    assert "Of the 50 items" in card
    assert "±11.1 points" in card
    assert "plan -m answer_verdict --size 50`" in card
    assert "## Size" in data_card(GoldenSet(()))


def test_models_prompts_and_cost_are_told_and_cannot_break_the_table():
    card = data_card(GoldenSet((item(1), item(2)), facts={"cost": "$0.12"}))
    assert "| model: writer | gpt\\|x | 2 |" in card
    assert "| prompt: SingleHopOf | ab12 | 2 |" in card
    assert "- cost: $0.12" in card


def test_the_command_prints_or_writes_the_card(tmp_path):
    golden = GoldenSet((item(1),)).write(tmp_path / "golden.jsonl")
    out = tmp_path / "card.md"
    printed = rag_eval("card", str(golden))
    assert printed.exit_code == 0
    assert rag_eval("card", str(golden), "-o", str(out)).exit_code == 0
    assert out.read_text("utf-8") == printed.stdout == data_card(GoldenSet.read(golden))


def test_runs_say_what_the_set_measures(tmp_path):
    numbers = range(1, 13)
    golden = GoldenSet(tuple(map(item, numbers))).write(tmp_path / "golden.jsonl")
    items = GoldenSet.read(golden)
    ids, samples = [each.id for each in items], [each.sample() for each in items]
    paths = []
    for name, skill in (("low", 3), ("high", 9), ("middle", 6)):
        run = run_of_scores(
            name, {"m": [float(number <= skill) for number in numbers]}, samples=samples
        )
        paths += ["--run", str(run.to_jsonl(tmp_path / f"{name}.jsonl"))]
    card = rag_eval("golden", "card", str(golden), *paths).stdout
    assert "3 pipelines by m, the best first: high, middle, low." in card
    assert (
        "Every pipeline has the best score on 3 of the questions, and every one the worst on 3"
        in card
    )
    assert "| question | type |" in card
    found = json.loads(rag_eval("golden", "card", str(golden), *paths, "--json").stdout)
    assert [row["id"] for row in found["questions"]] == ids
    assert found["answered_by_none"] == ids[9:]
    few = rag_eval("golden", "card", str(golden), *paths[:4])
    assert (few.exit_code, few.stderr) == (2, "error: expected at least 3 runs, got 2\n")


def test_what_only_the_generation_knew_is_told_after_a_review_too(tmp_path):
    path = tmp_path / "golden.jsonl"
    golden = GoldenSet(
        (item(1), item(2)),
        size=3,
        shortfall=(Shortfall("*", "table", 1, 0, "no passage fits this type"),),
        rejected=(Rejection("Why?", "r", "a.md", "lint", "too short"),),
        skipped=(("b.pdf", "holds no text"),),
        facts={"model calls": "14", "cost": "$0.0012"},
    )
    write_report(golden, golden.write(path))
    Decisions(path).decide("1", "accept")
    card = rag_eval("card", str(path)).stdout
    assert "- audited acceptance: 1 of 1" in card
    told = ["- items: 2 of 3 asked for", "- model calls: 14", "- cost: $0.0012"]
    told += ["| * | table | 1 | 0 |", "| lint | 1 | Why? |", "| b.pdf |"]
    assert [line for line in told if line not in card] == []


def test_difficulty_says_by_what_it_was_measured():
    hard = {"difficulty": "hard", "difficulty_by": "shop:retriever"}
    items = (item(1, **hard), item(2, **hard), item(3, difficulty="easy"), item(4))
    card = data_card(GoldenSet(items))
    assert "| hard, by shop:retriever | 2 |\n| (none) | 1 |\n| easy | 1 |" in card


def test_an_example_has_its_evidence_in_its_setting_and_cannot_break_the_table():
    span = GoldSpan(doc_id="a|b.md", doc_hash="", start=0, end=11, quote="Lume | 12 m<img src=x>")
    span = span.model_copy(update={"setting": ("<b>Lamps</b>", "Lamp | Range")})
    long = span.model_copy(update={"quote": "x" * 999, "setting": ()})
    items = (item(1, gold=((span,), (long,))), item(2, gold=((long,),)), item(3))
    card = data_card(GoldenSet(items))
    setting = "&lt;b>Lamps&lt;/b> / Lamp \\| Range"
    assert f"| 1? | r | {setting} | Lume \\| 12 m&lt;img src=x> | a\\|b.md |" in card
    assert f"| 1? | r |  | {'x' * 300}… | a\\|b.md |" in card
    assert "| 2? |" not in card  # one of each type
    assert "## Examples" not in data_card(GoldenSet((item(3),)))

"""The data card says what the calls of a generation have cost."""

import json

import pytest

from llamaindex_rag_eval.models import Limit
from llamaindex_rag_eval.models.usage import Usage
from tests.cli.command_line import rag_eval
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import data_card, generate

FAULTLESS = "tests.server.writer_responders:FAULTLESS"


def test_the_card_tells_calls_tokens_and_cost_once_for_each_model():
    with LoopbackServer(responders=FAULTLESS) as one, LoopbackServer(responders=FAULTLESS) as two:
        writer, judge = oracle_at(one), oracle_at(two)
        generate(documents(8), size=2, judge=judge)  # what was asked before is not counted
        before = judge.usage.total.calls
        golden = generate(documents(16), size=3, writer=writer, judge=judge)
        calls = one.stats().calls + two.stats().calls - before
    spent = [writer.usage.total, judge.usage.total]
    assert golden.facts["model calls"] == str(calls)
    assert golden.facts["cost"].startswith("$0.00")
    sent = int(golden.facts["tokens"].split()[0].replace(",", ""))
    assert spent[0].prompt_tokens < sent < sum(count.prompt_tokens for count in spent)
    card = data_card(golden)
    assert f"- model calls: {calls}\n- tokens: " in card
    assert "- cost: $0.00" in card


def test_a_model_without_a_price_says_so_on_the_card():
    with LoopbackServer(responders=FAULTLESS) as server:
        limit = Limit(4, usage=Usage(prices={}))
        golden = generate(documents(8), size=2, judge=oracle_at(server, limit=limit))
    assert golden.facts["cost"] == "no price is known"


@pytest.mark.parametrize("options", [(), ("--batch",), ("--max-cost", 0.004)])
def test_the_account_that_is_printed_and_kept_is_the_server_s_own(tmp_path, options):
    docs, out = tmp_path / "docs", tmp_path / "golden.jsonl"
    docs.mkdir()
    for entry in documents(6):
        (docs / entry.doc_id).write_text(entry.text, encoding="utf-8")
    batch = options == ("--batch",)
    if batch:
        options = ("--batch", tmp_path / "batch", "--batch-submit")
    with LoopbackServer(responders="tests.server.writer_responders:RESPONDERS") as server:
        llm = f"openai-like:{server.url}:gpt-4o-mini"
        done = rag_eval("generate", docs, "-o", out, "--llm", llm, "--size", 6, *options)
        spent = server.stats()
    kept = json.loads(out.with_name("golden.account.json").read_text(encoding="utf-8"))["facts"]
    calls, tokens = kept["model calls"], kept["tokens"]
    assert f"model calls: {calls}; tokens: {tokens}; cost: {kept['cost']}" in done.stderr
    # What was asked ahead in a batch, and nobody needed, is read by nobody.
    assert spent.calls - int(calls) in ((0, 1) if batch else (0,))
    if calls == str(spent.calls):
        assert tokens == f"{spent.prompt_tokens:,} sent, {spent.completion_tokens:,} received"


def test_an_account_of_an_earlier_version_is_read_and_a_line_cut_short_left_out(tmp_path):
    journal = tmp_path / "journal"
    with LoopbackServer(responders=FAULTLESS) as server:
        whole = generate(documents(8), size=2, judge=oracle_at(server), journal=journal)
        account = tmp_path / "journal.account"
        last = account.read_text().splitlines()[-1]
        with account.open("a") as file:
            file.write(last.replace("}", ', "sent": 99}') + '\n{"calls": 9')
        again = generate(documents(8), size=2, judge=oracle_at(server), journal=journal)
    assert again.facts["model calls"] == whole.facts["model calls"]
    assert again.items == whole.items

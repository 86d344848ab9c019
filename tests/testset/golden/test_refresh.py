"""Refresh: what becomes of golden items when their documents change."""

import json
import textwrap

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from llamaindex_rag_eval.errors import EngineError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models import ScriptedOracle
from tests.cli.command_line import rag_eval
from tests.testset.checks.examples import opinion
from testset import (
    Check,
    Corpus,
    Created,
    GoldenItem,
    GoldenSet,
    GoldSpan,
    HardNegative,
    SourceDocument,
)
from testset.golden.refresh import refresh
from testset.golden.spans import relocate
from testset.requests.examine import ExamineOf

TEXT = "Ada Byron designed the Harwell pump in 1843. The pump weighs 40 kg and has 12 zones."
PUMP = SourceDocument("pump.md", TEXT)


def span(quote: str, document: SourceDocument = PUMP, *, last: bool = False) -> GoldSpan:
    start = document.text.rindex(quote) if last else document.text.index(quote)
    return GoldSpan.cut(document.doc_id, document.hash, document.text, start, start + len(quote))


def item(*gold: GoldSpan, reference: str = "40 kg", **fields: object) -> GoldenItem:
    given = {"id": "i", "question": "How heavy is the Harwell pump?", "reference": reference}
    made = {"created": Created(models={"writer": "rules"}), "gold": (gold,) if gold else ()}
    return GoldenItem.model_validate({**given, **made, **fields})


HEAVY = item(span("The pump weighs 40 kg"))


def outcome(entry: GoldenItem, *documents: SourceDocument):
    found = refresh(GoldenSet((entry,)), Corpus(documents))
    assert sum(found.counts.values()) == 1
    return found.verdicts[0].outcome, found


def test_an_item_of_unchanged_documents_is_kept_as_it_is():
    name, found = outcome(HEAVY, PUMP)
    assert name == "kept"
    assert found.golden.items == (HEAVY,)
    assert found.unasked == ()


def test_an_edit_behind_the_quote_keeps_the_item_and_renews_its_hash():
    edited = SourceDocument("pump.md", TEXT + " It is red.")
    name, found = outcome(HEAVY, edited)
    assert name == "kept"
    assert found.golden.items[0].gold[0][0].doc_hash == edited.hash


def test_a_quote_that_moved_is_found_at_its_new_place_under_the_same_id():
    edited = SourceDocument("pump.md", "# Pumps\n\n" + TEXT)
    name, found = outcome(HEAVY, edited)
    assert name == "reanchored"
    moved = found.golden.items[0]
    assert (moved.id, moved.gold[0][0].start) == ("i", HEAVY.gold[0][0].start + len("# Pumps\n\n"))
    assert found.golden.verify({"pump.md": edited.text}) == ()


def test_a_quote_that_moved_to_another_document_is_found_there():
    name, found = outcome(HEAVY, SourceDocument("new name.md", "Old. " + TEXT))
    assert name == "reanchored"
    assert found.golden.items[0].doc_ids == ("new name.md",)


def test_the_surroundings_decide_which_of_two_equal_quotes_it_was():
    old = SourceDocument("d", "The vent has 12 zones here. The pump has 12 zones there.")
    second = span("12 zones", old, last=True)
    # The second sentence now comes first; the vent's zones stand where the pump's stood before.
    new = SourceDocument("d", "The pump has 12 zones there. The vent has 12 zones here.")
    found = relocate(second, Corpus((new,)))
    assert found is not None
    assert (found.span.start, found.how, found.unchanged) == (13, "exact", True)


def test_the_same_characters_at_the_same_place_in_other_surroundings_are_not_kept():
    old = SourceDocument("d", "The vent has 12 zones here. And so on.")
    new = SourceDocument("d", "A wall with 9, 12 zones. Unlike before.")
    assert relocate(span("12", old), Corpus((new,))) is None


@pytest.mark.parametrize(
    ("text", "how"),
    [
        (TEXT.replace("pump weighs 40", "Pump  weighs\n40"), "normalised"),
        (TEXT.replace("pump weighs", "pump, weighs"), "fuzzy"),
    ],
)
def test_a_quote_that_changed_a_little_is_checked_again(text: str, how: str):
    edited = SourceDocument("pump.md", text)
    found = relocate(HEAVY.gold[0][0], Corpus((edited,)))
    assert found is not None
    assert found.how == how
    name, after = outcome(HEAVY, edited)
    assert name == "rechecked"
    assert after.golden.verify({"pump.md": text}) == ()
    assert after.golden.items[0].checks["span"].verdict == "passed"


def test_an_answer_that_changed_in_the_document_makes_the_item_stale():
    name, found = outcome(HEAVY, SourceDocument("pump.md", TEXT.replace("40 kg", "45 kg")))
    assert name == "stale"
    assert found.golden.items[0].status == "stale"
    assert "40" in found.verdicts[0].reason
    # A document whose only item is stale has no question that can be used.
    assert found.unasked == ("pump.md",)


def test_a_text_that_now_says_something_else_beside_the_answer_makes_the_item_stale():
    # The quote is still there but for one word, and the answer with it; read from there, the
    # weight is another one.
    text = TEXT.replace("The pump weighs 40 kg", "The pump, weighs 1843 kg not 40 kg")
    read = {"round_trip": Check(verdict="passed")}
    entry = item(span("The pump weighs 40 kg"), kind="number", checks=read)
    assert outcome(entry, SourceDocument("pump.md", text))[0] == "stale"


def test_hard_negatives_stay_where_they_stand_and_leave_with_their_text():
    vent = SourceDocument("vent.md", "The vent is red. It weighs 9 kg.")
    negatives = tuple(
        HardNegative(doc_id="vent.md", start=start, end=end, quote=vent.text[start:end])
        for start, end in ((0, 16), (17, 32))
    )
    entry = item(span("The pump weighs 40 kg"), hard_negatives=negatives)
    assert outcome(entry, PUMP, vent)[1].golden.items == (entry,)
    edited = SourceDocument("vent.md", "New. The vent is blue. It weighs 9 kg.")
    (left,) = outcome(entry, PUMP, edited)[1].golden.items[0].hard_negatives
    assert (left.quote, edited.text[left.start : left.end]) == ("It weighs 9 kg.",) * 2


def test_evidence_that_is_gone_makes_the_item_stale_and_a_gone_document_retires_it():
    name, found = outcome(HEAVY, SourceDocument("pump.md", "Nothing of that sort is left here."))
    assert (name, found.golden.items[0].status) == ("stale", "stale")
    other = SourceDocument("other.md", "Nothing of that sort is left here.")
    name, found = outcome(HEAVY, other)
    assert name == "retired"
    assert (found.golden.items, found.retired) == ((), (HEAVY,))
    assert found.unasked == ("other.md",)


def test_a_stale_item_comes_back_when_its_evidence_does():
    _, gone = outcome(HEAVY, SourceDocument("pump.md", "Nothing of that sort is left here."))
    back = refresh(gone.golden, Corpus((PUMP,)))
    assert back.golden.items == (HEAVY,)


def test_an_alternative_that_is_gone_leaves_the_others():
    twin = SourceDocument("twin.md", "As said, the pump weighs 40 kg in all.")
    entry = item(span("The pump weighs 40 kg"), span("the pump weighs 40 kg", twin))
    name, found = outcome(entry, PUMP)
    assert name == "reanchored"
    assert found.golden.items[0].gold == HEAVY.gold
    assert "1 alternatives are gone" in found.verdicts[0].reason


def test_an_alternative_that_moved_stays_beside_the_one_that_did_not():
    said = "The pump weighs 40 kg in all, with its stand."
    twin = SourceDocument("twin.md", f"Before you order, measure the door. {said} Ask for help.")
    moved = SourceDocument("twin.md", f"# Weights\n\n{said}\n\nFloors bear 300 kg and more.")
    name, found = outcome(item(span("The pump weighs 40 kg"), span(said, twin)), PUMP, moved)
    assert name == "reanchored"
    assert [[entry.doc_id for entry in group] for group in found.golden.items[0].gold] == [
        ["pump.md", "twin.md"]
    ]
    assert found.golden.verify({"pump.md": PUMP.text, "twin.md": moved.text}) == ()


def test_what_a_reviewer_turned_down_stays_rejected():
    down = HEAVY.model_copy(update={"status": "rejected"})
    _, found = outcome(down, SourceDocument("pump.md", "Nothing of that sort is left here."))
    assert found.golden.items == (down,)


def test_a_question_that_a_new_document_may_answer_is_no_longer_unanswerable():
    question = "Who painted the Harwell pump at the Brackwell works?"
    entry = item(question=question, reference="unknown", type="unanswerable")
    near = SourceDocument("near.md", "The Harwell pump stands in the yard.")
    works = [
        SourceDocument(f"{name}.md", f"One {name} of the Brackwell works is left.")
        for name in ("vent", "wall", "gate", "door")
    ]
    name, found = outcome(entry, PUMP, near, *works)
    assert name == "rechecked"
    answer = SourceDocument("a.md", "Ida Lorn painted the Harwell pump at the Brackwell works.")
    assert outcome(entry, PUMP, near, *works, answer)[0] == "stale"
    again = refresh(found.golden, Corpus((PUMP, near, *works)))
    assert again.verdicts[0].outcome == "kept"


class Deployed(BaseRetriever):
    """Finds one text, and remembers what it was asked."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.asked = text, list[str]()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        self.asked.append(query_bundle.query_str)
        return [NodeWithScore(node=TextNode(text=self.text), score=1.0)]


def test_the_deployed_retriever_is_asked_what_is_checked_again_and_must_search_these_documents():
    question = "Who painted the Harwell pump?"
    golden = GoldenSet((HEAVY, item(question=question, reference="", type="unanswerable", id="u")))
    over = Deployed("Ada Byron designed the Harwell pump in 1843.")
    assert refresh(golden, Corpus((PUMP,)), retriever=over).counts["kept"] == 1
    assert over.asked[-1] == question
    with pytest.raises(EngineError, match="none of the 1 nodes that 'Deployed' found"):
        refresh(golden, Corpus((PUMP,)), retriever=Deployed("Tigers sleep all day in the shade."))
    unused = Deployed("Tigers sleep all day in the shade.")
    assert refresh(GoldenSet((HEAVY,)), Corpus((PUMP,)), retriever=unused).counts["kept"] == 1
    assert unused.asked == []


def test_a_question_in_another_language_than_all_documents_is_not_called_far_off():
    question, german = "Wer baute die Halle der Harwell-Pumpe?", {"language": "de"}
    entry = item(question=question, reference="", type="unanswerable", axes=german)
    name, found = outcome(entry, PUMP, SourceDocument("new.md", "The vent is red and old."))
    assert (name, found.verdicts[0].reason) == ("kept", "no document is in its language to search")


def test_the_command_line_says_what_became_of_each_and_keeps_the_retired(tmp_path):
    docs, golden = tmp_path / "docs", tmp_path / "golden.jsonl"
    docs.mkdir()
    (docs / "pump.md").write_text("# Pumps\n\n" + TEXT)
    (docs / "new.md").write_text("Brackwell Hall is a house.")
    gone = SourceDocument("gone.md", "It cost nine crowns at the time, as was usual.")
    retired = item(span("It cost nine crowns at the time", gone), id="g", reference="nine crowns")
    GoldenSet((HEAVY, retired)).write(golden)
    told = rag_eval("refresh", str(golden), str(docs))
    assert told.exit_code == 1
    assert "0 kept, 1 reanchored, 0 rechecked, 0 stale, 1 retired" in told.stdout
    assert "no question yet about: new.md" in told.stdout
    assert [entry.id for entry in GoldenSet.read(golden)] == ["i"]
    assert GoldenSet.read(tmp_path / "golden.retired.jsonl").items == (retired,)
    again = rag_eval("refresh", str(golden), str(docs), "--json")
    assert again.exit_code == 0
    assert json.loads(again.stdout)["counts"]["kept"] == 1


def test_evidence_that_moves_into_the_other_split_takes_its_documents_to_dev():
    quote = "The ferry of Brevik takes 40 cars."
    ferry, road = SourceDocument("ferry.md", quote), SourceDocument("road.md", "A road is wet.")
    items = (
        item(span(quote, ferry), id="ferry", split="dev"),
        item(span("A road is wet.", road), id="road", split="test"),
        item(span("The pump weighs 40 kg"), id="pump", split="test"),
    )
    moved = Corpus((PUMP, SourceDocument("road.md", f"A road is wet. {quote}")))
    found = refresh(GoldenSet(items), moved)
    assert found.golden.items[0].doc_ids == ("road.md",)
    assert [entry.split for entry in found.golden] == ["dev", "dev", "test"]
    # A set that had a document in both before was split by its owner: it stays as it is.
    mixed = (*items, item(span("12 zones"), id="zones", split="dev"))
    again = refresh(GoldenSet(mixed), moved).golden
    assert [entry.split for entry in again] == ["dev", "test", "test", "dev"]


HOOK = (
    "A hook is a function whose name starts with use and that may call other hooks at the top "
    "level of a component. It returns a value."
)


@pytest.mark.parametrize(
    "evidence", [HOOK[: HOOK.index(" It")], "function whose name starts with use"]
)
@pytest.mark.parametrize("denial", ["is **not** a function", "is no longer a function"])
def test_evidence_that_now_denies_the_answer_makes_the_item_stale(evidence: str, denial: str):
    old = SourceDocument("hook.md", HOOK)
    passing = {name: Check(verdict="passed") for name in ("span", "round_trip", "grounded")}
    entry = item(
        span(evidence, old),
        question="What is a hook in this library?",
        reference="function whose name starts with use",
        kind="definition",
        checks=passing,
    )
    edited = SourceDocument("hook.md", HOOK.replace("is a function", denial))
    name, found = outcome(entry, edited)
    assert name == "stale"
    assert found.verdicts[0].reason.startswith("changed: it said")
    assert outcome(found.golden.items[0], old)[0] == "kept"


def test_what_changed_beside_the_question_leaves_the_item_and_every_check_is_made_again():
    passing = Check(verdict="passed", evidence="before")
    names = ("lint", "span", "round_trip", "retrievable", "alternative_gold", "grounded")
    built = SourceDocument("pump.md", "The Harwell pump was built in 1843 and weighs 40 kg in all.")
    checks = dict.fromkeys(names, passing)
    entry = item(span(built.text, built), kind="number", checks=checks)
    edited = SourceDocument("pump.md", built.text.replace("1843", "1844"))
    name, found = outcome(entry, edited)
    assert name == "rechecked"
    again = found.golden.items[0].checks
    assert {name for name in names if again[name] == passing} == {"lint"}  # of the question alone


def test_an_item_that_a_model_wrote_is_checked_again_by_the_model():
    entry = item(HEAVY.gold[0][0], created=Created(models={"writer": "m"}))
    edited = Corpus((SourceDocument("pump.md", TEXT.replace("pump weighs", "pump, weighs")),))
    fit = opinion()
    oracle = ScriptedOracle(by_request={ExamineOf: fit})
    found = refresh(GoldenSet((entry,)), edited, judge=Judge(oracle))
    assert [verdict.outcome for verdict in found.verdicts] == ["stale"]
    assert found.verdicts[0].reason.startswith("round_trip:")
    assert [type(request) for request in oracle.asked] == [ExamineOf]


PUMPS = (
    "Ada Byron designed the Harwell pump in 1843, when the old one could no longer be repaired.\n"
    "The pump weighs 40 kg and has 12 zones, of which no more than three are open at one time.\n\n"
    "A second pump, which weighs 55 kg, was bought in 1851 from the works of Arden near Belmont.\n"
)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: "\n\n".join(textwrap.fill(part, 30) for part in text.split("\n\n")),
        lambda text: "\n\n".join(textwrap.fill(part, 300) for part in text.split("\n\n")),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace(", ", ",\n    "),
        lambda text: text.replace("weighs", "wei\u00adghs").replace("pump", "pu\u00admp"),
        lambda text: text.replace(" kg", "\u00a0kg").replace(". ", ".  "),
        lambda text: textwrap.indent(text, "> ").replace(" and", "\n> and"),
    ],
    ids=["short lines", "long lines", "CRLF", "indented", "soft hyphens", "blanks", "a quote"],
)
def test_lines_that_are_wrapped_otherwise_change_no_item(wrap):
    old = SourceDocument("pump.md", PUMPS)
    quotes = "weighs 40 kg and has 12 zones", "which weighs 55 kg", "repaired.\nThe pump weighs"
    golden = GoldenSet(tuple(item(span(quote, old), id=quote) for quote in quotes))
    fresh = SourceDocument("pump.md", wrap(PUMPS))
    found = refresh(golden, Corpus((fresh,)))
    assert {verdict.outcome for verdict in found.verdicts} <= {"kept", "reanchored"}
    assert found.golden.verify({"pump.md": fresh.text}) == ()


def test_a_word_that_changed_in_lines_that_are_wrapped_otherwise_is_checked_again():
    old = SourceDocument("pump.md", PUMPS)
    entry = item(span("weighs 40 kg and has 12 zones", old))
    for edit in (("has 12", "never has 12"), ("The pump weighs", "Neither pump weighs")):
        text = textwrap.fill(PUMPS.replace(*edit), 30)
        name, _ = outcome(entry, SourceDocument("pump.md", text))
        assert name in {"rechecked", "stale"}, edit


def test_a_hard_negative_stays_where_its_lines_are_wrapped_otherwise():
    start = PUMPS.index("A second")
    negative = HardNegative(doc_id="pump.md", start=start, end=start + 30, quote=PUMPS[start:][:30])
    fresh = SourceDocument("pump.md", textwrap.fill(PUMPS, 20))
    entry = item(span("weighs 40 kg", SourceDocument("pump.md", PUMPS)), hard_negatives=(negative,))
    _, found = outcome(entry, fresh)
    (kept,) = found.golden.items[0].hard_negatives
    assert fresh.text[kept.start : kept.end] == kept.quote
    assert kept.quote.split() == negative.quote.split()

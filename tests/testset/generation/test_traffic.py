"""Traffic: shares in whole numbers, a file whose mistakes are named by line, a set that follows."""

import json
from collections import Counter
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import InputError
from tests.models.asking import oracle_at
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import Category, Traffic, data_card, generate

DOCS = Path(__file__).parents[3] / "examples" / "docs"
FAULTLESS = "tests.server.writer_responders:FAULTLESS"
DOCUMENTS = documents(40)
FILE = """\
# Who asks the help desk.
categories:
- name: stores
  share: 75
  user: A keeper of stores.
  type: {single_hop: 50, reasoning: 50}
  style: [web_search, plain]
- share: 25
  user:
    A buyer.: 50
    A miller.: 50
  type: single_hop
  style: formal
"""


def read(text: str, tmp_path: Path) -> Traffic:
    path = tmp_path / "traffic.yaml"
    path.write_text(text, encoding="utf-8")
    return Traffic.read(path)


def test_targets_follow_the_shares_in_whole_numbers(tmp_path):
    targets = read(FILE, tmp_path).targets(16, seed=7)
    # 75 % of 16 is 12, half of it reasoning; 25 % is 4, by two people.
    assert Counter(target.category for target in targets) == {0: 12, 1: 4}
    assert Counter(target.type for target in targets) == {"single_hop": 10, "reasoning": 6}
    assert Counter(t.style for t in targets) == {"web_search": 6, "plain": 6, "formal": 4}
    assert Counter(t.user for t in targets) == {
        "A keeper of stores.": 12,
        "A buyer.": 2,
        "A miller.": 2,
    }


def test_norwegian_is_a_language(tmp_path):
    text = "categories:\n- share: 50%\n  language: no\n- share: 50\n  language: {no: 50, en: 50}\n"
    targets = read(text, tmp_path).targets(4, seed=7)
    assert Counter(target.language for target in targets) == {"no": 3, "en": 1}


def test_values_of_two_axes_meet_freely_and_small_categories_share_what_is_left():
    halves = {"style": {"chat": 50.0, "plain": 50.0}, "difficulty": {"easy": 50.0, "hard": 50.0}}
    targets = Traffic((Category(100, halves),)).targets(40, seed=7)  # type: ignore[arg-type]  # axes
    pairs = Counter((target.style, target.difficulty) for target in targets)
    assert len(pairs) == 4
    assert min(pairs.values()) >= 4
    each = tuple(Category(10, {"style": {"chat": 50.0, "plain": 50.0}}) for _ in range(10))
    styles = Counter(target.style for target in Traffic(each).targets(10, seed=7))
    assert styles == {"chat": 5, "plain": 5}


MISTAKES = {
    "share: 75": (
        "share: 65",
        "line 3, field 'categories': the shares of the categories add up to 90",
    ),
    "share: 25": ("share: many", "line 8, field 'categories.2.share': should be a valid number"),
    "- share: 25\n  user:": ("- user:", "line 8, field 'categories.2': 'share' is missing"),
    "style: formal": (
        "style: rude",
        "line 13, field 'categories.2.style': no style is named 'rude'; expected one of plain",
    ),
    "type: single_hop\n": (
        "type: riddle\n",
        "line 12, field 'categories.2.type': no type is named 'riddle'",
    ),
    "A buyer.: 50": ("A buyer.: 40", "line 10, field 'categories.2.user': the shares add up to 90"),
    "  style: formal": (
        "  stile: formal",
        "line 13, field 'categories.2': unknown key 'stile'; expected name, share",
    ),
    "reasoning: 50": (
        "reasoning: -50",
        "line 6, field 'categories.1.type': the shares: 'reasoning' has -50",
    ),
    "[web_search, plain]": (
        "[[web_search]]",
        "line 7, field 'categories.1.style': expected a text",
    ),
    "  style: formal\n": (
        "  style: formal\n  style: chat\n",
        "line 14: expected YAML: key 'style' comes twice",
    ),
    "- name: stores\n": (
        "- name: stores\n  kind: bridge\n",
        "line 4, field 'categories.1.kind': 'bridge' is a kind of 'multi_hop'",
    ),
    "categories:": ("kategorien:", "line 3: unknown key 'kategorien'; expected"),
}


@pytest.mark.parametrize("place", MISTAKES)
def test_a_mistake_is_named_with_its_line_and_key(place, tmp_path):
    wrong, message = MISTAKES[place]
    assert place in FILE
    with pytest.raises(InputError) as caught:
        read(FILE.replace(place, wrong), tmp_path)
    assert message in str(caught.value)
    assert "traffic.yaml'" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: 'categories' is missing"),
        ("categories: []", "'categories': expected at least one entry, got none"),
        ("categories: {a: [}", "line 1: expected YAML"),
        ("[" * 600, "expected YAML: maximum recursion depth"),
    ],
)
def test_what_is_no_traffic_is_refused(text, message, tmp_path):
    with pytest.raises(InputError, match=message):
        read(text, tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        Traffic.read(tmp_path / "nowhere.yaml")


@pytest.fixture(scope="module")
def server():
    with LoopbackServer(responders=FAULTLESS, record=True) as running:
        yield running


def test_a_model_writes_in_the_shares_and_the_card_says_what_was_reached(server, tmp_path):
    golden = generate(DOCUMENTS, size=16, traffic=read(FILE, tmp_path), judge=oracle_at(server))
    assert len(golden) == 16
    assert Counter(item.type for item in golden) == {"single_hop": 10, "reasoning": 6}
    assert Counter(item.axes.style for item in golden) == {
        "web_search": 6,
        "plain": 6,
        "formal": 4,
    }
    people = Counter(item.axes.persona for item in golden)
    assert people == {"A keeper of stores.": 12, "A buyer.": 2, "A miller.": 2}
    assert golden.facts["traffic"] == "traffic.yaml"
    assert golden.facts["traffic, categories"] == "stores: 12 of 12; 2: 4 of 4"
    assert golden.facts["traffic, style"] == "formal: 4 of 4; plain: 6 of 6; web_search: 6 of 6"
    assert "- traffic, user: A buyer.: 2 of 2" in data_card(golden)


def test_length_is_asked_for_and_difficulty_chosen_among_what_is_proposed(server):
    server.reset()
    axes = {"type": {"single_hop": 1.0}, "difficulty": {"easy": 1.0}, "length": {"long": 1.0}}
    easy = Traffic((Category(100, axes),))  # type: ignore[arg-type]  # axes
    golden = generate(DOCUMENTS, size=6, traffic=easy, judge=oracle_at(server))
    assert {item.difficulty for item in golden} == {"easy"}
    asked = [json.dumps(body).replace("\\", "").replace(" ", "") for body in server.requests()]
    written = [text for text in asked if '"drafts"' in text and '"wanted"' in text]
    assert len(written) >= 2
    assert all('"length":"long"' in text for text in written)
    # The model did not keep to it: the set is full all the same, and says so.
    assert golden.facts["traffic, length"] in {f"long: {n} of 6" for n in range(5)}


def test_where_nothing_else_is_left_the_set_is_filled_and_says_what_was_missed(server):
    nobody = Category(100, {"user": {"A queen.": 1.0}, "difficulty": {"hard": 1.0}})
    golden = generate(documents(12), size=4, traffic=Traffic((nobody,)), judge=oracle_at(server))
    assert len(golden) == 4
    assert golden.facts["traffic, difficulty"].startswith("hard: ")


def test_people_and_kinds_are_kept_to_where_only_what_is_measured_is_out_of_reach(server):
    axes = {"user": {"A buyer.": 50.0, "A miller.": 50.0}, "difficulty": {"hard": 100.0}}
    axes |= {"type": {"single_hop": 100.0}}
    both = Traffic((Category(100, axes),))  # type: ignore[arg-type]  # axes
    golden = generate(DOCUMENTS, size=8, traffic=both, judge=oracle_at(server))
    assert Counter(item.axes.persona for item in golden) == {"A buyer.": 4, "A miller.": 4}
    assert golden.facts["traffic, difficulty"] == "hard: 0 of 8"


def test_rules_follow_type_language_difficulty_and_length_and_say_what_they_cannot(tmp_path):
    axes = {"type": {"single_hop": 50.0, "table": 50.0}, "length": {"short": 100.0}}
    golden = generate(DOCS, size=6, traffic=Traffic((Category(100, axes),)))  # type: ignore[arg-type]  # axes
    assert Counter(item.type for item in golden) == {"single_hop": 3, "table": 3}
    assert {item.axes.length for item in golden} == {"short"}
    with pytest.raises(InputError, match="which only a model can follow"):
        generate(DOCS, size=6, traffic=read(FILE, tmp_path))
    with pytest.raises(InputError, match="leave out types, styles and"):
        generate(DOCS, size=6, types=["table"], traffic=Traffic((Category(100),)))


def test_the_example_of_the_docs_is_read(tmp_path):
    text = (DOCS.parents[1] / "docs" / "golden-sets.md").read_text(encoding="utf-8")
    _, _, rest = text.partition("```yaml\ncategories:")
    targets = read("categories:" + rest.partition("```")[0], tmp_path).targets(10, seed=7)
    assert Counter(target.type for target in targets) == {
        "single_hop": 4,
        "conditional": 2,
        "situational": 4,
    }
    # Conditional questions have no kinds.
    assert {t.kind for t in targets if t.type != "single_hop"} == {""}

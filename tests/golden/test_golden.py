"""What the packages do is what is recorded; a difference is shown, and recorded if it is meant."""

import json
import re

import pytest

from tests.golden.compare import difference, write
from tests.golden.parts import PARTS, MissingInputError
from tests.golden.workspace import demo_folder


@pytest.mark.parametrize("name", [part.name for part in PARTS.values() if part.quick])
def test_it_is_as_recorded(name: str) -> None:
    try:
        texts = PARTS[name].texts()
    except MissingInputError as missing:
        pytest.skip(str(missing))
    shown = difference(name, texts)
    assert not shown, f"\n{shown}\nIf it is meant to be so: python -m tests.golden.record {name}"


def test_the_engines_of_the_demo_differ_where_a_person_would_see_it() -> None:
    names = [path.name for path in (demo_folder() / "demo").iterdir()]
    assert not [name for name in names if name.endswith((".journal", ".part"))]
    metrics = json.loads((demo_folder() / "demo.json").read_text("utf-8"))["metrics"]
    found = {metric["metric"]: metric["finding"] for metric in metrics}
    assert found["answer_verdict"] == "better"
    page = (demo_folder() / "demo" / "report.html").read_text("utf-8")
    lost = re.search(r"Where answers are lost in.*?</section>", page, re.DOTALL)
    assert lost is not None
    assert re.findall(r'dir="auto">(windows|sections)<', lost[0])[0] == "sections"
    assert '<mark class="wrong">' in lost[0]


def test_a_difference_is_shown_line_by_line(tmp_path) -> None:
    write("demo", {"a.json": "1\n2\n", "b.json": "3\n"}, tmp_path)
    assert difference("demo", {"a.json": "1\n2\n", "b.json": "3\n"}, tmp_path) == ""
    shown = difference("demo", {"a.json": "1\n4\n"}, tmp_path).splitlines()
    assert shown[:2] == ["--- recorded/demo/a.json", "+++ now"]
    assert {"-2", "+4", "-3"} <= set(shown)

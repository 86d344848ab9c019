"""The documentation: README's links, and the pages that are written from the code."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import llamaindex_rag_eval
from docs_pages.pages import api_page, command_pages, llms_text, metric_table, on_metric, pages
from llamaindex_rag_eval.cli.commands import PATHS
from llamaindex_rag_eval.metrics.pages import metric_page, metric_pages

ROOT = Path(__file__).parents[1]
LONGEST_README = 70
"""Lines: a screen or two."""


def python_blocks() -> list[str]:
    """Return the Python of README and of the quick start."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/index.md")]
    return re.findall(r"^```python\n(.*?)^```", "\n".join(texts), re.DOTALL | re.MULTILINE)


def test_readme_is_short_and_its_links_lead_somewhere():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!http)([^)#]+)", text)
    assert len(text.splitlines()) <= LONGEST_README
    assert {link for link in links if not (ROOT / link).is_file()} == set()
    assert {f"docs/{path.name}" for path in ROOT.glob("docs/*.md")} == {
        link for link in links if link.startswith("docs/") and link.endswith(".md")
    }


def test_pictures_are_light_enough_to_load_and_each_is_shown():
    pictures = sorted(ROOT.glob("docs/images/*"))
    texts = "".join(
        path.read_text(encoding="utf-8") for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
    )
    assert pictures
    assert {path.name: size for path in pictures if (size := path.stat().st_size) > 150_000} == {}
    assert [path.name for path in pictures if f"images/{path.name})" not in texts] == []


@pytest.mark.parametrize("code", python_blocks())
def test_what_the_quick_start_imports_is_there(code: str):
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module in {"llamaindex_rag_eval", "testset"}:
            names = import_module(node.module).__all__
            assert {alias.name for alias in node.names} <= {*names}


def test_each_metric_has_a_row_and_a_page():
    found, table = pages(ROOT), metric_table()
    for page in metric_pages():
        assert f"[`{page.name}`]({page.name}.md) | {page.question} |" in table
        assert page.undefined in found[f"metrics/{page.name}.md"]


def test_a_page_says_what_the_command_line_says():
    page = metric_page("ndcg")
    text = on_metric(page)
    assert text.startswith("# ndcg\n\n**How near to the best possible order is this one?**")
    assert f"```text\n{page.formula}\n```" in text
    assert f"## Limitations\n\n{page.limitations}\n" in text
    for fact in ("| range | 0..1 ↑ |", "| passes | 0.5 or more,", "| elsewhere | LlamaIndex: NDCG"):
        assert fact in text


def test_each_command_has_a_page_with_its_options_and_its_example():
    found = command_pages()
    assert set(found) == {*PATHS}
    for name, words in PATHS.items():
        called = " ".join(("rag-eval", *words))
        assert f"# {called}\n" in found[name]
        assert f"`{called} " in found[name]
    assert "`--no-worse-than RUN`" in found["gate"]


def test_the_api_names_each_name_where_it_is_and_metrics_have_their_own_pages():
    text = api_page(llamaindex_rag_eval)
    assert "::: llamaindex_rag_eval.runs.evaluate.evaluate\n" in text
    assert "Faithfulness" not in text
    for path in re.findall(r"^::: (\S+)$", text, re.MULTILINE):
        module, _, name = path.rpartition(".")
        assert hasattr(import_module(module), name)


def test_llms_txt_lists_pages_by_section():
    text = llms_text("What it is.", [("Start", [("Quick start", "index.html")])])
    assert text == (
        "# llamaindex-rag-eval\n\n> What it is.\n\n## Start\n\n- [Quick start](index.html)\n"
    )

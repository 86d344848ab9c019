"""Pages from the code: a page for each metric and each command, the names of the API, llms.txt."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from llamaindex_rag_eval.cli.app import application
from llamaindex_rag_eval.cli.commands import PATHS, command_at
from llamaindex_rag_eval.metrics.pages import MetricPage, metric_pages
from llamaindex_rag_eval.metrics.registry import METRICS

BETTER = {"higher": "↑", "lower": "↓", "neither": "–"}

LEGEND = """\
↑ higher is better, ↓ lower is better. *Calls* are requests to the judge for one sample;
metrics share them: what one has asked is not asked again for the next. *Rules* says whether the
embedded rules can answer them; otherwise the metric needs an LLM."""

ON_COMMANDS = "Each command's `--help-all`. `rag-eval COMMAND --help` prints the frequent options."

EXAMPLE = """\
```console
$ rag-eval evaluate answers.jsonl -m {name}{llm} -o scores.csv
```

It prints the mean with its 95 % interval, and how many results are scored, undefined and failed.
`scores.csv` has the score of each question, and why.
"""

API = "The names that `from {package} import …` takes{rest}."

OUTSIDE = {
    r"\.\./examples/(\w+)\.(?:py|ipynb)": r"examples/\1.md",
    r"\.\./llamaindex_rag_eval/metrics/(\w+)\.py": r"metrics/\1.md",
    r"\.\./llamaindex_rag_eval/metrics": "metrics/index.md",
    r"\.\./CONTRIBUTING\.md": "contributing.md",
    r"\.\./CHANGELOG\.md": "changelog.md",
}
"""Links of `docs/` to files beside it, as GitHub reads them -> the pages of the site."""


def pages(root: Path) -> dict[str, str]:
    """Return all pages that are not files of `docs/`: address -> Markdown.

    Args:
        root: The folder of the source tree.
    """
    found = {"metrics/index.md": f"# Metrics\n\n{metric_table()}\n\n{LEGEND}\n"}
    found |= {f"metrics/{page.name}.md": on_metric(page) for page in metric_pages()}
    commands = command_pages()
    lines = [f"- [{name}]({name}.md)" for name in commands]
    found["commands/index.md"] = "\n".join(["# Commands", "", ON_COMMANDS, "", *lines, ""])
    found |= {f"commands/{name}.md": text for name, text in commands.items()}
    for package in ("llamaindex_rag_eval", "testset"):
        found[f"api/{package}.md"] = api_page(importlib.import_module(package))
    for path in sorted((root / "examples").glob("[0-9]*.py")):
        code = path.read_text(encoding="utf-8")
        title = path.stem[3:].replace("_", " ").capitalize()
        found[f"examples/{path.stem}.md"] = f"# {title}\n\n```python\n{code}```\n"
    for name in ("CONTRIBUTING", "CHANGELOG"):
        text = (root / f"{name}.md").read_text(encoding="utf-8")
        found[f"{name.lower()}.md"] = re.sub("^   ", "    ", text, flags=re.MULTILINE)  # in lists
    return found


def metric_table() -> str:
    """Return a Markdown table with one row a metric, by name."""
    head = ["| metric | question | needs | range | calls | rules |", "|---|---|---|---|---|---|"]
    return "\n".join([*head, *map(_row, metric_pages())])


def _row(page: MetricPage) -> str:
    spread = f"{page.range} {BETTER[page.direction]}"
    calls, rules = _judged(page)
    name = f"[`{page.name}`]({page.name}.md)"
    return f"| {name} | {page.question} | {page.needs} | {spread} | {calls} | {rules} |"


def _judged(page: MetricPage) -> tuple[str, str]:
    """Return how often the judge is asked, and whether rules can answer it."""
    if page.rules is None:
        return "its parts'", "its parts'"
    return str(sum(page.calls.values()) or "none"), "yes" if page.rules else "no"


def on_metric(page: MetricPage) -> str:
    """Return the page of a metric: what `rag-eval more metrics NAME` prints."""
    lines = [f"# {page.name}", ""]
    if page.question:
        lines += [f"**{page.question}**", ""]
    if page.formula:
        lines += ["```text", page.formula, "```", ""]
    lines += [f"{paragraph}\n" for paragraph in page.about.splitlines()]
    if "required" not in page.facts.get("settings", ""):
        llm = " --llm openai:gpt-4o-mini" if page.rules is False else ""
        lines.append(EXAMPLE.format(name=page.name, llm=llm))
    lines += ["| | |", "|---|---|"]
    facts = page.facts | {"rules can judge": _judged(page)[1]}
    lines += [f"| {key} | {_cell(key, value)} |" for key, value in facts.items()]
    if page.limitations:
        lines += ["", "## Limitations", "", page.limitations]
    return "\n".join([*lines, ""])


def _cell(key: str, value: str) -> str:
    return f"`{value}`" if key == "settings" else value.replace("|", "\\|")


def command_pages() -> dict[str, str]:
    """Return each command with its help as Markdown."""
    app, found = application(), {}
    for name, words in PATHS.items():
        called, command = " ".join(("rag-eval", *words)), command_at(app, name)
        with app.app_stack(list(words)):  # what it takes over from the application
            text = command.generate_docs(usage_name=called)
        text = text.replace("\n**", f"\n{command.help_epilogue or ''}\n\n**", 1)
        found[name] = f"# {called}{text[text.index(chr(10)) :]}\n"
    return found


def api_page(package: ModuleType) -> str:
    """Return a page with a reference, which mkdocstrings fills, for each name of the package.

    Metrics have pages of their own.
    """
    metrics = {name for kind in METRICS for name in (kind.__name__, kind.name)}
    names = [name for name in package.__all__ if name not in metrics]
    rest = (
        ", beside the [metrics](../metrics/index.md)" if len(names) < len(package.__all__) else ""
    )
    intro = API.format(package=package.__name__, rest=rest)
    return "\n\n".join([f"# {package.__name__}", intro, *_references(package, names), ""])


def _references(package: ModuleType, names: Iterable[str]) -> Iterator[str]:
    stub = Path(inspect.getfile(package)).with_suffix(".pyi").read_text(encoding="utf-8")
    imports = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
    homes = {alias.name: node.module for node in imports for alias in node.names}
    for name in names:
        stated = f"{package.__name__}.{homes[name]}"
        home = getattr(getattr(package, name), "__module__", stated)
        yield f"::: {home if home.startswith(package.__name__) else stated}.{name}"


def llms_text(about: str, sections: Iterable[tuple[str, Iterable[tuple[str, str]]]]) -> str:
    """Return llms.txt (https://llmstxt.org): what the site has, for a model that reads it.

    Args:
        about: What the project is, in a sentence.
        sections: Title -> the title and address of each page.
    """
    lines = ["# llamaindex-rag-eval", "", f"> {about}"]
    for title, links in sections:
        lines += ["", f"## {title}", "", *(f"- [{name}]({where})" for name, where in links)]
    return "\n".join([*lines, ""])


def with_site_links(markdown: str) -> str:
    """Return a page of `docs/` whose links to files outside of it lead to their pages."""
    for pattern, page in OUTSIDE.items():
        link = rf"\]\({pattern}(?P<anchor>#[^)]*)?\)"
        markdown = re.sub(link, rf"]({page}\g<anchor>)", markdown)
    return markdown

"""Follow CONTRIBUTING's recipes in a copy of the packages, to the letter: files and edits."""

import json
import re
import shutil
import sys
import textwrap
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from tests import prepared

ROOT = Path(__file__).parents[1]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"

USES = """
import asyncio, json, sys
from pathlib import Path
from llamaindex_rag_eval import Brevity, evaluate, METRICS
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.politeness import PolitenessOf
from llama_index.core.llms import MockLLM
from llamaindex_rag_eval.judge import ClaimsOf
from llamaindex_rag_eval.judge.prompts import english_prompts, shipped_prompts
from llamaindex_rag_eval.models import EmbeddedOracle, LLMOracle
from testset import GoldenSet
from testset.formats.exchange import export_golden

sample = SingleTurnSample(id="a", query="q", response="It rains. It pours.")
run = evaluate([sample], metrics=["brevity"])
reply = asyncio.run(Judge(EmbeddedOracle()).ask(PolitenessOf(response="Please come in.")))
golden = GoldenSet.read(sys.argv[1])
japanese = LLMOracle(MockLLM(), prompts=shipped_prompts("ja"))
(written,) = export_golden(golden, Path(sys.argv[1]).with_suffix(".txt"), to="plain")
print(json.dumps({
    "score": run.results[0].score,
    "registered": Brevity in METRICS,
    "polite": reply.polite,
    "prompt": "politeness" in {prompt.name for prompt in english_prompts().values()},
    "asked in": [japanese.prompt_of(kind).language for kind in (ClaimsOf, PolitenessOf)],
    "questions": written.read_text("utf-8").splitlines(),
}))
"""


def code_blocks() -> dict[str, str]:
    """Return the files of the recipes by their path, which is the first line of each."""
    text = CONTRIBUTING.read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```(?:python|toml|yaml)\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    found = {}
    for block in map(textwrap.dedent, blocks):
        first, _, rest = block.partition("\n")
        found[first.removeprefix("# ")] = rest
    return found


def add_line(path: Path, after: str, line: str) -> None:
    """Add a line behind the one that holds a text."""
    text = path.read_text(encoding="utf-8")
    assert text.count(after) == 1, (path, after)
    path.write_text(text.replace(after, f"{after}\n{line}"), encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    for package in ("llamaindex_rag_eval", "testset"):
        shutil.copytree(ROOT / package, folder / package)
    for path, content in code_blocks().items():
        assert not (folder / path).exists()
        (folder / path).write_text(content, encoding="utf-8")
    stub = folder / "llamaindex_rag_eval" / "__init__.pyi"
    stub.write_text(f"from .metrics.brevity import Brevity\n{stub.read_text('utf-8')}", "utf-8")
    add_line(
        folder / "testset" / "formats" / "__init__.py", "ExportFormat = Literal[", '    "plain",'
    )
    add_line(
        folder / "llamaindex_rag_eval" / "cli" / "commands.toml",
        "[groups.more.commands]",
        'count = "answers.jsonl"',
    )
    add_line(
        folder / "llamaindex_rag_eval" / "integrations" / "tool.py",
        "CLASSES: Mapping[str, str] = {",
        '    "ledger": "Ledger",',
    )
    markup = folder / "testset" / "corpus" / "markup" / "__init__.py"
    add_line(
        markup,
        "from testset.corpus.markup.markdown import read_markdown",
        "from testset.corpus.markup.org import read_org",
    )
    add_line(markup, "_READERS: dict[str, Callable[[str], PlainView]] = {", '    "org": read_org,')
    golden = {"id": "g1", "question": "Where is Paris?", "reference": "On the Seine."}
    (folder / "golden.jsonl").write_text(json.dumps(golden) + "\n", encoding="utf-8")
    return folder


def run(copy: Path, *words: str) -> str:
    return prepared.run([sys.executable, *words], cwd=copy, root=copy, check=True).stdout


def command(copy: Path, *words: str) -> str:
    return run(copy, "-c", "from llamaindex_rag_eval.__main__ import main; main()", *words)


def test_the_recipes_give_a_file_for_each_of_seven_extensions():
    assert list(code_blocks()) == [
        "llamaindex_rag_eval/metrics/brevity.py",
        "llamaindex_rag_eval/judge/politeness.py",
        "llamaindex_rag_eval/judge/languages/en/politeness.yaml",
        "testset/formats/plain.py",
        "testset/corpus/markup/org.py",
        "llamaindex_rag_eval/integrations/ledger.py",
        "llamaindex_rag_eval/cli/count.py",
        "testset/rules/languages/nl.toml",
    ]


def test_a_metric_a_judgement_and_a_format_made_by_their_recipes_work(copy: Path):
    found = json.loads(run(copy, "-c", USES, str(copy / "golden.jsonl")))
    # "It rains. It pours." has two sentences: 1/2.
    assert found == {
        "score": 1 / 2,
        "registered": True,
        "polite": True,
        "prompt": True,
        "asked in": ["ja", "en"],  # nobody has translated it
        "questions": ["Where is Paris?"],
    }


def test_the_command_line_knows_what_was_added(copy: Path):
    answers = copy / "answers.jsonl"
    answers.write_text('{"id": "a", "query": "q", "response": "Yes."}\n', encoding="utf-8")
    assert "brevity = 1 / sentences" in command(copy, "metrics", "brevity")
    assert json.loads(command(copy, "more", "count", str(answers), "--json")) == {"samples": 1}
    exported = command(copy, "export", "golden.jsonl", "--to", "plain", "-o", "plain.txt")
    assert "plain.txt" in exported or (copy / "plain.txt").read_text("utf-8") == "Where is Paris?\n"


LANGUAGE = """
from llamaindex_rag_eval.judge.prompts import languages, shipped_prompts
print(*languages())
print({kind.__name__: prompt.instruction for kind, prompt in shipped_prompts("fr").items()})
"""


def test_a_language_of_the_judge_is_found_by_its_files_alone(copy: Path):
    folder = copy / "llamaindex_rag_eval" / "judge" / "languages" / "fr"
    folder.mkdir()
    critique = "{name: critique, language: fr, instruction: Juge., examples: []}"
    (folder / "critique.yaml").write_text(critique, encoding="utf-8")
    codes, french = run(copy, "-c", LANGUAGE).splitlines()
    assert codes == "en de fr ja zh"
    assert french == "{'CritiqueOf': 'Juge.', 'RefusalOf': 'Juge.'}"  # the others stay English
    written, english = command(copy, "more", "prompts", "fr", "--language", "fr").splitlines()
    assert written == "1 prompts in fr: critique"
    assert english.startswith(
        "Asked in English, for want of a translation: answer_verdict, claims,"
    )


ORG = """
import json
from testset import SourceDocument

text = "* Vents\\n\\nOpen *both*, see\\n[[a.org][here]].\\n\\n- one\\n- two\\n"
view = SourceDocument("a.org", text).view
raw = view.raw_span(view.text.index("both"), view.text.index(","))
blocks = [[block.kind, view.block_text(block)] for block in view.blocks]
print(json.dumps([blocks, text[slice(*raw)]]))
"""


def test_a_document_format_made_by_its_recipe_has_blocks_and_exact_offsets(copy: Path):
    blocks = [["title", "Vents"], ["paragraph", "Open both, see here."]]
    items = [["item", "one"], ["item", "two"]]
    assert json.loads(run(copy, "-c", ORG)) == [[*blocks, *items], "both"]


PUBLISHES = """
import json, sys
from llamaindex_rag_eval import evaluate
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.integrations.tool import tool_at

sample = SingleTurnSample(id="a", query="q", response="It rains. It pours.")
ledger = tool_at("ledger", url=sys.argv[1])
published = ledger.log_run(evaluate([sample], metrics=["brevity"]))
try:
    ledger.read_dataset("d")
except InputError as error:
    print(json.dumps([*published.lines, str(error)]))
"""


class Rows(BaseHTTPRequestHandler):
    """A ledger on loopback: keeps the rows that it is sent."""

    rows: ClassVar[list[object]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.rows.append([self.path, json.loads(body)])
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def test_a_connector_made_by_its_recipe_publishes_a_run(copy: Path):
    with ThreadingHTTPServer(("127.0.0.1", 0), Rows) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        said = json.loads(run(copy, "-c", PUBLISHES, f"http://127.0.0.1:{server.server_port}"))
        server.shutdown()
    assert said == [
        "1 rows in the ledger.",
        "'Ledger' has no place for dataset 'd'; expected log_run",
    ]
    row = {"question": "q", "answer": "It rains. It pours.", "scores": {"brevity": 1 / 2}}
    assert Rows.rows == [["/rows", row]]


DUTCH = """
import json
from testset import SourceDocument
from testset.rules.registry import candidates_of

text = "# Zwembad\\n\\nHet zwembad is in het dorp. De prijs is niet hoog voor de gasten.\\n\\n"
text += "".join(f"## Bad {n}\\n\\n- Prijs: {n},50 €\\n\\n" for n in "12345")
text += "De Kluis Huur Dienst (KHD) is bij de balie. De KHD is open.\\n"
print(json.dumps({c.question: c.answer for c in candidates_of(SourceDocument("bad.md", text))}))
"""


def test_a_language_is_one_file(copy: Path):
    found = json.loads(run(copy, "-c", DUTCH))
    assert found["Wat is de prijs van Bad 3?"] == "3,50 €"
    assert len(found) == 5


def test_the_doctests_of_the_recipes_hold(copy: Path):
    run(copy, "-m", "doctest", "llamaindex_rag_eval/metrics/brevity.py")

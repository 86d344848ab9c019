"""Scripts that import other tools run as they stand, and leave Python's imports as they were."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

from llamaindex_rag_eval.compat.ragas import (
    DiscreteMetric,
    EvaluationDataset,
    MultiTurnSample,
    ToolCallAccuracy,
)
from llamaindex_rag_eval.compat.ragas.messages import (
    AIMessage,
    HumanMessage,
    convert_to_ragas_messages,
)
from llamaindex_rag_eval.compat.ragas.metric import MetricResult
from llamaindex_rag_eval.compat.ragas.prompted import metric_of_function
from llamaindex_rag_eval.compat.script import imports_from_here, run_script
from llamaindex_rag_eval.data.sample import ToolCall
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Grade
from llamaindex_rag_eval.judge.judge import Judge
from llamaindex_rag_eval.models import ScriptedOracle
from tests import prepared
from tests.benchmarks.verbatim import FOLDER, NAMES, failing_flows, missing_names
from tests.cli.command_line import rag_eval

SCRIPT = """
import sys
from ragas import evaluate
from ragas.metrics import context_recall
from deepeval.test_case import LLMTestCase

rows = [{"question": "a?", "answer": "b", "contexts": ["b"], "ground_truth": "b"}]
print(evaluate(rows, [context_recall])["context_recall"], sys.argv[1:], __name__)
"""


def test_a_script_and_a_notebook_run_with_their_arguments(tmp_path: Path) -> None:
    script, notebook = tmp_path / "theirs.py", tmp_path / "theirs.ipynb"
    script.write_text(SCRIPT)
    cells = [{"cell_type": "code", "source": ["%pip install ragas\n", SCRIPT]}]
    notebook.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": "#"}, *cells]}))
    for path in (script, notebook):
        done = rag_eval("more", "run-script", path, "--", "--own", "x")
        assert done.exit_code == 0, done.output
        score, _, printed = done.stdout.partition(" ")
        assert (0.9 < float(score) <= 1, printed) == (True, "['--own', 'x'] __main__\n")
    for path in (tmp_path / "none.py", tmp_path):
        assert "is no file" in rag_eval("more", "run-script", path).stderr
    (tmp_path / "no.ipynb").write_text("{}")
    with pytest.raises(InputError, match="is no notebook"):
        run_script(tmp_path / "no.ipynb")


TESTS = """
from deepeval import assert_test
from deepeval.metrics import PatternMatchMetric
from deepeval.test_case import LLMTestCase

def test_right():
    assert_test(LLMTestCase(input="?", actual_output="b"), [PatternMatchMetric(pattern="b")])

def test_wrong():
    assert_test(LLMTestCase(input="?", actual_output="a"), [PatternMatchMetric(pattern="b")])
"""


def test_pytest_runs_a_file_of_tests(tmp_path: Path) -> None:
    (tmp_path / "test_theirs.py").write_text(TESTS)
    command = [sys.executable, "-m", "llamaindex_rag_eval.compat", "test_theirs.py", "-v"]
    done = prepared.run(command, cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    assert "test_right PASSED" in done.stdout
    assert "1 failed, 1 passed" in done.stdout


def test_a_notebook_awaits_outside_of_functions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = "import asyncio\nprint(await asyncio.sleep(0, 'awoken'), __name__)"
    cells = {"cells": [{"cell_type": "code", "source": cell}]}
    (tmp_path / "a.ipynb").write_text(json.dumps(cells))
    run_script(tmp_path / "a.ipynb")
    assert capsys.readouterr().out == "awoken __main__\n"


def test_imports_are_as_before_afterwards() -> None:
    path, evaluation = [*sys.meta_path], import_module("llama_index.core.evaluation")
    with imports_from_here():
        import_module("ragas.metrics.collections")
        assert hasattr(evaluation, "EmbeddingQAFinetuneDataset")
    assert sys.meta_path == path
    assert not [name for name in sys.modules if name.partition(".")[0] in ("ragas", "deepeval")]
    assert not hasattr(evaluation, "EmbeddingQAFinetuneDataset")
    with pytest.raises(ModuleNotFoundError):
        import_module("llama_index.core.llama_dataset")


def test_most_documented_names_are_here_and_the_others_say_what_to_write() -> None:
    for tool, least in (("ragas", 0.97), ("deepeval", 0.96), ("llama_index", 0.96)):
        count = sum(len(names.split()) for names in NAMES[tool].values())
        missing = dict(missing_names(tool))
        assert 1 - len(missing) / count >= least
        assert [name for name, why in missing.items() if " is not here: " not in why] == []
    missing = dict(missing_names("deepeval"))
    assert "`ToolUseMetric`" in missing["deepeval.metrics.MCPUseMetric"]


@pytest.mark.filterwarnings("ignore:.* questions were written")
def test_most_documented_flows_run(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_API_BASE"):
        monkeypatch.setenv(name, "")
    assert dict(failing_flows()) == {}
    assert len([*FOLDER.glob("*.py")]) == 22


def test_a_name_that_is_not_here_is_no_module(tmp_path: Path) -> None:
    script = tmp_path / "theirs.py"
    script.write_text("from ragas import metrics; import ragas.metrics.collections")
    run_script(script)
    for module, name, message in (
        ("ragas.utils", "count_words", "nothing of ragas is called 'count_words' here"),
        ("ragas.metrics", "DataCompyScore", "in a metric of your own"),
    ):
        script.write_text(f"from {module} import {name}")
        with pytest.raises(ImportError, match=message):
            run_script(script)


@pytest.mark.parametrize(
    "line",
    [
        "from deepeval.metrics import MCPUseMetric",
        "import deepeval.metrics; deepeval.metrics.MCPUseMetric",
        "import deepeval; deepeval.metrics.MCPUseMetric",
        "from deepeval.metrics.mcp.mcp_use_metric import MCPUseMetric",
    ],
)
def test_a_missing_name_says_what_to_write_however_it_is_imported(
    tmp_path: Path, line: str
) -> None:
    script = tmp_path / "theirs.py"
    script.write_text(line)
    with pytest.raises(ImportError, match="'MCPUseMetric' of deepeval is not here: `ToolUse"):
        run_script(script)


def test_a_package_that_a_script_needs_is_named(tmp_path: Path) -> None:
    script = tmp_path / "theirs.py"
    script.write_text("from langchain_none.models import Chat")
    done = rag_eval("more", "run-script", script)
    assert done.exit_code == 2
    assert done.stderr == (
        f"error: {str(script)!r} imports 'langchain_none', which is not installed; install its "
        "package, as `pip install langchain-none`\n"
    )
    script.write_text("import json.none")  # no package of that name is missing
    with pytest.raises(ModuleNotFoundError):
        run_script(script)


def test_a_ragas_script_without_a_model_is_told_where_it_gives_one(tmp_path: Path) -> None:
    script = tmp_path / "theirs.py"
    metric = "from ragas import SingleTurnSample, evaluate\n"
    metric += "from ragas.metrics import AspectCritic\n"
    metric += "m = AspectCritic(name='kind', definition='Is it?')\n"
    for use in (
        "evaluate([{'user_input': 'a', 'response': 'b'}], [m])",
        "m.single_turn_score(SingleTurnSample(user_input='a', response='b'))",
    ):
        script.write_text(metric + use)
        done = rag_eval("more", "run-script", script)
        assert done.exit_code == 2
        assert "theirs.py', line 4: 'kind' cannot be judged by rules: give `llm=`" in done.stderr
        assert "judge=" not in done.stderr


def test_metrics_of_functions_check_fields_and_values() -> None:
    @metric_of_function(name="tone", allowed_values=["kind", "rude"])
    async def tone(text: str, words: int = 1) -> object:
        return MetricResult("kind", "It says please.") if words else text

    assert tone.score(text="please") == MetricResult("kind", "It says please.")
    with pytest.warns(UserWarning, match=r"'tone' received unknown arguments: \['beside'\]"):
        assert tone.batch_score([{"text": "rude", "words": 0, "beside": 1}])[0].value == "rude"
    refused = tone.score(text="other", words=0)
    assert refused.value is None
    assert "expected one of ['kind', 'rude']" in str(refused.reason)
    with pytest.raises(TypeError, match=r"not positional: write score\(text='please'\)"):
        tone.score("please")
    with pytest.raises(TypeError, match=r"errors for tone: text: .* valid string; words: "):
        tone.score(text=1, words="many")


def test_a_function_that_fails_or_ranks_too_few_has_no_value() -> None:
    @metric_of_function(name="shortest", allowed_values=2)
    def shortest(texts: list[str], limit: int | None) -> list[int]:
        return sorted(range(len(texts)), key=lambda n: len(texts[n]))[:limit]

    assert shortest.score(texts=["long", "is"]).value == [1, 0]  # what may be None may be left out
    cut = shortest.score(texts=["long", "is"], limit=1)
    assert (cut.value, cut.reason) == (None, "got [1], expected 2 items")

    @metric_of_function(name="broken")
    def broken() -> float:
        raise ZeroDivisionError("no rows")

    failed = broken.score()
    assert failed.value is None
    assert "Error executing metric broken: ZeroDivisionError('no rows')" in str(failed.reason)


def test_a_discrete_metric_names_one_of_its_values() -> None:
    judge = Judge(ScriptedOracle(Grade(level=1, reason="It is not.")))
    metric = DiscreteMetric(name="tone", prompt="Is {response} kind?", allowed_values=["yes", "no"])
    result = metric.score(llm=judge, response="that")
    assert (result.value, result.reason) == ("no", "It is not.")
    with pytest.raises(InputError, match="needs 'response' for its prompt"):
        metric.score(llm=judge)
    with pytest.raises(InputError, match="'tone' needs an LLM"):
        metric.score(response="that")


def test_messages_of_langchain_are_scored_as_a_conversation() -> None:
    class Said:
        def __init__(self, kind: str, content: str, *calls: object) -> None:
            self.type, self.content, self.tool_calls = kind, content, calls

    call = {"name": "look", "args": {"at": "sea"}}
    said = [Said("system", "-"), Said("human", "Weather?"), Said("ai", "", call)]
    messages = convert_to_ragas_messages(said)
    assert [message.role for message in messages] == ["user", "assistant"]
    sample = MultiTurnSample(messages=tuple(messages), reference_tool_calls=(call,))  # type: ignore[arg-type]  # pydantic reads it
    assert ToolCallAccuracy().multi_turn_score(sample) == 1
    with pytest.raises(InputError, match="Unsupported message type: str"):
        convert_to_ragas_messages(["Weather?"])
    with pytest.raises(TypeError, match=r"content must be a string, got \[\]"):
        convert_to_ragas_messages([Said("human", [])])  # type: ignore[arg-type]
    broken = Said("ai", "")
    broken.invalid_tool_calls = [{"args": "{"}]  # type: ignore[attr-defined]
    with pytest.raises(json.JSONDecodeError):
        convert_to_ragas_messages([broken])


def test_messages_come_back_from_their_rows(tmp_path: Path) -> None:
    call = ToolCall(name="look", args={"at": "sea"})
    said = (HumanMessage(content="Weather?"), AIMessage(content="", tool_calls=(call,)))
    dataset = EvaluationDataset([MultiTurnSample(messages=said)])
    dataset.to_jsonl(str(tmp_path / "talks.jsonl"))
    assert EvaluationDataset.from_jsonl(str(tmp_path / "talks.jsonl")) == dataset
    row = [{"content": "Weather?", "type": "human", "metadata": None}]
    first = EvaluationDataset.from_dict([{"user_input": row}])[0]
    assert first.user_input[0] == HumanMessage(content="Weather?")

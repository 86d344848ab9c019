"""Print how many files of the package a reader enters on some walks through it.

    python -m tests.benchmarks.walks [--list]

Each walk runs once under a profiler, in a process of its own. A *file* counts when one of its
functions runs. A *step back* leads into a function that was not read yet, of a file that was read
and left before, from a file that had not led there: the reader has to return to it. Methods of
values that came along are counted apart: who has the value in hand knows where it is written.
Imports and class bodies do not count. *Rules* are `judge/rules` and `testset/rules`,
whose files a reader of the walk need not open. *Functions* are those of the package that run,
*conversions* the calls to pydantic and JSON that they make, *frames* how many of them stand on the
stack where a request reaches the socket.
"""

import argparse
import asyncio
import contextlib
import importlib
import inspect
import io
import json
import pkgutil
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

import llamaindex_rag_eval
import testset
from tests.server import LoopbackServer

if TYPE_CHECKING:
    from llamaindex_rag_eval import LLMOracle

RESPONDERS = "tests.models.responders:RESPONDERS"
REPOSITORY = Path(llamaindex_rag_eval.__file__).parents[1]
PRODUCT = tuple(str(REPOSITORY / package) for package in ("llamaindex_rag_eval", "testset"))
CONVERSIONS = {
    *(("pydantic.main", f"model_{name}") for name in ("validate", "validate_json")),
    *(("pydantic.main", f"model_{name}") for name in ("dump", "dump_json")),
    *(("json", name) for name in ("dumps", "loads")),
}
RULES = ("judge/rules/", "testset/rules/")
DOCUMENTS = REPOSITORY / "examples" / "docs"
SAMPLES = [
    {
        "id": f"q{number}",
        "query": "Where is Paris?",
        "response": f"Paris lies on the Seine. It has {number} bridges.",
        "contexts": ["Paris lies on the Seine.", "It has 37 bridges."],
        "reference": "On the Seine.",
    }
    for number in range(12)
]


class Arrived(BaseException):
    """The request has reached the wire: nothing below it is walked."""


@dataclass
class Walk:
    """The files entered, in order, and the steps back among them.

    Attributes:
        files: In the order in which they are entered.
        back: For each step back, from which file, into which file and which function of it, and
            whether that is a method of a value that came along.
        functions: That were entered.
        conversions: Calls from the product to pydantic and JSON.
        frames: Of the product, on the stack where the request arrives; 0 for other walks.
    """

    files: list[str] = field(default_factory=list)
    back: list[tuple[str, str, str, bool]] = field(default_factory=list)
    functions: int = 0
    conversions: int = 0
    frames: int = 0
    _seen: set[CodeType] = field(default_factory=set)
    _callers: dict[str, set[str]] = field(default_factory=dict)

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Take a profiler's event."""
        if event == "call" and _converts(frame):
            self.conversions += 1
        if event != "call" or frame.f_code in self._seen or not (file := _file_of(frame)):
            return
        self._seen.add(frame.f_code)
        self.functions += 1
        stack = [found for above in _above(frame) if (found := _file_of(above))]
        caller = stack[0] if stack else ""
        if file not in self._callers:
            self.files.append(file)
        elif file not in stack and caller not in self._callers[file] and not _is_rule(file):
            is_method = frame.f_code.co_varnames[:1] == ("self",)
            self.back.append((caller, file, frame.f_code.co_name, is_method))
        self._callers.setdefault(file, set()).add(caller)

    @property
    def without_rules(self) -> list[str]:
        """The files that a reader must open."""
        return [file for file in self.files if not _is_rule(file)]

    def report(self, title: str) -> str:
        """Return the counts in one line."""
        methods = sum(is_method for *_, is_method in self.back)
        return (
            f"{title:44} {len(self.without_rules):4} {len(self.files):12} "
            f"{len(self.back) - methods:11} {methods:9} {self.functions:10} {self.conversions:12} "
            f"{self.frames or '':7}"
        )


def _file_of(frame: FrameType) -> str:
    """Return the product's file in which a function stands, or "" for anything else."""
    name = str(frame.f_globals.get("__file__") or "")  # right for a dataclass's `__init__` as well
    if not name.startswith(PRODUCT) or not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return ""  # a class body or a module is no function
    return name[len(str(REPOSITORY)) + 1 :]


def _converts(frame: FrameType) -> bool:
    """Return whether the product calls one of the functions of pydantic or JSON that convert."""
    return (
        (frame.f_globals.get("__name__"), frame.f_code.co_name) in CONVERSIONS
        and frame.f_back is not None
        and _file_of(frame.f_back) != ""
    )


def _above(frame: FrameType) -> Iterator[FrameType]:
    above = frame.f_back
    while above is not None:
        yield above
        above = above.f_back


def _is_rule(file: str) -> bool:
    return any(part in file for part in RULES)


@contextlib.contextmanager
def walking() -> Iterator[Walk]:
    """Follow every call of this process, in every thread."""
    walk = Walk()
    threading.setprofile(walk)
    sys.setprofile(walk)
    try:
        yield walk
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def import_everything() -> None:
    """Import every module first: what runs at import is no part of a walk."""
    for package in (llamaindex_rag_eval, testset):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)


def sample_to_csv(folder: Path) -> None:
    """Score a file of samples by the command line."""
    answers = folder / "answers.jsonl"
    answers.write_text("".join(json.dumps(sample) + "\n" for sample in SAMPLES), encoding="utf-8")
    command("evaluate", str(answers), "-m", "faithfulness", "-o", str(folder / "scores.csv"))


def document_to_item(folder: Path) -> None:
    """Write a golden set from the example documents by rules."""
    documents = shutil.copytree(DOCUMENTS / "sites", folder / "sites")  # without an index
    command("generate", str(documents), "-o", str(folder / "golden.jsonl"), "--size", "3")


def command(*words: str) -> None:
    """Run a command of the command line in this process, its output aside."""
    program = importlib.import_module("llamaindex_rag_eval.__main__")
    aside = io.StringIO()
    before, sys.argv = sys.argv, ["rag-eval", *words]
    try:
        with contextlib.redirect_stdout(aside), contextlib.redirect_stderr(aside):
            program.main()
    except SystemExit as done:
        if done.code:
            raise RuntimeError(aside.getvalue()) from None
    finally:
        sys.argv = before


def metric_to_wire(folder: Path) -> None:
    """Let a model judge one answer, up to the first HTTP request."""
    from llamaindex_rag_eval import Faithfulness

    del folder
    metric = Faithfulness(model_at("http://127.0.0.1:9/v1"))
    with up_to_the_socket():
        metric.evaluate(
            query="Where is Paris?", response="On the Seine.", contexts=["Paris is on the Seine."]
        )


def judge_to_socket(folder: Path) -> None:
    """Let a judge ask a model that it has asked before, up to the HTTP request."""
    from llamaindex_rag_eval import Judge
    from llamaindex_rag_eval.judge import ClaimsOf

    del folder

    async def ask(judge: Judge, walk: object) -> None:
        await judge.ask(ClaimsOf(text="Ada is tall."))
        sys.setprofile(walk)  # type: ignore[arg-type]  # a profiler
        await judge.ask(ClaimsOf(text="Ada is old."))

    walk = sys.getprofile()
    sys.setprofile(None)
    with LoopbackServer(responders=RESPONDERS) as server:
        judge = Judge(model_at(server.url))
        with up_to_the_socket(calls=1):
            asyncio.run(ask(judge, walk))


def sample_by_model(folder: Path) -> None:
    """Score one sample by one metric, whose judge is a model that was asked before."""
    from llamaindex_rag_eval import Faithfulness

    del folder
    walk = sys.getprofile()
    sys.setprofile(None)
    with LoopbackServer(responders=RESPONDERS) as server:
        metric = Faithfulness(model_at(server.url))
        for name in ("Ada", "Ben"):
            metric.evaluate(query="Who?", response=f"{name} is tall.", contexts=["Ada is tall."])
            sys.setprofile(walk)
        sys.setprofile(None)


def model_at(url: str) -> "LLMOracle":
    """Return a model behind an address."""
    from llama_index.llms.openai import OpenAI

    from llamaindex_rag_eval import Limit, LLMOracle

    llm = OpenAI(model="gpt-4o-mini", api_base=url, api_key="sk-test")
    return LLMOracle(llm, limit=Limit(retries=0))


@contextlib.contextmanager
def up_to_the_socket(calls: int = 0) -> Iterator[None]:
    """End a walk at an HTTP request, after so many that are let through; count its frames."""
    import aiohttp

    request, left = aiohttp.ClientSession._request, calls

    async def arrive(*words: Any, **options: Any) -> Any:
        nonlocal left
        walk, left = sys.getprofile(), left - 1
        if left >= 0:
            return await request(*words, **options)
        sys.setprofile(None)
        if isinstance(walk, Walk):
            walk.frames = sum(_file_of(above) != "" for above in _above(sys._getframe()))
        raise Arrived

    aiohttp.ClientSession._request = arrive  # type: ignore[method-assign]  # for this walk alone
    try:
        yield
    except Arrived:
        pass
    finally:
        aiohttp.ClientSession._request = request  # type: ignore[method-assign]  # put back


def two_runs_to_verdict(folder: Path) -> None:
    """Read two scored runs, compare them, and say what may be said."""
    from llamaindex_rag_eval import Run, compare

    compared = compare(Run.read(folder / "a.jsonl"), Run.read(folder / "b.jsonl"))
    assert isinstance(compared.verdict, tuple)


def write_runs(folder: Path) -> None:
    """Write the two runs that are compared, in a process of its own: nothing is warm."""
    from llamaindex_rag_eval import SingleTurnSample, evaluate

    worse = [{**sample, "response": "It lies on the Rhine."} for sample in SAMPLES]
    for name, rows in (("a", SAMPLES), ("b", worse)):
        samples = [SingleTurnSample.model_validate(row) for row in rows]
        evaluate(samples, metrics=["faithfulness", "answer_correctness"], name=name).to_jsonl(
            folder / f"{name}.jsonl"
        )


WALKS: dict[str, Callable[[Path], None]] = {
    "sample to CSV (evaluate -m faithfulness)": sample_to_csv,
    "document to golden item (generate)": document_to_item,
    "metric to wire (Faithfulness by a model)": metric_to_wire,
    "judge to socket (Judge.ask, a warm model)": judge_to_socket,
    "sample by model (Faithfulness, warm)": sample_by_model,
    "two runs to verdict (compare)": two_runs_to_verdict,
}


def walk_in_this_process(title: str, folder: Path) -> Walk:
    """Walk one way; caches are cold only in a process that did nothing else."""
    import_everything()
    with walking() as walk:
        WALKS[title](folder)
    return walk


def walk_in_a_fresh_process(title: str, folder: Path) -> Walk:
    """Walk one way in a process of its own."""
    words = [sys.executable, "-m", "tests.benchmarks.walks", "--only", title, "--in", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=REPOSITORY)
    return Walk(*json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Print a line for each walk, and with `--list` the files in the order they are entered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="print the files of each walk")
    parser.add_argument("--only", help=argparse.SUPPRESS)
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only == "write runs":
        write_runs(given.folder)
    elif given.only:
        walk = walk_in_this_process(given.only, given.folder)
        counts = [walk.functions, walk.conversions, walk.frames]
        print(json.dumps([walk.files, walk.back, *counts]))
    else:
        print_all(listing=given.list)


def print_all(*, listing: bool) -> None:
    """Walk every way and print what it takes."""
    counts = "files  with rules  steps back  (methods)  functions  conversions  frames"
    print(f"{'walk':44} {counts}")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        runs = [sys.executable, "-m", "tests.benchmarks.walks", "--only", "write runs"]
        subprocess.run([*runs, "--in", folder], check=True, cwd=REPOSITORY)
        for title in WALKS:
            walk = walk_in_a_fresh_process(title, place)
            print(walk.report(title))
            if listing:
                print_files(walk)


def print_files(walk: Walk) -> None:
    """Print the files in the order they are entered, and the steps back."""
    for file in walk.without_rules:
        print(f"    {file}")
    for caller, file, function, is_method in walk.back:
        kind = "method" if is_method else "function"
        print(f"    < from {caller or 'outside'} to {file}: {kind} {function}")


if __name__ == "__main__":
    main()

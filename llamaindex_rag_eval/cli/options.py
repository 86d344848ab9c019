"""Arguments and options that several commands have, as types; others stand with their command."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from llamaindex_rag_eval.cli.llm_options import LlmOptions
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

# What a command prints
AsJson = Annotated[bool, Option("--json", help="Print the result as JSON on stdout.")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print nothing but errors.")]

# Who judges, and by which metrics
Llm = LlmOptions | None
Checker = Annotated[
    str | None,
    Option(
        "--judge",
        metavar="NAME",
        help="A small model that judges which claims the sources support, in place of the LLM or "
        "the rules: nli:MODEL or minicheck:MODEL, of Hugging Face or a folder; or "
        "ollama-minicheck. Settings in brackets, as 'nli:MODEL(threshold=0.7)'. Claims and all "
        "else come from --llm, or from rules.",
    ),
]
Embed = Annotated[
    str | None,
    Option(
        "--embed",
        metavar="NAME",
        help="The embedding model that compares texts: openai:MODEL; openai-like:URL:MODEL; "
        "PROVIDER:MODEL for an installed llama-index-embeddings-PROVIDER, as huggingface:MODEL or "
        "ollama:MODEL; or MODULE:ATTRIBUTE. Without it, their words are compared.",
    ),
]
Cache = Annotated[
    list[str] | None,
    Option(
        "--cache",
        metavar="FILE|URL",
        help="A file (SQLite) or a database URL that keeps the judge's replies, so that nothing "
        "is asked twice, not even by processes that run at the same time. Given again, it names "
        "another one that is only read, as on a read-only mount: --cache new.db --cache shared.db "
        "writes new replies to new.db.",
    ),
]
Metrics = Annotated[
    str | None,
    Option(
        "--metrics",
        "-m",
        metavar="A,B,C",
        help="Which metrics, with settings in brackets, as 'faithfulness(graded=True),ndcg@10'; "
        "`rag-eval metrics` lists them.",
    ),
]
Prompts = Annotated[
    str | None,
    Option(
        "--prompts",
        metavar="LANGUAGE|FOLDER",
        help="The prompts for the LLM: de, ja or zh, or a folder written by `rag-eval prompts`.",
    ),
]
Workers = Annotated[
    int | None,
    Option(
        "--workers",
        min=1,
        help="Processes that score; by default as many as there are cores, if rules have work for "
        "more than some seconds, and one for an LLM, up to four if calls keep a core busy. Scores "
        "are the same for any number, and limits hold for all processes together.",
    ),
]
Concurrency = Annotated[
    int, Option("--concurrency", min=1, help="How many questions are processed at a time.")
]

Images = Annotated[
    Path | None,
    Option(
        "--images",
        metavar="DIR",
        help="The folder that images may be read from which answers name by their path; no image "
        "is read without it, and none that a path or a link leads to elsewhere.",
    ),
]

# What it may cost
MaxCalls = Annotated[
    int | None,
    Option("--max-calls", min=1, help="Stop after this many calls; finished results are kept."),
]
MaxTokens = Annotated[
    int | None, Option("--max-tokens", min=1, help="Stop after this many tokens.")
]
MaxCost = Annotated[float | None, Option("--max-cost", min=0, help="Stop after this many dollars.")]
Prices = Annotated[
    Path | None, Option("--prices", help="A JSON table of prices, in dollars for a million tokens.")
]
DryRun = Annotated[
    bool,
    Option(
        "--dry-run",
        help="Print what the LLM would cost (calls, tokens, money), and ask nothing. What is named "
        "is loaded, so that a mistake is found; OpenAI's models need no key for this.",
    ),
]
Batch = Annotated[
    Path | None,
    Option(
        "--batch",
        metavar="DIR",
        help="Write what the LLM is asked to batch files in this folder, at half the price, and "
        "read its replies from there; run it again with the replies until all is done.",
    ),
]
BatchSubmit = Annotated[
    bool, Option("--batch-submit", help="Send the batch files, and wait for the replies.")
]
BatchFormat = Annotated[
    Literal["openai", "azure", "anthropic"] | None,
    Option(
        "--batch-format",
        help="The form of the batch files; by default that of the LLM's API. Replies are read in "
        "any of them.",
    ),
]
Seed = Annotated[int, Option("--seed", help="The same seed gives the same result.")]

# Stored runs
STORE = str(DEFAULT_STORE)
Store = Annotated[
    str,
    Option(
        "--store",
        envvar="RAG_EVAL_STORE",
        metavar="FILE|URL",
        help="The database of runs: a file, or a URL as postgresql+psycopg://host/name.",
    ),
]
RUN_HELP = "A file, last, last~1, a name, a tag or an id."
StoredRun = Annotated[str, Argument(metavar="RUN", help=RUN_HELP)]
RunName = Annotated[str, Option("--name", "-n", help="Only runs of this name.")]
RunTag = Annotated[str, Option("--tag", "-t", help="Only runs with this tag.")]
LastRuns = Annotated[int, Option("--last", min=1, help="How many of the newest runs.")]

# Documents and golden sets
GoldenDocs = Annotated[
    Path | None, Option("--docs", help="The documents of the golden set, to locate its gold spans.")
]
Golden = Annotated[Path, Argument(help="The golden set.")]

# Generating a golden set
Size = Annotated[
    int,
    Option("--size", "-n", min=1, help="How many questions; `rag-eval plan` says what they show."),
]

# Reading documents
Encoding = Annotated[
    str | None,
    Option(
        "--encoding",
        metavar="NAME",
        help="The encoding of plain text that is not UTF-8 and names none, as 'cp1250'; by default "
        "it is guessed, and a file where several fit is left out by name.",
    ),
]

# Working on a golden set
Port = Annotated[
    int, Option("--port", min=0, max=65535, help="The port to listen on; 0 is any free one.")
]
OpenBrowser = Annotated[bool, Option("--open", help="Open the page in a browser.")]

# Asking an engine
Engine = Annotated[
    str | None,
    Option(
        "--engine",
        metavar="MODULE:ATTRIBUTE|URL",
        help="Your query engine, retriever, chat engine, workflow or agent, or a function that "
        "returns one; or the URL of a service that takes questions as JSON.",
    ),
]
AnswersOut = Annotated[Path, Option("--out", "-o", help="The answers to write, JSON Lines.")]

# Scores and reports
Answers = Annotated[Path, Argument(help="Answers: JSON Lines, CSV or JSON.")]
Clusters = Annotated[
    Literal["documents", "none"],
    Option(
        "--clusters",
        help="What counts as one draw: questions that share a document, or none: each by itself.",
    ),
]

# Other tools
Project = Annotated[
    str,
    Option(
        "--project",
        help="The experiment of MLflow that a run goes to; the name of that in Phoenix and "
        "LangSmith.",
    ),
]
ToolUrl = Annotated[
    str,
    Option(
        "--url",
        help="Where the tool is; by default what MLFLOW_TRACKING_URI, PHOENIX_ENDPOINT, "
        "LANGSMITH_ENDPOINT or LANGFUSE_HOST says.",
    ),
]

# A gate
Margin = Annotated[
    list[str] | None,
    Option(
        "--margin",
        metavar="[METRIC=]X",
        help="The fall of a mean that is accepted, by default a twentieth of its range; of all "
        "metrics, or again of one.",
    ),
]

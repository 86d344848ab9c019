"""Every argument and option of the commands, as a type; a command names the ones it takes."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument, Option

from llamaindex_rag_eval.cli.llm_options import LlmOptions
from llamaindex_rag_eval.engines.defaults import RetrieverKind
from llamaindex_rag_eval.integrations.tool import TOOLS
from llamaindex_rag_eval.runs.store import DEFAULT_STORE
from testset.formats import EXPORT_FORMATS, IMPORT_FORMATS

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
    str | None,
    Option(
        "--cache",
        metavar="FILE|URL",
        help="A file (SQLite) or a database URL that keeps the judge's replies, so that nothing "
        "is asked twice, not even by processes that run at the same time.",
    ),
]
NoCache = Annotated[
    bool,
    Option(
        "--no-cache",
        help="Keep no replies. Without --cache, those of a model are kept beside the run, in "
        "SCORES.replies.db, so that a run that was killed pays for none of them again.",
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
Votes = Annotated[
    int, Option("--votes", min=1, help="Ask an odd number of times and take the majority.")
]
Repeats = Annotated[
    int,
    Option(
        "--repeats",
        min=1,
        help="Judge this many times, independently, and report how much of the variance comes "
        "from the judge; the first judging is the result.",
    ),
]
JudgeRepeats = Annotated[
    int, Option("--repeats", "-r", min=2, help="How often each sample is judged.")
]
Workers = Annotated[
    int | None,
    Option(
        "--workers",
        min=1,
        help="Processes that score, where rules judge; by default as many as there are cores, if "
        "there is work for more than some seconds. Scores are the same for any number.",
    ),
]
On = Annotated[
    str | None,
    Option(
        "--on",
        metavar="ray[://HOST:PORT]",
        help="Work on a Ray cluster: the one that RAY_ADDRESS or this machine has, or that of a "
        "head node. Input may be Parquet, a folder, or a URI as s3://bucket/answers/; --out is a "
        "folder or a URI, which Parquet files are written to.",
    ),
]
PrepareOn = Annotated[
    str | None,
    Option(
        "--on",
        metavar="ray[://HOST:PORT]",
        help="Read, cut and count the documents on a Ray cluster, whose nodes see them at the same "
        "path.",
    ),
]
AskOn = Annotated[
    str | None,
    Option(
        "--on",
        metavar="ray[://HOST:PORT]",
        help="Ask on a Ray cluster: each worker makes the engine for itself, on a node that can "
        "import it and sees its --docs.",
    ),
]
AskWorkers = Annotated[
    int | None,
    Option(
        "--workers",
        min=1,
        help="With --on: how many workers; by default one for each core, --concurrency at most.",
    ),
]
Concurrency = Annotated[
    int, Option("--concurrency", min=1, help="How many questions are processed at a time.")
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
UiFolder = Annotated[
    Path, Argument(help="The folder of a project: its stored runs, and files of runs in it.")
]
UiStore = Annotated[
    str | None,
    Option(
        "--store",
        envvar="RAG_EVAL_STORE",
        metavar="FILE|URL",
        help=f"Another database of runs than FOLDER/{STORE}: a file, or a URL.",
    ),
]
RUN_HELP = "A file, last, last~1, a name, a tag or an id."
StoredRun = Annotated[str, Argument(metavar="RUN", help=RUN_HELP)]
RunName = Annotated[str, Option("--name", "-n", help="Only runs of this name.")]
RunTag = Annotated[str, Option("--tag", "-t", help="Only runs with this tag.")]
LastRuns = Annotated[int, Option("--last", min=1, help="How many of the newest runs.")]
AddRuns = Annotated[
    list[Path] | None,
    Option("--add", metavar="FILE", help="Store this run, under --name and --tag."),
]
DeleteRuns = Annotated[list[str] | None, Option("--delete", metavar="RUN", help="Delete this run.")]
Keep = Annotated[
    bool, Option("--keep", "-k", help="Store the run, for `runs`, `compare`, `trend`, `ui`.")
]
NewName = Annotated[str, Option("--name", "-n", help="The name of the run.")]
NewTags = Annotated[
    list[str] | None, Option("--tag", "-t", help="A tag to find the run by; repeatable.")
]
RunOut = Annotated[
    Path | None, Option("--out", "-o", help="Write the whole run to this .jsonl file.")
]
TrendMetric = Annotated[str, Argument(help="Which metric, as 'faithfulness' or 'ndcg@10'.")]

# Documents and golden sets
NewProject = Annotated[
    Path, Argument(metavar="FOLDER", help="Where; by default the current folder.")
]
Docs = Annotated[Path, Argument(help="A folder of documents, or one document.")]
DemoDocs = Annotated[Path | None, Argument(help="Your documents; the examples' if not given.")]
ChangedDocs = Annotated[Path, Argument(help="The documents as they are now.")]
EngineDocs = Annotated[
    Path | None,
    Option("--docs", help="Instead of an engine: documents for a default one that needs no model."),
]
GoldenDocs = Annotated[
    Path | None, Option("--docs", help="The documents of the golden set, to locate its gold spans.")
]
Golden = Annotated[Path, Argument(help="The golden set.")]
NewGolden = Annotated[Path, Argument(help="The golden set; created if it does not exist.")]
Questions = Annotated[Path, Argument(help="A golden set, or any file of questions.")]
GoldenOut = Annotated[Path, Option("--out", "-o", help="The golden set to write, JSON Lines.")]
GeneratedOut = Annotated[
    Path | None,
    Option(
        "--out",
        "-o",
        help="The golden set to write, JSON Lines; by default golden.jsonl, or the set that is "
        "extended.",
    ),
]
RefreshedOut = Annotated[
    Path | None, Option("--out", "-o", help="Write here; by default the golden set is replaced.")
]
DemoOut = Annotated[Path, Option("--out", "-o", help="The folder to write to.")]

# Generating a golden set
Size = Annotated[
    int,
    Option("--size", "-n", min=1, help="How many questions; `rag-eval plan` says what they show."),
]
Types = Annotated[str | None, Option("--types", help="Question types, as 'single_hop,table'.")]
Language = Annotated[str | None, Option("--language", help="Ask in this language only, as 'en'.")]
Extend = Annotated[
    Path | None,
    Option(
        "--extend",
        metavar="FILE",
        help="A golden set that grows to --size: its items stay byte for byte, documents that "
        "nobody asks about come first, nothing is asked twice, each document stays in its split.",
    ),
]
Traffic = Annotated[
    Path | None,
    Option(
        "--traffic",
        metavar="FILE",
        help="Who asks what, as YAML, in place of --types, --personas and --style: under "
        "'categories' a list, each with its 'share' in percent and any of 'user', 'type', 'kind', "
        "'style', 'language', 'difficulty' (easy, medium, hard), 'length' (short, medium, long): a "
        "value, a list, or values with shares, as {easy: 70, hard: 30}.",
    ),
]
QuestionLog = Annotated[
    Path | None,
    Option(
        "--log",
        metavar="FILE",
        help="Questions that people asked, .csv or .jsonl with 'query', in place of --traffic: "
        "languages and lengths are counted, the LLM says who asks what, and how. No question of "
        "it is copied into the set; `rag-eval add` does that.",
    ),
]
Personas = Annotated[
    str | None,
    Option(
        "--personas",
        metavar="A,B|FILE",
        help="Who asks: names by commas, or a file with a person a line (with --llm).",
    ),
]
Style = Annotated[
    str | None,
    Option(
        "--style",
        help="How questions are worded: plain, web_search, misspelt, formal, chat; several by "
        "commas (with --llm).",
    ),
]
SeedExamples = Annotated[
    Path | None,
    Option("--seed-examples", help="A file of example questions, one a line (with --llm)."),
]
MaxByHeart = Annotated[
    float | None,
    Option(
        "--max-by-heart",
        min=0,
        max=1,
        help="Share of the set that the model may answer without documents (with --llm); by "
        "default the model is not asked.",
    ),
]
Fill = Annotated[
    bool,
    Option(
        "--fill",
        help="Let rules write what the model leaves because of its budget (with --llm).",
    ),
]
SearchEmbed = Annotated[
    str | None,
    Option(
        "--embed",
        metavar="NAME",
        help="An embedding model that searches beside BM25 for other answers, and by which "
        "difficulty is measured; named as in `rag-eval evaluate --embed`.",
    ),
]
DeployedRetriever = Annotated[
    str | None,
    Option(
        "--retriever",
        metavar="MODULE:ATTRIBUTE|URL",
        help="Your retriever or query engine over these documents, a function that returns one, or "
        "the URL of a service that replies with contexts: difficulty is measured by it, and other "
        "answers and hard negatives are looked for in what it finds.",
    ),
]
CheckedRetriever = Annotated[
    str | None,
    Option(
        "--retriever",
        metavar="MODULE:ATTRIBUTE|URL",
        help="Your retriever or query engine over these documents, a function that returns one, or "
        "the URL of a service that replies with contexts: what it finds is checked, too.",
    ),
]
CardOut = Annotated[Path | None, Option("--card", help="Also write a data card, Markdown.")]
Journal = Annotated[
    Path | None, Option("--journal", help="The checkpoint file; by default beside the output.")
]

# Reading traces
TraceFiles = Annotated[
    list[Path], Argument(metavar="FILE…", help="Traces: .json, .jsonl or .parquet files.")
]
TraceSample = Annotated[
    int | None, Option("--sample", min=1, help="Take so many traces at random; by default all.")
]
KeepRepeats = Annotated[
    bool,
    Option(
        "--keep-repeats",
        help="Keep traces with the question and the answer of another; by default they are one.",
    ),
]
MaskPatterns = Annotated[
    list[str] | None,
    Option(
        "--mask",
        metavar="NAME=REGEX",
        help="More personal data to mask, as 'STAFF=S-[0-9]{6}'; EMAIL, PHONE, CARD or IBAN as "
        "the name replaces what is masked by default. Several times for several.",
    ),
]
KeepPersonal = Annotated[
    bool, Option("--keep-personal-data", help="Mask nothing; texts stay as they were traced.")
]

# Working on a golden set
Logs = Annotated[list[Path], Argument(help="Samples: .jsonl, .csv or .json files.")]
LogSource = Annotated[
    str, Option("--source", help="Where the questions come from; stored with each.")
]
Referenced = Annotated[
    bool, Option("--referenced", help="Leave out samples without a reference answer.")
]
CardFile = Annotated[
    Path | None, Option("--out", "-o", help="Write it here; by default it is printed.")
]
ExportTo = Annotated[str, Option("--to", metavar="FORMAT", help=f"{', '.join(EXPORT_FORMATS)}.")]
ExportOut = Annotated[Path, Option("--out", "-o", help="The file; a folder for autorag and beir.")]
ImportPath = Annotated[Path, Argument(help="The file; a folder for autorag and beir.")]
ImportFrom = Annotated[
    str, Option("--from", metavar="FORMAT", help=f"{', '.join(IMPORT_FORMATS)}.")
]
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
ReplyMap = Annotated[
    str | None,
    Option(
        "--map",
        metavar="FIELD=PATH,…",
        help="Where a service's reply has the fields, as JSON paths: "
        "'response=$.answer,contexts=$.sources[*].text,context_ids=$.sources[*].id'; also "
        "context_scores, prompt_tokens, completion_tokens, cost, first_token. Without it, the "
        "names response or answer, contexts, context_ids are looked for.",
    ),
]
RequestBody = Annotated[
    str | None,
    Option(
        "--body",
        metavar="JSON|FILE",
        help="What is posted to a service, with {question} in its place, also {id}, and "
        '"{messages}" for the conversation; by default \'{"question": "{question}"}\'.',
    ),
]
RequestHeaders = Annotated[
    list[str] | None,
    Option(
        "--header",
        metavar="NAME: VALUE",
        help="A header for a service, with keys from the environment only: "
        "'Authorization: Bearer ${MY_KEY}'. Several times for several.",
    ),
]
User = Annotated[
    str | None,
    Option(
        "--user",
        metavar="script|LLM",
        help="Let a simulated user go on after each answer, until the goal is reached: 'script' "
        "says the question's list 'script'; an LLM, as openai:gpt-4o-mini, speaks as its 'persona' "
        "who wants its 'goal'. --max-calls and --max-cost limit the LLM.",
    ),
]
Turns = Annotated[
    int, Option("--turns", min=1, help="Messages of the simulated user in a conversation.")
]
Retriever = Annotated[
    RetrieverKind, Option("--retriever", help="How the default engine retrieves.")
]
TopK = Annotated[int, Option("--top-k", min=1, help="Contexts that the default engine retrieves.")]
Timeout = Annotated[float | None, Option("--timeout", help="Seconds for one question.")]
AnswerRepeats = Annotated[
    int, Option("--repeats", min=1, help="Ask each question so often: how much do answers vary?")
]
Retries = Annotated[
    int, Option("--retries", min=0, help="Tries after a lost connection or rate limit.")
]
AnswersOut = Annotated[Path, Option("--out", "-o", help="The answers to write, JSON Lines.")]

# Scores and reports
Answers = Annotated[Path, Argument(help="Answers: JSON Lines, CSV or JSON.")]
ScoresOut = Annotated[
    Path,
    Option(
        "--out", "-o", help="The table of scores, CSV; the whole run goes beside it, as .jsonl."
    ),
]
MetricName = Annotated[
    str | None, Argument(help="One metric, by its name or another tool's name for it.")
]
ReportRuns = Annotated[
    list[str],
    Argument(
        metavar="RUN...",
        help="One run, or several to compare with the first: files (.jsonl) or stored runs.",
    ),
]
ReportOut = Annotated[Path, Option("--out", "-o", help="The report to write.")]
ReportCard = Annotated[
    Path | None,
    Option(
        "--card",
        help="The golden set that was asked, or the data card that `generate --card` wrote. "
        "By default golden.jsonl beside the run, if it contains the questions.",
    ),
]
ComparedRuns = Annotated[
    list[str],
    Argument(
        metavar="RUN...",
        help="The baseline, then what is compared with it: files of answers or of runs; or "
        "stored runs: last, last~1, a name, a tag or an id.",
    ),
]
Baseline = Annotated[
    str | None, Option("--baseline", "-b", metavar="RUN", help="The baseline, if not the first.")
]
AlsoReport = Annotated[Path | None, Option("--report", "-r", help="Also write an HTML report.")]
Clusters = Annotated[
    Literal["documents", "none"],
    Option(
        "--clusters",
        help="What counts as one draw: questions that share a document, or none: each by itself.",
    ),
]

# Other tools
PublishedWhat = Annotated[
    str,
    Argument(
        metavar="RUN|GOLDEN",
        help="A run: a file (.jsonl), last, last~1, a name, a tag or an id. Or a golden set, which "
        "becomes a dataset.",
    ),
]
PublishTo = Annotated[str, Option("--to", metavar="TOOL", help=f"{', '.join(TOOLS)}.")]
FetchFrom = Annotated[str, Option("--from", metavar="TOOL", help=f"{', '.join(TOOLS)}.")]
FetchedName = Annotated[str, Argument(metavar="NAME", help="The dataset there, or the experiment.")]
Experiment = Annotated[
    bool,
    Option(
        "--experiment",
        help="NAME is an experiment, which has answers; of MLflow the id of a run, of Phoenix "
        "that of the experiment.",
    ),
]
FetchedOut = Annotated[Path, Option("--out", "-o", help="The samples to write, JSON Lines.")]
DatasetName = Annotated[
    str, Option("--dataset", help="The name of the dataset; by default that of the run or file.")
]
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
ReportLink = Annotated[
    str,
    Option(
        "--link",
        metavar="URL",
        help="Where the report of this run can be read: scores link to their evidence in it. "
        "MLflow gets the report itself.",
    ),
]

# A sweep
SweepPlace = Annotated[
    Path,
    Argument(
        metavar="SWEEP",
        help="What to try, YAML. An engine may have a name to tell its settings by; a single value "
        "of a parameter is one for all. Further keys: first (questions that all are asked), alpha, "
        "max_failed, clusters, seed, timeout, concurrency, model (prices the tokens of answers).",
    ),
]
SweepOut = Annotated[
    Path,
    Option("--out", "-o", help="The folder of the result, of answers, scores and replies."),
]

# A plan
Effect = Annotated[
    float, Option("--effect", help="The difference to be shown, in the unit of the metrics.")
]
PilotRuns = Annotated[
    list[str] | None,
    Option("--pilot", metavar="RUN", help="A run to plan from; give it twice for two pipelines."),
]
PlannedSize = Annotated[
    int | None, Option("--size", "-n", min=2, help="Also say what so many questions can show.")
]
Power = Annotated[
    float, Option("--power", min=0.1, max=0.99, help="The chance to show the difference.")
]

# A gate
AtLeast = Annotated[
    list[str] | None, Option("--min", metavar="METRIC=X", help="The mean is X or more.")
]
AtMost = Annotated[
    list[str] | None, Option("--max", metavar="METRIC=X", help="The mean is X or less.")
]
LowAtLeast = Annotated[
    list[str] | None,
    Option("--min-lower-bound", metavar="METRIC=X", help="The interval's low end is X or more."),
]
HighAtMost = Annotated[
    list[str] | None,
    Option("--max-upper-bound", metavar="METRIC=X", help="The interval's top end is X or less."),
]
NoWorseThan = Annotated[
    str | None,
    Option(
        "--no-worse-than",
        metavar="RUN",
        help="Every metric is shown not to be worse than in this run by the margin or more.",
    ),
]
Margin = Annotated[
    list[str] | None,
    Option(
        "--margin",
        metavar="[METRIC=]X",
        help="The fall of a mean that is accepted, by default a twentieth of its range; of all "
        "metrics, or again of one.",
    ),
]
MaxUndefined = Annotated[
    float,
    Option("--max-undefined", help="Greatest share of a metric's results that may be undefined."),
]
MinScored = Annotated[
    int, Option("--min-scored", help="Fewest scores of which a mean is held to a threshold.")
]
AllowInconclusive = Annotated[
    bool, Option("--allow-inconclusive", help="Accept too few questions to tell.")
]
AllowOtherData = Annotated[
    bool, Option("--allow-other-data", help="Accept other questions or references than before.")
]
AllowOtherJudge = Annotated[
    bool, Option("--allow-other-judge", help="Accept another judge, direction or bounds.")
]
AllowUncompared = Annotated[
    bool, Option("--allow-uncompared", help="Accept metrics that cannot be compared.")
]
MaxMissing = Annotated[
    float | None,
    Option("--max-missing", help="Greatest share of a metric's results that may be missing; 0."),
]
MaxFailed = Annotated[
    int | None, Option("--max-failed", help="Greatest number of results that failed.")
]
JUnit = Annotated[Path | None, Option("--junit", help="Write the outcome as JUnit XML.")]
Summary = Annotated[Path | None, Option("--summary", help="Write the outcome as Markdown.")]

# Calibrating a judge
Labels = Annotated[
    Path | None, Argument(help="Labels by people: CSV or JSON Lines with an id and a label.")
]
JudgedRun = Annotated[str, Option("--run", metavar="RUN", help=RUN_HELP)]
OtherRun = Annotated[
    str | None,
    Option("--other", metavar="RUN", help="Another judge's run: label where the two differ."),
]
LabelMetric = Annotated[
    str, Option("--metric", help="Which to label next; the first one by default.")
]
Threshold = Annotated[
    float | None, Option("--threshold", help="The lowest score that the judge passes.")
]
Scale = Annotated[
    tuple[float, float], Option("--scale", help="The lowest and the highest label, as 1 5.")
]
NextLabels = Annotated[
    int, Option("--next", min=0, help="Write a sheet with this many samples to label.")
]
SheetOut = Annotated[
    Path, Option("--out", "-o", help="The sheet to write; it is never overwritten.")
]
CalibrationPage = Annotated[
    Path | None,
    Option("--report", help="Write an HTML page, with the reliability plot, to this file."),
]

# Cached replies
CachePlace = Annotated[
    str, Argument(help="The file or URL given as --cache, as 'replies.db'.", metavar="CACHE")
]
CacheOut = Annotated[Path, Option("--out", "-o", help="A JSON Lines file.")]
Yes = Annotated[bool, Option("--yes", "-y", help="Do not ask.")]

# Prompts
PromptsOut = Annotated[Path, Argument(help="The folder to write to, a JSON file a prompt.")]
PromptsLanguage = Annotated[
    str,
    Option(
        "--language",
        help="en, de, ja or zh; or, with --llm, the English name of any other, as Portuguese.",
    ),
]

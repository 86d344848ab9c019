"""What `rag-eval generate` alone is told: documents, questions, and how they are checked."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

PrepareOn = Annotated[
    str | None,
    Option(
        "--on",
        metavar="ray[://HOST:PORT]",
        help="Read, cut and count the documents on a Ray cluster, whose nodes see them at the same "
        "path.",
    ),
]
PrepareWorkers = Annotated[
    int | None,
    Option(
        "--workers",
        min=1,
        help="Processes that read documents and ask by rules; by default one on each core, where "
        "there is enough to do. The set is the same for any number.",
    ),
]
Docs = Annotated[Path, Argument(help="A folder of documents, or one document.")]
GeneratedOut = Annotated[
    Path | None,
    Option(
        "--out",
        "-o",
        help="The golden set to write, JSON Lines; by default golden.jsonl, or the set that is "
        "extended.",
    ),
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
CardOut = Annotated[Path | None, Option("--card", help="Also write a data card, Markdown.")]
Journal = Annotated[
    Path | None, Option("--journal", help="The checkpoint file; by default beside the output.")
]

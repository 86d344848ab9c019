"""What `rag-eval generate` alone is given: what is wanted, and who asks."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

import llamaindex_rag_eval as rag
import testset
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.inputs import lines_in, names_in, people_in
from llamaindex_rag_eval.cli.options import MODEL, VOICES, Retriever, Seed, Size, options
from llamaindex_rag_eval.errors import InputError


@options()
class Wanted:
    """What the set is to contain."""

    size: Size = 50
    types: str | None = None
    """Question types, as 'single_hop,table'."""
    language: str | None = None
    """Ask in this language only, as 'en'."""
    seed: Seed = 7
    extend: Annotated[Path | None, Parameter(metavar="FILE")] = None
    """A golden set that grows to --size: its items stay byte for byte, documents that nobody asks
    about come first, nothing is asked twice, each document stays in its split."""
    retriever: Retriever = None
    """Your retriever or query engine over these documents, a function that returns one, or the URL
    of a service that replies with contexts: difficulty is measured by it, and other answers and
    hard negatives are looked for in what it finds."""
    embed: Annotated[str | None, Parameter(metavar="NAME", group=MODEL)] = None
    """An embedding model that searches beside BM25 for other answers, and by which difficulty is
    measured; named as in `rag-eval evaluate --embed`."""

    def config(self) -> "testset.Options":
        """Return what is wanted, files as what they contain."""
        options: testset.Options = {
            "size": self.size,
            "seed": self.seed,
            "types": names_in(self.types) or None,  # type: ignore[typeddict-item]  # checked there
            "language": self.language,
            "extend": None if self.extend is None else testset.GoldenSet.read(self.extend),
        }
        if self.retriever is not None:
            options["retriever"] = library.retriever_at(self.retriever)
        if self.embed is not None:
            options["embed_model"] = rag.embed_model_at(self.embed)
        return options


@options(group=VOICES)
class Voices:
    """Who asks, and how; most of it only a model can be asked for."""

    personas: Annotated[str | None, Parameter(metavar="A,B|FILE")] = None
    """Who asks: names by commas, or a file with a person a line (with --llm)."""
    style: str | None = None
    """How questions are worded: plain, web_search, misspelt, formal, chat; several by commas (with
    --llm)."""
    seed_examples: Path | None = None
    """A file of example questions, one a line (with --llm)."""
    max_by_heart: Annotated[float | None, Parameter(validator=Number(gte=0, lte=1))] = None
    """Share of the set that the model may answer without documents (with --llm); by default the
    model is not asked."""
    fill: bool = False
    """Let rules write what the model leaves because of its budget (with --llm)."""
    traffic: Annotated[Path | None, Parameter(metavar="FILE")] = None
    """Who asks what, as YAML, in place of --types, --personas and --style: under 'categories' a
    list, each with its 'share' in percent and any of 'user', 'type', 'kind', 'style', 'language',
    'difficulty' (easy, medium, hard), 'length' (short, medium, long): a value, a list, or values
    with shares, as {easy: 70, hard: 30}."""
    log: Annotated[Path | None, Parameter(metavar="FILE")] = None
    """Questions that people asked, .csv or .jsonl with 'query', in place of --traffic: languages
    and lengths are counted, the LLM says who asks what, and how. No question of it is copied into
    the set; `rag-eval golden add` does that."""

    def config(self, llm: str | None) -> "testset.Options":
        """Return who asks and how, files as what they contain."""
        if llm is None and (self.personas or self.style or self.seed_examples or self.fill):
            raise InputError("--personas, --style, --seed-examples and --fill need --llm")
        return {
            "fill": self.fill,
            "personas": None if self.personas is None else people_in(self.personas),
            "styles": names_in(self.style) or None,
            "examples": () if self.seed_examples is None else lines_in(self.seed_examples),
            "max_by_heart": self.max_by_heart,
            "traffic": None if self.traffic is None else testset.Traffic.read(self.traffic),
            "log": None if self.log is None else testset.QueryLog.read(self.log),
        }

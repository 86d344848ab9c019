"""Is the embedded judge right on pairs that differ in one thing? A table by kind and language.

    python -m tests.benchmarks.pairs [--kinds number,path] [--language de] [--seen-only]
        [--origin written] [--show 20 [--held-out]]

A pair is two claims about one source: the source supports the first, not the second. `false` is
how many of the second the judge calls supported, `kept` how many of the first; for pairs of
answers, how many are called right. Rules are built on the kinds in `SEEN` alone; whoever builds
them runs this with `--seen-only`. The others are measured only, and `--show` hides them unless
`--held-out` is there, too.

Pairs come from frames of our own (`written_pairs`) and from documents (`document_pairs`): the
examples' and those of `RAG_EVAL_DATA`, read as they are; their texts are not stored.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence

from llamaindex_rag_eval.judge import SupportOf
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdictOf
from tests.benchmarks.document_pairs import document_pairs
from tests.benchmarks.written_pairs import Pair, written_pairs

LANGUAGES = ("en", "de", "zh", "ja")
KINDS = (
    *("number", "unit", "currency", "date", "version", "flag", "path", "command", "name", "title"),
    *("role", "order", "place", "frequency", "condition dropped", "quantifier", "negation inside"),
    *("negation across", "comparison turned", "list item", "yes/no", "hedge", "refusal"),
    *("translation", "transliteration", "synonym", "abbreviation", "word order"),
    *("active and passive", "echo", "fragment"),
)
SEEN = KINDS[::2]
"""What rules may be built on; the kinds between them are held out."""
HELD_OUT = KINDS[1::2]

Judged = tuple[Pair, bool, bool]
"""A pair, whether its right claim is accepted, and whether its wrong one is."""


def pairs(languages: Sequence[str] = LANGUAGES, kinds: Sequence[str] = KINDS) -> list[Pair]:
    """Return the pairs of these kinds, those of documents after the written ones."""
    every = [
        pair
        for language in languages
        for pair in (*written_pairs(language), *document_pairs(language))
    ]
    return [pair for pair in every if pair.kind in kinds]


def is_accepted(pair: Pair, text: str) -> bool:
    """Return whether the judge calls a claim supported, or an answer right."""
    if pair.task == "support":
        request = SupportOf(claims=(text,), sources=(pair.source,))
        return request.by_rule().verdicts[0].supported
    asked = AnswerVerdictOf(
        query=pair.question, response=text, references=(pair.source,), expected=pair.expected
    )
    return asked.by_rule().verdict == "right"


def judged(asked: Iterable[Pair]) -> list[Judged]:
    """Return what the judge says of pairs."""
    return [(pair, is_accepted(pair, pair.right), is_accepted(pair, pair.wrong)) for pair in asked]


def table(results: Iterable[Judged]) -> str:
    """Return the table: n pairs, and per cent false and kept, of all and by language."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for pair, kept, passed in results:
        part = "seen" if pair.kind in SEEN else "held out"
        for name in (pair.kind, f"all {part}", f"{part}: {pair.origin}", "all"):
            for language in ("", pair.language):
                counts.update({(name, language, "n"): 1})
                counts.update({(name, language, "kept"): kept, (name, language, "false"): passed})
    titles = [f"{'':24}{'n':>6}{'false':>7}{'kept':>6}", *(f"{each:>12}" for each in LANGUAGES)]
    totals = [
        f"{part}{rest}" for part in ("seen", "held out") for rest in (": written", ": documents")
    ]
    blocks = [SEEN, HELD_OUT, (*totals, "all seen", "all held out", "all")]
    lines = ["".join(titles)]
    for block in blocks:
        rows = [_line(name, counts) for name in block if counts[name, "", "n"]]
        lines += [*rows, ""] if rows else []
    return "\n".join(lines)


def _line(name: str, counts: Counter[tuple[str, str, str]]) -> str:
    def share(language: str, what: str) -> str:
        n = counts[name, language, "n"]
        return f"{100 * counts[name, language, what] / n:.0f}" if n else "–"

    cells = [f"{share(each, 'false')} / {share(each, 'kept')}" for each in LANGUAGES]
    return (
        f"{name:24}{counts[name, '', 'n']:6}{share('', 'false'):>7}{share('', 'kept'):>6}"
        + "".join(f"{cell:>12}" for cell in cells)
    )


def failures(results: Iterable[Judged], *, held_out: bool) -> list[str]:
    """Return the claims that are judged wrongly, with their sources."""
    wrong = []
    for pair, kept, passed in results:
        if pair.kind in SEEN or held_out:
            about = f"{pair.question} [{pair.source}]".strip()
            head = f"{pair.kind}, {pair.language}, {pair.origin}: {about}"
            wrong += [f"{head}\n    not kept: {pair.right}"] * (not kept)
            wrong += [f"{head}\n    false: {pair.wrong}"] * passed
    return wrong


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The embedded judge on minimal pairs.")
    parser.add_argument("--kinds", default=",".join(KINDS), help="names, separated by commas")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="may be repeated")
    parser.add_argument("--seen-only", action="store_true", help="leave out the kinds held out")
    parser.add_argument("--origin", choices=("written", "documents"), help="pairs of one origin")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N failures")
    parser.add_argument("--held-out", action="store_true", help="show those held out, too")
    options = parser.parse_args()
    unknown = sorted(set(options.kinds.split(",")) - set(KINDS))
    if unknown:
        parser.error(f"unknown kinds {unknown!r}; expected some of {', '.join(KINDS)}")
    return options


def main() -> None:
    """Print the table, and failures where they were asked for."""
    options = _options()
    kinds = [kind for kind in options.kinds.split(",") if kind in SEEN or not options.seen_only]
    asked = pairs(options.language or LANGUAGES, kinds)
    results = judged(pair for pair in asked if options.origin in {None, pair.origin})
    print(table(results))
    for each in failures(results, held_out=options.held_out)[: options.show]:
        print(each)


if __name__ == "__main__":
    main()

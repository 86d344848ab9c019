"""Do forty chosen questions order retrievers as people's questions do?

    python -m tests.benchmarks.set_quality

Twenty retrievers over the passages of a corpus (BM25, TF-IDF over words and characters, latent
semantics; some over documents cut short, some with noise) answer people's questions, those that
rules write, and those that a model wrote (`recorded/set_quality.json` says which and when: their
words and the first document of their evidence). Ten retrievers, drawn at random, are the pilot runs
by which questions are chosen. The other ten are ordered by reciprocal rank: by forty questions, or
all, and by 200 of people's that are not among them. Printed is the mean of Kendall's τ of the two
orders over 100 draws, with its standard error over draws; beside it what `set_quality` says of
these questions by the pilot runs alone: τ of two halves, and τ with the true order, simulated.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import bm25s  # type: ignore[import-untyped]  # has none
import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from llamaindex_rag_eval.stats.items import fit_items, simulated_tau, split_half_tau
from tests.corpora import corpus, data_folder, questions
from testset import GoldenSet, generate

Array = NDArray[np.float64]
Numbers = NDArray[np.signedinteger[Any]]
Search = Callable[[list[str]], Array]
"""Questions -> a score of each document, shape `(questions, documents)`."""

Question = tuple[str, str]
"""Its words, with those of the conversation before it as an engine is asked, and the id of the
first document of its evidence."""

BY_MODEL = Path(__file__).parent / "recorded" / "set_quality.json"
SIZE, TRUTH, DRAWS = 40, 200, 100
FEWEST = 10


def main() -> None:
    """Print a row a way of choosing questions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", nargs="+", default=["xquad_en", "jsquad_ja"])
    parser.add_argument("--pool", type=int, default=200, help="questions that rules write")
    options = parser.parse_args()
    folder = data_folder()
    if folder is None:
        raise SystemExit("the corpora are not here; set RAG_EVAL_DATA to the folder")
    for name in options.corpora:
        documents = corpus(folder, name)
        texts = {document.doc_id: document.text for document in documents.documents}
        searches = retrievers(list(texts.values()))
        by_people = [(s.query, (s.gold or ())[0][0].doc_id) for s in questions(folder, name)]
        by_rules = written_in(generate(documents, size=options.pool, seed=7))
        by_model = json.loads(BY_MODEL.read_text(encoding="utf-8"))["questions"].get(name, [])
        people = reciprocal_ranks(by_people, list(texts), searches)
        print(f"\n{name}")
        for writer, own in (("people", by_people), ("rules", by_rules), ("a model", by_model)):
            if len(own) < FEWEST:
                print(f"by {writer}: only {len(own)} questions")
                continue
            scores = people if own is by_people else reciprocal_ranks(own, list(texts), searches)
            print(f"by {writer}: {len(own)} questions, mean reciprocal rank {scores.mean():.2f}")
            ways = ("at random", at_random), ("chosen", by_information), ("all", every)
            for how, choose in ways:
                taus, *estimates = agreement(scores, people, choose, same=scores is people)
                error = taus.std() / len(taus) ** 0.5
                shown = "halves {:.2f}, simulated {:.2f}".format(*estimates)
                print(f"  {how:10} τ {taus.mean():.2f} ± {error:.2f}; {shown}", flush=True)


def written_in(items: GoldenSet) -> list[Question]:
    """Return the questions of a set that have evidence, with the conversations before them."""
    return [(i.sample().asked, i.gold[0][0].doc_id) for i in items if i.gold]


def agreement(
    scores: Array,
    people: Array,
    choose: Callable[[Array, np.random.Generator], Numbers],
    *,
    same: bool,
) -> tuple[Array, float, float]:
    """Return τ of the orders, one a draw, and τ of halves and simulated, by the pilot runs."""
    rng, taus, halves, simulated = np.random.default_rng(3), [], [], []
    for _ in range(DRAWS):
        order = rng.permutation(people.shape[1])
        truth, rest = order[:TRUTH], order[TRUTH:]
        pilot, tested = np.split(rng.permutation(len(people)), 2)
        pool = scores[:, rest] if same else scores
        chosen = pool[:, choose(pool[pilot], rng)]
        means = chosen[tested].mean(axis=1), people[np.ix_(tested, truth)].mean(axis=1)
        taus.append(kendalltau(*means).statistic)
        halves.append(split_half_tau(chosen[pilot], runs=10, seed=0).mean())
        fit = fit_items(chosen[pilot])
        simulated.append(simulated_tau(fit, chosen.shape[1], runs=10, seed=0).mean())
    return np.nan_to_num(np.array(taus)), float(np.mean(halves)), float(np.mean(simulated))


def at_random(scores: Array, rng: np.random.Generator) -> Numbers:
    """Return the numbers of forty questions."""
    return rng.permutation(scores.shape[1])[:SIZE]


def every(scores: Array, rng: np.random.Generator) -> Numbers:
    """Return the numbers of all questions."""
    del rng
    return np.arange(scores.shape[1])


def by_information(scores: Array, rng: np.random.Generator) -> Numbers:
    """Return the numbers of the forty questions that tell the pilot runs apart best."""
    del rng
    return np.argsort(-fit_items(scores).information(), kind="stable")[:SIZE]


def reciprocal_ranks(
    own_questions: Sequence[Question], doc_ids: list[str], searches: Sequence[Search]
) -> Array:
    """Return 1 / rank of the first document of the evidence, shape `(retrievers, questions)`."""
    gold = np.array([doc_ids.index(doc_id) for _, doc_id in own_questions])
    texts, rows = [text for text, _ in own_questions], []
    for search in searches:
        scores = search(texts)
        own = scores[np.arange(len(gold)), gold][:, None]
        rows.append(1 / (1 + (scores > own).sum(axis=1) + ((scores == own).sum(axis=1) - 1) / 2))
    return np.array(rows)


def retrievers(texts: list[str]) -> list[Search]:
    """Return twenty retrievers."""
    east = any("\u3040" <= character <= "\u9fff" for character in texts[0])
    word = {"analyzer": "char", "ngram_range": (2, 2)} if east else {"analyzer": "word"}
    more = {"analyzer": "char", "ngram_range": (1, 2)} if east else {"ngram_range": (1, 2)}

    def tfidf(share: float = 1.0, noise: float = 0.0, rank: int = 0, **settings: object) -> Search:
        vectors = TfidfVectorizer(**{**word, **settings})
        matrix = vectors.fit_transform(text[: round(share * len(text))] for text in texts)
        space = TruncatedSVD(rank, random_state=0).fit(matrix) if rank else None
        rows = matrix if space is None else space.transform(matrix)

        def search(asked: list[str]) -> Array:
            wanted = vectors.transform(asked)
            wanted = wanted if space is None else space.transform(wanted)
            scores = wanted @ rows.T
            dense = np.asarray(scores.toarray() if hasattr(scores, "toarray") else scores)
            return dense + noise * np.random.default_rng(5).normal(size=dense.shape)

        return search

    def bm25(k1: float, b: float, share: float = 1.0) -> Search:
        split = TfidfVectorizer(**word).build_analyzer()
        index = bm25s.BM25(k1=k1, b=b)
        index.index([split(t[: round(share * len(t))]) for t in texts], show_progress=False)
        return lambda asked: np.array([index.get_scores(split(text)) for text in asked])

    return [
        *(bm25(k1, b) for k1, b in ((0.5, 0.3), (1.5, 0.75), (3.0, 1.0), (1.5, 0.0))),
        bm25(1.5, 0.75, share=0.5),
        tfidf(),
        tfidf(sublinear_tf=True),
        tfidf(use_idf=False),
        tfidf(binary=True, use_idf=False, norm=None),
        tfidf(**more),
        tfidf(analyzer="char_wb", ngram_range=(3, 3)),
        tfidf(analyzer="char_wb", ngram_range=(2, 5)),
        *(tfidf(share=share) for share in (0.4, 0.6, 0.8)),
        *(tfidf(noise=noise) for noise in (0.03, 0.06, 0.1)),
        *(tfidf(rank=rank) for rank in (30, 100)),
    ]


if __name__ == "__main__":
    main()

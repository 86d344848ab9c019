"""How many pairs a second does a local fact checker read?

    python -m tests.benchmarks.checker_speed [--judge nli:MODEL] [--pairs 64]

By default a model of BERT-base's size (12 layers of 768, 110 million parameters) is made with
random weights: its verdicts mean nothing, its speed is that of any such model. The sources are of
30, 120 and 300 words out of made ones, the claims of 12. *Pairs a second* is through the whole fact
checker, with its batches and thread; *claims a second* counts claims over five sources of 120
words, with the windows, second looks and quotes that they take.
"""

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path

from llamaindex_rag_eval import FactCheckOracle
from llamaindex_rag_eval.judge import SupportOf
from llamaindex_rag_eval.judge.fact_check import FactChecker, fact_checker_at

SEED = 0
LENGTHS = (30, 120, 300)
CLAIM = 12
SENTENCE = 15
WORDS = [a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in "lmnrst"]


def text(rng: random.Random, words: int) -> str:
    """Return sentences of so many words in all."""
    drawn = [rng.choice(WORDS) for _ in range(words)]
    parts = [drawn[start : start + SENTENCE] for start in range(0, words, SENTENCE)]
    return " ".join(" ".join(part).capitalize() + "." for part in parts)


def random_model(folder: Path) -> str:
    """Save a model of BERT-base's size with random weights, and return its name."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", *WORDS]
    tokenizer = Tokenizer(
        models.WordLevel({word: n for n, word in enumerate(vocabulary)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    labels = dict(enumerate(("entailment", "neutral", "contradiction")))
    BertForSequenceClassification(BertConfig(id2label=labels)).save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", model_max_length=512
    ).save_pretrained(folder)
    return f"nli:{folder}"


async def pair_rate(checker: FactChecker, rng: random.Random, words: int, pairs: int) -> float:
    """Return the pairs a second, of sources with so many words."""
    drawn = [(text(rng, words), text(rng, CLAIM)) for _ in range(pairs)]
    begun = time.perf_counter()
    await checker.chances(drawn)
    return pairs / (time.perf_counter() - begun)


async def claim_rate(checker: FactChecker, rng: random.Random, claims: int) -> float:
    """Return the claims a second, over five sources of 120 words each."""
    oracle = FactCheckOracle(checker)
    requests = [
        SupportOf(
            claims=tuple(text(rng, CLAIM) for _ in range(4)),
            sources=tuple(text(rng, 120) for _ in range(5)),
        )
        for _ in range(max(1, claims // 4))
    ]
    begun = time.perf_counter()
    await asyncio.gather(*(oracle.ask(request) for request in requests))
    return 4 * len(requests) / (time.perf_counter() - begun)


def main() -> None:
    """Print the rates."""
    import torch

    parser = argparse.ArgumentParser(description="Speed of a local fact checker.")
    parser.add_argument("--judge", help="a fact checker by name")
    parser.add_argument("--pairs", type=int, default=64, help="pairs for each length")
    options = parser.parse_args()
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        checker = fact_checker_at(options.judge or random_model(Path(folder)))
        asyncio.run(checker.chances([("Warm up.", "It is warm.")]))
        device = "a GPU" if torch.cuda.is_available() else f"{torch.get_num_threads()} threads"
        print(f"{checker.name.partition('@')[0] if options.judge else 'BERT-base'}, {device}")
        for words in LENGTHS:
            rate = asyncio.run(pair_rate(checker, rng, words, options.pairs))
            print(f"sources of {words:3} words  {rate:7.1f} pairs/s")
        rate = asyncio.run(claim_rate(checker, rng, options.pairs // 8))
        print(f"five sources of 120 words  {rate:5.1f} claims/s")


if __name__ == "__main__":
    main()

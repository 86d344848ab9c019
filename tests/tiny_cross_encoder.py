"""A tiny cross-encoder, made and trained on the spot: no test downloads a model.

It reads sentences as "Ada of Oslo is tall." and tells whether a claim follows from them,
contradicts them ("Ada of Oslo is short."), or is not mentioned. What it knows is what these pairs
teach in some seconds.
"""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

OPPOSITES = (("tall", "short"), ("rich", "poor"), ("old", "young"))
LABELS = ("entailment", "neutral", "contradiction")
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", *(word for two in OPPOSITES for word in two))
WORDS += ("ada", "of", "oslo", "is", ".")
STEPS = 120
BATCH = 48
POSITIONS = 64


def made_pair(rng: random.Random, label: str) -> tuple[str, str]:
    """Return a source of one or two sentences, and a claim of which the label holds."""
    first, second, third = rng.sample(OPPOSITES, 3)
    source = [rng.choice(first), *([rng.choice(second)] if rng.random() < 0.5 else [])]
    if label == "neutral":
        claim = rng.choice(third)
    else:
        claim = source[0]
        if label == "contradiction":
            (claim,) = (word for word in first if word != claim)
    rng.shuffle(source)
    return " ".join(f"Ada of Oslo is {word}." for word in source), f"Ada of Oslo is {claim}."


def train_and_save(folder: Path, *, labels: Sequence[str] = LABELS, seed: int = 0) -> float:
    """Train a model, save it as those of a hub are, and return its accuracy on new pairs.

    Args:
        folder: Where to save it.
        labels: Their order, and how many: with two, neutral and contradiction are one.
        seed: Of the weights and of the pairs.
    """
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    rng = random.Random(seed)
    torch.manual_seed(seed)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # more than one take longer over so small a model
    tokenizer = made_tokenizer()
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=POSITIONS,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.2,
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    model = BertForSequenceClassification(config)
    words = model.get_input_embeddings().weight.data
    for word, opposite in OPPOSITES:  # learned by itself, that they are opposites takes most steps
        words[WORDS.index(opposite)] = -words[WORDS.index(word)].normal_()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for _ in range(STEPS):
        given, wanted = drawn(rng, tokenizer, labels)
        loss = model(**given, labels=wanted).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.set_num_threads(threads)
    model.eval()
    with torch.no_grad():
        given, wanted = drawn(rng, tokenizer, labels, count=300)
        right = (model(**given).logits.argmax(dim=-1) == wanted).float().mean().item()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return right


def drawn(rng: random.Random, tokenizer: Any, labels: Sequence[str], count: int = BATCH) -> Any:
    """Return a batch of pairs as the model takes them, and the numbers of their labels."""
    import torch

    kinds = [rng.choice(LABELS) for _ in range(count)]
    pairs = [made_pair(rng, kind) for kind in kinds]
    given = tokenizer(
        [source for source, _ in pairs],
        [claim for _, claim in pairs],
        padding=True,
        return_tensors="pt",
    )
    other = next(label for label in labels if label != LABELS[0])
    numbers = [labels.index(kind if kind in labels else other) for kind in kinds]
    return given, torch.tensor(numbers)


def made_tokenizer() -> Any:
    """Return a tokenizer of whole words."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(
        models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B [SEP]",
        special_tokens=[("[CLS]", WORDS.index("[CLS]")), ("[SEP]", WORDS.index("[SEP]"))],
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token="[UNK]",
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=POSITIONS,
    )

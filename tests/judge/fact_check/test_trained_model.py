"""The real loading code, on a model that is trained here: folders, the hub's cache, the command."""

import importlib.util
import json
import pickle
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from llamaindex_rag_eval import FactCheckOracle, Run
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Support, SupportOf
from llamaindex_rag_eval.judge.fact_check import fact_checker_at
from llamaindex_rag_eval.models.pair_classifier import PairClassifier
from tests.cli.command_line import rag_eval
from tests.requirement import require
from tests.tiny_cross_encoder import LABELS, made_pair, made_tokenizer, train_and_save

pytestmark = pytest.mark.filterwarnings("ignore")  # the libraries deprecate one another's functions

PAIRS = [made_pair(random.Random(seed), LABELS[seed % 3]) for seed in range(90)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require(importlib.util.find_spec("torch"), "PyTorch")
    require(importlib.util.find_spec("transformers"), "transformers")
    path = tmp_path_factory.mktemp("models") / "tiny-nli"
    assert train_and_save(path) > 0.95
    return path


def copied(folder: Path, to: Path, *, rows: tuple[int, ...], labels: tuple[str, ...]) -> Path:
    """Save the model with some of its outputs, in this order and by these names."""
    import torch
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        last = torch.nn.Linear(model.classifier.in_features, len(rows))
        last.weight.copy_(model.classifier.weight[list(rows)])
        last.bias.copy_(model.classifier.bias[list(rows)])
    model.classifier = last
    model.config.id2label = dict(enumerate(labels))
    model.config.label2id = {label: number for number, label in enumerate(labels)}
    shutil.copytree(folder, to)
    model.save_pretrained(to)
    return to


async def verdicts(oracle: FactCheckOracle, source: str, *claims: str) -> tuple[Support, ...]:
    return (await oracle.ask(SupportOf(claims=claims, sources=(source,)))).verdicts


async def test_a_model_in_a_folder_tells_three_verdicts_apart(folder: Path):
    oracle = FactCheckOracle(f"nli:{folder}")
    source = "Ada of Oslo is tall. Ada of Oslo is poor."
    found = await verdicts(
        oracle, source, "Ada of Oslo is tall.", "Ada of Oslo is rich.", "Ada of Oslo is old."
    )
    assert [one.verdict for one in found] == ["supported", "contradicted", "not_mentioned"]
    assert [one.quote for one in found] == ["Ada of Oslo is tall.", "Ada of Oslo is poor.", ""]
    chances = [one.probability or 0.0 for one in found]
    assert chances[0] > 0.5 > max(chances[1:])


async def test_a_source_far_longer_than_the_model_reads_is_read_to_its_end(folder: Path):
    oracle = FactCheckOracle(f"nli:{folder}", window=16)  # two sentences of this tokenizer
    source = "Ada of Oslo is poor. Ada of Oslo is old. " * 50
    (found,) = await verdicts(oracle, f"{source}Ada of Oslo is tall.", "Ada of Oslo is tall.")
    assert (found.verdict, found.quote) == ("supported", "Ada of Oslo is tall.")
    (other,) = await verdicts(oracle, source, "Ada of Oslo is tall.")
    assert other.verdict == "not_mentioned"


async def test_labels_are_taken_by_name_in_whichever_order_they_are(folder: Path, tmp_path: Path):
    turned = copied(
        folder,
        tmp_path / "turned",
        rows=(2, 0, 1),
        labels=("contradiction", "entailment", "neutral"),
    )
    one = await fact_checker_at(f"nli:{folder}").chances(PAIRS)
    other = await fact_checker_at(f"nli:{turned}").chances(PAIRS)
    np.testing.assert_allclose(one, other, atol=1e-6)


async def test_minicheck_s_two_labels_have_no_names(folder: Path, tmp_path: Path):
    two = copied(folder, tmp_path / "two", rows=(1, 0), labels=("LABEL_0", "LABEL_1"))
    with pytest.raises(InputError, match="'LABEL_0', 'LABEL_1'; expected one of entailment"):
        fact_checker_at(f"nli:{two}")
    oracle = FactCheckOracle(f"minicheck:{two}")
    found = await verdicts(
        oracle, "Ada of Oslo is tall.", "Ada of Oslo is tall.", "Ada of Oslo is old."
    )
    assert [one.verdict for one in found] == ["supported", "not_mentioned"]
    with pytest.raises(InputError, match="has 3 labels"):
        fact_checker_at(f"minicheck:{folder}")


def test_batches_of_any_size_give_what_the_model_gives_for_each_pair_alone(folder: Path):
    model = PairClassifier(str(folder))
    together = model.predict(PAIRS)
    alone = np.concatenate([model.predict([pair]) for pair in PAIRS[:12]])
    np.testing.assert_allclose(together[:12], alone, atol=1e-5)
    np.testing.assert_allclose(together.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(pickle.loads(pickle.dumps(model)).predict(PAIRS), together)  # noqa: S301 - ours
    right = [LABELS[number] for number in together.argmax(axis=1)]
    assert sum(one == LABELS[seed % 3] for seed, one in enumerate(right)) > 0.95 * len(PAIRS)


async def test_a_cross_encoder_of_sentence_transformers_gives_the_same(folder: Path):
    require(importlib.util.find_spec("sentence_transformers"), "sentence-transformers")
    from sentence_transformers import CrossEncoder

    theirs = FactCheckOracle(CrossEncoder(str(folder), device="cpu"))
    ours = FactCheckOracle(f"nli:{folder}")
    np.testing.assert_allclose(
        await theirs.checker.chances(PAIRS), await ours.checker.chances(PAIRS), atol=1e-5
    )
    version = ours.checker.name.rpartition("@")[2]
    assert theirs.checker.name.endswith(version)


def test_the_version_is_that_of_the_weights(folder: Path, tmp_path: Path):
    same = Path(shutil.copytree(folder, tmp_path / "same"))
    versions = [fact_checker_at(f"nli:{path}").name.rpartition("@")[2] for path in (folder, same)]
    weights = same / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    changed = fact_checker_at(f"nli:{same}").name.rpartition("@")[2]
    assert versions[0] == versions[1] != changed


async def test_a_model_of_the_hub_is_named_by_its_commit(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    import huggingface_hub

    commit = "0123456789abcdef0123456789abcdef01234567"
    repository = tmp_path / "models--acme--tiny-nli"
    shutil.copytree(folder, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    checker = fact_checker_at("nli:acme/tiny-nli")
    assert checker.name == f"nli:acme/tiny-nli@{commit}"
    assert len(await checker.chances(PAIRS[:2])) == 2
    with pytest.raises(InputError, match="'acme/no-such-model' cannot be read"):
        fact_checker_at("nli:acme/no-such-model")


def test_a_model_that_was_never_trained_to_classify_is_refused(folder: Path, tmp_path: Path):
    from transformers import AutoModel

    bare = Path(shutil.copytree(folder, tmp_path / "bare"))
    AutoModel.from_pretrained(folder).save_pretrained(bare)
    shutil.copy(folder / "config.json", bare)
    with pytest.raises(InputError, match=r"no trained classifier: .* classifier\.bias"):
        PairClassifier(str(bare)).predict(PAIRS[:1])


def test_a_model_that_writes_its_verdict_is_read_by_the_first_token(tmp_path: Path):
    require(importlib.util.find_spec("torch"), "PyTorch")
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(0)
    tokenizer = made_tokenizer()
    tokenizer.add_tokens(["0", "1", "predict:"])
    tokenizer.add_special_tokens({"eos_token": "</s>"})
    config = T5Config(vocab_size=40, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2)
    config.decoder_start_token_id = 0
    model = T5ForConditionalGeneration(config).eval()
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    found = PairClassifier(str(tmp_path), joined=True).predict(
        [("Ada of Oslo is tall.", "Ada of Oslo is old.")]
    )
    given = tokenizer("predict: Ada of Oslo is tall.</s>Ada of Oslo is old.", return_tensors="pt")
    with torch.no_grad():
        logits = model(**given, decoder_input_ids=torch.tensor([[0]])).logits[0, 0]
    ids = [tokenizer.convert_tokens_to_ids(word) for word in "01"]
    expected = torch.softmax(logits[ids], dim=0).numpy()
    np.testing.assert_allclose(found[0], expected, atol=1e-6)
    assert fact_checker_at(f"minicheck:{tmp_path}").name.startswith(f"minicheck:{tmp_path}@")


def test_the_command_judges_by_it_and_keeps_its_replies(folder: Path, tmp_path: Path):
    samples = [
        SingleTurnSample(
            id=str(number),
            query="What is known of Ada, and where does it stand?",
            response=f"Ada of Oslo is {word}.",
            contexts=("Ada of Oslo is tall.",),
        )
        for number, word in enumerate(("tall", "old"))
    ]
    answers = EvaluationDataset(samples).write(tmp_path / "answers.jsonl")
    asked = ["evaluate", answers, "-m", "faithfulness", "-o", tmp_path / "scores.csv"]
    asked += ["--judge", f"nli:{folder}", "--cache", tmp_path / "replies.db"]
    done = rag_eval(*asked, "--json")
    assert done.exit_code == 0, done.output
    run = Run.read(json.loads(done.stdout)["run"])
    tall, old = run.values("faithfulness").values()
    assert tall > 0.9
    assert old < 0.1
    assert run.provenance.answered_by["SupportOf"].startswith(f"fact-check/1/nli:{folder}@")
    dry = rag_eval(*asked, "--dry-run", "--json")
    assert json.loads(dry.stdout)["calls"] == 0


def test_the_command_says_what_is_wrong_with_a_name(tmp_path: Path):
    answers = EvaluationDataset([SingleTurnSample(query="q", response="r", contexts=("c",))]).write(
        tmp_path / "answers.jsonl"
    )
    done = rag_eval("evaluate", answers, "--judge", "hhem:x", "-o", tmp_path / "scores.csv")
    assert done.exit_code != 0
    assert "names no fact checker" in done.output

"""Local models of Hugging Face that classify pairs of texts: a source, and a claim about it.

They are read from the hub or from a folder, and run with PyTorch: on a GPU if there is one, else on
every core. Neither library is loaded before a model is named, and weights not before the first
pair.
"""

import hashlib
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.errors import InputError

INSTALL = 'pip install "llamaindex-rag-eval[huggingface]"'
"""The command that installs what local models need."""

BATCH = 32
"""Pairs in one pass through the model, of about equal length."""

USUAL_LIMIT = 512
"""Tokens that a model is taken to read if it does not say: those of BERT."""

SPECIAL_POSITIONS = 2
"""Positions that RoBERTa counts and no token can have."""

INSTRUCTION = "predict: "
"""What MiniCheck's Flan-T5 was trained to find before source and claim."""

ANSWERS = {0: "0", 1: "1"}
"""What it answers: "not supported" and "supported"."""


@dataclass(eq=False)
class PairClassifier:
    """A local model that gives each pair of texts a probability for each of its labels.

    Two kinds of model are read: sequence classifiers, as those trained on natural-language
    inference, and sequence-to-sequence models that answer with `0` or `1`, as MiniCheck's Flan-T5.

    Args:
        name: A model of the hub, as `cross-encoder/nli-deberta-v3-base`, or a folder.
        joined: Give source and claim as one text, with the end-of-text token between, as
            MiniCheck's models want them.
        revision: A branch, tag or commit of the hub; by default the newest.
        trust_remote_code: Run Python code that comes with the model.

    Attributes:
        config: Of the model; names its outputs.
        limit: Tokens of source and claim that the model reads together.
        tokenizer: Of the model.

    Raises:
        InputError: PyTorch or transformers is not installed, or the model cannot be read.
    """

    name: str
    joined: bool = False
    revision: str | None = None
    trust_remote_code: bool = False

    def __post_init__(self) -> None:
        name = self.name
        library, _ = _library("transformers", name), _library("torch", name)
        if name.startswith((".", "/", "~")) and not Path(name).is_dir():
            raise InputError(f"there is no folder {name!r}; expected one, or a model of the hub")
        self.config = self._read(library.AutoConfig.from_pretrained)
        self.tokenizer = self._read(library.AutoTokenizer.from_pretrained)
        if self.joined:
            self.tokenizer.truncation_side = "left"  # the claim comes last, and must stay whole
        # A model that writes its verdict: no sequence classifier was ever made of it.
        architectures = self.config.architectures or ()
        self.writes = any(str(kind).endswith("ForConditionalGeneration") for kind in architectures)
        if self.writes:
            self.config.id2label = ANSWERS

    def __reduce__(self) -> tuple[object, ...]:
        """Return the settings only: another process reads the model itself."""
        return PairClassifier, (self.name, self.joined, self.revision, self.trust_remote_code)

    @property
    def limit(self) -> int:
        """Tokens of source and claim that the model reads together."""
        positions = getattr(self.config, "max_position_embeddings", None)
        longest = USUAL_LIMIT if positions is None else int(positions) - SPECIAL_POSITIONS
        said = int(self.tokenizer.model_max_length)
        return said if said <= longest + SPECIAL_POSITIONS else longest

    def predict(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the probability of each label for each pair, of shape `(pairs, labels)`.

        Blocks, and takes one call at a time: each uses all cores. Of a pair that is too long, the
        source is cut.

        Raises:
            InputError: The weights cannot be read, or are not those of a classifier.
        """
        rows = np.zeros((len(pairs), len(self.config.id2label)), dtype=np.float32)
        order = sorted(range(len(pairs)), key=lambda number: len(pairs[number][0]))
        for start in range(0, len(order), BATCH):
            numbers = order[start : start + BATCH]
            rows[numbers] = self._batch([pairs[number] for number in numbers])
        return rows

    @cached_property
    def _model(self) -> Any:
        library, torch = _library("transformers", self.name), _library("torch", self.name)
        kind = "Seq2SeqLM" if self.writes else "SequenceClassification"
        read = getattr(library, f"AutoModelFor{kind}").from_pretrained
        model, about = self._read(partial(read, output_loading_info=True))
        if about["missing_keys"]:
            missing = ", ".join(sorted(about["missing_keys"])[:3])
            raise InputError(
                f"{self.name!r} is no trained classifier: it has no weights for {missing}"
            )
        backends = {"cuda": torch.cuda, "mps": torch.backends.mps}
        device = next((name for name in backends if backends[name].is_available()), "cpu")
        return model.to(device).float().eval()

    def _batch(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        torch = _library("torch", self.name)
        options = {"padding": True, "max_length": self.limit, "return_tensors": "pt"}
        if self.joined:
            before = INSTRUCTION if self.writes else ""
            middle = self.tokenizer.eos_token or self.tokenizer.sep_token
            texts = [f"{before}{source}{middle}{claim}" for source, claim in pairs]
            tokens = self.tokenizer(texts, truncation=True, **options)
        else:
            sources, claims = map(list, zip(*pairs, strict=True))
            tokens = self.tokenizer(sources, claims, truncation="only_first", **options)
        with torch.inference_mode():
            logits = self._logits(torch, tokens.to(self._model.device))
            rows = logits.sigmoid() if logits.shape[-1] == 1 else logits.softmax(dim=-1)
        chances: NDArray[np.float32] = rows.cpu().numpy()
        return chances

    def _logits(self, torch: Any, tokens: Any) -> Any:
        if not self.writes:
            return self._model(**tokens).logits
        start = self.config.decoder_start_token_id or 0
        begun = torch.full((len(tokens["input_ids"]), 1), start, device=self._model.device)
        logits = self._model(**tokens, decoder_input_ids=begun).logits[:, 0]
        answers = self.tokenizer(list(ANSWERS.values()), add_special_tokens=False)["input_ids"]
        return logits[:, [ids[0] for ids in answers]]

    def _read(self, read: Callable[..., Any]) -> Any:
        try:
            trusts = self.trust_remote_code
            return read(self.name, revision=self.revision, trust_remote_code=trusts)
        except Exception as error:  # noqa: BLE001 - the hub and every kind of model have their own
            said = without_keys(" ".join(f"{type(error).__name__}: {error}".split()))
            raise InputError(f"the model {self.name!r} cannot be read: {said}") from None


def version_of(name: str, revision: str | None = None) -> str:
    """Return the commit of a model that was read from the hub, or a hash of its folder's files.

    Args:
        name: The model on the hub, or the folder.
        revision: The branch, tag or commit that was read.

    Raises:
        InputError: transformers is not installed.
    """
    folder = Path(name)
    if not folder.is_dir():
        hub = _library("transformers.utils.hub", name)
        try:
            path = hub.cached_file(name, "config.json", revision=revision)
        except OSError:  # it is not there, although the model was read: it came by another way
            path = None
        return str(hub.extract_commit_hash(path, None) or revision or "main")
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        digest.update(f"{path.name}\0{path.stat().st_size}\0".encode())
        with path.open("rb") as file:
            for part in iter(partial(file.read, 1 << 20), b""):
                digest.update(part)
    return digest.hexdigest()[:12]


def _library(module: str, name: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(f"{name!r} needs {module}, which is not installed: {INSTALL}") from error

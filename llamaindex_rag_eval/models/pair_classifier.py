"""Local models of Hugging Face that classify pairs of texts: a source, and a claim about it.

They are read from the hub or from a folder, and run with PyTorch: on a GPU if there is one, else on
every core. Neither library is loaded before a model is named, and weights not before the first
pair.
"""

import hashlib
import importlib
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models.completion import without_keys

INSTALL = 'pip install "llamaindex-rag-eval[huggingface]"'
"""The command that installs what local models need."""

Form = Literal["pair", "joined"]
"""How source and claim are given: as two texts, or as one with the end-of-text token between."""

BATCH = 32
"""Pairs in one pass through the model, of about equal length."""

USUAL_LIMIT = 512
"""Tokens that a model reads if neither its tokenizer nor its configuration says: those of BERT."""

SPECIAL_POSITIONS = 2
"""Positions that RoBERTa counts and no token can have."""

INSTRUCTION = "predict: "
"""What MiniCheck's Flan-T5 was trained to find before source and claim."""

ANSWERS = ("0", "1")
"""What it answers: "not supported" and "supported"."""


class PairClassifier:
    """A local model that gives each pair of texts a probability for each of its labels.

    Two kinds of model are read: sequence classifiers, as those trained on natural-language
    inference, and sequence-to-sequence models that answer with `0` or `1`, as MiniCheck's Flan-T5.

    Args:
        name: A model of the hub, as `cross-encoder/nli-deberta-v3-base`, or a folder.
        form: How source and claim are given; MiniCheck's models want them `joined`.
        revision: A branch, tag or commit of the hub; by default the newest.
        trust_remote_code: Run Python code that comes with the model.

    Attributes:
        labels: What the model's configuration calls its outputs, in their order.
        limit: Tokens of source and claim that the model reads together.
        tokenizer: Of the model.

    Raises:
        InputError: PyTorch or transformers is not installed, or the model cannot be read.
    """

    def __init__(
        self,
        name: str,
        *,
        form: Form = "pair",
        revision: str | None = None,
        trust_remote_code: bool = False,
    ) -> None:
        self.name = name
        self.form = form
        self.revision = revision
        self.trust_remote_code = trust_remote_code
        self._lock = threading.Lock()
        self._model: Any = None
        library = _library("transformers", name)
        _library("torch", name)
        if name.startswith((".", "/", "~")) and not Path(name).is_dir():
            raise InputError(f"there is no folder {name!r}; expected one, or a model of the hub")
        try:
            self.config = library.AutoConfig.from_pretrained(name, **self._source)
            self.tokenizer = library.AutoTokenizer.from_pretrained(name, **self._source)
        except Exception as error:  # noqa: BLE001 - the hub and every kind of model have their own
            raise _unreadable(name, error) from None
        if form == "joined":
            self.tokenizer.truncation_side = "left"  # the claim comes last, and must stay whole

    def __repr__(self) -> str:
        return f"PairClassifier({self.name!r})"

    def __reduce__(self) -> tuple[object, ...]:
        """Return the settings only: another process reads the model itself."""
        return (_again, (self.name, self.form, self.revision, self.trust_remote_code))

    @property
    def labels(self) -> tuple[str, ...]:
        """What the model's configuration calls its outputs, in their order."""
        if self._generates:
            return ANSWERS
        names = self.config.id2label
        return tuple(str(names[number]) for number in sorted(names))

    @property
    def limit(self) -> int:
        """Tokens of source and claim that the model reads together."""
        positions = getattr(self.config, "max_position_embeddings", None)
        longest = USUAL_LIMIT if positions is None else int(positions) - SPECIAL_POSITIONS
        said = int(self.tokenizer.model_max_length)
        return said if said <= longest + SPECIAL_POSITIONS else longest

    @property
    def version(self) -> str:
        """The commit of the hub that the model was read from, or a hash of its folder."""
        return version_of(self.name, self.revision)

    def predict(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the probability of each label for each pair, of shape `(pairs, labels)`.

        Blocks, and takes one call at a time: each uses all cores. Of a pair that is too long, the
        source is cut.

        Raises:
            InputError: The weights cannot be read, or are not those of a classifier.
        """
        found = np.zeros((len(pairs), len(self.labels)), dtype=np.float32)
        order = sorted(range(len(pairs)), key=lambda place: len(pairs[place][0]))
        with self._lock:
            if self._model is None:
                self._model = self._load()
            for start in range(0, len(order), BATCH):
                places = order[start : start + BATCH]
                found[places] = self._batch([pairs[place] for place in places])
        return found

    @property
    def _source(self) -> dict[str, Any]:
        return {"revision": self.revision, "trust_remote_code": self.trust_remote_code}

    @property
    def _generates(self) -> bool:
        """Whether the model writes its verdict: no sequence classifier was ever made of it."""
        names = self.config.architectures or ()
        return any(str(name).endswith("ForConditionalGeneration") for name in names)

    def _load(self) -> Any:
        torch = _library("torch", self.name)
        library = _library("transformers", self.name)
        auto = (
            library.AutoModelForSeq2SeqLM
            if self._generates
            else library.AutoModelForSequenceClassification
        )
        try:
            model, about = auto.from_pretrained(self.name, output_loading_info=True, **self._source)
        except Exception as error:  # noqa: BLE001 - likewise
            raise _unreadable(self.name, error) from None
        if about["missing_keys"]:
            missing = ", ".join(sorted(about["missing_keys"])[:3])
            raise InputError(
                f"{self.name!r} is no trained classifier: it has no weights for {missing}"
            )
        return model.to(_device(torch)).float().eval()

    def _batch(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        torch = _library("torch", self.name)
        sources, claims = [source for source, _ in pairs], [claim for _, claim in pairs]
        options: dict[str, Any] = {
            "padding": True,
            "truncation": True,
            "max_length": self.limit,
            "return_tensors": "pt",
        }
        if self.form == "pair":
            given = self.tokenizer(sources, claims, **{**options, "truncation": "only_first"})
        else:
            before = INSTRUCTION if self._generates else ""
            middle = self.tokenizer.eos_token or self.tokenizer.sep_token
            texts = [f"{before}{source}{middle}{claim}" for source, claim in pairs]
            given = self.tokenizer(texts, **options)
        with torch.inference_mode():
            logits = self._logits(torch, given.to(self._model.device))
            rows = logits.sigmoid() if logits.shape[-1] == 1 else logits.softmax(dim=-1)
        found: NDArray[np.float32] = rows.cpu().numpy()
        return found

    def _logits(self, torch: Any, given: Any) -> Any:
        if not self._generates:
            return self._model(**given).logits
        start = self.config.decoder_start_token_id or 0
        begun = torch.full((len(given["input_ids"]), 1), start, device=self._model.device)
        logits = self._model(**given, decoder_input_ids=begun).logits[:, 0]
        first = [self.tokenizer(word, add_special_tokens=False)["input_ids"][0] for word in ANSWERS]
        return logits[:, first]


def version_of(name: str, revision: str | None = None) -> str:
    """Return the commit of a model that was read from the hub, or a hash of its folder's files.

    Args:
        name: The model on the hub, or the folder.
        revision: The branch, tag or commit that was asked for.

    Raises:
        InputError: transformers is not installed.
    """
    if Path(name).is_dir():
        return _folder_digest(Path(name))
    hub = _library("transformers.utils.hub", name)
    try:
        path = hub.cached_file(name, "config.json", revision=revision)
    except OSError:  # it is not there, although the model was read: it came by another way
        path = None
    return str(hub.extract_commit_hash(path, None) or revision or "main")


def _folder_digest(folder: Path) -> str:
    """Return a hash of the files directly in a folder: settings, vocabulary and weights."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        digest.update(f"{path.name}\0{path.stat().st_size}\0".encode())
        for part in _parts(path):
            digest.update(part)
    return digest.hexdigest()[:12]


def _parts(path: Path) -> Iterable[bytes]:
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            yield part


def _again(name: str, form: Form, revision: str | None, trust_remote_code: bool) -> PairClassifier:
    return PairClassifier(name, form=form, revision=revision, trust_remote_code=trust_remote_code)


def _library(module: str, name: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(f"{name!r} needs {module}, which is not installed: {INSTALL}") from error


def _device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _unreadable(name: str, error: Exception) -> InputError:
    """Return an error in one line, without the keys that it may show."""
    said = without_keys(" ".join(f"{type(error).__name__}: {error}".split()))
    return InputError(f"the model {name!r} cannot be read: {said}")

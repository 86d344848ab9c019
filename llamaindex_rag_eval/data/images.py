"""Images of samples: which files are read, and which are not.

The path of an image is a claim of whoever wrote it. A file is read only where the user's own
command or call names the folder that holds it, and only if it is an image by its bytes.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.data.sample import Context, Image, Message, Sample, SingleTurnSample
from llamaindex_rag_eval.errors import InputError

FORMATS = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
"""MIME type -> how files of it begin: the formats that models with vision take."""

LARGEST = 20 * 2**20
"""Bytes of an image; APIs of models take no larger one."""


def with_images(samples: Iterable[Sample], folder: str | Path) -> list[Sample]:
    """Return samples whose images are read from a folder: their data takes the place of the path.

    Args:
        samples: The samples; images that hold data or a URL stay as they are.
        folder: Where images may be read. A relative path begins there or in the working folder;
            neither it nor a link may lead out of it.

    Raises:
        InputError: An image lies elsewhere, is not there, too large, or no PNG, JPEG, GIF or WebP.
    """
    root = Path(folder).resolve()
    if not root.is_dir():
        raise InputError(f"no folder {str(folder)!r}; expected the folder of the images")
    return [_replaced(sample, lambda image: _loaded(image, root)) for sample in samples]


def without_paths(sample: Sample) -> Sample:
    """Return the sample of a reply or a record from elsewhere: its paths of images do not count.

    An image that is nothing but a path becomes its caption.
    """
    return _replaced(sample, _without_path)


def _replaced(sample: Sample, replace: Callable[[Image], Context]) -> Sample:
    """Return the sample with its images replaced."""

    def new_contexts(holder: SingleTurnSample | Message) -> dict[str, Any]:
        contexts = tuple(replace(c) if isinstance(c, Image) else c for c in holder.contexts)
        return {} if contexts == holder.contexts else {"contexts": contexts}

    def new_messages(field: str, before: tuple[Message, ...]) -> dict[str, Any]:
        messages = tuple(m.model_copy(update=new_contexts(m)) if m.contexts else m for m in before)
        return {} if messages == before else {field: messages}

    if isinstance(sample, SingleTurnSample):
        changed = new_contexts(sample) | new_messages("earlier_messages", sample.earlier_messages)
    else:
        changed = new_messages("messages", sample.messages)
    return sample.model_copy(update=changed) if changed else sample


def _without_path(image: Image) -> Context:
    if image.path is None:
        return image
    if image.data or image.url:
        return image.model_copy(update={"path": None})
    return image.caption


def _loaded(image: Image, root: Path) -> Image:
    """Return the image with the data of its file."""
    if image.data or not image.path:
        return image
    refused = f"image {image.path!r} is not read"
    file = _file_in(root, image.path)
    if file is None:
        raise InputError(f"{refused}: expected a file in the folder {str(root)!r}")
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{refused}: {error.strerror}") from None
    if len(data) > LARGEST:
        raise InputError(f"{refused}: it is larger than {LARGEST // 2**20} MiB")
    mimetype = next((kind for kind, head in FORMATS.items() if head.match(data)), None)
    if mimetype is None:
        raise InputError(f"{refused}: its content is no PNG, JPEG, GIF or WebP image")
    update = {"data": b64encode(data).decode(), "path": None, "mimetype": mimetype}
    return image.model_copy(update=update)


def _file_in(root: Path, name: str) -> Path | None:
    """Return the file that a path names, all links followed, if it lies in the folder."""
    try:
        paths = (root / name).resolve(), Path(name).resolve()
        return next((path for path in paths if path.is_relative_to(root) and path.is_file()), None)
    except (OSError, ValueError, RuntimeError):  # no name of a file, or links in a circle
        return None

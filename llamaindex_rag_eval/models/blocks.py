"""Images as a model sees them: LlamaIndex image blocks, from data, a file, or a URL."""

import base64
from collections.abc import Sequence
from pathlib import Path

from llama_index.core.base.llms.types import ImageBlock

from llamaindex_rag_eval.data.image import Image
from llamaindex_rag_eval.errors import CallError

__all__ = ["blocks_of"]


def blocks_of(images: Sequence[Image], *, remote: bool = False) -> tuple[ImageBlock, ...]:
    """Return a block for each image, in order.

    Raises:
        CallError: An image is only a URL and `remote` is off, or its file cannot be read.
    """
    return tuple(_block(image, remote=remote) for image in images)


def _block(image: Image, *, remote: bool) -> ImageBlock:
    if image.data:
        return ImageBlock(image=image.data.encode(), image_mimetype=image.mimetype)
    if image.path:
        try:
            data = base64.b64encode(Path(image.path).read_bytes())
        except OSError as error:
            raise CallError(f"image {image.path!r} cannot be read: {error.strerror}") from error
        return ImageBlock(image=data, image_mimetype=image.mimetype)
    if not remote:
        raise CallError(
            f"image {image.url!r} would have to be fetched; allow it with `remote_images=True`"
        )
    return ImageBlock(url=image.url, image_mimetype=image.mimetype)

"""An image among the contexts of a sample: where its bytes are, and what its caption says."""

from pydantic import BaseModel, ConfigDict, model_validator

from llamaindex_rag_eval.errors import InputError

__all__ = ["Image"]


class Image(BaseModel):
    """An image as a context: base64 data, a local path, or a URL, one of them at least.

    Attributes:
        id: The node's id, kept in the evidence of judgements.
        data: The image's bytes in base64.
        path: A local file.
        url: Where it can be fetched; nothing is fetched unless the user allows it.
        mimetype: Such as `image/png`.
        caption: Text that comes with the image; all that metrics over text see of it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = ""
    data: str | None = None
    path: str | None = None
    url: str | None = None
    mimetype: str | None = None
    caption: str = ""

    @model_validator(mode="after")
    def _has_a_place(self) -> "Image":
        if not (self.data or self.path or self.url):
            raise InputError(f"image {self.id!r} needs 'data', 'path' or 'url'")
        return self

import base64
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.images import LARGEST, with_images, without_paths
from llamaindex_rag_eval.data.sample import Image, Message, MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.errors import InputError

HEADS = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff\xe0",
    "image/gif": b"GIF89a",
    "image/webp": b"RIFF\n\0\0\0WEBPVP8 ",
}

PNG = HEADS["image/png"] + b"pixels"


def sample_of(path: str | Path, **fields: str) -> SingleTurnSample:
    image = Image(id="i", path=str(path), mimetype="text/plain", caption="a pump", **fields)
    return SingleTurnSample(id="q", query="What?", contexts=("text", image))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with an image, beside which a secret lies."""
    made = tmp_path / "images"
    (made / "deep").mkdir(parents=True)
    (made / "deep" / "pump.png").write_bytes(PNG)
    (tmp_path / "secret.png").write_bytes(PNG)
    return made


@pytest.mark.parametrize("mimetype", HEADS)
def test_the_bytes_of_an_image_say_what_it_is(mimetype: str, folder: Path) -> None:
    (folder / "a.bin").write_bytes(HEADS[mimetype] + b"pixels")
    (read,) = with_images([sample_of("a.bin")], folder)
    data = base64.b64encode(HEADS[mimetype] + b"pixels").decode()
    expected = Image(id="i", data=data, mimetype=mimetype, caption="a pump")
    assert read.contexts == ("text", expected)  # type: ignore[union-attr]  # of one turn


def test_a_path_is_absolute_or_begins_in_the_folder_or_the_working_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    paths = (folder / "deep" / "pump.png", "deep/pump.png", "images/deep/pump.png")
    (folder / "link.png").symlink_to(folder / "deep" / "pump.png")
    samples = [sample_of(path) for path in (*paths, "link.png")]
    first, *others = with_images(samples, "images")
    assert first.contexts[1].data == base64.b64encode(PNG).decode()  # type: ignore[union-attr]
    assert all(other == first for other in others)


@pytest.mark.parametrize(
    "path", ["../secret.png", "{}/secret.png", "out.png", "loop.png", "no.png", "deep", "a\0b", ""]
)
def test_nothing_outside_of_the_folder_is_read(path: str, folder: Path) -> None:
    (folder / "out.png").symlink_to(folder.parent / "secret.png")
    (folder / "loop.png").symlink_to(folder / "loop.png")
    named = path.format(folder.parent) or f"file://{folder}/deep/pump.png"
    with pytest.raises(InputError, match="is not read: expected a file in the folder"):
        with_images([sample_of(named)], folder)


def test_only_images_of_bounded_size_are_read(folder: Path) -> None:
    (folder / "passwd.png").write_text("root:x:0:0:root:/root:/bin/bash\n")
    with pytest.raises(InputError, match=r"'passwd.png' is not read: its content is no PNG, JPEG"):
        with_images([sample_of("passwd.png")], folder)
    with (folder / "huge.png").open("wb") as file:
        file.write(PNG)
        file.truncate(LARGEST + 1)
    with pytest.raises(InputError, match="larger than 20 MiB"):
        with_images([sample_of("huge.png")], folder)
    with pytest.raises(InputError, match="no folder"):
        with_images([], folder / "no")


def test_images_of_conversations_are_read_too(folder: Path) -> None:
    said = Message(role="assistant", content="a", contexts=(Image(path="deep/pump.png"),))
    samples = (
        MultiTurnSample(id="m", messages=(Message(role="user", content="q"), said)),
        SingleTurnSample(id="s", query="q", earlier_messages=(said,)),
    )
    talk, turn = EvaluationDataset(samples).with_images(folder)
    assert talk.messages[1].contexts[0].data == base64.b64encode(PNG).decode()  # type: ignore[union-attr]
    assert turn.earlier_messages == talk.messages[1:]  # type: ignore[union-attr]


def test_the_paths_of_others_do_not_count() -> None:
    assert without_paths(sample_of("/etc/passwd")).contexts == ("text", "a pump")  # type: ignore[union-attr]
    (_, image) = without_paths(sample_of("/etc/passwd", data="AAAA")).contexts  # type: ignore[union-attr]
    assert image == Image(id="i", data="AAAA", mimetype="text/plain", caption="a pump")
    plain = SingleTurnSample(id="q", contexts=("text", Image(url="https://example.com/a.png")))
    assert without_paths(plain) is plain

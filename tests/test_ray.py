"""Joining: what keeps Ray from being joined is said in one line."""

import socket
import sys

import pytest

from llamaindex_rag_eval._ray import address_of, ray_nodes
from llamaindex_rag_eval.errors import InputError


@pytest.mark.parametrize("on", ["spark", "ray:", "ray://head", "ray://:1", "ray://head:x"])
def test_another_address_is_an_error(on):
    with pytest.raises(InputError, match="expected 'ray' or 'ray://HOST:PORT'"):
        address_of(on)


def test_without_ray_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    hint = r"pip install 'llamaindex-rag-eval\[ray\]'"
    with pytest.raises(InputError, match=hint), ray_nodes("ray"):
        pass


def test_an_address_where_nothing_listens_is_an_error_at_once(monkeypatch):
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    message = r"Ray does not answer at ray://127\.0\.0\.1:1: .*refused"
    with pytest.raises(InputError, match=message), ray_nodes("ray://127.0.0.1:1"):
        pass


@pytest.mark.parametrize(
    ("said", "tries"),
    [
        ("Starting Ray client server failed. See ray_client_server_23000.err", 3),
        ("psutil.ZombieProcess: PID still exists but it's a zombie (pid=17471)", 3),
        ("Failed to set up runtime environment: no such package", 1),
    ],
)
def test_a_head_node_that_starts_no_process_for_it_is_asked_again(monkeypatch, said, tries):
    asked = []

    def init(**options):
        asked.append(options["address"])
        raise ConnectionAbortedError(f"Initialization failure from server:\n{said}")

    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.init", init)
    with socket.create_server(("127.0.0.1", 0)) as head:
        address = f"ray://127.0.0.1:{head.getsockname()[1]}"
        with pytest.raises(InputError, match="cannot be joined"), ray_nodes(address):
            pass
    assert asked == [address] * tries

"""Run the server: `python -m tests.server --latency 0.2 --faults faults.json`."""

import argparse
import asyncio
import gc
import json
import os
from pathlib import Path
from typing import Any

from tests.server.answering import ServerOptions
from tests.server.batches import BatchOptions
from tests.server.faults import Faults
from tests.server.forms import Forms
from tests.server.responder import load_responders
from tests.server.server import Server

# More connections may open at once than the usual backlog of 100 admits.
BACKLOG = 1024

# Seconds between looks at whether the parent is still there.
PARENT_CHECK = 0.5


def main() -> None:
    """Serve until the process is ended or its parent is gone."""
    arguments = _parser().parse_args()
    options = ServerOptions(
        latency=arguments.latency,
        faults=Faults.from_json(_json_text(arguments.faults)),
        responders=load_responders(arguments.responders),
        seed=arguments.seed,
        headers=json.loads(arguments.headers),
        record=arguments.record,
        batches=_batch_options(json.loads(arguments.batches)),
        forms=Forms(**json.loads(arguments.forms)),
    )
    # Collections would scan the counts of a long run again and again, and find nothing.
    gc.freeze()
    gc.set_threshold(100_000)
    asyncio.run(_serve(Server(options), port=arguments.port, parent=arguments.parent))


async def _serve(server: Server, *, port: int, parent: int | None) -> None:
    loop = asyncio.get_running_loop()
    listener = await loop.create_server(server.connect, "127.0.0.1", port, backlog=BACKLOG)
    print(json.dumps({"port": listener.sockets[0].getsockname()[1]}), flush=True)
    # No event tells that a parent is gone, however it went; so it is looked for.
    while parent is None or os.getppid() == parent:  # noqa: ASYNC110
        await asyncio.sleep(PARENT_CHECK)


def _batch_options(given: dict[str, Any]) -> BatchOptions:
    return BatchOptions(**{**given, "endings": tuple(given.get("endings", ()))})


def _json_text(given: str) -> str:
    return given if given.lstrip().startswith("{") else Path(given).read_text(encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 picks a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds")
    parser.add_argument("--faults", default="{}", help="a JSON file, or its text")
    parser.add_argument("--responders", help="module:attribute, a mapping of names to functions")
    parser.add_argument("--seed", type=int, default=0, help="of the generic replies")
    parser.add_argument("--headers", default="{}", help="JSON object, sent with every good reply")
    parser.add_argument("--batches", default="{}", help="JSON object of batch options")
    parser.add_argument("--forms", default="{}", help="JSON object of options of forms")
    parser.add_argument("--record", action="store_true", help="keep the bodies of model calls")
    parser.add_argument("--parent", type=int, help="stop when this is no longer the parent")
    return parser


if __name__ == "__main__":
    main()

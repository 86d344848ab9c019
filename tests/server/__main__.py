"""Run the server: `python -m tests.server --latency 0.2 --faults faults.json`.

With `--orders` each two lines of stdin are a server: the arguments, as JSON, and any line that ends
it. Importing takes longer than most servers last.
"""

import argparse
import asyncio
import gc
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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


def main() -> None:
    """Serve until the process is ended, or stdin for orders."""
    arguments = _parser().parse_args()
    # Collections would scan the counts of a long run again and again, and find nothing.
    gc.freeze()
    gc.set_threshold(100_000)
    asyncio.run(_serve_orders() if arguments.orders else _serve(arguments))


async def _serve(arguments: argparse.Namespace) -> None:
    async with _listening(arguments):
        await asyncio.Event().wait()


async def _serve_orders() -> None:
    """Serve one order after another, until stdin ends, as it does when the parent is gone."""
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        try:
            async with _listening(_parser().parse_args(json.loads(line))):
                await lines.readline()
        except Exception as error:  # noqa: BLE001 - responders are any module
            print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
            continue
        print(json.dumps({"ended": True}), flush=True)


@asynccontextmanager
async def _listening(arguments: argparse.Namespace) -> AsyncIterator[None]:
    """Serve, and say at which port."""
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
    server, loop = Server(options), asyncio.get_running_loop()
    listener = await loop.create_server(
        server.connect, "127.0.0.1", arguments.port, backlog=BACKLOG
    )
    print(json.dumps({"port": listener.sockets[0].getsockname()[1]}), flush=True)
    try:
        yield
    finally:
        listener.close()
        server.hang_up()


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
    parser.add_argument("--orders", action="store_true", help="serve what stdin says")
    return parser


if __name__ == "__main__":
    main()

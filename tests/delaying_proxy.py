"""A TCP proxy that delays, as a network does: `python -m tests.delaying_proxy PORT SECONDS`.

What arrives is passed on half of the delay later in each direction, so that a round trip takes the
whole of it longer. It prints its own port, and ends with its standard input.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

LOOPBACK = "127.0.0.1"


class Proxy(NamedTuple):
    """Where the proxy listens, and its process."""

    port: int
    process: "subprocess.Popen[str]"


@contextmanager
def delayed_port(port: int, seconds: float) -> Iterator["Proxy"]:
    """Yield a proxy before a port of this machine; each round trip takes `seconds` longer."""
    command = [sys.executable, "-m", "tests.delaying_proxy", str(port), str(seconds)]
    root = Path(__file__).parents[1]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=root, text=True, **pipes) as proxy:
        assert proxy.stdout is not None
        assert proxy.stdin is not None
        try:
            yield Proxy(int(proxy.stdout.readline()), proxy)
        finally:
            proxy.stdin.close()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, half: float) -> None:
    """Write what is read, each piece `half` a delay after it came; a pipe, not a queue."""
    loop = asyncio.get_running_loop()
    with suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            loop.call_later(half, writer.write, data)
    await asyncio.sleep(half)
    writer.close()


async def _serve(port: int, seconds: float) -> None:
    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            behind = await asyncio.open_connection(LOOPBACK, port)
        except OSError:
            writer.close()
            return
        half = seconds / 2
        await asyncio.gather(_pass_on(reader, behind[1], half), _pass_on(behind[0], writer, half))

    server = await asyncio.start_server(connect, LOOPBACK, 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)  # with what is on its way


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), float(sys.argv[2])))

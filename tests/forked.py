"""A command of Python that runs in a fork of the process that has the packages imported.

    python tests/forked.py WORD...

For programs that start Python by themselves: Ray, and those who run notebooks. It finds that
process by `PREPARED_AT`, and imports next to nothing itself.
"""

import json
import os
import socket
import sys

STREAMS = (1, 2)

OF_RAY = ("--language=", "--serialized-runtime-env-context=")
"""Beginnings of what Ray tells a program that sets up a worker, and not the worker itself."""


def main() -> int:
    """Order the process, and end as it ends; it is told by its connection if this one is gone."""
    # The environment that Ray describes for its workers is this one.
    words = [word for word in sys.argv[1:] if not word.startswith(OF_RAY)]
    with socket.socket(socket.AF_UNIX) as process:
        process.connect(os.environ["PREPARED_AT"])
        socket.send_fds(process, [b"."], STREAMS)
        order = json.dumps([words, os.getcwd(), dict(os.environ)])
        process.sendall(f"{order}\n".encode())
        process.recv(4, socket.MSG_WAITALL)
        code = int.from_bytes(process.recv(4, socket.MSG_WAITALL), "big", signed=True)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())

"""Generations by a model that are killed, each at a point that a seed draws, and resumed.

    python -m tests.benchmarks.kill_points [--points 20]

The model is scripted, at a server on this machine. After `kill -9` the same command goes on from
the replies that are stored: the golden set must have the bytes of a run that nobody killed, and
nothing that was answered and stored may be asked again. Exits with 1 if a point fails.
"""

import argparse
import json
import subprocess
import sys
import tempfile

from tests.server import LoopbackServer

RESPONDERS = "tests.server.writer_responders:RESPONDERS"


def main() -> int:
    """Print a line for each point; return 1 if one of them fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=20)
    points = parser.parse_args().points
    print("point   calls   kept at the kill   asked after it   items   same bytes")
    good = 0
    with LoopbackServer(responders=RESPONDERS) as server, tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "tests.testset.killing", server.url, folder]
        seeds = map(str, range(points))
        with subprocess.Popen([*command, *seeds], stdout=subprocess.PIPE, text=True) as killing:
            for line in killing.stdout or ():
                row = json.loads(line)
                paid_once = row["calls_after"] == row["calls"] - row["kept"]
                good += row["landed"] and row["equal"] and paid_once
                print(
                    f"{row['seed']:5} {row['calls']:7} {row['kept']:18} {row['calls_after']:16} "
                    f"{row['items']:7}   {'yes' if row['equal'] else 'NO'}",
                    flush=True,
                )
    print(f"{good} of {points} points end in the same bytes, with nothing asked again")
    return 0 if good == points else 1


if __name__ == "__main__":
    sys.exit(main())

"""`make links`: which addresses of other sites, in the documentation and the code, are gone?

CI does not run it, as a site that is down for an hour would break the build.
"""

import asyncio
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import httpx

ADDRESS = re.compile(r"https://[\w-]+(?:\.[\w-]+)+[^\s\]\[`\"'<>(){}…]*")
"""Of a host with a dot: `https://host/ask` is an example."""

SOURCES = ("*.md", "docs/*.md", "llamaindex_rag_eval/**/*.py", "testset/**/*.py")

AT_A_TIME = 8
"""Addresses asked at a time."""

AGENT = "Mozilla/5.0 (compatible; link check)"
"""Some sites refuse what does not look like a browser."""

UNSEEN = frozenset({401, 403, 405, 429})
"""Statuses of a page that is there and not shown to us."""


def external_links(root: Path) -> dict[str, str]:
    """Return the addresses of other sites, each with a file that has it."""
    found: dict[str, str] = {}
    for path in sorted(path for pattern in SOURCES for path in root.glob(pattern)):
        for address in ADDRESS.findall(path.read_text(encoding="utf-8")):
            found.setdefault(address.rstrip(".,;:*"), str(path.relative_to(root)))
    return found


async def faults_of(addresses: Iterable[str]) -> dict[str, str]:
    """Return what is wrong with the addresses that lead nowhere, by address."""
    gate = asyncio.Semaphore(AT_A_TIME)
    headers = {"User-Agent": AGENT}
    async with httpx.AsyncClient(headers=headers, follow_redirects=True, timeout=30) as client:

        async def fault(address: str) -> str:
            async with gate:
                try:
                    status = (await client.get(address)).status_code
                except httpx.HTTPError as error:
                    return f"{type(error).__name__}: {error}"
            return "" if status < 400 or status in UNSEEN else f"HTTP {status}"

        listed = list(addresses)
        faults = await asyncio.gather(*map(fault, listed))
    return {address: found for address, found in zip(listed, faults, strict=True) if found}


def _lines(root: Path) -> Iterator[str]:
    links = external_links(root)
    for address, fault in asyncio.run(faults_of(links)).items():
        yield f"{links[address]}: {address}: {fault}"


if __name__ == "__main__":
    lines = list(_lines(Path(__file__).parents[1]))
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.exit(bool(lines))

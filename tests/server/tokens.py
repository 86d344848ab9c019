"""Token counts, estimated: four characters a token, and prompt prefixes seen before."""

from hashlib import blake2b

CHARACTERS_PER_TOKEN = 4

# The API caches prompts from 1,024 tokens on, in steps of 128.
FIRST_CUT = 1024 * CHARACTERS_PER_TOKEN
STEP = 128 * CHARACTERS_PER_TOKEN


def token_count(text: str) -> int:
    """Return the estimated number of tokens, from 0."""
    return len(text) // CHARACTERS_PER_TOKEN


class PrefixCache:
    """The prompt prefixes seen, to tell how many tokens of a prompt an earlier one shares."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()

    def shared_tokens(self, prompt: str) -> int:
        """Return the tokens of the longest prefix seen before, and remember this prompt."""
        if len(prompt) < FIRST_CUT:
            return 0
        running = blake2b(digest_size=8)
        shared = start = 0
        for end in range(FIRST_CUT, len(prompt) + 1, STEP):
            running.update(prompt[start:end].encode())
            mark = running.digest()
            if mark in self._seen:
                shared = end // CHARACTERS_PER_TOKEN
            else:
                self._seen.add(mark)
            start = end
        return shared

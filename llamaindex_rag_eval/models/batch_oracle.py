"""An oracle over batch files: what a model is asked goes to files, and its replies come from files.

oracle = BatchOracle(OpenAI(model="gpt-4o-mini"), Store("replies.db"), "batch/")
run = evaluate(samples, metrics=["faithfulness"], judge=Judge(oracle))
oracle.write_round()  # -> batch/round-1.requests.jsonl; put the replies beside it, run again

A function that cannot go on without a reply, such as `generate`, raises `PendingError` instead.
"""

from pathlib import Path
from typing import Any

from llama_index.core.llms import LLM

from llamaindex_rag_eval.models.batch import BatchFolder
from llamaindex_rag_eval.models.batch_forms import BatchFormat, form_for
from llamaindex_rag_eval.models.cached import CachedOracle
from llamaindex_rag_eval.models.llm import LLMOracle
from llamaindex_rag_eval.models.store import ReplyStore


class BatchOracle(CachedOracle):
    """Answer from the store, or from the replies in a folder of batch files.

    What has no reply yet raises `PendingError`, which makes the metric's result `pending`;
    `write_round` writes it as the next file of requests. Replies keep the keys that they have
    online: a store may be filled by either.

    Args:
        llm: An LLM of LlamaIndex for OpenAI, Azure, Anthropic or a server that speaks OpenAI's
            protocol. It is not called; its settings go into the requests.
        store: Where replies are kept.
        folder: Of the batch files; made if it is not there.
        form: "openai", "azure" or "anthropic"; by default that of the LLM's API.
        **settings: Further ones of `LLMOracle`, as `prompts`.

    Attributes:
        folder: The files; `folder.waiting` are those without replies yet.

    Raises:
        InputError: The LLM takes no batch files, or none of this form; or the folder cannot be
            read or made.
    """

    def __init__(
        self,
        llm: LLM,
        store: ReplyStore | None,
        folder: str | Path,
        *,
        form: BatchFormat | None = None,
        **settings: Any,
    ) -> None:
        self.folder = BatchFolder(folder, form=form_for(llm, form))
        super().__init__(LLMOracle(llm, batch=self.folder, **settings), store)

    def write_round(self) -> tuple[Path, ...]:
        """Write what was asked and is not answered as the next round; return its files.

        Raises:
            OutputError: A file cannot be written.
        """
        return self.folder.write_round()

"""A run: what one generation is given and shares among its stages."""

from dataclasses import dataclass

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models.request import Oracle
from testset.checks.run import CheckContext
from testset.corpus.prepared import PreparedCorpus
from testset.generation.account import Account
from testset.generation.config import GenerationConfig
from testset.generation.targets import Targets


@dataclass(frozen=True)
class Run:
    """What one generation is given and shares among its stages.

    Attributes:
        config: What is wanted.
        prepared: The documents.
        author: Who writes.
        context: The questions accepted so far, and who verifies.
        targets: What is open of the traffic.
        account: What was spent, and how many attempts were made.
    """

    config: GenerationConfig
    prepared: PreparedCorpus
    author: Judge
    context: CheckContext
    targets: Targets
    account: Account

    @property
    def oracles(self) -> tuple[Oracle, Oracle]:
        """Who writes, and who verifies."""
        return self.author.oracle, self.context.judge.oracle

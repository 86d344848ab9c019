"""OpenAI's LLM for servers of its protocol; a module of its own, since importing OpenAI is slow."""

from llama_index.core.base.llms.types import LLMMetadata
from llama_index.llms.openai import OpenAI


class OpenAILike(OpenAI):
    """An OpenAI LLM for servers that speak OpenAI's protocol with models of other names.

    LlamaIndex's own refuses a model that its table of names does not hold.

    Attributes:
        context_window: Tokens that the model can read; most local servers allow at least these.
    """

    context_window: int = 8192

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex writes it to files."""
        return "openai_like_llm"

    @property
    def metadata(self) -> LLMMetadata:
        """What holds for any such server: it takes chat messages, and may not support tools."""
        return LLMMetadata(
            context_window=self.context_window,
            num_output=self.max_tokens or -1,
            is_chat_model=True,
            is_function_calling_model=False,
            model_name=self.model,
        )

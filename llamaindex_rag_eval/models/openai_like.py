"""An OpenAI LLM for servers that speak its protocol with models of other names."""

from llama_index.core.base.llms.types import LLMMetadata
from llama_index.llms.openai import OpenAI

__all__ = ["OpenAILike"]


class OpenAILike(OpenAI):
    """LlamaIndex's OpenAI LLM without its table of model names, which knows OpenAI's only.

    Attributes:
        context_window: Tokens that the model can read; most local servers hold at least this.
    """

    context_window: int = 8192

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex writes it to files."""
        return "openai_like_llm"

    @property
    def metadata(self) -> LLMMetadata:
        """What is known without asking the server: it chats, and may not know tools."""
        return LLMMetadata(
            context_window=self.context_window,
            num_output=self.max_tokens or -1,
            is_chat_model=True,
            is_function_calling_model=False,
            model_name=self.model,
        )

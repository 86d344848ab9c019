"""`ragas.integrations`: metrics over engines of LlamaIndex and chains of LangChain."""

"""What a generator asks a model: one file a request, with its reply; prompts in `languages`."""

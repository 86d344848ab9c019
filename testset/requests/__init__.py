"""What a generator asks a model, one request a file."""

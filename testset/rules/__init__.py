"""Rules that read questions off passages, one kind a file."""

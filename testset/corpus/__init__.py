"""Documents: their plain view, passages with exact offsets, and the index that checks search."""

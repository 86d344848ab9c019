"""Golden sets: items with their gold spans, splits, refresh and the data card."""

"""Generation: what is to be written, who writes it, and filling the quotas."""

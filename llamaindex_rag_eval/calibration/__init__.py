"""People's labels: how far the judge agrees with them, and what to label next."""

"""Rules that read questions off the form of documents: labels and tables that recur."""

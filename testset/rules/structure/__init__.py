"""Rules that read the form of a document: labels, tables, lists, headings; in any language."""

"""Gates for CI: what a run must reach, and the outcome as JUnit XML or Markdown."""

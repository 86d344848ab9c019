"""Gates for CI: limits that a run must hold, and how their outcome is written."""

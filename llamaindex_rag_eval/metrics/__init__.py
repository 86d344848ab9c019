"""The metrics: one file each, or one for a group that shares a formula."""

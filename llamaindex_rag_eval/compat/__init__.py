"""The interfaces of other evaluation tools, over the metrics of this one."""

"""Traces: what tracing tools recorded of an application, as samples."""

"""Health checks, metrics and the log, for operators (`docs/operations.md`)."""

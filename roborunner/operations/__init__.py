"""Signs of life, measurements and the log of the service, for its operators (`docs/operations.md`)."""

"""The HTTP API, version 1: thin views over the same services and selectors that the pages use."""

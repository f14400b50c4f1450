"""Shared parts of pages and the API: inputs, forms, actions, queries and responses."""

"""Tokens of the API: made, listed, revoked, and how programs use them."""

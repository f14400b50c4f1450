"""Ladders: one for each ruleset, always open, on which players challenge those above them."""

"""Tournaments: rounds at tables, knock-out, leagues and marathons."""

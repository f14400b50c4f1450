"""Real Postgres and Redis from Python wheels, for trials and tests; no Django."""

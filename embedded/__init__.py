"""Real Postgres and Redis from Python wheels, for trials, tests and development. Nothing about Django."""

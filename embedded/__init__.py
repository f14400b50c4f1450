"""Real Postgres and Redis servers from Python wheels, for trials and tests, without Django."""

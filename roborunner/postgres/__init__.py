"""Django's Postgres backend with limits on the time to wait for an answer."""

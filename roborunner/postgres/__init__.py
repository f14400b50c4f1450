"""Django's Postgres backend with a limit on how long a process waits for an answer."""

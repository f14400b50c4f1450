"""Addresses that are answered before anything else is asked of a request: they are no secret in the log."""

from typing import Final

HEALTH: Final = "/healthz"
READY: Final = "/readyz"
METRICS: Final = "/metrics"
SECURITY: Final = "/.well-known/security.txt"
ROBOTS: Final = "/robots.txt"

OWN: Final = frozenset({HEALTH, READY, METRICS, SECURITY, ROBOTS})

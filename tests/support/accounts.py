"""Helpers for tests about accounts."""

import base64
import json
from re import search

import altcha
from django.core.mail import EmailMessage

from accounts.challenges import Challenge

PASSWORD = "tread-lightly-9"


def link_in(mail: EmailMessage) -> str:
    """Return the path of the first link in an email."""
    found = search(r"https?://[^/\s]+(/\S+)", str(mail.body))
    assert found, mail.body
    return found[1]


def solved(challenge: Challenge) -> str:
    """Return the solution of a puzzle, as a browser sends it."""
    puzzle = altcha.Challenge.from_dict(json.loads(challenge.puzzle))
    solution = altcha.solve_challenge(puzzle)
    assert solution
    payload = {"challenge": puzzle.to_dict(), "solution": solution.to_dict()}
    return base64.b64encode(json.dumps(payload).encode()).decode()

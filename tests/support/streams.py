"""Streams of games without a server."""

from games.play.pages.streams import GameStreams
from roborunner import streams
from roborunner.streams import Pass, Refusal, Scope


def admit(scope: Scope, *, game_id: int, signed_in: bool) -> Pass | Refusal:
    """Return the answer to a request for a stream."""
    return streams.admit(GameStreams(), scope, game_id, api=signed_in)

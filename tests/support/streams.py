"""Asking for a stream of a game without a server."""

from games.streams.source import GameStreams
from roborunner.streams import admission
from roborunner.streams.admission import Refusal, Scope
from roborunner.streams.source import Pass


def admit(scope: Scope, *, game_id: int, signed_in: bool) -> Pass | Refusal:
    """What is answered to a request for a stream."""
    return admission.admit(GameStreams(), scope, game_id, api=signed_in)

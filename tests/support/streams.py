"""Open event streams of games without a server."""

from games.play.pages.streams import GameStreams
from roborunner import streams
from roborunner.streams import Admission, Refusal, Scope


def admit(scope: Scope, *, game_id: int, signed_in: bool) -> Admission | Refusal:
    """Return the site's response to a request for a game's event stream."""
    return streams.admit(GameStreams(), scope, game_id, api=signed_in)

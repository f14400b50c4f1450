"""How the history of games is told, as the rooms declare it that note it."""

from games.absence import selectors as absence
from games.lobby import history as lobby
from games.people import history as people
from games.play import history as play
from games.staff import services as staff
from games.votes import selectors as votes


def register() -> None:
    """Make the sentences of all rooms known, when the site starts."""
    for room in (play, lobby, absence, votes, people, staff):
        play.SENTENCES.update(room.HISTORY)

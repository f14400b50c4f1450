"""Panels of a game's page, its swings, and sentences of its history, from all rooms.

The room `play` makes the page. Each panel is a function: it gets the page's viewer and game, and returns
values to add to the template context. The room `films` lists the swings among the moments.
"""

from typing import Final

from games.absence import selectors as absence
from games.absence.pages import offers_panel
from games.analysis.pages import coach_panel, list_swings
from games.chat.pages import chat_panel
from games.competitions.pages import ladder_panel, tournament_panel
from games.dock.pages import review_panel
from games.lobby import selectors as lobby
from games.lobby.pages.lobby import lobby_panel
from games.people.pages import statistics_panel
from games.people.services import deletion as people
from games.play import history as play
from games.shipyard.pages.drafts import flight_panel
from games.staff import services as staff
from games.standings.pages import ratings_panel
from games.votes import selectors as votes
from games.votes.pages import votes_panel

PANELS: Final = (
    offers_panel,
    chat_panel,
    votes_panel,
    lobby_panel,
    ratings_panel,
    tournament_panel,
    ladder_panel,
    statistics_panel,
    flight_panel,
    review_panel,
    coach_panel,
)


SWINGS: Final = (list_swings,)


def register_history() -> None:
    """Register the history sentences of all rooms when the site starts."""
    for room in (play, lobby, absence, votes, people, staff):
        play.SENTENCES.update(room.HISTORY)

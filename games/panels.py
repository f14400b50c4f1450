"""What other rooms show on a game's page, which is made by the room `play`: the whole page in one place.

A panel is told who looks at which game, and adds to the context of the page's templates.
"""

from typing import Final

from games.absence.pages import offers_panel
from games.chat.pages import chat_panel
from games.competitions.pages import ladder_panel, tournament_panel
from games.dock.pages import review_panel
from games.lobby.pages.lobby import lobby_panel
from games.people.pages.charts import statistics_panel
from games.shipyard.pages.drafts import flight_panel
from games.staff.pages import staff_panel
from games.standings.pages import ratings_panel
from games.votes.pages import votes_panel

PANELS: Final = (
    offers_panel,
    chat_panel,
    votes_panel,
    lobby_panel,
    staff_panel,
    ratings_panel,
    tournament_panel,
    ladder_panel,
    statistics_panel,
    flight_panel,
    review_panel,
)

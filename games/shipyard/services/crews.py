"""By which ruleset a draft is flown in the wind tunnel, by how many players, and how often."""

from django.utils.text import capfirst
from django.utils.translation import gettext as _

import rules
from games.errors import Invalid, of_document
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import ruleset_for
from games.shipyard.services.flights import ship_of
from rules.suitability import middle, player_numbers
from rules.tunnel.flying import MOST_FLIGHTS


def edition_and_crew(
    draft: StarshipDraft, key: str, players: int | None, flights: int
) -> tuple[rules.Ruleset, int]:
    """Return the ruleset and the number of players of a run.

    Raises Invalid with every reason why the draft cannot be flown like this.
    """
    if not 1 <= flights <= MOST_FLIGHTS:
        detail = _("A run has 1 to {most} flights.").format(most=MOST_FLIGHTS)
        raise _invalid([{"code": "flights", "detail": detail, "key": "flights"}])
    key = key or ruleset_for(drawing=draft, players=draft.players)
    ship = ship_of(draft, key)
    edition = rules.RULESETS[key]
    numbers = player_numbers(edition, ship)
    if players is None:
        if not numbers:
            detail = _("The wind tunnel needs start cells for two players at least.")
            raise _invalid([{"code": "players", "detail": detail, "key": "players"}])
        players = draft.players if draft.players in numbers else middle(numbers)
    if players < 2:
        detail = _("A flight needs 2 players at least.")
        raise _invalid([{"code": "players", "detail": detail, "key": "players"}])
    try:
        rules.make_setup(edition, {}, ship, players)
    except rules.SetupError as error:
        found = of_document("players", error.problems)
        raise _invalid([{**each, "detail": f"{capfirst(each['detail'])}."} for each in found]) from None
    return edition, players


def _invalid(problems: list[dict[str, object]]) -> Invalid:
    return Invalid("no-run", _("This ship cannot be flown like this in the wind tunnel."), problems)

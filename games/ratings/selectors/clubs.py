"""The table of a club: how its members do in its own rated games."""

from datetime import datetime, timedelta
from typing import Annotated, Final, TypedDict

from games.clubs.models import Club, ClubGame
from games.ratings.models import ALL, RatingChange
from games.ratings.stored import outcome_in

SPAN: Final = timedelta(days=365)
"""How far back a club's table looks."""

MOST_CHANGES: Final = 5000


class ClubLineView(TypedDict):
    """A member in the table of a club."""

    place: Annotated[int, "Equals have the same."]
    robo_name: str
    games: Annotated[int, "Rated games of the club."]
    won: int
    points: Annotated[float, "The shares of opponents or squads that they beat in each game; half for a tie."]


def club_table(*, club: Club, now: datetime) -> list[ClubLineView]:
    """Return the members of a club who have played in its rated games of the last year, most points first."""
    games = ClubGame.objects.filter(club=club).order_by().values("game")
    changes = (
        RatingChange.objects.filter(pool=ALL, result__of_game__in=games, played_at__gt=now - SPAN)
        .select_related("user", "result")
        .order_by("-played_at", "-result__of_game")[:MOST_CHANGES]
    )
    members = set(club.memberships.values_list("user", flat=True))
    lines: dict[int, ClubLineView] = {}
    for change in changes:
        if change.user_id not in members:
            continue
        name = change.user.robo_name
        empty: ClubLineView = {"place": 0, "robo_name": name, "games": 0, "won": 0, "points": 0.0}
        line = lines.setdefault(change.user_id, empty)
        line["games"] += 1
        line["won"] += change.rank == 1
        line["points"] += float(outcome_in(change.result).share_beaten(change.user_id))
    return _placed(sorted(lines.values(), key=lambda line: (-line["points"], line["robo_name"].lower())))


def _placed(lines: list[ClubLineView]) -> list[ClubLineView]:
    for number, line in enumerate(lines, 1):
        before = lines[number - 2] if number > 1 else None
        line["place"] = before["place"] if before and before["points"] == line["points"] else number
    return lines

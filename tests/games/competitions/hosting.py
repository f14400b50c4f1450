"""Create tournaments for tests, and play them to a known result."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import patch

from django.contrib.auth.hashers import make_password

from accounts.models import User
from games.competitions.inputs import NewTournament
from games.competitions.models import Round, Tournament
from games.competitions.services import tournaments
from games.competitions.services.rounds import advance_tournaments
from games.competitions.services.scoring import score_tables
from games.competitions.services.tournaments import create_tournament, join_tournament, open_tournament
from games.play.models import Game
from tests.games.standings.rated import concede_to
from tests.games.support import NOW, Table

START = NOW + timedelta(days=1)


def terms(table: Table, *, starts_at: datetime = START, **asked: Any) -> dict[str, Any]:
    given = {"name": "Autumn Cup", "kind": "swiss", "starships": [table.starship.pk], "size": 2, "rounds": 2}
    return NewTournament(data={**given, "starts_at": starts_at.isoformat(), **asked}).allowed()


def opened(
    table: Table, erin: User, *entrants: User, seed: str = "a seed", now: datetime = NOW, **asked: Any
) -> Tournament:
    """Return a tournament of Erin that is open for entries, and has the given entrants.

    ``seed`` determines its random choices.
    """
    with patch.object(tournaments.secrets, "token_hex", return_value=seed):
        made = create_tournament(user=erin, terms=terms(table, **asked), now=now)
    open_tournament(user=erin, tournament_id=made.pk, now=now)
    for entrant in entrants:
        join_tournament(user=entrant, tournament_id=made.pk, now=now)
    made.refresh_from_db()
    return made


def crowd(number: int, called: str = "Robo") -> list[User]:
    """Create ``number`` players quickly, named Robo1, Robo2 and so on."""
    password = make_password("robots-in-orbit", hasher="md5")
    return User.objects.bulk_create(
        User(
            robo_name=f"{called}{each}",
            email=f"{called}{each}@example.org".lower(),
            password=password,
            skeleton=f"{called}{each}".lower(),
        )
        for each in range(1, number + 1)
    )


def step(now: datetime) -> int:
    """Run the sweeper's jobs for tournaments once."""
    score_tables(now=now)
    return advance_tournaments(now=now)


def games_of(made: Round | None) -> list[Game]:
    assert made
    return [table.game for table in made.tables.select_related("link__game") if table.game]


def last_round(tournament: Tournament) -> Round:
    found = tournament.all_rounds.order_by("-number").first()
    assert found
    return found


def play_round(tournament: Tournament, order: Sequence[User], *, now: datetime) -> None:
    """End each game of the last round.

    The first player in ``order`` who sits at a table wins its game.
    """
    for game in games_of(last_round(tournament)):
        here = {seat.user_id for seat in game.players.all()}
        concede_to(game, next(user for user in order if user.pk in here), at=now)

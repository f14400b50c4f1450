"""Define the rows of lists of players on a large site, from ratings to contacts. Postgres makes them.

Each village of four people has two games: a running game, and a game that is over.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final

from allauth.usersessions.models import UserSession

import rules
from bench.load.rows import Kind, spread
from games.clocks.clock import PerTurn
from games.clubs.models import Candidate, Club, ClubGame, Membership
from games.competitions.models import (
    PAIRING_FORMAT,
    Division,
    Entrant,
    Ladder,
    LadderGame,
    Round,
    Rung,
    Season,
    SeasonEntry,
    Table,
    TableGame,
    TablePlace,
    Tournament,
)
from games.people.models import Block, Follow, PlayerNote
from games.play import stored
from games.play.policy import STANDING, Absence
from games.standings.awards import AWARDS, month_of
from games.standings.models import (
    OVERALL,
    RESULT_FORMAT,
    Award,
    MonthClose,
    PlayerMonth,
    PlayerRating,
    RatingChange,
    RatingPool,
    Result,
)
from rules.statistics import COUNTERS

RULESET: Final = "robo-runner"

RUNNING: Final = "2 * ({}) - 1"
OVER: Final = "2 * ({})"
"""SQL expressions for the ID of a village's running game and of its finished game.

The village's number replaces the braces.
"""

DIVISIONS: Final = 10_000_000
"""The offset for the IDs of divisions' tournaments, and of their rounds, tables and entrants."""

MOST_DIVISIONS: Final = 30_000
"""The maximum number of divisions in a season. The IDs of all seasons start from the offset `DIVISIONS`."""

LARGE: Final = 20_000_000
"""The offset for the IDs of the largest tournament, and of its rounds, tables and entrants."""

MARATHON: Final = LARGE + 2

ENTRANTS: Final = 300
"""The number of players in the largest tournament, and in the marathon."""

TABLES: Final = ENTRANTS // 4
ROUNDS: Final = 5

PEOPLE: Final = 10
"""The number of members in each club."""

WORDS: Final = "'{Nebula,Comet,Orion,Vega,Rust,Laser,Gear,Turbo}'::text[]"

MONTHS: Final = 24
"""The number of past months with awards."""


def create_fixed_rows(now: datetime) -> None:
    """Create the rows that do not depend on the number of players."""
    for key in (OVERALL, RULESET):
        RatingPool.objects.get_or_create(key=key)
    Ladder.objects.get_or_create(ruleset=RULESET)
    quarter = timedelta(days=91)
    Season.objects.create(pk=1, ruleset=RULESET, starts_at=now + quarter, ends_at=now + 2 * quarter)
    for pk, key in enumerate(rules.RULESETS, 2):
        Season.objects.create(pk=pk, ruleset=key, status="running", starts_at=now, ends_at=now + quarter)
    month = month_of(now)
    for _ in range(MONTHS):
        month = _before(month)
        close = MonthClose.objects.create(month=month, closed_at=now)
        Award.objects.bulk_create(
            Award(close=close, key=key, user_id=place, place=place, value=1)
            for key in AWARDS
            for place in (1, 2, 3)
        )


def kinds(now: datetime) -> Iterator[Kind]:
    """Yield all kinds of rows. Rows come after the rows that they refer to."""
    yield from _ratings(now)
    yield from _months(now)
    yield from _ladders(now)
    yield from _tournaments(now)
    yield from _divisions(now)
    yield from _largest(now)
    yield from _clubs(now)
    yield from _contacts(now)


def _ratings(now: datetime) -> Iterator[Kind]:
    outcome = {"format": RESULT_FORMAT, "sides": [], "left": []}
    result = Result(ruleset=RULESET, outcome=outcome, ended_at=now)
    yield Kind(result, {"id": "i", "of_game": OVER.format("i"), "seq": "i"}, group=4)
    for pool in (OVERALL, RULESET):
        rating = PlayerRating(pool_id=pool, games=30, met=12, played_at=now, sigma=1.5)
        mean = f"20 + {spread('n', 1)} / 100000.0"
        yield Kind(rating, {"user": "n", "mu": mean, "floor": f"{mean} - 3", "listed": "n % 2 = 0"})
        change = RatingChange(pool_id=pool, played_at=now, mu_before=25, mu=26, sigma=1.5)
        values = {"result": "i", "user": "n", "seq": "i", "side": "s - 1", "rank": "s"}
        yield Kind(change, values, group=4, each=4)


def _months(now: datetime) -> Iterator[Kind]:
    """Yield statistics of this month for all players, and of last month for every tenth player."""
    month = month_of(now)
    figures = ("turns", "checkpoints", *COUNTERS)
    values = {name: f"{spread('n', 2 + number)} % 1000" for number, name in enumerate(figures)}
    games = f"1 + {spread('n', 1)} % 40"
    values |= {
        "user": "n",
        "games": games,
        "won": f"{spread('n', 2)} % (1 + {games})",
        "in_time": f"{spread('n', 3)} % (1 + {games})",
        "gained": f"{spread('n', 4)} % 400 - 200",
        "tested": f"CASE WHEN n % 10 = 0 THEN {spread('n', 5)} % 9 ELSE 0 END",
    }
    yield Kind(PlayerMonth(month=month), values)
    yield Kind(PlayerMonth(month=_before(month)), values, only="n % 10 = 0")


def _ladders(now: datetime) -> Iterator[Kind]:
    rung = Rung(ladder_id=RULESET, joined_at=now, active_at=now)
    yield Kind(rung, {"user": "n", "place": "n", "active_at": _ago(now, "n % 90", "day")})
    made = {"challenger": "8 * i", "challenged": "8 * i - 1", "made_at": _ago(now, "i", "minute")}
    running = LadderGame(ladder_id=RULESET)
    yield Kind(running, {**made, "game": RUNNING.format("2 * i")}, group=8, only="i % 4 = 0")
    settled = LadderGame(ladder_id=RULESET, settled_at=now, outcome="climbed")
    yield Kind(settled, {**made, "game": OVER.format("2 * i")}, group=8)


def _tournament(now: datetime, **more: Any) -> Tournament:
    terms = {
        "kind": Tournament.Kind.SWISS,
        "ruleset": RULESET,
        "pace": stored.write_pace(PerTurn(24)),
        "absence": stored.write_absence(Absence(STANDING, 1)),
        "most": 16,
        "seed": "chance",
        "starts_at": now,
        "created_at": now,
    }
    return Tournament(**{**terms, **more})


def _tournaments(now: datetime) -> Iterator[Kind]:
    """Yield usual tournaments: open, running and finished."""
    kinds = (("finished", now, "i % 4 > 1"), ("running", None, "i % 4 = 1"), ("open", None, "i % 4 = 0"))
    for status, ended_at, only in kinds:
        row = _tournament(now, status=status, ended_at=ended_at, name="A tournament")
        values = {"id": "i", "host": "5 * i", "starts_at": _ago(now, "i", "hour")}
        yield Kind(row, values, group=5, only=only)
    entered = {"tournament": "i", "user": "5 * i - s"}
    yield Kind(Entrant(joined_at=now, strength=1500), entered, group=5, each=8, only="5 * i > s")


def _divisions(now: datetime) -> Iterator[Kind]:
    numbers = f"{DIVISIONS} + "
    row = _tournament(now, status="running", kind="league", round_days=16, ends_at=now)
    yield Kind(row, {"id": f"{numbers} i", "name": "'Division ' || i"}, group=16)
    season = f"2 + i / {MOST_DIVISIONS}"
    division = {"season": season, "number": f"1 + i % {MOST_DIVISIONS}", "tournament": f"{numbers} i"}
    yield Kind(Division(), division, group=16)
    entered = {"id": f"{numbers} n", "tournament": f"{numbers} i", "user": "n"}
    yield Kind(Entrant(joined_at=now, strength=1500), entered, group=16, each=16)
    yield Kind(_round(now), {"id": f"{numbers} i", "tournament": f"{numbers} i", "number": "1"}, group=16)
    table = {"id": f"{numbers} n", "round": f"{numbers} i", "number": "s"}
    yield Kind(Table(size=4), table, group=16, each=4)
    yield Kind(TableGame(), {"game": RUNNING.format("n"), "table": f"{numbers} n"}, group=16, each=4)
    place = {"table": f"{numbers} i", "entrant": f"{numbers} n", "seat": "s"}
    yield Kind(TablePlace(), place, group=4, each=4)
    yield Kind(SeasonEntry(season_id=1), {"user": "n", "joined_at": _ago(now, "n", "second")})
    yield Kind(SeasonEntry(joined_at=now), {"season": season, "user": "n"}, group=16, each=16)


def _largest(now: datetime) -> Iterator[Kind]:
    """Yield a tournament of 300 players in its last round, and a marathon of 300 players.

    Both are the same on sites of all sizes.
    """
    row = _tournament(now, status="running", name="The largest", most=ENTRANTS, rounds=ROUNDS)
    yield Kind(row, {"id": f"{LARGE} + i", "host": "1"}, fixed=1)
    entered = {"id": f"{LARGE} + n", "tournament": f"{LARGE} + 1", "user": "n"}
    yield Kind(Entrant(joined_at=now, strength=1500), entered, fixed=ENTRANTS)
    numbered = {"id": f"{LARGE} + i", "tournament": f"{LARGE} + 1", "number": "i"}
    yield Kind(_round(now), numbered, fixed=ROUNDS)
    table = {"id": f"{LARGE} + n", "round": f"{LARGE} + i", "number": "s"}
    yield Kind(Table(size=4, scored_at=now), table, fixed=ROUNDS, each=TABLES)
    last = {"game": OVER.format("s"), "table": f"{LARGE} + {TABLES * (ROUNDS - 1)} + s"}
    yield Kind(TableGame(), last, fixed=1, each=TABLES)
    entrant = f"{LARGE} + 1 + (s - 1) * i % {ENTRANTS}"
    seated = {"table": f"{LARGE} + (n - 1) / 4 + 1", "entrant": entrant, "seat": "(s - 1) % 4 + 1"}
    scored = {"rank": "(s - 1) % 4 + 1", "points": "280 * (4 - (s - 1) % 4 - 1)"}
    yield Kind(TablePlace(), seated | scored, fixed=ROUNDS, each=ENTRANTS)
    ends = now + timedelta(days=1)
    row = _tournament(now, status="running", kind="marathon", name="A marathon", most=ENTRANTS, ends_at=ends)
    yield Kind(row, {"id": str(MARATHON)}, fixed=1)
    yield Kind(Entrant(tournament_id=MARATHON, joined_at=now, strength=1500), {"user": "n"}, fixed=ENTRANTS)


def _round(now: datetime) -> Round:
    pairing = {"format": PAIRING_FORMAT, "way": "points", "repeats": 0}
    return Round(pairing=pairing, started_at=now, ends_at=now + timedelta(days=9))


def _clubs(now: datetime) -> Iterator[Kind]:
    name = f"({WORDS})[i % 8 + 1] || ' ' || ({WORDS})[{spread('i')} % 8 + 1] || ' ' || i"
    yield Kind(Club(created_at=now), {"id": "i", "slug": "'club-' || i", "name": name}, group=PEOPLE)
    role = "CASE WHEN s = 1 THEN 'captain' WHEN s = 2 THEN 'officer' ELSE 'member' END"
    yield Kind(Membership(since=now), {"club": "i", "user": "n", "role": role}, group=PEOPLE, each=PEOPLE)
    wants = {"club": "i", "user": f"{PEOPLE} * i + 1", "invited": "i % 2 = 0"}
    yield Kind(Candidate(since=now), wants, group=PEOPLE)
    for game in (RUNNING, OVER):
        yield Kind(ClubGame(), {"club": "i", "game": game.format("2 * i - 1")}, group=PEOPLE)


def _contacts(now: datetime) -> Iterator[Kind]:
    """Yield each player's contacts: a few other players, most of them with distant IDs."""
    there = "((n - 1) # {}) + 1"
    for bit in (1, 2, 64, 128):
        yield Kind(Follow(since=now), {"user": "n", "followed": there.format(bit)})
    yield Kind(Block(since=now), {"user": "n", "blocked": there.format(4)})
    yield Kind(PlayerNote(text="Plays well.", changed_at=now), {"user": "n", "about": there.format(8)})
    session = UserSession(ip="127.0.0.1", created_at=now)
    seen = _ago(now, "n % 1000", "hour")
    yield Kind(session, {"user": "n", "session_key": "'seen-' || n", "last_seen_at": seen})


def _ago(now: datetime, number: str, unit: str) -> str:
    return f"'{now.isoformat()}'::timestamptz - ({number}) * interval '1 {unit}'"


def _before(month: date) -> date:
    return (month - timedelta(days=1)).replace(day=1)

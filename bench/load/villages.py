"""Create sites of any size: one village of people with real games, and copies of the village.

The services create the village, as people would. Postgres creates the copies: the same rows with other IDs,
for other people. So each person has as many games on a large site as on a small one, and any extra time on a
large site is due to other people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from itertools import count, islice
from typing import Any, Final

import redis
from django.conf import settings
from django.db import connection, models, transaction
from django.db.models import F, Max, Min

import rules
from accounts.models import User
from games.clocks.clock import PerTurn
from games.fleet.models import Starship
from games.fleet.services import retire_starship, save_starship
from games.lobby.seats import join_game
from games.lobby.services import create_game
from games.news.models import Notice
from games.people.models import ApiToken, Tally
from games.play import stored
from games.play.computers import play_computers
from games.play.models import Game, Hand, Program, Seat, Turn
from games.play.news import TURN
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.play.terms import Terms

TABLES: Final[tuple[type[models.Model], ...]] = (
    *(User, ApiToken, Game, Seat, Tally, Turn, Hand, Program, Notice),
)
"""The tables that contain rows of a village. Referenced tables come first."""

TOKEN: Final = "robo_of-the-load-test-"
"""The prefix of each person's API token. The person's ID follows."""

TINY: Final = {
    "format": "starship/1",
    "name": "Plank",
    "builder": "Bench",
    "rows": ["a . . . .+i1+wE"],
}
"""A board of one row with open ends, so that games on it end after a few turns."""

MOST_TURNS: Final = 60
"""The maximum number of turns for a game that must end."""


@dataclass(frozen=True)
class Shape:
    """The numbers of people and games in one village.

    ``running`` games wait for orders: the first game for orders of all players, the second for orders of all
    players except one, and so on. In ``against`` games, one person plays against a computer that has already
    submitted. ``complete`` games have all orders of a turn, but the turn is not played yet. ``over`` games
    have ended, and ``open`` games have not started. ``turns`` is the number of turns already played in each
    running game. If ``past`` is True, games keep all turns, logs and counters. Otherwise they keep only the
    last turn.
    """

    people: int
    running: int
    against: int = 0
    complete: int = 0
    over: int = 0
    open: int = 0
    seats: int = 4
    turns: int = 1
    past: bool = True

    @property
    def games(self) -> int:
        return self.running + self.against + self.complete + self.over + self.open


class Village:
    """A village that can be copied. It must be created before any other game in the database."""

    def __init__(self, shape: Shape, now: datetime) -> None:
        self.shape = shape
        self.now = now
        self.copies = 1
        self._people: list[User] = []
        self._started = 0

    def create(self) -> None:
        """Create the village: create accounts for its people, and play its games."""
        for number in range(1, self.shape.people + 1):
            user = User.objects.create_user(f"Villager-{number}", f"villager-{number}@example.org")
            ApiToken.objects.create(user=user, digest=_digest(user.pk), created_at=self.now)
            self._people.append(user)
        plank = save_starship(document=TINY, section=Starship.Section.FLEET, now=self.now)
        retire_starship(starship_id=plank.pk)
        boards = _boards(self.shape.seats)
        shape = self.shape
        for number in range(shape.running):
            self._under_way(boards[number % len(boards)], given=number % shape.seats)
        for number in range(shape.against):
            self._against_a_computer(boards[number % len(boards)])
        for number in range(shape.complete):
            self._under_way(boards[number % len(boards)], given=shape.seats)
        Starship.objects.filter(pk=plank.pk).update(retired=False)
        for _ in range(shape.over):
            self._over(plank)
        retire_starship(starship_id=plank.pk)
        for _ in range(shape.open):
            self._make(boards[0], self._some(1), seats=shape.seats)
        if not self.shape.past:
            Turn.objects.exclude(number=F("game__turn")).delete()
            Notice.objects.exclude(turn=F("game__turn")).delete()
            Notice.objects.filter(kind=TURN.name, game__status=Game.Status.OVER).delete()
            Tally.objects.all().delete()
        Notice.objects.update(status=Notice.Status.SENT, sent_at=self.now)
        Hand.objects.filter(program__isnull=False).update(remind_at=None)
        with redis.Redis.from_url(settings.REDIS_URL) as client:
            client.flushdb()  # removes tasks: they are done, or workers must not do them yet

    def start(self, people: int = 0, computers: Sequence[str] = ()) -> Game:
        """Create another game for the next people of the village, in its first turn.

        Without a number of ``people``, they take all seats. Computers have the levels ``computers``.
        """
        boards = _boards(self.shape.seats)
        self._started += 1
        board, hosts = boards[self._started % len(boards)], self._some(people or self.shape.seats)
        if not computers:
            return self._make(board, hosts)
        return self._make(board, hosts, seats=len(hosts) + len(computers), computers=list(computers))

    def grow(self, copies: int) -> None:
        """Copy the village until there are ``copies`` of it, including the original."""
        more = copies - self.copies
        if more <= 0:
            return
        shifts = {model: self._first_free(model) - lowest for model, (lowest, _) in self._ranges.items()}
        with transaction.atomic(), connection.cursor() as cursor:
            # The original rows were checked, so their references need no more checks.
            cursor.execute("SET LOCAL session_replication_role = replica")
            for model in self._ranges:
                cursor.execute(self._copying(model, shifts, more))
        with connection.cursor() as cursor:
            for model in self._ranges:
                table = model._meta.db_table
                cursor.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
                )
        self.copies = copies
        tidy()

    @cached_property
    def _ranges(self) -> Mapping[type[models.Model], tuple[int, int]]:
        """The lowest and highest primary key of the village's rows, by table. Empty tables are missing."""
        found = {}
        for model in TABLES:
            ends = model._default_manager.aggregate(lowest=Min("pk"), highest=Max("pk"))
            if ends["lowest"] is not None:
                found[model] = (ends["lowest"], ends["highest"])
        return found

    def _copying(self, model: type[models.Model], shifts: Mapping[type[models.Model], int], more: int) -> str:
        """Return the SQL statement that copies the village's rows in a table ``more`` times."""
        lowest, highest = self._ranges[model]
        fields = [field for field in model._meta.concrete_fields if not field.generated]
        columns = [field.column for field in fields]
        values = [self._value(field, shifts) for field in fields]
        return (
            f"INSERT INTO {model._meta.db_table} ({', '.join(map(_quoted, columns))})"
            f" SELECT {', '.join(values)} FROM generate_series(0, {more - 1}) AS copy CROSS JOIN"
            f" (SELECT * FROM {model._meta.db_table} WHERE id BETWEEN {lowest} AND {highest}) AS row"
        )

    def _value(self, field: "models.Field[Any, Any]", shifts: Mapping[type[models.Model], int]) -> str:
        """Return the SQL expression for a column of a copied row. It is usually the original value."""
        original = f"row.{_quoted(field.column)}"
        if field.primary_key:
            return self._shifted(original, field.model, shifts)
        if isinstance(field, models.ForeignKey) and field.related_model in shifts:
            return self._shifted(original, field.related_model, shifts)
        match f"{field.model.__name__}.{field.name}":
            case "Seat.robot":  # the original's name, which states and logs contain
                name = f"(SELECT robo_name FROM {User._meta.db_table} WHERE id = row.user_id)"
                return f"coalesce(nullif({original}, ''), {name}, '')"
            case "User.robo_name":
                return f"{original} || 'x' || ({self.copies} + copy)"  # separators do not distinguish names
            case "User.email":
                return f"({self.copies} + copy) || '-' || {original}"
            case "Game.link_token":
                return f"{original} || ({self.copies} + copy)"
            case "ApiToken.digest":
                person = self._shifted("row.user_id", User, shifts)
                return f"encode(sha256(('{TOKEN}' || {person})::bytea), 'hex')"
        return original

    def _shifted(
        self, original: str, model: type[models.Model], shifts: Mapping[type[models.Model], int]
    ) -> str:
        lowest, highest = self._ranges[model]
        return f"{original} + {shifts[model]} + copy * {highest - lowest + 1}"

    def _first_free(self, model: type[models.Model]) -> int:
        return int(model._default_manager.aggregate(highest=Max("pk"))["highest"]) + 1

    # --- The games of its people ----------------------------------------------------------------------------

    def _some(self, number: int) -> list[User]:
        """Return the next people in rotation, so that all play equally often."""
        self._people = self._people[number:] + self._people[:number]
        return self._people[:number]

    def _make(self, board: Starship, people: Sequence[User], **more: Any) -> Game:
        terms = Terms(
            name="An evening flight", starship=board.pk, pace=PerTurn(24), **{"seats": len(people), **more}
        )
        game = create_game(host=people[0], terms=terms, placed=True, now=self.now)
        for person in people[1:]:
            join_game(user=person, game_id=game.pk, placed=True, now=self.now)
        game.refresh_from_db()
        return game

    def _under_way(self, board: Starship, given: int) -> None:
        """Start a game, play ``turns`` turns, and submit the next orders of ``given`` players."""
        game = self._make(board, self._some(self.shape.seats))
        for _ in range(self.shape.turns):
            self._play(game)
        submit_random_orders(game, given, self.now)

    def _against_a_computer(self, board: Starship) -> None:
        game = self._make(board, self._some(1), seats=2, computers=["rookie"])
        play_computers(turn_id=game.turns.get(status=Turn.Status.OPEN).pk, now=self.now)

    def _over(self, board: Starship) -> None:
        game = self._make(board, self._some(2))
        for _ in islice(count(), MOST_TURNS):
            if game.status == Game.Status.OVER:
                return
            self._play(game)
        raise AssertionError("No game on the plank takes so long.")

    def _play(self, game: Game) -> None:
        submit_random_orders(game, self.shape.seats, self.now)
        resolve_turn(turn_id=game.turns.get(status=Turn.Status.OPEN).pk, now=self.now)
        game.refresh_from_db()


def submit_random_orders(game: Game, people: int, now: datetime) -> None:
    """Submit random orders for up to ``people`` players whose orders are missing in a game."""
    turn = game.turns.get(status=Turn.Status.OPEN)
    setup = stored.setup_of(game)
    state = stored.start_of(turn, setup.starship)
    missing = (
        turn.hands.filter(program=None)
        .exclude(seat__user=None)
        .select_related("seat__user")
        .order_by("robot")
    )
    for hand in missing[:people]:
        assert hand.seat and hand.seat.user
        orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, game.pk)
        submit_orders(
            user=hand.seat.user,
            game_id=game.pk,
            turn_number=turn.number,
            document=rules.write_orders(orders),
            now=now,
        )


def tidy() -> None:
    """Vacuum and analyse the database, as autovacuum would have done on an older site."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")


def token_of(person: int) -> str:
    """Return the API token of the person with this ID."""
    return f"{TOKEN}{person}"


def _digest(person: int) -> str:
    return sha256(token_of(person).encode()).hexdigest()


def _boards(seats: int) -> list[Starship]:
    """Return up to eight starships of the fleet that allow this number of players."""
    fleet = Starship.objects.filter(section=Starship.Section.FLEET, retired=False)
    fitting = fleet.filter(seats_least__lte=seats, seats_most__gte=seats).exclude(slug="plank")
    return list(fitting.select_related("current").order_by("pk")[:8])


def _quoted(column: str) -> str:
    return connection.ops.quote_name(column)

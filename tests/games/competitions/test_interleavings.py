"""Two workers on one tournament: one runs between any two SQL statements of the other."""

from datetime import timedelta
from functools import partial

import pytest

from games.competitions.models import Round, Table as TournamentTable, Tournament
from games.competitions.services.rounds import advance
from games.competitions.services.scoring import score_table
from games.competitions.services.tournaments import (
    cancel_tournament,
    create_tournament,
    leave_all,
    leave_running,
    open_tournament,
)
from games.errors import NotFound
from games.play.models import Game
from tests import cast
from tests.games.competitions.hosting import START, crowd, last_round, opened, play_round, step, terms
from tests.games.support import HALL, NOW, Table
from tests.games.together import Call, Interleaved, interleave_everywhere

pytestmark = pytest.mark.django_db(transaction=True)

LATER = START + timedelta(days=60)


class Cups:
    """Creates cups of four players, at tables of two. Each new cup deletes the one before."""

    def __init__(self) -> None:
        self.table, self.erin, self.people = Table(HALL.saved()), cast.erin(), crowd(4)
        self.now: Tournament

    def opened(self, kind: str = "knockout", **asked: int) -> Tournament:
        """Return a new cup that is open for entries."""
        Game.objects.all().delete()
        Tournament.objects.all().delete()
        self.now = opened(self.table, self.erin, *self.people, kind=kind, **asked)
        return self.now

    def played(self, kind: str = "knockout", **asked: int) -> list[TournamentTable]:
        """Return the tables of a first round. Their games are over but not scored."""
        self.opened(kind, **asked)
        step(START)
        play_round(self.now, self.people, now=START)
        Tournament.objects.update(due_at=START)
        return list(last_round(self.now).tables.order_by("number"))

    @property
    def advance(self) -> Call:
        return partial(advance, self.now.pk, now=last_round(self.now).ends_at)


@pytest.fixture
def cups() -> Cups:
    return Cups()


def no_error(done: Interleaved) -> None:
    for each in (done.first, done.second):
        if isinstance(each, Exception):
            raise each


def winners(cup: Tournament) -> set[str]:
    first = Game.objects.filter(at_table__table__round__tournament=cup, at_table__table__round__number=1)
    return set(first.values_list("winner", flat=True))


def finalists(cup: Tournament) -> set[str]:
    assert last_round(cup).number == 2
    return set(last_round(cup).tables.values_list("places__entrant__user__robo_name", flat=True))


@pytest.mark.parametrize("scored_first", [True, False])
def test_a_round_that_ends_while_a_table_is_scored_loses_no_winner(scored_first: bool, cups: Cups) -> None:
    def prepare() -> tuple[Call, Call]:
        tables = cups.played()
        calls = partial(score_table, tables[0].pk, now=last_round(cups.now).ends_at), cups.advance
        return calls if scored_first else calls[::-1]

    def check(done: Interleaved) -> None:
        no_error(done)
        step(LATER)
        assert finalists(cups.now) == winners(cups.now)

    assert interleave_everywhere(prepare, check, stride=1 if scored_first else 9) > 8


def test_two_workers_scoring_the_last_two_tables_still_continue_the_tournament(cups: Cups) -> None:
    def prepare() -> tuple[Call, Call]:
        one, other = cups.played()
        Tournament.objects.update(due_at=LATER)
        return partial(score_table, one.pk, now=START), partial(score_table, other.pk, now=START)

    def check(done: Interleaved) -> None:
        assert (done.first, done.second) == (1, 1)
        cups.now.refresh_from_db()
        assert cups.now.due_at == START

    assert interleave_everywhere(prepare, check) > 8


def test_a_player_who_leaves_while_a_round_starts_is_in_it_or_out(cups: Cups) -> None:
    def prepare() -> tuple[Call, Call]:
        cups.opened("swiss")
        leave = partial(leave_running, user=cups.people[0], now=START)
        return leave, partial(advance, cups.now.pk, now=START)

    def check(done: Interleaved) -> None:
        no_error(done)
        step(START)
        entrant = cups.now.entrants.filter(user=cups.people[0]).first()
        seated = entrant is not None and entrant.places.exists()
        assert seated == (entrant is not None and entrant.left_at is not None)
        assert Round.objects.count() == 1

    assert interleave_everywhere(prepare, check) > 4


def test_a_player_can_leave_while_a_tournament_ends(cups: Cups) -> None:
    """Deleting an account removes it from all tournaments, even from one that is just ending."""

    def prepare() -> tuple[Call, Call]:
        cups.played("swiss", rounds=1)
        return partial(leave_running, user=cups.people[0], now=LATER), partial(step, LATER)

    def check(done: Interleaved) -> None:
        no_error(done)
        step(LATER)
        cups.now.refresh_from_db()
        assert cups.now.status == Tournament.Status.FINISHED
        entrants = list(cups.now.entrants.order_by("place"))
        stayed = [each.place for each in entrants if each.left_at is None]
        assert stayed == list(range(1, len(stayed) + 1)) and len(stayed) >= 3
        assert {each.place for each in entrants if each.left_at} <= {None}

    assert interleave_everywhere(prepare, check) > 4


def test_a_tournament_that_staff_cancel_while_a_round_starts_stays_cancelled(cups: Cups) -> None:
    def prepare() -> tuple[Call, Call]:
        cups.opened()
        cancel = partial(cancel_tournament, user=cups.erin, tournament_id=cups.now.pk, now=START)
        return cancel, partial(advance, cups.now.pk, now=START)

    def check(done: Interleaved) -> None:
        no_error(done)
        assert step(LATER) == 0
        cups.now.refresh_from_db()
        assert (cups.now.status, cups.now.due_at) == (Tournament.Status.CANCELLED, None)

    assert interleave_everywhere(prepare, check) > 2


def test_a_draft_opened_while_its_host_leaves_is_open_or_deleted(cups: Cups) -> None:
    """The host deletes the account. The draft is either opened completely, or deleted."""

    def prepare() -> tuple[Call, Call]:
        made = create_tournament(user=cups.erin, terms=terms(cups.table), now=NOW)
        opening = partial(open_tournament, user=cups.erin, tournament_id=made.pk, now=NOW)
        return partial(leave_all, user=cups.erin, now=NOW), opening

    def check(done: Interleaved) -> None:
        opened_late = isinstance(done.second, NotFound)
        kept = Tournament.objects.filter(status=Tournament.Status.OPEN).count()
        assert kept == (0 if opened_late else 1), done
        Tournament.objects.all().delete()

    assert interleave_everywhere(prepare, check) > 3

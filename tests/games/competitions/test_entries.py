"""Tournaments: creating and entering them, and reasons for refusals."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from accounts.models import User
from games.absence.models import Reliability
from games.clubs.services import create_club, join_club
from games.competitions.models import Entrant, Round, TablePlace, Tournament
from games.competitions.services.rounds import advance, advance_tournaments
from games.competitions.services.tournaments import (
    cancel_tournament,
    confirm_entry,
    create_tournament,
    join_tournament,
    leave_tournament,
    open_tournament,
)
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.fleet.models import Starship
from games.play.models import Game
from tests import cast
from tests.games.competitions.hosting import START, crowd, opened, play_round, step, terms
from tests.games.dying import dies_at_each_statement
from tests.games.standings.rated import give_rating
from tests.games.support import HALL, NOW, Table
from tests.games.together import together

pytestmark = pytest.mark.django_db


def test_players_with_a_rating_and_reliability_host_and_others_see_the_missing_requirement(
    table: Table, alice: User
) -> None:
    with pytest.raises(Forbidden, match="at least 5 rated games"):
        create_tournament(user=alice, terms=terms(table), now=NOW)
    give_rating(alice)
    made = create_tournament(user=alice, terms=terms(table), now=NOW)
    assert (made.status, made.host) == ("draft", alice)
    Reliability.objects.create(user=alice, turns=4, missed=3, recent="0" * 40)
    alice.refresh_from_db()
    with pytest.raises(Forbidden, match="reliability of at least 80"):
        create_tournament(user=alice, terms=terms(table), now=NOW)


def test_club_officers_host_for_club_members(table: Table, alice: User, bob: User, carol: User) -> None:
    create_club(user=alice, name="Tin Can Club", now=NOW)
    join_club(user=bob, slug="tin-can-club", now=NOW)
    with pytest.raises(Forbidden):
        create_tournament(user=bob, terms=terms(table, club="tin-can-club"), now=NOW)
    made = create_tournament(user=alice, terms=terms(table, club="tin-can-club"), now=NOW)
    open_tournament(user=alice, tournament_id=made.pk, now=NOW)
    join_tournament(user=bob, tournament_id=made.pk, now=NOW)
    with pytest.raises(Forbidden, match="for members of Tin Can Club"):
        join_tournament(user=carol, tournament_id=made.pk, now=NOW)


def test_a_player_hosts_a_limited_number_at_a_time(table: Table, alice: User) -> None:
    give_rating(alice)
    for _ in range(3):
        create_tournament(user=alice, terms=terms(table), now=NOW)
    with pytest.raises(Conflict, match="You host 3 tournaments"):
        create_tournament(user=alice, terms=terms(table), now=NOW)


def test_invalid_rules_are_refused(table: Table, erin: User) -> None:
    cases: list[tuple[str, dict[str, Any]]] = [
        ("starts_at", {"starts_at": NOW}),
        ("starts_at", {"starts_at": NOW + timedelta(days=91)}),
        ("most", {"least": 9, "most": 8}),
        ("most", {"most": 301}),
        ("most", {"kind": "league", "most": 33}),
        ("ruleset", {"ruleset": "chess"}),
        ("ruleset", {"ruleset": ""}),
        ("ruleset", {"ruleset": "robo-recon"}),
        ("starships", {"ruleset": "group-11"}),
        ("starships", {"starships": []}),
        ("starships", {"starships": [10**12]}),
        ("starships", {"starships": [1, 1]}),
    ]
    for code, asked in cases:
        with pytest.raises(Invalid) as refusal:
            create_tournament(user=erin, terms=terms(table, **asked), now=NOW)
        assert [problem["code"] for problem in refusal.value.problems] == [code], asked
    assert not Tournament.objects.exists()


def test_a_retired_starship_is_not_offered(table: Table, erin: User) -> None:
    Starship.objects.update(retired=True)
    with pytest.raises(Invalid, match="save the tournament"):
        create_tournament(user=erin, terms=terms(table), now=NOW)


def test_only_the_host_sees_a_draft(table: Table, alice: User, bob: User) -> None:
    give_rating(alice)
    made = create_tournament(user=alice, terms=terms(table), now=NOW)
    for act in (join_tournament, open_tournament, cancel_tournament):
        with pytest.raises(NotFound):
            act(user=bob, tournament_id=made.pk, now=NOW)  # type: ignore[operator]
    open_tournament(user=alice, tournament_id=made.pk, now=NOW)
    with pytest.raises(Conflict):
        open_tournament(user=alice, tournament_id=made.pk, now=NOW)
    with pytest.raises(Forbidden):
        cancel_tournament(user=bob, tournament_id=made.pk, now=NOW)
    late = create_tournament(user=alice, terms=terms(table), now=NOW)
    with pytest.raises(Conflict, match="The start time has passed"):
        open_tournament(user=alice, tournament_id=late.pk, now=START)
    cancel_tournament(user=alice, tournament_id=late.pk, now=NOW)
    assert Tournament.objects.get() == made


def test_entering_twice_or_late_or_when_full_is_refused(
    table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, alice, most=2, kind="knockout")
    with pytest.raises(Conflict, match="already in this tournament"):
        join_tournament(user=alice, tournament_id=cup.pk, now=NOW)
    join_tournament(user=bob, tournament_id=cup.pk, now=NOW)
    with pytest.raises(Conflict, match="is full: it has 2 entrants"):
        join_tournament(user=carol, tournament_id=cup.pk, now=NOW)
    step(START)
    with pytest.raises(Conflict, match="has started"):
        join_tournament(user=carol, tournament_id=cup.pk, now=START)
    cancel_tournament(user=erin, tournament_id=cup.pk, now=START)
    with pytest.raises(Conflict, match="is over"):
        join_tournament(user=carol, tournament_id=cup.pk, now=START)
    with pytest.raises(NotFound):
        join_tournament(user=carol, tournament_id=cup.pk + 1, now=START)
    assert Game.objects.get().status == "running", "its games go on"


def test_at_most_three_hundred_enter(table: Table, erin: User, alice: User, bob: User) -> None:
    cup = opened(table, erin, most=300)
    entered = {"tournament": cup, "joined_at": NOW, "strength": 1500}
    Entrant.objects.bulk_create(Entrant(user=user, **entered) for user in crowd(299))
    join_tournament(user=alice, tournament_id=cup.pk, now=NOW)
    with pytest.raises(Conflict, match="has 300 entrants"):
        join_tournament(user=bob, tournament_id=cup.pk, now=NOW)


def test_an_entrant_leaves_and_comes_back(table: Table, erin: User, alice: User, bob: User) -> None:
    cup = opened(table, erin, alice, bob, rounds=4)
    leave_tournament(user=bob, tournament_id=cup.pk, now=NOW)
    with pytest.raises(NotFound):
        leave_tournament(user=bob, tournament_id=cup.pk, now=NOW)
    with pytest.raises(NotFound):
        confirm_entry(user=bob, tournament_id=cup.pk, now=NOW)
    join_tournament(user=bob, tournament_id=cup.pk, now=NOW)
    step(START)
    leave_tournament(user=bob, tournament_id=cup.pk, now=START)
    again = join_tournament(user=bob, tournament_id=cup.pk, now=START)
    assert again.left_at is None and again.places.count() == 1


def test_each_entrant_bans_one_starship_if_the_rules_allow_it(table: Table, erin: User, alice: User) -> None:
    cup = opened(table, erin)
    with pytest.raises(Invalid, match="only ban a starship of the tournament"):
        join_tournament(user=alice, tournament_id=cup.pk, banned=table.starship.pk, now=NOW)
    other = opened(table, erin, ship_choice="banned")
    with pytest.raises(Invalid):
        join_tournament(user=alice, tournament_id=other.pk, banned=10**12, now=NOW)
    entrant = join_tournament(user=alice, tournament_id=other.pk, banned=table.starship.pk, now=NOW)
    assert entrant.banned and entrant.banned.starship == table.starship


def test_a_round_starts_completely_or_not_at_all(table: Table, erin: User) -> None:
    """The worker dies at each statement while a round starts or ends."""
    people = crowd(3)
    cup = opened(table, erin, *people, rounds=2)
    died, _ = dies_at_each_statement(
        lambda: advance(cup.pk, now=START),
        nothing_is_done=lambda: not (Round.objects.exists() or Game.objects.exists()),
    )
    assert died > 30
    assert (Round.objects.count(), Game.objects.count(), TablePlace.objects.count()) == (1, 1, 3)
    play_round(cup, people, now=START)
    Tournament.objects.update(due_at=START)
    dies_at_each_statement(
        lambda: advance(cup.pk, now=START + timedelta(days=60)),
        nothing_is_done=lambda: Round.objects.filter(closed_at=None).count() == 1 == Round.objects.count(),
    )
    assert (Round.objects.count(), Game.objects.count()) == (2, 2)


@pytest.mark.django_db(transaction=True)
def test_two_workers_start_only_one_round() -> None:
    table, erin = Table(HALL.saved()), cast.erin()
    opened(table, erin, cast.alice(), cast.bob(), cast.carol(), cast.dave())
    assert sum(together(*[partial(advance_tournaments, now=START)] * 4)) == 1
    assert (Round.objects.count(), Game.objects.count()) == (1, 2)

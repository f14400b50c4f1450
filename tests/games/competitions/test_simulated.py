"""A whole tournament with real workers. The test kills some of them.

Computers play under people's names. Two players miss turns, and one leaves. Recalculating all results
afterwards gives the same results.
"""

import time
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from games.competitions.models import Round, Tournament
from games.competitions.selectors.results import history_of, lines_of
from games.competitions.services.scoring import rescore_tables
from games.competitions.services.tournaments import confirm_entry, leave_tournament
from games.errors import Conflict
from games.fleet.figures import FIGURES_JOB
from games.play import stored
from games.play.computers import think
from games.play.models import Game, Hand, Program, Seat, Turn
from games.play.orders import give_orders
from games.puzzles.mining import PUZZLES_JOB
from games.standings.awards import AWARDS, month_of
from games.standings.models import PlayerMonth, PlayerRating
from games.standings.selectors.awards import winners
from games.standings.services import recount_months, recount_ratings
from games.work.models import EndedGame
from tests import cast
from tests.games.competitions.hosting import crowd, last_round, opened
from tests.games.support import Board, Table, walled
from tests.support.loaded import ForkedWorker

pytestmark = pytest.mark.django_db(transaction=True)

FIELD = Board("Field", walled(" ".join(["a", *["."] * 20, ".+i1"])))
"""A board without obstacles. A robot needs at least three turns to its only checkpoint."""

THINKER = [
    "celery",
    "--app=roborunner",
    "worker",
    "--queues=thinking",
    "--hostname=thinker@%h",
    "--concurrency=1",
]

PEOPLE = 16
ROUNDS = 2


def test_a_tournament_survives_killed_workers_and_is_recomputed_identically(
    fork_worker: Callable[..., ForkedWorker], settings: Any
) -> None:
    settings.AWARD_GAMES = ROUNDS
    table, erin = Table(FIELD.saved()), cast.erin()
    people = crowd(PEOPLE)
    now = timezone.now()
    cup = opened(
        table, erin, size=4, rounds=ROUNDS, most=PEOPLE, starts_at=now + timedelta(seconds=2), now=now
    )
    for person in people:
        cup.entrants.create(user=person, joined_at=now, strength=1500)
    missing = {people[5].pk, people[12].pk}
    fork_worker(command=THINKER)  # for players who miss turns
    worker = fork_worker(beat=True)
    for number in range(1, ROUNDS + 1):
        _wait_for(lambda number=number: Round.objects.filter(tournament=cup, number=number).exists(), cup)
        _play(cup, missing)
        if number == 1:
            leave_tournament(user=people[9], tournament_id=cup.pk, now=timezone.now())
        time.sleep(Random(number).random())
        worker.kill()  # while it scores tables or starts the next round
        worker = fork_worker(beat=True)
    _wait_for(lambda: Tournament.objects.filter(pk=cup.pk, status="finished").exists(), cup)
    _wait_for(lambda: not EndedGame.objects.exclude(job__in=[FIGURES_JOB, PUZZLES_JOB]).exists(), cup)
    worker.kill()

    cup.refresh_from_db()
    assert [each.tables.count() for each in cup.all_rounds.order_by("number")] == [PEOPLE // 4] * ROUNDS
    assert Game.objects.count() == PEOPLE // 4 * ROUNDS
    assert set(history_of(cup).met.values()) == {1}, "no one has met anyone twice"
    left = cup.entrants.get(user=people[9])
    assert left.left_at and left.places.count() == 1 and left.place is None
    stayed = cup.entrants.exclude(pk=left.pk).values_list("place", flat=True)
    assert sorted(stayed) == list(range(1, PEOPLE))
    played = Turn.objects.filter(status=Turn.Status.RESOLVED)
    assert played.count() > 3 * Game.objects.count(), "they were played, and not called off"
    assert {seat.excused for seat in Seat.objects.filter(user__in=missing)} <= {2, 3}
    before = _outcome(cup)
    assert before[-1], "somebody has won an award"
    assert rescore_tables() == 0
    assert recount_ratings().corrected == 0
    assert recount_months() == 0
    assert _outcome(cup) == before


def _play(cup: Tournament, missing: set[int]) -> None:
    """Submit orders in all games of a round until they are over. Workers resolve the turns."""
    end = time.monotonic() + 300
    while games := list(Game.objects.filter(at_table__table__round=last_round(cup), status="running")):
        assert time.monotonic() < end, [(game.pk, game.turn) for game in games]
        for game in games:
            _give_orders(game, missing)
        time.sleep(0.05)


def _give_orders(game: Game, missing: set[int]) -> None:
    turn = game.turns.filter(status=Turn.Status.OPEN).select_related("game__revision__starship").first()
    if turn is None:
        return
    setup = stored.setup_of(turn.game)
    state = stored.start_of(turn, setup.starship)
    owing = turn.hands.filter(program=None).exclude(seat__user=None).select_related("seat__user")
    for hand in owing:
        seat = hand.seat
        assert seat
        if seat.user_id in missing and turn.number == 1:
            past = timezone.now() - timedelta(seconds=1)
            if (
                turn.deadline and turn.deadline > past
            ):  # only once, or a slow sweep would never see a stable deadline
                Hand.objects.filter(pk=hand.pk).update(deadline=past)
                Turn.objects.filter(pk=turn.pk).update(deadline=past)
            continue
        thought = think(turn, setup, state, hand, seat, "rookie")
        try:
            give_orders(
                seat=seat,
                turn_number=turn.number,
                orders=thought.orders,
                by=Program.Author.PLAYER,
                now=timezone.now(),
            )
        except Conflict:
            return  # a worker has resolved the turn meanwhile


def _wait_for(done: Callable[[], bool], cup: Tournament) -> None:
    end = time.monotonic() + 200
    while not done():
        assert time.monotonic() < end, (Round.objects.count(), Tournament.objects.values().get())
        for entrant in cup.entrants.filter(confirmed=False, left_at=None).select_related("user"):
            confirm_entry(user=entrant.user, tournament_id=cup.pk, now=timezone.now())
        time.sleep(0.1)


def _outcome(cup: Tournament) -> list[object]:
    """Return the tournament's table, the ratings and the awards."""
    month = month_of(timezone.now())
    return [
        [(line.key, line.place, line.points, line.strength, line.firsts) for line in lines_of(cup)],
        list(PlayerRating.objects.order_by("pool", "user").values()),
        list(PlayerMonth.objects.order_by("user").values()),
        [(key, each.user_id, each.place) for key in AWARDS for each in winners(key=key, month=month)],
    ]

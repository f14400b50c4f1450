"""Tournaments go on by themselves: the sweeper has each take its next step when it is due.

A step holds the tournament's row, and is one transaction: a worker that dies in it has done nothing, and of
two at once the second finds that it was done.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from games import jobs
from games.errors import NotFound
from games.news.services.notifications import tell, tell_of_person
from games.play.models import Game, Seat
from games.ratings.models import PendingResult
from games.tournaments.models import Entrant, Round, Table, Tournament
from games.tournaments.selectors.history import lines_of, still_in
from games.tournaments.services.creation import call_off, people_of
from games.tournaments.services.entries import take_out_barred
from games.tournaments.services.locks import locked_tournament
from games.tournaments.services.rounds import next_number, playing, start_round
from games.tournaments.services.scoring import score_or_set_aside

MOST: Final = 50
"""Tournaments that one pass of the sweeper looks at; the next one goes on."""

TO_CONFIRM: Final = timedelta(hours=24)
"""How long the next round waits for those who missed a turn, to say that they play on."""

TO_PLAY_ON: Final = timedelta(days=7)
"""How long the next round waits until enough players for it have confirmed; then the tournament is over."""

PATIENCE: Final = timedelta(days=3)
"""For how long a marathon waits for games that ended in it and could not be rated yet."""

Ending = Tournament.Ending
Status = Tournament.Status
Kind = Tournament.Kind


def advance_tournaments(*, now: datetime) -> int:
    """Have tournaments take the step that is due; return how many did."""

    def step(tournament_id: int) -> int:
        return advance(tournament_id, now=now)

    closed = Q(members_only=True, club=None, lost_club_at=None) & ~Q(status=Status.DRAFT)
    due = Tournament.objects.filter(closed | Q(due_at__lte=now), ended_at=None).order_by("due_at", "pk")
    return jobs.each("tournaments", due, step, most=MOST, now=now)


def advance(tournament_id: int, *, now: datetime) -> int:
    """Have a tournament take its next step, unless another worker is at it."""
    try:
        held = locked_tournament(tournament_id, skip_locked=True)
    except NotFound:
        return 0
    if held.ended_at is not None:
        return 0
    if held.status != Status.DRAFT and held.lost_its_club and held.lost_club_at is None:
        _note_lost_club(held, now)
        return 1
    if held.due_at is None or held.due_at > now:
        return 0
    take_out_barred(held, now=now)
    if held.status == Status.OPEN:
        _start(held, now)
    elif held.is_marathon:
        _end_marathon(held, now)
    else:
        _go_on(held, now)
    return 1


def _note_lost_club(held: Tournament, now: datetime) -> None:
    """Cancel a tournament whose club was closed before it started; notify its people if it goes on."""
    held.lost_club_at = now
    held.save(update_fields=["lost_club_at"])
    if held.status == Status.OPEN:
        call_off(held, why=Tournament.Ending.CLUB, now=now)
    else:
        tell_of_person(users=people_of(held), kind="cup-club", about=held.pk, now=now)


def _start(held: Tournament, now: datetime) -> None:
    """Start a tournament with those who are in it; with too few it is called off."""
    entrants = held.entrants.filter(left_at=None).count()
    if entrants < (1 if held.is_marathon or held.is_division else held.least):
        call_off(held, why=Tournament.Ending.FEW, now=now)
        return
    held.status = Status.RUNNING
    if held.is_marathon:
        _wait(held, held.ends_at)
        return
    _next_round(held, 1, now)


def _go_on(held: Tournament, now: datetime) -> None:
    """Close the round under way once it is played or its time is up; or start the next one."""
    last = held.all_rounds.order_by("-number").first()
    assert last
    if last.closed_at is None:
        unscored = last.tables.filter(scored_at=None)
        if unscored.exists() and last.ends_at > now:
            _wait(held, last.ends_at)
            return
        _close(held, last, now)
        if _is_last(held, last):
            _finish(held, now)
            return
    number = last.number + 1
    there = still_in(held, number)
    if next_number(held, number=number, active=there) is None:
        _finish(held, now, early=Ending.LEFT if len(there) < 2 else None)
        return
    assert last.closed_at
    ready = last.closed_at
    if held.round_days:
        ready = max(ready, held.starts_at + last.number * timedelta(days=held.round_days))
    asked = held.entrants.filter(confirmed=False, pk__in=there, places__table__round=last)
    starts_at = max(ready, last.closed_at + TO_CONFIRM) if asked.exists() else ready
    if now < starts_at:
        _wait(held, starts_at)
        return
    active = there.intersection(each.pk for each in playing(held))
    if next_number(held, number=number, active=active) is not None:
        _next_round(held, number, now)
    elif now < ready + TO_PLAY_ON:
        _wait(held, ready + TO_PLAY_ON)
    else:
        _finish(held, now, early=Ending.AWAY)


def _next_round(held: Tournament, number: int, now: datetime) -> None:
    made = start_round(held, number=number, now=now)
    if made is None:
        _finish(held, now)
    elif made.tables.filter(scored_at=None).exists():
        _wait(held, made.ends_at)
    else:
        _wait(held, now)  # a walkover: there is nothing to play


def _close(held: Tournament, last: Round, now: datetime) -> None:
    """Score the tables of a round as they stand, and ask those who missed turns whether they play on."""
    for table in last.tables.filter(scored_at=None):
        score_or_set_aside(table, now=now)
    last.closed_at = now
    last.save(update_fields=["closed_at"])
    playing_on = still_in(held, last.number + 1)
    if _is_last(held, last) or next_number(held, number=last.number + 1, active=playing_on) is None:
        return
    for table in last.tables.exclude(link=None).select_related("link__game"):
        assert table.game
        missed = [each for each in _who_missed(table, table.game) if each.pk in playing_on]
        Entrant.objects.filter(pk__in=[entrant.pk for entrant in missed]).update(confirmed=False)
        tell(users=[entrant.user for entrant in missed], kind="confirm", game=table.game, now=now)


def _who_missed(table: Table, game: Game) -> list[Entrant]:
    """Return the players of a table who missed turns lately, lost their seat or gave no orders all round."""
    excused = (game.absence or {}).get("excused")
    kept = {
        seat.user_id
        for seat in Seat.objects.filter(game=game).exclude(user=None)
        if excused is None or seat.excused is None or seat.excused >= excused
    }
    players = Entrant.objects.filter(places__table=table, left_at=None).select_related("user")
    away: set[int] = set()
    if game.status == Game.Status.RUNNING:
        away = set(table.places.filter(ordered=False).values_list("entrant", flat=True))
    return [entrant for entrant in players if entrant.user_id not in kept or entrant.pk in away]


def _is_last(held: Tournament, last: Round) -> bool:
    if held.kind == Kind.KNOCKOUT:
        return last.tables.count() == 1
    return held.rounds is not None and last.number >= held.rounds


def _end_marathon(held: Tournament, now: datetime) -> None:
    """End a marathon whose month is over, once the games that ended in it were rated."""
    assert held.ends_at
    pending = PendingResult.objects.filter(game__ended_at__lt=held.ends_at).exists()
    if pending and now < held.ends_at + PATIENCE:
        _wait(held, now + timedelta(minutes=1))
        return
    _finish(held, now)


def _finish(held: Tournament, now: datetime, *, early: Tournament.Ending | None = None) -> None:
    """End a tournament: give a place to each entrant who stayed, and notify them and the host.

    ``early`` says why it ends before its last round.
    """
    places = {line.key: line.place for line in lines_of(held)}
    stayed = list(held.entrants.filter(left_at=None))
    for entrant in stayed:
        entrant.place = places[entrant.pk]
    Entrant.objects.bulk_update(stayed, ["place"])
    held.status, held.ended_at = Status.FINISHED, now
    held.ending = (early or "") if stayed else Ending.NOBODY
    _wait(held, None)
    tell_of_person(users=people_of(held), kind="finished", about=held.pk, now=now)


def _wait(held: Tournament, until: datetime | None) -> None:
    held.due_at = until
    held.save(update_fields=["status", "rounds", "due_at", "ended_at", "ending"])

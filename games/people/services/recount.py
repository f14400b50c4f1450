"""Making all records again from the logs, with the same result (GR-4.3).

Each game's tallies, and each person's achievements and reliability, are recounted in a transaction of their
own, holding the row of that game or person alone, and one turn's log at a time: games go on meanwhile, and a
recount that was broken off can be repeated.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, reduce
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

import rules
from accounts.models import User
from games.absence.models import Reliability
from games.absence.reliability import put_attendance_right
from games.people.achievements import TEST_PILOT
from games.people.models import Achievement, Share, Tally
from games.people.selectors.tenure import terms_of
from games.people.selectors.turns import in_order
from games.people.services.records import add, counts_of, ends, keep, keep_shares
from games.people.services.testing import made_test_pilot
from games.play import stored
from games.play.models import LEAVES_RECORDS, Game, Replacement, Seat, Turn
from games.play.played import kept_of
from games.play.services.locks import hold_people, locked_game
from rules.achievements import ACHIEVEMENTS, complete, complete_in_one_game
from rules.statistics import count


@dataclass(slots=True)
class Recounted:
    """How much a recount went through, and how many rows it put right."""

    games: int = 0
    turns: int = 0
    people: int = 0
    tallies: int = 0
    achievements: int = 0
    reliabilities: int = 0


@dataclass(frozen=True, slots=True)
class Earned:
    """In which turn of which game something was earned."""

    game: int
    turn: int
    at: datetime


@dataclass(slots=True)
class _History:
    """What a person's robots did so far, and what was earned by it."""

    totals: Counter[str] = field(default_factory=Counter)
    games: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    earned: dict[str, Earned] = field(default_factory=dict)


def recount() -> Recounted:
    """Make tallies, achievements and reliability again from logs and programs; what was seen stays so."""
    done = Recounted()
    for game in _keys(Game.objects.filter(LEAVES_RECORDS)):
        with transaction.atomic():
            _recount_game(game, done)
    for person in _keys(User.objects.filter(_has_records(), deleted_at=None)):
        with transaction.atomic():
            _recount_person(person, done)
    return done


def _has_records() -> Q:
    replaced = Exists(Replacement.objects.filter(was=OuterRef("pk")))
    records = [
        Exists(rows.filter(user=OuterRef("pk")))
        for rows in (Seat.objects, Achievement.objects, Reliability.objects)
    ]
    return Q(replaced) | reduce(or_, map(Q, records))


def recount_person(*, person: int) -> int:
    """Make one person's achievements and reliability again from their games; return how many rows were wrong.

    It may be repeated as often as one likes.
    """
    done = Recounted()
    with transaction.atomic():
        _recount_person(person, done)
    return done.achievements + done.reliabilities


def _keys(rows: QuerySet[Any]) -> Iterator[int]:
    """Yield the primary keys of rows, looked up as they are needed."""
    last = 0
    while (key := rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True).first()) is not None:
        yield key
        last = key


# Games


def _recount_game(game_id: int, done: Recounted) -> None:
    game = locked_game(game_id)
    seats = list(game.players.prefetch_related("replacements"))
    tallies = {seat.number: Tally(game=game, seat=seat) for seat in seats}
    terms = {seat: terms_of(seat) for seat in seats if seat.shared}
    shares: dict[tuple[int, int], Share] = {}
    played = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")
    turns = list(played.values_list("pk", "number"))
    ship = stored.ship_of(game)
    for turn, turn_number in turns:
        counts, _ = _count(turn, ship)
        for number, tally in tallies.items():
            add(tally, counts[number - 1])
        for seat, served in terms.items():
            if user_id := next((term.user for term in served if term.has(turn_number)), None):
                share = shares.setdefault((seat.pk, user_id), Share(game=game, seat=seat, user_id=user_id))
                add(share, counts[seat.number - 1])
    if turns:
        done.games += 1
        done.turns += len(turns)
    found = list(tallies.values()) if turns else []
    kept = {tally.seat_id: counts_of(tally) for tally in Tally.objects.filter(seat__game=game)}
    wrong = [tally for tally in found if kept.get(tally.seat_id) != counts_of(tally)]
    keep(wrong)
    strays = Tally.objects.filter(seat__game=game).exclude(seat__in=[tally.seat_id for tally in found])
    done.tallies += len(wrong) + strays.delete()[0] + _put_shares_right(game, shares)


def _put_shares_right(game: Game, shares: Mapping[tuple[int, int], Share]) -> int:
    """Bring the shares in a game's robots in line with its log; return how many rows differed."""
    kept = {(share.seat_id, share.user_id): share for share in Share.objects.filter(seat__game=game)}
    wrong = [
        share for key, share in shares.items() if key not in kept or counts_of(kept[key]) != counts_of(share)
    ]
    keep_shares(wrong)
    strays = [share.pk for key, share in kept.items() if key not in shares]
    return len(wrong) + Share.objects.filter(pk__in=strays).delete()[0]


def _count(turn_id: int, ship: rules.Starship) -> tuple[Mapping[int, Counter[str]], bool]:
    """Count what all robots did in a turn, by robot index; say whether the game was over with it."""
    played = kept_of(Turn.objects.get(pk=turn_id))
    state = stored.start_in(played, ship)
    events = stored.events_in(played, ship, state)
    return count(state, events), ends(events)


# People


def _recount_person(person: int, done: Recounted) -> None:
    hold_people([person])
    history = _History()
    ship_of = lru_cache(maxsize=64)(_ship_of)
    done.people += 1
    turns = _turns_of(person)
    done.reliabilities += put_attendance_right(person=person, turns=_with_dropped(person, turns))
    games = Game.objects.filter(LEAVES_RECORDS, pk__in={turn["game"] for turn in turns})
    leaving_records = set(games.values_list("pk", flat=True))
    for turn in (turn for turn in turns if turn["game"] in leaving_records):
        _relive(history, turn, ship_of(turn["game"]))
        if len(history.earned) == len(ACHIEVEMENTS):
            break
    if pilot := made_test_pilot(person=person):
        history.earned[TEST_PILOT.key] = Earned(pilot.game, pilot.turn, pilot.at)
    done.achievements += _put_right(person, history.earned)


def _turns_of(person: int) -> Sequence[Mapping[str, Any]]:
    """Return the turns that a person's robots were in, in the order in which they were recorded."""
    alone = Q(game__players__user=person, game__players__shared=False)
    return _told(Turn.objects.filter(alone | _served(person), status=Turn.Status.RESOLVED))


def _with_dropped(person: int, turns: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return the turns that a person played or was replaced for missing, in the order of their records."""
    missed = Turn.objects.filter(
        status=Turn.Status.RESOLVED,
        game__players__replacements__was=person,
        game__players__replacements__reason=Replacement.Reason.MISSED,
        game__players__replacements__turn=F("number"),
    )
    every = {turn["pk"]: {**turn, "dropped": False} for turn in turns}
    every |= {turn["pk"]: {**turn, "dropped": True} for turn in _told(missed)}
    return sorted(every.values(), key=lambda turn: (turn["first"], turn["resolved_at"], turn["pk"]))


def _told(turns: QuerySet[Turn]) -> list[dict[str, Any]]:
    """Return what is told of turns, each for one robot, in the order in which they were recorded."""
    told = turns.values("pk", "number", "resolved_at", "game", robot=F("game__players__number") - 1)
    return [dict(turn) for turn in in_order(told)]


def _served(person: int) -> Q:
    """Return which turns of which seats a person has played that have passed on."""
    condition = Q(pk__in=[])
    replaced = Q(replacements__was=person) | Q(replacements__became=person)
    seats = Seat.objects.filter(replaced, shared=True).distinct().prefetch_related("replacements")
    for seat in seats:
        for term in terms_of(seat):
            if term.user == person:
                last = Q() if term.until is None else Q(number__lt=term.until)
                condition |= Q(last, game__players=seat, number__gte=term.first)
    return condition


def _relive(history: _History, turn: Mapping[str, Any], ship: rules.Starship) -> None:
    """Add a turn to a history, and what was complete with it."""
    game = turn["game"]
    counts, over = _count(turn["pk"], ship)
    history.totals.update(counts[turn["robot"]])
    history.games[game].update(counts[turn["robot"]])
    complete_now = list(complete(history.totals))
    if over:
        complete_now += complete_in_one_game(history.games.pop(game))
    for key in complete_now:
        history.earned.setdefault(key, Earned(game, turn["number"], turn["resolved_at"]))


def _ship_of(game_id: int) -> rules.Starship:
    return stored.ship_of(Game.objects.select_related("revision", "course").get(pk=game_id))


def _put_right(person: int, earned: Mapping[str, Earned]) -> int:
    """Bring a person's achievements in line with what was earned; return how many rows differed."""
    rows = {row.key: row for row in Achievement.objects.filter(user=person)}
    missing = [
        Achievement(user_id=person, key=key, game_id=each.game, turn=each.turn, earned_at=each.at)
        for key, each in earned.items()
        if key not in rows
    ]
    Achievement.objects.bulk_create(missing)
    changed = 0
    for key, row in rows.items():
        if key not in earned:
            row.delete()
        elif earned[key] != Earned(row.game_id, row.turn, row.earned_at):
            each = earned[key]
            row.game_id, row.turn, row.earned_at = each.game, each.turn, each.at
            row.save(update_fields=["game", "turn", "earned_at"])
        else:
            continue
        changed += 1
    return len(missing) + changed

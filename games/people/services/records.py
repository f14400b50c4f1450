"""Count turns, grant achievements, and recalculate records from the logs (GR-4)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

import rules
from accounts.models import User
from games.absence.models import Reliability, Replacement
from games.absence.reliability import correct_attendance, dropped_in
from games.people.models import Achievement, Share, Tally
from games.people.selectors.records import TEST_PILOT
from games.play import stored
from games.play.models import LEAVES_RECORDS, Game, Seat, Turn
from games.play.selectors import (
    TestedPrototype,
    order_by_record,
    prefetch_players,
    seat_history,
    terms_of,
    tested_prototypes,
)
from games.play.services import lock_people, locked_game
from games.play.stored import turn_record
from roborunner.postgres.queries import NOTHING, Answer, Pipeline, excluded
from rules import events as ev
from rules.achievements import ACHIEVEMENTS, complete, complete_in_one_game
from rules.statistics import COUNTERS, count


def grant_test_pilot(*, game: Game) -> None:
    """Grant the achievement Test Pilot to all players of a finished game who qualify.

    The caller must hold the locks on the rows of the game and its players, and must have written the end of
    the game in the same transaction. If two games end at once, the second call then sees the result of the
    first.
    """
    if game.status != Game.Status.OVER or game.ending or game.prototype_version is None:
        return
    people = [seat.user_id for seat in game.players.exclude(user=None) if seat.user_id is not None]
    pilots = {person: made_test_pilot(person=person) for person in people}
    rows = [
        Achievement(user_id=person, key=TEST_PILOT.key, game_id=last.game, turn=last.turn, earned_at=last.at)
        for person, last in pilots.items()
        if last is not None
    ]
    Achievement.objects.bulk_create(rows, ignore_conflicts=True)


def made_test_pilot(*, person: int) -> TestedPrototype | None:
    """Return the tested prototype that completes Test Pilot for a person, or None if no prototype does."""
    tested = tested_prototypes(person=person)
    return tested[TEST_PILOT.goal - 1] if len(tested) >= TEST_PILOT.goal else None


# --- Turn by turn -------------------------------------------------------------------------------------------


Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CounterSums:
    """The players of a game, and the totals of their counters, without the turn to record.

    The totals cover all games of each player. ``people`` are the user IDs of the players. ``locked`` are the
    IDs of all people whose rows are locked: the players, and players who were replaced for missing this turn.
    ``answer`` has the totals after the pipeline of `lock_and_sum` has been sent.
    """

    people: tuple[int, ...]
    locked: tuple[int, ...]
    answer: Answer


def lock_and_sum(*, game: Game, turn: Turn, pipeline: Pipeline) -> CounterSums:
    """Lock the players of a game, and query the sums of their counters.

    The caller must hold the game's row lock. The sums are available after ``pipeline`` is sent.
    """
    seats = prefetch_players(game=game)
    people = {seat.user_id for seat in seats if seat.user_id is not None}
    locked = set(people)
    if any(seat.shared for seat in seats):
        locked.update(was for was in dropped_in([turn.pk]).values_list("was", flat=True) if was is not None)
    lock_people(sorted(locked), pipeline=pipeline)
    return CounterSums(
        tuple(sorted(people)), tuple(sorted(locked)), pipeline.ask(_SUMS, sorted(people), sorted(people))
    )


def record_turn(
    *,
    game: Game,
    turn: Turn,
    state_before: rules.State,
    events: Sequence[rules.Event],
    sums: CounterSums,
    pipeline: Pipeline,
    now: datetime,
) -> None:
    """Add a turn to the counters of a game's robots, and grant achievements.

    The caller must hold the game's row lock and have the sums of `lock_and_sum`, and must call this before
    writing the turn's log. The rows are written by ``pipeline``. Test flights and games on prototypes leave
    no records.
    """
    if not game.leaves_records:
        return
    seats = prefetch_players(game=game)
    tallies = {seat: _tally_of(seat) for seat in seats}
    counts = count(state_before, events)
    for seat, tally in tallies.items():
        add(tally, counts[seat.number - 1])
    pipeline.insert(list(tallies.values()), _IN_PLACE)
    shares = _add_to_shares(seats, counts)
    news = {seat.user_id: counts[seat.number - 1] for seat in seats if seat.user_id is not None}
    earned = _completed(sums, news)
    if ends(events):
        for seat, tally in tallies.items():
            if seat.user_id is not None:
                earned[seat.user_id] += complete_in_one_game(counts_of(shares.get(seat, tally)))
    achievements = [
        Achievement(user_id=person, key=key, game=game, turn=turn.number, earned_at=now)
        for person, keys in earned.items()
        for key in keys
    ]
    pipeline.insert(achievements, NOTHING)  # ignore an achievement in one game if the player already has it


def divide(*, seat: Seat, user: User) -> None:
    """Split the record of a seat among its players. Call it when the player of the seat leaves.

    The leaving player gets the robot's counters so far. A later turn counts for the player who has the seat
    in that turn. The caller must hold the game's row lock. If the record is already split, does nothing.
    """
    if seat.shared:
        return
    seat.shared = True
    seat.save(update_fields=["shared"])
    if tally := Tally.objects.filter(seat=seat).first():
        save_shares([Share(game_id=seat.game_id, seat=seat, user=user, **counts_of(tally))])


def _add_to_shares(seats: Iterable[Seat], counts: Mapping[int, Counts]) -> dict[Seat, Share]:
    """Add the counters of a turn to the `Share` rows of the present players, in seats with several players.

    Returns the rows by seat.
    """
    shared = {seat: seat.user_id for seat in seats if seat.shared and seat.user_id is not None}
    if not shared:
        return {}
    kept = {(share.seat_id, share.user_id): share for share in Share.objects.filter(seat__in=shared)}
    shares = {
        seat: kept.get((seat.pk, user_id)) or Share(game_id=seat.game_id, seat=seat, user_id=user_id)
        for seat, user_id in shared.items()
    }
    for seat, share in shares.items():
        add(share, counts[seat.number - 1])
    save_shares(shares.values())
    return shares


def ends(events: Iterable[rules.Event]) -> bool:
    """Return whether the events of a turn include the end of the game."""
    return any(isinstance(event, ev.Over) for event in events)


def counts_of(tally: Tally | Share) -> dict[str, int]:
    return {counter: getattr(tally, counter) for counter in COUNTERS}


def add(tally: Tally | Share, counts: Counts) -> None:
    """Add counters to a tally or a share, without saving the row."""
    for counter, number in counts.items():
        setattr(tally, counter, getattr(tally, counter) + number)


def save_tallies(tallies: Iterable[Tally]) -> None:
    """Save tallies: insert new rows, and update the counters of existing rows."""
    Tally.objects.bulk_create(tallies, update_conflicts=True, unique_fields=["seat"], update_fields=COUNTERS)


def save_shares(shares: Iterable[Share]) -> None:
    """Save shares: insert new rows, and update the counters of existing rows."""
    Share.objects.bulk_create(
        shares, update_conflicts=True, unique_fields=["seat", "user"], update_fields=COUNTERS
    )


def _tally_of(seat: Seat) -> Tally:
    tally: Tally | None = getattr(seat, "tally", None)
    return tally or Tally(game_id=seat.game_id, seat=seat)


def _completed(sums: CounterSums, news: Mapping[int, Counts]) -> dict[int, list[str]]:
    """Return the keys of the achievements that each person completes with the counters of a new turn.

    Achievements in a single game are left out.
    """
    before: dict[int, Counter[str]] = {person: Counter() for person in sums.people}
    for person, *numbers in sums.answer.rows:
        before[person].update(dict(zip(COUNTERS, map(int, numbers), strict=True)))
    return {person: list(_completed_with(counts, before[person])) for person, counts in news.items()}


def _completed_with(news: Counts, before: Counts) -> Iterator[str]:
    for key, each in ACHIEVEMENTS.items():
        if not each.in_one_game and (more := each.value(news)):
            had = each.value(before)
            if had < each.goal <= had + more:
                yield key


_SUMS: Final = """
SELECT seat.user_id, {sums} FROM games_seat AS seat JOIN games_tally AS row ON row.seat_id = seat.id
    WHERE seat.user_id = ANY(%s::bigint[]) AND NOT seat.shared GROUP BY 1
UNION ALL
SELECT row.user_id, {sums} FROM games_share AS row WHERE row.user_id = ANY(%s::bigint[]) GROUP BY 1
""".format(sums=", ".join(f"sum(row.{counter})" for counter in COUNTERS))

_IN_PLACE: Final = excluded(COUNTERS, "seat_id")


def mark_seen(*, user: User, keys: Iterable[str] | None = None, now: datetime) -> int:
    """Mark some or all of a person's achievements as seen. Return how many were not seen before."""
    unseen = Achievement.objects.filter(user=user, seen_at=None)
    if keys is not None:
        unseen = unseen.filter(key__in=list(keys))
    return unseen.update(seen_at=now)


# --- From the logs ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class RecordsRecount:
    """The result of a recount: the numbers of counted games, turns and people, and of corrected rows."""

    games: int = 0
    turns: int = 0
    people: int = 0
    tallies: int = 0
    achievements: int = 0
    reliabilities: int = 0


@dataclass(frozen=True, slots=True)
class Earned:
    """The game, turn and time of completing an achievement."""

    game: int
    turn: int
    at: datetime


@dataclass(slots=True)
class _History:
    """A person's counters and achievements during a recount.

    ``games`` has the counters of each unfinished game by ID.
    """

    totals: Counter[str] = field(default_factory=Counter)
    games: defaultdict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    earned: dict[str, Earned] = field(default_factory=dict)


def recount() -> RecordsRecount:
    """Recalculate all records from logs and programs. Achievements keep the time when they were seen."""
    done = RecordsRecount()
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
    """Recalculate a person's achievements and reliability from the person's games.

    Returns the number of corrected rows. It is safe to repeat the call.
    """
    done = RecordsRecount()
    with transaction.atomic():
        _recount_person(person, done)
    return done.achievements + done.reliabilities


def _keys(rows: QuerySet[Any]) -> Iterator[int]:
    """Yield the primary keys of rows in order. Each key is queried only when it is needed."""
    last = 0
    while (key := rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True).first()) is not None:
        yield key
        last = key


# Games


def _recount_game(game_id: int, done: RecordsRecount) -> None:
    game = locked_game(game_id)
    seats = list(game.players.prefetch_related("replacements"))
    tallies = {seat.number: Tally(game=game, seat=seat) for seat in seats}
    terms = {seat: seat_history(seat) for seat in seats if seat.shared}
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
    save_tallies(wrong)
    strays = Tally.objects.filter(seat__game=game).exclude(seat__in=[tally.seat_id for tally in found])
    done.tallies += len(wrong) + strays.delete()[0] + _correct_shares(game, shares)


def _correct_shares(game: Game, shares: Mapping[tuple[int, int], Share]) -> int:
    """Make the shares of a game's robots equal to ``shares``. Return the number of corrected rows."""
    kept = {(share.seat_id, share.user_id): share for share in Share.objects.filter(seat__game=game)}
    wrong = [
        share for key, share in shares.items() if key not in kept or counts_of(kept[key]) != counts_of(share)
    ]
    save_shares(wrong)
    strays = [share.pk for key, share in kept.items() if key not in shares]
    return len(wrong) + Share.objects.filter(pk__in=strays).delete()[0]


def _count(turn_id: int, ship: rules.Starship) -> tuple[Mapping[int, Counter[str]], bool]:
    """Return the counters of a turn by robot index, and whether the turn ended the game."""
    played = turn_record(Turn.objects.get(pk=turn_id))
    state = stored.start_in(played, ship)
    events = stored.events_in(played, ship, state)
    return count(state, events), ends(events)


# People


def _recount_person(person: int, done: RecordsRecount) -> None:
    lock_people([person])
    history = _History()
    ship_of = lru_cache(maxsize=64)(_ship_of)
    done.people += 1
    turns = _turns_of(person)
    done.reliabilities += correct_attendance(person=person, turns=_with_dropped(person, turns))
    games = Game.objects.filter(LEAVES_RECORDS, pk__in={turn["game"] for turn in turns})
    leaving_records = set(games.values_list("pk", flat=True))
    for turn in (turn for turn in turns if turn["game"] in leaving_records):
        _replay_turn(history, turn, ship_of(turn["game"]))
        if len(history.earned) == len(ACHIEVEMENTS):
            break
    if pilot := made_test_pilot(person=person):
        history.earned[TEST_PILOT.key] = Earned(pilot.game, pilot.turn, pilot.at)
    done.achievements += _correct_achievements(person, history.earned)


def _turns_of(person: int) -> Sequence[Mapping[str, Any]]:
    """Return the played turns of a person's robots, in the order in which they were recorded."""
    alone = Q(game__players__user=person, game__players__shared=False)
    return _game_summary(
        Turn.objects.filter(alone | _turns_in_shared_seats(person), status=Turn.Status.RESOLVED)
    )


def _with_dropped(person: int, turns: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Return ``turns`` and the turns that a person missed before a computer took the seat.

    The turns are in the order in which they were recorded. The key ``dropped`` of a turn is True for these
    missed turns.
    """
    missed = Turn.objects.filter(
        status=Turn.Status.RESOLVED,
        game__players__replacements__was=person,
        game__players__replacements__reason=Replacement.Reason.MISSED,
        game__players__replacements__turn=F("number"),
    )
    every = {turn["pk"]: {**turn, "dropped": False} for turn in turns}
    every |= {turn["pk"]: {**turn, "dropped": True} for turn in _game_summary(missed)}
    return sorted(every.values(), key=lambda turn: (turn["first"], turn["resolved_at"], turn["pk"]))


def _game_summary(turns: QuerySet[Turn]) -> list[dict[str, Any]]:
    """Return each turn's ID, number, time, game ID and robot index, in the order of recording."""
    rows = turns.values("pk", "number", "resolved_at", "game", robot=F("game__players__number") - 1)
    return [dict(turn) for turn in order_by_record(rows)]


def _turns_in_shared_seats(person: int) -> Q:
    """Return a query condition for a person's turns in seats that have had several players."""
    condition = Q(pk__in=[])
    for seat, term in terms_of(person):
        last = Q() if term.until is None else Q(number__lt=term.until.turn)
        condition |= Q(last, game__players=seat, number__gte=term.first)
    return condition


def _replay_turn(history: _History, turn: Mapping[str, Any], ship: rules.Starship) -> None:
    """Add a turn to a person's history, and the achievements that the turn completes."""
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


def _correct_achievements(person: int, earned: Mapping[str, Earned]) -> int:
    """Make a person's stored achievements equal to ``earned``. Return the number of corrected rows."""
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

"""Keeping records: what robots did, turn by turn, and what their players have earned by it (GR-4).

Rows of `Tally`, `Share` and `Achievement` hold nothing that does not follow from the logs; `recounting` makes
them again. People are held one after another, in the order of their numbers, and before the log of a turn is
written: so each of a person's turns counts after another, in the order of the log's rows, whichever workers
resolve them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import rules
from accounts.models import User
from games.absence.reliability import dropped_in
from games.people.models import Achievement, Share, Tally
from games.play.models import Game, Seat, Turn
from games.play.selectors.gathering import gather_players
from games.play.services.locks import hold_people
from roborunner.postgres.queries import NOTHING, Answer, Pipeline, excluded
from rules import events as ev
from rules.achievements import ACHIEVEMENTS, complete_in_one_game
from rules.statistics import COUNTERS, count

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Sums:
    """Who plays a game, and what their robots have done in all games before the turn that is recorded.

    Those who are ``held`` are its players, and those who were just replaced.
    """

    people: tuple[int, ...]
    held: tuple[int, ...]
    answer: Answer


def hold_and_sum(*, game: Game, turn: Turn, batch: Pipeline) -> Sums:
    """Have the people of a game, whose row is held, be held as well, and what they have done be summed up."""
    seats = gather_players(game=game)
    people = {seat.user_id for seat in seats if seat.user_id is not None}
    held = set(people)
    if any(seat.shared for seat in seats):
        held.update(was for was in dropped_in([turn.pk]).values_list("was", flat=True) if was is not None)
    hold_people(sorted(held), batch=batch)
    return Sums(tuple(sorted(people)), tuple(sorted(held)), batch.ask(_SUMS, sorted(people), sorted(people)))


def record_turn(
    *,
    game: Game,
    turn: Turn,
    state_before: rules.State,
    events: Sequence[rules.Event],
    sums: Sums,
    batch: Pipeline,
    now: datetime,
) -> None:
    """Add a turn to what the robots of a game did, and grant what players have earned with it.

    To be called with the game's row held, and before the log of the turn is written, once what `hold_and_sum`
    has asked was answered. The batch writes it. Games on prototypes leave no records, nor do test flights.
    """
    if not game.leaves_records:
        return
    seats = gather_players(game=game)
    tallies = {seat: _tally_of(seat) for seat in seats}
    counts = count(state_before, events)
    for seat, tally in tallies.items():
        add(tally, counts[seat.number - 1])
    batch.insert(list(tallies.values()), _IN_PLACE)
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
    batch.insert(achievements, NOTHING)  # in one game, it may have been earned before


def divide(*, seat: Seat, user: User) -> None:
    """Note that a seat, whose game's row is held, passes on from a person, who has had it alone so far.

    What its robot has done is theirs; from now on each has a share. Where it has passed on before, they have
    theirs already.
    """
    if seat.shared:
        return
    seat.shared = True
    seat.save(update_fields=["shared"])
    if tally := Tally.objects.filter(seat=seat).first():
        keep_shares([Share(game_id=seat.game_id, seat=seat, user=user, **counts_of(tally))])


def _add_to_shares(seats: Iterable[Seat], counts: Mapping[int, Counts]) -> dict[Seat, Share]:
    """Add a turn to the shares of those who steer robots that others have steered before them."""
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
    keep_shares(shares.values())
    return shares


def ends(events: Iterable[rules.Event]) -> bool:
    """Return whether a game is over with these events."""
    return any(isinstance(event, ev.Over) for event in events)


def counts_of(tally: Tally | Share) -> dict[str, int]:
    return {counter: getattr(tally, counter) for counter in COUNTERS}


def add(tally: Tally | Share, counts: Counts) -> None:
    """Add counters to a tally or a share, which is not saved yet."""
    for counter, number in counts.items():
        setattr(tally, counter, getattr(tally, counter) + number)


def keep(tallies: Iterable[Tally]) -> None:
    """Save tallies, those of a game's first turn as new rows."""
    Tally.objects.bulk_create(tallies, update_conflicts=True, unique_fields=["seat"], update_fields=COUNTERS)


def keep_shares(shares: Iterable[Share]) -> None:
    """Save shares, those of a player's first turn as new rows."""
    Share.objects.bulk_create(
        shares, update_conflicts=True, unique_fields=["seat", "user"], update_fields=COUNTERS
    )


def _tally_of(seat: Seat) -> Tally:
    tally: Tally | None = getattr(seat, "tally", None)
    return tally or Tally(game_id=seat.game_id, seat=seat)


def _completed(sums: Sums, news: Mapping[int, Counts]) -> dict[int, list[str]]:
    """Return what is complete over all games with what is new of each person, and was not without it."""
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
    """Note that a person has been shown what they earned: all of it, or these; return how many were new."""
    unseen = Achievement.objects.filter(user=user, seen_at=None)
    if keys is not None:
        unseen = unseen.filter(key__in=list(keys))
    return unseen.update(seen_at=now)

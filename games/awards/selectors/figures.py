"""What one game adds to the months of its players: it follows from its result and its log."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from games.awards.models import PlayerMonth
from games.awards.months import month_of
from games.people.models import Share, Tally
from games.people.selectors.tenure import terms_of
from games.people.selectors.testing import tested_prototypes
from games.play import stored
from games.play.models import Game, Program, Seat, Turn
from games.play.played import Played, each_played
from games.ratings.models import ALL, RatingChange, Result
from games.ratings.scale import points
from games.ratings.selectors.order import leavers_of
from games.ratings.stored import outcome_in
from rules.statistics import COUNTERS

FIGURES: Final = ("games", "won", "turns", "checkpoints", "in_time", "tested", "gained", *COUNTERS)
"""All that is added up."""


def figures_of(game: Game) -> dict[int, PlayerMonth]:
    """Return what a game that is over adds to the month of each player, as rows that are not saved.

    A rated game among people counts. A game on a prototype counts as a test of it alone. Accounts that were
    deleted get nothing. Raises ValueError or LookupError where the log cannot be read.
    """
    assert game.ended_at
    month = month_of(game.ended_at)
    if game.prototype_version:
        return {person: PlayerMonth(user_id=person, month=month, tested=1) for person in _testers(game)}
    result = Result.objects.filter(of_game=game.pk).order_by("-revision").first()
    finishes = outcome_in(result).finishes if result else ()
    if not finishes or any(member.computer for side in finishes for member in side.members):
        return {}
    leaders = sum(side.rank == 1 for side in finishes)
    left = leavers_of(game)
    gained = _gained(result)
    seats = {terms_of(seat)[0].user: seat for seat in _seats(game)}
    played = _Turns(game)
    rows: dict[int, PlayerMonth] = {}
    for side in finishes:
        for person in sorted(member.person for member in side.members if member.person is not None):
            if person not in gained:
                continue
            seat = seats[person]
            rows[person] = PlayerMonth(
                user_id=person,
                month=month,
                games=1,
                won=int(side.rank == 1 and leaders == 1 and seat.user_id == person and person not in left),
                gained=gained[person],
                **played.of(seat, person),
                **_counters(seat, person),
            )
    return rows


def _testers(game: Game) -> list[int]:
    """Return the players who have tested a prototype by this game, and not by one before."""
    people = [seat.user_id for seat in _seats(game) if seat.user and seat.user.deleted_at is None]
    return [
        person
        for person in people
        if person is not None and any(each.game == game.pk for each in tested_prototypes(person=person))
    ]


def _seats(game: Game) -> list[Seat]:
    return list(game.players.select_related("user", "tally").prefetch_related("replacements", "shares"))


def _gained(result: Result | None) -> dict[int, int]:
    """Return by how much the rating of each player has changed who has an account still."""
    changes = RatingChange.objects.filter(result=result, pool=ALL, user__deleted_at=None)
    return {change.user_id: points(change.mu) - points(change.mu_before) for change in changes}


def _counters(seat: Seat, person: int) -> dict[str, int]:
    """Return what a person's robot did while they had it."""
    shares: dict[int, Share] = {share.user_id: share for share in seat.shares.all()}
    tally: Tally | None = getattr(seat, "tally", None)
    source = shares.get(person) if seat.shared else tally
    return {counter: getattr(source, counter) if source else 0 for counter in COUNTERS}


class _Turns:
    """The turns of a game that were played, read once."""

    def __init__(self, game: Game) -> None:
        turns = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")
        self.by: list[tuple[int, Mapping[int, str]]] = []
        self.inspected = [0] * game.seats
        last = None
        for turn, last in each_played(turns):
            if turn.number > 0:
                self.by.append((turn.number, _authors(last)))
        if last is not None:  # a player can resign before the first turn
            state = stored.end_in(last, stored.ship_of(game))
            self.inspected = [max(0, robot.next - 1) for robot in state.players]

    def of(self, seat: Seat, person: int) -> dict[str, int]:
        """Return how many turns a person played on a seat, what they inspected, and if they missed any."""
        terms = [term for term in terms_of(seat) if term.user == person]
        mine = [by.get(seat.number) for number, by in self.by if any(term.has(number) for term in terms)]
        kept = seat.user_id == person
        authors = Counter(author for author in mine if author is not None)
        return {
            "turns": authors[Program.Author.PLAYER],
            "checkpoints": self.inspected[seat.number - 1] if kept else 0,
            "in_time": int(kept and set(authors) == {Program.Author.PLAYER}),
        }


def _authors(kept: Played) -> Mapping[int, str]:
    return {hand.robot: hand.program.by for hand in kept.hands if hand.program}

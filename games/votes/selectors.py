"""Read a game's votes: voters, majorities and results."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Annotated, Any, Final, TypedDict

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from accounts.models import User
from games.errors import view_of_row
from games.play import stored
from games.play.history import Sentence
from games.play.models import Game, Seat
from games.play.selectors import contenders, has_played_turn, is_paused, people_playing, seats_of
from games.play.viewers import Viewer, seat_of
from games.votes.models import Vote
from games.wording import squad_name


class Verdict(Enum):
    """The state of a vote according to its ballots and the time."""

    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Majority:
    """The rules for the majority that a vote needs.

    A vote passes if at least ``part`` / ``whole`` of the players who count vote yes or, if ``more`` is set,
    more than that share. At least ``least`` players must vote yes in any case. The vote is open for
    ``hours``. Before the end of that time, all voters count. At the end, a player without a ballot counts
    as a no or, if ``silence_abstains`` is set, does not count. ``words`` explains the rules to players.
    """

    part: int
    whole: int
    more: bool
    least: int
    hours: int
    silence_abstains: bool
    words: str | Promise = ""

    def needed(self, counting: int) -> int:
        """Return the number of yes votes needed if ``counting`` players count.

        >>> [Majority(1, 2, True, 1, 24, True).needed(counting) for counting in (1, 2, 3, 4)]
        [1, 2, 2, 3]
        >>> [Majority(2, 3, False, 1, 24, True).needed(counting) for counting in (1, 2, 3, 4)]
        [1, 2, 2, 3]
        """
        share = (
            counting * self.part // self.whole + 1 if self.more else -(-counting * self.part // self.whole)
        )
        return max(self.least, share)

    def verdict(self, *, voters: int, ayes: int, noes: int, over: bool) -> Verdict:
        """Return whether a vote is open, passed or refused. ``over`` says whether the vote's time is up."""
        if ayes >= self.needed(voters):
            return Verdict.PASSED
        if voters - noes < self.needed(voters):
            return Verdict.REFUSED
        if not over:
            return Verdict.OPEN
        passes = self.silence_abstains and ayes >= self.needed(ayes + noes)
        return Verdict.PASSED if passes else Verdict.REFUSED


EJECTING: Final = Majority(
    part=1,
    whole=2,
    more=True,
    least=2,
    hours=72,
    silence_abstains=False,
    words=_(
        "More than half of the voters, and at least 2, must vote yes within 3 days. Not voting counts as no."
    ),
)
PAUSING: Final = Majority(
    part=1,
    whole=2,
    more=True,
    least=1,
    hours=24,
    silence_abstains=True,
    words=_(
        "More than half of the voters must vote yes. After 1 day, only those who have voted are counted."
    ),
)
CALLING_OFF: Final = Majority(
    part=2,
    whole=3,
    more=False,
    least=1,
    hours=72,
    silence_abstains=True,
    words=_("Two thirds of the voters must vote yes. After 3 days, only those who have voted are counted."),
)
CONCEDING: Final = Majority(
    part=1,
    whole=1,
    more=False,
    least=1,
    hours=72,
    silence_abstains=False,
    words=_("All voters must vote yes within 3 days. Not voting counts as no."),
)


def question_parameters(vote: Vote) -> dict[str, Any]:
    """Return the parameters for the question of a vote, as a history entry stores them."""
    robot, squad = (vote.seat.robo_name, vote.seat.squad) if vote.seat else ("", "")
    return {"asks": vote.kind, "robot": robot, "squad": squad, "days": vote.days or 0}


def question(*, asks: str, robot: str = "", squad: str = "", days: int = 0) -> str:
    """Return the question of a vote as a sentence, from the parameters of a history entry."""
    match asks:
        case Vote.Kind.EJECT:
            return gettext("Should a computer replace {player} from now on?").format(player=robot)
        case Vote.Kind.CONCEDE:
            winner = squad_name(squad) if squad else robot
            return gettext("Should the game end now, with {winner} as the winner?").format(winner=winner)
        case Vote.Kind.PAUSE:
            sentence = ngettext(
                "Should the game pause for {number} day?", "Should the game pause for {number} days?", days
            )
            return sentence.format(number=days)
        case Vote.Kind.RESUME:
            return gettext("Should the pause end now?")
    return gettext("Should the game be cancelled, without a winner?")


def _about(sentence: Promise) -> Sentence:
    """Return a function that puts the question of a vote into a sentence of the history."""

    def tell(*, asks: str, robot: str, squad: str, days: int, **named: Any) -> str:
        asked = question(asks=asks, robot=robot, squad=squad, days=days)
        return str(sentence).format(question=asked, **named)

    return tell


HISTORY: Final[Mapping[str, Sentence]] = {
    "vote": _about(_("{player} started a vote: {question}")),
    "yes": _about(_("{player} voted yes: {question}")),
    "no": _about(_("{player} voted no: {question}")),
    "vote-void": _about(_("The vote ended without a result: {question}")),
    "vote-passed": _about(_("Passed: {question} Yes: {ayes}. No: {noes}. Voters: {voters}.")),
    "vote-refused": _about(_("Rejected: {question} Yes: {ayes}. No: {noes}. Voters: {voters}.")),
}


MAJORITIES: Final[Mapping[str, Majority]] = {
    Vote.Kind.EJECT: EJECTING,
    Vote.Kind.PAUSE: PAUSING,
    Vote.Kind.RESUME: PAUSING,
    Vote.Kind.CALL_OFF: CALLING_OFF,
    Vote.Kind.CONCEDE: CONCEDING,
}

REPEAT_AFTER: Final = timedelta(days=3)
"""How long players have to wait before they can put a refused question to a vote again."""

VOTES_SHOWN: Final = 50
"""The maximum number of votes listed for a game. Older votes are left out."""


class VoteView(TypedDict):
    """A vote of the players of a game."""

    id: int
    kind: Annotated[str, Vote.Kind]
    question: Annotated[str, "The question of the vote, as a sentence."]
    seat: Annotated[int | None, "The seat of the player to replace, or of the winner; null for other votes."]
    days: Annotated[int | None, "The length of the pause in days; null for other votes."]
    asked_by: str
    turn: Annotated[int, "The turn in which the vote started."]
    status: Annotated[str, Vote.Status]
    takes: Annotated[str, "The majority that the vote needs, in words."]
    opened_at: datetime
    closes_at: Annotated[datetime, "When the vote closes at the latest."]
    closed_at: Annotated[datetime | None, "When the vote closed; null while it is open."]
    yes: Annotated[list[str], "The Robo Names of the players who voted yes."]
    no: Annotated[list[str], "The Robo Names of the players who voted no."]
    silent: Annotated[
        list[str], "The Robo Names of the players who have not voted yet; empty once the vote has closed."
    ]
    needed: Annotated[int | None, "The number of yes votes needed; null once the vote has closed."]
    voters: Annotated[int, "The number of players with a vote, or with one when it closed."]
    ayes: int
    noes: int
    mine: Annotated[bool | None, "Your ballot; null if you have not voted."]
    may_vote: Annotated[bool, "Whether you can vote on it now."]


@dataclass(frozen=True, slots=True)
class Poll:
    """The seats of the voters in an open vote, and the seats that voted yes (``ayes``) and no (``noes``).

    Each of the three collections is in seat order.
    """

    voters: tuple[Seat, ...]
    ayes: tuple[Seat, ...]
    noes: tuple[Seat, ...]

    def verdict(self, vote: Vote, now: datetime) -> Verdict:
        """Return the state of an open vote at the given time."""
        return MAJORITIES[vote.kind].verdict(
            voters=len(self.voters), ayes=len(self.ayes), noes=len(self.noes), over=vote.closes_at <= now
        )


def voters_of(*, game: Game, kind: str, about: Seat | None) -> tuple[Seat, ...]:
    """Return the seats of people who are still in play and may vote, in seat order.

    Players do not vote on their own replacement or victory. Members of a squad do not vote on the victory of
    another member.
    """
    playing = people_playing(game)
    if kind not in (Vote.Kind.EJECT, Vote.Kind.CONCEDE) or about is None:
        return playing
    squad = about.squad if kind == Vote.Kind.CONCEDE else ""
    return tuple(seat for seat in playing if seat.pk != about.pk and not (squad and seat.squad == squad))


def poll_of(*, game: Game, vote: Vote) -> Poll:
    """Return the voters and ballots of an open vote. Ballots of former voters do not count."""
    said = dict(vote.ballots.values_list("user", "yes"))
    voters = voters_of(game=game, kind=vote.kind, about=vote.seat)
    return Poll(
        voters,
        tuple(seat for seat in voters if said.get(seat.user_id or 0) is True),
        tuple(seat for seat in voters if said.get(seat.user_id or 0) is False),
    )


def why_pointless(*, game: Game, kind: str, about: Seat | None, now: datetime) -> str:
    """Return the reason why a vote could have no effect now, as a sentence. Return "" if there is none."""
    if not voters_of(game=game, kind=kind, about=about):
        return gettext("No player can vote on this.")
    match kind:
        case Vote.Kind.EJECT if about is None or about.user_id is None:
            return gettext("A computer already plays this robot.")
        case Vote.Kind.CONCEDE if about is None or about.pk not in {seat.pk for seat in contenders(game)}:
            return gettext("This robot can no longer win the game.")
        case Vote.Kind.PAUSE if stored.pace_of(game) is None:
            return gettext("This game has no time limit, so there are no clocks to stop.")
        case Vote.Kind.RESUME if not is_paused(game=game, now=now):
            return gettext("This game is not paused.")
    return ""


def question_of(vote: Vote) -> str:
    """Return the question of a vote, as a sentence."""
    return question(**question_parameters(vote))


def votes_of(*, viewer: Viewer, game: Game) -> list[VoteView]:
    """Return the votes of a game for a viewer: open votes first, then closed ones, the latest first."""
    votes = list(_read(game.votes.all()).order_by("-pk")[:VOTES_SHOWN])
    votes.sort(key=lambda vote: vote.status != Vote.Status.OPEN)
    return [vote_view(viewer=viewer, game=game, vote=vote) for vote in votes]


def vote_in(*, viewer: Viewer, game: Game, vote_id: int) -> VoteView:
    """Return one vote of a game for a viewer. The vote must exist: the caller has to check this."""
    return vote_view(viewer=viewer, game=game, vote=_read(game.votes.all()).get(pk=vote_id))


def open_votes(*, viewer: Viewer, game: Game) -> list[VoteView]:
    """Return the open votes of a game for a viewer, oldest first.

    If the game has an attribute ``votes_open`` that is False, the function makes no query.
    """
    if game.status != Game.Status.RUNNING or not getattr(game, "votes_open", True):
        return []
    votes = _read(game.votes.filter(status=Vote.Status.OPEN)).order_by("pk")
    return [vote_view(viewer=viewer, game=game, vote=vote) for vote in votes]


def vote_view(*, viewer: Viewer, game: Game, vote: Vote) -> VoteView:
    """Return a vote with the viewer's own ballot, as the API returns it."""
    said = _ballots_by_name(vote)
    user = viewer if isinstance(viewer, User) else None
    names = list(said)
    closed = vote.status != Vote.Status.OPEN
    if not closed:
        seats = voters_of(game=game, kind=vote.kind, about=vote.seat)
        names = [seat.user.robo_name for seat in seats if seat.user]
    yes, no, silent = ([name for name in names if said.get(name) is each] for each in (True, False, None))
    return view_of_row(
        VoteView,
        vote,
        question=question_of(vote),
        seat=vote.seat.number if vote.seat else None,
        asked_by=vote.asked_by.robo_name,
        takes=str(MAJORITIES[vote.kind].words),
        yes=yes,
        no=no,
        silent=silent,
        needed=None if closed else MAJORITIES[vote.kind].needed(len(names)),
        voters=vote.voters if closed else len(names),
        ayes=vote.ayes if closed else len(yes),
        noes=vote.noes if closed else len(no),
        mine=said.get(user.robo_name) if user else None,
        may_vote=not closed and user is not None and user.robo_name in names,
    )


def possible_votes(*, viewer: Viewer, game: Game, now: datetime) -> dict[str, list[Seat]]:
    """Return the kinds of votes that a player may start now, each with the seats that it can be about.

    The list of seats is empty for votes that are not about a seat. The result is empty if the viewer
    may not vote, or if the game is part of a competition. It does not include kinds with an open vote, or
    proposals that were refused recently.
    """
    mine = seat_of(viewer=viewer, game=game)
    if mine is None or game.mission_id is not None or game.status != Game.Status.RUNNING:
        return {}
    if game.in_competition:
        return {}
    taken = set(game.votes.filter(status=Vote.Status.OPEN).values_list("kind", flat=True))
    refused = refused_lately(game=game, now=now)
    found: dict[str, list[Seat]] = {}
    for kind in Vote.Kind.values:
        about: Iterable[Seat | None] = seats_of(game) if kind in ABOUT_A_SEAT else [None]
        fresh = (seat for seat in about if (kind, seat.pk if seat else None) not in refused)
        possible = [seat for seat in fresh if _may_ask(game, kind, seat, mine, now)]
        if possible and kind not in taken:
            found[kind] = [seat for seat in possible if seat is not None]
    return found


def refused_lately(*, game: Game, now: datetime) -> set[tuple[str, int | None]]:
    """Return the proposals that votes in a game have refused within `REPEAT_AFTER`.

    Each proposal is a pair: the kind of vote, and the ID of the seat that the vote was about, or None.
    """
    refused = game.votes.filter(status=Vote.Status.REFUSED, closed_at__gt=now - REPEAT_AFTER)
    return set(refused.values_list("kind", "seat"))


def has_vote(*, viewer: Viewer, game: Game) -> bool:
    """Return whether the viewer may vote in a game, at least on some questions."""
    mine = seat_of(viewer=viewer, game=game)
    votes = game.mission_id is None and game.status == Game.Status.RUNNING
    return mine is not None and votes and not mine.out and mine.place is None


ABOUT_A_SEAT: Final = (Vote.Kind.EJECT, Vote.Kind.CONCEDE)


def _may_ask(game: Game, kind: str, about: Seat | None, mine: Seat, now: datetime) -> bool:
    voters = voters_of(game=game, kind=kind, about=about)
    if mine.pk not in {seat.pk for seat in voters} or why_pointless(
        game=game, kind=kind, about=about, now=now
    ):
        return False
    return len(voters) >= MAJORITIES[kind].least and (kind != Vote.Kind.CONCEDE or has_played_turn(game))


def unanswered(*, seat: Seat) -> list[Vote]:
    """Return the open votes that still lack the ballot of a seat's player, oldest first."""
    game = seat.game
    if game.status != Game.Status.RUNNING:
        return []
    votes = game.votes.filter(status=Vote.Status.OPEN).exclude(ballots__user=seat.user_id)
    return [
        vote
        for vote in votes.select_related("seat__user", "asked_by").order_by("pk")
        if any(voter.pk == seat.pk for voter in voters_of(game=game, kind=vote.kind, about=vote.seat))
    ]


def _read(votes: QuerySet[Vote]) -> QuerySet[Vote]:
    """Load the names of the players who voted yes or no along with votes."""
    names = "ballots__user__robo_name"
    return votes.select_related("seat__user", "asked_by").annotate(
        said_yes=ArrayAgg(names, filter=Q(ballots__yes=True), order_by="ballots__pk", default=[]),
        said_no=ArrayAgg(names, filter=Q(ballots__yes=False), order_by="ballots__pk", default=[]),
    )


def _ballots_by_name(vote: Any) -> dict[str, bool]:
    return dict.fromkeys(vote.said_yes, True) | dict.fromkeys(vote.said_no, False)

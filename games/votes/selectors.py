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
    """The state of a vote."""

    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Majority:
    """A majority: ``part`` of ``whole`` of the voters, or ``more`` than that part.

    At least ``least`` people must agree in any case. The vote is open for ``hours``. Until then, all voters
    count. When its time is up, silence counts as no, unless ``silence_abstains``: then only ballots count.
    ``words`` explain it to players.
    """

    part: int
    whole: int
    more: bool
    least: int
    hours: int
    silence_abstains: bool
    words: str | Promise = ""

    def needed(self, counting: int) -> int:
        """Return how many must agree if ``counting`` people count.

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
        """Return the state of a vote from its counts. ``over`` means its time is up."""
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
        "More than half of the voters must vote yes. After 1 day, only the players who have voted count."
    ),
)
CALLING_OFF: Final = Majority(
    part=2,
    whole=3,
    more=False,
    least=1,
    hours=72,
    silence_abstains=True,
    words=_("Two thirds of the voters must vote yes. After 3 days, only the players who have voted count."),
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
    """Return the question of a vote, as parameters of a history entry."""
    robot, squad = (vote.seat.robo_name, vote.seat.squad) if vote.seat else ("", "")
    return {"asks": vote.kind, "robot": robot, "squad": squad, "days": vote.days or 0}


def question(*, asks: str, robot: str = "", squad: str = "", days: int = 0) -> str:
    """Return a question as a sentence."""
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
    """Return a history sentence with the question of a vote filled in."""

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
    "vote-refused": _about(_("Refused: {question} Yes: {ayes}. No: {noes}. Voters: {voters}.")),
}


MAJORITIES: Final[Mapping[str, Majority]] = {
    Vote.Kind.EJECT: EJECTING,
    Vote.Kind.PAUSE: PAUSING,
    Vote.Kind.RESUME: PAUSING,
    Vote.Kind.CALL_OFF: CALLING_OFF,
    Vote.Kind.CONCEDE: CONCEDING,
}

REPEAT_AFTER: Final = timedelta(days=3)
"""Time before players can ask a refused question again."""

VOTES_SHOWN: Final = 50
"""Votes listed for a game, the latest."""


class VoteView(TypedDict):
    """A vote of a game."""

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
    """The state of an open vote: voters, and their ballots, in seat order."""

    voters: tuple[Seat, ...]
    ayes: tuple[Seat, ...]
    noes: tuple[Seat, ...]

    def verdict(self, vote: Vote, now: datetime) -> Verdict:
        """Return the state of the vote at a time."""
        return MAJORITIES[vote.kind].verdict(
            voters=len(self.voters), ayes=len(self.ayes), noes=len(self.noes), over=vote.closes_at <= now
        )


def voters_of(*, game: Game, kind: str, about: Seat | None) -> tuple[Seat, ...]:
    """Return the seats of the voters, in seat order: people still in play.

    Players do not vote on their own replacement or victory, nor squads on the victory of a member.
    """
    playing = people_playing(game)
    if kind not in (Vote.Kind.EJECT, Vote.Kind.CONCEDE) or about is None:
        return playing
    squad = about.squad if kind == Vote.Kind.CONCEDE else ""
    return tuple(seat for seat in playing if seat.pk != about.pk and not (squad and seat.squad == squad))


def poll_of(*, game: Game, vote: Vote) -> Poll:
    """Return the state of an open vote. Ballots of former voters do not count."""
    said = dict(vote.ballots.values_list("user", "yes"))
    voters = voters_of(game=game, kind=vote.kind, about=vote.seat)
    return Poll(
        voters,
        tuple(seat for seat in voters if said.get(seat.user_id or 0) is True),
        tuple(seat for seat in voters if said.get(seat.user_id or 0) is False),
    )


def why_pointless(*, game: Game, kind: str, about: Seat | None, now: datetime) -> str:
    """Return the reason why a vote is pointless, as a sentence, or an empty string."""
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
    """Return the votes of a game for a viewer: open ones first, then the latest."""
    votes = list(_read(game.votes.all()).order_by("-pk")[:VOTES_SHOWN])
    votes.sort(key=lambda vote: vote.status != Vote.Status.OPEN)
    return [vote_view(viewer=viewer, game=game, vote=vote) for vote in votes]


def vote_in(*, viewer: Viewer, game: Game, vote_id: int) -> VoteView:
    """Return one vote of a game, as `votes_of` does. It must exist."""
    return vote_view(viewer=viewer, game=game, vote=_read(game.votes.all()).get(pk=vote_id))


def open_votes(*, viewer: Viewer, game: Game) -> list[VoteView]:
    """Return the open votes of a game. Its ``votes_open`` can save the query."""
    if game.status != Game.Status.RUNNING or not getattr(game, "votes_open", True):
        return []
    votes = _read(game.votes.filter(status=Vote.Status.OPEN)).order_by("pk")
    return [vote_view(viewer=viewer, game=game, vote=vote) for vote in votes]


def vote_view(*, viewer: Viewer, game: Game, vote: Vote) -> VoteView:
    """Return a vote for the API, with the viewer's own ballot."""
    said = _said(vote)
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
    """Return the kinds of votes a player may start, each with its possible seats.

    Empty for anyone without a vote. Leaves out kinds with an open vote, and recently refused proposals.
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
    """Return recently refused proposals: kinds of votes, with their seats' keys."""
    refused = game.votes.filter(status=Vote.Status.REFUSED, closed_at__gt=now - REPEAT_AFTER)
    return set(refused.values_list("kind", "seat"))


def has_vote(*, viewer: Viewer, game: Game) -> bool:
    """Return whether the viewer has a vote in a game, on any question."""
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
    """Return the open votes still waiting for a seat's player."""
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
    """Read votes with their ballots in one query."""
    names = "ballots__user__robo_name"
    return votes.select_related("seat__user", "asked_by").annotate(
        said_yes=ArrayAgg(names, filter=Q(ballots__yes=True), order_by="ballots__pk", default=[]),
        said_no=ArrayAgg(names, filter=Q(ballots__yes=False), order_by="ballots__pk", default=[]),
    )


def _said(vote: Any) -> dict[str, bool]:
    return dict.fromkeys(vote.said_yes, True) | dict.fromkeys(vote.said_no, False)

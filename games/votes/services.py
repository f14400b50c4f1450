"""Start votes, cast ballots, count them, and carry out the results."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer
from games.errors import Conflict, Forbidden, Invalid, Malformed, NotFound, refuse_guests
from games.news.services import FINAL_STATUSES, notify, notify_about_game, notify_once, people_in
from games.play.deadlines import MAX_PAUSE, pause_game, resume_game
from games.play.history import add_entry
from games.play.lifecycle import concede, end_without_winner
from games.play.models import Game, Seat
from games.play.selectors import clear_players, has_played_turn, winner_by
from games.play.services import locked_game
from games.play.viewers import game_for, own_seat
from games.votes import selectors
from games.votes.models import Ballot, Vote
from games.work.jobs import for_each_row
from roborunner.postgres.queries import Pipeline

VOTES_PER_PASS = 200
"""The maximum number of votes that one pass of the sweeper closes. The next pass closes the rest."""


def close_due_votes(*, now: datetime) -> int:
    """Close the votes whose closing time has passed. Return the number of closed votes."""
    due = Vote.objects.filter(status=Vote.Status.OPEN, closes_at__lte=now).order_by("closes_at")
    return for_each_row(
        "votes", due, lambda vote_id: _settle(vote_id, now), most=VOTES_PER_PASS, now=now, game="game_id"
    )


def _settle(vote_id: int, now: datetime) -> bool:
    vote = Vote.objects.only("game").get(pk=vote_id)
    settle_votes(game=locked_game(vote.game_id), now=now)
    return not Vote.objects.filter(pk=vote_id, status=Vote.Status.OPEN).exists()


def ask_for_votes(*, game: Game, pipeline: Pipeline) -> None:
    """Query whether a locked game has open votes, and set ``game.has_votes`` for `settle_votes`.

    The query is added to ``pipeline``, so the attribute is set only when the pipeline is sent.
    """
    answer = pipeline.ask(_ARE_OPEN, game.pk)
    pipeline.then(lambda: setattr(game, "has_votes", answer.rows[0][0]))


_ARE_OPEN: Final = (
    f"SELECT EXISTS (SELECT 1 FROM games_vote WHERE game_id = %s AND status = '{Vote.Status.OPEN}')"  # noqa: S608
)


def settle_votes(*, game: Game, now: datetime) -> None:
    """Close a game's votes if they are decided or pointless, and carry out the votes that passed.

    The caller must hold the game's row lock. Call this after each ballot, and when a player loses the right
    to vote.
    """
    if not getattr(game, "has_votes", True):
        return
    votes = game.votes.select_related("seat__user").filter(status=Vote.Status.OPEN).order_by("pk")
    for vote in votes:
        clear_players(game=game)
        if game.status != Game.Status.RUNNING:
            return  # the previous vote has ended the game, and closed all other votes
        poll = selectors.poll_of(game=game, vote=vote)
        if selectors.why_pointless(game=game, kind=vote.kind, about=vote.seat, now=now):
            _close(vote, poll, Vote.Status.VOID, now)
            add_entry(game=game, by=None, kind="vote-void", **selectors.question_parameters(vote), now=now)
            continue
        match poll.verdict(vote, now):
            case selectors.Verdict.PASSED:
                _close(vote, poll, Vote.Status.PASSED, now)
                _note(game, vote, "vote-passed", now)
                _carry_out(game, vote, now)
                if vote.kind == Vote.Kind.EJECT:  # the replaced player loses every other vote
                    settle_votes(game=game, now=now)
                    return
            case selectors.Verdict.REFUSED:
                _close(vote, poll, Vote.Status.REFUSED, now)
                _note(game, vote, "vote-refused", now)


def drop_votes(*, game: Game, now: datetime) -> None:
    """Close all open votes of a game without a result, because the game has ended."""
    opened = Vote.objects.filter(game=game, status=Vote.Status.OPEN)
    opened.update(status=Vote.Status.VOID, closed_at=now, voters=0, ayes=0, noes=0)


def _close(vote: Vote, poll: selectors.Poll, status: Vote.Status, now: datetime) -> None:
    vote.status, vote.closed_at = status, now
    vote.voters, vote.ayes, vote.noes = len(poll.voters), len(poll.ayes), len(poll.noes)
    vote.save(update_fields=["status", "closed_at", "voters", "ayes", "noes"])


def _note(game: Game, vote: Vote, kind: str, now: datetime) -> None:
    counts = {"ayes": vote.ayes, "noes": vote.noes, "voters": vote.voters}
    add_entry(game=game, by=None, kind=kind, **counts, **selectors.question_parameters(vote), now=now)


def _carry_out(game: Game, vote: Vote, now: datetime) -> None:
    """Carry out a passed vote. The caller must hold the game's row lock."""
    match vote.kind:
        case Vote.Kind.EJECT:
            assert vote.seat is not None
            reason = Replacement.Reason.VOTED
            replace_by_computer(game=game, seat=vote.seat, reason=reason, now=now)
        case Vote.Kind.PAUSE:
            pause_game(game=game, until=now + timedelta(days=vote.days or 0), now=now)
        case Vote.Kind.RESUME:
            resume_game(game=game, now=now)
        case Vote.Kind.CALL_OFF:
            end_without_winner(game=game, by=Game.Ending.VOTED, now=now)
            notify_about_game(users=people_in(game), kind="cancelled", game=game, now=now)
        case Vote.Kind.CONCEDE:
            assert vote.seat is not None
            concede(game=game, winner=winner_by(vote.seat), now=now)
            last = game.last_played or 0
            notify(users=people_in(game), kind="over", game=game, turn=last, now=now)


PAUSE_DAYS = range(1, MAX_PAUSE.days + 1)
"""The allowed lengths of a pause, in days."""


def call_vote(
    *, user: User, game_id: int, kind: str, seat: int | None = None, days: int | None = None, now: datetime
) -> Vote:
    """Start a vote in a running game, and vote yes for the player who starts it.

    ``seat`` is the number of the seat to replace, or of the winner's seat. ``days`` is the length of a
    pause. The other voters get a notification. If the player's own yes decides the vote, the result takes
    effect at once.

    Raises NotFound if the person may not see the game or no player has the seat; Forbidden for guests and
    for players who cannot vote on this question; Malformed and Invalid for proposals that are never
    possible; and Conflict for proposals that are not possible now, for example if a vote of this kind is
    open or the proposal was refused recently.
    """
    refuse_guests(user)
    game_for(viewer=user, game_id=game_id)
    _check_form(kind, seat, days)
    with transaction.atomic():
        game = locked_game(game_id)
        _check_votable(game)
        own_seat(user=user, game=game)
        about = None if seat is None else _seat_numbered(game, seat)
        _check_askable(game, kind, about, user, now)
        vote = Vote.objects.create(
            game=game,
            kind=kind,
            seat=about,
            days=days,
            asked_by=user,
            turn=game.turn or 0,
            opened_at=now,
            closes_at=now + timedelta(hours=selectors.MAJORITIES[kind].hours),
        )
        Ballot.objects.create(game=game, vote=vote, user=user, yes=True, cast_at=now)
        add_entry(
            game=game,
            by=user,
            kind="vote",
            player=user.robo_name,
            **selectors.question_parameters(vote),
            now=now,
        )
        voters = selectors.voters_of(game=game, kind=kind, about=about)
        settle_votes(game=game, now=now)
        vote.refresh_from_db()
        if vote.status == Vote.Status.OPEN:
            others = [voter.user for voter in voters if voter.user and voter.user_id != user.pk]
            notify_once(users=others, kind="vote", game=game, again=FINAL_STATUSES, now=now)
    return vote


def cast_ballot(*, user: User, game_id: int, vote_id: int, yes: bool, now: datetime) -> Vote:
    """Vote yes or no, or change a ballot. If the ballot decides the vote, the result takes effect at once.

    Raises NotFound if the person may not see the game or the game has no such vote; Forbidden for guests and
    players without a vote on this question; and Conflict if the vote is closed.
    """
    refuse_guests(user)
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        vote = game.votes.select_related("seat__user").filter(pk=vote_id).first()
        if vote is None:
            raise NotFound("no-such-vote", _("There is no such vote in this game."))
        if vote.status != Vote.Status.OPEN or vote.closes_at <= now:
            raise Conflict("vote-closed", _("This vote is closed."))
        _check_voter(game, vote.kind, vote.seat, user)
        cast = {"game": game, "yes": yes, "cast_at": now}
        Ballot.objects.update_or_create(vote=vote, user=user, defaults=cast)
        said = "yes" if yes else "no"
        add_entry(
            game=game,
            by=user,
            kind=said,
            player=user.robo_name,
            **selectors.question_parameters(vote),
            now=now,
        )
        settle_votes(game=game, now=now)
        vote.refresh_from_db()
    return vote


def _check_form(kind: str, seat: int | None, days: int | None) -> None:
    if kind not in Vote.Kind.values:
        detail = _("There is no kind of vote “{kind}”. Choose one of these: {kinds}.").format(
            kind=kind, kinds=", ".join(Vote.Kind.values)
        )
        raise Invalid("no-such-kind", detail, [{"code": "kind", "detail": detail}])
    if seat is None and kind in selectors.ABOUT_A_SEAT:
        raise Malformed("seat", _("Give the “seat” of the player to replace, or of the winner."))
    if seat is not None and kind not in selectors.ABOUT_A_SEAT:
        raise Malformed("seat", _("Only votes to replace a player or to concede have a “seat”."))
    if days is None and kind == Vote.Kind.PAUSE:
        detail = _("Give the length of the pause in “days”, from {least} to {most}.").format(
            least=PAUSE_DAYS[0], most=PAUSE_DAYS[-1]
        )
        raise Malformed("days", detail)
    if days is not None and kind != Vote.Kind.PAUSE:
        raise Malformed("days", _("Only votes to pause the game have “days”."))
    if days is not None and days not in PAUSE_DAYS:
        detail = _("A pause can last {least} to {most} days.").format(
            least=PAUSE_DAYS[0], most=PAUSE_DAYS[-1]
        )
        raise Invalid("days", detail, [{"code": "days", "detail": detail}])


def _check_votable(game: Game) -> None:
    if game.mission_id is not None:
        raise Conflict("no-votes", _("Training missions have no votes."))
    if game.status != Game.Status.RUNNING:
        raise Conflict("not-running", _("You can vote only while a game is running."))
    if game.in_competition:
        raise Conflict("tournament", _("Tournament and ladder games have no votes."))


def _check_askable(game: Game, kind: str, about: Seat | None, user: User, now: datetime) -> None:
    if why := selectors.why_pointless(game=game, kind=kind, about=about, now=now):
        raise Conflict("pointless", why)
    _check_voter(game, kind, about, user)
    if kind == Vote.Kind.CONCEDE and not has_played_turn(game):
        raise Conflict("not-begun", _("You can vote to concede after the first turn."))
    least = selectors.MAJORITIES[kind].least
    if len(selectors.voters_of(game=game, kind=kind, about=about)) < least:
        detail = _("This vote needs at least {number} yes votes, but fewer players can vote.").format(
            number=least
        )
        raise Conflict("too-few", detail)
    of_kind = game.votes.filter(kind=kind)
    if of_kind.filter(status=Vote.Status.OPEN).exists():
        raise Conflict("vote-open", _("A vote of this kind is already open."))
    if (kind, about.pk if about else None) in selectors.refused_lately(game=game, now=now):
        raise Conflict(
            "asked-lately",
            _("The players voted against this less than {number} days ago. Start a new vote later.").format(
                number=selectors.REPEAT_AFTER.days
            ),
        )


def _check_voter(game: Game, kind: str, about: Seat | None, user: User) -> None:
    if not any(voter.user_id == user.pk for voter in selectors.voters_of(game=game, kind=kind, about=about)):
        raise Forbidden(
            "no-vote",
            _(
                "You cannot vote on this. Your robot has finished or is out, or the vote is about you or your"
                " squad."
            ),
        )


def _seat_numbered(game: Game, number: int) -> Seat:
    seat = game.players.select_related("user").filter(number=number).first()
    if seat is None:
        raise NotFound("no-such-seat", _("No player has seat {number} in this game.").format(number=number))
    return seat

"""Delete accounts: close them at once, then let workers remove them from games.

Guests who do not come back are deleted too. A guest who signs up keeps their games.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, ManyToOneRel, Model, OuterRef, Q, QuerySet
from django.utils.translation import gettext, gettext_lazy as _

from accounts import mail, services as accounts
from accounts.models import UNCONFIRMED, User
from accounts.rights import is_last_superuser
from accounts.services import close_account, forget_sessions, send_deletion_mail
from games import live
from games.absence.seats import end_without_players, replace_by_computer
from games.chat.models import ChatLine
from games.clocks.selectors import since_when
from games.clubs import services as clubs
from games.competitions.selectors.tournaments import entries_of, hosted_by
from games.competitions.services import ladders, seasons, tournaments
from games.errors import Conflict, Forbidden, NotFound, describe_error
from games.lobby.models import Invitation
from games.lobby.seats import free_up_seat
from games.news.models import Notice
from games.people.models import Achievement, Deletion, Forgetting, Share
from games.people.services import scrubbing
from games.play.history import Sentence, add_entry
from games.play.lifecycle import end_without_winner
from games.play.models import Draft, Game, Hand, Replacement, Seat
from games.play.services import lock_people, locked_game
from games.rights import Right, require, require_other
from games.shipyard.models import StarshipDraft
from games.shipyard.services import forget_name
from games.votes.services import settle_votes
from games.work import enqueue
from games.work.jobs import encode_reason, for_each_row
from roborunner import faults

HISTORY: Final[Mapping[str, Sentence]] = {
    "deleted": _("{player} left for good. A Rookie took the seat."),
    "no-players": _("The game was cancelled because no players are left."),
}


@dataclass(frozen=True, slots=True)
class GamesOnDeletion:
    """Numbers of a person's games by their fate when the account is deleted.

    In running games, a computer takes over the seat (``taken_over``), or the game ends if no other person
    plays in it (``called_off``). Lobbies are ``left``. Ended games are ``kept``, and games in which the
    person was ``alone`` are deleted. The person leaves the ``tournaments``, and staff take over the
    ``hosted`` ones.
    """

    taken_over: int
    called_off: int
    left: int
    kept: int
    alone: int
    tournaments: int
    hosted: int


def games_on_deletion(*, user: User) -> GamesOnDeletion:
    """Count a person's games by their fate when the account is deleted."""
    alone = games_alone(user=user)
    mine = Game.objects.filter(Exists(Seat.objects.filter(game=OuterRef("pk"), user=user)) | Q(host=user))
    shared = mine.exclude(pk__in=alone.values("pk"))
    others = Exists(Seat.objects.filter(game=OuterRef("pk"), user__isnull=False).exclude(user=user))
    running = shared.filter(status=Game.Status.RUNNING)
    return GamesOnDeletion(
        taken_over=running.filter(others).count(),
        called_off=running.filter(~others).count(),
        left=shared.filter(status=Game.Status.OPEN).count(),
        kept=shared.filter(ended_at__isnull=False).count(),
        alone=alone.count(),
        tournaments=len(entries_of(user)),
        hosted=hosted_by(user).count(),
    )


def games_alone(*, user: User) -> QuerySet[Game]:
    """Return a host's private games that no one else ever played or wrote in."""
    sitting = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False).exclude(user=user)
    passed_on = Replacement.objects.filter(seat__game=OuterRef("pk"))
    sat = passed_on.exclude(was=user, became=None).exclude(was=None, became=user)
    spoke = ChatLine.objects.filter(game=OuterRef("pk")).exclude(user=user)
    return Game.objects.filter(~Exists(sitting), ~Exists(sat), ~Exists(spoke), private=True, host=user)


# --- Closing the account ------------------------------------------------------------------------------------


logger = logging.getLogger(__name__)

KEPT_REFERENCES: Final = {
    "games.Game.host": "the game passes on, or stays as its players knew it",
    "games.Seat.user": "a place in a game that others played as well; in one under way a computer takes it",
    "games.ChatLine.user": "others have answered; the words go where the person says so",
    "games.LobbyEntry.by": "what was changed in a lobby, for those who were in it",
    "games.Invitation.invited_by": "those who were invited may still come, and the host asks them",
    "games.Intervention.by": "what somebody of the staff did about a game, which its players see",
    "games.Replacement.was": "who played a seat up to when, which its game tells",
    "games.Replacement.became": "the same",
    "games.Share.user": "what a robot did, counted, as the robot's tally, which is its game's",
    "games.PlayerRating.user": "what ratings of others followed from; it is listed nowhere",
    "games.RatingChange.user": "the same, game by game",
    "games.Vote.asked_by": "what the players of a game have decided, and who has asked for it",
    "games.Ballot.user": "what somebody has said to it, by which it was counted",
    "games.Tournament.host": "a tournament that others play; staff take it over",
    "games.Entrant.user": "a place in the table of a tournament; who leaves an open one is not in it",
    "games.LadderGame.challenger": "a challenge that another has met, and what came of it",
    "games.LadderGame.challenged": "the same",
    "games.PromotionVote.user": "what the design committee decided, and why; an open vote no longer counts",
    "games.Starship.owner": "who built a ship, on which others play; its builder is the placeholder then",
    "games.Review.author": "what somebody thinks of a ship, which counts; the words go where they say so",
    "games.Moderation.by": "what somebody of the staff did about a review, which its author sees",
    "games.StarshipRevision.saved_by": "boards of the library, on which games are played",
    "games.Mission.saved_by": "missions that others fly",
    "games.Sanction.by": "who of the staff decided about another player",
    "games.Sanction.confirmed_by": "the same",
    "games.Case.taken_by": "who of the staff looks at a case",
    "games.Appeal.answered_by": "who of the staff answered an appeal",
    "games.Renaming.user": "a name that staff took, until games know it no more",
    "games.ConductEntry.person": "that staff decided something, without any word of it",
    "games.ConductEntry.by": "who of the staff did",
    "games.Deletion.user": "the deletion itself",
    "games.Deletion.by": "who of the staff deleted an account",
    "admin.LogEntry.user": "what somebody of the staff did, for those who come after",
}
"""References to keep on deletion, with reasons. All others are deleted."""

Reference = tuple[type[Model], str]
"""A table, and its column with a reference to a person."""


def delete_account(
    *, user: User, by: User | None = None, takes_chat: bool = False, now: datetime
) -> Deletion:
    """Delete an account for good: the person's own, or another's ``by`` staff.

    The account becomes a placeholder, without name, address, settings, password, tokens and all other
    personal data. No one else gets the name. A worker removes the name from games, with ``takes_chat`` also
    the person's lines. Raises Forbidden for staff without the right, and for guests: they expire, and staff
    can delete them only if they have a seat in another's game. Raises Conflict for a deleted account, and for
    the last superuser.
    """
    with transaction.atomic():
        lock_games(user)
        held = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _check_deletable(held, by)
        deletion = Deletion.objects.create(
            user=held, by=by, name=held.robo_name, address=held.email, takes_chat=takes_chat, asked_at=now
        )
        note_games(deletion=deletion)
        # The log has the robot's name until the game is rewritten.
        Seat.objects.filter(user=held, robot="").update(robot=held.robo_name)
        clubs.leave_all(user=held, now=now)
        tournaments.leave_all(user=held, now=now)
        ladders.leave_all(user=held)
        seasons.leave_all(user=held)
        mail.discard_mail(user=held)
        delete_rows(deletion=deletion)
        if held.email:
            send_deletion_mail(held, now=now)
        close_account(user=held, now=now)
        enqueue.erase(deletion.pk)
    logger.info("The account of person %d was closed for good", user.pk)
    return deletion


def references() -> Iterator[Reference]:
    """Yield every table with a reference to people, and the column."""
    for relation in User._meta.get_fields(include_hidden=True):
        if isinstance(relation, ManyToOneRel):
            yield relation.related_model, relation.field.name


def label_of(reference: Reference) -> str:
    """Return the key of a reference in `KEPT_REFERENCES`.

    >>> label_of((Seat, "user"))
    'games.Seat.user'
    """
    model, column = reference
    return f"{model._meta.label}.{column}"


def note_games(*, deletion: Deletion) -> None:
    """Note every game with a row about the person."""
    person = deletion.user_id
    games = set(Game.objects.filter(host=person).values_list("pk", flat=True))
    for model, column in references():
        if (path := _path_to_game(model)) is not None:
            rows = model._default_manager.filter(**{column: person}).order_by()
            games |= set(rows.values_list(path, flat=True).distinct())
    for addressed in (Invitation, Notice):
        rows = addressed._default_manager.filter(email__iexact=deletion.address).exclude(email="")
        games |= set(rows.values_list("game", flat=True))
    noted = (Forgetting(deletion=deletion, game_id=game) for game in sorted(games - {None}))
    Forgetting.objects.bulk_create(noted, ignore_conflicts=True, batch_size=5000)


def delete_rows(*, deletion: Deletion) -> None:
    """Delete all rows about the person, except those in `KEPT_REFERENCES`."""
    person = deletion.user_id
    scrubbing.rename_in_staff_log(deletion=deletion)  # while the rows still exist
    forget_name(StarshipDraft.objects.filter(user=person))
    for model, column in references():
        if label_of((model, column)) not in KEPT_REFERENCES:
            model._default_manager.filter(**{column: person}).delete()
    Draft.objects.filter(hand__seat__user=person).delete()
    Hand.objects.filter(seat__user=person, remind_at__isnull=False).update(remind_at=None)
    if deletion.address:
        Invitation.objects.filter(email__iexact=deletion.address).delete()
        Notice.objects.filter(email__iexact=deletion.address).delete()


def lock_games(user: User) -> None:
    """Lock a person's unfinished games: always before the person's own row."""
    going_on = Game.objects.filter(ended_at=None).filter(Q(host=user) | Q(players__user=user))
    held = Game.objects.select_for_update(no_key=True).filter(pk__in=going_on.values("pk"))
    list(held.order_by("pk").values_list("pk"))


def _check_deletable(user: User, by: User | None) -> None:
    if user.is_guest and (by is None or not _sits_in_anothers_game(user)):
        raise Forbidden(
            "guest", gettext("Guests have no account to delete. Their data is removed automatically.")
        )
    if user.deleted_at is not None:
        raise Conflict("deleted", gettext("This account has already been deleted."))
    if by is not None and by.pk != user.pk:
        require(by, Right.DELETE_ACCOUNTS)
        require_other(by, user)
    if is_last_superuser(user):
        raise Conflict(
            "last",
            gettext(
                "This is the last superuser. Make another account a superuser before you delete this one."
            ),
        )


def _sits_in_anothers_game(user: User) -> bool:
    return Seat.objects.filter(user=user).exclude(game__host=user).exists()


def _path_to_game(model: type[Model]) -> str | None:
    """Return the path of columns from a row of a table to its game, or None."""
    names = {field.name: field for field in model._meta.concrete_fields}
    if "game" in names:
        return "game"
    for name in ("seat", "turn", "hand"):
        if name in names and (related := names[name].related_model) is not None:
            inner: Any = _path_to_game(related)
            return inner and f"{name}__{inner}"
    return None


# --- Game by game -------------------------------------------------------------------------------------------


SETTLING_TIME: Final = timedelta(minutes=2)
"""Time after closing an account until all earlier work on it has finished."""

ATTEMPTS: Final = 5
"""Attempts to rewrite a game before it waits for staff."""

GAMES_PER_MESSAGE: Final = 20
"""Games rewritten for one message. Turns are played in between."""

NOTING_SECONDS: Final = 20.0
"""Time limit for storing the error of a game, in seconds."""


def erase(*, deletion_id: int, now: datetime) -> bool:
    """Continue a deletion. Return whether this call completes it.

    It may run any number of times, and in several workers at once. In the end it forgets the name.
    """
    deletion = Deletion.objects.select_related("user").filter(pk=deletion_id, done_at=None).first()
    if deletion is None:
        return False
    with transaction.atomic():
        note_games(deletion=deletion)
        delete_rows(deletion=deletion)
    to_do = _to_do(deletion, now)
    first = to_do.filter(attempts__lt=ATTEMPTS).order_by(F("game__ended_at").asc(nulls_first=True), "game")
    for forgetting in first[:GAMES_PER_MESSAGE]:
        _try(forgetting, deletion, now)
    if to_do.filter(attempts=0).exists():
        enqueue.erase(deletion.pk)
        return False
    scrubbing.rename_ships(builder=deletion.user, scrub=scrubbing.scrubber_of(deletion).scrub_own, now=now)
    with transaction.atomic():
        scrubbing.scrub_elsewhere(deletion=deletion)
    forget_sessions(user_id=deletion.user_id, name=deletion.name, address=deletion.address)
    return not to_do.exists() and now >= deletion.asked_at + SETTLING_TIME and _finish(deletion, now)


def erase_again(*, user: User, deletion_id: int) -> None:
    """Retry the failed games of a deletion, as staff.

    Raises Forbidden for people without the right, NotFound, and Conflict for a complete deletion.
    """
    require(user, Right.CHANGE_DELETIONS)
    deletion = Deletion.objects.filter(pk=deletion_id).first()
    if deletion is None:
        raise NotFound("no-deletion", gettext("This deletion does not exist."))
    if deletion.done_at is not None:
        raise Conflict("finished", gettext("This deletion is already complete."))
    deletion.games.update(attempts=0)
    enqueue.erase(deletion.pk)


def deletions_to_continue(*, now: datetime) -> QuerySet[Deletion]:
    """Return deletions with work for a worker, without those waiting for staff."""
    games = Forgetting.objects.filter(deletion=OuterRef("pk"))
    to_try = Exists(games.filter(done_at=None, attempts__lt=ATTEMPTS))
    stuck = Exists(games.filter(attempts__gte=ATTEMPTS))
    return Deletion.objects.filter(to_try | Q(asked_at__lte=now - SETTLING_TIME) & ~Q(stuck), done_at=None)


def _to_do(deletion: Deletion, now: datetime) -> QuerySet[Forgetting]:
    """Return the games to rewrite, some again: earlier work may restore the name."""
    settled = deletion.asked_at + SETTLING_TIME
    early = Q(done_at__lt=settled) if now >= settled else Q(pk__in=())
    return deletion.games.filter(Q(done_at=None) | early)


def _try(forgetting: Forgetting, deletion: Deletion, now: datetime) -> None:
    """Rewrite a game unless another worker has done so. Note any failure."""
    rows = Forgetting.objects.filter(pk=forgetting.pk)
    rows.update(attempts=F("attempts") + 1, error=encode_reason("unfinished"))
    try:
        with transaction.atomic():
            game = locked_game(forgetting.game_id)
            if not _to_do(deletion, now).filter(pk=forgetting.pk).exists():
                return
            _forget_person(game, deletion, now)
            rows.update(done_at=now, attempts=0, error="")
    except NotFound:
        return  # the game itself is gone
    except Exception as error:  # one game that cannot be read must not hold up the others
        logger.exception("Game %d: a person could not be taken out of it", forgetting.game_id)
        noted: dict[str, Any] = {"error": describe_error(error)}
        if faults.is_temporary(error):  # it is not the game's fault
            noted["attempts"] = F("attempts") - 1
        faults.write_despite_outage(
            lambda: rows.filter(attempts__gt=0).update(**noted),
            f"Game {forgetting.game_id}: a person could not be taken out of it",
            seconds=NOTING_SECONDS,
        )


def _forget_person(game: Game, deletion: Deletion, now: datetime) -> None:
    user = deletion.user
    if games_alone(user=user).filter(pk=game.pk).exists():
        _delete(game)
        return
    forgotten = {"manner": "", "standing": "", "visited_at": None, "seen_turn": None, "read_chat": 0}
    game.players.filter(user=user).update(**forgotten)
    Hand.objects.filter(seat__game=game, seat__user=user, calendar__isnull=False).update(calendar=None)
    if deletion.takes_chat:
        game.chat.filter(user=user).update(text=scrubbing.WITHDRAWN, rude=False)
    scrubbing.rename_player(game=game, user=user, scrubber=scrubbing.scrubber_of(deletion))
    seat = game.players.select_related("user").filter(user=user).first()
    if game.status == Game.Status.OPEN:
        _leave_lobby(game, user, seat, now)
    elif game.status == Game.Status.RUNNING:
        _leave_game(game, user, seat, now)
    invited = game.invitations.filter(invited_by=user)
    if game.ended_at is None and game.host_id != user.pk:
        invited.update(invited_by=game.host_id)
    else:
        invited.delete()
    live.announce_change(game)


def _delete(game: Game) -> None:
    course = game.course
    game.delete()
    if course is not None:
        course.delete()


def _leave_lobby(game: Game, user: User, seat: Seat | None, now: datetime) -> None:
    if seat is not None:
        add_entry(game=game, by=user, kind="left", player=user.robo_name, now=now)
        free_up_seat(game=game, seat=seat, now=now)


def _leave_game(game: Game, user: User, seat: Seat | None, now: datetime) -> None:
    """Replace the person by a computer, or end the game if no other people are left."""
    others = game.players.exclude(user=None).exclude(user=user).select_related("user").order_by("number")
    heir = others.first()
    if heir is None:
        if seat is not None:
            end_without_players(game=game, seat=seat, now=now)
        else:
            end_without_winner(game=game, by=Game.Ending.DESERTED, now=now)
            add_entry(game=game, by=None, kind="no-players", now=now)
        return
    if game.host_id == user.pk:
        assert heir.user is not None
        game.host = heir.user
        game.save(update_fields=["host"])
        add_entry(game=game, by=None, kind="host", player=game.host.robo_name, now=now)
    if seat is not None:
        replace_by_computer(game=game, seat=seat, reason=Replacement.Reason.DELETED, now=now)
        add_entry(game=game, by=None, kind="deleted", player=user.robo_name, now=now)
        settle_votes(game=game, now=now)


def _finish(deletion: Deletion, now: datetime) -> bool:
    """Forget the name as well. Return whether this call did it."""
    with transaction.atomic():
        deletion.games.all().delete()
        forgotten = {"name": "", "address": "", "done_at": now}
        done = Deletion.objects.filter(pk=deletion.pk, done_at=None).update(**forgotten)
    if done:
        logger.info("All games have forgotten person %d", deletion.user_id)
    return bool(done)


# --- Guests -------------------------------------------------------------------------------------------------


ROWS_PER_PASS = 200
"""Rows looked at in one pass. The next pass continues."""


def forget_guests(*, now: datetime) -> int:
    """Delete guests absent for `settings.GUEST_DAYS`. Return their number."""
    oldest = since_when(period=timedelta(days=settings.GUEST_DAYS), now=now)
    played = Game.objects.filter(host=OuterRef("pk"), moved_at__gt=oldest)
    gone = User.objects.filter(~Exists(played), is_guest=True, date_joined__lte=oldest)
    gone = gone.exclude(last_login__gt=oldest).order_by("date_joined")
    return for_each_row("guests", gone, partial(_forget_guest, Q(is_guest=True)), most=ROWS_PER_PASS, now=now)


def forget_sign_ups(*, now: datetime) -> int:
    """Delete sign-ups not confirmed in time, to free their names. Return their number."""
    gone = User.objects.unconfirmed().filter(
        date_joined__lte=since_when(period=accounts.SIGN_UP_LIFETIME, now=now)
    )
    gone = gone.exclude(emailaddress__verified=True).order_by("date_joined")
    return for_each_row("sign-ups", gone, partial(_forget_guest, UNCONFIRMED), most=ROWS_PER_PASS, now=now)


def _forget_guest(still: Q, user_id: int) -> bool:
    """Delete a user and their missions if ``still`` matches. Return whether it did."""
    list(Game.objects.select_for_update().filter(host=user_id).order_by("pk").values_list("pk"))
    # A locked row is being confirmed or handed over at this moment.
    held = User.objects.select_for_update(skip_locked=True).filter(still, pk=user_id).first()
    if held is None:
        return False
    Game.objects.filter(host=held).delete()
    held.delete()
    return True


def adopt_guest(*, guest_id: int, user: User) -> int:
    """Give a guest's games to a person, and delete the guest. Return how many games.

    The guest hosts all of them: missions and games against computers. A worker counts the person's
    achievements in them. Does nothing if the guest has signed up.
    """
    with transaction.atomic():
        guests = User.objects.filter(pk=guest_id, is_guest=True)
        if user.is_guest or (guest := guests.first()) is None:
            return 0
        _locked(guest)
        lock_people([guest_id, user.pk])
        if (guest := guests.first()) is None:  # they have signed up meanwhile
            return 0
        games = _locked(guest)
        for game in games:
            scrubbing.rename_robot(game=game, before=guest.robo_name, after=user.robo_name)
        Game.objects.filter(host=guest).update(host=user)
        Seat.objects.filter(user=guest).update(user=user)
        _pass_on_seats(games, guest, user)
        known = Achievement.objects.filter(user=user).values("key")
        Achievement.objects.filter(user=guest).exclude(key__in=known).update(user=user)
        guest.delete()
        if games:
            enqueue.recount_person(user.pk)
    return len(games)


def _locked(user: User) -> list[Game]:
    return list(Game.objects.select_for_update(no_key=True).filter(host=user).order_by("pk"))


def _pass_on_seats(games: list[Game], guest: User, user: User) -> None:
    """Hand over the guest's records in seats with a change of players."""
    Seat.objects.filter(game__in=games, robot=guest.robo_name).update(robot=user.robo_name)
    Replacement.objects.filter(was=guest).update(was=user)
    Replacement.objects.filter(became=guest).update(became=user)
    theirs = Share.objects.filter(user=user).values("seat")
    Share.objects.filter(user=guest).exclude(seat__in=theirs).update(user=user)

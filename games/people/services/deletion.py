"""Delete accounts. The account closes at once. Workers then remove the person from games.

Guests and unconfirmed sign-ups are deleted when they expire. If a guest logs in to an account, this account
gets the guest's games.
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
from games.absence.models import Replacement
from games.absence.seats import end_without_players, replace_by_computer
from games.analysis import services as analyses
from games.analysis.models import Analysis
from games.chat.models import ChatLine
from games.clocks.selectors import since_when
from games.clubs import services as clubs
from games.clubs.models import Candidate
from games.competitions.selectors.tournaments import entries_of, hosted_by
from games.competitions.services import ladders, seasons, tournaments
from games.daily import services as daily
from games.daily.models import DailyResult
from games.errors import Conflict, Forbidden, NotFound, describe_error
from games.lobby.models import Invitation
from games.lobby.seats import free_up_seat
from games.news.models import Notice
from games.people.models import Achievement, Deletion, Forgetting, Share
from games.people.services import scrubbing
from games.play.history import Sentence, add_entry
from games.play.lifecycle import end_without_winner
from games.play.models import Draft, Game, Hand, Seat
from games.play.services import lock_people, locked_game
from games.puzzles import services as puzzles
from games.puzzles.models import PuzzleTry
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
    """The numbers of a person's games, by the effect of deleting the account.

    In running games, a computer takes over the seat (``taken_over``), or the game ends if no other person
    plays in it (``cancelled``). The person leaves open games (``left``). ``ended`` games stay.
    Private games without anyone else are ``deleted``. The person leaves ``tournaments``, and staff
    take over the tournaments that the person hosts (``hosted``).
    """

    taken_over: int
    cancelled: int
    left: int
    ended: int
    deleted: int
    tournaments: int
    hosted: int


def games_on_deletion(*, user: User) -> GamesOnDeletion:
    """Count a person's games by the effect of deleting the account."""
    unshared = unshared_games(user=user)
    mine = Game.objects.filter(Exists(Seat.objects.filter(game=OuterRef("pk"), user=user)) | Q(host=user))
    shared = mine.exclude(pk__in=unshared.values("pk"))
    others = Exists(Seat.objects.filter(game=OuterRef("pk"), user__isnull=False).exclude(user=user))
    running = shared.filter(status=Game.Status.RUNNING)
    return GamesOnDeletion(
        taken_over=running.filter(others).count(),
        cancelled=running.filter(~others).count(),
        left=shared.filter(status=Game.Status.OPEN).count(),
        ended=shared.filter(ended_at__isnull=False).count(),
        deleted=unshared.count(),
        tournaments=len(entries_of(user)),
        hosted=hosted_by(user).count(),
    )


def unshared_games(*, user: User) -> QuerySet[Game]:
    """Return a host's private games that no other person has ever played or written in."""
    sitting = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False).exclude(user=user)
    passed_on = Replacement.objects.filter(seat__game=OuterRef("pk"))
    sat = passed_on.exclude(was=user, became=None).exclude(was=None, became=user)
    spoke = ChatLine.objects.filter(game=OuterRef("pk")).exclude(user=user)
    return Game.objects.filter(~Exists(sitting), ~Exists(sat), ~Exists(spoke), private=True, host=user)


# --- Closing the account ------------------------------------------------------------------------------------


logger = logging.getLogger(__name__)

KEPT_REFERENCES: Final = {
    "games.Game.host": "the game gets another host, or stays as its players knew it",
    "games.Seat.user": "a seat in a game with other players; a computer takes it over in a running game",
    "games.ChatLine.user": "other people have answered; the text is deleted if the person chooses so",
    "games.LobbyEntry.by": "changes in a lobby, which the other people in it may look up",
    "games.Invitation.invited_by": "an invited person can still join",
    "games.Intervention.by": "an action of a staff member in a game, shown to its players",
    "games.Replacement.was": "the player of a seat until a turn, shown in its game",
    "games.Replacement.became": "the player of a seat from a turn on, shown in its game",
    "games.Share.user": "the counted actions of a shared robot, which belong to its game",
    "games.PlayerRating.user": "the basis of other players' ratings; it is in no list",
    "games.RatingChange.user": "the basis of other players' ratings, game by game",
    "games.Vote.asked_by": "the vote that the players of a game took, and its initiator",
    "games.Ballot.user": "a counted answer in a vote",
    "games.Tournament.host": "a tournament with other players; staff take it over",
    "games.Entrant.user": "a place in a tournament's standings; leaving an open tournament deletes it",
    "games.LadderGame.challenger": "a challenge to another player, and its result",
    "games.LadderGame.challenged": "a challenge by another player, and its result",
    "games.PromotionVote.user": "a decision of the design committee; votes still open no longer count",
    "games.Starship.owner": "the builder of a ship in use by other players, from now on the placeholder",
    "games.Review.author": "stars that count for a ship; the text is deleted if the person chooses so",
    "games.Moderation.by": "an action of a staff member on a review, shown to its author",
    "games.StarshipRevision.saved_by": "boards of the library, used in games",
    "games.Mission.saved_by": "missions for other players",
    "games.Sanction.by": "the staff member behind a decision about another player",
    "games.Sanction.confirmed_by": "the staff member behind a confirmed decision",
    "games.Case.taken_by": "the staff member in charge of a case",
    "games.Appeal.answered_by": "the staff member behind the answer to an appeal",
    "games.Renaming.user": "a name taken away by staff, until no game contains it",
    "games.ConductEntry.person": "the fact that staff made a decision, without its texts",
    "games.ConductEntry.by": "the staff member behind an entry",
    "accounts.SignUpRule.by": "the staff member behind a decision about sign-up",
    "accounts.SignUpBlock.by": "the staff member behind a block of sign-ups",
    "games.Removal.by": "the staff member behind the removal of a wave of accounts",
    "games.Deletion.user": "the deletion itself",
    "games.Deletion.by": "the staff member behind a deletion",
    "admin.LogEntry.user": "actions of a staff member, for later staff",
}
"""References to a person that stay after a deletion, with reasons. All other references are deleted."""

Reference = tuple[type[Model], str]
"""A table, and the name of its column that refers to a person."""


def delete_account(
    *, user: User, by: User | None = None, takes_chat: bool = False, tells: bool = True, now: datetime
) -> Deletion:
    """Delete an account for good: the user's own account or, as the staff member ``by``, another's.

    The account becomes a placeholder without name, address, settings, password, tokens or any other personal
    data. No one else can use the name again. Workers remove the name from games and, if ``takes_chat`` is
    set, also the texts that the person wrote. If ``tells`` is set, the person gets an email about it.

    Raises Forbidden for staff without the right and for guests. Guests expire instead, but staff can delete
    a guest who has a seat in another person's game. Raises Conflict if the account was deleted earlier, or
    is the last superuser.
    """
    with transaction.atomic():
        lock_games(user)
        held = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _check_deletable(held, by)
        deletion = Deletion.objects.create(
            user=held, by=by, name=held.robo_name, address=held.email, takes_chat=takes_chat, asked_at=now
        )
        note_games(deletion=deletion)
        # Until the game is rewritten, the log contains the robot's name.
        Seat.objects.filter(user=held, robot="").update(robot=held.robo_name)
        clubs.leave_all(user=held, now=now)
        tournaments.leave_all(user=held, now=now)
        ladders.leave_all(user=held)
        seasons.leave_all(user=held)
        mail.discard_mail(user=held)
        delete_rows(deletion=deletion, now=now)
        if held.email and tells:
            send_deletion_mail(held, now=now)
        close_account(user=held, now=now)
        enqueue.erase(deletion.pk)
    logger.info("The account of person %d was closed for good", user.pk)
    return deletion


def references() -> Iterator[Reference]:
    """Yield every reference to people in the database: the table and the column."""
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
    """Create a `Forgetting` for every game that has a row about the deleted person."""
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


def delete_rows(*, deletion: Deletion, now: datetime) -> None:
    """Delete all rows about the deleted person, except rows with a reference in `KEPT_REFERENCES`."""
    person = deletion.user_id
    analyses.stop_analyses(user=deletion.user, now=now)  # their turns stay, for others
    scrubbing.rename_in_staff_log(deletion=deletion)  # while the rows still exist
    forget_name(StarshipDraft.objects.filter(user=person))
    for model, column in references():
        if label_of((model, column)) not in KEPT_REFERENCES:
            model._default_manager.filter(**{column: person}).delete()
    Draft.objects.filter(hand__seat__user=person).delete()
    Hand.objects.filter(seat__user=person, remind_at__isnull=False).update(remind_at=None)
    if deletion.address:
        Invitation.objects.filter(email__iexact=deletion.address).delete()
        Candidate.objects.filter(email__iexact=deletion.address).delete()
        Notice.objects.filter(email__iexact=deletion.address).delete()


def lock_games(user: User) -> None:
    """Lock a person's unfinished games. Always lock these before the person's own row."""
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
    """Return the lookup from the rows of a table to their game, or None if they do not belong to a game."""
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
"""How long after the closing of an account other requests may still write the account's name.

After this time, all games of the deletion are rewritten once more.
"""

ATTEMPTS: Final = 5
"""The number of failed attempts to rewrite a game after which the game waits for staff."""

GAMES_PER_MESSAGE: Final = 20
"""The number of games that a worker rewrites for one queue message. Workers play turns between messages."""

STORE_ERROR_TIMEOUT: Final = 20.0
"""How long to keep trying to store the error of a game that could not be rewritten, in seconds."""


def erase(*, deletion_id: int, now: datetime) -> bool:
    """Continue a deletion. Return whether this call completes the deletion.

    The function may run any number of times, and in several workers at once. Completing the deletion also
    erases the stored name and address.
    """
    deletion = Deletion.objects.select_related("user").filter(pk=deletion_id, done_at=None).first()
    if deletion is None:
        return False
    with transaction.atomic():
        note_games(deletion=deletion)
        delete_rows(deletion=deletion, now=now)
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
    """Retry the failed games of an account's deletion, as a member of staff.

    Raises NotFound, Forbidden for people without the right, and Conflict if the deletion is already
    complete.
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
    """Return the deletions that a worker can continue. Deletions that wait for staff are left out."""
    games = Forgetting.objects.filter(deletion=OuterRef("pk"))
    to_try = Exists(games.filter(done_at=None, attempts__lt=ATTEMPTS))
    stuck = Exists(games.filter(attempts__gte=ATTEMPTS))
    return Deletion.objects.filter(to_try | Q(asked_at__lte=now - SETTLING_TIME) & ~Q(stuck), done_at=None)


def _to_do(deletion: Deletion, now: datetime) -> QuerySet[Forgetting]:
    """Return the games that a deletion still has to rewrite.

    After `SETTLING_TIME`, games that were rewritten before the end of that time are included again: other
    requests may have restored the name in these games.
    """
    settled = deletion.asked_at + SETTLING_TIME
    early = Q(done_at__lt=settled) if now >= settled else Q(pk__in=())
    return deletion.games.filter(Q(done_at=None) | early)


def _try(forgetting: Forgetting, deletion: Deletion, now: datetime) -> None:
    """Rewrite a game, unless another worker has already done so. If rewriting fails, store the error."""
    rows = Forgetting.objects.filter(pk=forgetting.pk)
    rows.update(attempts=F("attempts") + 1, error=encode_reason("unfinished"))
    try:
        with transaction.atomic():
            game = locked_game(forgetting.game_id)
            if not _to_do(deletion, now).filter(pk=forgetting.pk).exists():
                return
            forget_person(game, deletion, now)
            rows.update(done_at=now, attempts=0, error="")
    except NotFound:
        return  # the game was deleted
    except Exception as error:  # an unreadable game must not block the others
        logger.exception("Game %d: a person could not be taken out of it", forgetting.game_id)
        noted: dict[str, Any] = {"error": describe_error(error)}
        if faults.is_temporary(error):  # the fault is not the game's, so the attempt does not count
            noted["attempts"] = F("attempts") - 1
        faults.write_despite_outage(
            lambda: rows.filter(attempts__gt=0).update(**noted),
            f"Game {forgetting.game_id}: a person could not be taken out of it",
            seconds=STORE_ERROR_TIMEOUT,
        )


def forget_person(game: Game, deletion: Deletion, now: datetime) -> None:
    """Remove a deleted person from a game. The caller must hold the game's row lock.

    A private game without anyone else is deleted.
    """
    user = deletion.user
    if unshared_games(user=user).filter(pk=game.pk).exists():
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
    """Replace the deleted person with a computer, or end the game if no other people play in it."""
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
    """Erase the stored name and address of a deletion. Return whether this call completed the deletion."""
    with transaction.atomic():
        deletion.games.all().delete()
        forgotten = {"name": "", "address": "", "done_at": now}
        done = Deletion.objects.filter(pk=deletion.pk, done_at=None).update(**forgotten)
    if done:
        logger.info("All games have forgotten person %d", deletion.user_id)
    return bool(done)


# --- Guests -------------------------------------------------------------------------------------------------


ROWS_PER_PASS = 200
"""The maximum number of accounts that one pass of the sweeper looks at. The next pass takes the rest."""


def forget_guests(*, now: datetime) -> int:
    """Delete guests who have not played for `settings.GUEST_DAYS`. Return the number of deleted guests."""
    oldest = since_when(period=timedelta(days=settings.GUEST_DAYS), now=now)
    played = Game.objects.filter(host=OuterRef("pk"), moved_at__gt=oldest)
    ran = DailyResult.objects.filter(user=OuterRef("pk"), began_at__gt=oldest)
    tried = PuzzleTry.objects.filter(user=OuterRef("pk"), tried_at__gt=oldest)
    asked = Analysis.objects.filter(Analysis.OPEN, asked_by=OuterRef("pk"))
    gone = User.objects.filter(
        ~Exists(played), ~Exists(ran), ~Exists(tried), ~Exists(asked), is_guest=True, date_joined__lte=oldest
    )
    gone = gone.exclude(last_login__gt=oldest).order_by("date_joined")
    return for_each_row("guests", gone, partial(_forget_guest, Q(is_guest=True)), most=ROWS_PER_PASS, now=now)


def forget_sign_ups(*, now: datetime) -> int:
    """Delete sign-ups that were not confirmed in time, to free their names.

    Returns the number of deleted sign-ups.
    """
    gone = User.objects.unconfirmed().filter(
        date_joined__lte=since_when(period=accounts.SIGN_UP_LIFETIME, now=now)
    )
    gone = gone.exclude(emailaddress__verified=True).order_by("date_joined")
    return for_each_row("sign-ups", gone, partial(_forget_guest, UNCONFIRMED), most=ROWS_PER_PASS, now=now)


def forget_sign_up(user_id: int) -> bool:
    """Delete an unconfirmed sign-up. Return False if it was just confirmed, or is being confirmed."""
    return _forget_guest(UNCONFIRMED, user_id)


def _forget_guest(still: Q, user_id: int) -> bool:
    """Delete a user and the games that they host, but only if the user meets the condition ``still``.

    Returns whether the user was deleted. Skips a user whose row is locked.
    """
    list(Game.objects.select_for_update().filter(host=user_id).order_by("pk").values_list("pk"))
    # A locked row is being confirmed, or handed over to another account, at this moment.
    held = User.objects.select_for_update(skip_locked=True).filter(still, pk=user_id).first()
    if held is None:
        return False
    Game.objects.filter(host=held).delete()
    held.delete()
    return True


def adopt_guest(*, guest_id: int, user: User, now: datetime) -> int:
    """Give a guest's games, analyses, daily runs and tries at puzzles to a person, and delete the guest.

    Returns the number of games given. The games are the missions and games against computers that the guest
    hosts. A worker then recounts the person's achievements. Does nothing and returns 0 if the guest has
    signed up, or if ``user`` is a guest.
    """
    with transaction.atomic():
        guests = User.objects.filter(pk=guest_id, is_guest=True)
        if user.is_guest or (guest := guests.first()) is None:
            return 0
        _locked(guest)
        lock_people([guest_id, user.pk])
        if (guest := guests.first()) is None:  # the guest has signed up since
            return 0
        games = _locked(guest)
        for game in games:
            scrubbing.rename_companions(game=game, name=user.robo_name)
            scrubbing.rename_robot(game=game, before=guest.robo_name, after=user.robo_name)
        Game.objects.filter(host=guest).update(host=user)
        Seat.objects.filter(user=guest).update(user=user)
        _pass_on_seats(games, guest, user)
        known = Achievement.objects.filter(user=user).values("key")
        Achievement.objects.filter(user=guest).exclude(key__in=known).update(user=user)
        analyses.adopt_analyses(guest=guest, user=user, now=now)
        daily.adopt_results(guest=guest, user=user)
        puzzles.adopt_tries(guest=guest, user=user)
        guest.delete()
        if games:
            enqueue.recount_person(user.pk)
    return len(games)


def _locked(user: User) -> list[Game]:
    return list(Game.objects.select_for_update(no_key=True).filter(host=user).order_by("pk"))


def _pass_on_seats(games: list[Game], guest: User, user: User) -> None:
    """Transfer the guest's records in seats with several players to the person."""
    Seat.objects.filter(game__in=games, robot=guest.robo_name).update(robot=user.robo_name)
    Replacement.objects.filter(was=guest).update(was=user)
    Replacement.objects.filter(became=guest).update(became=user)
    theirs = Share.objects.filter(user=user).values("seat")
    Share.objects.filter(user=guest).exclude(seat__in=theirs).update(user=user)

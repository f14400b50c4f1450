"""Invite people to a game, and share the link of a private game."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, Forbidden, Malformed, NotFound, new_token, player_named, refuse_guests
from games.lobby.models import Invitation
from games.moderation.sanctions import refuse_suspended
from games.news.models import Notice
from games.news.services import channels_of, notify_about_game, notify_address, was_mailed
from games.people.contacts import count_invitation, invited_address, reachable, reader_of, refuse_call
from games.play.history import add_entry
from games.play.models import Game
from games.play.services import locked_game, touch
from games.play.viewers import game_for


def lock_lobby(*, game_id: int) -> Game:
    """Lock and return an open game. Raises NotFound, and Conflict if the game is not open."""
    game = locked_game(game_id)
    if game.status == Game.Status.CANCELLED:
        raise Conflict("cancelled", _("This game was cancelled."))
    if game.status != Game.Status.OPEN:
        raise Conflict("started", _("The game has started. Its settings can no longer change."))
    return game


def lock_hosted_lobby(*, user: User, game_id: int) -> Game:
    """Lock and return an open game, as its host.

    Raises the errors of `lock_lobby`, and Forbidden for everyone except the host.
    """
    game = lock_lobby(game_id=game_id)
    if game.host_id != user.pk:
        raise Forbidden("not-host", _("Only the host can do this."))
    return game


def replace_link(game: Game) -> None:
    """Replace a game's link, so that its old link stops working. The caller must hold the game's row lock."""
    game.link_token = new_token()
    game.save(update_fields=["link_token"])


def renew_link(*, user: User, game_id: int, now: datetime) -> Game:
    """Replace the link of a private game, as its host.

    Raises NotFound for a game that the person may not see, Forbidden for guests and for everyone except the
    host, and Conflict for public and for cancelled games.
    """
    refuse_guests(user)
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = locked_game(game_id)
        if game.host_id != user.pk:
            raise Forbidden("not-host", _("Only the host can create a new link."))
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        if not game.private:
            raise Conflict("public", _("This game is public: anyone can find it without a link."))
        replace_link(game)
        if game.status == Game.Status.OPEN:
            add_entry(game=game, by=user, kind="new-link", player=user.robo_name, now=now)
        touch(game, now)
    return game


MAX_INVITATIONS_PER_GAME = 20


def invite(*, user: User, game_id: int, robo_name: str = "", email: str = "", now: datetime) -> Game:
    """Invite a player to a lobby, by Robo Name or email address.

    Any player in the lobby may do this. An invitation by email address does not reveal whether the address
    belongs to an account.

    Raises NotFound for a game that the person may not see, and for an unknown Robo Name; Forbidden for
    guests, suspended players and people without a seat, and if the invited player has blocked the person;
    Malformed for an invalid address, and if both or neither of Robo Name and address are given; Conflict for
    a game that has started or is full, if the invited player has a seat or an earlier invitation, and after
    too many invitations to the game; and TooMany after too many invitations in 24 hours.
    """
    refuse_guests(user)
    refuse_suspended(user=user, now=now)
    game_for(viewer=user, game_id=game_id)
    robo_name, email = robo_name.strip(), email.strip()
    if bool(robo_name) == bool(email):
        raise Malformed("nobody", _("Enter a Robo Name or an email address."))
    asked = player_named(robo_name) if robo_name else None
    if asked:
        refuse_call(user=user, person=asked, detail=_("You cannot invite {player}."))
    if email:
        email = invited_address(email)
    with transaction.atomic():
        game = lock_lobby(game_id=game_id)
        _check(game, user)
        taken = game.players.count()
        if taken >= game.seats:
            raise Conflict("full", _("This game is full: all its seats are taken."))
        if asked and game.players.filter(user=asked).exists():
            raise Conflict(
                "already-joined",
                _("{player} already has a seat in this game.").format(player=asked.robo_name),
            )
        if _was_asked(game, asked, email, by=user):
            raise Conflict(
                "already-invited", _("{player} is already invited.").format(player=robo_name or email)
            )
        count_invitation(user=user, now=now)
        if asked:
            add_entry(
                game=game, by=user, kind="invited", player=user.robo_name, guest=asked.robo_name, now=now
            )
            _ask(game, asked, user, now)
        else:
            add_entry(game=game, by=user, kind="invited-by-mail", player=user.robo_name, now=now)
            _ask_address(game, email, user, now)
    return game


def decline_invitation(*, user: User, game_id: int, now: datetime) -> Game:
    """Decline an invitation to a lobby.

    Raises NotFound if the person has no pending invitation, and the errors of `lock_lobby`.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = lock_lobby(game_id=game_id)
        asked = game.invitations.filter(user=user, answer=Invitation.Answer.PENDING).first()
        if asked is None:
            raise NotFound("no-invitation", _("You have no open invitation to this game."))
        asked.answer, asked.answered_at = Invitation.Answer.DECLINED, now
        asked.save(update_fields=["answer", "answered_at"])
        if not asked.email:  # a note would reveal the owner of the address
            add_entry(game=game, by=user, kind="declined", player=user.robo_name, now=now)
    return game


def withdraw_invitation(*, user: User, game_id: int, invitation_id: int, now: datetime) -> Game:
    """Withdraw a pending invitation, as its sender or as the host.

    Raises NotFound for an invitation that was already answered or withdrawn, Forbidden for anyone except the
    sender and the host, and the errors of `lock_lobby`. An invitation by email address can be withdrawn even
    after its answer, so as not to reveal the answer.
    """
    game_for(viewer=user, game_id=game_id)
    with transaction.atomic():
        game = lock_lobby(game_id=game_id)
        # This must not reveal if someone at an address has answered either.
        waiting = Q(answer=Invitation.Answer.PENDING) | ~Q(email="")
        invitation = game.invitations.filter(waiting, pk=invitation_id).first()
        if invitation is None:
            raise NotFound("no-invitation", _("This invitation has already been answered or withdrawn."))
        if user.pk not in (game.host_id, invitation.invited_by_id):
            raise Forbidden(
                "not-yours", _("Only the host and the player who sent an invitation can withdraw it.")
            )
        invitation.delete()
        replace_link(game)  # the invitation contained the old link
        _pass_on(invitation, now)
        touch(game, now)
    return game


def forget_invitations(*, game: Game, person: User) -> None:
    """Remove a person from all invitations to a game.

    Invitations by name are deleted. Invitations by email address stay, but no longer refer to the person.
    """
    game.invitations.filter(user=person, email="").delete()
    game.invitations.filter(user=person).update(user=None)


def _pass_on(withdrawn: Invitation, now: datetime) -> None:
    """Keep another player's invitation to the email address of a withdrawn invitation valid.

    If the withdrawn invitation let a person open the game, the other invitation does so now. Otherwise the
    address gets another email, since the link in the first email no longer works.
    """
    game, email = withdrawn.game, withdrawn.email
    other = game.invitations.filter(email=email, user=None).order_by("pk").first() if email else None
    if other is None:
        return
    if withdrawn.user:
        other.user, other.answer = withdrawn.user, withdrawn.answer
        other.answered_at = withdrawn.answered_at
        other.save(update_fields=["user", "answer", "answered_at"])
    elif reader_of(email) is None:
        Notice.objects.filter(game=game, email=email, kind="invited").delete()
        notify_address(email=email, kind="invited", game=game, now=now)


def _check(game: Game, user: User) -> None:
    if not game.players.filter(user=user).exists():
        raise Forbidden("no-seat", _("Only players of this game can invite others."))
    if game.invitations.count() >= MAX_INVITATIONS_PER_GAME:
        raise Conflict(
            "too-many",
            _("You can invite at most {most} people to a game.").format(most=MAX_INVITATIONS_PER_GAME),
        )


def _was_asked(game: Game, asked: User | None, email: str, *, by: User) -> bool:
    """Return whether a person or an email address is already invited, as far as the new sender may know.

    The sender may not know that other players invited an email address, so only the sender's own invitations
    to the address count.
    """
    if email:
        return game.invitations.filter(email=email, invited_by=by).exists()
    return game.invitations.filter(user=asked, email="").exists()


def _ask(game: Game, asked: User, by: User, now: datetime) -> None:
    """Store an invitation by Robo Name.

    The person is notified, unless they have another pending invitation to the game.
    """
    # The pending invitation may be by email address. The sender must not learn that.
    already_invited = game.invitations.filter(user=asked, answer=Invitation.Answer.PENDING).exists()
    forget_invitations(game=game, person=asked)
    Invitation.objects.create(game=game, user=asked, invited_by=by, created_at=now)
    if not already_invited:
        notify_about_game(users=[asked], kind="invited", game=game, now=now)


def _ask_address(game: Game, email: str, by: User, now: datetime) -> None:
    """Store an invitation to an email address, and send it unless the address already got one for this game.

    The number of queries is the same whether or not the address belongs to an account.
    """
    owner = reader_of(email)
    person = owner or User(pk=0)
    sits = game.players.filter(user_id=person.pk).exists()
    deaf = not reachable(user=by, people=[person])
    known = game.invitations.filter(user_id=person.pk).exists() or sits or deaf
    again = game.invitations.filter(email=email).exists()
    opens_to = None if known else owner
    Invitation.objects.create(game=game, user=opens_to, email=email, invited_by=by, created_at=now)
    if known or again or was_mailed(email=email, kind="invited", game=game):
        return
    if owner:
        notify_about_game(users=[owner], kind="invited", game=game, now=now)
    else:
        channels_of(users=[person])
        notify_address(email=email, kind="invited", game=game, now=now)

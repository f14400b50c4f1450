"""The rights of staff in games, and their checks.

Pages, API, admin and services check rights only with `may` and `require`. Each right is a Django permission.
Superusers give permissions to people and groups in the admin.
"""

from enum import StrEnum

from django.utils.translation import gettext as _

from accounts import rights
from accounts.models import User
from accounts.rights import Person
from games.errors import Forbidden


class Right(StrEnum):
    """The rights of staff, each with its Django permission."""

    SEE_GAMES = "games.view_game"
    """See private games."""
    CHANGE_GAMES = "games.change_game"
    """Cancel games, and postpone deadlines."""
    CHANGE_SEATS = "games.change_seat"
    """Replace a player with a computer."""
    CHANGE_TURNS = "games.change_turn"
    """Resolve a failed turn again."""
    CHANGE_ALARMS = "games.change_alarm"
    """Retry a row on which a job failed."""
    CHANGE_ERRORS = "games.change_errorgroup"
    """Delete errors that are fixed."""
    CHANGE_NOTICES = "games.change_notice"
    """Send a notification again."""

    SEE_TOURNAMENTS = "games.view_tournament"
    """See draft tournaments."""
    ADD_TOURNAMENTS = "games.add_tournament"
    """Create tournaments, for any club or none, without the usual requirements and limits for hosts."""
    CHANGE_TOURNAMENTS = "games.change_tournament"
    """Open and cancel tournaments of other hosts."""

    SEE_REVIEWS = "games.view_review"
    """See hidden and unreleased reviews."""
    CHANGE_REVIEWS = "games.change_review"
    """Hide, show and release reviews."""
    SEE_MODERATIONS = "games.view_moderation"
    """See why a ship was taken down."""
    CHANGE_MODERATIONS = "games.change_moderation"
    """Restore removed ships and reviews."""
    CHANGE_SHIP_CASES = "games.change_shipcase"
    """Decide on reported ships and reviews."""
    CHANGE_STARSHIPS = "games.change_starship"
    """Change, take down and restore starships, and draft them in the shipyard."""

    HIDE_AND_WARN = "games.hide_and_warn"
    BAR_PLAYERS = "games.bar_players"
    MODERATE_PLAYERS = "games.moderate_players"

    CHANGE_DELETIONS = "games.change_deletion"
    """Continue the deletion of an account."""
    DELETE_TOKENS = "games.delete_apitoken"
    """Revoke API tokens."""
    CHANGE_ACCOUNTS = "accounts.change_user"
    """Lock and unlock accounts, and send people the file of their data."""
    END_SESSIONS = "usersessions.delete_usersession"
    """Log people out everywhere."""
    DELETE_ACCOUNTS = "accounts.delete_user"
    """Delete the accounts of other people, also whole waves of them."""
    CHANGE_SIGN_UP = "accounts.add_signuprule"
    """Choose who can sign up."""
    BLOCK_SIGN_UPS = "accounts.change_signupblock"
    """Block mail domains, addresses and networks."""
    DECIDE_SIGN_UPS = "accounts.change_signup"
    """Approve and decline people who wait for staff."""


def may(person: Person, right: Right) -> bool:
    return rights.may(person, right)


def require(person: Person, right: Right) -> None:
    """Raise Forbidden if a person does not have a right."""
    if may(person, right):
        return
    if rights.lacks_second_factor(person):
        detail = _("Staff need a second factor for this. Set one up in your settings.")
        raise Forbidden("second-factor", detail)
    if not rights.has_admin_access(person):
        raise Forbidden("not-staff", _("Only staff may do that."))
    raise Forbidden("not-allowed", _("You lack the permission for this. Ask a superuser."))


def require_superuser(person: Person) -> None:
    """Raise Forbidden if a person is not a superuser with admin access."""
    if not rights.has_all_rights(person):
        raise Forbidden("not-superuser", _("Only a superuser may do that."))


def require_other(person: Person, about: User | None) -> None:
    """Raise Forbidden if a member of staff may not act on an account.

    Only superusers may act on the accounts of other staff.
    """
    if not rights.may_act_for(person, about):
        raise Forbidden("staff", _("Only a superuser may act on a staff account."))

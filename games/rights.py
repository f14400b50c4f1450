"""Name the rights of staff in games, and decide who has them.

Pages, API, admin and services ask `may` or `require`, and nothing else asks who is staff. Each right is a
permission of Django, which superusers give to people and groups in the admin.
"""

from enum import StrEnum

from django.utils.translation import gettext as _

from accounts import rights
from accounts.models import User
from accounts.rights import Person
from games.errors import Forbidden


class Right(StrEnum):
    """What staff may see or do, by the permission that it takes."""

    SEE_GAMES = "games.view_game"
    """See private games."""
    CHANGE_GAMES = "games.change_game"
    """Cancel games, and put deadlines off."""
    CHANGE_SEATS = "games.change_seat"
    """Have a computer play in place of a player."""
    CHANGE_TURNS = "games.change_turn"
    """Have a turn that failed resolved again."""
    CHANGE_ALARMS = "games.change_alarm"
    """Have a row that was set aside tried again."""
    CHANGE_NOTICES = "games.change_notice"
    """Have a notification sent again."""

    SEE_TOURNAMENTS = "games.view_tournament"
    """See drafts of tournaments."""
    ADD_TOURNAMENTS = "games.add_tournament"
    """Make tournaments without the standing that players need, for any club."""
    CHANGE_TOURNAMENTS = "games.change_tournament"
    """Open and cancel tournaments of others."""

    SEE_REVIEWS = "games.view_review"
    """See reviews that wait or are hidden."""
    CHANGE_REVIEWS = "games.change_review"
    """Hide, show and release reviews."""
    SEE_MODERATIONS = "games.view_moderation"
    """See why a ship was taken down."""
    CHANGE_MODERATIONS = "games.change_moderation"
    """Restore what was taken down."""
    CHANGE_SHIP_CASES = "games.change_shipcase"
    """Decide about ships and reviews that were reported."""
    CHANGE_STARSHIPS = "games.change_starship"
    """Change, take down and restore starships, and draft them in the shipyard."""

    HIDE_AND_WARN = "games.hide_and_warn"
    BAR_PLAYERS = "games.bar_players"
    MODERATE_PLAYERS = "games.moderate_players"

    CHANGE_DELETIONS = "games.change_deletion"
    """Have the deletion of an account continued."""
    DELETE_TOKENS = "games.delete_apitoken"
    """Revoke tokens of the API."""
    DELETE_ACCOUNTS = "accounts.delete_user"
    """Delete accounts of others."""


def may(person: Person, right: Right) -> bool:
    """Return whether a person has a right of staff now."""
    return rights.may(person, right)


def require(person: Person, right: Right) -> None:
    """Raise Forbidden for a person who lacks a right of staff."""
    if may(person, right):
        return
    if rights.lacks_second_factor(person):
        detail = _("Staff need a second factor for this. Set one up in your settings.")
        raise Forbidden("second-factor", detail)
    if not rights.has_admin_access(person):
        raise Forbidden("not-staff", _("Only staff may do that."))
    raise Forbidden("not-allowed", _("You lack the permission for this. Ask a superuser."))


def require_other(person: Person, about: User | None) -> None:
    """Raise Forbidden for staff who may not act on an account: only superusers may act on other staff."""
    if not rights.may_act_for(person, about):
        raise Forbidden("staff", _("Only a superuser may act on a staff account."))

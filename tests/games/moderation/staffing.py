"""Helpers for conduct cases: moderators, and reports of players."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import Permission

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.services import post_line
from games.moderation.models import Case, Report, Rule
from games.moderation.services.reports import report_player
from games.play.models import Game
from tests.games.support import NOW

HELPER = ("hide_and_warn",)
ARBITER = (*HELPER, "bar_players")
MODERATOR = (*ARBITER, "moderate_players")

WHY: dict[str, Any] = {"rule": Rule.POLITE, "facts": "You threatened Bob.", "now": NOW}
"""The reason that all decisions in tests give."""


def staffed(user: User, *codes: str) -> User:
    """Make a user staff with the given permissions, or by default a moderator."""
    user.is_staff = True
    user.save()
    found = Permission.objects.filter(content_type__app_label="games", codename__in=codes or MODERATOR)
    user.user_permissions.set(found)
    return User.objects.get(pk=user.pk)


def reported(reporter: User, person: User, *, now: datetime = NOW, **more: Any) -> Report:
    """Report a player's behaviour, on behalf of another player."""
    given = {"about": "behaviour", "rule": "polite", "text": "Threats.", **more}
    return report_player(user=reporter, robo_name=person.robo_name, now=now, **given)


def case_of(person: User) -> Case:
    return Case.objects.filter(person=person).latest("pk")


def line_of(game: Game, user: User, text: str = "You will be sorry.") -> ChatLine:
    return post_line(user=user, game_id=game.pk, text=text, now=NOW)

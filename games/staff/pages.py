"""The staff's part of a game's page: cancel the game, with a reason."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.lobby.services import cancel_game
from games.play.models import LONGEST_REASON, Game
from games.play.pages.actions import game_action
from games.play.pages.console import Sight
from games.rights import Right, may
from games.staff.services import cancel_as_staff
from games.web.actions import Done
from games.web.pages import user_of


class Grounds(forms.Form):
    """The reason."""

    reason = forms.CharField(
        label=_("Why?"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text=_("Players read this on the game’s page. They do not see who wrote it."),
    )


def staff_panel(sight: Sight) -> dict[str, Any]:
    """Return what staff fill in to cancel another host's game before it starts."""
    user, game = sight.request.user, sight.game
    if game.status != Game.Status.OPEN or not may(user, Right.CHANGE_GAMES) or game.host_id == user.pk:
        return {}
    return {"grounds": Grounds(auto_id="grounds_%s")}


@game_action(then="games:mine")
def cancel(request: HttpRequest, game: Game) -> Done:
    """Cancel a game: its host does so before it starts; staff do, and say why."""
    user, now = user_of(request), timezone.now()
    if may(user, Right.CHANGE_GAMES) and game.host_id != user.pk:
        reason = request.POST.get("reason", "")
        cancel_as_staff(user=user, game_id=game.pk, reason=reason, now=now)
    else:
        cancel_game(user=user, game_id=game.pk, now=now)
    return Done(gettext("{game} is cancelled.").format(game=game.name))

"""My people: whom a player follows and blocks, who is here, and what they have noted."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.navigation import only_by_form
from games.contacts.selectors import contacts_of
from games.contacts.services import (
    add_housemate,
    block,
    follow,
    remove_housemate,
    unblock,
    unfollow,
    write_note,
)
from games.errors import NotFound, ServiceError
from games.web.pages import for_people, user_of


@require_safe
@login_required
@for_people
def people(request: HttpRequest) -> HttpResponse:
    """Show the players with whom someone has to do."""
    return render(request, "people/contacts.html", contacts_of(user=user_of(request), now=timezone.now()))


@only_by_form
@login_required
@for_people
def contact(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Follow or block a player, or say that one lives with them; or do so no more."""
    user, now = user_of(request), timezone.now()
    deeds: dict[str, tuple[str, Callable[[], object]]] = {
        "follow": (_("You follow {player}."), lambda: follow(user=user, robo_name=robo_name, now=now)),
        "unfollow": (_("You no longer follow {player}."), lambda: unfollow(user=user, robo_name=robo_name)),
        "block": (_("You blocked {player}."), lambda: block(user=user, robo_name=robo_name, now=now)),
        "unblock": (_("You unblocked {player}."), lambda: unblock(user=user, robo_name=robo_name)),
        "house": (
            _("You said that you live with {player}."),
            lambda: add_housemate(user=user, robo_name=robo_name, now=now),
        ),
        "unhouse": (
            _("You no longer say that you live with {player}."),
            lambda: remove_housemate(user=user, robo_name=robo_name),
        ),
    }
    deed = deeds.get(request.POST.get("do", ""))
    return _done(request, robo_name, *deed) if deed else redirect("people:person", robo_name)


@only_by_form
@login_required
@for_people
def note(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Keep what someone notes about a player."""
    text = request.POST.get("text", "")
    return _done(
        request,
        robo_name,
        _("Your note about {player} is saved."),
        lambda: write_note(user=user_of(request), robo_name=robo_name, text=text, now=timezone.now()),
    )


def _done(request: HttpRequest, robo_name: str, said: str, act: Callable[[], object]) -> HttpResponse:
    """Do it and say so, or say what is wrong, on the player's page."""
    try:
        act()
    except NotFound as error:
        return render(request, "people/unknown.html", {"detail": error.detail}, status=error.status)
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, said.format(player=robo_name))
    return redirect(reverse("people:person", args=[robo_name]))

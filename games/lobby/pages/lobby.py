"""The lobby as its page shows it: who sits where, who is ready, and what keeps the game from starting."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from accounts.models import LOOKS, User
from games.clubs.selectors import club_of_game
from games.fleet.pictures import robot_picture
from games.lobby.forms.lobby import ComputerForm, RobotForm
from games.lobby.obstacles import not_ready, too_few
from games.lobby.selectors.invitations import invitation_for
from games.lobby.selectors.steps import lobby_step
from games.lobby.selectors.terms import changed_since_joining
from games.play.models import Game
from games.play.pages.requests import link_in
from games.play.pages.sight import Sight
from games.play.selectors.games import GameView
from games.play.terms import PLAIN, SETTINGS
from games.wording import joined

Context = dict[str, Any]

SOME = 8
"""Changes that are shown at first; older ones unfold."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat that is taken. ``computer`` is the strength of the one that plays there, if one does."""

    number: int
    name: str
    look: int
    computer: str
    ready: bool
    reliability: int | None
    squad: str
    model: str
    mine: bool
    host: bool

    @property
    def picture(self) -> SafeString:
        return robot_picture(self.look)

    @property
    def lamp(self) -> str:
        return f"{'is-ready' if self.ready else 'is-waiting'}{' is-mine' if self.mine else ''}"


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who sits where, and how far they are."""

    places: Sequence[Place]
    seats: int
    ruleset: rules.Ruleset
    starts_itself: bool
    awaited: list[str] = field(default_factory=list)

    @property
    def free(self) -> range:
        return range(self.seats - len(self.places))

    @property
    def mine(self) -> Place | None:
        """The reader's own seat."""
        return next((place for place in self.places if place.mine), None)

    @property
    def unready(self) -> str:
        """Say who is not ready; nothing where all are."""
        others = [place.name for place in self.places if not (place.ready or place.mine)]
        if self.mine is None or self.mine.ready:
            return not_ready(others) if others else ""
        if not others:
            return _("You are not ready yet.")
        return _("You and {players} are not ready yet.").format(players=joined(others))

    @property
    def obstacle(self) -> str:
        """Say why the host, who reads this, cannot start it now; nothing, where that is possible."""
        if others := [place.name for place in self.places if not (place.ready or place.host)]:
            return not_ready(others)
        if len(self.places) < self.ruleset.seats[0]:
            return too_few(self.ruleset)
        sizes = {squad: sum(place.squad == squad for place in self.places) for squad in self.ruleset.squads}
        differ = len(set(sizes.values())) > 1
        return _("The squads must be of equal size.") if differ else ""

    @property
    def unanswered(self) -> str:
        """Say who was invited and has not answered; nothing where no one was."""
        if not self.awaited:
            return ""
        told = ngettext(
            "{players} has not answered yet.", "{players} have not answered yet.", len(self.awaited)
        )
        return told.format(players=joined(self.awaited))

    @property
    def starts_at_once(self) -> bool:
        """Whether the next player who joins, ready, starts the game."""
        return self.starts_itself and len(self.free) == 1 and not self.unready

    @property
    def outlook(self) -> str:
        if self.starts_itself:
            return _("The game starts once all seats are taken and all are ready.")
        return (
            _("The host starts the game once all are ready.")
            if self.unready
            else _("The host starts the game.")
        )


def lobby_of(seen: GameView, ruleset: rules.Ruleset) -> Lobby:
    """Return the lobby of a game as its viewer sees it."""
    mine = seen.me.seat if seen.me else None
    places = [
        Place(
            number=seat.seat,
            name=seat.name,
            look=seat.look,
            computer=seat.computer or "",
            ready=seat.ready,
            reliability=seat.reliability,
            squad=seat.squad or "",
            model=seat.model or "",
            mine=seat.seat == mine,
            host=seat.computer is None and seat.name == seen.host,
        )
        for seat in seen.seats
    ]
    awaited = [each.name for each in seen.invitations if each.answer == "pending"]
    return Lobby(places, seen.seats_total, ruleset, seen.starts_itself, awaited)


def lobby_panel(sight: Sight) -> Context:
    """Return what the templates show of a lobby beyond what they show of every game."""
    request, game, seen, ruleset, viewer = sight.request, sight.game, sight.seen, sight.ruleset, sight.viewer
    if game.status != Game.Status.OPEN:
        return {}
    lobby = lobby_of(seen, ruleset)
    hosts = request.user.is_authenticated and game.host_id == request.user.pk
    context: Context = {
        "lobby": lobby,
        "club": club_of_game(game.pk),
        "facts": [fact for name in PLAIN if (fact := SETTINGS[name].fact(getattr(seen, name)))],
        "step": lobby_step(viewer=viewer, host_id=game.host_id, seen=seen, startable=not lobby.obstacle),
        "hosts": hosts,
        "squads": _squads(seen, ruleset),
        "robot_form": robot_form(seen, ruleset, lobby.mine, favourite=getattr(request.user, "look", None)),
        "invitation": None if lobby.mine else invitation_for(viewer=viewer, game=game),
        "link": _link(request, game, seen),
        "link_given": link_in(request),
        "invites": "whom" in request.POST and lobby.mine is not None and bool(lobby.free),
        "whom": request.POST.get("whom", "").strip(),
        "changes": seen.lobby[:SOME],
        "older": seen.lobby[SOME:],
    }
    if isinstance(viewer, User) and lobby.mine and not lobby.mine.ready:
        context["changed"] = changed_since_joining(user=viewer, game=game)
    if lobby.places and lobby.places[-1].computer:
        context["another"] = lobby.places[-1].computer
    if hosts and lobby.free:
        context["computer_form"] = robot_form(seen, ruleset, None, kind=ComputerForm, auto_id="computer_%s")
    return context


def robot_form(
    seen: GameView,
    ruleset: rules.Ruleset,
    place: Place | None,
    *,
    kind: type[RobotForm] = RobotForm,
    favourite: int | None = None,
    **more: Any,
) -> RobotForm:
    """Return the choice of a robot: set to that of a seat, or to what a newcomer may have."""
    others = [seat for seat in seen.seats if place is None or seat.seat != place.number]
    taken = {seat.look: seat.name for seat in others}
    size = seen.seats_total // max(1, len(ruleset.squads))
    full = [squad for squad in ruleset.squads if sum(seat.squad == squad for seat in others) >= size]
    initial: Context
    if place:
        initial = {"look": place.look, "squad": place.squad, "model": place.model, "strength": place.computer}
    else:
        free = [look for look in range(1, LOOKS + 1) if look not in taken]
        models = {seat.model for seat in others}
        initial = {
            "look": favourite if favourite in free else next(iter(free), ""),
            "squad": next((squad for squad in ruleset.squads if squad not in full), ""),
            "model": next(
                (model for model in ruleset.models if model not in models), next(iter(ruleset.models), "")
            ),
        }
    return kind(ruleset=ruleset, taken=taken, full=full, initial=initial, **more)


def _squads(seen: GameView, ruleset: rules.Ruleset) -> list[Context]:
    """Return the squads, each with those who are in it and how many more may be."""
    if not ruleset.squads:
        return []
    size = seen.seats_total // len(ruleset.squads)
    found = []
    for squad in ruleset.squads:
        names = [seat.name for seat in seen.seats if seat.squad == squad]
        found.append({"key": squad, "names": names, "free": range(size - len(names))})
    return found


def _link(request: HttpRequest, game: Game, seen: GameView) -> str:
    """Return the address to be given to those who are to join; of a private game it has to be the secret one.

    Anyone who is not in that game gets none.
    """
    if game.private and not seen.link:
        return ""
    path = reverse("games:game", args=[game.pk])
    query = f"?{urlencode({'link': seen.link})}" if seen.link else ""
    return request.build_absolute_uri(f"{path}{query}")

"""The lobby on a game's page, with the actions of its host and players."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_http_methods

import rules
from accounts.models import LOOKS, User
from games import live
from games.clocks.inputs import pace_values
from games.clubs.selectors import club_of_game
from games.errors import Conflict, Forbidden, NotFound, ServiceError, number_in
from games.fleet.pictures import robot_picture
from games.lobby import invitations, seats, selectors, services
from games.lobby.forms import ComputerForm, RobotForm, absence_values
from games.lobby.invitations import decline_invitation, withdraw_invitation
from games.lobby.pages.courses import Values
from games.lobby.pages.terms import (
    HOUSE_RULE_PREFIX,
    Blueprint,
    SettingsForm,
    TermsContext,
    draft_of,
    ruleset_asked_for,
)
from games.lobby.seats import change_computer, join_game, leave_game, remove_player, set_ready, start_game
from games.lobby.services import change_game
from games.play import stored
from games.play.game_view import GameView, game_view
from games.play.models import Game, Seat
from games.play.pages.actions import action, show_refusal
from games.play.pages.console import PageContext, game_in, game_page, link_in
from games.play.terms import PLAIN_FIELDS, SETTINGS, board_of
from games.rights import Right, may
from games.staff.inputs import Grounds
from games.staff.services import cancel_as_staff
from games.web.actions import Done, action as page_action, values_of
from games.web.forms import form_of
from games.web.pages import handle_missing, user_of, viewer_of
from games.wording import names_in_words

Context = dict[str, Any]
GroundsForm = form_of(Grounds)

CHANGES_SHOWN = 8
"""The number of lobby history entries shown at first. Readers can unfold older entries."""


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A taken seat in a lobby. ``computer`` is the level of its computer, or "" for a person."""

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
class LobbyPanel:
    """The seats of a lobby, and the readiness of their players.

    ``places`` are the taken seats, and ``seats`` is the number of all seats. ``pending_invitees`` are the
    names of people who have not answered their invitation.
    """

    places: Sequence[LobbySeat]
    seats: int
    ruleset: rules.Ruleset
    starts_itself: bool
    pending_invitees: list[str] = field(default_factory=list)

    @property
    def free(self) -> range:
        return range(self.seats - len(self.places))

    @property
    def mine(self) -> LobbySeat | None:
        return next((place for place in self.places if place.mine), None)

    @property
    def unready(self) -> str:
        """A sentence with the names of players who are not ready, or "" if all are ready."""
        others = [place.name for place in self.places if not (place.ready or place.mine)]
        if self.mine is None or self.mine.ready:
            return selectors.not_ready(others) if others else ""
        if not others:
            return _("You are not ready yet.")
        return _("You and {players} are not ready yet.").format(players=names_in_words(others))

    @property
    def obstacle(self) -> str:
        """The reason why the host cannot start the game now, or "" if nothing prevents it."""
        if others := [place.name for place in self.places if not (place.ready or place.host)]:
            return selectors.not_ready(others)
        if len(self.places) < self.ruleset.seats[0]:
            return selectors.too_few(self.ruleset)
        sizes = {squad: sum(place.squad == squad for place in self.places) for squad in self.ruleset.squads}
        differ = len(set(sizes.values())) > 1
        return _("The squads must be the same size.") if differ else ""

    @property
    def unanswered(self) -> str:
        """A sentence about unanswered invitations, or "" if there are none."""
        if not self.pending_invitees:
            return ""
        message = ngettext(
            "{players} has not answered yet.", "{players} have not answered yet.", len(self.pending_invitees)
        )
        return message.format(players=names_in_words(self.pending_invitees))

    @property
    def starts_at_once(self) -> bool:
        """Whether the game starts as soon as the next player joins and is ready."""
        return self.starts_itself and len(self.free) == 1 and not self.unready

    @property
    def when_full(self) -> str:
        """The sentence about the start of a game whose free seats computers have taken."""
        if not self.starts_itself:
            return _("With all seats taken, the game waits for the host to start it.")
        if all(place.ready for place in self.places):
            return _("With all seats taken, the game starts at once.")
        return _("With all seats taken, the game starts as soon as all players are ready.")

    @property
    def outlook(self) -> str:
        if self.starts_itself:
            return _("The game starts once all seats are taken and all players are ready.")
        return (
            _("The host can start the game once all players are ready.")
            if self.unready
            else _("Waiting for the host to start the game.")
        )


def lobby_of(seen: GameView, ruleset: rules.Ruleset) -> LobbyPanel:
    """Return the lobby of a game, as its viewer sees it."""
    mine = seen.me.seat if seen.me else None
    places = [
        LobbySeat(
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
    pending_invitees = [each.name for each in seen.invitations if each.answer == "pending"]
    return LobbyPanel(places, seen.seats_total, ruleset, seen.starts_itself, pending_invitees)


def lobby_panel(page: PageContext) -> Context:
    """Return the context for a lobby's templates, in addition to the context of the game page.

    It is empty if the game is not open.
    """
    request, game, seen, ruleset, viewer = page.request, page.game, page.seen, page.ruleset, page.viewer
    if game.status != Game.Status.OPEN:
        return {}
    lobby = lobby_of(seen, ruleset)
    hosts = request.user.is_authenticated and game.host_id == request.user.pk
    context: Context = {
        "lobby": lobby,
        "club": club_of_game(game.pk),
        "facts": [fact for name in PLAIN_FIELDS if (fact := SETTINGS[name].fact(getattr(seen, name)))],
        "step": selectors.lobby_step(
            viewer=viewer, host_id=game.host_id, seen=seen, startable=not lobby.obstacle
        ),
        "hosts": hosts,
        "squads": _squads(seen, ruleset),
        "robot_form": robot_form(seen, ruleset, lobby.mine, favourite=getattr(request.user, "look", None)),
        "invitation": None if lobby.mine else selectors.invitation_for(viewer=viewer, game=game),
        "link": _link(request, game, seen),
        "link_given": link_in(request),
        "invites": "whom" in request.POST and lobby.mine is not None and bool(lobby.free),
        "whom": request.POST.get("whom", "").strip(),
        "changes": seen.lobby[:CHANGES_SHOWN],
        "older": seen.lobby[CHANGES_SHOWN:],
    }
    if may(request.user, Right.CHANGE_GAMES) and not hosts:
        context["grounds"] = GroundsForm(auto_id="grounds_%s")
    if isinstance(viewer, User) and lobby.mine and not lobby.mine.ready:
        context["changed"] = selectors.changed_since_joining(user=viewer, game=game)
    if lobby.places and lobby.places[-1].computer:
        context["another"] = Seat.Level(lobby.places[-1].computer)
    if hosts and lobby.free:
        context["computer_form"] = robot_form(seen, ruleset, None, kind=ComputerForm, auto_id="computer_%s")
    return context


def robot_form(
    seen: GameView,
    ruleset: rules.Ruleset,
    place: LobbySeat | None,
    *,
    kind: type[RobotForm] = RobotForm,
    favourite: int | None = None,
    **more: Any,
) -> RobotForm:
    """Return the form to choose a robot.

    Its initial values describe the robot of the seat ``place``. Without a seat, they are the ``favourite``
    look or else the first free look, the first squad with a free seat, and the first free model.
    """
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
    """Return the squads, each with its players and its free seats."""
    if not ruleset.squads:
        return []
    size = seen.seats_total // len(ruleset.squads)
    found = []
    for squad in ruleset.squads:
        names = [seat.name for seat in seen.seats if seat.squad == squad]
        found.append({"key": squad, "names": names, "free": range(size - len(names))})
    return found


def _link(request: HttpRequest, game: Game, seen: GameView) -> str:
    """Return the URL for inviting people to a game. A private game's URL contains a secret token.

    Returns "" if the viewer may not see the token.
    """
    if game.private and not seen.link:
        return ""
    path = reverse("games:game", args=[game.pk])
    query = f"?{urlencode({'link': seen.link})}" if seen.link else ""
    return request.build_absolute_uri(f"{path}{query}")


Choice = dict[str, Any]


@action
def join(request: HttpRequest, game: Game) -> Done:
    """Join a game. The player is ready at once, unless the field ``ready`` of the form is “no”."""
    user, ready = user_of(request), request.POST.get("ready") != "no"
    _note_looking(user, game)
    joined = join_game(
        user=user,
        game_id=game.pk,
        link=link_in(request),
        **robot_in(request),
        ready=ready,
        terms=request.POST.get("terms", ""),
        now=timezone.now(),
    )
    return Done(_welcome(joined, user, agreed=ready), then=game)


@action
def change_seat(request: HttpRequest, game: Game) -> Done:
    """Change the player's robot or squad before the game starts."""
    seats.change_seat(user=user_of(request), game_id=game.pk, **robot_in(request), now=timezone.now())
    return Done(_("You changed your robot."), then=game)


@action
def ready(request: HttpRequest, game: Game) -> Done:
    """Agree to the terms of a game before it starts, or withdraw the agreement."""
    agreed = request.POST.get("ready", "yes") != "no"
    _note_looking(user_of(request), game)
    changed = set_ready(
        user=user_of(request),
        game_id=game.pk,
        ready=agreed,
        terms=request.POST.get("terms", ""),
        now=timezone.now(),
    )
    return _perhaps_started(changed)


@action
def start(request: HttpRequest, game: Game) -> Done:
    """Start a game with the players who have joined."""
    start_game(user=user_of(request), game_id=game.pk, now=timezone.now())
    return Done(_("The game has started."), then=game)


@action
def leave(request: HttpRequest, game: Game) -> Done:
    leave_game(user=user_of(request), game_id=game.pk, now=timezone.now())
    return Done(_("You left {game}.").format(game=game.name), then="games:room")


@action
def invite(request: HttpRequest, game: Game) -> Done:
    """Invite a player by Robo Name or email address."""
    whom = request.POST.get("whom", "").strip()
    by = {"email": whom} if "@" in whom else {"robo_name": whom}
    invitations.invite(user=user_of(request), game_id=game.pk, **by, now=timezone.now())
    return Done(_("You invited {player}.").format(player=whom), then=game)


@action
def renew_link(request: HttpRequest, game: Game) -> Done:
    """Replace the secret link of a private game."""
    made = invitations.renew_link(user=user_of(request), game_id=game.pk, now=timezone.now())
    address = request.build_absolute_uri(f"{made.get_absolute_url()}?{urlencode({'link': made.link_token})}")
    said = _("The old link no longer works. The new one is {address}").format(address=address)
    return Done(said, then=game)


@action
def decline(request: HttpRequest, game: Game) -> Done:
    """Decline an invitation."""
    decline_invitation(user=user_of(request), game_id=game.pk, now=timezone.now())
    said = _("You declined the invitation to {game}. {host} can see that you declined.")
    return Done(said.format(game=game.name, host=game.host.robo_name), then="games:mine")


@action
def rematch(request: HttpRequest, game: Game) -> Done:
    """Create a rematch of a game, or join the rematch if another player created it."""
    made = services.rematch(user=user_of(request), game_id=game.pk, now=timezone.now())
    asked = made.invitations.filter(invited_by=user_of(request)).exists()
    said = _("Your rematch is open. The other players are invited.") if asked else _("Your rematch is open.")
    return Done(said, then=made)


@action
def withdraw(request: HttpRequest, game: Game, invitation_id: int) -> Done:
    withdraw_invitation(
        user=user_of(request), game_id=game.pk, invitation_id=invitation_id, now=timezone.now()
    )
    return Done(_("You withdrew the invitation."), then=game)


@action
def cancel(request: HttpRequest, game: Game) -> Done:
    """Cancel a game: as its host before the start, or as staff with a reason."""
    user, now = user_of(request), timezone.now()
    if may(user, Right.CHANGE_GAMES) and game.host_id != user.pk:
        cancel_as_staff(user=user, game_id=game.pk, **values_of(GroundsForm(request.POST)), now=now)
    else:
        services.cancel_game(user=user, game_id=game.pk, now=now)
    return Done(_("You cancelled {game}.").format(game=game.name), then="games:mine")


@action
def add_computer(request: HttpRequest, game: Game) -> Done:
    """Give a seat to a computer, or as many seats as the button “Fill” has said."""
    if number := number_in(request.POST.get("fill"), digits=2):
        return _perhaps_started(
            seats.fill_with_computers(
                user=user_of(request),
                game_id=game.pk,
                strength=request.POST.get("strength", ""),
                most=number,
                now=timezone.now(),
            )
        )
    changed = seats.add_computer(
        user=user_of(request),
        game_id=game.pk,
        strength=request.POST.get("strength", ""),
        **robot_in(request),
        now=timezone.now(),
    )
    return _perhaps_started(changed)


@action
def remove(request: HttpRequest, game: Game, number: int) -> Done:
    """Remove a person or a computer from a game."""
    remove_player(user=user_of(request), game_id=game.pk, seat=number, now=timezone.now())
    return Done(then=game)


def _perhaps_started(game: Game) -> Done:
    running = game.status == Game.Status.RUNNING
    return Done(_("All players are ready. The game has started.") if running else "", then=game)


def robot_in(request: HttpRequest) -> Choice:
    """Return the robot chosen in a form, as arguments for services (`RobotChoice`)."""
    look = request.POST.get("look", "").strip()
    chosen: Choice = {"look": None}
    if look:
        chosen["look"] = number_in(look, digits=3) or 0
    return chosen | {name: request.POST.get(name, "") for name in ("squad", "model")}


def _note_looking(user: User, game: Game) -> None:
    """Record that a player is viewing a game's page.

    If the game then starts, the player gets no mail about it.
    """
    live.record_viewers([(game.pk, user.pk)])


def _welcome(game: Game, user: User, *, agreed: bool) -> str:
    """Return the message to a player after joining. ``agreed`` is True if they agreed to the terms."""
    if game.status == Game.Status.RUNNING:
        return _("You joined, and the game has started.")
    if game.players.filter(user=user, ready=True).exists():
        return _("You joined and are ready.")
    if agreed:
        return _("You joined. The settings have just changed. Check them, then confirm that you are ready.")
    return _("You joined. Confirm when you are ready.")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@handle_missing
def settings(request: HttpRequest, game_id: int) -> HttpResponse:
    game = game_in(request, game_id)
    if refusal := _refusal(request, game, _("Only the host can change the settings.")):
        return game_page(request, game_id, refusal=refusal)
    key = ruleset_asked_for(request) or game.ruleset
    known = rules.RULESETS.get(key)
    edition = known or rules.ruleset(game.ruleset)
    draft = draft_of(
        request, edition, kind=SettingsForm, initial=_settled(game, edition), boards=_boards(game)
    )
    club = club_of_game(game.pk)
    draft.form.club = club.name if club else ""
    instead_of, stale = number_in(request.POST.get("instead_of")), None
    if known and draft.complete:
        before = game.lobby.count()
        try:
            changed = change_game(
                user=user_of(request),
                game_id=game.pk,
                changes=_changes(game, draft),
                instead_of=instead_of,
                now=timezone.now(),
            )
        except ServiceError as refused:
            if refused.code == "settings-changed":
                stale, instead_of = refused, None  # the form shows the changes, so the host may send it again
            elif refused.code != "no-game":
                return game_page(request, game_id, refusal=refused)
            else:
                draft.add_refusal(refused)
        else:
            messages.success(request, _success_message(changed, changed.lobby.count() > before))
            return redirect("games:game", game.pk)
    seen = selectors.last_change(game) if instead_of is None else instead_of
    context = draft.context | {
        "game": game,
        "unknown": "" if known else key,
        "instead_of": seen,
        "refusal": stale,
    }
    status = stale.status if stale else 422 if draft.sent or not known else 200
    return render(request, "lobby/settings.html", context, status=status)


def _computer(request: HttpRequest, game_id: int, number: int) -> Context:
    game = game_in(request, game_id)
    if refusal := _refusal(request, game, _("Only the host can change the computers.")):
        raise refusal
    seen, ruleset = game_view(viewer=viewer_of(request), game=game), stored.edition_of(game)
    places = lobby_of(seen, ruleset).places
    place = next((place for place in places if place.number == number and place.computer), None)
    if place is None:
        raise NotFound("no-such-seat", _("There is no computer in this seat."))
    return {"game": game, "place": place, "form": robot_form(seen, ruleset, place, kind=ComputerForm)}


@page_action(template="lobby/computer.html", context=_computer, refused_on=show_refusal, guests=True)
def computer(request: HttpRequest, game_id: int, number: int) -> Done:
    """Show the form for changing a computer. On POST, change the computer."""
    changed = change_computer(
        user=user_of(request),
        game_id=game_id,
        seat=number,
        strength=request.POST.get("strength") or None,
        **robot_in(request),
        now=timezone.now(),
    )
    return Done(then=changed)


def _success_message(game: Game, differs: bool) -> str:
    if game.status == Game.Status.RUNNING:
        return _("You changed the settings. The game has started.")
    if not differs:
        return _("Nothing was changed.")
    return _("You changed the settings. The other players must confirm again that they are ready.")


def _refusal(request: HttpRequest, game: Game, not_host: str) -> ServiceError | None:
    """Return the error if the user may not change a game's settings, or None if they may."""
    if game.host_id != user_of(request).pk:
        return Forbidden("not-host", not_host)
    if game.status == Game.Status.CANCELLED:
        return Conflict("cancelled", _("This game was cancelled."))
    if game.status != Game.Status.OPEN:
        return Conflict("started", _("The game has started. Its settings can no longer change."))
    if game.is_played_on:
        return Conflict("played-on", _("This game begins at a position, so its settings can’t be changed."))
    return None


def _settled(game: Game, edition: rules.Ruleset) -> dict[str, Any]:
    """Return a game's present settings as form values.

    Options and house rules are left out if ``edition`` is not the game's ruleset.
    """
    own = edition.key == game.ruleset
    least, most = edition.seats
    options = {key: value for key, value in game.options.items() if own}
    house_rules = {f"{HOUSE_RULE_PREFIX}{key}": value for key, value in game.house_rules.items() if own}
    return {
        "name": game.name,
        **pace_values(stored.pace_of(game)),
        **absence_values(stored.absence_of(game)),
        **{name: getattr(game, name) for name in PLAIN_FIELDS},
        "start": "itself" if game.starts_itself else "host",
        "seats": min(most, max(least, game.seats)),
        "starship": game.revision.starship_id if game.revision else None,
        **options,
        **house_rules,
    }


def _boards(game: Game) -> Values:
    """Return a game's boards as form values, with the checkpoints and start set by its host."""
    if game.course is None and game.revision:
        return {"board-1": str(game.revision.starship_id)}
    values: dict[str, str] = {}
    pieces = game.course.pieces.select_related("revision") if game.course else ()
    for number, piece in enumerate(pieces, 1):
        values |= {
            f"board-{number}": str(piece.revision.starship_id),
            f"column-{number}": str(piece.column + 1),
            f"row-{number}": str(piece.row + 1),
            f"turned-{number}": str(piece.turned),
        }
    board = board_of(game)
    for number, (x, y) in enumerate(board["checkpoints"] or (), 1):
        values |= {f"checkpoint-column-{number}": str(x + 1), f"checkpoint-row-{number}": str(y + 1)}
    if board["start"]:
        x, y = board["start"]
        values |= {"start-column": str(x + 1), "start-row": str(y + 1)}
    return values


def _changes(game: Game, draft: Blueprint) -> TermsContext:
    """Return the settings in a form's draft as changes to a game.

    An unchanged starship is left out, so that the game keeps its revision of the starship.
    """
    changes = draft.terms | draft.board
    if game.course is None and game.revision and changes.get("starship") == game.revision.starship_id:
        del changes["starship"]
    return changes

"""The votes on a game's page, and the ballot that mail links to."""

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.navigation import show_as
from accounts.time_zones import zone_of
from games.errors import Malformed, NotFound, ServiceError, number_in
from games.play.models import Game, Seat
from games.play.pages.actions import game_action
from games.play.pages.console import PageContext, game_in, path_of
from games.play.viewers import game_for
from games.votes.models import Vote
from games.votes.news import ballot_in
from games.votes.selectors import MAJORITIES, askable, has_vote, open_votes, vote_in, votes_of
from games.votes.services import DAYS, call_vote, cast_ballot
from games.web.actions import Done
from games.web.pages import hides_what_is_not_there, user_of, viewer_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ballot_by_mail(request: HttpRequest, ballot: str) -> HttpResponse:
    """Show a player's ballot; on POST say yes or no. What the link asks for is proposed, and no more."""
    found = ballot_in(ballot)
    if found is None:
        return render(request, "votes/ballot_unknown.html", status=404)
    user, vote = found
    refusal = None
    try:
        if request.method == "POST":
            cast_ballot(
                user=user, game_id=vote.game_id, vote_id=vote.pk, yes=say_in(request), now=timezone.now()
            )
            return redirect("games:ballot_by_mail", ballot)
        game = game_for(viewer=user, game_id=vote.game_id)
    except NotFound:
        return render(request, "votes/ballot_unknown.html", status=404)
    except ServiceError as error:
        refusal, game = error, game_for(viewer=user, game_id=vote.game_id)
    context = {
        "game": game,
        "voter": user.robo_name,
        "vote": vote_in(viewer=user, game=game, vote_id=vote.pk),
        "proposed": request.GET.get("say"),
        "refusal": refusal,
    }
    with timezone.override(zone_of(user.time_zone)):
        return render(request, "votes/ballot.html", context, status=refusal.status if refusal else 200)


def say_in(request: HttpRequest) -> bool:
    """Return whether someone says yes to a vote; raises Malformed where they say neither yes nor no."""
    said = request.POST.get("say")
    if said not in ("yes", "no"):
        raise Malformed("say", gettext("Your ballot needs a yes or a no. Choose one of them."))
    return said == "yes"


LONGEST_NUMBER: Final = 9
"""Figures of the longest number that is read from a form."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that players can vote on, in words; ``about`` are those whom the viewer may name."""

    kind: str
    does: str | Promise
    who: str | Promise
    can_ask: bool = False
    about: tuple[Seat, ...] = ()

    @property
    def label(self) -> str:
        return str(Vote.Kind(self.kind).label)

    @property
    def takes(self) -> str:
        words = str(MAJORITIES[self.kind].words)
        return f"{words[0].upper()}{words[1:]}."

    @property
    def named(self) -> str:
        """What the choice of a seat is called; nothing where none is chosen."""
        names = {Vote.Kind.EJECT.value: _("Which player"), Vote.Kind.CONCEDE.value: _("Who wins")}
        return str(names.get(self.kind, ""))

    @property
    def days(self) -> range | None:
        """From and to how many days may be asked for, where any are."""
        return DAYS if self.kind == Vote.Kind.PAUSE else None


def votes_panel(page: PageContext) -> dict[str, Any]:
    """Return the open votes of a game."""
    return {"votes": open_votes(viewer=page.viewer, game=page.game)}


MOTIONS: Final = (
    Proposal(
        Vote.Kind.PAUSE,
        _("All clocks stop for that many days from when the vote passes. You can still submit orders."),
        _("All players."),
    ),
    Proposal(Vote.Kind.RESUME, _("The clocks run again at once."), _("All players.")),
    Proposal(
        Vote.Kind.EJECT,
        _(
            "A computer plays the robot from now on, until another player takes over the seat. The replaced"
            " player cannot come back to this game."
        ),
        _("All players but that one."),
    ),
    Proposal(
        Vote.Kind.CONCEDE,
        _("The game ends at once, and a player or a squad wins it."),
        _("All players but that one, or that squad."),
    ),
    Proposal(
        Vote.Kind.CALL_OFF,
        _("The game ends at once, without a winner. Its turns can still be watched and verified."),
        _("All players."),
    ),
)


def show_votes(
    request: HttpRequest, game_id: int, refusal: ServiceError | None = None, **place: object
) -> HttpResponse:
    """Show the votes of a game, and why something could not be done."""
    game, viewer = game_in(request, game_id), viewer_of(request)
    show_as(request, "games:votes", game.pk)
    asked = askable(viewer=viewer, game=game, now=timezone.now())
    every = votes_of(viewer=viewer, game=game)
    context = {
        "game": game,
        "open": [vote for vote in every if vote["status"] == Vote.Status.OPEN],
        "closed": [vote for vote in every if vote["status"] != Vote.Status.OPEN],
        "motions": [
            Proposal(each.kind, each.does, each.who, each.kind in asked, tuple(asked.get(each.kind, ())))
            for each in MOTIONS
        ],
        "asks": has_vote(viewer=viewer, game=game),
        "link": path_of(request, game.pk),
        "refusal": refusal,
    }
    return render(request, "votes/votes.html", context, status=refusal.status if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@hides_what_is_not_there
def votes(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show the votes of a game; on POST start a vote."""
    return (start_vote if request.method == "POST" else show_votes)(request, game_id=game_id)


@game_action(refused_on=show_votes)
def start_vote(request: HttpRequest, game: Game) -> Done:
    """Start a vote, and agree to it."""
    vote = call_vote(
        user=user_of(request),
        game_id=game.pk,
        kind=request.POST.get("kind", ""),
        seat=number_in(request.POST.get("seat"), digits=LONGEST_NUMBER),
        days=number_in(request.POST.get("days"), digits=LONGEST_NUMBER),
        now=timezone.now(),
    )
    waits = vote.status == Vote.Status.OPEN
    said = gettext("The vote is open, with your yes. The other players are told.") if waits else ""
    return Done(said, then=_way_back(request, vote))


@game_action(refused_on=show_votes)
def ballot(request: HttpRequest, game: Game, vote_id: int) -> Done:
    """Say yes or no to a vote."""
    yes, user = say_in(request), user_of(request)
    vote = cast_ballot(user=user, game_id=game.pk, vote_id=vote_id, yes=yes, now=timezone.now())
    return Done(then=_way_back(request, vote))


def _way_back(request: HttpRequest, vote: Vote) -> str:
    """Return the page where it was asked or said. The game's page replaces it once the game has ended."""
    vote.game.refresh_from_db(fields=["status"])
    ended = vote.game.status != Game.Status.RUNNING
    shown = "games:game" if ended or "from_game" in request.POST else "games:votes"
    return reverse(shown, args=[vote.game_id])

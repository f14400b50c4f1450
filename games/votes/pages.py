"""The pages of a game's votes, and the page behind the link to a ballot in mail."""

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

from accounts.languages import as_read_by, note_language
from accounts.models import User
from accounts.navigation import show_as
from games.errors import Malformed, NotFound, ServiceError, number_in
from games.play.models import Game, Seat
from games.play.pages.actions import game_action
from games.play.pages.console import PageContext, game_in, path_of
from games.play.viewers import game_for
from games.votes.models import Vote
from games.votes.news import ballot_in
from games.votes.selectors import MAJORITIES, has_vote, open_votes, possible_votes, vote_in, votes_of
from games.votes.services import PAUSE_DAYS, call_vote, cast_ballot
from games.web.actions import Done
from games.web.pages import handle_missing, user_of, viewer_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ballot_by_mail(request: HttpRequest, ballot: str) -> HttpResponse:
    """Show a player's ballot, with the answer from the link preselected. On POST, vote."""
    found = ballot_in(ballot)
    if found is None:
        return render(request, "votes/ballot_unknown.html", status=404)
    with as_read_by(found[0]):
        response = _ballot(request, *found, ballot)
        note_language(request, response)
    return response


def _ballot(request: HttpRequest, user: User, vote: Vote, ballot: str) -> HttpResponse:
    refusal = None
    try:
        if request.method == "POST":
            cast_ballot(
                user=user,
                game_id=vote.game_id,
                vote_id=vote.pk,
                yes=ballot_in_form(request),
                now=timezone.now(),
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
    return render(request, "votes/ballot.html", context, status=refusal.status if refusal else 200)


def ballot_in_form(request: HttpRequest) -> bool:
    """Return whether a submitted ballot says yes. Raises Malformed if it is neither yes nor no."""
    said = request.POST.get("say")
    if said not in ("yes", "no"):
        raise Malformed("say", gettext("Choose yes or no."))
    return said == "yes"


MAX_DIGITS: Final = 9
"""The maximum number of digits of a number in a form. Longer numbers are ignored."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A kind of vote that a player may propose, with its description for the page.

    ``can_ask`` says whether the viewer may start the vote now. ``about`` has the seats that the vote can be
    about.
    """

    kind: str
    effect: str | Promise
    voters: str | Promise
    can_ask: bool = False
    about: tuple[Seat, ...] = ()

    @property
    def label(self) -> str:
        return str(Vote.Kind(self.kind).label)

    @property
    def takes(self) -> str:
        return str(MAJORITIES[self.kind].words)

    @property
    def named(self) -> str:
        """The label of the field to choose a seat, or an empty string if the vote is not about a seat."""
        names = {Vote.Kind.EJECT.value: _("Player to replace"), Vote.Kind.CONCEDE.value: _("Winner")}
        return str(names.get(self.kind, ""))

    @property
    def days(self) -> range | None:
        """The allowed lengths of a pause in days, or None if the vote is not about a pause."""
        return PAUSE_DAYS if self.kind == Vote.Kind.PAUSE else None


def votes_panel(page: PageContext) -> dict[str, Any]:
    return {"votes": open_votes(viewer=page.viewer, game=page.game)}


PROPOSALS: Final = (
    Proposal(
        Vote.Kind.PAUSE,
        _("When the vote passes, all clocks stop for the number of days you choose. You can still play."),
        _("All players"),
    ),
    Proposal(Vote.Kind.RESUME, _("All clocks start running again immediately."), _("All players")),
    Proposal(
        Vote.Kind.EJECT,
        _(
            "A computer plays the robot until another player takes over the seat. The replaced player cannot"
            " come back to this game."
        ),
        _("All players except the one to replace"),
    ),
    Proposal(
        Vote.Kind.CONCEDE,
        _("The game ends immediately, and the player or squad you choose wins."),
        _("All players except the winner and their squad"),
    ),
    Proposal(
        Vote.Kind.CALL_OFF,
        _("The game ends immediately, without a winner. You can still watch and verify its turns."),
        _("All players"),
    ),
)


def show_votes(
    request: HttpRequest, game_id: int, refusal: ServiceError | None = None, **place: object
) -> HttpResponse:
    """Show the votes of a game. If an action was refused, also show the error."""
    game, viewer = game_in(request, game_id), viewer_of(request)
    show_as(request, "games:votes", game.pk)
    asked = possible_votes(viewer=viewer, game=game, now=timezone.now())
    every = votes_of(viewer=viewer, game=game)
    context = {
        "game": game,
        "open": [vote for vote in every if vote["status"] == Vote.Status.OPEN],
        "closed": [vote for vote in every if vote["status"] != Vote.Status.OPEN],
        "motions": [
            Proposal(each.kind, each.effect, each.voters, each.kind in asked, tuple(asked.get(each.kind, ())))
            for each in PROPOSALS
        ],
        "votable": game.status == Game.Status.RUNNING and not game.mission_id and not game.in_competition,
        "asks": has_vote(viewer=viewer, game=game),
        "link": path_of(request, game.pk),
        "refusal": refusal,
    }
    return render(request, "votes/votes.html", context, status=refusal.status if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@handle_missing
def votes(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show the votes of a game. On POST, start a vote."""
    return (start_vote if request.method == "POST" else show_votes)(request, game_id=game_id)


@game_action(refused_on=show_votes)
def start_vote(request: HttpRequest, game: Game) -> Done:
    """Start a vote. The player who starts it also votes yes."""
    vote = call_vote(
        user=user_of(request),
        game_id=game.pk,
        kind=request.POST.get("kind", ""),
        seat=number_in(request.POST.get("seat"), digits=MAX_DIGITS),
        days=number_in(request.POST.get("days"), digits=MAX_DIGITS),
        now=timezone.now(),
    )
    waits = vote.status == Vote.Status.OPEN
    said = (
        gettext("The vote is open, and you have voted yes. The other voters get a notification.")
        if waits
        else ""
    )
    return Done(said, then=_way_back(request, vote))


@game_action(refused_on=show_votes)
def ballot(request: HttpRequest, game: Game, vote_id: int) -> Done:
    yes, user = ballot_in_form(request), user_of(request)
    vote = cast_ballot(user=user, game_id=game.pk, vote_id=vote_id, yes=yes, now=timezone.now())
    return Done(then=_way_back(request, vote))


def _way_back(request: HttpRequest, vote: Vote) -> str:
    """Return the URL of the user's page, or the game's URL if the vote ended the game."""
    vote.game.refresh_from_db(fields=["status"])
    ended = vote.game.status != Game.Status.RUNNING
    shown = "games:game" if ended or "from_game" in request.POST else "games:votes"
    return reverse(shown, args=[vote.game_id])

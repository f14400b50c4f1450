"""The ballot that the mail about a vote leads to: one person's, in one vote, without logging in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.time_zones import zone_of
from games.errors import Malformed, NotFound, ServiceError
from games.play.selectors.viewers import game_for
from games.votes.links import ballot_in
from games.votes.selectors import vote_in
from games.votes.services.votes import cast_ballot


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
        raise Malformed("say", _("Your ballot needs a yes or a no. Choose one of them."))
    return said == "yes"

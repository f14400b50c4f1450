"""API calls for analyses of games."""

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.limits import address_of
from games.analysis import services
from games.analysis.selectors import AnalysisView, analysis_of, analysis_view
from games.errors import NotFound
from games.play.selectors import prefetch_seats_for_orders
from games.web.api import Answered, Values, call, game_of, person
from games.web.queries import LinkQuery


@call("GET", "Get an analysis", AnalysisView, 409, query=LinkQuery, strangers=True, group="records")
def get_analysis(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns the analysis of a finished game, with the turns reviewed so far.

    Players of a running game get the analysis of their own past turns, which nobody else can read. 404
    `no-analysis` before anyone has asked for it. 409 if there is nothing to analyse for you, for example
    because the game is not over.
    """
    return _view(request, game_id, asked)


@call("POST", "Analyse a game", AnalysisView, 409, query=LinkQuery, group="records")
def start_analysis(request: Request, game_id: int, asked: Values) -> Answered:
    """Starts the analysis of a game, or continues it. Workers review its turns, one after another.

    If the analysis is complete or under way, returns it, at no cost. 409 `under-way` if another analysis of
    yours is under way. 429 if you have used up your analyses of the day.
    """
    address, now = address_of(request), timezone.now()
    services.ask_for_analysis(user=person(request), game_id=game_id, **asked, address=address, now=now)
    return _view(request, game_id, asked)


@call("DELETE", "Stop an analysis", AnalysisView, 409, query=LinkQuery, group="records")
def cancel_analysis(request: Request, game_id: int, asked: Values) -> Answered:
    """Stops an analysis that you started. The turns reviewed so far stay, and it can be continued.

    409 if it is over.
    """
    services.stop_analysis(user=person(request), game_id=game_id, **asked, now=timezone.now())
    return _view(request, game_id, asked)


def _view(request: Request, game_id: int, asked: Values) -> AnalysisView:
    game = game_of(request, game_id, asked)
    prefetch_seats_for_orders(game=game)
    found = analysis_of(game=game, viewer=request.user)
    if found is None:
        raise NotFound("no-analysis", _("This game hasn’t been analysed."))
    return analysis_view(found, game=game, viewer=request.user)

"""Finished and running games, and analyses of them."""

from datetime import datetime

from accounts.models import User
from games.analysis.models import Analysis
from games.analysis.reviewing import advance_analysis
from games.analysis.services import ask_for_analysis
from games.play.models import Game
from games.staff.services import cancel_as_staff
from tests.games.admin_pages import permit
from tests.games.support import NOW

ADDRESS = "address:192.0.2.1"


def asked(user: User, game: Game, now: datetime = NOW, address: str = ADDRESS) -> Analysis:
    return ask_for_analysis(user=user, game_id=game.pk, address=address, now=now)


def made(analysis: Analysis, now: datetime = NOW) -> Analysis:
    """Make an analysis in workers until it is over, and return it."""
    while advance_analysis(analysis_id=analysis.pk, now=now):
        pass
    analysis.refresh_from_db()
    return analysis


def cancelled(game: Game, erin: User) -> Game:
    """Cancel a game as Erin, a member of staff, and return it."""
    permit(erin)
    erin = User.objects.get(pk=erin.pk)  # without cached permissions
    cancel_as_staff(user=erin, game_id=game.pk, reason="A test.", now=NOW)
    game.refresh_from_db()
    return game

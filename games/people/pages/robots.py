"""A robot of a game in short: who plays it, how it is, and what its player has earned."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.fleet.pictures import robot_picture
from games.people.achievements import ACHIEVEMENTS
from games.people.pages.medals import medal_picture
from games.people.selectors.records import is_virtual, robot_card
from games.play import stored
from games.play.pages.crew import equipment_name
from games.play.pages.requests import game_in, link_in
from games.play.pages.virtual import meaning_of_virtual
from games.web.pages import hides_what_is_not_there, viewer_of

MEDALS = 6
"""How many of a player's medals are shown, the latest first."""


@require_safe
@never_cache
@hides_what_is_not_there
def robot(request: HttpRequest, game_id: int, seat: int) -> HttpResponse:
    """Show the robot of a seat; with a script, the game's page shows the same in front of the board."""
    game = game_in(request, game_id)
    card = robot_card(viewer=viewer_of(request), game=game, seat=seat)
    number = seat - game.players.count() if card["scanner"] else card["look"] or 1
    damage = 0 if card["out"] else card["damage"] or 0
    link = link_in(request)
    virtual, ruleset = is_virtual(game=game, seat=seat), stored.setup_of(game).ruleset
    context = {
        "game": game,
        "virtual": meaning_of_virtual(ruleset) if virtual else "",
        "pays": ruleset.spare_lives,
        "card": card,
        "picture": robot_picture(number, scanner=card["scanner"], damage=damage),
        "equipment": equipment_name(card["equipment"]),
        "medals": [
            medal_picture(each, name=gettext(each["english"]))
            for each in (card["achievements"] or ())[:MEDALS]
        ],
        "medals_of": len(ACHIEVEMENTS),
        "query": f"?{urlencode({'link': link})}" if link else "",
    }
    return render(request, "play/robot.html", context)

"""Valid requests for every address of the site."""

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.utils import timezone

from accounts.models import User
from games.dock.models import Prototype
from games.lobby.models import Invitation
from games.play.models import Game, Seat
from games.votes.models import Vote
from tests.access.world import CANOE, WALKERS, World, recovery_code
from tests.games.daily.days import PAR
from tests.games.puzzles.saved import right
from tests.games.support import orders_for


@dataclass(frozen=True)
class Request:
    """The path and body of a request."""

    path: str
    body: dict[str, Any] | None


POSITION = {
    "format": "position/1",
    "ruleset": "robo-runner",
    "starship": {"format": "starship/1", "rows": ["a . .+i1", "a . ."]},
    "robots": [{"at": [1, 0]}, {"at": [1, 1]}],
}


def request_for(
    world: World, who: str, method: str, address: str, situation: str, query: str = ""
) -> Request:
    """Return a request that succeeds for anyone with access to the address."""
    game = world.games.get(situation)
    values = world.values | {
        name: world.values.get(address, world.values[name]) for name in ("key", "mark", "slug", "day")
    }
    values["tournament_id"] = world.values[TOURNAMENTS.get(f"{method} {address}", "tournament_id")]
    values |= {"number": 1, "part": "turns"}
    if "ladders/" in address:
        values |= {"slug": "robo-runner", "robo_name": "Frank"}
    if "clubs/" in address:
        values["slug"] = "tin-can-club"
    if "/review" in address or "starships/{starship_id}/report" in address:
        values["starship_id"] = world.values["reviewed_id"]
    if "/report" in address:
        values["review_id"] = world.values["reported_id"]
    if game:
        values |= _of_game(game, address)
    values |= _of_person(world.people["Bob" if who in {"stranger", "guest"} else WALKERS[who] or ""], address)
    path = "/" + address.format_map(values)
    if address == "oembed/":
        query = urlencode({"url": f"{settings.BASE_URL}/games/{world.games['public, over'].pk}/"})
    body = BODIES.get(f"{method} {address}")
    if isinstance(body, str) and game:
        body = _orders(game, who, form=not address.startswith("api/"))
    assert not isinstance(body, str)
    if address == "api/v1/tokens":
        body = {**(body or {}), "code": recovery_code(world.people["Bob"])}
    if body is not None:
        ids = {SHIP: world.values["starship_id"], DRAFT: values.get("draft_id"), NAME: WALKERS[who] or ""}
        body = {key: ids[value] if value in (SHIP, DRAFT, NAME) else value for key, value in body.items()}
    return Request(f"{path}?{query}" if query else path, body)


TOURNAMENTS = {
    "GET tournaments/{tournament_id}/edit/": "draft_tournament_id",
    "POST tournaments/{tournament_id}/edit/": "draft_tournament_id",
    "POST api/v1/tournaments/{tournament_id}/open": "draft_tournament_id",
    "PUT api/v1/tournaments/{tournament_id}/entry": "open_tournament_id",
    "DELETE api/v1/tournaments/{tournament_id}": "open_tournament_id",
    "GET tournaments/{tournament_id}/channels/": "open_tournament_id",
    "POST tournaments/{tournament_id}/channels/": "open_tournament_id",
    "GET api/v1/tournaments/{tournament_id}/channels": "open_tournament_id",
    "POST api/v1/tournaments/{tournament_id}/channels": "open_tournament_id",
}
"""The kind of tournament that each address needs. Addresses not listed here need a tournament in round 1."""


TURNS_PLAYED = ("turns/{number}/", "turns/{number}", "film/", "/branch/", ".png", "clip/", "clip.webp")
"""The ends of addresses of turns that were played."""


def _of_game(game: Game, address: str) -> dict[str, Any]:
    """Return values for the placeholders in a game's address.

    The turn is a past one for replays, and otherwise the open one. Only the values that the address needs are
    queried, since the tests ask hundreds of addresses.
    """
    number = 1
    if "invitation" in address:
        number = Invitation.objects.filter(game=game).values_list("pk", flat=True).first() or 1
    elif "/turn/" in address or address.endswith(TURNS_PLAYED):
        number = 0
    elif address.rstrip("/").endswith("wake"):
        number = game.turn or 0
    elif "computers/{number}" in address or "seats/{number}" in address:
        computers = Seat.objects.filter(game=game).exclude(computer="").order_by("pk")
        number = computers.values_list("number", flat=True).first() or 2
    vote = 1
    if "{vote_id}" in address:
        vote = Vote.objects.filter(game=game).values_list("pk", flat=True).first() or 1
    return {"vote_id": vote, "game_id": game.pk, "number": number, "invitation_id": number}


def _of_person(person: User, address: str) -> dict[str, Any]:
    """Return values for the placeholders in an address, from objects that belong to the person."""
    if "{pk}" in address:
        key = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN).first()
        return {"pk": key.pk if key else 0}
    if address.startswith("accounts/sessions/"):
        session = UserSession.objects.filter(user=person).first()
        return {"number": session.pk if session else 0}
    if "{sanction_id}" in address:
        return {"sanction_id": person.sanctions.values_list("pk", flat=True).first() or 0}
    if "{branch_token}" in address:
        return {"branch_token": person.branches.values_list("token", flat=True).first() or "none"}
    if "{list_id}" in address:
        return {"list_id": person.starship_lists.values_list("pk", flat=True).first() or 0}
    if "dock/prototypes/" in address:
        return {"starship_id": _published(person)}
    if "shipyard/" in address:
        own = {
            "draft_id": person.starship_drafts,
            "run_id": person.tunnel_runs,
            "suggestion_id": person.ship_suggestions,
        }
        asked = [name for name in own if f"{{{name}}}" in address or name == "draft_id"]
        numbers = {name: own[name].values_list("pk", flat=True).first() for name in asked}
        if "{starship_id}" in address:
            numbers["starship_id"] = _published(person)
        return {"number": 1, **{name: number or 0 for name, number in numbers.items()}}
    if "{token_id}" in address:
        return {"token_id": person.api_tokens.values_list("pk", flat=True).first() or 0}
    if "{sitting_id}" in address:
        return {"sitting_id": person.sittings.values_list("pk", flat=True).first() or 0}
    if "{vacation_id}" in address:
        return {"vacation_id": person.vacations.values_list("pk", flat=True).first() or 0}
    return {}


def _published(person: User) -> int:
    """Return the ID of a starship that a person has published, or 0 if there is none."""
    bays = Prototype.objects.filter(starship__owner=person)
    return bays.values_list("starship", flat=True).first() or 0


def _orders(game: Game, who: str, *, form: bool) -> dict[str, Any]:
    """Return valid orders for a player, or an example for anyone else."""
    document: dict[str, Any] = {"heading": "N"}
    turn = game.turns.filter(status="open").first()
    if turn:
        hands = turn.hands.exclude(seat=None).select_related("seat__user")
        own = next(
            (hand for hand in hands if hand.seat and hand.seat.robo_name == WALKERS[who]), hands.first()
        )
        assert own and own.seat and own.seat.user
        document = orders_for(game, own.seat.user)
    if not form:
        return document
    sent = {f"register-{number}": chip for number, chip in enumerate(document.pop("registers", ()), 1)}
    if place := document.pop("place", None):
        sent["place"] = ",".join(map(str, place))
    return sent | {key: "on" if value is True else value for key, value in document.items() if value}


SHIP = object()
"""The placeholder for a starship of the library."""

DRAFT = object()
"""The placeholder for the sender's draft ship."""

NAME = object()
"""The placeholder for the sender's name."""

ORDERS = "orders"
"""The placeholder for valid orders."""

NEW = {"name": "Another", "starship": SHIP, "seats": 2}
FORM = {**NEW, "pace": "24", "lives": 3, "scanners": 0, "house_damage_limit": 10, "start": "itself"}
IN_SPRING = (timezone.localdate() + timedelta(days=120)).isoformat()
CHANNEL = {"address": "https://192.0.2.1/news"}
PASSWORDS = {"oldpassword": "no", "password1": "no", "password2": "no"}

MARATHON = {
    "name": "Spring Cup",
    "kind": "marathon",
    "starts_at": f"{timezone.now() + timedelta(days=3):%Y-%m-%dT%H:%M}",
    "ruleset": "robo-runner",
    "ship_choice": "fixed",
    **dict.fromkeys(("least", "size"), 4),
    **dict.fromkeys(("most", "hours"), 24),
    "rounds": 5,
}

BODIES: dict[str, dict[str, Any] | str] = {
    "POST games/new/": FORM,
    "POST games/new/board/": {"ruleset": "amigo-1999"},
    "POST daily/{day}/": {"turn": 1, **{f"register-{place}": chip for place, chip in enumerate(PAR, 1)}},
    "POST api/v1/daily/{day}/turns/{number}": {"registers": PAR},
    "POST puzzles/{puzzle_id}/": {f"register-{place}": chip for place, chip in enumerate(right(), 1)},
    "POST api/v1/puzzles/{puzzle_id}/tries": {"registers": right()},
    "POST games/{game_id}/settings/": {**FORM, "seats": 7},
    "POST games/{game_id}/cancel/": {"reason": "It was a mistake."},
    "POST games/{game_id}/seat/": {"look": "7"},
    "POST games/{game_id}/ready/": {"ready": "no"},
    "POST games/{game_id}/computers/": {"strength": "rookie"},
    "POST games/{game_id}/computers/{number}/": {"strength": "ace"},
    "POST games/{game_id}/invite/": {"whom": "Erin"},
    "POST games/{game_id}/resign/": {"how": "leave"},
    "POST games/{game_id}/turns/{number}/branch/": {"name": "Left first", "computers": "0"},
    "POST games/{game_id}/branches/{branch_token}/": {"name": "Left first", "computers": "0"},
    "POST api/v1/games/{game_id}/branches": {"turn": 0},
    "PUT api/v1/games/{game_id}/branches/{branch_token}": {"name": "Left first"},
    "POST games/{game_id}/votes/": {"kind": "call-off"},
    "POST games/{game_id}/votes/{vote_id}/": {"say": "no"},
    "POST ballots/{ballot}/": {"say": "no"},
    "POST tournaments/new/": MARATHON,
    "POST tournaments/{tournament_id}/edit/": MARATHON,
    "POST games/{game_id}/chat/": {"text": "Hello!"},
    "POST games/{game_id}/chat/read/": {"line": "1"},
    "POST games/{game_id}/seen/": {"turn": "0"},
    "POST games/{game_id}/turns/{number}/orders/": ORDERS,
    "POST games/{game_id}/turns/{number}/draft/": ORDERS,
    "POST games/{game_id}/turns/{number}/preview/": ORDERS,
    "POST settings/data/delete/": {"robo_name": NAME},
    "POST settings/profile/": {"time_zone": "UTC"},
    "POST settings/invitations/": {"most": "1"},
    "POST settings/time/": {"days_off": ["5", "6"], "night_from": "22:00", "night_until": "07:00"},
    "POST settings/time/vacations/": {"first": IN_SPRING, "last": IN_SPRING},
    "POST settings/sitters/": {"robo_name": "Frank", "first": IN_SPRING, "last": IN_SPRING},
    "POST settings/tokens/": {"name": "My bot"},
    "POST settings/standing/": {"standing": "ahead"},
    "POST settings/news/": {"manner": "daily", "daily_hour": "8"},
    "POST games/{game_id}/channels/": CHANNEL,
    "POST clubs/{slug}/channels/": CHANNEL,
    "POST tournaments/{tournament_id}/channels/": CHANNEL,
    "POST channels/{channel_id}/": {"do": "remove"},
    "POST api/v1/games/{game_id}/channels": CHANNEL,
    "POST api/v1/clubs/{slug}/channels": CHANNEL,
    "POST api/v1/tournaments/{tournament_id}/channels": CHANNEL,
    "PATCH api/v1/channels/{channel_id}": {"news": ["end"]},
    "POST settings/news/webhook/": {"do": "set", "url": "https://robots.example.org/news"},
    "POST settings/": {"speed": "200"},
    "POST accounts/password/change/": PASSWORDS,
    "POST starships/{starship_id}/review/": {"stars": "5", "tags": ["fair-starts"], "text": "Fun!"},
    "POST starships/{starship_id}/reviews/{review_id}/answer/": {"text": "Thanks!"},
    "POST starships/{starship_id}/report/": {"reason": "copied"},
    "POST starships/{starship_id}/reviews/{review_id}/report/": {"reason": "offensive"},
    "POST shipyard/shared/{link}/report/": {"reason": "copied"},
    "POST api/v1/starships/{starship_id}/reports": {"reason": "copied"},
    "POST api/v1/shipyard/shared/{link}/reports": {"reason": "copied"},
    "PUT api/v1/starships/{starship_id}/review": {"stars": 5, "tags": ["fair-starts"], "text": "Fun!"},
    "POST api/v1/starships/{starship_id}/reviews/{review_id}/answer": {"text": "Thanks!"},
    "POST starships/lists/mine/": {"name": "Slow ships", "seen_by": "owner"},
    "POST starships/lists/{list_id}/edit/": {"name": "Slow ships", "seen_by": "link"},
    "POST starships/lists/{list_id}/ships/": {"do": "remove", "starship": SHIP},
    "POST starships/{starship_id}/lists/": {"name": "Slow ships", "seen_by": "owner"},
    "POST api/v1/starships/lists": {"name": "Slow ships"},
    "PATCH api/v1/starships/lists/{list_id}": {"name": "Slow ships"},
    "POST shipyard/new/": {"begin": "import", "text": "a . .+i1"},
    "POST shipyard/suggest/": {
        "ruleset": "robo-runner",
        "width": "12",
        "height": "12",
        "seed": "7",
    },
    "POST shipyard/{draft_id}/": {"version": "1", "rows": "a . . .+i1", "players": "2"},
    "POST shipyard/{draft_id}/fix/": {"version": "1", "problem": "0"},
    "POST shipyard/{draft_id}/fly/": {"computers": "1", "strength": "rookie"},
    "POST shipyard/{draft_id}/tunnel/": {"ruleset": "robo-runner", "flights": "200"},
    "POST dock/promotions/{promotion_id}/": {"vote": "promote"},
    "PUT api/v1/dock/promotions/{promotion_id}/vote": {"vote": "promote"},
    "POST shipyard/{draft_id}/publish/": {"agrees": "on"},
    "POST shipyard/prototypes/{starship_id}/close/": {},
    "POST shipyard/{draft_id}/tunnel/{run_id}/fix/": {"fix": "1"},
    "POST api/v1/shipyard/drafts": {"width": 3, "height": 2},
    "POST api/v1/shipyard/prototypes": {"draft": DRAFT, "agrees": True},
    "PUT api/v1/shipyard/drafts/{draft_id}": {"document": {**CANOE, "rows": ["a . . .+i1"]}},
    "POST api/v1/shipyard/drafts/{draft_id}/fly": {"computers": 1},
    "POST api/v1/shipyard/suggestions": {"seed": "7"},
    "POST api/v1/shipyard/check": {"document": CANOE},
    "POST api/v1/shipyard/outlook": {"document": CANOE},
    "POST api/v1/tokens": {"login": "Bob", "password": "bob-likes-robots"},
    "PATCH api/v1/me": {"manner": "daily"},
    "PUT api/v1/players/{robo_name}/note": {"text": "Fast."},
    "POST players/{robo_name}/report/": {"about": "name", "rule": "polite"},
    "POST my-decisions/{sanction_id}/appeal/": {"text": "It was a quote."},
    "POST api/v1/players/{robo_name}/reports": {"about": "name", "rule": "polite"},
    "POST api/v1/me/conduct/{sanction_id}/appeal": {"text": "It was a quote."},
    "POST clubs/new/": {"name": "Rust Club", "entry": "open"},
    "POST clubs/{slug}/edit/": {"name": "Tin Can Club", "entry": "open"},
    "POST clubs/{slug}/member/": {"player": "Frank", "do": "invite"},
    "POST api/v1/tournaments": {
        "name": "Spring Cup",
        "kind": "marathon",
        "starts_at": f"{timezone.now() + timedelta(days=3):%Y-%m-%dT%H:%M:%SZ}",
        "ruleset": "",
    },
    "POST api/v1/ladders/{slug}/challenges": {"robo_name": "Frank"},
    "PUT api/v1/ladders/{slug}/place": {"resting": True},
    "POST api/v1/clubs": {"name": "Rust Club"},
    "PATCH api/v1/clubs/{slug}": {"text": "Cans of tin."},
    "PUT api/v1/clubs/{slug}/members/{robo_name}": {"role": "invited"},
    "POST games/find/": {"least": 2, "most": 4},
    "PUT api/v1/me/ticket": {"pace": "day"},
    "PUT api/v1/me/standing": {"standing": "ahead"},
    "PATCH api/v1/me/time": {"days_off": [5, 6], "night": ["22:00", "07:00"]},
    "POST api/v1/me/sitters": {"robo_name": "Frank", "first": IN_SPRING, "last": IN_SPRING},
    "POST api/v1/me/vacations": {"first": IN_SPRING, "last": IN_SPRING},
    "PUT api/v1/games/{game_id}/standing": {"standing": "down"},
    "PUT api/v1/games/{game_id}/news": {"manner": "none"},
    "POST api/v1/games": NEW,
    "POST api/v1/games/quick": {"computers": 1},
    "POST api/v1/games/load": {"document": POSITION},
    "POST games/load/": {"text": json.dumps(POSITION), "opponents": "computers", "strength": "rookie"},
    "POST games/set-up/": {
        "position": json.dumps(POSITION),
        "play": "1",
        "seat": 1,
        "opponents": "computers",
        "strength": "rookie",
    },
    "POST games/{game_id}/turns/{number}/play-on/": {
        "seat": 1,
        "opponents": "computers",
        "strength": "rookie",
    },
    "PATCH api/v1/games/{game_id}": {"seats": 7},
    "POST api/v1/games/{game_id}/computers": {"strength": "rookie"},
    "PATCH api/v1/games/{game_id}/seats/{number}": {"strength": "ace"},
    "POST api/v1/games/{game_id}/invitations": {"robo_name": "Erin"},
    "POST api/v1/games/{game_id}/ready": {"ready": False},
    "POST api/v1/games/{game_id}/seat": {"look": 7},
    "POST api/v1/games/{game_id}/votes": {"kind": "call-off"},
    "POST api/v1/games/{game_id}/votes/{vote_id}": {"yes": False},
    "POST api/v1/games/{game_id}/chat": {"text": "Hello!"},
    "POST api/v1/games/{game_id}/chat/read": {"line": 1},
    "POST api/v1/games/{game_id}/turns/{number}/orders": ORDERS,
    "PUT api/v1/games/{game_id}/turns/{number}/draft": ORDERS,
    "PUT api/v1/games/{game_id}/screen": {"seat": 2},
    "POST api/v1/games/{game_id}/turns/{number}/preview": ORDERS,
}
"""Bodies of requests, by method and address."""

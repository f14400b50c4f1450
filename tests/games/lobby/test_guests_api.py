"""Guests in the API: they may only fly their own missions."""

from typing import Any

from accounts import guests
from accounts.models import User
from games.chat.models import ChatLine
from games.fleet.missions import save_mission
from games.lobby.models import Invitation, LobbyEntry
from games.lobby.practice import start_mission
from games.people.models import ApiToken
from games.play.models import Game, Seat
from tests.games.fleet.test_missions import LESSON
from tests.games.reader import reader
from tests.games.support import NOW, Table

WRITES = {
    "games": {"name": "Mine", "starship": 1, "seats": 2},
    "games/quick": {},
    "games/{lobby}/join": {},
    "games/{lobby}/ready": {"ready": True},
    "games/{lobby}/start": None,
    "games/{lobby}/leave": None,
    "games/{lobby}/seat": {"look": 3},
    "games/{lobby}/computers": {"strength": "rookie"},
    "games/{lobby}/invitations": {"robo_name": "Alice"},
    "games/{lobby}/decline": None,
    "games/{lobby}/rematch": None,
    "games/{lobby}/chat": {"text": "Hello."},
    "games/{duel}/resign": None,
    "games/{duel}/turns/0/orders": {"heading": "N"},
    "games/{duel}/turns/0/preview": {"heading": "N"},
    "games/{duel}/turns/0/redeal": None,
    "games/{duel}/turns/0/wake": None,
    "games/{mission}/join": {},
    "games/{mission}/ready": {"ready": False},
    "games/{mission}/start": None,
    "games/{mission}/leave": None,
    "games/{mission}/seat": {"look": 3},
    "games/{mission}/computers": {"strength": "rookie"},
    "games/{mission}/invitations": {"robo_name": "Alice"},
    "games/{mission}/rematch": None,
    "games/{mission}/chat": {"text": "Hello."},
}


def test_a_guest_changes_only_their_missions(table: Table, alice: User, bob: User) -> None:
    save_mission(slug="hall", number=1, title="A hall", starship=table.starship, options={}, lesson=LESSON)
    guest = guests.make_guest()
    games = {
        "lobby": table.game(alice, seats=3),
        "duel": table.game(alice, bob),
        "mission": start_mission(user=guest, slug="hall", now=NOW),
    }

    def rows() -> list[Any]:
        models = (Game, Seat, LobbyEntry, Invitation, ChatLine, ApiToken)
        return [list(model._default_manager.order_by("pk").values()) for model in models]

    before = rows()
    client = reader(guest).client
    for path, document in WRITES.items():
        address = "/api/v1/" + path.format(**{name: game.pk for name, game in games.items()})
        answer = client.post(address, document, content_type="application/json")
        assert answer.status_code in (403, 404, 409), f"{path}: {answer.content!r}"
        assert answer.json()["detail"]
        assert rows() == before, path

"""Start games of four people and create orders for them, through the API."""

import json
from collections.abc import Callable
from typing import Any, Final

PEOPLE: Final = ("Alice", "Bob", "Carol", "Dave")


def log_in() -> list[Any]:
    """Load the fleet, create the four people, and log each of them in. Return their clients."""
    from django.core.management import call_command
    from django.test import Client

    from accounts.models import User

    call_command("load_starships", verbosity=0)
    people = [User.objects.create_user(name, f"{name}@example.org".lower()) for name in PEOPLE]
    clients = [Client() for _ in people]
    for person, client in zip(people, clients, strict=True):
        person.confirm_email()
        client.force_login(person)
    return clients


def call(client: Any, path: str, document: Any = None) -> Any:
    send: Callable[..., Any] = client.get if document is None else client.post
    more = {} if document is None else {"data": json.dumps(document), "content_type": "application/json"}
    answer = send(f"/api/v1/{path}", **more)
    assert answer.status_code < 400, answer.content
    return answer.json()


def begin_game(clients: list[Any], starship: int) -> int:
    """Start a game for these people on a starship. Return the ID of the game."""
    game: int = call(clients[0], "games", {"name": "Game", "starship": starship, "seats": len(clients)})["id"]
    for client in clients[1:]:
        call(client, f"games/{game}/join", {})
    return game


def first_chips(seen: dict[str, Any], me: dict[str, Any]) -> dict[str, Any]:
    """Return orders with the first chips of the player's hand. They are usually legal.

    ``seen`` is the game as the API shows it to the player, and ``me`` the player's robot.
    """
    if seen["turn"] == 0:
        return {"heading": "E"}
    chips = iter(chip["number"] for chip in seen["me"]["hand"])
    locked = me["locked"]
    registers = [None if str(number) in locked else next(chips, None) for number in range(1, 6)]
    return {"registers": registers} if me["at"] or me["virtual"] else {"registers": registers, "heading": "E"}

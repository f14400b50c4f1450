"""Games and orders of four people through the API."""

import json
from collections.abc import Callable
from typing import Any, Final

PEOPLE: Final = ("Alice", "Bob", "Carol", "Dave")


def log_in() -> list[Any]:
    """Load the fleet and create the four people. Return a client for each."""
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
    """Start a game of all these people. Return its number."""
    game: int = call(clients[0], "games", {"name": "Game", "starship": starship, "seats": len(clients)})["id"]
    for client in clients[1:]:
        call(client, f"games/{game}/join", {})
    return game


def first_chips(seen: dict[str, Any], me: dict[str, Any]) -> dict[str, Any]:
    """Return orders that are mostly legal: the first chips of the hand."""
    if seen["turn"] == 0:
        return {"heading": "E"}
    chips = iter(chip["number"] for chip in seen["me"]["hand"])
    locked = me["locked"]
    registers = [None if str(number) in locked else next(chips, None) for number in range(1, 6)]
    return {"registers": registers} if me["at"] or me["virtual"] else {"registers": registers, "heading": "E"}

"""Files of finished games (``game/1``), for tests of `rules.verify`."""

import json
from functools import cache
from typing import Any

import rules
from rules.game_file import first_head, next_head, salt_of, seat_names_in
from tests.rules.recorded import Document, recorded
from tests.rules.strategies import RandomGame


def faults(document: Document) -> list[str]:
    """Return the faults that `rules.verify` finds in a game, as text."""
    return [str(fault) for fault in rules.verify(rules.read_game_file(document))]


def headed(document: Document) -> Document:
    """Return a game with new heads (hashes that bind its turns) and a new digest.

    They match the content of the document, even if the document is forged.
    """
    about = {"created_at": "2026-11-21T12:00:00Z", "started_at": "2026-11-21T12:00:00Z", **document["about"]}
    document = {**document, "about": about}
    head = first = first_head({**document, **about})
    seats = seat_names_in(document["end"])
    turns = []
    for turn in document["turns"]:
        salt = salt_of(document["seed"], turn["turn"])
        told = {"turn": turn["turn"], "orders": turn["orders"], "events": turn["events"]}
        head = next_head(head, salt=salt, seats=seats, **told)
        turns.append({**turn, "salt": salt, "head": head})
    return rules.with_digest({**document, "first_head": first, "turns": turns})


@cache
def _whole(key: str) -> str:
    """Return a random game with a winner and at least four turns, counting turn 0."""
    for seed in range(500):
        document = recorded(seed, key)
        if document["end"]["over"] and len(document["turns"]) > 3 and document["winner"]:
            return json.dumps(document)
    raise AssertionError("none of these games was won")


def finished_game(key: str = "robo-runner") -> Any:
    """Return a finished game with a winner."""
    return json.loads(_whole(key))


@cache
def _put_aside() -> str:
    for seed in range(400, 2000):
        if RandomGame(seed, "amigo-1999").put_aside:
            document = recorded(seed, "amigo-1999")
            if document["end"]["over"]:
                return json.dumps(document)
    raise AssertionError("in none of these games a hand was put aside")


def put_aside() -> Any:
    """Return a finished game with a hand that was put aside in turn 1 (AM-1.4)."""
    return json.loads(_put_aside())


@cache
def _of_albots() -> str:
    for seed in range(500):
        document = recorded(seed, "group-11")
        if document["end"]["over"] and any(
            sum(hand["redealt"] is not None for hand in turn["hands"]) > 1 for turn in document["turns"]
        ):
            return json.dumps(document)
    raise AssertionError("in none of these games two hands were redrawn")


def of_albots() -> Any:
    """Return a finished game with two redrawn hands in one turn."""
    return json.loads(_of_albots())


@cache
def _of_sleepers() -> str:
    for seed in range(500):
        document = recorded(seed, "factory-1999")
        orders = [given["orders"] for turn in document["turns"] for given in turn["orders"]]
        drawn = [hand for turn in document["turns"] for hand in turn["hands"] if hand["redealt"] is not None]
        if document["end"]["over"] and drawn and any(given.get("stay_down") for given in orders):
            return json.dumps(document)
    raise AssertionError("in none of these games a robot stayed off")


def of_sleepers() -> Any:
    """Return a finished game with a robot that stayed off, and a robot that was switched on (FA-5)."""
    return json.loads(_of_sleepers())

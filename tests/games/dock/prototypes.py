"""Prototypes, published by people of the tests."""

from typing import Any

from accounts.models import User
from games.dock.models import Prototype
from games.dock.services import publish_draft
from games.fleet.models import Starship
from games.play.models import Game
from games.shipyard.models import StarshipDraft
from games.shipyard.services import create_draft, save_draft
from tests.games.shipyard.drawing import document
from tests.games.shipyard.tunnels import lane
from tests.games.support import NOW, Table


def published(user: User, draft: StarshipDraft | None = None, **more: Any) -> Prototype:
    """Publish a draft ship as a prototype. The default is a lane for two players."""
    draft = draft or lane(user)
    return publish_draft(user=user, draft_id=draft.pk, **{"now": NOW, **more})


def called(user: User, name: str, *rows: str) -> StarshipDraft:
    """Return a draft ship with the given name, for two players."""
    return create_draft(user=user, document=document(*rows, name=name), players=2, now=NOW)


def redrawn(draft: StarshipDraft, *rows: str) -> StarshipDraft:
    return save_draft(
        user=draft.user,
        draft_id=draft.pk,
        expected_version=None,
        document={**draft.document, "rows": list(rows)},
        now=NOW,
    )


def played_out(ship: Starship, *players: User, **more: Any) -> Game:
    """Return a finished game on a ship.

    The first player drives to the checkpoint and wins.
    """
    table = Table(ship)
    game = table.game(*players, **more)
    while game.status == Game.Status.RUNNING:
        turn = game.turns.get(status="open")
        asked = [hand.seat.user for hand in turn.hands.exclude(seat=None).select_related("seat__user")]
        table.play(game, *[user for user in asked if user])
    return game

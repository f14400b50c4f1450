"""A bay becomes free while people start to play on its prototype."""

from functools import partial

import pytest

from games.dock.models import IDLE_AFTER, WARNING_PERIOD, Prototype
from games.dock.services import check_idle_prototype, check_idle_prototypes, close_prototype
from games.lobby.seats import join_game
from games.lobby.services import create_game
from games.play.terms import Terms
from tests import cast
from tests.games.dock.prototypes import published
from tests.games.support import NOW
from tests.games.together import hold, meanwhile, together, wait_for_waiter

pytestmark = pytest.mark.django_db(transaction=True)

DUE = NOW + IDLE_AFTER
GONE = DUE + WARNING_PERIOD
TERMS = Terms(name="Trial")


def warned() -> Prototype:
    """Return a prototype of Alice. She has been warned that it will lose its bay."""
    prototype = published(cast.alice())
    check_idle_prototypes(now=DUE)
    prototype.refresh_from_db()
    return prototype


def test_it_waits_for_a_joining_player_and_keeps_the_bay() -> None:
    prototype, bob, carol = warned(), cast.bob(), cast.carol()
    terms = TERMS.with_changes({"starship": prototype.starship_id, "starts_itself": False})
    lobby = create_game(host=bob, terms=terms, now=GONE)
    with hold() as holding:
        holding.execute("LOCK TABLE games_seat IN SHARE MODE")
        joined = meanwhile(partial(join_game, user=carol, game_id=lobby.pk, now=GONE))
        joining = wait_for_waiter(holding.backend)
        looked = meanwhile(partial(check_idle_prototype, prototype.pk, now=GONE))
        wait_for_waiter(joining)
    joined.result(timeout=60)
    assert looked.result(timeout=60) == 1
    prototype.refresh_from_db()
    assert (prototype.status, prototype.warned_at, prototype.used_at) == ("testing", None, GONE)


def test_it_checks_again_later_if_a_game_is_created_meanwhile() -> None:
    prototype, bob = warned(), cast.bob()
    terms = TERMS.with_changes({"starship": prototype.starship_id})
    with hold() as holding:
        holding.execute("SELECT 1 FROM games_prototype WHERE id = %s FOR NO KEY UPDATE", prototype.pk)
        looked = meanwhile(partial(check_idle_prototype, prototype.pk, now=GONE))
        wait_for_waiter(holding.backend)
        assert create_game(host=bob, terms=terms, now=GONE).status == "open"
    assert looked.result(timeout=60) == 0
    assert check_idle_prototypes(now=GONE) == 1, "a lobby of one keeps no bay"


def test_two_passes_and_a_builder_together_free_the_bay_once() -> None:
    prototype = warned()
    builder = prototype.starship.owner
    assert builder
    results = together(
        partial(check_idle_prototypes, now=GONE),
        partial(check_idle_prototypes, now=GONE),
        partial(close_prototype, user=builder, starship_id=prototype.starship_id, now=GONE),
    )
    assert results[0] + results[1] <= 1
    prototype.refresh_from_db()
    assert prototype.status in ("idle", "closed")

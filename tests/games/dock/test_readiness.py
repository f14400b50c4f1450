"""Requirements that a prototype must meet before its builder may request promotion."""

import pytest

from accounts.models import User
from games.absence.seats import resign_game
from games.dock.models import Prototype
from games.dock.selectors import Readiness, readiness_of
from games.lobby.invitations import invite
from games.play.models import Game
from games.shipyard.services import save_draft
from tests import cast
from tests.games.dock.promotions import STREET, green, played_by, ready, street, tried_out
from tests.games.dock.prototypes import published, redrawn
from tests.games.shipyard.tunnels import flown, started
from tests.games.support import NOW, Table


def current_readiness(prototype: Prototype) -> Readiness:
    """Return the current requirements of a prototype."""
    return readiness_of(prototype=Prototype.objects.get(pk=prototype.pk))


def details(prototype: Prototype) -> dict[str, str]:
    return {need.code: need.detail for need in current_readiness(prototype).needs if not need.met}


@pytest.fixture
def prototype(alice: User) -> Prototype:
    return published(alice, street(alice))


def test_a_ship_with_a_green_run_and_five_people_is_ready(alice: User) -> None:
    assert current_readiness(ready(alice)).is_ready


def test_a_new_prototype_lists_missing_requirements_with_numbers(prototype: Prototype) -> None:
    assert details(prototype) == {
        "tunnel": "This version needs a green or amber wind tunnel verdict for Robo Runner with 2 players.",
        "testers": "0 of 5 people have finished a game on it.",
        "strangers": "0 people joined without your invitation. At least 3 are needed.",
    }


def test_a_red_run_is_not_enough(alice: User, prototype: Prototype) -> None:
    assert prototype.draft
    green(alice, prototype.draft, verdict="red")
    assert current_readiness(prototype).run is None


def test_an_amber_run_is_enough_and_the_committee_sees_the_reason(alice: User, prototype: Prototype) -> None:
    assert prototype.draft
    run = green(alice, prototype.draft, verdict="amber")
    assert run.report is not None
    run.report["findings"] = [{"kind": "corner", "severity": "amber"}]
    run.save(update_fields=["report"])
    found = current_readiness(prototype)
    assert found.run == run
    assert found.needs[0].met
    assert found.needs[0].detail == (
        "The wind tunnel verdict for this version is amber. The committee sees its findings."
    )


def test_a_run_with_few_flights_is_not_enough(alice: User, prototype: Prototype) -> None:
    assert prototype.draft
    run = flown(started(alice, prototype.draft))
    assert run.report and run.report["verdict"] == "green"
    assert current_readiness(prototype).run is None


def test_a_cancelled_run_is_not_enough(alice: User, prototype: Prototype) -> None:
    assert prototype.draft
    run = green(alice, prototype.draft)
    run.status = "cancelled"
    run.save()
    assert current_readiness(prototype).run is None


def test_a_run_with_the_same_cells_is_enough_for_any_version_of_the_draft(alice: User) -> None:
    draft = street(alice)
    prototype = published(alice, draft)
    run = green(alice, redrawn(redrawn(draft, "a . . .+i1+wE"), *STREET))
    assert run.version == 3 and current_readiness(prototype).run == run


def test_a_run_with_other_cells_is_not_enough(alice: User) -> None:
    draft = street(alice)
    prototype = published(alice, draft)
    green(alice, redrawn(draft, "a . . .+i1+wE"))
    assert current_readiness(prototype).run is None


def test_a_new_version_needs_its_own_run(alice: User) -> None:
    draft = street(alice)
    prototype = published(alice, draft)
    green(alice, draft)
    assert current_readiness(prototype).run
    published(alice, redrawn(draft, "a . . .+i1+wE"))
    assert current_readiness(prototype).run is None


def test_different_spellings_of_cells_are_equal(alice: User) -> None:
    draft = redrawn(street(alice), "a  .   . . .+wE+i1")
    prototype = published(alice, draft)
    assert prototype.starship.current
    run = green(alice, draft)
    assert run.document["rows"] != prototype.starship.current.document["rows"]
    assert current_readiness(prototype).run == run


def test_a_run_by_another_ruleset_or_with_more_players_is_not_enough(
    alice: User, prototype: Prototype
) -> None:
    assert prototype.draft
    green(alice, prototype.draft, ruleset="robo-arena")
    green(alice, prototype.draft, players=3)
    assert current_readiness(prototype).run is None


def test_a_builder_sees_which_numbers_of_players_to_fly(alice: User) -> None:
    draft = street(alice)
    save_draft(
        user=alice, draft_id=draft.pk, expected_version=None, document=draft.document, players=1, now=NOW
    )
    assert "number of players that you chose (1)" in details(published(alice, draft))["tunnel"]


def test_a_deleted_draft_deletes_its_runs(alice: User, prototype: Prototype) -> None:
    assert prototype.draft
    green(alice, prototype.draft)
    prototype.draft.delete()
    assert "Copy the ship to your Space Dock" in details(prototype)["tunnel"]


def test_each_person_counts_once_and_the_builder_never(
    alice: User, bob: User, carol: User, prototype: Prototype
) -> None:
    for _ in range(2):
        played_by(prototype, bob, alice)
    played_by(prototype, carol, bob)
    assert current_readiness(prototype).testers == 2


def test_games_on_all_versions_count(alice: User, bob: User, carol: User) -> None:
    draft = street(alice)
    prototype = published(alice, draft)
    played_by(prototype, bob, seats=1)
    again = published(alice, redrawn(draft, "a . . .+i1+wE"))
    played_by(again, carol, seats=1)
    assert current_readiness(prototype).testers == 2


def test_running_games_do_not_count(bob: User, carol: User, prototype: Prototype) -> None:
    game = Table(prototype.starship).game(bob, carol)
    assert game.status == Game.Status.RUNNING
    assert current_readiness(prototype).testers == 0


def test_a_game_that_a_player_left_immediately_does_not_count(
    bob: User, carol: User, prototype: Prototype
) -> None:
    table = Table(prototype.starship)
    game = table.game(bob, carol)
    table.play(game, bob, carol)
    resign_game(user=bob, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert (game.status, game.ending) == ("over", "resigned")
    assert current_readiness(prototype).testers == 0


def test_players_invited_by_the_builder_do_not_count_as_uninvited(
    alice: User, bob: User, carol: User, dave: User, prototype: Prototype
) -> None:
    played_by(prototype, bob, carol)
    assert current_readiness(prototype).strangers == 2
    game = Table(prototype.starship).game(alice, seats=2)
    invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    assert (current_readiness(prototype).testers, current_readiness(prototype).strangers) == (2, 1)


def test_players_invited_by_others_count_as_uninvited(bob: User, carol: User, prototype: Prototype) -> None:
    game = Table(prototype.starship).game(bob, seats=3)
    invite(user=bob, game_id=game.pk, robo_name="Carol", now=NOW)
    played_by(prototype, bob, carol)
    assert current_readiness(prototype).strangers == 2


def test_the_link_of_the_builder_s_private_game_counts_as_an_invitation(
    alice: User, bob: User, carol: User, prototype: Prototype
) -> None:
    played_by(prototype, alice, bob, private=True)
    played_by(prototype, carol, seats=1, private=True)
    assert (current_readiness(prototype).testers, current_readiness(prototype).strangers) == (2, 1)


def test_four_people_are_too_few(alice: User) -> None:
    draft = street(alice)
    prototype = published(alice, draft)
    green(alice, draft)
    tried_out(prototype, ("Tess", "Tim", "Tom", "Tara"))
    assert not current_readiness(prototype).is_ready
    played_by(prototype, cast.person("Tod"), seats=1)
    assert current_readiness(prototype).is_ready

"""Creating games: what makes one, and every reason why something does not."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games import services
from games.errors import Invalid, Malformed, NotFound
from games.models import Game, Notice, Starship
from tests.games.support import LANE, NOW, Board, Table, open_turn


def details(error: Invalid) -> list[str]:
    return [problem["detail"] for problem in error.problems]


def test_the_host_sits_on_seat_1(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2)
    seat = game.players.get()
    assert (seat.number, seat.user, game.host) == (1, alice, alice)
    assert (game.status, game.turn) == (Game.Status.OPEN, None)


def test_a_game_pins_ruleset_version_options_and_the_board_as_it_is(
    table: Table, starship: Starship, alice: User
) -> None:
    game = table.game(alice, seats=2, options={"lives": 5})
    assert (game.ruleset, game.version) == ("robo-runner", 1)
    assert game.options == {"lives": 5, "hull_damage": True, "scanners": 0, "equipment": False}
    services.save_starship(starship_id=starship.pk, document=LANE.document, section="fleet", now=NOW)
    game.refresh_from_db()
    assert game.revision.number == 1
    assert game.revision.document["name"] == "Hall"


def test_a_game_for_one_starts_at_once(table: Table, alice: User) -> None:
    game = table.game(alice)
    assert (game.status, game.turn, game.started_at) == (Game.Status.RUNNING, 0, NOW)
    assert Notice.objects.get().user == alice


def test_every_game_has_a_seed_and_a_link_of_its_own(starship: Starship, alice: User) -> None:
    games = [
        services.create_game(host=alice, name="Flight", starship_id=starship.pk, seats=2, now=NOW)
        for _ in range(3)
    ]
    assert len({game.seed for game in games}) == 3
    assert all(len(game.seed) == 32 for game in games)
    assert len({game.link_token for game in games}) == 3


def test_hours_per_turn_are_a_document_that_can_grow(table: Table, alice: User) -> None:
    assert table.game(alice, seats=2, pace={"hours": 12}).pace == {"format": "pace/1", "hours": 12}
    without = table.game(alice, pace=None)
    assert without.hours_per_turn is None
    assert open_turn(without).deadline is None


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"name": "  "}, "The game needs a name."),
        ({"name": "x" * 81}, "The name is longer than 80 characters."),
        ({"name": "two\nlines"}, "The name has a character in it that cannot be printed."),
        ({"ruleset": "chess"}, f"there is no ruleset “chess”; there are: {', '.join(rules.RULESETS)}"),
        ({"options": {"lives": 0}}, "the option “lives” must be a whole number from 1 to 9"),
        ({"options": {"wings": 1}}, "Robo Runner has no option “wings”"),
        ({"seats": 9}, "Robo Runner is for 1 to 8 players, not 9"),
        ({"seats": 0}, "Robo Runner is for 1 to 8 players, not 0"),
    ],
)
def test_it_says_what_does_not_make_a_game(
    table: Table, alice: User, given: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(Invalid) as refused:
        table.game(alice, **{"seats": 2, **given})
    assert details(refused.value) == [sentence]
    assert not Game.objects.exists()


def test_it_says_all_reasons_at_once(table: Table, alice: User) -> None:
    with pytest.raises(Invalid) as refused:
        table.game(alice, name="", seats=9, options={"lives": 10})
    assert len(details(refused.value)) == 3


@pytest.mark.parametrize(
    "pace", [24, "fast", {"hours": 0}, {"hours": 1441}, {"hours": "24"}, {"hours": True}, {"minutes": 5}]
)
def test_it_refuses_a_pace_that_is_none(table: Table, alice: User, pace: Any) -> None:
    with pytest.raises(Malformed) as refused:
        table.game(alice, pace=pace)
    assert refused.value.code == "pace"


def test_there_is_no_game_on_a_retired_or_unknown_starship(
    table: Table, starship: Starship, alice: User
) -> None:
    services.retire_starship(starship_id=starship.pk)
    for number in (starship.pk, 999):
        with pytest.raises(NotFound) as refused:
            services.create_game(host=alice, name="Flight", starship_id=number, seats=2, now=NOW)
        assert refused.value.code == "no-starship"


def test_it_refuses_a_board_that_does_not_suit_the_ruleset(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board may be saved for another ruleset's sake, or from before a ruleset changed."""
    monkeypatch.setattr("rules.unsuitable", lambda ruleset, ship: [])
    ship = Board("Crushed", ("a .+x1", ". .+i1")).saved()
    monkeypatch.undo()
    with pytest.raises(Invalid) as refused:
        services.create_game(host=alice, name="Flight", starship_id=ship.pk, seats=2, now=NOW)
    assert details(refused.value) == ["row 1, column 2 ([1, 0]): Robo Runner knows no crusher"]
    assert refused.value.problems[0]["row"] == 1

"""The grid of a film: health, lives and registers of all robots in each frame."""

from typing import Any

from django.test import Client

from accounts.models import User
from games.films.film import Film
from games.films.scenery import Grid
from games.films.selectors import Replay
from games.play.models import Game
from games.play.orders import submit_orders
from rules.orders import CHIPS
from tests.games.films.pages.test_playback import replay, robot, situation
from tests.games.support import NOW, WORKSHOP, Table, orders_for

LIMIT = 10


def shown(played: Replay, mine: int | None = None) -> tuple[Film, Grid]:
    grid = Grid(played, limit=LIMIT, mine=mine)
    return Film(played).shown_to(grid=grid), grid


def play(rows: list[str], *robots: dict[str, Any], phases: int = 1, **more: Any) -> tuple[Film, Grid]:
    """Play a situation. Return its film for a viewer without a robot."""
    return shown(replay(situation(rows, *robots, phases=phases)), **more)


def values_of(film: Film, name: str, what: str) -> list[Any]:
    """Return a robot's value at the start of a film, and after each change."""
    values = [film.document["crew"][name][what]]
    for frame in film.frames:
        if name in frame.crew and frame.crew[name][what] != values[-1]:
            values.append(frame.crew[name][what])
    return values


def at_phase(film: Film, name: str, phase: int) -> list[int]:
    status = film.document["crew"][name]
    for frame in film.frames:
        if frame.phase <= phase:
            status = frame.crew.get(name, status)
    opened: list[int] = status["open"]
    return opened


def test_registers_open_phase_by_phase() -> None:
    film, grid = play([". . ."], robot("A", (0, 0), "N", "L", "R", "L", "R", "U"), phases=5)
    assert [at_phase(film, "A", phase) for phase in range(6)] == [
        [],
        [1],
        [1, 2],
        [1, 2, 3],
        [1, 2, 3, 4],
        [1, 2, 3, 4, 5],
    ]
    (row,) = grid.rows
    assert [chip.kind for chip in row.chips if chip] == ["L", "R", "L", "R", "U"]


def test_locked_registers_are_open_from_the_start() -> None:
    film, _ = play([". . ."], robot("A", (0, 0), "N", "L", "R", "L", "R", "U", damage=6), phases=5)
    assert film.document["crew"]["A"]["locked"] == [4, 5]
    assert [at_phase(film, "A", phase) for phase in (0, 1, 3)] == [[4, 5], [1, 4, 5], [1, 2, 3, 4, 5]]


def test_a_viewers_own_program_is_open_from_the_start() -> None:
    played = replay(situation([". . .", ". . ."], robot("A", (0, 0), "N", "L"), robot("B", (0, 1), "N", "R")))
    program = tuple(CHIPS[number] for number in (70, 90, 110, 130, 150))
    own = Replay(
        played.turn,
        played.ship,
        played.start,
        played.end,
        played.events,
        played.documents,
        (),
        played.looks,
        programs={0: program, 1: program},
    )
    film, grid = shown(own, mine=0)
    assert film.document["crew"]["A"]["open"] == [1, 2, 3, 4, 5]
    assert film.document["crew"]["B"]["open"] == []
    first, second = grid.rows
    assert (first.mine, second.mine) == (False, True), "the viewer's own row is last"
    assert all(second.chips)
    assert [bool(chip) for chip in first.chips] == [True, False, False, False, False]


def test_a_shot_lowers_health_and_locks_a_register() -> None:
    film, _ = play([". . . ."], robot("A", (0, 0), "E", "L"), robot("B", (2, 0), "W", "P", damage=4))
    assert values_of(film, "A", "health") == [10, 9]
    assert values_of(film, "B", "locked") == [[]]
    film, _ = play([". . . ."], robot("A", (0, 0), "E"), robot("B", (2, 0), "N", damage=4))
    assert values_of(film, "B", "health") == [6, 5]
    assert values_of(film, "B", "locked") == [[], [5]]


def test_a_destroyed_robot_is_marked_for_the_rest_of_the_turn() -> None:
    film, _ = play(["a . o ."], robot("A", (1, 0), "E", "1", "L", "L", "L", "L"), phases=5)
    assert values_of(film, "A", "state") == ["", "lost"]
    assert values_of(film, "A", "lives") == [3, 2]
    assert values_of(film, "A", "health")[:2] == [10, 0]
    assert values_of(film, "A", "health")[-1] == 8, "it comes back with 2 damage, and its row stays struck"
    assert at_phase(film, "A", 6) == [1]


def test_a_robot_that_loses_its_last_life_is_out() -> None:
    film, _ = play(["a . o .", "a . . ."], robot("A", (1, 0), "E", "1", lives=1), robot("B", (0, 1), "N"))
    assert values_of(film, "A", "state")[-1] == "out"


def test_a_robot_that_is_off_has_no_program() -> None:
    film, grid = play([". . .", ". . ."], robot("A", (0, 0), "N", down=True), robot("B", (0, 1), "N", "L"))
    down, up = grid.rows
    assert (down.program, down.status["state"]) == (False, "down")
    assert up.program
    assert at_phase(film, "A", 1) == []


def test_scanners_are_listed_last_and_have_no_lives() -> None:
    _, grid = play(["h1 . ."], robot("S", (0, 0), "N", "L", scanner=True), robot("A", (1, 0), "E", "1"))
    assert [(row.name, row.letter, row.colour, row.status["lives"]) for row in grid.rows] == [
        ("A", "B", 2, 3),
        ("S", "1", 0, None),
    ]


def test_remaining_repairs_are_shown_as_they_are_done() -> None:
    film, grid = play([". . .+i1*3"], robot("A", (0, 0), "E"))
    assert grid.hull
    assert [frame.hull for frame in film.frames if frame.hull] == [{1: 2}]
    assert [frame["hull"] for frame in film.document["frames"] if "hull" in frame] == [{1: 2}]
    assert not play([". . .+i1"], robot("A", (0, 0), "E"))[1].hull


def test_a_film_includes_its_grid_with_each_viewer_s_knowledge(
    duel: Game, table: Table, client: Client, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    table.play(duel, alice, bob)
    address = f"{duel.get_absolute_url()}turns/1/film/"
    opened = {}
    for viewer in (None, alice, bob):
        client.logout()
        if viewer:
            client.force_login(viewer)
        film = client.get(address).json()
        opened[viewer] = {name: len(status["open"]) for name, status in film["film"]["crew"].items()}
        assert film["grid"].count("data-row=") == 2
        assert film["grid"].count('data-register="5"') == 2
    assert opened == {
        None: {"Alice": 0, "Bob": 0},
        alice: {"Alice": 5, "Bob": 0},
        bob: {"Alice": 0, "Bob": 5},
    }


def test_the_grid_of_turn_0_has_no_registers(
    duel: Game, table: Table, client: Client, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    grid = client.get(f"{duel.get_absolute_url()}turns/0/film/").json()["grid"]
    assert grid.count("data-row=") == 2
    assert "data-register" not in grid


def lines(client: Client, game: Game, turn: int) -> list[str]:
    """Return the text of a turn on its page, as a list of phases."""
    html = client.get(f"{game.get_absolute_url()}turns/{turn}/film/").json()["log"]
    return [part for part in html.split('<li class="log-part"') if "data-phase" in part]


def order_power_down(game: Game, player: User, turn: int = 1) -> None:
    document = {**orders_for(game, player), "power_down": True}
    submit_orders(user=player, game_id=game.pk, turn_number=turn, document=document, now=NOW)


def test_the_text_mentions_a_power_down_in_the_turn_of_its_announcement(
    client: Client, alice: User, bob: User
) -> None:
    table = Table(WORKSHOP.saved())
    game = table.game(alice, bob, ruleset="factory-1999")
    order_power_down(game, alice)
    table.play(game, bob)
    told = "Alice will power down after this turn."
    phases = lines(client, game, 1)
    assert [told in part for part in phases] == ['data-phase="1"' in part for part in phases]
    assert "Bob will" not in "".join(phases)
    assert told in client.get(f"{game.get_absolute_url()}turns/1/").text


def test_robo_runner_calls_it_a_reboot(
    duel: Game, table: Table, client: Client, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    order_power_down(duel, alice)
    table.play(duel, bob)
    assert "Alice will reboot after this turn." in lines(client, duel, 1)[0]


def test_an_announcement_is_secret_until_its_turn_is_played(
    duel: Game, table: Table, client: Client, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    order_power_down(duel, alice)
    assert "announces" not in client.get(duel.get_absolute_url()).text
    assert client.get(f"{duel.get_absolute_url()}turns/1/film/").status_code == 404

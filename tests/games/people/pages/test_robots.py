"""Statistics of the robots in a game, and the card of each robot."""

import re

from accounts.models import User
from games.people.pages import chart_of
from games.play.models import Game
from rules.statistics import COUNTERS
from tests.games.reader import ReaderOf, plain
from tests.games.support import Table


def test_a_finished_game_shows_all_counters_of_all_robots(read: ReaderOf, solo_loss: Game) -> None:
    html = read(None).get(f"/games/{solo_loss.pk}/").html
    table = re.search(r'(?s)<table class="table chart">.*?</table>', html)
    assert table
    assert len(re.findall('<th scope="row">', table.group())) == len(COUNTERS)
    deaths = re.search(r'(?s)<th scope="row">Times destroyed</th>.*?</tr>', table.group())
    assert deaths and plain(deaths.group()).split()[-1] == "1"
    assert table.group().count('<svg class="bar"') == len(COUNTERS)


def test_a_running_game_shows_no_counters(read: ReaderOf, duel: Game) -> None:
    assert "What the robots did" not in read(None).get(f"/games/{duel.pk}/").html


def test_bars_compare_robots_with_the_highest_value() -> None:
    def row(**counters: int) -> dict[str, object]:
        return {"look": 1, "counters": {**dict.fromkeys(COUNTERS, 0), **counters}}

    lines = chart_of([row(half_turns=3), row(half_turns=1), row()])
    assert [line.name for line in lines][:2] == ["Cells moved forward", "Cells moved backward"]
    bars = next([bar for _, bar in line.cells] for line in lines if line.name == "Half turns")
    assert [(bar.value, bar.most) for bar in bars] == [(3, True), (1, False), (0, False)]
    assert ["M0 0h100v" in bars[0].drawing, "M0 0h33v" in bars[1].drawing, "M0 0h0v" in bars[2].drawing] == [
        True
    ] * 3
    assert not any(bar.most for _, bar in lines[0].cells), "nobody did most of what nobody did"
    assert not chart_of([row(deaths=1)])[6].cells[0][1].most, "nor who was alone"


def test_the_crew_links_to_each_robot_s_card(read: ReaderOf, duel: Game, dave: User) -> None:
    html = read(dave).get(f"/games/{duel.pk}/").html
    assert f'<a href="/games/{duel.pk}/robots/2/" data-robot-card="2">Bob</a>' in html
    card = read(dave).get(f"/games/{duel.pk}/robots/2/")
    said = plain(card.html)
    assert card.status == 200
    assert '<a class="robo-name" href="/players/Bob/">Bob</a>' in card.html
    for fact in ("Damage 0 of 10", "Lives 3", "Next checkpoint 1 of 4", "Achievements 0 of 35"):
        assert fact in said
    assert f'<a href="/games/{duel.pk}/">First flight</a>' in card.html


def test_a_computer_is_marked_as_one(read: ReaderOf, table: Table, alice: User) -> None:
    game = table.game(alice, seats=2, computers=["ace"])
    name = game.players.get(number=2).robo_name
    said = plain(read(None).get(f"/games/{game.pk}/robots/2/").html)
    assert f"{name} Played by a computer: Ace" in said
    assert "Achievements" not in said.partition(name)[2]


def test_a_scanner_is_described_as_part_of_the_ship(
    read: ReaderOf, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, options={"scanners": 1})
    html = read(None).get(f"/games/{game.pk}/").html
    assert 'data-robot-card="3"' in html
    said = plain(read(None).get(f"/games/{game.pk}/robots/3/").html)
    assert "The ship’s own robot" in said
    assert "Damage 0 of 10" in said
    assert "Lives" not in said


def test_an_unknown_robot_is_not_found(
    read: ReaderOf, table: Table, duel: Game, alice: User, bob: User, dave: User
) -> None:
    assert read(dave).get(f"/games/{duel.pk}/robots/7/").status == 404
    assert read(dave).get(f"/games/{duel.pk}/robots/0/").status == 404
    hidden = table.game(alice, bob, private=True)
    assert read(dave).get(f"/games/{hidden.pk}/robots/1/").status == 404
    link = f"?link={hidden.link_token}"
    card = read(dave).get(f"/games/{hidden.pk}/robots/1/{link}")
    assert card.status == 200
    assert f'href="/games/{hidden.pk}/{link}"' in card.html, "the way back has the link, too"


def test_only_names_of_players_in_lists_are_links(
    read: ReaderOf, table: Table, alice: User, dave: User
) -> None:
    game = table.game(alice, seats=2, computers=["rookie"])
    name = game.players.get(number=2).robo_name
    html = read(dave).get("/games/").html
    assert '<a class="robo-name" href="/players/Alice/">Alice</a>' in html
    assert name in html
    assert f">{name}</a>" not in html

"""Statistics of games on starships. Each finished game counts once."""

import pytest
from django.core.management import call_command
from django.forms.models import model_to_dict

from accounts.models import User
from games.fleet.figures import FIGURES_JOB, count_games, recount_figures
from games.fleet.models import Flier, StarshipFigures, StarshipRevision
from games.play.models import Game
from games.work.jobs import ended_games
from tests.games.api_client import Api
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table


def figures() -> dict[str, object]:
    return model_to_dict(StarshipFigures.objects.get())


def race(table: Table, *players: User) -> Game:
    """Play a game to its end."""
    game = table.game(*players, options={"lives": 1})
    while game.status == Game.Status.RUNNING:
        turn = game.turns.get(status="open")
        seated = [hand.seat for hand in turn.hands.exclude(seat=None).select_related("seat__user")]
        table.play(game, *[seat.user for seat in seated if seat and seat.user])
        game.refresh_from_db()
    return game


def test_a_game_among_people_is_counted_once(lane: Table, alice: User, bob: User) -> None:
    game = race(lane, alice, bob)
    assert list(ended_games(FIGURES_JOB).values_list("game", flat=True)) == [game.pk]
    assert (count_games(now=NOW), count_games(now=NOW)) == (1, 0)
    told = figures()
    assert (told["played"], told["people"], told["among_people"]) == (1, 2, 1)
    assert (told["lengths"], told["median"]) == ({str(game.turn): 1}, game.turn)
    assert told["starts"] == {"0,0": [2, int(game.winner != "")]}


def test_each_person_counts_once_and_a_solo_game_is_not_among_people(lane: Table, alice: User) -> None:
    for _ in range(2):
        race(lane, alice)
    assert count_games(now=NOW) == 2
    told = figures()
    assert (told["played"], told["people"], told["among_people"], told["median"]) == (2, 1, 0, None)


def test_a_prototype_has_its_own_count(lane: Table, alice: User, bob: User) -> None:
    StarshipRevision.objects.update(prototype=True)
    race(lane, alice, bob)
    count_games(now=NOW)
    told = figures()
    assert (told["prototype_played"], told["played"], told["people"]) == (1, 0, 0)


def test_a_recount_gives_the_same_figures(lane: Table, alice: User, bob: User) -> None:
    race(lane, alice, bob)
    race(lane, alice)
    count_games(now=NOW)
    before = figures()
    StarshipFigures.objects.update(played=77, lengths={})
    Flier.objects.all().delete()
    race(lane, bob)
    assert recount_figures() == 3
    after = figures()
    assert after["played"] == 3
    assert after["among_people"] == before["among_people"] and after["lengths"] == before["lengths"]
    assert count_games(now=NOW) == 0
    call_command("recount", verbosity=0)
    assert figures() == after


def test_the_page_shows_the_figures(lane: Table, alice: User, bob: User, read: ReaderOf) -> None:
    there = f"/starships/{lane.starship.pk}/"
    assert "Games played" not in read(None).get(there)
    game = race(lane, alice, bob)
    count_games(now=NOW)
    page = read(None).get(there)
    assert "Games played 1" in page and "People who played here 2" in page
    assert f"{game.turn} turns (from" in page or f"{game.turn} turn (from" in page
    assert "Wins by start" not in page


@pytest.fixture
def counted(lane: Table) -> StarshipFigures:
    """The statistics of a ship after four games among people, from two start cells."""
    starts = {"0,0": [4, 3], "2,1": [4, 1]}
    return StarshipFigures.objects.create(
        starship=lane.starship, played=4, people=2, among_people=4, median=9, lengths={"9": 4}, starts=starts
    )


def test_the_api_has_record_and_length(lane: Table, counted: StarshipFigures) -> None:
    told = Api().get(f"starships/{lane.starship.pk}").body
    record = told["record"]
    assert (record["played"], record["people"], record["among_people"]) == (4, 2, 4)
    assert (record["median"], record["shortest"], record["longest"]) == (9, 9, 9)
    assert record["starts"][1] == {"column": 3, "row": 2, "robots": 4, "wins": 1}
    assert told["length"] == {"turns": 1, "played": False}
    assert told["rating"] == {"reviews": 0, "stars": None}
    StarshipFigures.objects.update(among_people=5)
    assert Api().get(f"starships/{lane.starship.pk}").body["length"] == {"turns": 9, "played": True}
    counted.delete()
    assert Api().get(f"starships/{lane.starship.pk}").body["record"] is None


def test_the_page_names_the_source_of_the_length(
    lane: Table, counted: StarshipFigures, read: ReaderOf
) -> None:
    there = f"/starships/{lane.starship.pk}/"
    page = read(None).get(there)
    assert "Length about 1 turn, estimated" in page
    assert "column 3, row 2 4 1 (25 %)" in page, "several starts are told apart"
    StarshipFigures.objects.update(among_people=5)
    assert "Length 9 turns" in read(None).get(there)

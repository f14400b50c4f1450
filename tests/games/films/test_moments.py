"""The moments of a game, and their addresses."""

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.films.moments import list_moments, moments_of
from games.films.pages.film import turn_films
from games.play.models import Game, Seat
from tests.games.reader import ReaderOf

NOBODY = AnonymousUser()


def test_a_finished_game_lists_its_destroyed_robots_and_its_end(solo_loss: Game) -> None:
    destroyed, over = list_moments(game=solo_loss, viewer=NOBODY)["moments"]
    assert (destroyed["kind"], destroyed["robot"], destroyed["turn"]) == ("destroyed", "Alice", 1)
    assert destroyed["sentence"].startswith("Alice ")
    assert (over["kind"], over["robot"]) == ("over", None)


def test_each_moment_names_the_instant_of_its_film(solo_loss: Game) -> None:
    for moment in moments_of(solo_loss, NOBODY):
        film = turn_films(game=solo_loss, number=moment.turn).film
        frames = [each for each in film.frames if each.phase == moment.phase and each.doors != []]
        assert moment.sentence in frames[moment.step - 1].sentences
        assert 0 < moment.place <= 2


def test_a_running_game_has_no_moments_of_the_turn_under_way(solo_loss: Game) -> None:
    solo_loss.status = Game.Status.RUNNING
    assert moments_of(solo_loss, NOBODY) == []
    solo_loss.turn = 2
    assert {moment.turn for moment in moments_of(solo_loss, NOBODY)} == {1}


def test_played_turns_are_read_once_and_names_each_time(solo_loss: Game) -> None:
    moments_of(solo_loss, NOBODY)
    Seat.objects.filter(game=solo_loss).update(robot="Somebody Else")
    with CaptureQueriesContext(connection) as queries:
        destroyed, _over = moments_of(Game.objects.get(pk=solo_loss.pk), NOBODY)
    assert "Somebody Else" in destroyed.sentence
    assert not [query for query in queries if "record" in query["sql"]]


def test_a_turn_s_page_lists_the_moments_with_links_to_their_instants(
    solo_loss: Game, alice: User, read: ReaderOf
) -> None:
    destroyed, over = moments_of(solo_loss, NOBODY)
    page = read(alice).get(f"{solo_loss.get_absolute_url()}turns/0/")
    for moment in (destroyed, over):
        assert f'href="{solo_loss.get_absolute_url()}turns/1/?at={moment.at}"' in page.html
        assert moment.sentence in page.text


def test_links_to_moments_of_a_private_game_keep_its_link(solo_loss: Game, read: ReaderOf) -> None:
    Game.objects.filter(pk=solo_loss.pk).update(private=True)
    link = f"link={solo_loss.link_token}"
    page = read(None).get(f"{solo_loss.get_absolute_url()}turns/1/?{link}&at=1.1")
    assert f"turns/1/?at={moments_of(solo_loss, NOBODY)[-1].at}&amp;{link}" in page.html

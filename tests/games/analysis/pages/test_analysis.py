"""The page of a game's analysis."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.analysis import selectors
from games.analysis.models import Analysis
from games.analysis.pages import LETTER_GAP, Robot, graph_of
from games.branches.services import create_branch
from games.films.moments import MomentView, list_moments
from games.play.models import Game
from games.play.viewers import Viewer
from tests.games.analysis.analyses import asked, cancelled, made
from tests.games.api_client import ApiOf
from tests.games.deletions import erased
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table, later


@pytest.fixture
def over(trio: Game, table: Table, alice: User, bob: User, carol: User, erin: User) -> Game:
    """A game of Alice, Bob and Carol that staff cancelled after turn 1."""
    table.play(trio, alice, bob, carol)
    return cancelled(trio, erin)


def test_a_player_starts_follows_and_reads_an_analysis_without_scripts(
    over: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    address = f"/games/{over.pk}/analysis/"
    reader = read(alice)
    assert f'href="{address}"' in reader.get(f"/games/{over.pk}/").html
    page = reader.get(address)
    assert "Analyse this game" in page.text
    page = reader.post(address)
    assert "0 of 2 turns analysed." in page.text and "Stop the analysis" in page.text
    assert "Stop the analysis" not in read(bob).get(address).text
    made(Analysis.objects.get())
    page = reader.get(address)
    assert "What decided the game" in page.text and "Your accuracy:" in page.text
    assert "Analyse this game" not in page.text
    assert [link for link in re.findall(r'href="([^"]+)"', page.html) if "/turns/" in link] == [
        f"/games/{over.pk}/turns/0/",
        f"/games/{over.pk}/turns/0/branch/",
        f"/games/{over.pk}/turns/1/",
        f"/games/{over.pk}/turns/1/branch/",
    ]
    assert "Your accuracy:" not in read(None).get(address).text


def test_an_analysis_lists_the_reader_s_branches_with_their_turns(
    over: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    made(asked(alice, over))
    branch = create_branch(user=bob, game=over, turn=1, name="Left", orders={}, headings={}, now=NOW)
    link = f'<a href="/games/{over.pk}/branches/{branch.token}/">Left</a>'
    assert link in read(bob).get(f"/games/{over.pk}/analysis/").html
    for other in (alice, None):
        assert branch.token not in read(other).get(f"/games/{over.pk}/analysis/").html
    back = f'href="/games/{over.pk}/analysis/#turn-1"'
    assert back in read(None).get(f"/games/{over.pk}/branches/{branch.token}/").html


def test_decisive_turns_are_moments_of_the_film(
    over: Game, alice: User, bob: User, read: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MIN_SWING", 0.0)
    turn = f"/games/{over.pk}/turns/1/"
    assert swings(over, bob) == []
    assert f'href="/games/{over.pk}/analysis/#turn-1"' in read(None).get(turn).html
    made(asked(alice, over))
    found = swings(over, bob)
    assert [each["turn"] for each in found] == [0, 1]
    assert found[0]["at"] == "0.1", "no phase decided it"
    page = read(bob).get(turn)
    assert "Turn 0 " in page.text and "Turn 0, phase" not in page.text
    for each in found:
        assert f"/games/{over.pk}/turns/{each['turn']}/?at={each['at']}" in page.html
        assert each["sentence"] in page.text
    sentences = [each["sentence"] for each in swings(over, AnonymousUser())]
    assert not any("Your" in sentence for sentence in sentences)


def test_swings_of_a_running_game_are_only_for_their_player(
    trio: Game, table: Table, alice: User, bob: User, carol: User, dave: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MIN_SWING", 0.0)
    table.play(trio, alice, bob, carol)
    made(asked(alice, trio))
    mine = swings(trio, alice)
    assert mine and all(each["robot"] == "Alice" for each in mine)
    assert swings(trio, bob) == swings(trio, dave) == []


def test_swings_come_from_the_analysis_that_was_asked_for_last(
    over: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MIN_SWING", 0.0)
    analysis = made(asked(alice, over))
    before = swings(over, bob)
    assert analysis.review is not None
    analysis.review["turns"][1]["after"] = [0.0, 0.0, 1.0]
    analysis.asked_at = later(hours=1)
    analysis.save()
    assert swings(over, bob) != before


def swings(game: Game, viewer: Viewer) -> list[MomentView]:
    return [each for each in list_moments(game=game, viewer=viewer)["moments"] if each["kind"] == "swing"]


def test_a_stopped_analysis_can_be_continued(over: Game, alice: User, read: ReaderOf) -> None:
    asked(alice, over)
    page = read(alice).post(f"/games/{over.pk}/analysis/stop/")
    assert "Stopped after 0 of 2 turns." in page.text and "Continue the analysis" in page.text


def test_a_failed_analysis_says_why(over: Game, alice: User, read: ReaderOf) -> None:
    asked(alice, over)
    Analysis.objects.update(
        status="failed", failure="deadly-analysis: 3", asked_by=None, finished_at=NOW, review=None
    )
    assert "died 3 times" in read(alice).get(f"/games/{over.pk}/analysis/").text


def test_the_reason_why_there_is_no_analysis_is_on_the_page_of_the_game(
    trio: Game, dave: User, read: ReaderOf, api: ApiOf
) -> None:
    page = read(dave).get(f"/games/{trio.pk}/analysis/")
    assert page.status == 409 and "until it is over" in page.text
    assert api(dave).get(f"games/{trio.pk}/analysis").refusal == (409, "not-over")


def test_a_deleted_person_stays_under_the_placeholder(
    over: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    made(asked(alice, over))
    erased(bob)
    page = read(alice).get(f"/games/{over.pk}/analysis/")
    assert "Bob" not in page.html and f"Deleted-{bob.pk}" in page.text


def test_programs_start_follow_and_stop_an_analysis(over: Game, alice: User, api: ApiOf) -> None:
    client, path = api(alice), f"games/{over.pk}/analysis"
    assert client.get(path).refusal == (404, "no-analysis")
    assert client.post(path).body["status"] == "waiting"
    assert client.delete(path).body["status"] == "stopped"
    client.post(path)
    made(Analysis.objects.get())
    answer = client.get(path).body
    assert (answer["status"], answer["reviewed"], len(answer["players"])) == ("done", 2, 3)
    assert answer["review"]["format"] == "review/1"
    assert api(None).get(path).body == answer


def test_letters_beside_the_graph_do_not_overlap() -> None:
    robots = [Robot(name, look, name, mine=False) for look, name in enumerate("ABCD", 1)]
    turns = [{"turn": 1, "before": [0.25] * 4, "after": [1.0, 0.0, 0.0, 0.0]}]
    drawn = graph_of(turns, robots, {1})
    heights = [float(each) for each in re.findall(r'chances-letter"[^>]* y="([\d.]+)%"', drawn)]
    assert heights == [0.0, 100.0 - 2 * LETTER_GAP, 100.0 - LETTER_GAP, 100.0]


def test_only_you_see_your_accuracy_over_time_unless_you_show_it(
    over: Game, alice: User, bob: User, dave: User, read: ReaderOf, api: ApiOf
) -> None:
    assert "Accuracy and luck" not in read(alice).get("/players/Alice/").text
    made(asked(alice, over))
    page = read(alice).get("/players/Alice/")
    assert "Your accuracy in 1 analysed game:" in page.text
    assert f"/games/{over.pk}/analysis/" in page.links
    assert "Only you can see this." in page.text
    assert "Accuracy and luck" not in read(bob).get("/players/Alice/").text
    assert api(bob).get("players/Alice").body["accuracy"] is None
    own = api(alice).get("players/Alice").body["accuracy"]
    assert [game["id"] for game in own["games"]] == [over.pk]
    User.objects.filter(pk=alice.pk).update(shows_accuracy="players")
    assert "Others can see this." in read(alice).get("/players/Alice/").text
    assert "Accuracy in 1 analysed game:" in read(bob).get("/players/Alice/").text
    assert "Accuracy and luck" not in read(dave).get("/players/Alice/").text
    User.objects.filter(pk=alice.pk).update(shows_accuracy="everybody")
    assert api(dave).get("players/Alice").body["accuracy"] == own
    Game.objects.filter(pk=over.pk).update(private=True)
    assert api(dave).get("players/Alice").body["accuracy"] is None, "others see public games only"
    assert api(bob).get("players/Alice").body["accuracy"] == own, "Bob played in it"
    over.players.filter(user=alice).update(shared=True)
    assert "Accuracy and luck" not in read(alice).get("/players/Alice/").text

"""The pages of votes: which votes are possible, and the state of open votes."""

import pytest

from accounts.models import User
from games.play.models import Game
from games.votes.models import Vote
from games.votes.services import call_vote, cast_ballot
from tests.games.reader import ReaderOf
from tests.games.support import NOW


@pytest.fixture
def call_off_vote(trio: Game, alice: User) -> Vote:
    return call_vote(user=alice, game_id=trio.pk, kind="call-off", now=NOW)


def path(game: Game, vote: Vote | None = None) -> str:
    return f"/games/{game.pk}/votes/" + (f"{vote.pk}/" if vote else "")


def test_the_page_lists_possible_votes_with_their_majorities(trio: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(path(trio))
    for words in (
        "Replace a player",
        "More than half of the voters, and at least 2, must vote yes within 3 days.",
        "Pause the game",
        "More than half of the voters must vote yes. After 1 day, only those who have voted are counted.",
        "Cancel the game",
        "Two thirds of the voters must vote yes. After 3 days, only those who have voted are counted.",
        "Concede the game",
        "All voters must vote yes within 3 days. Not voting counts as no.",
    ):
        assert words in page.text
    assert page.html.count("Start a vote") == 4  # no pause to end


def test_others_see_it_but_cannot_call_votes(
    trio: Game, call_off_vote: Vote, dave: User, read: ReaderOf
) -> None:
    for viewer in (dave, None):
        page = read(viewer).get(path(trio))
        assert "Should the game be cancelled, without a winner?" in page.text
        assert "Start a vote" not in page.text
        assert path(trio, call_off_vote) not in page.html


def test_a_vote_is_called(trio: Game, alice: User, read: ReaderOf) -> None:
    answer = read(alice).post(path(trio), kind="pause", days="7")
    assert (answer.status, answer.address) == (200, path(trio))
    vote = Vote.objects.get()
    assert (vote.kind, vote.days, vote.asked_by) == ("pause", 7, alice)
    page = read(alice).get(path(trio))
    assert "Should the game pause for 7 days?" in page.text
    assert page.html.count("Start a vote") == 3


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        ({}, 422, "There is no kind of vote “”"),
        ({"kind": "eject", "seat": "two"}, 400, "Give the “seat” of the player to replace"),
        ({"kind": "pause", "days": "9" * 30}, 400, "Give the length of the pause in “days”"),
        ({"kind": "call-off"}, 409, "A vote of this kind is already open."),
    ],
)
def test_an_impossible_vote_is_refused_on_the_page(
    trio: Game, call_off_vote: Vote, alice: User, read: ReaderOf, sent: dict[str, str], status: int, said: str
) -> None:
    answer = read(alice).post(path(trio), **sent)
    assert (answer.status, said in answer.text) == (status, True)


def test_a_recently_refused_vote_is_not_offered(trio: Game, alice: User, bob: User, read: ReaderOf) -> None:
    call_vote(user=alice, game_id=trio.pk, kind="pause", days=2, now=NOW)
    for person in (bob, trio.players.get(number=3).user):
        assert person
        vote = Vote.objects.get(kind="pause")
        cast_ballot(user=person, game_id=trio.pk, vote_id=vote.pk, yes=False, now=NOW)
    page = read(alice).get(path(trio))
    assert ('name="days"' in page.html, page.html.count("Start a vote")) == (False, 3)
    assert "Only players who can vote can start a vote." not in page.text


def test_an_open_vote_is_shown_and_answered_on_the_game_s_page(
    trio: Game, call_off_vote: Vote, bob: User, carol: User, read: ReaderOf
) -> None:
    page = read(bob).get(trio.get_absolute_url())
    assert "Should the game be cancelled, without a winner?" in page.text
    assert "Yet to vote" in page.text
    answer = read(bob).post(path(trio, call_off_vote), say="no", from_game="1")
    assert (answer.status, answer.address) == (200, trio.get_absolute_url())
    assert (
        "You voted no. You can change this until the vote is decided."
        in read(bob).get(trio.get_absolute_url()).text
    )
    answer = read(carol).post(path(trio, call_off_vote), say="yes")
    assert (answer.status, answer.address) == (200, trio.get_absolute_url())  # the pause has ended
    page = read(bob).get(trio.get_absolute_url())
    assert "The players voted to cancel the game. There is no winner." in page.text
    decided = read(bob).get(path(trio)).text
    assert "Turn 1, started by Alice. Yes: Alice, Carol. No: Bob. Voters: 3." in decided
    assert "You can vote only while a game is running." in decided


def test_without_open_votes_the_page_of_the_game_shows_no_votes(
    trio: Game, alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(trio.get_absolute_url())
    assert 'data-part="votes"' not in page.html
    assert path(trio) in page.html

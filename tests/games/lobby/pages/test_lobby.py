"""The page of a lobby: joining, choosing a robot, readiness and leaving."""

import re
from urllib.parse import quote

import pytest

from accounts.guests import make_guest
from accounts.models import User
from games.lobby import invitations
from games.lobby.invitations import renew_link
from games.lobby.seats import change_seat, join_game, set_ready
from games.lobby.services import change_game
from games.play.models import Game
from tests.games.reader import Answer, ReaderOf
from tests.games.support import DUCTS, NOW, Table


@pytest.fixture
def lobby(table: Table, alice: User) -> Game:
    """A lobby of Alice with two open seats."""
    return table.game(alice, seats=3)


@pytest.fixture
def secret(table: Table, alice: User) -> Game:
    """A private lobby of Alice with one open seat."""
    return table.game(alice, seats=2, private=True)


def test_the_lobby_shows_the_seats(lobby: Game, read: ReaderOf) -> None:
    page = read(None).get(lobby.get_absolute_url())
    assert page.status == 200
    assert "1 of 3 taken Alice host ready 100 % reliable free free" in page
    assert "The game starts once all seats are taken and all players are ready." in page
    assert "Sign up to join or log in" in page
    assert page.actions == []


def test_the_lobby_describes_all_settings(table: Table, alice: User, dave: User, read: ReaderOf) -> None:
    options = {"lives": 4, "hull_damage": True, "scanners": 0, "equipment": False}
    game = table.game(alice, seats=3, options=options, house_rules={"damage_limit": 7}, starts_itself=False)
    page = read(dave).get(game.get_absolute_url())
    for sentence in (
        "4 lives, hull damage",
        "Damage that destroys a robot: 7",
        "Pace 1 day a turn",
        "It starts when the host starts it",
        "Visible to everyone",
    ):
        assert sentence in page, sentence
    assert f"{game.get_absolute_url()}rulebook/" in page.links


def test_a_stranger_logs_in_to_join_and_returns(secret: Game, dave: User, read: ReaderOf) -> None:
    address = f"{secret.get_absolute_url()}?link={secret.link_token}"
    page = read(None).get(address)
    assert "Alice invites you to this game. Playing is free." in page
    onward = f"?next={quote(address, safe='')}"
    assert page.links.count(f"/accounts/login/{onward}") >= 2, "in the header and in the panel"
    assert page.links.count(f"/accounts/signup/{onward}") >= 2
    guest = read(make_guest()).get(address)
    assert "Guests can’t join games with other people. Sign up to join. You’ll keep your games." in guest
    assert "Alice invites you to this game." in read(dave).get(address)
    posted = read(None).post(f"{secret.get_absolute_url()}join/", link=secret.link_token)
    assert posted.address.startswith("/accounts/login/?next=")
    assert secret.link_token in posted.address


def test_a_visitor_of_a_hidden_game_is_asked_to_log_in_as_for_an_unknown_one(
    secret: Game, dave: User, read: ReaderOf
) -> None:
    for place in ("", "votes/", "turns/1/"):
        pages = []
        for number in (secret.pk, secret.pk + 1):
            page = read(None).get(f"/games/{number}/{place}")
            assert page.status == 404 and "Log in to see this game" in page
            assert "only its players and people with its full link can see it" in page
            onward = f"?next=%2Fgames%2F{number}%2F{place.replace('/', '%2F')}"
            assert page.links.count(f"/accounts/login/{onward}") == 2, "in the header, and the first button"
            pages.append(page.text)
        assert pages[0] == pages[1]
    assert "Log in" not in read(dave).get(secret.get_absolute_url())
    assert "There is no game at this address, or it is private." in read(dave).get(secret.get_absolute_url())


def test_a_replaced_link_says_so_and_reveals_nothing_about_the_game(
    secret: Game, alice: User, dave: User, read: ReaderOf
) -> None:
    old = secret.link_token
    renew_link(user=alice, game_id=secret.pk, now=NOW)
    for reader in (read(None), read(dave)):
        pages = [reader.get(f"/games/{number}/?link={old}") for number in (secret.pk, secret.pk + 1)]
        assert pages[0].status == 404 and pages[0].text == pages[1].text
        assert "This link is incomplete or no longer works. Ask the person who sent it" in pages[0]
    assert "Ask the person who sent it" in read(dave).post(f"{secret.get_absolute_url()}join/", link=old)
    assert read(alice).get(f"{secret.get_absolute_url()}?link={old}").status == 200, "she needs no link"


def test_a_removed_player_reads_that_they_are_no_longer_in_the_game(
    secret: Game, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    join_game(user=bob, game_id=secret.pk, link=secret.link_token, ready=False, now=NOW)
    there = secret.get_absolute_url()
    read(alice).post(f"{there}seats/2/remove/")
    for page in (read(bob).get(f"{there}?link={secret.link_token}"), read(bob).post(f"{there}ready/")):
        assert page.status == 404
        assert "You are no longer in this game." in page and "/my-room/" in page.links
        assert secret.name not in page
    assert "no longer" not in read(dave).get(there)


def test_joining_makes_bob_ready_and_he_can_leave(lobby: Game, bob: User, read: ReaderOf) -> None:
    page = read(bob).post(f"{lobby.get_absolute_url()}join/")
    assert "You joined and are ready." in page
    assert "Bob ready" in page
    assert "Bob joined." in page
    assert f"{lobby.get_absolute_url()}leave/" in page.actions
    page = read(bob).post(f"{lobby.get_absolute_url()}leave/")
    assert page.address == "/games/"
    assert "You left First flight." in page
    assert lobby.players.count() == 1


def test_bob_can_join_without_being_ready(lobby: Game, bob: User, read: ReaderOf) -> None:
    page = read(bob).post(f"{lobby.get_absolute_url()}join/", ready="no")
    assert "You joined. Confirm when you are ready." in page
    assert "Are you ready?" in page
    assert "Bob not ready yet" in page
    assert "You are ready" in read(bob).post(f"{lobby.get_absolute_url()}ready/", ready="yes")
    assert "Are you ready?" in read(bob).post(f"{lobby.get_absolute_url()}ready/", ready="no")


def test_the_last_to_join_starts_the_game(table: Table, alice: User, bob: User, read: ReaderOf) -> None:
    game = table.game(alice, seats=2)
    assert "The game starts as soon as you join." in read(bob).get(game.get_absolute_url())
    page = read(bob).post(f"{game.get_absolute_url()}join/")
    assert "You joined, and the game has started." in page
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_the_last_to_be_ready_starts_the_game(table: Table, alice: User, bob: User, read: ReaderOf) -> None:
    game = table.game(alice, seats=2)
    read(bob).post(f"{game.get_absolute_url()}join/", ready="no")
    game.refresh_from_db()
    assert game.status == Game.Status.OPEN, "Bob has not agreed"
    assert "Waiting for all players to be ready" in read(alice).get(game.get_absolute_url())
    page = read(bob).post(f"{game.get_absolute_url()}ready/", ready="yes")
    assert "All players are ready. The game has started." in page


def terms(page: Answer) -> str:
    found = re.search(r'name="terms" value="([^"]+)"', page.html)
    assert found
    return found.group(1)


def change_lives(game: Game, alice: User) -> None:
    change_game(user=alice, game_id=game.pk, changes={"options": {"lives": 9}}, now=NOW)


@pytest.mark.parametrize("from_my_room", [False, True])
def test_joining_never_accepts_unseen_terms(
    from_my_room: bool, table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=2)
    invitations.invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    stale = terms(read(bob).get("/my-room/" if from_my_room else game.get_absolute_url()))
    change_lives(game, alice)
    page = read(bob).post(f"{game.get_absolute_url()}join/", terms=stale)
    assert "The settings have just changed. Check them, then confirm that you are ready." in page
    game.refresh_from_db()
    assert (game.status, game.players.get(user=bob).ready) == (Game.Status.OPEN, False)
    assert read(bob).post(f"{game.get_absolute_url()}ready/", ready="yes", terms=terms(page)).status == 200
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_an_outdated_page_never_accepts_unseen_terms(
    lobby: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    page = read(bob).post(f"{lobby.get_absolute_url()}join/", ready="no")
    stale, changed = terms(page), "The settings have changed since you joined."
    assert changed not in page
    change_lives(lobby, alice)
    assert changed in read(bob).get(lobby.get_absolute_url())
    assert changed not in read(alice).get(lobby.get_absolute_url())
    page = read(bob).post(f"{lobby.get_absolute_url()}ready/", ready="yes", terms=stale)
    assert page.status == 409
    assert "The settings changed after you saw them." in page
    assert not lobby.players.get(user=bob).ready
    assert read(bob).post(f"{lobby.get_absolute_url()}ready/", ready="no", terms=stale).status == 200


def primaries(page: Answer) -> list[str]:
    """Return the texts of a lobby's primary buttons."""
    acts = page.html.partition("console-acts")[2].partition("console-tabs")[0]
    found = re.findall(r'(?s)<(?:button|a)\b[^>]*class="button(?: button-move)?"[^>]*>(.*?)</', acts)
    return [" ".join(words.split()) for words in found]


def test_a_lobby_has_one_primary_button_for_the_next_step(
    table: Table, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=3, starts_itself=False)
    there = game.get_absolute_url()
    assert primaries(read(alice).get(there)) == ["Copy link"]
    invitations.invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    page = read(alice).get(there)
    assert "Bob has not answered yet." in page
    assert primaries(page) == ["Copy link"]
    assert primaries(read(bob).get(there)) == ["Join this game"]
    join_game(user=bob, game_id=game.pk, now=NOW)
    join_game(user=carol, game_id=game.pk, ready=False, now=NOW)
    assert primaries(read(alice).get(there)) == []
    assert primaries(read(carol).get(there)) == ["I am ready"]
    set_ready(user=carol, game_id=game.pk, now=NOW)
    assert primaries(read(alice).get(there)) == ["Start the game"]
    assert primaries(read(carol).get(there)) == []
    assert primaries(read(None).get(there)) == ["Sign up to join"]


def test_a_host_adds_computers_with_one_click_each(table: Table, alice: User, read: ReaderOf) -> None:
    game = table.game(alice, seats=4, computers=["ace"])
    there = game.get_absolute_url()
    assert primaries(read(alice).get(there)) == ["Add another Ace"]
    page = read(alice).post(f"{there}computers/", strength="ace")
    assert primaries(page) == ["Add another Ace"]
    read(alice).post(f"{there}computers/", strength="ace")
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_a_host_reads_what_a_full_lobby_does_and_fills_it_with_one_press(
    table: Table, alice: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=8)
    page = read(alice).get(game.get_absolute_url())
    assert "Fill 7 seats with computers" in page and "With all seats taken, the game starts at once." in page
    page = read(alice).post(f"{game.get_absolute_url()}computers/", strength="ace", fill="7")
    assert "All players are ready. The game has started." in page
    assert game.players.filter(computer="ace").count() == 7


def test_a_lobby_with_one_free_seat_says_before_the_press_that_it_waits(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    sentences = {
        True: "With all seats taken, the game starts as soon as all players are ready.",
        False: "With all seats taken, the game waits for the host to start it.",
    }
    for starts_itself, sentence in sentences.items():
        game = table.game(alice, seats=3, starts_itself=starts_itself)
        join_game(user=bob, game_id=game.pk, ready=False, now=NOW)
        page = read(alice).get(game.get_absolute_url())
        assert sentence in page
        assert 'name="fill"' not in page.html


def test_a_full_lobby_says_so_and_has_no_invitation_form(
    table: Table, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=2)
    invite = f"{game.get_absolute_url()}invite/#invite"
    invitations.invite(user=alice, game_id=game.pk, email="friend@example.org", now=NOW)
    assert invite in read(alice).get(game.get_absolute_url()).actions
    join_game(user=bob, game_id=game.pk, ready=False, now=NOW)
    page = read(alice).get(game.get_absolute_url())
    assert invite not in page.actions
    assert "game-link" not in page.html
    assert "friend@example.org no answer yet" in page, "it can still be withdrawn"
    seen = read(dave).get(game.get_absolute_url())
    assert "All seats are taken" in seen and f"{game.get_absolute_url()}join/" not in seen.actions


def test_bob_chooses_a_robot_by_picture_and_his_favourite_comes_first(
    lobby: Game, bob: User, read: ReaderOf
) -> None:
    bob.look = 6
    bob.save(update_fields=["look"])
    assert read(bob).get(lobby.get_absolute_url()).chosen("look") == "6"
    bob.look = 1
    bob.save(update_fields=["look"])
    assert read(bob).get(lobby.get_absolute_url()).chosen("look") == "2", "Alice has that one"
    page = read(bob).get(lobby.get_absolute_url())
    assert re.search(r'name="look" value="1"[^>]*\bdisabled', page.html), "that is Alice’s"
    assert page.chosen("look") == "2"
    read(bob).post(f"{lobby.get_absolute_url()}join/", look="7")
    assert lobby.players.get(user=bob).look == 7
    page = read(bob).post(f"{lobby.get_absolute_url()}seat/", look="4")
    assert "You changed your robot." in page
    assert page.chosen("look") == "4"


@pytest.mark.parametrize(("look", "status"), [("1", 409), ("9", 422)])
def test_a_taken_or_unknown_robot_is_refused(
    look: str, status: int, lobby: Game, bob: User, read: ReaderOf
) -> None:
    page = read(bob).post(f"{lobby.get_absolute_url()}join/", look=look)
    assert page.status == status
    assert 'role="alert"' in page.html
    assert lobby.players.count() == 1


def test_a_private_game_is_joined_by_its_link(secret: Game, alice: User, bob: User, read: ReaderOf) -> None:
    shown = re.search(
        r'id="game-link" value="http://testserver([^"]*)"', read(alice).get(secret.get_absolute_url()).html
    )
    assert shown
    page = read(bob).get(shown.group(1))
    assert page.status == 200
    assert "game-link" not in page.html  # only players may share the link
    action = f"{secret.get_absolute_url()}join/"
    assert action in page.actions
    given = re.search(r'name="link" value="([^"]*)"', page.html)
    assert given
    assert "You joined, and the game has started." in read(bob).post(action, link=given.group(1))


def test_an_open_page_is_notified_of_every_change(
    lobby: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    pulse = f"{lobby.get_absolute_url()}pulse/"
    version = read(alice).client.get(pulse).json()["version"]

    def news() -> str:
        nonlocal version
        told = read(alice).client.get(pulse, {"seen": version}).json()
        version = told["version"]
        return str(told["news"])

    assert news() == ""
    join_game(user=bob, game_id=lobby.pk, ready=False, now=NOW)
    assert news()
    set_ready(user=bob, game_id=lobby.pk, now=NOW)
    assert news()
    change_seat(user=bob, game_id=lobby.pk, look=8, now=NOW)
    assert news()
    change_game(user=alice, game_id=lobby.pk, changes={"name": "Second flight"}, now=NOW)
    assert news()
    assert news() == ""


def test_full_squads_are_not_offered(alice: User, bob: User, read: ReaderOf) -> None:
    game = Table(DUCTS.saved()).game(alice, seats=2, ruleset="robo-recon", squad="red")
    page = read(bob).get(game.get_absolute_url())
    assert 'value="blue"' in page.html
    assert 'value="red"' not in page.html

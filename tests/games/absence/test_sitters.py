"""A friend orders for a player on some days, sees that seat's hand, and nothing else."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client

from accounts.models import User
from games.absence.models import SitterTurn, Sitting
from games.absence.seats import give_up_seat, resign_game, take_seat
from games.absence.sitters import (
    accept_sitting,
    ask_sitter,
    days_with_sitter,
    end_sitting,
    end_sittings,
    notify_sitters,
)
from games.chat.services import post_line
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.lobby.services import change_game
from games.moderation.models import Case, Sanction
from games.news.delivery import send_notification
from games.news.models import Notice
from games.people.contacts import block, follow
from games.play.models import Draft, Game, Program
from games.play.orders import mark_turn_seen, save_draft, submit_orders
from games.play.pages.streams import grant_for, lost_grants, of_api
from games.play.viewers import played_seat, sitting_in, visible_games
from tests.games.api_client import ApiOf
from tests.games.deletions import erased
from tests.games.reader import ReaderOf
from tests.games.support import (
    NOW,
    Table,
    code_of,
    game_seen,
    history_of,
    later,
    leave_to_computer,
    open_turn,
    orders_for,
)

TODAY = NOW.date()


def befriend(*people: User) -> None:
    for user in people:
        for other in people:
            if user != other:
                follow(user=user, robo_name=other.robo_name, now=NOW)


def asked(owner: User, sitter: User, days: int = 3, first: date = TODAY) -> Sitting:
    befriend(owner, sitter)
    last = first + timedelta(days=days - 1)
    return ask_sitter(user=owner, robo_name=sitter.robo_name, first=first, last=last, now=NOW)


def sits(owner: User, sitter: User, **days: Any) -> Sitting:
    """Make a person another player's sitter from today on."""
    return accept_sitting(user=sitter, sitting_id=asked(owner, sitter, **days).pk, now=NOW)


def order(game: Game, owner: User, sitter: User, **more: Any) -> None:
    turn = open_turn(game)
    given = {"document": orders_for(game, owner), "now": NOW, **more}
    submit_orders(user=sitter, game_id=game.pk, turn_number=turn.number, **given)


@pytest.fixture
def sitting(dealt: Game, bob: User, carol: User) -> Sitting:
    """Carol sits for Bob. He plays with Alice."""
    return sits(bob, carol)


def test_a_sitter_sees_the_seat_s_hand_and_orders_for_it(
    dealt: Game, bob: User, carol: User, sitting: Sitting
) -> None:
    mine, theirs = game_seen(viewer=bob, game=dealt), game_seen(viewer=carol, game=Game.objects.get())
    assert theirs["me"] == {**mine["me"], "sits": True}
    assert {**theirs, "me": mine["me"]} == mine
    order(dealt, bob, carol)
    program = Program.objects.get()
    assert program.by == Program.Author.PLAYER
    assert program.hand.seat.user == bob
    assert history_of(dealt)[-1] == "Carol submitted orders for Bob in turn 1, as their sitter."
    seat = dealt.players.get(user=bob)
    assert (seat.ordered_at, seat.visited_at) == (NOW, None), "as he ordered in turn 0"
    assert SitterTurn.objects.get().chips != ["", "", "", "", ""]


def test_a_sitter_learns_no_secrets_of_other_seats(
    table: Table, dealt: Game, alice: User, carol: User, sitting: Sitting, client: Client
) -> None:
    """Two worlds: Alice has another hand, another draft and other orders. The sitter's page is the same."""
    client.force_login(carol)

    def page() -> tuple[str, dict[str, Any]]:
        html = client.get(dealt.get_absolute_url()).content.decode()
        return html.partition("csrfmiddlewaretoken")[0], game_seen(viewer=carol, game=Game.objects.get())

    table.move(dealt, alice)
    before = page()
    hand = open_turn(dealt).hands.get(seat__user=alice)
    hand.chips["chips"] = hand.chips["chips"][::-1]
    hand.save()
    Program.objects.filter(hand=hand).update(orders={"format": "orders/1", "registers": [1, 2, 3, 4, 5]})
    Draft.objects.create(game=dealt, hand=hand, orders={"format": "orders/1"}, saved_at=NOW)
    assert page() == before


def test_a_sitter_can_do_nothing_but_order(dealt: Game, bob: User, carol: User, sitting: Sitting) -> None:
    of = {"user": carol, "game_id": dealt.pk}
    assert code_of(Forbidden, post_line, **of, text="Hello", now=NOW) == "no-seat"
    assert code_of(Forbidden, resign_game, **of, now=NOW) == "no-seat"
    assert code_of(Forbidden, give_up_seat, **of, now=NOW) == "no-seat"
    assert code_of(Forbidden, mark_turn_seen, user=carol, game=dealt, turn_number=0) == "no-seat"


def test_the_game_page_offers_a_sitter_only_the_orders(
    dealt: Game, bob: User, carol: User, dave: User, sitting: Sitting, read: ReaderOf, client: Client
) -> None:
    page = read(carol).get(dealt.get_absolute_url()).html
    assert "You sit for Bob" in page
    order(dealt, bob, carol)
    shown = read(dave).get(dealt.get_absolute_url()).text
    assert "Carol submitted orders for Bob in turn 1, as their sitter." in shown, "everyone sees it"
    assert 'name="register-1"' in page
    for address in ("resign", "news", "standing", "seen", "votes"):
        assert f"/games/{dealt.pk}/{address}/" not in page or address == "votes"
    client.force_login(carol)
    for address in ("resign", "news", "standing"):
        assert client.get(f"/games/{dealt.pk}/{address}/").status_code == 403, address
    assert client.post(f"/games/{dealt.pk}/pulse/").status_code in (204, 404)
    assert dealt.players.get(user=bob).visited_at is None


def test_a_sitter_orders_on_the_page_until_it_ends_between_load_and_submit(
    dealt: Game, bob: User, carol: User, sitting: Sitting, client: Client
) -> None:
    client.force_login(carol)
    registers = orders_for(dealt, bob)["registers"]
    form = {"program": "1"} | {f"register-{place}": chip for place, chip in enumerate(registers, 1)}
    form = {name: value for name, value in form.items() if value is not None}
    end_sitting(user=bob, sitting_id=sitting.pk, now=NOW)
    refused = client.post(f"/games/{dealt.pk}/turns/1/orders/", {**form, "despite": "x"})
    assert refused.status_code == 403
    assert "You don’t sit for Bob in this game any more" in refused.content.decode()
    assert not Program.objects.exists()
    assert game_seen(viewer=carol, game=Game.objects.get())["me"] is None
    code = code_of(Forbidden, save_draft, user=carol, game_id=dealt.pk, turn_number=1, document={}, now=NOW)
    assert code == "sitting-over"


def test_the_owner_is_told_what_the_sitter_ordered(
    dealt: Game, bob: User, carol: User, sitting: Sitting
) -> None:
    order(dealt, bob, carol)
    order(dealt, bob, carol, document={**orders_for(dealt, bob, seed=2)})
    [notice] = Notice.objects.filter(kind="sit-order", channel="mail")
    assert notice.user == bob
    assert send_notification(notice_id=notice.pk, now=NOW)
    sent = mail.outbox[-1]
    assert sent.subject == "First flight, turn 1: Carol ordered for you"
    assert "Register 1: " in str(sent.body)


def test_a_sitter_is_notified_of_each_turn_that_waits_once(
    table: Table, dealt: Game, alice: User, bob: User, carol: User, sitting: Sitting
) -> None:
    assert notify_sitters(now=NOW) == 1
    assert notify_sitters(now=NOW) == 0
    [notice] = Notice.objects.filter(kind="sit-turn")
    assert (notice.user, notice.turn) == (carol, 1)
    assert send_notification(notice_id=notice.pk, now=NOW)
    assert mail.outbox[-1].subject == "First flight, turn 1: order for Bob"
    table.play(dealt, alice, bob)
    assert notify_sitters(now=NOW) == 1
    table.move(dealt, bob)
    late = Notice.objects.get(kind="sit-turn", turn=2)
    assert not send_notification(notice_id=late.pk, now=NOW)
    late.refresh_from_db()
    assert late.status == Notice.Status.SEEN


def test_a_sitter_never_sees_two_hands_of_a_game(
    trio: Game, alice: User, bob: User, carol: User, dave: User
) -> None:
    sits(bob, carol)
    assert sitting_in(viewer=carol, game=Game.objects.get()) is None, "she plays in it"
    first = sits(bob, dave, first=TODAY + timedelta(days=5))
    assert sitting_in(viewer=dave, game=Game.objects.get(), now=later(days=5)) == first
    sits(alice, dave, first=TODAY + timedelta(days=5))
    assert sitting_in(viewer=dave, game=Game.objects.get(), now=later(days=5)) is None, "he has two players"


def test_a_sitter_of_this_turn_sits_for_no_other_player_until_the_next(
    table: Table, trio: Game, alice: User, bob: User, carol: User, dave: User
) -> None:
    first = sits(bob, dave)
    end_sitting(user=bob, sitting_id=first.pk, now=NOW)
    second = sits(alice, dave)
    assert sitting_in(viewer=dave, game=Game.objects.get()) is None, "he saw Bob's hand"
    table.play(trio, alice, bob, carol, now=later(minutes=1))
    assert sitting_in(viewer=dave, game=Game.objects.get(), now=later(minutes=2)) == second


def test_a_former_player_of_a_game_is_no_sitter_in_it(trio: Game, bob: User, carol: User) -> None:
    sits(bob, carol)
    game = leave_to_computer(trio, carol)
    assert sitting_in(viewer=carol, game=Game.objects.get(pk=game.pk)) is None


def test_a_sitter_takes_no_seat_of_the_game(trio: Game, alice: User, bob: User, dave: User) -> None:
    sitting = sits(bob, dave)
    leave_to_computer(trio, alice)
    of = {"user": dave, "game_id": trio.pk, "seat": trio.players.get(robot="Alice").number}
    assert code_of(Conflict, take_seat, **of, now=NOW) == "sits"
    end_sitting(user=dave, sitting_id=sitting.pk, now=NOW)
    assert code_of(Conflict, take_seat, **of, now=NOW) == "sits", "the hand of this turn is known"
    leave_to_computer(trio, bob)
    assert code_of(Conflict, take_seat, **of, now=NOW) == "sits", "even if its player has left"


def test_who_sits_only_later_may_take_a_seat(trio: Game, alice: User, bob: User, dave: User) -> None:
    sits(bob, dave, first=TODAY + timedelta(days=5))
    leave_to_computer(trio, alice)
    number = trio.players.get(robot="Alice").number
    take_seat(user=dave, game_id=trio.pk, seat=number, now=NOW)
    assert trio.players.get(number=number).user == dave


def test_hosts_rule_out_sitters(table: Table, alice: User, bob: User, carol: User) -> None:
    game = table.game(alice, bob, seats=3)
    change_game(user=alice, game_id=game.pk, changes={"sitters": False}, now=NOW)
    assert history_of(game)[-1] == "Alice ruled out sitters."
    fair = table.game(alice, bob, name="Fair", sitters=False)
    sits(bob, carol)
    assert sitting_in(viewer=carol, game=Game.objects.get(pk=fair.pk)) is None
    assert code_of(Forbidden, order, fair, bob, carol) == "no-seat"


def test_a_sitter_sees_a_private_game_while_sitting(
    table: Table, alice: User, bob: User, carol: User, client: Client
) -> None:
    game = table.game(alice, bob, private=True)
    client.force_login(carol)
    assert client.get(game.get_absolute_url()).status_code == 404
    sitting = sits(bob, carol)
    page = client.get(game.get_absolute_url())
    assert page.status_code == 200
    assert game.link_token not in page.content.decode()
    assert not visible_games(viewer=carol).filter(pk=game.pk).exists(), "no list shows it"
    request = of_api(page.wsgi_request)
    grant = grant_for(request, game.pk, "")
    assert lost_grants([grant], now=NOW) == set()
    end_sitting(user=bob, sitting_id=sitting.pk, now=NOW)
    assert lost_grants([grant], now=NOW) == {grant}, "her stream ends"
    assert client.get(game.get_absolute_url()).status_code == 404
    assert code_of(Forbidden, order, game, bob, carol) == "sitting-over"
    other = table.game(alice, bob, private=True, name="Later")
    Game.objects.filter(pk=other.pk).update(started_at=later(hours=1))
    assert code_of(NotFound, order, other, bob, carol) == "no-game", "no word about who plays in it"


def lock(user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def suspend(user: User) -> None:
    Sanction.objects.create(
        case=Case.objects.create(person=user, opened_at=NOW),
        user=user,
        by=user,
        kind=Sanction.Kind.SUSPENSION,
        rule="other",
        facts="Rude",
        at=NOW,
        days=9,
        ends_at=later(days=9),
    )


@pytest.mark.parametrize("whose", ["Bob", "Carol"])
def test_locks_and_blocks_end_it_at_once(
    dealt: Game, bob: User, carol: User, sitting: Sitting, whose: str
) -> None:
    user, other = (bob, carol) if whose == "Bob" else (carol, bob)
    for stop in (lock, suspend):
        with transaction.atomic():
            stop(user)
            assert sitting_in(viewer=carol, game=Game.objects.get()) is None
            transaction.set_rollback(True)
    block(user=user, robo_name=other.robo_name, now=NOW)
    assert sitting_in(viewer=carol, game=Game.objects.get()) is None
    assert end_sittings(now=NOW) == 1
    sitting.refresh_from_db()
    assert sitting.ended_at == NOW
    assert [notice.user for notice in Notice.objects.filter(kind="sit-over")] == [other]


def test_it_lasts_for_the_owner_s_days(dealt: Game, bob: User, carol: User) -> None:
    User.objects.filter(pk=bob.pk).update(time_zone="Asia/Tokyo")
    bob.refresh_from_db()
    sitting = sits(bob, carol, days=1)
    assert (sitting.begins_at, sitting.ends_at) == (later(hours=-21), later(hours=3))
    assert sitting_in(viewer=carol, game=Game.objects.get(), now=later(hours=2)) == sitting
    assert sitting_in(viewer=carol, game=Game.objects.get(), now=later(hours=3)) is None
    assert end_sittings(now=later(hours=3)) == 1
    assert not Notice.objects.filter(kind="sit-over").exists(), "all knew the day"
    end_sittings(now=later(days=400))
    assert not Sitting.objects.exists()


def test_only_a_friend_who_accepts_is_a_sitter(dealt: Game, bob: User, carol: User, dave: User) -> None:
    of = {"user": bob, "robo_name": "Carol", "first": TODAY, "last": TODAY, "now": NOW}
    assert code_of(Conflict, ask_sitter, **of) == "not-friends"
    befriend(bob, carol)
    sitting = ask_sitter(**of)
    assert played_seat(viewer=carol, game=Game.objects.get()) is None
    for stranger in (bob, dave):
        assert (
            code_of(NotFound, accept_sitting, user=stranger, sitting_id=sitting.pk, now=NOW) == "no-sitting"
        )
    assert code_of(NotFound, end_sitting, user=dave, sitting_id=sitting.pk, now=NOW) == "no-sitting"
    end_sitting(user=carol, sitting_id=sitting.pk, now=NOW)
    assert code_of(NotFound, accept_sitting, user=carol, sitting_id=sitting.pk, now=NOW) == "no-sitting"
    [notice] = Notice.objects.filter(kind="sit-over")
    assert send_notification(notice_id=notice.pk, now=NOW)
    assert mail.outbox[-1].subject == "Carol declined to sit for you"


def test_days_and_sitters_are_limited(bob: User, carol: User, dave: User) -> None:
    befriend(bob, carol, dave)

    def ask(first: int, last: int, name: str = "Carol") -> Sitting:
        days = {"first": TODAY + timedelta(days=first), "last": TODAY + timedelta(days=last)}
        return ask_sitter(user=bob, robo_name=name, **days, now=NOW)

    refusals: list[tuple[type[Exception], tuple[int, int], str]] = [
        (Invalid, (-1, 2), "no-sitter"),
        (Invalid, (3, 2), "no-sitter"),
        (Invalid, (400, 401), "no-sitter"),
        (Invalid, (0, 28), "no-sitter"),
    ]
    for error, days, code in refusals:
        assert code_of(error, ask, *days) == code  # type: ignore[arg-type]
    ask(0, 13)
    assert code_of(Conflict, ask, 13, 15, "Dave") == "overlaps"
    assert code_of(Invalid, ask, 14, 28, "Dave") == "no-sitter", "28 days a year"
    ask(14, 14, "Dave")
    ask(15, 15)
    assert code_of(Conflict, ask, 16, 16) == "too-many"
    assert days_with_sitter(user=bob, year=2026) == 16


@pytest.mark.parametrize("last", [date(2028, 1, 5), date(9999, 12, 31)])
def test_a_sitter_for_a_whole_year_is_refused(bob: User, carol: User, last: date) -> None:
    befriend(bob, carol)
    of = {"user": bob, "robo_name": "Carol", "first": date(2026, 12, 31), "last": last, "now": NOW}
    assert code_of(Invalid, ask_sitter, **of) == "no-sitter"


def test_days_after_an_early_end_do_not_count(bob: User, carol: User) -> None:
    sitting = sits(bob, carol, days=20)
    end_sitting(user=carol, sitting_id=sitting.pk, now=later(days=1))
    assert days_with_sitter(user=bob, year=2026) == 2
    planned = asked(bob, carol, days=20, first=TODAY + timedelta(days=3))
    end_sitting(user=bob, sitting_id=accept_sitting(user=carol, sitting_id=planned.pk, now=NOW).pk, now=NOW)
    assert days_with_sitter(user=bob, year=2026) == 2


def test_sittings_without_a_waiting_turn_keep_no_sitter_waiting(
    dealt: Game, bob: User, carol: User, dave: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.absence.sitters.SITTINGS_PER_PASS", 1)
    sits(dave, carol)
    sits(bob, carol)
    assert notify_sitters(now=NOW) == 1


def test_a_deleted_account_leaves_no_sitting(dealt: Game, bob: User, carol: User, sitting: Sitting) -> None:
    order(dealt, bob, carol)
    erased(carol)
    assert not Sitting.objects.exists()
    assert "Carol" not in " ".join(history_of(dealt))


def test_the_api_asks_accepts_lists_and_ends(dealt: Game, api: ApiOf, bob: User, carol: User) -> None:
    befriend(bob, carol)
    days = {"first": "2026-11-21", "last": "2026-11-22"}
    made = api(bob).post("me/sitters", {"robo_name": "carol", **days})
    assert made.status == 201
    assert api(bob).post("me/sitters", {"robo_name": "carol", **days}).refusal == (409, "overlaps")
    number = made.body["id"]
    [waiting] = api(carol).get("me/sitters").body["for_others"]
    assert (waiting["owner"], waiting["accepted"]) == ("Bob", False)
    assert api(bob).post(f"me/sitters/{number}/accept").refusal == (404, "no-sitting")
    accepted = api(carol).post(f"me/sitters/{number}/accept").body
    assert accepted["games"] == [{"id": dealt.pk, "name": "First flight", "waits": True}]
    assert api(carol).get(f"games/{dealt.pk}").body["me"]["sits"] is True
    orders = api(carol).post(f"games/{dealt.pk}/turns/1/orders", orders_for(dealt, bob))
    assert orders.status == 200
    assert api(bob).delete(f"me/sitters/{number}").body["mine"][0]["over"] is True
    assert api(carol).get(f"games/{dealt.pk}").body["me"] is None


def test_people_ask_accept_and_end_on_the_page(dealt: Game, bob: User, carol: User, client: Client) -> None:
    befriend(bob, carol)
    client.force_login(bob)
    form = {"robo_name": "Carol", "first": "2026-11-21", "last": "2026-11-23"}
    assert "asked your friend" in client.post("/settings/sitters/", form, follow=True).content.decode()
    assert client.post("/settings/sitters/", {**form, "robo_name": "Nobody"}).status_code == 422
    number = Sitting.objects.get().pk
    client.force_login(carol)
    assert "Bob asks you to submit their orders" in client.get("/settings/sitters/").content.decode()
    page = client.post(f"/settings/sitters/{number}/accept/", follow=True).content.decode()
    assert "First flight" in page
    assert "Waits for orders" in page
    assert "has ended" in client.post(f"/settings/sitters/{number}/end/", follow=True).content.decode()

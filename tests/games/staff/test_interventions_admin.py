"""Actions of staff on stuck games, in the admin."""

import html

from django.test import Client

from accounts.models import User
from games.play.models import Game, Turn
from games.play.resolution import MAX_ATTEMPTS
from games.staff.models import Intervention
from games.work.models import Alarm
from games.work.sweeper import sweep
from tests.games.admin_pages import address, do, listing, messages_in, permit
from tests.games.support import Table, later, open_turn

WHY = "The <mail> server was down."


def test_the_form_asks_for_a_reason_and_changes_nothing_yet(staff: Client, duel: Game) -> None:
    for action, words in (("cancel", "can’t be resumed"), ("extend", "get more time")):
        page = do(staff, action, duel)
        assert page.status_code == 200
        assert words in page.content.decode() and "Why?" in page.content.decode()
        assert f'value="{action}"' in page.content.decode()
    duel.refresh_from_db()
    assert (duel.status, open_turn(duel).deadline) == (Game.Status.RUNNING, later(hours=24))


def test_invalid_values_are_asked_again(staff: Client, duel: Game) -> None:
    wrong: list[tuple[dict[str, str], str]] = [
        ({"hours": "5", "reason": "  "}, "Give a reason. Players will read it."),
        ({"hours": "0", "reason": WHY}, "greater than or equal to 1"),
        ({"hours": "337", "reason": WHY}, "less than or equal to 336"),
    ]
    for given, fault in wrong:
        page = do(staff, "extend", duel, sure="yes", **given)
        assert page.status_code == 200 and fault in html.unescape(page.content.decode())
    assert open_turn(duel).deadline == later(hours=24)
    assert not Intervention.objects.exists()


def test_a_deadline_is_extended(staff: Client, duel: Game) -> None:
    assert messages_in(do(staff, "extend", duel, sure="yes", hours="5", reason=WHY)) == [
        "Deadline extended: First flight."
    ]
    done = Intervention.objects.get()
    assert (done.action, done.hours, done.reason, done.by) == (
        "extend",
        5,
        WHY,
        User.objects.get(robo_name="Erin"),
    )


def test_a_running_game_is_cancelled(staff: Client, duel: Game) -> None:
    assert messages_in(do(staff, "cancel", duel, sure="yes", reason=WHY)) == ["Cancelled: First flight."]
    duel.refresh_from_db()
    assert duel.status == Game.Status.CANCELLED


def test_a_player_is_replaced_by_a_computer(staff: Client, duel: Game) -> None:
    seat = duel.players.get(number=2)
    assert "A Rookie plays the robot" in do(staff, "replace", seat).content.decode()
    assert messages_in(do(staff, "replace", seat, sure="yes", reason=WHY)) == [
        "Replaced: Bob in First flight."
    ]
    seat.refresh_from_db()
    assert (seat.computer, Intervention.objects.get().seat) == ("rookie", seat)
    assert (
        "Staff replaced the player of Bob with a computer."
        in staff.get(listing(Intervention)).content.decode()
    )
    assert staff.get(address(seat)).status_code == 200


def test_a_finished_game_is_refused_separately_from_others(
    staff: Client, duel: Game, table: Table, alice: User, carol: User
) -> None:
    ended = table.game(alice, carol, name="Last flight")
    do(staff, "cancel", ended, sure="yes", reason=WHY)
    messages = messages_in(do(staff, "cancel", duel, ended, sure="yes", reason=WHY))
    assert "Last flight: This game is already over." in messages
    assert "Cancelled: First flight." in messages


def test_a_turn_that_failed_too_often_gets_another_try(staff: Client, duel: Game) -> None:
    turn = open_turn(duel)
    Turn.objects.filter(pk=turn.pk).update(attempts=MAX_ATTEMPTS, error="ValueError: a loose screw")
    messages = messages_in(do(staff, "resolve_again", turn, sure="yes", reason=WHY))
    assert messages == ["Will be resolved again: turn 0 of First flight."]
    turn.refresh_from_db()
    assert turn.attempts == 0


def test_an_alarm_s_action_retries_its_turn(
    staff: Client, duel: Game, messages: list[tuple[str, int]]
) -> None:
    Turn.objects.update(attempts=MAX_ATTEMPTS)
    sweep(now=later(hours=25))
    alarm = Alarm.objects.get()
    messages.clear()
    assert "turn 0 of First flight" in do(staff, "resolve_again", alarm).content.decode()
    assert messages == []
    response = do(staff, "resolve_again", alarm, sure="yes", reason=WHY)
    assert messages_in(response) == ["Will be resolved again: turn 0 of First flight."]
    assert messages == [("resolve_turn", alarm.turn_id)]
    assert open_turn(duel).attempts == 0


def test_a_resolved_turn_is_refused(staff: Client, duel: Game, table: Table, alice: User, bob: User) -> None:
    turn = table.play(duel, alice, bob)
    messages = messages_in(do(staff, "resolve_again", turn, sure="yes", reason=WHY))
    assert messages == ["turn 0 of First flight: This turn can no longer be played."]
    assert not Intervention.objects.exists()


def test_the_buttons_on_a_page_lead_to_the_form(staff: Client, duel: Game) -> None:
    page = staff.get(address(duel)).content.decode()
    assert f'name="_selected_action" value="{duel.pk}"' in page
    assert 'value="cancel"' in page and 'value="extend"' in page


def test_interventions_are_listed_with_their_authors(staff: Client, duel: Game) -> None:
    do(staff, "cancel", duel, sure="yes", reason=WHY)
    page = html.unescape(staff.get(listing(Intervention), {"q": "mail"}).content.decode())
    assert "Staff cancelled the game." in page and "Erin" in page and WHY in page
    found = staff.get(listing(Game), {"intervened__exact": "1"})
    assert found.context["cl"].result_count == 1
    assert staff.get(listing(Game), {"intervened__exact": "0"}).context["cl"].result_count == 0


def test_staff_with_only_the_right_to_view_cannot_act(client: Client, grace: User, duel: Game) -> None:
    permit(grace, "view_game", "view_seat", "view_turn", "view_alarm", "view_intervention")
    client.force_login(grace)
    seat, turn = duel.players.get(number=2), open_turn(duel)
    for action, row in (("extend", duel), ("cancel", duel), ("resolve_again", turn), ("replace", seat)):
        do(client, action, row, sure="yes", hours="5", reason=WHY)
    assert not Intervention.objects.exists()

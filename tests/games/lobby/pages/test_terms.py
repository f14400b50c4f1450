"""Drafts and previews as a script asks for them: the same addresses, answered in JSON."""

from typing import Any

from accounts.models import User
from games.play.models import Draft, Game, Program, Turn
from tests.games.reader import Reader, ReaderOf
from tests.games.support import Table, hand_of, later


def ask(reader: Reader, game: Game, what: str, turn: int = 1, **fields: Any) -> tuple[int, Any]:
    """Send a form as a script does; return the status and what is answered."""
    address = f"{game.get_absolute_url()}turns/{turn}/{what}/"
    data = {
        name.replace("_", "-") if name.startswith("register") else name: value
        for name, value in fields.items()
    }
    answer = reader.client.post(address, data, headers={"Accept": "application/json"})
    return answer.status_code, answer.json()


def chips(game: Game, user: User) -> list[int]:
    """The numbers of a player's chips."""
    return list(hand_of(game, user).chips["chips"])


def five(numbers: list[int]) -> dict[str, Any]:
    """A form with these chips in its registers."""
    return {"program": "1", **{f"register_{place}": number for place, number in enumerate(numbers, 1)}}


def test_a_script_is_told_when_its_draft_was_kept(dealt: Game, alice: User, read: ReaderOf) -> None:
    status, said = ask(read(alice), dealt, "draft", program="1", register_2=chips(dealt, alice)[0])
    assert (status, said["turn"], said["saved"], said["given"]) == (200, 1, "12:00", "")
    assert Draft.objects.get().orders["registers"] == [None, chips(dealt, alice)[0], None, None, None]
    page = read(alice).get(dealt.get_absolute_url())
    assert "Draft, saved 12:00: not submitted." in page
    assert page.chosen("register-2") == str(chips(dealt, alice)[0])
    assert "Your move" in page
    assert f'data-version="{said["version"]}"' in page.html


def test_nobody_else_reads_of_a_draft(
    dealt: Game, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    pages = [read(viewer).get(dealt.get_absolute_url()).text for viewer in (bob, dave, None)]
    ask(read(alice), dealt, "draft", program="1", register_2=chips(dealt, alice)[0], power_down="on")
    assert [read(viewer).get(dealt.get_absolute_url()).text for viewer in (bob, dave, None)] == pages


def test_a_window_is_told_how_things_stand(dealt: Game, table: Table, alice: User, read: ReaderOf) -> None:
    reader = read(alice)
    address = f"{dealt.get_absolute_url()}turns/1/draft/"
    before = reader.client.get(address).json()
    table.move(dealt, alice)
    after = reader.client.get(address).json()
    assert before["version"] != after["version"]
    assert (before["given"], bool(after["given"])) == ("", True)


def test_orders_are_refused_to_a_script_with_every_problem(dealt: Game, alice: User, read: ReaderOf) -> None:
    own = chips(dealt, alice)
    status, said = ask(read(alice), dealt, "orders", **five([own[0], own[0]]))
    assert (status, said["error"]) == (422, "orders")
    assert {problem["register"] for problem in said["problems"]} == {1, 2, 3, 4, 5}


def test_of_two_windows_the_first_counts_until_the_other_has_seen_it(
    dealt: Game, alice: User, read: ReaderOf
) -> None:
    reader, own = read(alice), chips(dealt, alice)
    assert ask(reader, dealt, "orders", instead_of="", **five(own[:5]))[0] == 200
    status, said = ask(reader, dealt, "orders", instead_of="", **five(own[4:]))
    assert (status, said["error"]) == (409, "given-elsewhere")
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == own[:5]
    assert ask(reader, dealt, "orders", instead_of=said["given"], **five(own[4:]))[0] == 200
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == own[4:]


def test_a_form_that_has_not_seen_what_counts_is_shown_it(dealt: Game, alice: User, read: ReaderOf) -> None:
    reader, own = read(alice), chips(dealt, alice)
    address = f"{dealt.get_absolute_url()}turns/1/orders/"
    reader.post(address, instead_of="", **five(own[:5]))
    page = reader.post(address, instead_of="", **five(own[4:]))
    assert page.status == 409
    assert "You submitted other orders for turn 1 in another window. Those count." in page
    assert page.chosen("register-1") == str(own[4])
    assert Program.objects.get(hand=hand_of(dealt, alice)).orders["registers"] == own[:5]


def test_a_preview_is_drawn_and_told(dealt: Game, alice: User, read: ReaderOf) -> None:
    status, said = ask(read(alice), dealt, "preview", **five(chips(dealt, alice)[:5]))
    assert status == 200
    assert said["drawing"].startswith('<g class="outlook"')
    assert "after phase 5" in said["said"] or "destroyed" in said["said"]
    assert ask(read(alice), dealt, "preview", program="1")[1]["said"] == ""


def test_scripts_are_refused_as_forms_are(
    dealt: Game, table: Table, alice: User, dave: User, read: ReaderOf
) -> None:
    for what in ("draft", "preview", "orders"):
        assert ask(read(dave), dealt, what)[1]["error"] == "no-seat"
        assert ask(read(None), dealt, what)[0] == 401
        assert ask(read(alice), dealt, what, turn=0)[1]["error"] == "stale-turn"
    Turn.objects.filter(game=dealt, number=1).update(deadline=later(seconds=-1))
    assert ask(read(alice), dealt, "draft", power_down="on")[1]["error"] == "too-late"

"""Every role gets the access of docs/access.md at every address, and no more."""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby

import pytest

from tests.access.requests import request_for
from tests.access.table import Row, known, rows, staff_rows
from tests.access.walking import METHODS, NOWHERE, STREAMS, Outcome, Walker, addresses, operations
from tests.access.world import ROLES, WALKERS

pytestmark = pytest.mark.django_db

GAME = "{game_id}"
FIRST = "public, running"
PUBLIC = ("public, open", FIRST, "public, over")
TAKES_PLACE_IN = {
    "redeal": "Albot, running",
    "play-on": "public, over",
    "game": "public, over",
    "wake": "asleep, running",
    **dict.fromkeys(("rematch", "clip", "analysis", "stop"), "public, over"),
    "DELETE seat": FIRST,
    **dict.fromkeys(("branch", "POST branches", "{branch_token}"), "public, over"),
    **dict.fromkeys(("orders", "draft", "preview", "coach", "reminder"), FIRST),
    **dict.fromkeys(("seen", "chat", "read", "resign", "votes", "{vote_id}"), FIRST),
}
"""The state of the game for each action that is impossible in a lobby."""

MATCHING_OUTCOMES = {
    "yes": {"yes", "in vain", "hidden"},
    "no": {"no", "in vain"},
    "log in": {"log in"},
    "hidden": {"hidden"},
    "in vain": {"in vain", "hidden"},
}
"""The outcomes that match each word of the table.

The turn in an address may be past or future, so "yes" also matches a refusal.
"""


SHARED = re.compile(r"embed/|.*/(text/|share\.png|clip/|clip\.webp)$")
"""Matches addresses that exist only for finished public games."""


def column(who: str) -> str:
    """Return the table column that applies to a walker (a person who sends requests)."""
    return "player" if who == "other player" else who


def word_for(who: str, row: Row) -> str:
    """Return the table's word for a walker.

    For "own", only the walker "player" has access, because the world has no such things of "other player".
    """
    word = row.words[column(who)]
    return {"player": "yes", "other player": "no"}[who] if word == "own" else word


def ask(walker: Walker, who: str, row: Row, situation: str, query: str = "") -> Outcome:
    """Send a row's request as the walker ``who``, about the game in the given state."""
    asked = request_for(walker.world, who, row.method, row.address, situation, query)
    return walker.ask(who, row.method, asked.path, asked.body)


def about(row: Row) -> tuple[str, ...]:
    """Return the states of public games that can affect the outcome of a row."""
    if GAME not in row.address:
        return ("",)
    if row.method == "GET":
        return PUBLIC
    last = row.address.rstrip("/").rpartition("/")[2]
    return (TAKES_PLACE_IN.get(f"{row.method} {last}", TAKES_PLACE_IN.get(last, "public, open")),)


def askers(row: Row) -> set[str]:
    """Return the walkers who must send the request of a row.

    If neighbouring walkers have the same word, only the first of them sends the request. If the word is a
    refusal, the last of them sends it too.
    """
    runs = [(word, list(run)) for word, run in groupby(WALKERS, lambda who: word_for(who, row))]
    return {who for word, run in runs for who in (run[0], run[0] if word == "yes" else run[-1])}


def answers_in_each_situation(walker: Walker, who: str, row: Row, word: str) -> list[Outcome]:
    """Return a row's outcomes in each state of the game, until one succeeds."""
    found: list[Outcome] = []
    situations = about(row)
    begin = list(WALKERS).index(who) % len(situations)  # roles begin with different situations
    for situation in situations[begin:] + situations[:begin]:
        found.append(ask(walker, who, row, situation))
        if word == found[-1].word == "yes":
            break
    return found


def of_games() -> Iterator[Row]:
    return (row for row in rows() if GAME in row.address)


def test_the_table_names_exactly_the_existing_addresses() -> None:
    named = {row.address for row in rows()}
    there = {address for address in addresses() if not address.startswith("admin/")}
    assert there - named == set(), "decide in docs/access.md who may see these"
    assert named - there == set(), "docs/access.md has rows without an address"


def test_the_table_names_every_operation_of_the_api() -> None:
    named: dict[str, set[str]] = defaultdict(set)
    for row in rows():
        if row.address.startswith("api/v1/"):
            named[row.address].add(row.method)
    documented = {address: methods for address, methods in operations().items() if methods}
    undocumented = {f"api/v1/{each}": {"GET"} for each in ("schema", "docs", "docs/{part}")}
    assert dict(named) == documented | undocumented


def test_no_row_is_repeated() -> None:
    names = [str(row) for row in rows()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("who", WALKERS)
def test_every_role_gets_the_access_of_the_table(walker: Walker, who: str) -> None:
    wrong = []
    for row in rows():
        if who not in askers(row):
            continue
        word = word_for(who, row)
        found = answers_in_each_situation(walker, who, row, word)
        words = {outcome.word for outcome in found}
        if not words <= MATCHING_OUTCOMES[word] or word not in words:
            wrong.append(f"{row}: {who} shall get {word!r}, and gets {sorted(words)}")
        if word != "yes" and any(outcome.changes for outcome in found):
            wrong.append(f"{row}: {who} is refused, and something changed")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("who", ["stranger", "guest", "spectator"])
def test_a_private_game_does_not_exist_for_outsiders(walker: Walker, who: str) -> None:
    assert not known()["private game"][who] and known()["public game"][who]
    wrong = []
    for row in of_games():
        asked = request_for(walker.world, who, row.method, row.address, "private, running")
        number = str(walker.world.games["private, running"].pk)
        nowhere = asked.path.replace(f"games/{number}", f"games/{NOWHERE}", 1)
        there = walker.ask(who, row.method, asked.path, asked.body)
        none = walker.ask(who, row.method, nowhere, asked.body)
        if there.word not in {"hidden", "log in", "no"} or there.changes:
            wrong.append(f"{row}: {who} gets {there.word}")
        if there.without(number) != none.without(number):
            wrong.append(f"{row}: {who} can tell that the game is there")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("who", "looks_at"), [*zip(("player", "host", "staff"), PUBLIC, strict=True)], ids=lambda each: str(each)
)
def test_insiders_have_the_same_access_to_private_and_public_games(
    walker: Walker, who: str, looks_at: str
) -> None:
    """Each role reads games in only one state.

    The tests of public games cover the other states.
    """
    role = column(who)
    assert known()["private game"][role]
    wrong = []
    for row in of_games():
        word = word_for(who, row)
        if row.address.rstrip("/").endswith(("redeal", "wake")):  # those games are public
            continue
        if row.address.rstrip("/").endswith("/link"):  # a public game has none
            word = {"in vain": "yes"}.get(word, word)
        situations = {looks_at} if row.method == "GET" else about(row)
        words = {ask(walker, who, row, each.replace("public", "private")).word for each in situations}
        if not words <= MATCHING_OUTCOMES[word]:
            wrong.append(f"{row}: {who} shall get {word!r}, and gets {sorted(words)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("who", ["stranger", "guest", "spectator"])
def test_the_link_of_a_private_game_opens_it_for_reading(walker: Walker, who: str) -> None:
    assert known()["private game, by its link"][who]
    game = walker.world.games["private, running"]
    wrong = []
    for row in of_games():
        if (
            row.method != "GET"
            or SHARED.match(row.address)
            or "{branch_token}" in row.address  # a branch of a running game is only its owner's
            or row.address.endswith(
                (
                    "settings/",
                    "computers/{number}/",
                    "file/",
                    "/file",
                    "analysis/",
                    "/analysis",
                    "/channels/",
                    "/channels",
                    "/branch/",
                )
            )
        ):
            continue
        word = ask(walker, who, row, "private, running", f"link={game.link_token}").word
        if word != row.words[who]:
            wrong.append(f"{row}: {who} shall get {row.words[who]!r} by the link, and gets {word!r}")
        false = ask(walker, who, row, "private, running", f"link={game.link_token}x").word
        if false not in {"hidden", "log in"}:
            wrong.append(f"{row}: {who} gets {false!r} by another link")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("situation", ["mission", "race of a guest"])
def test_only_the_guest_and_staff_see_a_guest_s_game(walker: Walker, situation: str) -> None:
    for row in of_games():
        if row.method == "GET" and "turns" not in row.address and "{branch_token}" not in row.address:
            for who in ("stranger", "guest", "player", "staff"):
                word = ask(walker, who, row, situation).word
                if who in {"guest", "staff"} and not SHARED.match(row.address):
                    assert word in {row.words["host"], "no", "in vain"}, row
                else:
                    assert word in {"hidden", "log in"}, f"{row}: {who} gets {word}"


def test_a_guest_can_only_play_in_their_race(walker: Walker) -> None:
    """Besides reading, a guest may play, resign, and mark messages as seen."""
    may = {"orders", "draft", "preview", "seen", "read", "resign", "seat", "pulse"}
    wrong = []
    for row in of_games():
        last = row.address.rstrip("/").rpartition("/")[2]
        if row.method == "GET" or last in may:
            continue
        outcome = ask(walker, "guest", row, "race of a guest")
        if outcome.word not in {"no", "in vain", "hidden"} or outcome.changes:
            wrong.append(f"{row}: a guest gets {outcome.word}")
    assert not wrong, "\n".join(wrong)


def test_methods_outside_the_table_are_refused(walker: Walker) -> None:
    """Only GET of a form's address is answered. It redirects to a page."""
    wrong, pages = [], dict[str, Outcome]()
    named = {(row.method, row.address) for row in rows()}
    for address in sorted({row.address for row in rows()} - set(STREAMS)):
        ways = [method for method in METHODS if (method, address) not in named]
        if not address.startswith("api/"):  # pages treat all methods except GET and POST the same
            ways = [method for method in ways if method in {"GET", "POST", "DELETE"}]
        for method in ways:
            asked = request_for(walker.world, "host", method, address, FIRST)
            outcome = walker.ask("host", method, asked.path, asked.body)
            if method == "GET" and not address.startswith("api/") and address != "mail-events/":
                page, hops = outcome, 0
                while page.status == 302 and hops < 2:
                    if page.location not in pages:
                        pages[page.location] = walker.ask("host", method, page.location)
                    page, hops = pages[page.location], hops + 1
                if not hops or page.status not in {200, 403} or outcome.changes:
                    wrong.append(f"GET /{address}: {outcome.status}, {outcome.location}: {page.status}")
                continue
            expected = 404 if address == "api/" else 405  # no method finds anything at this address
            if outcome.status != expected or outcome.changes:
                wrong.append(f"{method} /{address}: {outcome.status}")
    assert not wrong, "\n".join(wrong)


def test_the_table_names_every_model_of_the_admin(walker: Walker) -> None:
    assert set(staff_rows()) == {path for path, _ in walker.rows_of_admin()}


def test_only_staff_get_pages_of_the_admin(walker: Walker) -> None:
    for path in walker.paths_of_admin():
        if path in {"/admin/login/", "/admin/logout/"}:
            continue
        for who in WALKERS.keys() - {"staff"} if path == "/admin/" else ("stranger", "host"):
            for method in ("GET", "POST"):
                outcome = walker.ask(who, method, path)
                assert outcome.word == "log in" and not outcome.changes, f"{who}: {method} {path}"


def test_staff_have_the_permissions_of_the_table(walker: Walker) -> None:
    wrong = []
    for path, row in walker.rows_of_admin():
        cells = staff_rows()[path]
        assert row is not None, f"there is no row for {path} in the world"
        own = f"/{path}{row.pk}/"
        got = {
            "list": walker.ask("staff", "GET", f"/{path}"),
            "show": walker.ask("staff", "GET", f"{own}change/"),
            "add": walker.ask("staff", "GET", f"/{path}add/"),
            "change": walker.ask("staff", "POST", f"{own}change/", {}),
            "delete": walker.ask("staff", "GET", f"{own}delete/"),
        }
        for deed, outcome in got.items():
            if (outcome.word in {"yes", "in vain"}) != cells[deed]:
                wrong.append(f"/{path}: to {deed} is {outcome.word}")
    assert not wrong, "\n".join(wrong)


def test_every_role_of_the_table_is_walked() -> None:
    assert {column(who) for who in WALKERS} == set(ROLES)

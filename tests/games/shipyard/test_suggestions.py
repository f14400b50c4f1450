"""Ships that the generator suggests: requests, limits, and searches by workers."""

import json
from typing import Any

import pytest
from django.db import OperationalError

import rules
from accounts import guests
from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, NotFound, TooMany
from games.people.selectors.personal_data import personal_data
from games.people.services.deletion import delete_account
from games.shipyard import suggestions
from games.shipyard.flying import ATTEMPTS, LEASE
from games.shipyard.inputs import ShipOrder
from games.shipyard.models import ShipSuggestion
from games.shipyard.suggestions import (
    SYMMETRIES,
    THEME_NAMES,
    advance_search,
    ask_for_ship,
    brief_of,
    cancel_search,
    create_draft_from,
    progress_of,
    suggestion_for,
    suggestions_of,
)
from games.work import sweeper
from games.work.jobs import reason_in_words
from rules.design import themes
from rules.design.canvas import SYMMETRY_KINDS
from rules.design.proposal import NoDesign
from rules.design.search import design, starship_of
from rules.tunnel.report import report_of
from tests.games.shipyard.searches import SMALL, found, quicken, request_ship, searched
from tests.games.support import NOW, later

Messages = list[tuple[str, int]]


class Died(BaseException):
    """Raised when a worker is killed, so that it does nothing more."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


def broken_off(monkeypatch: pytest.MonkeyPatch, after: int = 0) -> None:
    """Stop each worker after this many ships and flights."""

    def watch(claimed: ShipSuggestion) -> Any:
        left = [after]

        def may_continue(_: Any) -> bool:
            left[0] -= 1
            return left[0] >= 0

        return may_continue

    monkeypatch.setattr(suggestions, "_watch", watch)


def dying(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Raise the given error at the start of each search."""

    def fail(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(suggestions, "continue_search", fail)


def test_a_request_waits_for_a_worker(alice: User, messages: Messages) -> None:
    made = request_ship(alice)
    assert (made.status, made.ruleset, made.players, made.theme) == ("waiting", "robo-runner", 2, "ring")
    assert messages == [("suggest_ship", made.pk)]


def test_omitted_values_are_chosen(alice: User) -> None:
    made = ask_for_ship(user=alice, **ShipOrder(data={"ruleset": "robo-recon"}).allowed(), now=NOW)
    assert (made.width, made.height, made.players, made.theme, made.symmetry) == (12, 12, 4, "", "")
    assert 1 <= int(made.seed) <= suggestions.SEED_RANGE


@pytest.mark.parametrize(
    ("order", "key", "reason"),
    [
        ({"ruleset": "nonsense"}, "ruleset", "There is no ruleset “nonsense”."),
        (
            {"players": 7},
            "players",
            "With Robo Runner, a ship of this size is for 2, 3 players. Choose one of these numbers.",
        ),
        ({"players": 3, "ruleset": "robo-recon"}, "players", "is for 2 players."),
        ({"seed": "<b>"}, "seed", "A seed has up to 32 letters, digits"),
    ],
)
def test_impossible_requests_are_refused(alice: User, order: dict[str, Any], key: str, reason: str) -> None:
    with pytest.raises(Invalid) as refusal:
        request_ship(alice, **order)
    assert [each["key"] for each in refusal.value.problems] == [key]
    assert reason in refusal.value.problems[0]["detail"]
    assert not ShipSuggestion.objects.exists()


def test_guests_request_nothing_and_others_do_not_see_alice_s_requests(alice: User, bob: User) -> None:
    made = request_ship(alice)
    with pytest.raises(Forbidden):
        request_ship(guests.make_guest())
    for act in (cancel_search, create_draft_from):
        with pytest.raises(NotFound):
            act(user=bob, suggestion_id=made.pk, now=NOW)
    with pytest.raises(NotFound):
        suggestion_for(viewer=bob, suggestion_id=made.pk)
    assert suggestions_of(user=bob) == []


def test_a_person_has_one_active_search(alice: User, bob: User) -> None:
    first = request_ship(alice)
    with pytest.raises(Conflict) as refusal:
        request_ship(alice, seed="8")
    assert refusal.value.code == "under-way"
    request_ship(bob)
    cancel_search(user=alice, suggestion_id=first.pk, now=NOW)
    request_ship(alice, seed="8")


def test_a_person_starts_a_limited_number_of_searches_a_day(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggestions, "SEARCHES_A_DAY", 3)
    for number in range(3):
        made = request_ship(alice, seed=str(number), now=later(hours=number))
        cancel_search(user=alice, suggestion_id=made.pk, now=later(hours=number))
    with pytest.raises(TooMany) as refusal:
        request_ship(alice, now=later(hours=20))
    assert refusal.value.wait == 4 * 60 * 60
    request_ship(alice, now=later(hours=24, seconds=1))


def test_the_same_request_is_not_searched_again(alice: User) -> None:
    made = request_ship(alice)
    assert request_ship(alice) == made, "while it is under way"
    cancel_search(user=alice, suggestion_id=made.pk, now=NOW)
    over = found(alice)
    assert request_ship(alice, theme="", seed=over.seed) == over
    assert request_ship(alice, theme="", seed=over.seed, symmetry="two") != over


def test_the_oldest_suggestions_are_deleted(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestions, "SEARCHES_KEPT", 2)
    made = []
    for number in range(4):
        made.append(request_ship(alice, seed=str(number), now=later(days=number)))
        cancel_search(user=alice, suggestion_id=made[-1].pk, now=later(days=number))
    assert suggestions_of(user=alice) == made[:1:-1]


def test_every_theme_and_symmetry_has_a_name() -> None:
    assert set(THEME_NAMES) == set(themes.THEMES)
    assert tuple(SYMMETRIES) == SYMMETRY_KINDS


def test_a_search_finds_the_same_ship_as_the_command(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_off(monkeypatch, after=3)
    made = searched(request_ship(alice))
    best = design(brief_of(made), "7", candidates=2, flights=2)
    assert made.status == "done" and made.pieces > 1
    assert made.document == rules.write_starship(starship_of(best, "7"))
    assert made.report is not None
    written = json.loads(json.dumps(report_of(best.run, best.verdict)))
    assert {**made.report, "starship": ""} == written
    assert (made.found_theme, made.search, made.finished_at) == ("ring", None, NOW)
    assert progress_of(made) == 100


def test_each_step_is_stored_and_waits_for_the_next_message(
    alice: User, messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_off(monkeypatch, after=5)
    made = request_ship(alice)
    assert advance_search(suggestion_id=made.pk, now=NOW)
    assert messages == [("suggest_ship", made.pk)] * 2
    made.refresh_from_db()
    assert (made.status, made.lease_until, made.attempts, made.pieces) == ("flying", None, 0, 1)
    assert made.search and len(made.search["genomes"]) + len(made.search["flights"]) == 5
    assert 0 < progress_of(made) < 100


def test_a_duplicate_message_does_nothing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    made = request_ship(alice)
    ShipSuggestion.objects.update(lease_until=later(minutes=1))
    assert not advance_search(suggestion_id=made.pk, now=NOW), "another worker is at it"
    ShipSuggestion.objects.update(lease_until=None)
    searched(made)
    assert not advance_search(suggestion_id=made.pk, now=NOW), "it is over"
    assert not advance_search(suggestion_id=made.pk + 1, now=NOW)


def test_a_search_survives_a_killed_worker(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_off(monkeypatch, after=5)
    made = request_ship(alice)
    advance_search(suggestion_id=made.pk, now=NOW)
    with monkeypatch.context() as killed:
        dying(killed, Died())
        with pytest.raises(Died):
            advance_search(suggestion_id=made.pk, now=NOW)
    assert not advance_search(suggestion_id=made.pk, now=NOW), "it is still the worker's"
    assert sweeper.offer_suggestions(now=later(seconds=60)) == 0
    after = NOW + LEASE
    assert sweeper.offer_suggestions(now=after) == 1
    made = searched(made, now=after)
    assert made.status == "done"
    assert made.flown > 5, "what was flown before the worker died was not lost"


def test_a_search_that_kills_workers_fails(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    made = request_ship(alice)
    dying(monkeypatch, Died())
    for number in range(ATTEMPTS):
        with pytest.raises(Died):
            advance_search(suggestion_id=made.pk, now=NOW + number * LEASE)
    assert not advance_search(suggestion_id=made.pk, now=NOW + ATTEMPTS * LEASE)
    made.refresh_from_db()
    assert made.status == "failed"
    assert reason_in_words(made.failure) == "The worker that looked for this ship died 3 times."


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (NoDesign("no"), "We found no good ship of this kind. Try another size, theme or symmetry."),
        (TimeoutError("slow"), "We found no good ship of this kind. Try another size, theme or symmetry."),
        (
            KeyError("x"),
            "The search failed because of an error on our side. Staff can see the cause in the log.",
        ),
    ],
)
def test_a_failed_search_gives_the_reason(
    alice: User, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    made = request_ship(alice)
    dying(monkeypatch, error)
    assert searched(made).status == "failed"
    assert reason_in_words(made.failure) == told


def test_a_passing_fault_does_not_count(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    made = request_ship(alice)
    with monkeypatch.context() as away:
        dying(away, OperationalError("the server is away"))
        with pytest.raises(OperationalError):
            advance_search(suggestion_id=made.pk, now=NOW)
    made.refresh_from_db()
    assert (made.status, made.attempts) == ("flying", 0)
    assert searched(made, now=NOW + LEASE).status == "done"


def test_a_search_that_takes_too_long_fails(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_off(monkeypatch)
    monkeypatch.setattr(suggestions, "PIECES_OF_SEARCH", 3)
    made = searched(request_ship(alice))
    assert (made.status, made.pieces) == ("failed", 3)
    assert reason_in_words(made.failure).startswith("The search took too long.")


def test_a_cancelled_search_stops_its_worker(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    made = request_ship(alice)
    monkeypatch.setattr(suggestions, "SECONDS_BETWEEN_CHECKS", -1.0)
    noted = []

    def cancel(logbook: Any, seed: str) -> dict[str, int]:
        noted.append(logbook.flown)
        if len(noted) == 3:
            cancel_search(user=alice, suggestion_id=made.pk, now=NOW)
        return {"flown": logbook.flown}

    monkeypatch.setattr(suggestions, "_progress", cancel)
    assert not advance_search(suggestion_id=made.pk, now=NOW)
    made.refresh_from_db()
    assert (made.status, made.search, made.document, len(noted)) == ("cancelled", None, None, 3)


def test_a_late_worker_stores_nothing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    made = request_ship(alice)

    def overtaken(*_: Any, **__: Any) -> Any:
        ShipSuggestion.objects.update(lease_until=later(hours=1))  # another worker has claimed it

    monkeypatch.setattr(suggestions, "continue_search", overtaken)
    assert not advance_search(suggestion_id=made.pk, now=NOW)
    made.refresh_from_db()
    assert (made.status, made.pieces, made.lease_until) == ("flying", 0, later(hours=1))


def test_the_sweeper_offers_lost_searches(alice: User, messages: Messages) -> None:
    made = request_ship(alice)
    messages.clear()
    assert sweeper.offer_suggestions(now=later(seconds=10)) == 0, "it was just offered"
    assert sweeper.offer_suggestions(now=later(minutes=1)) == 1
    assert messages == [("suggest_ship", made.pk)]
    cancel_search(user=alice, suggestion_id=made.pk, now=NOW)
    assert sweeper.offer_suggestions(now=later(minutes=9)) == 0


def test_cancelling_twice_is_allowed_but_not_after_the_end(alice: User) -> None:
    made = request_ship(alice)
    for _ in range(2):
        assert cancel_search(user=alice, suggestion_id=made.pk, now=NOW).status == "cancelled"
    with pytest.raises(Conflict):
        cancel_search(user=alice, suggestion_id=found(alice).pk, now=NOW)


def test_editing_a_suggestion_creates_a_draft(alice: User) -> None:
    made = found(alice)
    assert made.document
    draft = create_draft_from(user=alice, suggestion_id=made.pk, now=NOW)
    assert (draft.user, draft.ruleset, draft.players) == (alice, "robo-runner", 2)
    assert (draft.name, draft.document["builder"]) == (made.document["name"], "Alice")
    assert [row.split() for row in draft.document["rows"]] == [row.split() for row in made.document["rows"]]


def test_a_suggestion_without_a_ship_cannot_be_edited(alice: User) -> None:
    with pytest.raises(Conflict) as refusal:
        create_draft_from(user=alice, suggestion_id=request_ship(alice).pk, now=NOW)
    assert refusal.value.code == "no-ship"


def test_suggestions_are_exported_and_deleted_with_the_account(alice: User, bob: User) -> None:
    made, other = found(alice), request_ship(bob)
    (held,) = personal_data(user=alice, now=NOW)["ship_suggestions"]
    assert (held["id"], held["document"], held["seed"]) == (made.pk, made.document, "belt")
    delete_account(user=alice, now=NOW)
    assert ShipSuggestion.objects.get() == other


def test_a_stored_request_is_read_back_unchanged(alice: User) -> None:
    brief = brief_of(request_ship(alice, theme="", symmetry="two"))
    assert (brief.width, brief.height, brief.players) == (SMALL["width"], SMALL["height"], 2)
    assert (brief.theme, brief.symmetry) == (None, "two")

"""Database constraints on drafts, wind tunnel runs, and games without a board."""

from functools import partial
from typing import Any

from accounts.models import User
from games.play.models import Game
from games.shipyard.models import DraftVersion, ShipSuggestion, StarshipDraft, TunnelBatch, TunnelRun
from tests.games.shipyard.drawing import document, drafted
from tests.games.shipyard.searches import found, request_ship
from tests.games.shipyard.tunnels import lane, started
from tests.games.support import NOW
from tests.games.test_constraints import refused


def test_a_draft_is_complete(alice: User) -> None:
    drafted(alice)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"document": {}}, "starship_draft_has_its_format"),
        ({"document": {"format": "starship/2"}}, "starship_draft_has_its_format"),
        ({"width": 0}, "starship_draft_has_a_size"),
        ({"height": 101}, "starship_draft_has_a_size"),
        ({"players": 0}, "starship_draft_has_players"),
        ({"players": 9}, "starship_draft_has_players"),
        ({"version": 0}, "starship_draft_counted_from_1"),
    ]
    for changes, constraint in cases:
        refused(partial(StarshipDraft.objects.update, **changes), constraint)


def test_a_draft_has_at_most_one_parent(alice: User, starship: Any) -> None:
    draft = drafted(alice)
    parents = {"parent_draft": draft, "parent_revision": starship.current}
    refused(partial(StarshipDraft.objects.update, **parents), "starship_draft_has_one_parent")


def test_a_link_opens_one_draft(alice: User) -> None:
    drafted(alice), drafted(alice)
    refused(partial(StarshipDraft.objects.update, link_token="abc"), "starship_draft_link_unique")


def test_a_version_is_unique(alice: User) -> None:
    draft = drafted(alice)
    given = {"draft": draft, "document": document(), "width": 3, "height": 2, "saved_at": NOW}
    DraftVersion.objects.create(number=1, **given)
    for changes, constraint in (
        ({"number": 1}, "draft_version_unique"),
        ({"number": 0}, "draft_version_counted_from_1"),
        ({"number": 2, "document": {}}, "draft_version_has_its_format"),
        ({"number": 2, "width": 101}, "draft_version_has_a_size"),
        ({"number": 2, "players": 9}, "draft_version_has_players"),
    ):
        refused(partial(DraftVersion.objects.create, **{**given, **changes}), constraint)


def test_a_game_must_have_a_board(duel: Game) -> None:
    refused(partial(Game.objects.update, revision=None), "game_has_a_board")


def test_a_run_is_complete(alice: User) -> None:
    started(alice)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"document": {}}, "tunnel_run_has_its_format"),
        ({"report": {"format": "tunnel/2"}, "sentences": {}}, "tunnel_run_report_has_its_format"),
        ({"report": {"format": "tunnel/1"}}, "tunnel_run_report_has_sentences"),
        (
            {"report": {"format": "tunnel/1"}, "sentences": {"format": "text"}},
            "tunnel_run_sentences_have_their_format",
        ),
        ({"version": 0}, "tunnel_run_counted_from_1"),
        ({"players": 1}, "tunnel_run_has_players"),
        ({"players": 9}, "tunnel_run_has_players"),
        ({"flights": 0}, "tunnel_run_has_flights"),
        ({"flights": 1001}, "tunnel_run_has_flights"),
        ({"flown": 5}, "tunnel_run_has_flights"),
        ({"finished_at": NOW}, "tunnel_run_under_way_or_finished"),
        ({"status": "cancelled"}, "tunnel_run_under_way_or_finished"),
        ({"status": "done", "finished_at": NOW}, "tunnel_run_done_has_a_report"),
        ({"fix": {"format": "fix/1"}}, "tunnel_run_tries_a_fix"),
        ({"wins": {"format": "wins/2"}}, "tunnel_run_wins_have_their_format"),
    ]
    for changes, constraint in cases:
        refused(partial(TunnelRun.objects.update, **changes), constraint)


def test_a_person_has_at_most_one_active_run(alice: User) -> None:
    run = started(alice)
    run.pk, run.draft = None, lane(alice)
    refused(run.save, "tunnel_run_one_under_way")


def test_a_batch_is_complete(alice: User) -> None:
    run = started(alice)
    for changes, constraint in (
        ({"first": 0}, "tunnel_batch_unique"),
        ({"count": 0}, "tunnel_batch_has_flights"),
        ({"flights": {}}, "tunnel_batch_has_its_format"),
    ):
        given: dict[str, Any] = {"run": run, "first": 20, "count": 20, **changes}
        refused(partial(TunnelBatch.objects.create, **given), constraint)


def test_a_suggestion_is_complete(alice: User) -> None:
    found(alice)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"width": 7}, "suggestion_has_a_size"),
        ({"height": 31}, "suggestion_has_a_size"),
        ({"players": 1}, "suggestion_has_players"),
        ({"players": 9}, "suggestion_has_players"),
        ({"search": {"format": "search/0"}}, "suggestion_search_has_its_format"),
        ({"document": None}, "suggestion_done_has_a_ship"),
        ({"report": {}}, "suggestion_done_has_a_ship"),
        ({"sentences": None}, "suggestion_done_has_a_ship"),
        ({"found_theme": ""}, "suggestion_done_has_a_ship"),
        ({"finished_at": None}, "suggestion_under_way_or_finished"),
    ]
    for changes, constraint in cases:
        refused(partial(ShipSuggestion.objects.update, **changes), constraint)


def test_a_person_has_at_most_one_active_search(alice: User) -> None:
    request_ship(alice)
    over = found(alice)
    waiting = partial(ShipSuggestion.objects.filter(pk=over.pk).update, status="waiting", finished_at=None)
    refused(waiting, "suggestion_one_under_way")

"""The benchmark of shared games finds busy turns, and fails if a clip or a player is too large."""

from contextlib import nullcontext

import pytest

from bench import sharing
from bench.random_games import KEYS, suitable
from bench.sharing import Drawn, Sent, boards, busiest
from games.sharing.drawing import MOST_CLIP_BYTES


def test_every_ruleset_has_a_board() -> None:
    assert set(KEYS) == {key for _, key, _ in boards()}


def test_the_busiest_turn_is_replayed() -> None:
    ship = suitable("robo-runner")[0]
    replay = busiest("robo-runner", ship)
    assert (replay.ship, len(replay.documents)) == (ship, len(replay.events))
    assert len(replay.events) > 20


@pytest.mark.parametrize(("more", "status"), [(0, 0), (1, 1)])
def test_a_clip_that_is_too_large_fails(more: int, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "drawn", lambda: [Drawn("Canoe", 12, 9, MOST_CLIP_BYTES + more, 0.1)])
    assert sharing.report_clips("") == status


@pytest.mark.parametrize(
    ("sent", "status"), [(Sent(120_000, 9, 0), 0), (Sent(120_001, 9, 0), 1), (Sent(90_000, 9, 1), 1)]
)
def test_a_heavy_player_and_a_cookie_fail(sent: Sent, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "finished_game", lambda: 1)
    monkeypatch.setattr(sharing, "foreign_page", nullcontext)
    monkeypatch.setattr(sharing, "sent_to", lambda page, address: sent)
    assert sharing.report_player("") == status

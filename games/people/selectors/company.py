"""What is held about a person among others: ratings and awards, contacts, clubs, and where they compete."""

from typing import Final

from django.apps import apps

from accounts.models import Trace
from games.clubs.models import Candidate, Membership
from games.competitions.models import Entrant, LadderGame, Rung, SeasonEntry, Ticket, Tournament
from games.contacts.models import Block, Follow, Housemate, PlayerNote
from games.people.selectors.holding import Holding, columns
from games.sanctions.models import Sanction
from games.standings.models import PlayerRating, RatingChange
from games.work.models import LimitedUse
from rules.statistics import COUNTERS

_COUNTERS = " ".join(COUNTERS)

OF_COMPANY: Final = (
    Holding(
        "ratings",
        PlayerRating,
        ("user",),
        columns("id user_id pool_id mu sigma games met played_at listed"),
        columns("floor"),
    ),
    Holding(
        "rating_changes",
        RatingChange,
        ("user",),
        columns("id user_id result_id pool_id seq rank mu_before mu sigma played_at"),
        columns("side"),
    ),
    Holding(
        "months",
        apps.get_model("games", "PlayerMonth"),  # of a room above this one
        ("user",),
        columns(f"id user_id month games won turns checkpoints in_time tested gained {_COUNTERS}"),
    ),
    Holding(
        "awards",
        apps.get_model("games", "Award"),
        ("user",),
        columns("id user_id close_id key place value"),
    ),
    Holding(
        "ticket",
        Ticket,
        ("user",),
        columns(
            "id user_id ruleset pace size least most spread least_reliability computers_after created_at"
        ),
    ),
    Holding(
        "tournament_entries",
        Entrant,
        ("user",),
        columns("id tournament_id user_id joined_at strength banned_id confirmed left_at place"),
    ),
    Holding(
        "tournaments_hosted",
        Tournament,
        ("host",),
        columns(
            "id name text kind status host_id club_id members_only ruleset size rounds ship_choice pace"
            " absence least most round_days starts_at ends_at created_at ended_at ending"
        ),
        columns("seed due_at schedule lost_club_at"),
    ),
    Holding(
        "ladder_places",
        Rung,
        ("user",),
        columns(
            "id ladder_id user_id place joined_at active_at protected_until absent_at resting_since back_at"
        ),
    ),
    Holding(
        "ladder_games",
        LadderGame,
        ("challenger", "challenged"),
        columns("game_id ladder_id challenger_id challenged_id made_at settled_at outcome"),
    ),
    Holding(
        "reports_of_players",
        apps.get_model("games", "PlayerReport"),
        ("reporter",),
        columns("id reporter_id about rule text line_id club_id game_id at"),
        columns("case_id"),
    ),
    Holding(
        "sanctions",
        Sanction,
        ("user",),
        columns("id user_id kind rule facts at days ends_at lifted_at line_id club_id before text_before"),
        columns("case_id by_id confirmed_by_id"),
    ),
    Holding(
        "appeals",
        apps.get_model("games", "Appeal"),
        ("sanction__user",),
        columns("id sanction_id text at answered_at outcome answer"),
        columns("answered_by_id"),
    ),
    Holding("traces", Trace, ("user",), columns("id user_id kind first_at last_at"), columns("digest")),
    Holding("limited_uses", LimitedUse, ("user",), columns("id user_id limit at")),
    Holding("season_entries", SeasonEntry, ("user",), columns("id season_id user_id joined_at")),
    Holding("clubs", Membership, ("user",), columns("id club_id user_id role since")),
    Holding("club_candidacies", Candidate, ("user",), columns("id club_id user_id invited since")),
    Holding("follows", Follow, ("user",), columns("id user_id followed_id since")),
    Holding("followers", Follow, ("followed",), columns("id user_id followed_id since")),
    Holding("blocks", Block, ("user",), columns("id user_id blocked_id since")),
    Holding("housemates", Housemate, ("user", "person"), columns("id user_id person_id since")),
    Holding("player_notes", PlayerNote, ("user",), columns("id user_id about_id text changed_at")),
)

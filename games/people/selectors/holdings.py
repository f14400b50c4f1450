"""What is held about a person, part by part.

Each part names the columns that it tells and those that it leaves out. A column in neither list is told to
no one, and fails a test. ``docs/privacy.md`` says what each part holds.
"""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry as StaffEntry
from django.db.models import Q

from accounts.settings import SETTINGS as PAGE_SETTINGS
from games.absence.models import Reliability
from games.chat.models import ChatLine
from games.clocks.models import Rest, Vacation, VacationDay
from games.dock.models import Promotion, PromotionVote, Prototype, Review
from games.dock.models.moderation import Moderation
from games.dock.models.reports import Report
from games.fleet.models import (
    Favourite,
    Flier,
    Mission,
    Starship,
    StarshipList,
    StarshipListEntry,
    StarshipRevision,
)
from games.lobby.models import Invitation
from games.news.models import Device, Feed, Notice, Webhook
from games.people.models import Achievement, Share, Tally
from games.people.selectors.company import OF_COMPANY
from games.people.selectors.holding import Holding, columns
from games.play.models import Draft, Game, Hand, Intervention, LobbyEntry, Program, Replacement, Seat
from games.play.selectors.steering import hands_dealt_to, orders_given_by
from games.play.terms import SETTINGS
from games.shipyard.models import (
    DraftFlight,
    DraftVersion,
    ShipSuggestion,
    StarshipDraft,
    TunnelBatch,
    TunnelRun,
)
from games.tokens.models import ApiToken
from games.votes.models import Ballot, Vote
from rules.statistics import COUNTERS

PERSON = columns(
    "id last_login is_superuser robo_name skeleton email time_zone manner standing daily_hour"
    " lobby_mail starship_mail silenced look shows_name shows_games"
    " shows_history shows_statistics shows_achievements"
    f" {' '.join(PAGE_SETTINGS)}"
    " is_guest is_staff is_active date_joined deleted_at"
)
"""The columns of the account itself that are told."""

PERSON_WITHOUT = columns("password")


_COUNTERS = " ".join(COUNTERS)

# An invitation to an address says to no one else whether an account has it, nor what its owner answered.
_BY_NAME = dict.fromkeys(("user_id", "answer", "answered_at"), Q(email=""))

HOLDINGS = (
    Holding("addresses", EmailAddress, ("user",), columns("id user_id email verified primary")),
    Holding(
        "second_factors",
        Authenticator,
        ("user",),
        columns("id type created_at last_used_at"),
        columns("user_id data"),
    ),
    Holding(
        "sessions",
        UserSession,
        ("user",),
        columns("id ip user_agent created_at last_seen_at"),
        columns("user_id session_key data"),
    ),
    Holding(
        "tokens",
        ApiToken,
        ("user",),
        columns("id user_id name created_at expires_at used_at"),
        columns("digest"),
    ),
    Holding("rest", Rest, ("user",), columns("id user_id days_off night_from night_until takes_vacation")),
    Holding("vacations", Vacation, ("user",), columns("id user_id first last planned_at")),
    Holding("vacation_days", VacationDay, ("user",), columns("id user_id began_at planned")),
    Holding("feeds", Feed, ("user",), columns("id user_id made_at shown"), columns("nonce")),
    Holding(
        "webhook",
        Webhook,
        ("user",),
        columns("id user_id url made_at answered_at tested_at failing_since failure switched_off_at"),
        columns("secret"),
    ),
    Holding(
        "browsers",
        Device,
        ("user",),
        columns("id user_id name made_at told_at"),
        columns("endpoint p256dh auth browser"),
    ),
    Holding(
        "starship_drafts",
        StarshipDraft,
        ("user",),
        columns(
            "id user_id name ruleset players document width height version created_at saved_at"
            " parent_revision_id parent_draft_id parent_version parent_name taken_down_at"
        ),
        columns("link_token"),
    ),
    Holding(
        "starships",
        Starship,
        ("owner",),
        columns(
            "id slug name builder owner_id section seats_least seats_most retired hidden current_id"
            " created_at launched_at taken_down_at"
        ),
        columns("position"),
    ),
    Holding(
        "prototypes",
        Prototype,
        ("starship__owner",),
        columns(
            "id starship_id draft_id draft_version ruleset players licence status published_at used_at"
            " warned_at ended_at taken_from"
        ),
    ),
    Holding(
        "draft_versions",
        DraftVersion,
        ("draft__user",),
        columns("id draft_id number name ruleset players document width height saved_at"),
    ),
    Holding("test_flights", DraftFlight, ("draft__user",), columns("id draft_id game_id version")),
    Holding(
        "tunnel_runs",
        TunnelRun,
        ("asked_by",),
        columns(
            "id draft_id asked_by_id version document ruleset edition players flights seed status flown"
            " report failure fix_of_id fix wins created_at finished_at"
        ),
        columns("sentences attempts offered_at"),
    ),
    Holding(
        "ship_suggestions",
        ShipSuggestion,
        ("user",),
        columns(
            "id user_id ruleset edition players width height theme symmetry seed status ships last_flights"
            " flown found_theme document report failure created_at finished_at"
        ),
        columns("search sentences lease_until attempts pieces offered_at"),
    ),
    Holding(
        "tunnel_batches",
        TunnelBatch,
        ("run__asked_by",),
        columns("id run_id first count flights"),
        columns("lease_until attempts"),
    ),
    Holding(
        "promotions",
        Promotion,
        ("prototype__starship__owner",),
        columns("id prototype_id revision_id run_id status asked_at ended_at"),
        columns("reminded_at"),
    ),
    Holding(
        "promotion_votes",
        PromotionVote,
        ("user",),
        columns("id promotion_id user_id choice words cast_at"),
    ),
    Holding(
        "games",
        Game,
        ("host", "players__user", "players__replacements__was"),
        columns("id name host_id status private ruleset created_at started_at ended_at"),
        tuple(name for name in SETTINGS if name not in ("name", "private", "ruleset"))
        + columns(
            "version revision_id course_id link_token mission_id rematch_of_id seed commitment"
            " paused_at paused_until turn last_seq intervened winner ending moved_at heads_from"
        ),
    ),
    Holding(
        "seats",
        Seat,
        ("user",),
        columns(
            "id game_id number user_id computer name robot offered_at shared look ready squad model bank"
            " excused"
            " clean_turns standing out place joined_at seen_turn read_chat manner visited_at ordered_at"
        ),
    ),
    Holding(
        "replacements",
        Replacement,
        ("was", "became"),
        columns("id game_id seat_id turn reason at bank excused clean_turns"),
        columns("was_id became_id"),
    ),
    Holding(
        "hands",
        Hand,
        (),
        columns(
            "id game_id turn_id robot seat_id chips face_down aside redealt deadline calendar thoughts"
            " remind_at"
        ),
        theirs=hands_dealt_to,
    ),
    Holding(
        "orders",
        Program,
        (),
        columns("id game_id hand_id orders by remark submitted_at"),
        theirs=orders_given_by,
    ),
    Holding("drafts", Draft, ("hand__seat__user",), columns("id game_id hand_id orders saved_at")),
    Holding("tallies", Tally, ("seat__user",), columns(f"id {_COUNTERS} game_id seat_id")),
    Holding("shares", Share, ("user",), columns(f"id {_COUNTERS} game_id seat_id user_id")),
    Holding("achievements", Achievement, ("user",), columns("id user_id key game_id turn earned_at seen_at")),
    Holding("chat", ChatLine, ("user",), columns("id game_id user_id name text at hidden_at rude")),
    Holding(
        "reviews",
        Review,
        ("author",),
        columns(
            "id starship_id revision_id author_id stars tags text written_at changed_at held_until hidden_at"
        ),
        columns("answer answered_at"),
    ),
    Holding(
        "answers_to_reviews",
        Review,
        (),
        columns("id starship_id revision_id answer answered_at"),
        columns("author_id stars tags text written_at changed_at held_until hidden_at"),
        theirs=lambda user: Q(starship__owner=user) & ~Q(answer=""),
    ),
    Holding(
        "reports",
        Report,
        ("reporter",),
        columns("id starship_id draft_id review_id reporter_id reason text created_at closed_at outcome"),
    ),
    Holding("favourites", Favourite, ("user",), columns("id user_id starship_id added_at")),
    Holding(
        "starship_lists",
        StarshipList,
        ("user",),
        columns("id user_id name text seen_by size created_at changed_at"),
        columns("link_token"),
    ),
    Holding(
        "starships_in_lists", StarshipListEntry, ("list__user",), columns("id list_id starship_id place")
    ),
    Holding("ships_flown", Flier, ("user",), columns("id user_id starship_id")),
    *OF_COMPANY,
    Holding("reliability", Reliability, ("user",), columns("id user_id turns missed recent")),
    Holding(
        "votes",
        Vote,
        ("asked_by",),
        columns(
            "id game_id kind seat_id days asked_by_id turn status opened_at closes_at closed_at voters ayes"
            " noes"
        ),
    ),
    Holding("ballots", Ballot, ("user",), columns("id game_id vote_id user_id yes cast_at")),
    Holding("changes_in_lobbies", LobbyEntry, ("by",), columns("id game_id by_id kind parameters at")),
    Holding(
        "invitations",
        Invitation,
        ("user",),
        columns("id game_id user_id email invited_by_id answer created_at answered_at"),
        address="email",
    ),
    Holding(
        "invitations_sent",
        Invitation,
        ("invited_by",),
        columns("id game_id user_id email answer created_at answered_at"),
        columns("invited_by_id"),
        only=_BY_NAME,
    ),
    Holding(
        "notices",
        Notice,
        ("user",),
        columns(
            "id kind channel user_id email game_id starship_id about turn status waits_for created_at"
            " attempts lease_until offered_at due_at sent_at last_error"
        ),
        address="email",
    ),
    Holding(
        "boards_saved",
        StarshipRevision,
        ("saved_by",),
        columns("id starship_id number prototype created_at"),
        columns("document width height saved_by_id"),
    ),
    Holding(
        "missions_saved",
        Mission,
        ("saved_by",),
        columns("id slug title"),
        columns("number starship_id options lesson saved_by_id"),
    ),
    Holding(
        "interventions",
        Intervention,
        ("by",),
        columns("id game_id by_id action reason turn hours seat_id at"),
    ),
    Holding(
        "moderations",
        Moderation,
        ("by",),
        columns("id starship_id review_id draft_id action reason by_id at"),
    ),
    Holding(
        "staff_log",
        StaffEntry,
        ("user",),
        columns("id action_time user_id content_type_id object_id object_repr action_flag change_message"),
    ),
)

"""The personal data of one player, part by part, as a file for that player."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry as StaffEntry
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Case, Expression, F, Model, Q, Value, When

from accounts.models import Trace, User
from accounts.settings import PREFERENCES, SETTINGS as PAGE_SETTINGS
from games.absence.models import Reliability
from games.absence.selectors import hands_dealt_to, hands_played_by, orders_given_by
from games.chat.models import ChatLine
from games.clocks.models import Rest, Vacation, VacationDay
from games.clubs.models import Candidate, Membership
from games.competitions.models import Entrant, LadderGame, Rung, SeasonEntry, Ticket, Tournament
from games.dock.models import Promotion, PromotionVote, Prototype, Review
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
from games.moderation.models import Appeal, Moderation, Report, Sanction
from games.news.models import Device, Feed, Notice, Webhook
from games.people.models import Achievement, ApiToken, Block, Follow, Housemate, PlayerNote, Share, Tally
from games.play.models import Draft, Game, Hand, Intervention, LobbyEntry, Program, Replacement, Seat
from games.play.terms import SETTINGS
from games.reading import snapshot
from games.shipyard.models import (
    DraftFlight,
    DraftVersion,
    ShipSuggestion,
    StarshipDraft,
    TunnelBatch,
    TunnelRun,
)
from games.standings.models import Award, PlayerMonth, PlayerRating, RatingChange
from games.votes.models import Ballot, Vote
from games.work.models import LimitedUse
from rules.statistics import COUNTERS

Document = dict[str, Any]

ROWS_AT_ONCE: Final = 50
"""Rows that are read at a time: a draft may take a megabyte."""


def columns(names: str) -> tuple[str, ...]:
    return tuple(names.split())


@dataclass(frozen=True, slots=True)
class Part:
    """A part of what is held: the rows of a ``model`` that lead to the person by one of the ``paths``.

    ``shown`` are the columns that are told, and ``without`` those that are not: hashes and keys, of use only
    to a thief, and what belongs to others. ``told`` says how to get what is no column, or not in each row.
    Rows that lead to the person's address, by ``address``, are theirs as well. Where seats pass on, a path
    does not tell whose a row is: ``theirs`` does, in place of the paths. Only rows ``among`` which it is
    belong to the part.
    """

    key: str
    model: type[Model]
    paths: tuple[str, ...]
    shown: tuple[str, ...]
    without: tuple[str, ...] = ()
    told: Mapping[str, Expression | F] = field(default_factory=dict)
    address: str = ""
    theirs: Callable[[User], Q] | None = None
    among: Q = field(default_factory=Q)

    def rows(self, user: User) -> Iterator[Document]:
        condition = self.theirs(user) if self.theirs else Q()
        for path in self.paths:
            condition |= Q(**{path: user.pk})
        if self.address and user.email:
            condition |= Q(**{f"{self.address}__iexact": user.email})
        rows = self.model._default_manager.filter(condition, self.among).distinct().order_by("pk")
        told = {f"told_{name}": expression for name, expression in self.told.items()}
        plain = [name for name in self.shown if name not in self.told]
        read = rows.values(*plain, **told, row_key=F("pk"))
        portion = list(read[:ROWS_AT_ONCE])
        while portion:
            for row in portion:
                yield {name: row[f"told_{name}" if name in self.told else name] for name in self.shown}
            last = portion[-1]["row_key"]
            portion = list(read.filter(pk__gt=last)[:ROWS_AT_ONCE]) if len(portion) == ROWS_AT_ONCE else []


# --- Ratings, contacts, clubs and competitions --------------------------------------------------------------


_COUNTERS = " ".join(COUNTERS)

PARTS_AMONG_PLAYERS: Final = (
    Part(
        "ratings",
        PlayerRating,
        ("user",),
        columns("id user_id pool_id mu sigma games met played_at listed"),
        columns("floor"),
    ),
    Part(
        "rating_changes",
        RatingChange,
        ("user",),
        columns("id user_id result_id pool_id seq rank mu_before mu sigma played_at"),
        columns("side"),
    ),
    Part(
        "months",
        PlayerMonth,
        ("user",),
        columns(f"id user_id month games won turns checkpoints in_time tested gained {_COUNTERS}"),
    ),
    Part("awards", Award, ("user",), columns("id user_id close_id key place value")),
    Part(
        "ticket",
        Ticket,
        ("user",),
        columns(
            "id user_id ruleset pace size least most spread least_reliability computers_after created_at"
        ),
    ),
    Part(
        "tournament_entries",
        Entrant,
        ("user",),
        columns("id tournament_id user_id joined_at strength banned_id confirmed left_at place"),
    ),
    Part(
        "tournaments_hosted",
        Tournament,
        ("host",),
        columns(
            "id name text kind status host_id club_id members_only ruleset size rounds ship_choice pace"
            " absence least most round_days starts_at ends_at created_at ended_at ending"
        ),
        columns("seed due_at schedule lost_club_at"),
    ),
    Part(
        "ladder_places",
        Rung,
        ("user",),
        columns(
            "id ladder_id user_id place joined_at active_at protected_until absent_at resting_since back_at"
        ),
    ),
    Part(
        "ladder_games",
        LadderGame,
        ("challenger", "challenged"),
        columns("game_id ladder_id challenger_id challenged_id made_at settled_at outcome"),
    ),
    Part(
        "reports_of_players",
        Report,
        ("reporter",),
        columns("id reporter_id about rule text line_id club_id game_id at"),
        columns("case_id reason"),
        {"rule": F("reason")},
        among=Q(case__person__isnull=False),
    ),
    Part(
        "sanctions",
        Sanction,
        ("user",),
        columns("id user_id kind rule facts at days ends_at lifted_at line_id club_id before text_before"),
        columns("case_id by_id confirmed_by_id"),
    ),
    Part(
        "appeals",
        Appeal,
        ("sanction__user",),
        columns("id sanction_id text at answered_at outcome answer"),
        columns("answered_by_id"),
    ),
    Part("traces", Trace, ("user",), columns("id user_id kind first_at last_at"), columns("digest")),
    Part("limited_uses", LimitedUse, ("user",), columns("id user_id limit at")),
    Part("season_entries", SeasonEntry, ("user",), columns("id season_id user_id joined_at")),
    Part("clubs", Membership, ("user",), columns("id club_id user_id role since")),
    Part("club_candidacies", Candidate, ("user",), columns("id club_id user_id invited since")),
    Part("follows", Follow, ("user",), columns("id user_id followed_id since")),
    Part("followers", Follow, ("followed",), columns("id user_id followed_id since")),
    Part("blocks", Block, ("user",), columns("id user_id blocked_id since")),
    Part("housemates", Housemate, ("user", "person"), columns("id user_id person_id since")),
    Part("player_notes", PlayerNote, ("user",), columns("id user_id about_id text changed_at")),
)


# --- All parts ----------------------------------------------------------------------------------------------


PERSON = columns(
    f"id last_login is_superuser robo_name skeleton email {' '.join(PREFERENCES)} {' '.join(PAGE_SETTINGS)}"
    " is_guest is_staff is_active date_joined deleted_at"
)
"""The columns of the account itself that are told."""

PERSON_WITHOUT = columns("password")


# An invitation to an address says to no one else whether an account has it, nor what its owner answered.
_BY_NAME = {name: Case(When(email="", then=F(name))) for name in ("user_id", "answer", "answered_at")}

PARTS = (
    Part("addresses", EmailAddress, ("user",), columns("id user_id email verified primary")),
    Part(
        "second_factors",
        Authenticator,
        ("user",),
        columns("id type created_at last_used_at"),
        columns("user_id data"),
    ),
    Part(
        "sessions",
        UserSession,
        ("user",),
        columns("id ip user_agent created_at last_seen_at"),
        columns("user_id session_key data"),
    ),
    Part(
        "tokens",
        ApiToken,
        ("user",),
        columns("id user_id name created_at expires_at used_at"),
        columns("digest"),
    ),
    Part("rest", Rest, ("user",), columns("id user_id days_off night_from night_until takes_vacation")),
    Part("vacations", Vacation, ("user",), columns("id user_id first last planned_at")),
    Part("vacation_days", VacationDay, ("user",), columns("id user_id began_at planned")),
    Part("feeds", Feed, ("user",), columns("id user_id made_at shown"), columns("nonce")),
    Part(
        "webhook",
        Webhook,
        ("user",),
        columns("id user_id url made_at answered_at tested_at failing_since failure switched_off_at"),
        columns("secret"),
    ),
    Part(
        "browsers",
        Device,
        ("user",),
        columns("id user_id name made_at told_at"),
        columns("endpoint p256dh auth browser"),
    ),
    Part(
        "starship_drafts",
        StarshipDraft,
        ("user",),
        columns(
            "id user_id name ruleset players document width height version created_at saved_at"
            " parent_revision_id parent_draft_id parent_version parent_name taken_down_at"
        ),
        columns("link_token"),
    ),
    Part(
        "starships",
        Starship,
        ("owner",),
        columns(
            "id slug name builder owner_id section seats_least seats_most retired hidden current_id"
            " created_at launched_at taken_down_at"
        ),
        columns("position"),
    ),
    Part(
        "prototypes",
        Prototype,
        ("starship__owner",),
        columns(
            "id starship_id draft_id draft_version ruleset players licence status published_at used_at"
            " warned_at ended_at taken_from"
        ),
    ),
    Part(
        "draft_versions",
        DraftVersion,
        ("draft__user",),
        columns("id draft_id number name ruleset players document width height saved_at"),
    ),
    Part("test_flights", DraftFlight, ("draft__user",), columns("id draft_id game_id version")),
    Part(
        "tunnel_runs",
        TunnelRun,
        ("asked_by",),
        columns(
            "id draft_id asked_by_id version document ruleset edition players flights seed status flown"
            " report failure fix_of_id fix wins created_at finished_at"
        ),
        columns("sentences attempts offered_at"),
    ),
    Part(
        "ship_suggestions",
        ShipSuggestion,
        ("user",),
        columns(
            "id user_id ruleset edition players width height theme symmetry seed status ships last_flights"
            " flown found_theme document report failure created_at finished_at"
        ),
        columns("search sentences lease_until attempts pieces offered_at"),
    ),
    Part(
        "tunnel_batches",
        TunnelBatch,
        ("run__asked_by",),
        columns("id run_id first count flights"),
        columns("lease_until attempts"),
    ),
    Part(
        "promotions",
        Promotion,
        ("prototype__starship__owner",),
        columns("id prototype_id revision_id run_id status asked_at ended_at"),
        columns("reminded_at"),
    ),
    Part(
        "promotion_votes", PromotionVote, ("user",), columns("id promotion_id user_id choice words cast_at")
    ),
    Part(
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
    Part(
        "seats",
        Seat,
        ("user",),
        columns(
            "id game_id number user_id computer name robot offered_at shared look ready squad model bank"
            " excused"
            " clean_turns standing out place joined_at seen_turn read_chat manner visited_at ordered_at"
        ),
    ),
    Part(
        "replacements",
        Replacement,
        ("was", "became"),
        columns("id game_id seat_id turn reason at bank excused clean_turns"),
        columns("was_id became_id"),
    ),
    Part(
        "hands",
        Hand,
        (),
        columns(
            "id game_id turn_id robot seat_id chips face_down aside redealt deadline calendar thoughts"
            " remind_at"
        ),
        theirs=hands_dealt_to,
    ),
    Part(
        "orders",
        Program,
        (),
        columns("id game_id hand_id orders by remark submitted_at"),
        theirs=orders_given_by,
    ),
    Part("drafts", Draft, ("hand__seat__user",), columns("id game_id hand_id orders saved_at")),
    Part("tallies", Tally, ("seat__user",), columns(f"id {_COUNTERS} game_id seat_id")),
    Part("shares", Share, ("user",), columns(f"id {_COUNTERS} game_id seat_id user_id")),
    Part("achievements", Achievement, ("user",), columns("id user_id key game_id turn earned_at seen_at")),
    Part("chat", ChatLine, ("user",), columns("id game_id user_id name text at hidden_at rude")),
    Part(
        "reviews",
        Review,
        ("author",),
        columns(
            "id starship_id revision_id author_id stars tags text written_at changed_at held_until hidden_at"
        ),
        columns("answer answered_at"),
    ),
    Part(
        "answers_to_reviews",
        Review,
        (),
        columns("id starship_id revision_id answer answered_at"),
        columns("author_id stars tags text written_at changed_at held_until hidden_at"),
        theirs=lambda user: Q(starship__owner=user) & ~Q(answer=""),
    ),
    Part(
        "reports",
        Report,
        ("reporter",),
        columns("id starship_id draft_id review_id reporter_id reason text created_at closed_at outcome"),
        columns("case_id about line_id club_id game_id at"),
        {
            **{f"{thing}_id": F(f"case__{thing}") for thing in ("starship", "draft", "review")},
            "created_at": F("at"),
            "closed_at": F("case__decided_at"),
            "outcome": Case(
                When(case__decided_at=None, then=Value("")),
                When(case__dismissed=True, then=Value("dismissed")),
                default=Value("taken-down"),
            ),
        },
        among=Q(case__person=None),
    ),
    Part("favourites", Favourite, ("user",), columns("id user_id starship_id added_at")),
    Part(
        "starship_lists",
        StarshipList,
        ("user",),
        columns("id user_id name text seen_by size created_at changed_at"),
        columns("link_token"),
    ),
    Part("starships_in_lists", StarshipListEntry, ("list__user",), columns("id list_id starship_id place")),
    Part("ships_flown", Flier, ("user",), columns("id user_id starship_id")),
    *PARTS_AMONG_PLAYERS,
    Part("reliability", Reliability, ("user",), columns("id user_id turns missed recent")),
    Part(
        "votes",
        Vote,
        ("asked_by",),
        columns(
            "id game_id kind seat_id days asked_by_id turn status opened_at closes_at closed_at voters ayes"
            " noes"
        ),
    ),
    Part("ballots", Ballot, ("user",), columns("id game_id vote_id user_id yes cast_at")),
    Part("changes_in_lobbies", LobbyEntry, ("by",), columns("id game_id by_id kind parameters at")),
    Part(
        "invitations",
        Invitation,
        ("user",),
        columns("id game_id user_id email invited_by_id answer created_at answered_at"),
        address="email",
    ),
    Part(
        "invitations_sent",
        Invitation,
        ("invited_by",),
        columns("id game_id user_id email answer created_at answered_at"),
        columns("invited_by_id"),
        told=_BY_NAME,
    ),
    Part(
        "notices",
        Notice,
        ("user",),
        columns(
            "id kind channel user_id email game_id starship_id about turn status waits_for created_at"
            " attempts lease_until offered_at due_at sent_at last_error"
        ),
        address="email",
    ),
    Part(
        "boards_saved",
        StarshipRevision,
        ("saved_by",),
        columns("id starship_id number prototype created_at"),
        columns("document width height saved_by_id"),
    ),
    Part(
        "missions_saved",
        Mission,
        ("saved_by",),
        columns("id slug title"),
        columns("number starship_id options lesson saved_by_id"),
    ),
    Part(
        "interventions",
        Intervention,
        ("by",),
        columns("id game_id by_id action reason turn hours seat_id at"),
    ),
    Part(
        "moderations",
        Moderation,
        ("by",),
        columns("id starship_id review_id draft_id action reason by_id at"),
    ),
    Part(
        "staff_log",
        StaffEntry,
        ("user",),
        columns("id action_time user_id content_type_id object_id object_repr action_flag change_message"),
    ),
)


# --- The file -----------------------------------------------------------------------------------------------


PERSON_FORMAT: Final = "person/1"


def personal_data(*, user: User, now: datetime) -> Document:
    """Return everything that is held about a person, for no one else to see."""
    lists = {key: list(rows) for key, rows in _lists(user)}
    return {"format": PERSON_FORMAT, "written_at": now, "person": _person(user), **lists}


def write_data_file(file: BinaryIO, *, user: User, now: datetime) -> None:
    """Write everything that is held about a person as JSON, row by row: all at once takes memory for all."""

    def text_of(value: object, depth: int) -> str:
        text = json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        return text.replace("\n", "\n" + " " * depth)

    head = {"format": PERSON_FORMAT, "written_at": now, "person": _person(user)}
    file.write(text_of(head, 0).removesuffix("\n}").encode())
    with snapshot():
        for key, rows in _lists(user):
            file.write(f",\n {json.dumps(key)}: [".encode())
            before = "\n  "
            for row in rows:
                file.write((before + text_of(row, 2)).encode())
                before = ",\n  "
            file.write(b"]" if before == "\n  " else b"\n ]")
    file.write(b"\n}")


def _person(user: User) -> Document:
    groups = [group.name for group in user.groups.order_by("name")]
    return {**{column: getattr(user, column) for column in PERSON}, "groups": groups}


def _lists(user: User) -> Iterator[tuple[str, Iterator[Document]]]:
    """Yield each list of what is held, by its key."""
    for part in PARTS:
        yield part.key, part.rows(user)
    yield "played", _played(user)


def _played(user: User) -> Iterator[Document]:
    """Yield the hands that a person was dealt in turns that were played, and what was ordered with them.

    Of those that lay face down they saw no chips.
    """
    for seat, turn, hand in hands_played_by(user):
        given = hand.program
        yield {
            "seat_id": seat.pk,
            "turn_id": turn.pk,
            "chips": None if hand.face_down else hand.chips,
            "aside": hand.aside,
            "redealt": hand.redealt,
            "orders": given and given.orders,
            "by": given and given.by,
            "remark": given and given.remark,
            "submitted_at": given and given.submitted_at,
        }

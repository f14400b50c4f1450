"""Export a person's data as a file for that person. Each table is a part of the file."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry as StaffEntry
from django.contrib.contenttypes.models import ContentType
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Case, Expression, F, Model, Q, Value, When

from accounts.mail import mail_records
from accounts.models import MailRecord, Trace, User
from accounts.settings import PREFERENCES, SETTINGS as PAGE_SETTINGS
from accounts.sign_ups import InvitationLink, SignUp, SignUpBlock, SignUpRule
from games.absence.models import Reliability, Replacement, SitterTurn, Sitting
from games.absence.selectors import hands_dealt_to, hands_played_by, orders_given_by
from games.admission.models import Removal
from games.analysis.models import Analysis
from games.branches.models import Branch
from games.chat.models import ChatLine
from games.clocks.models import Rest, Vacation, VacationDay
from games.clubs.models import Candidate, Membership
from games.competitions.models import Entrant, LadderGame, Rung, SeasonEntry, Ticket, Tournament
from games.daily.models import DailyResult
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
from games.groups.models import GroupChannel
from games.lobby.models import Invitation, LobbyEntry
from games.moderation.models import Appeal, Moderation, Report, Sanction
from games.news.models import Device, Feed, Notice, Webhook
from games.people.models import Achievement, ApiToken, Block, Follow, Housemate, PlayerNote, Share, Tally
from games.play.models import Draft, Game, Hand, Program, Seat
from games.play.terms import SETTINGS
from games.puzzles.models import PuzzleRating, PuzzleTry
from games.reading import snapshot
from games.shipyard.models import (
    DraftFlight,
    DraftVersion,
    ShipSuggestion,
    StarshipDraft,
    TunnelBatch,
    TunnelRun,
)
from games.staff.models import Intervention
from games.standings.models import Award, PlayerMonth, PlayerRating, RatingChange
from games.votes.models import Ballot, Vote
from games.work.models import LimitedUse
from rules.statistics import COUNTERS

Document = dict[str, Any]

ROWS_PER_QUERY: Final = 50
"""The number of rows to read with one query. It is small, because a draft starship may take a megabyte."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the file of personal data: the rows of ``model`` that are about the person.

    A row is about the person if one of the ``paths`` leads from the row to the person, if its column
    ``address`` has the person's address, or if it meets the condition that ``theirs`` returns. ``theirs`` is
    for rows of seats with several players, which have no path to the right player. Only rows that match
    ``among`` are included.

    The file contains the columns ``shown``. It leaves out the columns ``without``: hashes and keys, which
    would only help a thief, and data of other people. ``expressions`` has the expressions for the names in
    ``shown`` that are not plain columns.
    """

    key: str
    model: type[Model]
    paths: tuple[str, ...]
    shown: tuple[str, ...]
    without: tuple[str, ...] = ()
    expressions: Mapping[str, Expression | F] = field(default_factory=dict)
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
        computed = {f"computed_{name}": expression for name, expression in self.expressions.items()}
        plain = [name for name in self.shown if name not in self.expressions]
        read = rows.values(*plain, **computed, row_key=F("pk"))
        keys = {name: f"computed_{name}" if name in self.expressions else name for name in self.shown}
        portion = list(read[:ROWS_PER_QUERY])
        while portion:
            for row in portion:
                yield {name: row[key] for name, key in keys.items()}
            last = portion[-1]["row_key"]
            portion = (
                list(read.filter(pk__gt=last)[:ROWS_PER_QUERY]) if len(portion) == ROWS_PER_QUERY else []
            )


def part(key: str, model: type[Model], paths: str, shown: str, without: str = "", **more: Any) -> Part:
    """Declare a part of the file of personal data (`Part`).

    Paths and columns are given as names separated by spaces.
    """
    return Part(key, model, tuple(paths.split()), tuple(shown.split()), tuple(without.split()), **more)


# --- Ratings, contacts, clubs and competitions --------------------------------------------------------------


_COUNTERS: Final = " ".join(COUNTERS)
_TERMS: Final = " ".join(name for name in SETTINGS if name not in ("name", "private", "ruleset"))

PARTS_AMONG_PLAYERS: Final = (
    part("ratings", PlayerRating, "user", "id user_id pool_id mu sigma games met played_at listed", "floor"),
    part(
        "rating_changes",
        RatingChange,
        "user",
        "id user_id result_id pool_id seq rank mu_before mu sigma played_at",
        "side",
    ),
    part(
        "months",
        PlayerMonth,
        "user",
        f"id user_id month games won turns checkpoints in_time tested gained {_COUNTERS}",
    ),
    part("awards", Award, "user", "id user_id close_id key place value"),
    part(
        "ticket",
        Ticket,
        "user",
        "id user_id ruleset pace size least most spread least_reliability computers_after created_at",
    ),
    part(
        "tournament_entries",
        Entrant,
        "user",
        "id tournament_id user_id joined_at strength banned_id confirmed left_at place",
    ),
    part(
        "tournaments_hosted",
        Tournament,
        "host",
        "id name text kind status host_id club_id members_only ruleset size rounds ship_choice sitters pace"
        " absence least most round_days starts_at ends_at created_at opened_at ended_at"
        " ending",
        "seed due_at schedule lost_club_at",
    ),
    part(
        "ladder_places",
        Rung,
        "user",
        "id ladder_id user_id place joined_at active_at protected_until absent_at resting_since back_at",
    ),
    part(
        "ladder_games",
        LadderGame,
        "challenger challenged",
        "game_id ladder_id challenger_id challenged_id made_at settled_at outcome",
    ),
    part(
        "reports_of_players",
        Report,
        "reporter",
        "id reporter_id about rule text line_id club_id game_id at",
        "case_id reason",
        expressions={"rule": F("reason")},
        among=Q(case__person__isnull=False),
    ),
    part(
        "sanctions",
        Sanction,
        "user",
        "id user_id kind rule facts at days ends_at lifted_at line_id club_id before text_before",
        "case_id by_id confirmed_by_id",
    ),
    part(
        "appeals",
        Appeal,
        "sanction__user",
        "id sanction_id text at answered_at outcome answer",
        "answered_by_id",
    ),
    part("sign_up", SignUp, "user", "user_id at network invitation_id status waits_since"),
    part("invitation_links", InvitationLink, "made_by", "id made_by_id most made_at ends_at", "token"),
    part("traces", Trace, "user", "id user_id kind first_at last_at", "digest"),
    part("limited_uses", LimitedUse, "user", "id user_id limit at"),
    part(
        "daily_runs",
        DailyResult,
        "user",
        "id user_id run_id began_at programs tries first_at first_programs first_score best_programs"
        " best_score counts",
    ),
    part(
        "puzzle_tries", PuzzleTry, "user", "id puzzle_id user_id tried_at program solved change last_program"
    ),
    part("puzzle_rating", PuzzleRating, "user", "id user_id mu sigma tries solved changed_at"),
    part("season_entries", SeasonEntry, "user", "id season_id user_id joined_at"),
    part("clubs", Membership, "user", "id club_id user_id role since"),
    part(
        "club_candidacies",
        Candidate,
        "user",
        "id club_id user_id email invited invited_by_id status since",
        address="email",
    ),
    part(
        "club_invitations_sent",
        Candidate,
        "invited_by",
        "id club_id email since",
        "user_id invited invited_by_id status",
    ),
    part("follows", Follow, "user", "id user_id followed_id since"),
    part("followers", Follow, "followed", "id user_id followed_id since"),
    part("blocks", Block, "user", "id user_id blocked_id since"),
    part("housemates", Housemate, "user person", "id user_id person_id since"),
    part("player_notes", PlayerNote, "user", "id user_id about_id text changed_at"),
)


# --- All parts ----------------------------------------------------------------------------------------------


PERSON: Final = (
    "id",
    "last_login",
    "is_superuser",
    "robo_name",
    "skeleton",
    "email",
    *PREFERENCES,
    *PAGE_SETTINGS,
    "is_guest",
    "is_staff",
    "is_active",
    "locked_until",
    "lock_reason",
    "date_joined",
    "deleted_at",
)
"""The columns of the account's own row that the file of personal data contains."""

PERSON_WITHOUT: Final = ("password",)
"""The columns of the account's own row that the file of personal data leaves out."""


# An invitation sent to an address must not reveal whose address it is, or what that person answered.
_BY_NAME = {name: Case(When(email="", then=F(name))) for name in ("user_id", "answer", "answered_at")}


def _mail_to(user: User) -> Q:
    return Q(pk__in=mail_records(user).values("pk"))


def _support_of(user: User) -> Q:
    about = ContentType.objects.get_for_model(User)
    return Q(content_type=about, object_id=str(user.pk))


PARTS = (
    part("addresses", EmailAddress, "user", "id user_id email verified primary"),
    part(
        "account_mail",
        MailRecord,
        "",
        "id kind outcome created_at settled_at error",
        "digest",
        theirs=_mail_to,
    ),
    part(
        "actions_of_staff",
        StaffEntry,
        "",
        "id action_time action_flag change_message",
        "user_id content_type_id object_id object_repr",
        theirs=_support_of,
    ),
    part("second_factors", Authenticator, "user", "id type created_at last_used_at", "user_id data"),
    part(
        "provider_logins",
        SocialAccount,
        "user",
        "id user_id provider uid date_joined last_login",
        "extra_data",
    ),
    part(
        "sessions",
        UserSession,
        "user",
        "id ip user_agent created_at last_seen_at",
        "user_id session_key data",
    ),
    part("tokens", ApiToken, "user", "id user_id name created_at expires_at used_at", "digest"),
    part("rest", Rest, "user", "id user_id days_off night_from night_until takes_vacation"),
    part("vacations", Vacation, "user", "id user_id first last planned_at"),
    part("vacation_days", VacationDay, "user", "id user_id began_at planned"),
    part(
        "sitters",
        Sitting,
        "owner",
        "id owner_id first last begins_at ends_at asked_at accepted_at ended_at",
        "sitter_id",
    ),
    part(
        "sittings",
        Sitting,
        "sitter",
        "id sitter_id first last begins_at ends_at asked_at accepted_at ended_at",
        "owner_id",
    ),
    part(
        "sitter_turns",
        SitterTurn,
        "sitting__owner sitting__sitter",
        "id sitting_id game_id turn orders chips ordered_at",
    ),
    part("feeds", Feed, "user", "id user_id made_at shown", "nonce"),
    part(
        "webhook",
        Webhook,
        "user",
        "id user_id url made_at answered_at tested_at failing_since failure switched_off_at",
        "secret",
    ),
    part(
        "group_channels",
        GroupChannel,
        "made_by",
        "id game_id club_id tournament_id service room language news made_by_id made_at answered_at"
        " failing_since failure switched_off_at",
        "address token secret attempts lease_until offered_at waits_for",
    ),
    part("browsers", Device, "user", "id user_id name made_at told_at", "endpoint p256dh auth browser"),
    part(
        "starship_drafts",
        StarshipDraft,
        "user",
        "id user_id name ruleset players document width height version created_at saved_at"
        " parent_revision_id parent_draft_id parent_version parent_name taken_down_at",
        "link_token",
    ),
    part(
        "starships",
        Starship,
        "owner",
        "id slug name builder owner_id section seats_least seats_most retired hidden current_id"
        " created_at launched_at taken_down_at",
        "position",
    ),
    part(
        "prototypes",
        Prototype,
        "starship__owner",
        "id starship_id draft_id draft_version ruleset players licence status published_at used_at"
        " warned_at ended_at taken_from",
    ),
    part(
        "draft_versions",
        DraftVersion,
        "draft__user",
        "id draft_id number name ruleset players document width height saved_at",
    ),
    part("test_flights", DraftFlight, "draft__user", "id draft_id game_id version"),
    part(
        "tunnel_runs",
        TunnelRun,
        "asked_by",
        "id draft_id asked_by_id version document ruleset edition players flights seed status flown"
        " report failure fix_of_id fix wins created_at finished_at",
        "sentences attempts offered_at",
    ),
    part(
        "ship_suggestions",
        ShipSuggestion,
        "user",
        "id user_id ruleset edition players width height theme symmetry seed status ships"
        " last_flights flown found_theme document report failure created_at finished_at",
        "search sentences lease_until attempts pieces offered_at",
    ),
    part(
        "tunnel_batches",
        TunnelBatch,
        "run__asked_by",
        "id run_id first count flights",
        "lease_until attempts",
    ),
    part(
        "analyses",
        Analysis,
        "player",
        "id game_id player_id version asked_at status turns reviewed review failure finished_at",
        "asked_by_id lease_until attempts offered_at",
    ),
    part(
        "requested_analyses",
        Analysis,
        "asked_by",
        "id game_id asked_by_id version asked_at status turns reviewed",
        "player_id review failure finished_at lease_until attempts offered_at",
    ),
    part(
        "promotions",
        Promotion,
        "prototype__starship__owner",
        "id prototype_id revision_id run_id status asked_at ended_at",
        "reminded_at",
    ),
    part("promotion_votes", PromotionVote, "user", "id promotion_id user_id choice words cast_at"),
    part(
        "games",
        Game,
        "host players__user players__replacements__was",
        "id name host_id status private ruleset created_at started_at ended_at",
        f"{_TERMS} version revision_id course_id link_token mission_id rematch_of_id seed commitment"
        " paused_at paused_until turn last_seq intervened winner ending moved_at heads_from"
        " position origin_id origin_turn at_screen",
    ),
    part(
        "seats",
        Seat,
        "user",
        "id game_id number user_id computer name robot offered_at shared look ready squad model bank"
        " excused clean_turns missed_in_row short_clock standing out place joined_at seen_turn read_chat"
        " manner visited_at ordered_at",
        theirs=lambda user: Q(user=None, computer="", game__host=user),  # companions at the person's screen
    ),
    part(
        "replacements",
        Replacement,
        "was became",
        "id game_id seat_id turn reason at bank excused clean_turns missed_in_row short_clock",
        "was_id became_id",
    ),
    part(
        "hands",
        Hand,
        "",
        "id game_id turn_id robot seat_id chips face_down aside redealt deadline calendar thoughts remind_at",
        theirs=hands_dealt_to,
    ),
    part("orders", Program, "", "id game_id hand_id orders by remark submitted_at", theirs=orders_given_by),
    part("drafts", Draft, "hand__seat__user", "id game_id hand_id orders saved_at"),
    part("tallies", Tally, "seat__user", f"id {_COUNTERS} game_id seat_id"),
    part("shares", Share, "user", f"id {_COUNTERS} game_id seat_id user_id"),
    part("achievements", Achievement, "user", "id user_id key game_id turn earned_at seen_at"),
    part("chat", ChatLine, "user", "id game_id user_id name text at hidden_at rude"),
    part(
        "reviews",
        Review,
        "author",
        "id starship_id revision_id author_id stars tags text written_at changed_at held_until hidden_at",
        "answer answered_at",
    ),
    part(
        "answers_to_reviews",
        Review,
        "",
        "id starship_id revision_id answer answered_at",
        "author_id stars tags text written_at changed_at held_until hidden_at",
        theirs=lambda user: Q(starship__owner=user) & ~Q(answer=""),
    ),
    part(
        "reports",
        Report,
        "reporter",
        "id starship_id draft_id review_id reporter_id reason text created_at closed_at outcome",
        "case_id about line_id club_id game_id at",
        expressions={
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
    part("favourites", Favourite, "user", "id user_id starship_id added_at"),
    part(
        "starship_lists",
        StarshipList,
        "user",
        "id user_id name text seen_by size created_at changed_at",
        "link_token",
    ),
    part("starships_in_lists", StarshipListEntry, "list__user", "id list_id starship_id place"),
    part(
        "branches",
        Branch,
        "owner",
        "id game_id owner_id turn name document more blind seat created_at changed_at",
        "token",
    ),
    part("ships_flown", Flier, "user", "id user_id starship_id"),
    *PARTS_AMONG_PLAYERS,
    part("reliability", Reliability, "user", "id user_id turns missed recent"),
    part(
        "votes",
        Vote,
        "asked_by",
        "id game_id kind seat_id days asked_by_id turn status opened_at closes_at closed_at voters ayes noes",
    ),
    part("ballots", Ballot, "user", "id game_id vote_id user_id yes cast_at"),
    part("changes_in_lobbies", LobbyEntry, "by", "id game_id by_id kind parameters at"),
    part(
        "invitations",
        Invitation,
        "user",
        "id game_id user_id email invited_by_id answer created_at answered_at",
        address="email",
    ),
    part(
        "invitations_sent",
        Invitation,
        "invited_by",
        "id game_id user_id email answer created_at answered_at",
        "invited_by_id",
        expressions=_BY_NAME,
    ),
    part(
        "notices",
        Notice,
        "user",
        "id kind channel user_id email game_id starship_id about turn status waits_for created_at"
        " attempts lease_until offered_at due_at sent_at last_error",
        address="email",
    ),
    part(
        "boards_saved",
        StarshipRevision,
        "saved_by",
        "id starship_id number prototype created_at",
        "document width height saved_by_id",
    ),
    part(
        "missions_saved",
        Mission,
        "saved_by",
        "id slug title",
        "number starship_id options lesson saved_by_id",
    ),
    part("interventions", Intervention, "by", "id game_id by_id action reason turn hours seat_id at"),
    part("sign_up_rules", SignUpRule, "by", "id mode reason by_id at"),
    part("sign_up_blocks", SignUpBlock, "by", "id kind reason by_id made_at ends_at", "value"),
    part(
        "removals",
        Removal,
        "by",
        "id by_id reason since until total removed spared asked_at done_at",
        "network domain offered_at",
    ),
    part("moderations", Moderation, "by", "id starship_id review_id draft_id action reason by_id at"),
    part(
        "staff_log",
        StaffEntry,
        "user",
        "id action_time user_id content_type_id object_id object_repr action_flag change_message",
    ),
)


# --- The file -----------------------------------------------------------------------------------------------


PERSON_FORMAT: Final = "person/1"


def personal_data(*, user: User, now: datetime) -> Document:
    """Return all personal data of a person. Only that person may see the result."""
    lists = {key: list(rows) for key, rows in _lists(user)}
    return {"format": PERSON_FORMAT, "written_at": now, "person": _person(user), **lists}


def write_data_file(file: BinaryIO, *, user: User, now: datetime) -> None:
    """Write all personal data of a person to a file as JSON, row by row to save memory."""

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
    """Yield the key and the rows of each list in the file of personal data."""
    for part in PARTS:
        yield part.key, part.rows(user)
    yield "played", _played(user)


def _played(user: User) -> Iterator[Document]:
    """Yield a person's hands in played turns, with the orders.

    Hands dealt face down are yielded without chips, because the person never saw these.
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

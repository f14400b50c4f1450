"""Tournaments as players see them."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts.models import User
from games.clocks.clock import PerTurn
from games.competitions.models import Entrant, Round, Table, Tournament, TournamentShip
from games.competitions.selectors.results import (
    PARTS_PER_POINT,
    PLACES_BY_SEAT,
    History,
    history_of,
    lines_of,
)
from games.errors import NotFound
from games.play import stored
from games.play.models import Game
from games.play.policy import POLICIES
from games.rights import Right, may

Status = Tournament.Status

LOWEST_PLACE_SHOWN: Final = 3
"""The lowest place in a tournament to show on a player's page."""


class TournamentFacts(TypedDict):
    """A tournament in a list."""

    id: int
    name: str
    kind: Annotated[str, Tournament.Kind]
    status: Annotated[str, Tournament.Status]
    host: Annotated[str | None, "Null for tournaments of the service, such as divisions of seasons."]
    club: Annotated[
        str | None, "The `slug` of the club whose members can enter. Null if there is none, or it was closed."
    ]
    ruleset: Annotated[str | None, "Null in a marathon that counts all rulesets."]
    size: Annotated[int, "Players at a table."]
    rounds: Annotated[int | None, "Null if the number is not known in advance."]
    entrants: Annotated[int, "Players who entered, including those who left after the start."]
    least: Annotated[int, "With fewer entrants, the tournament is cancelled at its start."]
    most: Annotated[int, "Maximum number of entrants."]
    starts_at: datetime
    ends_at: Annotated[datetime | None, "When a marathon or a division ends. Null for other tournaments."]
    ended_at: datetime | None


class RoundResultView(TypedDict):
    """An entrant's result in one round."""

    round: int
    table: int
    of: Annotated[int, "Players at the table. 1 for a bye or a walkover."]
    walkover: Annotated[bool, "Whether no opponent was left."]
    rank: Annotated[int | None, "Null until the table is scored."]
    game: Annotated[int | None, "The `id` of the game at the table."]


class EntrantView(TypedDict):
    """An entrant in the standings of a tournament."""

    place: Annotated[int | None, "Null for players who left."]
    robo_name: str
    look: int | None
    points: float
    direct: Annotated[float, "Wins against entrants with the same points, if all of these have met."]
    strength: Annotated[float, "Mean of the opponents' points, without the lowest."]
    firsts: Annotated[int, "Tables won."]
    left: Annotated[bool, "Whether the player left the tournament."]
    results: list[RoundResultView]


class TablePlaceView(TypedDict):
    """A player at a table."""

    robo_name: str
    look: int | None
    seat: int
    rank: int | None
    points: float | None


class TableView(TypedDict):
    """A table of a round."""

    number: int
    game: Annotated[int | None, "The `id` of its game. Null for a bye or a walkover."]
    scored: bool
    places: Annotated[list[TablePlaceView], "In order of rank. In order of seats until the table is scored."]


class RoundView(TypedDict):
    """A round, and how its players were paired."""

    number: int
    started_at: datetime
    ends_at: Annotated[datetime, "When unfinished tables are scored as they stand."]
    closed_at: datetime | None
    way: Annotated[str, ("points", "plane", "everybody", "seeds"), "How players were paired."]
    repeats: Annotated[int, "Number of pairs that had met before."]
    walkover: Annotated[bool, "Whether only one player was left, who won."]
    tables: list[TableView]


class TournamentShipView(TypedDict):
    """A starship of a tournament."""

    id: int
    name: str


class MyEntryView(TypedDict):
    """Your entry in a tournament."""

    confirmed: Annotated[bool, "Whether you play in the next round. If not, you must confirm it first."]
    banned: Annotated[int | None, "The `id` of the starship that you banned."]
    game: Annotated[int | None, "The `id` of your game in the current round."]
    place: Annotated[int | None, "Your final place."]


class TournamentView(TournamentFacts):
    """A tournament: its rules, its standings and its latest round."""

    text: str
    starships: list[TournamentShipView]
    ship_choice: Annotated[str, Tournament.ShipChoice, "How a table gets its starship."]
    sitters: Annotated[bool, "Whether players can have sitters. In a marathon, each game’s host decides."]
    hours: Annotated[int | None, "Hours for each turn."]
    excused: Annotated[int | None, "Turns that you can miss in a game without losing your seat."]
    policy: Annotated[str, POLICIES, "What is played when a player misses a turn."]
    table: Annotated[list[EntrantView], "Best first."]
    last_round: RoundView | None
    me: Annotated[MyEntryView | None, "Null if you are not in the tournament."]


def tournaments(*, viewer: Any, statuses: Iterable[str] = ()) -> QuerySet[Tournament]:
    """Return the tournaments visible to a viewer, latest start first.

    If ``statuses`` are given, returns only tournaments in these states, and no divisions of seasons.
    """
    there = Entrant.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    players = Coalesce(Subquery(there.annotate(number=Count("*")).values("number")), 0)
    found = Tournament.objects.select_related("host", "club").annotate(players=players)
    if not may(viewer, Right.SEE_TOURNAMENTS):
        own = Q(host=viewer) if isinstance(viewer, User) else Q(pk__in=[])
        found = found.filter(~Q(status=Status.DRAFT) | own)
    if wanted := list(statuses):
        found = found.filter(status__in=wanted, round_days=None)
    return found.order_by("-starts_at", "-pk")


def tournament_for(*, viewer: Any, tournament_id: int) -> Tournament:
    """Return a tournament. Raises NotFound if the viewer may not see it."""
    found = tournaments(viewer=viewer).filter(pk=tournament_id).first()
    if found is None:
        raise NotFound("no-tournament", _("There is no such tournament."))
    return found


PLAIN_RULES: Final = (
    "name",
    "text",
    "kind",
    "ruleset",
    "size",
    "ship_choice",
    "sitters",
    "least",
    "most",
    "starts_at",
)
"""The rules that have the same name and value in `NewTournament` and `Tournament`."""


def terms_of_draft(draft: Tournament) -> dict[str, Any]:
    """Return the rules of a draft as values of `NewTournament`. Values that it does not use are left out."""
    pace = stored.read_pace(draft.pace)
    return {
        **{name: getattr(draft, name) for name in PLAIN_RULES},
        **({"rounds": draft.rounds} if draft.rounds else {}),
        **({"hours": pace.hours} if isinstance(pace, PerTurn) else {}),
        "club": draft.club.slug if draft.club else "",
        "starships": list(draft.ships.values_list("starship", flat=True)),
    }


def tournament_facts(tournament: Tournament) -> TournamentFacts:
    """Convert a tournament to an item of a list. The tournament must come from `tournaments`."""
    return {
        "id": tournament.pk,
        "name": tournament.name,
        "kind": tournament.kind,
        "status": tournament.status,
        "host": tournament.host.robo_name if tournament.host else None,
        "club": tournament.club.slug if tournament.club else None,
        "ruleset": tournament.ruleset or None,
        "size": tournament.size,
        "rounds": tournament.rounds,
        "entrants": tournament.players,  # type: ignore[attr-defined]
        "least": tournament.least,
        "most": tournament.most,
        "starts_at": tournament.starts_at,
        "ends_at": tournament.ends_at,
        "ended_at": tournament.ended_at,
    }


def tournament_view(*, viewer: Any, tournament_id: int) -> TournamentView:
    """Return a tournament for its page. Raises NotFound if the viewer may not see it."""
    tournament = tournament_for(viewer=viewer, tournament_id=tournament_id)
    entrants = {each.pk: each for each in tournament.entrants.select_related("user", "banned")}
    absence = stored.read_absence(tournament.absence)
    last = _rounds(tournament).last()
    return {
        **tournament_facts(tournament),
        "text": tournament.text,
        "starships": [{"id": row.starship_id, "name": row.starship.name} for row in shown_ships(tournament)],
        "ship_choice": tournament.ship_choice,
        "sitters": tournament.sitters,
        "hours": tournament.pace["hours"],
        "excused": absence.excused,
        "policy": absence.policy,
        "table": _table(tournament, entrants),
        "last_round": round_view(last, entrants) if last else None,
        "me": _own_entry(viewer, entrants.values(), last),
    }


def round_of(*, viewer: Any, tournament_id: int, number: int) -> RoundView:
    """Return a round of a tournament. Raises NotFound for a hidden tournament or an unknown round."""
    tournament = tournament_for(viewer=viewer, tournament_id=tournament_id)
    found = _rounds(tournament).filter(number=number).first()
    if found is None:
        raise NotFound("no-round", _("This tournament has no round {number}.").format(number=number))
    return round_view(found, {each.pk: each for each in tournament.entrants.select_related("user")})


def round_view(made: Round, entrants: dict[int, Entrant]) -> RoundView:
    return {
        "number": made.number,
        "started_at": made.started_at,
        "ends_at": made.ends_at,
        "closed_at": made.closed_at,
        "way": made.pairing["way"],
        "repeats": made.pairing["repeats"],
        "walkover": made.is_walkover,
        "tables": [_table_view(table, entrants) for table in made.tables.all()],
    }


def table_view(tournament: Tournament) -> list[EntrantView]:
    """Return the standings of a tournament, best first."""
    return _table(tournament, {each.pk: each for each in tournament.entrants.select_related("user")})


def shown_ships(tournament: Tournament) -> QuerySet[TournamentShip]:
    """Return the starships of a tournament, in order. Starships that staff have taken down are left out."""
    return tournament.ships.filter(starship__taken_down_at=None).select_related("starship")


def hosted_by(user: User) -> QuerySet[Tournament]:
    """Return a host's published, unfinished tournaments."""
    return Tournament.objects.filter(host=user, ended_at=None).exclude(status=Tournament.Status.DRAFT)


def entries_of(user: User) -> list[Entrant]:
    """Return a player's entries in unfinished tournaments."""
    going_on = Entrant.objects.filter(user=user, left_at=None, tournament__ended_at=None)
    return list(going_on.select_related("tournament").order_by("tournament__starts_at"))


def places_won_by(user: User) -> list[Entrant]:
    """Return a player's latest entries with a place of `LOWEST_PLACE_SHOWN` or better, newest first."""
    won = Entrant.objects.filter(user=user, place__lte=LOWEST_PLACE_SHOWN, left_at=None)
    return list(won.select_related("tournament").order_by("-tournament__ended_at")[:20])


def games_of_round(tournament: Tournament) -> QuerySet[Game]:
    """Return the games in the latest round of a tournament."""
    last = tournament.all_rounds.order_by("-number").first()
    return Game.objects.filter(at_table__table__round=last) if last else Game.objects.none()


def _rounds(tournament: Tournament) -> QuerySet[Round]:
    tables = Prefetch("tables", Table.objects.select_related("link").prefetch_related(PLACES_BY_SEAT))
    return tournament.all_rounds.prefetch_related(tables).order_by("number")


def _table_view(table: Table, entrants: dict[int, Entrant]) -> TableView:
    return {
        "number": table.number,
        "game": table.game_id,
        "scored": table.scored_at is not None,
        "places": [
            {
                "robo_name": entrants[place.entrant_id].user.robo_name,
                "look": entrants[place.entrant_id].user.look,
                "seat": place.seat,
                "rank": place.rank,
                "points": None if place.points is None else place.points / PARTS_PER_POINT,
            }
            for place in sorted(table.places.all(), key=lambda place: (place.rank or 0, place.seat))
        ],
    }


def _table(tournament: Tournament, entrants: dict[int, Entrant]) -> list[EntrantView]:
    history = history_of(tournament)
    results = _results(tournament, history)
    return [
        {
            "place": None if line.departed else line.place,
            "robo_name": entrants[line.key].user.robo_name,
            "look": entrants[line.key].user.look,
            "points": line.points / PARTS_PER_POINT,
            "direct": float(line.direct),
            "strength": float(line.strength / PARTS_PER_POINT),
            "firsts": line.firsts,
            "left": entrants[line.key].left_at is not None,
            "results": results.get(line.key, []),
        }
        for line in lines_of(tournament, history)
    ]


def _results(tournament: Tournament, history: History) -> dict[int, list[RoundResultView]]:
    found: dict[int, list[RoundResultView]] = {}
    tables = Counter(table.round for table in history.tables)
    for table in history.tables:
        for place in table.places:
            found.setdefault(place.key, []).append(
                {
                    "round": table.round,
                    "table": table.number,
                    "of": table.size,
                    "walkover": table.size == tables[table.round] == 1,
                    "rank": place.rank,
                    "game": table.game,
                }
            )
    return found


def _own_entry(viewer: Any, entrants: Iterable[Entrant], last: Round | None) -> MyEntryView | None:
    mine = next((each for each in entrants if each.user_id == viewer.pk and each.left_at is None), None)
    if mine is None:
        return None
    tables = list(last.tables.all()) if last and last.closed_at is None else []
    here = (table for table in tables if any(place.entrant_id == mine.pk for place in table.places.all()))
    return {
        "confirmed": mine.confirmed,
        "banned": mine.banned.starship_id if mine.banned else None,
        "game": next((table.game_id for table in here), None),
        "place": mine.place,
    }

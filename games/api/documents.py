"""Rows as answers: allow-lists, each for one kind of thing."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, TypedDict, cast

import rules
from accounts.models import Manner, User
from games.alone import each_alone
from games.api.tokens.models import ApiToken
from games.clocks.calendars import write_calendar
from games.clocks.models import Rest, Vacation
from games.clocks.selectors.rests import calendar_of
from games.clocks.selectors.vacations import DAYS_A_YEAR, days_left, vacations_of
from games.documents import Shape
from games.fleet.models import Starship
from games.fleet.selectors.starships import rulesets_of, unsuitable_of
from games.lobby.models import Invitation
from games.lobby.selectors.invitations import invitations_for
from games.people.selectors.numbers import game_numbers
from games.play import stored
from games.play.models import Game
from games.play.policy import STANDING
from games.play.selectors.facts import GameFacts, facts_of
from rules.models import MODELS
from rules.rulebook import PARTS, clauses_of

Document = dict[str, Any]

URL = Shape({"type": "string", "format": "uri"})


def of_person(user: User) -> Document:
    """Write what a person may know of themself."""
    return {
        "robo_name": user.robo_name,
        "look": user.look,
        "preferences": {
            "time_zone": user.time_zone,
            "mail_my_turn": user.manner != Manner.NONE,
            "manner": user.manner,
            "daily_hour": user.daily_hour,
            "lobby_mail": user.lobby_mail,
            "shows_name": user.shows_name,
            "shows_games": user.shows_games,
            "shows_history": user.shows_history,
            "shows_statistics": user.shows_statistics,
            "shows_achievements": user.shows_achievements,
        },
        "invitations": invitations_for(user=user).count(),
        "games": game_numbers(user=user),
    }


def of_standing(user: User, game: Game, standing: str) -> Document:
    """Write the standing orders of a player for a game, which are empty where they are those for all."""
    return {
        "standing": standing,
        "plays": standing or user.standing,
        "counts": stored.absence_of(game).policy == STANDING,
    }


def of_rest(rest: Rest) -> Document:
    """Write when the clocks of a person stand still."""
    calendar = write_calendar(calendar_of(user=rest.user))
    return {
        "time_zone": rest.user.time_zone,
        "days_off": calendar["days_off"],
        "night": calendar["night"],
        "takes_vacation": rest.takes_vacation,
    }


def of_vacation(vacation: Vacation) -> Document:
    """Write a vacation that someone has planned."""
    return {"id": vacation.pk, "first": vacation.first, "last": vacation.last}


def of_vacations(user: User, *, now: datetime) -> Document:
    """Write what vacation a person has."""
    return {
        "results": [of_vacation(vacation) for vacation in vacations_of(user=user, now=now)],
        "days_left": days_left(user=user, now=now),
        "days_a_year": DAYS_A_YEAR,
    }


def of_tokens(tokens: Iterable[ApiToken], *, shown: ApiToken | None) -> Document:
    """Write a person's tokens; ``shown`` is the one that the caller has shown."""
    return {
        "results": [
            {
                "id": token.pk,
                "name": token.name,
                "created_at": token.created_at,
                "used_at": token.used_at,
                "expires_at": token.expires_at,
                "shown": token == shown,
            }
            for token in tokens
        ]
    }


class UnreadableView(TypedDict):
    """A game that belongs in the list and cannot be read right now: staff see why."""

    id: int
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedGame(GameFacts):
    """A game, as lists show it."""

    starship_name: Annotated[str, "What the board is called."]
    waits_for_me: bool
    unread: Annotated[int, "Lines of its chat that I have not read, where I play."]
    moved_at: Annotated[datetime, "When somebody last joined or moved, or a turn was resolved."]


class WaitingView(TypedDict):
    """Games that wait for my orders, most urgent first."""

    results: list[ListedGame]
    unreadable: list[UnreadableView]


class GamesView(WaitingView):
    """A page of games."""

    next: Annotated[str | None, URL, "Where the next page is; null on the last."]
    previous: Annotated[str | None, URL, "Where the page before is."]


class InvitationOfMineView(TypedDict):
    """What I am asked to join."""

    game: int
    name: str
    ruleset: str
    starship_name: str
    host: str
    by: str
    at: datetime


class InvitationsView(TypedDict):
    """What waits for my answer."""

    results: list[InvitationOfMineView]
    unreadable: list[UnreadableView]


def of_listed_games(games: Iterable[Game]) -> Document:
    """Write games of `selectors.games_for` or the like; those that cannot be read are named alone."""
    told, unreadable = each_alone(games, of_listed_game, lambda game: game)
    return {"results": told, "unreadable": unreadable}


def of_invitations(invitations: Iterable[Invitation]) -> Document:
    """Write what a person is asked to join; games that cannot be read are named alone."""
    told, unreadable = each_alone(invitations, of_invitation, lambda each: each.game)
    return {"results": told, "unreadable": unreadable}


def of_listed_game(game: Game) -> ListedGame:
    """Write a game of `selectors.games_for` or the like, as lists show it."""
    seats = list(game.players.all())
    listed: Any = game
    return ListedGame(
        **facts_of(game, seats),
        starship_name=game.board_name,
        deadline=listed.deadline,
        waiting_for=[seat.robo_name for seat in seats if cast("Any", seat).waited_for],
        waits_for_me=listed.waits_for_me,
        unread=listed.unread,
        moved_at=game.moved_at,
    )


def of_invitation(invitation: Invitation) -> InvitationOfMineView:
    """Write what a person is asked to join."""
    game = invitation.game
    return {
        "game": game.pk,
        "name": game.name,
        "ruleset": game.ruleset,
        "starship_name": game.board_name,
        "host": game.host.robo_name,
        "by": invitation.invited_by.robo_name,
        "at": invitation.created_at,
    }


def of_ruleset(ruleset: rules.Ruleset) -> Document:
    """Write a ruleset, as a person would read it."""
    return {
        "key": ruleset.key,
        "name": ruleset.name,
        "version": ruleset.version,
        "summary": ruleset.summary,
        "seats": {"least": ruleset.seats[0], "most": ruleset.seats[1]},
        "options": [_option(option) for option in ruleset.options],
        "defaults": {option.key: option.default for option in ruleset.options},
        "house_rules": [_option(option) for option in ruleset.house_rules],
        "squads": list(ruleset.squads),
        "models": [{"key": key, "text": MODELS[key]} for key in ruleset.models],
        "boards": ruleset.boards,
        "cells": ruleset.cells,
        "sets_start": ruleset.sets_start,
        "checkpoints": {
            "least": ruleset.checkpoints[0],
            "most": ruleset.checkpoints[1],
            "set": ruleset.sets_checkpoints,
        },
        "orders": sorted(ruleset.orders),
        "steps": [
            {"part": part, "name": step.name, "clauses": clauses_of(ruleset, step), "text": step.text}
            for part, _ in PARTS
            for step in getattr(ruleset, part)
        ],
    }


def _option(option: rules.Option) -> Document:
    return {
        "key": option.key,
        "type": "boolean" if option.yes_or_no else "integer",
        "default": option.default,
        "least": None if option.yes_or_no else option.least,
        "most": None if option.yes_or_no else option.most,
        "text": option.text,
    }


def of_listed_starship(starship: Starship) -> Document:
    """Write a starship with its current revision, as lists show it."""
    revision = starship.current
    assert revision
    return {
        "id": starship.pk,
        "slug": starship.slug,
        "name": starship.name,
        "builder": starship.builder,
        "description": revision.document["description"],
        "section": starship.section,
        "rulesets": rulesets_of(starship=starship),
        "seats": {"least": starship.seats_least, "most": starship.seats_most},
        "width": revision.width,
        "height": revision.height,
        "revision": revision.number,
        "retired": starship.retired,
    }


def of_starship(starship: Starship) -> Document:
    """Write a starship with its board."""
    assert starship.current
    return {
        **of_listed_starship(starship),
        "unsuitable": unsuitable_of(starship=starship),
        "document": starship.current.document,
    }

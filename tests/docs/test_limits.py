"""Numbers in documents match the code."""

import ast
import re
from collections.abc import Sized
from datetime import timedelta
from importlib import import_module
from math import prod
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from games.fleet.search import CLASSES, range_of
from games.lobby import forms
from games.standings.awards import RANKS
from games.votes.selectors import MAJORITIES
from tests.games.lobby.pages import test_creation

ROOT = Path(__file__).parents[2]
SECONDS = {"days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1, "s": 1}
MEGABYTE = 1024 * 1024

LIMITS = {
    "retention": {
        "deleted with the guest, {} days": "GUEST_DAYS",
        "A guest: {} days after they last came": "GUEST_DAYS",
        "waits for players is cancelled after {} days": "LOBBY_DAYS",
        "address is not confirmed: {} hours": "accounts.services.SIGN_UP_LIFETIME",
        "by which link | {} days": "accounts.admission.SIGN_UP_KEPT",
        "used | {} days after they were last seen": "accounts.sessions.TRACE_LIFETIME",
        "expire: after {} days": "games.people.models.TOKEN_LIFETIME",
        "owner chose, {} days at most": "games.people.tokens.LONGEST_LIFETIME",
        "the last {} tokens": "games.people.tokens.MOST_TOKENS",
        "drawing: {} drafts": "games.shipyard.services.MOST_DRAFTS",
        "the last {} versions": "games.shipyard.services.VERSIONS_KEPT",
        "try: {} bays": "games.dock.selectors.BAYS_PER_BUILDER",
        "which a ship leaves {} days": "games.dock.models.WARNING_PERIOD",
        "not played on it for {} days": "games.dock.models.IDLE_AFTER",
        "the last {} runs": "games.shipyard.tunnel.RUNS_KEPT",
        "the last {} suggestions": "games.shipyard.suggestions.SEARCHES_KEPT",
        "switched off after {} days": "games.news.channels.webhook.SWITCH_OFF_AFTER",
        "| {} days, and the newest": "games.sharing.clips.CLIP_LIFETIME",
        "and the newest {} clips": "games.sharing.clips.CLIPS_KEPT",
        "the last {} browsers": "games.news.channels.browser.MOST_BROWSERS",
        "valid for {} days": "django.conf.settings.SESSION_COOKIE_AGE",
        "and {} days after logging in": "accounts.sessions.MAX_LOGIN_AGE",
        "the last {} boots": "games.clocks.machine_clock.BOOTS_STORED",
        "until it is sent, at most {} hours": "accounts.mail.RETRY_PERIOD",
        "favourite starships: {} ships": "games.fleet.selectors.MOST_FAVOURITES",
        "made: {} lists": "games.fleet.lists.MOST_LISTS",
        "made: {} branches of a game": "games.branches.services.BRANCHES_PER_GAME",
        "of a game, {} branches in all": "games.branches.services.MOST_BRANCHES",
        "lists of {} ships": "games.fleet.models.SHIPS_IN_LIST",
        "reports {} days after": "games.moderation.sanctions.REPORTS_KEPT",
        "listed until {} days": "games.standings.selectors.results.IDLE_AFTER",
    },
    "hosting": {
        "{} presets fill in": "games.lobby.forms.PRESETS",
        "need {} rated games": "games.competitions.services.tournaments.LEAST_GAMES_OF_HOST",
        "a reliability of {} %": "games.competitions.services.tournaments.LEAST_RELIABILITY",
        "organise up to {} at a time": "games.competitions.services.tournaments.MOST_TOURNAMENTS",
        "all rated games of {} days": "games.competitions.selectors.plans.MARATHON_LENGTH",
        "ships (up to {})": "games.competitions.services.tournaments.MOST_SHIPS",
        "or after {} times": "games.competitions.selectors.plans.SLACK",
    },
    "troubleshooting": {
        "confirm an address works for {} hours": "accounts.services.SIGN_UP_LIFETIME",
        "choose a password for {} days": "django.conf.settings.PASSWORD_RESET_TIMEOUT",
    },
    "tournaments": {
        "if you have {} rated games": "games.competitions.services.tournaments.LEAST_GAMES_OF_HOST",
        "host {} at a time": "games.competitions.services.tournaments.MOST_TOURNAMENTS",
        "tables of 2 to {} players": "games.competitions.pairing.MOST_AT_A_TABLE",
        "up to {} boards of the round": "games.competitions.pages.BOARDS_SHOWN",
        "the next round within {} hours": "games.competitions.selectors.plans.TIME_TO_CONFIRM",
        "up to {} days after the round": "games.competitions.services.rounds.TIME_TO_PLAY_ON",
        "miss more than {} turns in a game": "games.competitions.services.tournaments.MISSED_TURNS_ALLOWED",
        "or after {} times the time": "games.competitions.selectors.plans.SLACK",
        "1 to {} rounds": "games.competitions.services.tournaments.MOST_ROUNDS",
        "1 to {} starships": "games.competitions.services.tournaments.MOST_SHIPS",
        "At most {} players can enter": "games.competitions.services.tournaments.MOST_ENTRANTS",
        "or {} in a league": "games.competitions.formats.MOST_IN_A_LEAGUE",
        "within {} days count": "games.competitions.selectors.plans.MARATHON_LENGTH",
        "within the next {} days": "games.competitions.services.tournaments.LONGEST_TIME_TO_START",
        "a reliability of {} % or more": "games.competitions.services.tournaments.LEAST_RELIABILITY",
        "shows the last {} that are over": "games.competitions.pages.FINISHED_LISTED",
    },
    "clubs": {
        "up to {} members": "games.clubs.services.MOST_MEMBERS",
        "belong to {} clubs": "games.clubs.services.MOST_CLUBS_JOINED",
        "invites at most {} addresses": "games.clubs.services.MOST_MAILS",
        "mail from at most {} clubs": "games.clubs.services.MAILS_TO_ADDRESS",
        "be captain of {}.": "games.clubs.services.MOST_CLUBS_LED",
    },
    "conduct": {
        "for 1 to {} days, you cannot enter": "games.moderation.sanctions.MOST_DAYS",
        "for 1 to {} days, you cannot publish": "games.moderation.sanctions.MOST_DAYS",
        "for 1 to {} days, you cannot start": "games.moderation.sanctions.MOST_DAYS",
        "for more than {} days within": "games.moderation.sanctions.MOST_UNCONFIRMED_DAYS",
        "days within {} days |": "games.moderation.sanctions.UNCONFIRMED_DAYS_PERIOD",
        "takes a case has {} hours": "games.moderation.sanctions.CASE_LEASE",
        "your account is {} days old": "NEWCOMER_DAYS",
        "have played {} games with others": "NEWCOMER_GAMES",
        "with {} lines before": "games.moderation.selectors.LINES_AROUND",
        "can send {} reports of players a day, and": "games.moderation.sanctions.PLAYER_REPORTS_A_DAY",
        "can send {} reports of players a day.": "games.moderation.sanctions.NEWCOMER_REPORTS_A_DAY",
        "stores two hashes for {} days": "accounts.sessions.TRACE_LIFETIME",
    },
    "api": {
        "(1 to {}, default": "games.people.tokens.LONGEST_LIFETIME",
        "default {}). If the account": "games.people.models.TOKEN_LIFETIME",
        "409 `full` beyond {};": "games.fleet.models.SHIPS_IN_LIST",
        "`too-many` beyond {} drafts": "games.shipyard.services.MOST_DRAFTS",
        "429 beyond {} reports a day": "games.moderation.services.reports.SHIP_REPORTS",
        "429 beyond {} runs a day": "games.shipyard.tunnel.RUNS_A_DAY",
        "429 beyond {} ships a day": "games.shipyard.suggestions.SEARCHES_A_DAY",
        "429 beyond {} versions a day": "games.dock.services.VERSIONS_A_DAY",
        "429 beyond {} invitations": "games.people.contacts.INVITATIONS_A_DAY",
        "adds computers, at most {}:": "games.lobby.inputs.COMPUTERS",
        "all keys optional, up to {} flights": "rules.tunnel.flying.MAX_FLIGHTS",
        "each tested in {} flights": "rules.tunnel.remedies.FLIGHTS",
        "optional, 8 to {} cells along a side": "games.shipyard.suggestions.LONGEST_SIDE",
        "(SVG). Stores nothing; at most {} times a minute": "accounts.limits.CHECKS",
        "without a flight. Stores nothing; at most {} times a minute": "accounts.limits.OUTLOOKS",
        "on ships of more than {} cells": "rules.tunnel.outlook.MAX_CELLS",
        "200 characters each, {} features": "games.fleet.boards.MOST_FEATURES",
        "(rails do not count) and {} lasers": "games.fleet.boards.MOST_LASERS",
        "boards side to side, at most {};": "games.fleet.boards.MOST_BOARDS",
        "plain text of 1 to {} characters": "games.chat.models.MAX_LINE_LENGTH",
        "at most {} lines a minute": "games.chat.services.FLOOD_LINES",
        "in order, at most {} in an answer": "games.chat.selectors.LINES_PER_QUERY",
        "names the first {} unknown keys": "rules.document.MAX_NAMED_FAULTS",
        "and the first {} other problems": "games.errors.MAX_PROBLEMS",
        "can send {} reads": "accounts.limits.READS",
        "reads and {} writes a minute": "accounts.limits.WRITES",
        "among them {} orders": "accounts.limits.SUBMITTING",
        "a person can send {} of them a minute": "accounts.limits.PREVIEWS",
    },
    "formats": {
        "a file of more than {} MB": "rules.game_file.MAX_FILE_SIZE",
        "plain text of up to {} characters": "games.fleet.missions.LONGEST_TEXT",
        "There are 1 to {} `notes`": "games.fleet.missions.MOST_NOTES",
        "Each has 1 to {} `cells`": "games.fleet.missions.MOST_CELLS",
        "first program, 0 to {} (default 0)": "games.fleet.missions.MOST_FILLED",
        "the worst first, at most {}": "rules.tunnel.run.MAX_FINDINGS",
        "`cells` are up to {} cells": "rules.tunnel.findings.CELLS_PER_FINDING",
        "is 200 flights, the maximum {}": "rules.tunnel.flying.MAX_FLIGHTS",
        "The default is {} flights": "rules.tunnel.flying.FLIGHTS",
        "By default it flies {} ships": "rules.design.search.CANDIDATES",
    },
    "library": {
        "After {} finished games": "games.fleet.search.GAMES_FOR_LENGTH",
        "boards of more than {} cells": "rules.tunnel.outlook.MAX_CELLS",
        "up to {} ships as your favourites": "games.fleet.selectors.MOST_FAVOURITES",
        "can have {} lists": "games.fleet.lists.MOST_LISTS",
        "lists of up to {} ships": "games.fleet.models.SHIPS_IN_LIST",
    },
    "players": {
        "can follow {} players": "games.people.contacts.MOST_CONTACTS",
        "block {}, and": "games.people.contacts.MOST_CONTACTS",
        "can name {} players": "games.people.contacts.MOST_HOUSEMATES",
        "last {} turns have weights": "games.absence.models.WINDOW",
        "against one to {} computers": "games.lobby.practice.MAX_COMPUTERS",
        "start {} games against computers a day": "accounts.limits.GUEST_GAMES.most",
        "at one network address {}.": "accounts.limits.GUEST_GAMES_FROM_ADDRESS.most",
    },
    "absence": {
        "excuses 1 to {} missed turns": "games.play.policy.MAX_EXCUSED",
        "{} turns in a row with orders in time": "games.play.policy.CLEAN_TURNS",
    },
    "awards": {
        "win {} awards": "games.standings.awards.AWARDS",
        "the {} best for each award": "games.standings.selectors.awards.PLAYERS_LISTED",
        "have {} rated games in the month": "AWARD_GAMES",
    },
    "computers": {
        "tries {} random programs": "rules.computers.pilot.PROGRAMS",
        "once in {} turns": "rules.computers.pilot.SLIP",
        "tries its {} best programs": "rules.computers.ace.CANDIDATES",
        "can have {} running games": "COMPUTER_GAMES",
        "for at most {} minutes.": "games.play.resolution.COMPUTERS_ANYWHERE_AFTER",
    },
    "design": {
        "Of {} orders, the best": "rules.design.goals.CHECKPOINT_DRAWS",
        "more than {} kinds of elements": "rules.design.proposal.MAX_KINDS",
        "{} ships are flown (": "rules.design.search.CANDIDATES",
        "`), {} at a time": "rules.design.search.GENERATION",
        "first judged by {} flights": "rules.design.search.FIRST_FLIGHTS",
        "both are flown {} times more": "rules.design.search.EXTRA_FLIGHTS",
        "the next best gets one, up to {}.": "rules.design.search.FINALISTS",
        "with `--candidates {}`": "games.shipyard.suggestions.CANDIDATES",
        "up to {} cells along a side": "games.shipyard.suggestions.LONGEST_SIDE",
        "not over after {} pieces": "games.shipyard.suggestions.PIECES_OF_SEARCH",
        "ask for {} ships a day": "games.shipyard.suggestions.SEARCHES_A_DAY",
    },
    "ladders": {
        "at least {} places": "games.competitions.formats.NEAREST_RUNG",
        "with {} hours for a turn": "games.competitions.formats.CHALLENGE_HOURS",
        "same player again after {} days": "games.competitions.formats.REPEAT_AFTER",
        "cannot be challenged for {} days": "games.competitions.formats.PROTECTED_FOR",
        "you drop {} places": "games.competitions.formats.LOST_PLACES",
        "twice within {} days": "games.competitions.formats.ABSENCE_WINDOW",
        "keep your place for {} days": "games.competitions.formats.MAX_REST",
        "can rest again after {} days": "games.competitions.formats.MIN_REST_INTERVAL",
        "After {} days without a ladder game": "games.competitions.formats.IDLE_AFTER",
    },
    "mail": {
        "looking at a game for {} minutes": "games.live.VISIT_EXPIRY",
        "come within {} minutes of the deadline": "games.news.timing.SHORTEST_LEAD",
        "the site tries {} times": "games.news.delivery.ATTEMPTS",
        "nothing got through for {} days": "games.news.channels.webhook.SWITCH_OFF_AFTER",
        "| {} days later, once": "games.dock.services.REMIND_AFTER",
        "in {} days it leaves its bay": "games.dock.models.WARNING_PERIOD",
    },
    "matching": {
        "when you press the button, and then every {} seconds": "SWEEP_SECONDS",
        "at most {} points apart": "games.competitions.matching.RATING_WINDOW",
        "Every {} hours": "games.competitions.matching.WINDOW_STEP",
        "hours, {} points more": "games.competitions.matching.WINDOW_GROWTH",
        "miss more than {} turns": "games.competitions.services.matching.MISSED_TURNS_ALLOWED",
    },
    "news": {
        "Your {} newest browsers": "games.news.channels.browser.MOST_BROWSERS",
        "your last {} notifications": "games.news.feeds.ENTRIES_PER_FEED",
        "more than {} times an hour": "games.news.feeds.FEED_LIMIT.most",
        "until the deadline, at most {} days": "games.news.channels.browser.LIFETIME",
        "to 299 within {} seconds": "games.news.channels.outbound.TIMEOUT",
        "tries again, {} times": "games.news.delivery.ATTEMPTS",
        "gets through for {} days": "games.news.channels.webhook.SWITCH_OFF_AFTER",
    },
    "promotion": {
        "at least {} flights": "rules.tunnel.flying.FLIGHTS",
        "{} people have finished a game": "games.dock.selectors.TESTERS_NEEDED",
        "At least {} of the five": "games.dock.selectors.STRANGERS_NEEDED",
        "one reminder after {} days": "games.dock.services.REMIND_AFTER",
        "{} matching votes decide": "games.dock.selectors.VOTES_NEEDED",
    },
    "alarms": {
        "one by one every {} seconds": "SWEEP_SECONDS",
        "played {} minutes ago": "games.staff.services.OVERDUE_AFTER",
        "After {} failed attempts": "games.play.resolution.MAX_ATTEMPTS",
        "looks at the site every {} s": "games.staff.watch.LOOK_SECONDS",
        "be away for {} s": "games.staff.incidents.RESTART",
        "answer with 200 within {} s": "roborunner.health.WEB_SECONDS",
        "no answer within {} s": "roborunner.health.REDIS_SECONDS",
        "`SWEEP_SECONDS` and {} s": "games.staff.incidents.LATE_SWEEP",
        "has waited for {} minutes": "games.staff.incidents.MAIL_WAITS",
        "go after {} days": "games.staff.errors.FORGOTTEN_AFTER",
        "at most {}.": "games.staff.errors.MOST_GROUPS",
    },
    "ratings": {
        "lists the {} best players": "games.standings.selectors.ratings.BEST_SHOWN",
        "you have {} rated games.": "games.standings.ratings.SETTLED_GAMES",
        "with {} rated games against": "games.standings.ratings.LISTED_GAMES",
        "at least {} people": "games.standings.ratings.LISTED_OPPONENTS",
        "a game in the last {} days": "games.standings.selectors.results.IDLE_AFTER",
    },
    "operations": {
        "not played on together for {} days": "games.dock.models.IDLE_AFTER",
        "the bay {} days after the warning": "games.dock.models.WARNING_PERIOD",
        "lists times of more than {} minutes": "games.clocks.selectors.OUTAGE_AFTER",
    },
    "reliability": {
        "they never give up | {} s |": "roborunner.celery.MAX_RETRY_PAUSE",
        "workers take these messages first | {} s |": "SWEEP_SECONDS",
        "because the message may be lost | {} s |": "games.work.sweeper.OFFER_AGAIN_AFTER",
        "a worker was sending when it died is free again | {} s |": "games.news.delivery.LEASE",
        "even without a message from Redis | {} s |": "roborunner.streams.LOOK_INTERVAL",
        "who may still look | {} s |": "roborunner.streams.RIGHTS_INTERVAL",
        "a worker was flying when it died are free again | {} s;": ("games.shipyard.flying.LEASE"),
        "has happened for more than {} minutes": "games.clocks.selectors.OUTAGE_AFTER",
        "offers up to {} rows of each kind": "games.work.sweeper.OFFERED_PER_PASS",
        "If {} messages or more": "games.work.sweeper.BUSY_QUEUE",
        "offers only after {} minutes": "games.work.sweeper.OFFER_AGAIN_IF_BUSY",
        "A worker has {} s to send": "games.news.delivery.SENDING_TIME",
        "for at most {} s. A row": "games.work.jobs.ROW_SECONDS",
        "After {} of them the turn is played": "games.play.resolution.SUSPECT_AFTER",
        "one of its {} attempts": "games.play.resolution.MAX_ATTEMPTS",
        "A notification is given up after {}.": "games.news.delivery.ATTEMPTS",
    },
    "reports": {
        "up to {} characters": "games.moderation.models.LONGEST_REPORT",
    },
    "reviews": {
        "1 to {} stars": "games.dock.models.MOST_STARS",
        "up to {} tags": "games.dock.models.MOST_TAGS",
        "up to {} characters": "games.dock.models.LONGEST_REVIEW",
        "when {} people have reviewed": "games.dock.models.REVIEWERS_FOR_STARS",
        "it had {} more reviews": "games.dock.reviews.AVERAGE_REVIEWS",
        "more than {} reviews within": "games.dock.reviews.BURST_SIZE",
        "reviews within {} hours": "games.dock.reviews.BURST_PERIOD",
        "After {} hours, they": "games.dock.reviews.BURST_DELAY",
    },
    "seasons": {
        "has {} players": "games.competitions.formats.DIVISION_SIZE",
        "tables of {}, in": "games.competitions.services.seasons.TABLE_SIZE",
        "in {} rounds": "games.competitions.formats.SEASON_ROUNDS",
        "with {} hours for a turn": "games.competitions.services.seasons.PACE_HOURS",
        "Its {} starships": "games.competitions.services.seasons.SHIPS_PER_SEASON",
        "still lasts {} days": "games.competitions.services.rounds.SHORTEST_ROUND",
        "first {} players of a division": "games.competitions.formats.PROMOTED_PLAYERS",
        "the last {} fall": "games.competitions.formats.PROMOTED_PLAYERS",
        "fewer than {} rated games": "games.competitions.formats.GAMES_FOR_PLACING",
        "shows {} divisions": "games.competitions.selectors.seasons.DIVISIONS_PER_PAGE",
        "the last {} players who": "games.competitions.selectors.seasons.ENTRANTS_NAMED",
    },
    "time": {
        '{"hours": 24}`, 1 to {} |': "games.clocks.clock.MAX_TURN_HOURS",
        '{"minutes": 5}`, 1 to {} |': "games.clocks.clock.MAX_LIVE_MINUTES",
        "for {} turns in a row": "games.absence.missed_turns.DESERTED_AFTER",
        "up to {} days of the week off": "games.clocks.clock.MAX_DAYS_OFF",
        "quiet hours of up to {} hours": "games.clocks.clock.MAX_NIGHT",
        "pause a game for 1 to {} days": "games.play.deadlines.MAX_PAUSE",
        "You have {} days of vacation": "games.clocks.selectors.DAYS_A_YEAR",
        "at most {} days in any seven": "games.clocks.selectors.UNPLANNED_DAYS_PER_WEEK",
    },
    "votes": {
        "`pause` for 1 to {} days": "games.play.deadlines.MAX_PAUSE",
        "started again for {} days": "games.votes.selectors.REPEAT_AFTER",
    },
    "branches": {
        "can play up to {} turns": "rules.review.branches.MAX_MORE",
        "On boards with more than {} cells": "games.branches.selectors.MAX_CELLS",
        "can have {} branches of a game": "games.branches.services.BRANCHES_PER_GAME",
        "of a game, and {} in all": "games.branches.services.MOST_BRANCHES",
        "branches with {} turns a day": "accounts.limits.BRANCHES.most",
    },
    "analysis": {
        "You can use {} positions a day": "accounts.limits.ANALYSES.most",
        "Guests can use {}.": "accounts.limits.GUEST_ANALYSES.most",
        "of your last {} analysed games": "games.analysis.selectors.GAMES_SHOWN",
        "about {} for each robot and turn": "games.analysis.services.START_COST",
    },
    "security": {
        "of games](analysis.md#limits) | {} positions": "accounts.limits.ANALYSES.most",
        "and {} for guests | person": "accounts.limits.GUEST_ANALYSES.most",
        "analyses by guests | {} a day": "accounts.limits.GUEST_ANALYSES_FROM_ADDRESS.most",
        "have 8 to {} characters": "accounts.passwords.MAX_LENGTH",
        "A session ends {} days after its last use": "django.conf.settings.SESSION_COOKIE_AGE",
        "and {} days after the login": "accounts.sessions.MAX_LOGIN_AGE",
        "expires after {} days": "games.people.models.TOKEN_LIFETIME",
        "owner chose, {} at most": "games.people.tokens.LONGEST_LIFETIME",
        "can have at most {}. If": "games.people.tokens.MOST_TOKENS",
        "only read | {} a minute": "accounts.limits.READS.most",
        "change something | {} a minute": "accounts.limits.WRITES.most",
        "submitting orders | {} a minute": "accounts.limits.SUBMITTING.most",
        "of daily runs | {} a day": "accounts.limits.DAILY_PROGRAMS.most",
        "of daily runs by guests | {} a day": "accounts.limits.DAILY_PROGRAMS.guests",
        "at puzzles | {} a day": "accounts.limits.PUZZLE_TRIES.most",
        "at puzzles by guests | {} a day": "accounts.limits.PUZZLE_TRIES.guests",
        "created or changed | {} a day": "accounts.limits.BRANCHES.most",
        "| previews | {} a minute": "accounts.limits.PREVIEWS.most",
        "lines in chats | {} a minute": "games.chat.services.FLOOD_LINES",
        "answered 401 | {} a minute": "accounts.limits.REFUSED.most",
        "by a link | {} a minute": "accounts.limits.CHECKS.most",
        "previews of ships | {} a minute": "accounts.limits.OUTLOOKS.most",
        "that guests request | {} a day": "accounts.limits.CLIPS_FROM_ADDRESS.most",
        "may keep them for {} s": "games.sharing.selectors.CACHE_AGE",
        "test flights | {} a day": "accounts.limits.TEST_FLIGHTS.most",
        "begin at a position | {} a day": "accounts.limits.PLAYED_ON.most",
        "pictures of ships | {} a minute": "accounts.limits.DRAWINGS.most",
        "open streams | {} at once": "accounts.limits.STREAMS_PER_CLIENT",
        "reading a feed | {} an hour": "games.news.feeds.FEED_LIMIT.most",
        "while many come](sign-up.md#the-puzzle) | {} a minute": "accounts.challenges.TICKETS.most",
        "tokens of the API | {} a minute": "accounts.limits.TOKENS.most",
        "a guest starts | {} a day": "accounts.limits.GUEST_GAMES.most",
        "guests start | {} a day": "accounts.limits.GUEST_GAMES_FROM_ADDRESS.most",
        "runs of the wind tunnel | {} |": "games.shipyard.tunnel.RUNS_A_DAY",
        "ships asked of the generator | {} |": "games.shipyard.suggestions.SEARCHES_A_DAY",
        "(sharing.md#a-clip) | {} |": "games.sharing.clips.CLIPS_A_DAY",
        "versions of prototypes | {} |": "games.dock.services.VERSIONS_A_DAY",
        "reports of players | {},": "games.moderation.sanctions.PLAYER_REPORTS_A_DAY",
        "and {} for newcomers": "games.moderation.sanctions.NEWCOMER_REPORTS_A_DAY",
        "invitations | {} |": "games.people.contacts.INVITATIONS_A_DAY",
        "`SECRET_KEY` has {} characters": "roborunner.environment.MIN_KEY_LENGTH",
    },
    "internals": {
        "at most every {} seconds (`static": "static/play/presence.js:SIGN_INTERVAL",
        "delayed by {} minutes at most": "games.work.enqueue.LONGEST_ETA",
        "looks at up to {} waiting players": "games.competitions.services.matching.TICKETS_PER_PASS",
        "waits up to {} days for games": "games.standings.services.WAIT_FOR_GAMES",
        "claims a notification for {} seconds": "games.news.delivery.LEASE",
        "within {} minutes of the deadline": "games.news.timing.SHORTEST_LEAD",
        "all attempts within {} minutes failed": "games.news.delivery.DOWN_AFTER",
        "there were at least {}, staff": "games.news.delivery.FAILURES_BEFORE_ALARM",
        "must have refused {} of them": "games.news.delivery.REFUSED_RECIPIENTS",
        "guesses the hands of the others {} times": "rules.computers.ace.GUESSES",
        "With the {} best programs it tries equipment": "rules.computers.ace.FINALISTS",
        "next turn with {} random hands": "rules.computers.ace.HANDS",
        "rewritten after {} tries": "games.people.services.deletion.ATTEMPTS",
    },
    "sharing": {
        "You can make {} clips a day": "games.sharing.clips.CLIPS_A_DAY",
        "address can make {} a day": "accounts.limits.CLIPS_FROM_ADDRESS.most",
        "deleted after {} days": "games.sharing.clips.CLIP_LIFETIME",
        "if there are more than {} newer ones": "games.sharing.clips.CLIPS_KEPT",
        "in pixels, at least {}": "games.sharing.selectors.LEAST_EMBED",
    },
    "shipyard-editor": {
        "saved {} seconds after the last": "static/shipyard/saver.js:PAUSE",
        "and {} seconds after the first": "static/shipyard/saver.js:LONGEST",
        "asks again after {} seconds": "static/shipyard/asker.js:AGAIN",
        "copies are deleted after {} days": "static/shipyard/copies.js:OLDEST",
    },
    "shipyard": {
        "{} seconds after your last stroke": "static/shipyard/saver.js:PAUSE",
        "keeps them for up to {} days": "static/shipyard/copies.js:OLDEST",
        "Computers fly {} of them": "games.shipyard.suggestions.CANDIDATES",
        "up to {} or 1,000 times": "rules.tunnel.flying.FLIGHTS",
        "200 or {} times": "rules.tunnel.flying.MAX_FLIGHTS",
        "up to {} findings": "rules.tunnel.run.MAX_FINDINGS",
        "change another {} times": "rules.tunnel.remedies.FLIGHTS",
        "can keep {} drafts": "games.shipyard.services.MOST_DRAFTS",
        "keeps {} earlier versions": "games.shipyard.services.VERSIONS_KEPT",
        "The last {} runs": "games.shipyard.tunnel.RUNS_KEPT",
        "for {} days, you get a warning": "games.dock.models.IDLE_AFTER",
        "ask for {} ships a day": "games.shipyard.suggestions.SEARCHES_A_DAY",
        "can publish {} versions a day": "games.dock.services.VERSIONS_A_DAY",
        "and start {} a day": "games.shipyard.tunnel.RUNS_A_DAY",
        "{} features (rails": "games.fleet.boards.MOST_FEATURES",
        "and {} lasers": "games.fleet.boards.MOST_LASERS",
        "with {} characters in total": "games.shipyard.services.CHARACTERS_KEPT",
        "against up to {} computers": "games.shipyard.services.MOST_COMPUTERS",
        "{} days later, the prototype": "games.dock.models.WARNING_PERIOD",
        "stays yours for {} days": "games.dock.names.NAME_RESERVED_FOR",
    },
    "templates/site/service/about.html": {"There are {} rulesets": "rules.RULESETS"},
    "templates/site/service/story.html": {
        '"{} models" %}': "rules.MODELS",
        '"{} bodies" %}': "accounts.models.LOOKS",
    },
    "templates/site/service/help.html": {
        "For {} hours, you can correct": "accounts.services.SIGN_UP_LIFETIME",
    },
    "templates/site/service/terms.html": {
        "for more than {} minutes, deadlines": "games.clocks.selectors.OUTAGE_AFTER",
    },
}
"""Constants that decide numbers in documents, by document and then by phrase."""

DEFAULTS = dict(re.findall(r"^#([A-Z_]+)=(\d+)$", (ROOT / ".env.example").read_text(), re.MULTILINE))

WORDS = ("zero", "one", "two", "three", "four", "five", "six")
WORDS += ("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen")


def constant(name: str) -> Any:
    """Return a value by its dotted name, or the default of an environment variable.

    `test_labels` compares the defaults with the settings.
    """
    if ":" in name:
        return milliseconds(*name.split(":"))
    place, _, rest = name.rpartition(".")
    if not place:
        return int(DEFAULTS[rest])
    try:
        module = settings if place.endswith("settings") else import_module(place)
    except ModuleNotFoundError:
        module = constant(place)
    return getattr(module, rest)


def milliseconds(script: str, name: str) -> timedelta:
    """Return a time constant of a script, written as a product of milliseconds."""
    found = re.search(rf"^const {name} = ([\d *]+);", (ROOT / script).read_text(), re.MULTILINE)
    assert found, name
    return timedelta(milliseconds=prod(map(int, found[1].split("*"))))


def number_in(text: str) -> float:
    """Parse a number written in figures or as a word."""
    word = text.lower()
    return WORDS.index(word) if word in WORDS else float(text.replace(",", ""))


def in_units(value: Any, unit: str) -> float:
    """Convert a constant to the unit of a phrase, or count a collection.

    Plain numbers of at least 3,600 are seconds.
    """
    if isinstance(value, Sized):
        return len(value)
    value = getattr(value, "most", value)
    if unit == "MB":
        return float(value / MEGABYTE)
    if isinstance(value, timedelta):
        return value.total_seconds() / SECONDS[unit]
    return float(value / SECONDS[unit] if unit in SECONDS and value >= 3_600 else value)


@pytest.mark.parametrize(
    ("page", "phrase", "name"),
    [(page, phrase, name) for page, phrases in LIMITS.items() for phrase, name in phrases.items()],
)
def test_a_number_is_the_constant(page: str, phrase: str, name: str) -> None:
    path = ROOT / (page if page.endswith(".html") else f"docs/{page}.md")
    text = re.sub(r"\s+", " ", path.read_text())
    before, after = map(re.escape, phrase.split("{}"))
    pattern = rf"{before}([\d,.]*\d|(?i:{'|'.join(WORDS)})\b){after}"
    (number,) = set(re.findall(pattern, text)) or {"no such phrase"}
    unit = re.match(r"\W*(\w+)", phrase.split("{}")[1])
    assert number_in(number) == in_units(constant(name), unit[1] if unit else ""), name


def rows(page: str, heading: str) -> list[tuple[str, str]]:
    """Return the rows of the table with two columns under a heading."""
    table = (ROOT / f"docs/{page}.md").read_text().partition(f"| {heading} |\n|---|---|\n")[2]
    return re.findall(r"^\| (.+?) \| (.+?) \|$", table.partition("\n\n")[0], re.MULTILINE)


def test_ranks_have_the_points_of_the_table() -> None:
    assert rows("awards", "rank | points") == [(str(rank.name), str(rank.points)) for rank in RANKS]


def test_classes_of_starships_have_the_cells_of_the_table() -> None:
    ranges = {str(each.name): range_of(each.key) for each in CLASSES}
    assert rows("library", "class | cells") == [
        (name, f"{least} or more" if most is None else f"{least} to {most}" if least else f"up to {most}")
        for name, (least, most) in ranges.items()
    ]


RATES = {
    "signing up": "signup",
    "logging in": "login",
    "mail that confirms an address": "confirm_email",
    "starting as a guest": "guest",
    "giving the password again": "reauthenticate",
}
"""Keys of the rate limits, by row of the table in docs/security.md."""


@pytest.mark.parametrize("row", RATES)
def test_a_limit_of_logins_is_the_setting(row: str) -> None:
    times = {"m": "a minute", "h": "an hour"}
    rates = [rate.split("/") for rate in settings.ACCOUNT_RATE_LIMITS[RATES[row]].split(",")]
    said = ", ".join(f"{most} {times[time]}" for most, time, _by in rates)
    assert f"\n| {row} | {said} |" in (ROOT / "docs/security.md").read_text()


def test_workers_of_the_recipe_have_the_documented_ports() -> None:
    table = dict(rows("machine", "workers | ports of their metrics"))
    ports = {names.split("`")[1]: re.split(r"[ ,]", number)[0] for names, number in table.items()}
    workers = sorted((ROOT / "deploy/debian/workers").iterdir())
    assert ports == {
        file.name: re.search(r"^WORKER_METRICS_PORT=(\d+)$", file.read_text(), re.MULTILINE)[1]  # type: ignore[index]
        for file in workers
    }


def test_votes_have_the_documented_times() -> None:
    page = (ROOT / "docs/votes.md").read_text()
    for kind, majority in MAJORITIES.items():
        row = re.search(rf"^\| `{kind}`.*\| (\d) days? \| you (do not )?count", page, re.MULTILINE)
        assert row, kind
        assert (24 * int(row[1]), bool(row[2])) == (majority.hours, majority.silence_abstains)


def test_the_first_change_of_contributing_fits_the_code() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text()
    test, preset = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    made = eval(preset, vars(forms))
    assert made.key in test and made.key not in forms.PRESETS
    named = {node.id for node in ast.walk(ast.parse(test)) if isinstance(node, ast.Name)}
    assert named - {"page", "read", "alice"} <= vars(test_creation).keys()
    assert f"Now there are {WORDS[len(forms.PRESETS) + 1]}." in page


def test_troubleshooting_has_the_limit_of_wrong_passwords() -> None:
    limit = re.fullmatch(r"(\d+)/(\d+)s/key", settings.ACCOUNT_RATE_LIMITS["account_failed"])
    assert limit
    most, minutes = WORDS[int(limit[1])], WORDS[int(limit[2]) // 60]
    page = (ROOT / "docs/troubleshooting.md").read_text()
    assert f"After {most} wrong passwords you must wait {minutes} minutes." in page

"""All that is read: each selector takes the viewer, and gives what that viewer may know."""

from games.selectors.channels import devices_of, webhook_of
from games.selectors.chat import (
    Line,
    Talk,
    chat_after,
    chat_line,
    chat_lines,
    latest_talk,
    talk_after,
    talk_of,
)
from games.selectors.feeds import feed_of
from games.selectors.files import game_file
from games.selectors.fitting import Fit, editions_of, fit, fits, fitting_starships
from games.selectors.game import game_view
from games.selectors.gathering import gather
from games.selectors.health import resolution_is_delayed, workers_are_away
from games.selectors.holdings import held_about
from games.selectors.invitations import invitation_for, invitations_for
from games.selectors.layouts import LaidPiece, Layout, board_of, lay_out
from games.selectors.lobby import seated, terms_mark
from games.selectors.lobby_steps import Step, lobby_step
from games.selectors.log import log_after, past_turn
from games.selectors.manners import told_otherwise
from games.selectors.menu import menu_counts
from games.selectors.missions import (
    Flight,
    flight_for,
    flights,
    lesson_of,
    mission_after,
    next_flight,
    offered_to,
)
from games.selectors.numbers import game_numbers
from games.selectors.offers import (
    Lineup,
    games_to_take_over,
    lineups_of,
    seat_to_return_to,
    seats_offered,
    seats_to_return_to,
    why_not_back,
)
from games.selectors.opponents import choose_starship, computers_in, starships_against
from games.selectors.ordering import mark_of
from games.selectors.partings import Parting, parting_of
from games.selectors.people import person_page
from games.selectors.players import find_players
from games.selectors.preview import Foresight, Stand, foresee, preview
from games.selectors.records import (
    described,
    game_statistics,
    is_virtual,
    new_achievements,
    robot_card,
)
from games.selectors.replay import Replay, replay
from games.selectors.resignations import outcome_of, why_not_resign
from games.selectors.rests import calendar_of, rest_of
from games.selectors.rooms import (
    games_for,
    games_to_join,
    games_to_watch,
    my_games,
    next_waiting,
    waiting_count,
    waiting_games,
)
from games.selectors.standings import standing
from games.selectors.starships import revision_for, rulesets_of, starship_for, starships, unsuitable_of
from games.selectors.tokens import token_shown, tokens_of
from games.selectors.viewers import Viewer, game_for, known_games, link_of, own_seat, seat_of
from games.selectors.votes import askable, has_vote, open_votes, vote_in, votes_of

__all__ = [
    "Fit",
    "Flight",
    "Foresight",
    "LaidPiece",
    "Layout",
    "Line",
    "Lineup",
    "Parting",
    "Replay",
    "Stand",
    "Step",
    "Talk",
    "Viewer",
    "askable",
    "board_of",
    "calendar_of",
    "chat_after",
    "chat_line",
    "chat_lines",
    "choose_starship",
    "computers_in",
    "described",
    "devices_of",
    "editions_of",
    "feed_of",
    "find_players",
    "fit",
    "fits",
    "fitting_starships",
    "flight_for",
    "flights",
    "foresee",
    "game_file",
    "game_for",
    "game_numbers",
    "game_statistics",
    "game_view",
    "games_for",
    "games_to_join",
    "games_to_take_over",
    "games_to_watch",
    "gather",
    "has_vote",
    "held_about",
    "invitation_for",
    "invitations_for",
    "is_virtual",
    "known_games",
    "latest_talk",
    "lay_out",
    "lesson_of",
    "lineups_of",
    "link_of",
    "lobby_step",
    "log_after",
    "mark_of",
    "menu_counts",
    "mission_after",
    "my_games",
    "new_achievements",
    "next_flight",
    "next_waiting",
    "offered_to",
    "open_votes",
    "outcome_of",
    "own_seat",
    "parting_of",
    "past_turn",
    "person_page",
    "preview",
    "replay",
    "resolution_is_delayed",
    "rest_of",
    "revision_for",
    "robot_card",
    "rulesets_of",
    "seat_of",
    "seat_to_return_to",
    "seated",
    "seats_offered",
    "seats_to_return_to",
    "standing",
    "starship_for",
    "starships",
    "starships_against",
    "talk_after",
    "talk_of",
    "terms_mark",
    "token_shown",
    "tokens_of",
    "told_otherwise",
    "unsuitable_of",
    "vote_in",
    "votes_of",
    "waiting_count",
    "waiting_games",
    "webhook_of",
    "why_not_back",
    "why_not_resign",
    "workers_are_away",
]
